"""Lists limited to rows that changed since a moment: exact for games, never ahead of an embargo."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Change, Competition, Entrant, Role, TableSession
from league.services.competitions.editing import PlayerWords, edit_player
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.results.rulings import adjust_points, close_block
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

LISTS = ("hanchan/", "table-sessions/", "sessions/", "stages/")
OLD = dt.timedelta(days=2)


@pytest.fixture(scope="module")
def shared_league(shared_rows: None) -> Competition:
    """Return a league with two tables; all its changes are two days old."""
    made = factories.league()
    factories.table(made.blocks.get(key="A"), numbers=(1, 2))
    factories.table(made.blocks.get(key="B"), numbers=(1, 2))
    publish_standings(made.pk)
    Change.objects.update(at=timezone.now() - OLD)
    return Competition.objects.get(pk=made.pk)


@pytest.fixture
def league(shared_league: Competition) -> Competition:
    return Competition.objects.get(pk=shared_league.pk)


def changed(path: str, since: str, **query: Any) -> list[str]:
    """Return the ids that the public gets from a list of the league."""
    query |= {} if path == "competitions/" else {"competition": "spring"}
    return [row["id"] for row in Api().get(path, updated_since=since, **query)["results"]]


def mark(path: str = "hanchan/") -> str:
    """Return the moment that a client sends next."""
    return str(Api().get(path, competition="spring")["updated_at"])


def tables() -> list[TableSession]:
    return list(TableSession.objects.order_by("pk"))


def test_a_result_gives_its_hanchan_and_its_table_alone(league: Competition) -> None:
    now = timezone.now().isoformat()
    assert [changed(path, now) for path in LISTS] == [[], [], [], []]
    game = tables()[0].hanchan.get(round=1)
    factories.play(game)
    assert changed("hanchan/", now) == [], "not before it is published"
    publish_standings(league.pk)
    assert [changed(path, now) for path in LISTS] == [[str(game.pk)], [str(game.table_session_id)], [], []]
    assert len(changed("competitions/", now)) == 1
    assert len(changed("competitions/", (timezone.now() + OLD).isoformat())) == 0


@pytest.mark.both_databases
def test_the_moment_of_a_page_asks_for_what_comes_after_it_and_misses_nothing(league: Competition) -> None:
    seen = mark()
    first, second = (table.hanchan.get(round=1) for table in tables())
    for game in (first, second):
        factories.play(game)
        publish_standings(league.pk)
        assert str(game.pk) in changed("hanchan/", seen)
        seen = mark()


@pytest.mark.both_databases
def test_a_change_of_a_person_or_of_another_kind_gives_every_game(league: Competition) -> None:
    player = Entrant.objects.order_by("pk")[0].player
    now = timezone.now().isoformat()
    words = PlayerWords(name="Renamed", name_kana="", name_romaji="", affiliation="", country="")
    edit_player(player=player, words=words, by=factories.SYSTEM)
    publish_standings(league.pk)
    assert len(changed("hanchan/", now)) == 4
    assert changed("players/", now) == [str(player.pk)]


def test_points_outside_a_hanchan_change_no_game(league: Competition) -> None:
    block, now = league.blocks.get(key="A"), timezone.now().isoformat()
    adjust_points(
        block=block, entrant=factories.in_block(block)[0], points=-50, by=factories.SYSTEM, reason="came late"
    )
    publish_standings(league.pk)
    assert changed("hanchan/", now) == []
    assert len(changed("competitions/", now)) == 1


@pytest.mark.both_databases
def test_a_cancelled_table_is_listed_as_such(league: Competition) -> None:
    table, now = tables()[0], timezone.now().isoformat()
    TableSession.objects.filter(pk=table.pk).update(is_cancelled=True)
    Change.objects.filter(subject_type="tablesession", subject_id=str(table.pk)).update(at=timezone.now())
    (row,) = Api().get("table-sessions/", competition="spring", updated_since=now)["results"]
    assert (row["id"], row["is_cancelled"]) == (str(table.pk), True)
    assert changed("sessions/", now) == [str(table.session_id)]


def test_a_table_called_off_with_its_block_is_listed_though_another_one_is_held_back(league: Competition) -> None:
    block = league.blocks.get(key="A")
    shown, unplayed, played = (factories.table(block, numbers=(number,)) for number in (3, 4, 5))
    for table in (unplayed, played):
        hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    factories.play(played.hanchan.get())
    publish_standings(league.pk)
    now = timezone.now().isoformat()
    close_block(block=block, by=factories.SYSTEM, reason="typhoon")
    publish_standings(league.pk)
    rows = Api().get("table-sessions/", competition="spring", updated_since=now)["results"]
    assert [row["is_cancelled"] for row in rows if row["id"] == str(shown.pk)] == [True]


@pytest.mark.both_databases
def test_a_result_under_embargo_is_in_no_list_until_its_release_gives_all_rows(league: Competition) -> None:
    table, now = tables()[0], timezone.now().isoformat()
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    publish_standings(league.pk)
    held = {path: Api().get(path, competition="spring", updated_since=now) for path in LISTS}
    later = timezone.now().isoformat()
    Change.objects.update(at=timezone.now() - OLD)
    for game in table.hanchan.order_by("round"):
        factories.play(game, factories.SCORES if game.round == 1 else factories.SCORES[::-1])
    publish_standings(league.pk)
    assert [changed(path, later) for path in LISTS] == [[], [], [], []]
    assert changed("competitions/", later) == []
    assert str(table.pk) not in {row["id"] for row in held["table-sessions/"]["results"]}
    reader = Api(factories.user("reader", Role.READER, league))
    known = reader.get("hanchan/", competition="spring", updated_since=later)["results"]
    assert {row["table_session"] for row in known} == {str(table.pk)}
    TableSession.objects.filter(pk=table.pk).update(public_at=timezone.now())
    sweep()
    assert len(changed("hanchan/", later)) == 4
    assert str(table.pk) in changed("table-sessions/", later)


@pytest.mark.parametrize(
    "given", ["yesterday", "2026-10-03", "2026-10-03T19:00:00", "2026-13-03T19:00:00Z", "0001-01-01T00:00:00+09:00"]
)
def test_a_moment_that_cannot_be_read_is_refused_with_what_to_write(league: Competition, given: str) -> None:
    problem = Api().get("hanchan/", 400, competition="spring", updated_since=given)
    (error,) = problem["errors"]
    assert (error["pointer"], error["code"]) == ("/updated_since", "no_moment")
    assert given in error["detail"]
    assert "2026-10-03T10:00:00Z" in error["detail"]


def test_the_number_of_queries_does_not_grow_with_the_rows(league: Competition) -> None:
    since = (timezone.now() - 2 * OLD).isoformat()

    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert changed(path, since)
        return len(captured)

    before = [queries(path) for path in LISTS]
    for number in range(3, 6):
        factories.table(league.blocks.get(key="A"), numbers=(number,))
    publish_standings(league.pk)
    assert [queries(path) for path in LISTS] == before
