"""Test the debounced publishing of standings: a single result at once, a burst together."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import cache
from django.test import override_settings

from league.models import Competition, Hanchan
from league.services.operations.sweep import sweep
from league.services.standings import debounce
from league.services.standings.debounce import TIMER_NAME
from league.tasks import recompute_competition
from tests import factories
from tests.factories import league, table

pytestmark = pytest.mark.django_db(transaction=True)
APART = 3
"""Seconds; long enough to enter a few results within them."""


@pytest.fixture(autouse=True)
def _as_a_service_that_goes_on(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(debounce.ThisProcess, "runs_later", True)
    settings.PUBLISHED_APART_SECONDS = APART
    cache.clear()
    yield
    for timer in running_timers():
        timer.cancel()
    wait_for_timers()


def running_timers() -> list[threading.Timer]:
    return [each for each in threading.enumerate() if isinstance(each, threading.Timer) and each.name == TIMER_NAME]


def wait_for_timers() -> None:
    for timer in running_timers():
        timer.join(timeout=60)


def games(slug: str = "season") -> list[Hanchan]:
    """Return a table's hanchan in a league whose standings are all published."""
    with override_settings(PUBLISHED_APART_SECONDS=0):
        found = list(table(league(slug=slug, name=slug).blocks.get(key="A")).hanchan.order_by("round"))
    assert behind(found[0]) == 0
    return found


def play(game: Hanchan) -> None:
    """Play the game with scores that differ in every round."""
    factories.play(game, (41200 - 100 * game.round, 30100, 18700, 10000 + 100 * game.round))


def versions(game: Hanchan) -> tuple[int, int]:
    """Return the recorded and the published version."""
    row = Competition.objects.get(blocks=game.block_id)
    return row.version, row.computed_version


def behind(game: Hanchan) -> int:
    recorded, published = versions(game)
    return recorded - published


def test_a_single_result_is_published_before_its_response_is_sent() -> None:
    game = games()[0]
    play(game)
    assert behind(game) == 0
    assert running_timers() == []


def test_results_within_the_interval_are_published_together() -> None:
    first, second, third, *_others = games()
    play(first)
    play(second)
    assert behind(first) == 1
    play(third)
    assert behind(first) == 2
    assert len(running_timers()) == 1
    wait_for_timers()
    assert behind(first) == 0


def test_a_result_after_the_interval_is_published_at_once_again() -> None:
    first, second, third, *_others = games()
    with time_machine.travel("2026-11-01T12:00Z", tick=False) as moment:
        play(first)
        moment.shift(APART + 0.1)
        play(second)
        assert behind(first) == 0
        moment.shift(0.5)
        play(third)
        assert behind(first) == 1


def test_no_second_publication_begins_while_one_is_running() -> None:
    first, second, *_others = games()
    play(first)
    assert debounce.begin_publication(first.block.competition_id)
    play(second)
    recompute_competition(first.block.competition_id)
    assert behind(first) == 1
    assert len(running_timers()) == 2
    debounce.end_publication(first.block.competition_id)
    wait_for_timers()
    assert behind(first) == 0


def test_a_request_after_publication_began_schedules_the_next_publication() -> None:
    first = games()[0]
    competition = first.block.competition_id
    assert debounce.seconds_to_wait(competition) == 0
    assert debounce.seconds_to_wait(competition) == APART
    assert debounce.seconds_to_wait(competition) is None
    assert debounce.begin_publication(competition)
    assert debounce.seconds_to_wait(competition) == APART


def test_one_competition_does_not_delay_another() -> None:
    first = games()[0]
    other = games("another")[0]
    play(first)
    play(other)
    assert (behind(first), behind(other)) == (0, 0)


def test_the_sweep_publishes_results_whose_timer_was_lost() -> None:
    first, second, *_others = games()
    play(first)
    debounce.seconds_to_wait(first.block.competition_id)
    play(second)
    assert behind(first) == 1
    assert running_timers() == []
    sweep()
    assert behind(first) == 0


def test_a_management_command_publishes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debounce.ThisProcess, "runs_later", False)
    first, second, *_others = games()
    play(first)
    play(second)
    assert behind(first) == 0


def test_a_result_is_saved_while_the_broker_is_unreachable(
    unreachable_broker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debounce.ThisProcess, "runs_later", False)
    game = table(league().blocks.get(key="A")).hanchan.get(round=1)
    play(game)
    assert game.sheets.get().state == "confirmed"
    assert behind(game) > 0
    sweep()
    assert behind(game) == 0
