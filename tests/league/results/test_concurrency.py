"""Test concurrent results: one wins, the others are refused, nothing is lost; on both databases."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections

from league.models import Audience, Change, Competition, Hanchan, ResultSheet, Standing
from league.platform.errors import ServiceError
from league.services.standings.publishing import derivations, publish_standings
from tests.factories import in_block, league, play, table

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Run the actions in threads that start together; return each result or refusal."""
    start = Barrier(len(actions))

    def run(action: Callable[[], object]) -> object:
        try:
            start.wait()
            return action()
        except ServiceError as refused:
            return refused
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def together(*actions: Callable[[], object]) -> list[object]:
    """Run the actions at once and return each refusal as its code."""
    return [answer.findings[0].code if isinstance(answer, ServiceError) else answer for answer in at_once(*actions)]


def same_as_rebuilt(competition: Competition) -> bool:
    """Return whether the published standings equal those rebuilt from the results."""
    publish_standings(competition.pk)
    competition.refresh_from_db()
    rebuilt = derivations(competition, competition.version)[Audience.STAFF]
    return all(
        [(row.entrant_id, row.rank, row.total) for row in Standing.objects.filter(block__key=key, audience="staff")]
        == [(line.entrant, line.rank, line.total) for line in standings.ranked]
        for key, standings in rebuilt.standings.items()
    )


def test_one_of_two_concurrent_results_for_one_hanchan_is_saved() -> None:
    season = league()
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    answers = together(lambda: play(hanchan), lambda: play(hanchan, (10000, 18700, 30100, 41200)))
    assert sorted(str(type(answer).__name__) for answer in answers) == ["ResultSheet", "str"]
    assert "hanchan_confirmed" in answers
    assert ResultSheet.objects.count() == 1


def test_one_of_two_concurrent_corrections_of_one_revision_is_saved() -> None:
    season = league()
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    answers = together(
        lambda: play(hanchan, (41100, 30200, 18700, 10000), corrects=1, reason="first reading"),
        lambda: play(hanchan, (41000, 30300, 18700, 10000), corrects=1, reason="second reading"),
    )
    assert "stale_revision" in answers
    assert ResultSheet.objects.counting().get().revision == 2


def test_concurrent_results_of_several_tables_are_all_saved_and_standings_follow() -> None:
    season = league()
    hanchan: list[Hanchan] = []
    for key in ("A", "B"):
        people = in_block(season.blocks.get(key=key))
        hanchan += [table(season.blocks.get(key=key), four).hanchan.get(round=1) for four in (people[:4], people[4:])]
    answers = together(*(lambda one=one: play(one) for one in hanchan))
    assert {type(answer) for answer in answers} == {ResultSheet}
    season.refresh_from_db()
    numbers = list(Change.objects.filter(competition=season).order_by("n").values_list("n", flat=True))
    assert numbers == list(range(1, season.version + 1))
    assert same_as_rebuilt(season)
    connection.close()
