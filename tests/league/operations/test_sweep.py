"""Tests that a failure for one competition is logged and does not stop the work for the others."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import DeadlockDetected, ReadOnlySqlTransaction

from league.management.embedded import publish_odds_behind
from league.models import Competition, Forecast, Slot, TableSession
from league.services.operations.independent_jobs import do_for_each
from league.services.operations.sweep import sweep
from league.services.standings.publishing import publish_standings
from league.services.webhooks.outbox import queue_all_messages
from league.services.webhooks.subscriptions import subscribe
from tests.factories import SYSTEM, league, play, table

pytestmark = pytest.mark.django_db


def damage(season: Competition) -> None:
    """Give a slot an unreadable source, as after a manual change of the table, so that nothing can be computed."""
    found = Slot.objects.filter(block__competition=season).exclude(seeded=None)
    assert found.update(source="seed:the first")


def seasons() -> list[Competition]:
    """Return three seasons with a result missing from the standings; the first season is damaged."""
    found = [league(slug=f"season-{number}", name=f"{number}") for number in range(3)]
    for season in found:
        play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    damage(found[0])
    return found


def behind() -> list[str]:
    rows = Competition.objects.order_by("slug")
    return [row.slug for row in rows if row.computed_version < row.version]


def test_a_failed_computation_is_logged_and_other_competitions_are_computed(caplog: pytest.LogCaptureFixture) -> None:
    damaged = seasons()[0]
    sweep()
    assert behind() == ["season-0"]
    assert f"standings of competition {damaged.pk} could not be computed" in caplog.text
    assert "the first" in caplog.text


def test_the_next_sweep_computes_a_repaired_competition() -> None:
    seasons()
    sweep()
    for number, slot in enumerate(Slot.objects.filter(source="seed:the first").order_by("pk"), start=1):
        Slot.objects.filter(pk=slot.pk).update(source=f"seed:{number}")
    sweep()
    assert behind() == []


@pytest.mark.both_databases
def test_a_failed_release_is_logged_and_other_tables_are_released(caplog: pytest.LogCaptureFixture) -> None:
    """The change number that the release would take is already used by another change."""
    found = [league(slug=f"season-{number}", name=f"{number}") for number in range(3)]
    tables = [table(each.blocks.get(key="A"), public_at=timezone.now() + dt.timedelta(days=1)) for each in found]
    TableSession.objects.update(public_at=timezone.now() - dt.timedelta(seconds=1))
    Competition.objects.filter(pk=found[0].pk).update(version=1)
    sweep()
    kept_back = TableSession.objects.filter(is_released=False)
    assert [row.pk for row in kept_back] == [tables[0].pk]
    assert f"table session {tables[0].pk} could not be released" in caplog.text


def test_failed_odds_do_not_stop_the_odds_of_other_competitions() -> None:
    found = [league(slug=f"season-{number}", name=f"{number}") for number in range(3)]
    for season in found:
        publish_standings(season.pk)
    damage(found[0])
    publish_odds_behind()
    counted = Forecast.objects.order_by("competition__slug").values_list("competition__slug", flat=True).distinct()
    assert list(counted) == ["season-1", "season-2"]


@pytest.mark.both_databases
def test_a_failing_webhook_is_logged_and_others_get_their_deliveries(caplog: pytest.LogCaptureFixture) -> None:
    found = [league(slug=f"season-{number}", name=f"{number}") for number in range(3)]
    hooks = [subscribe(owner=each, url="https://club.example/", by=SYSTEM).subscription for each in found]
    for season in found:
        play(table(season.blocks.get(key="A")).hanchan.get(round=1))
        publish_standings(season.pk)
    found[0].changes.update(after=["not what any change writes"])
    queue_all_messages()
    assert [hook.deliveries.exists() for hook in hooks] == [False, True, True]
    assert f"webhook {hooks[0].pk} could not be told" in caplog.text


def test_subjects_are_processed_in_random_order() -> None:
    first = set()

    def stop_at_once(subject: int) -> None:
        first.add(subject)
        raise OperationalError("away") from ReadOnlySqlTransaction()

    for _time in range(60):
        with pytest.raises(OperationalError):
            do_for_each(stop_at_once, [1, 2, 3], "%s")
    assert first == {1, 2, 3}


def test_a_deadlock_on_one_row_does_not_end_the_loop() -> None:
    done = []

    def meet_another(subject: int) -> None:
        done.append(subject)
        raise OperationalError("deadlock") from DeadlockDetected()

    do_for_each(meet_another, [1, 2, 3], "%s")
    assert sorted(done) == [1, 2, 3]
