"""Tests of merging two entries of one guest in mid-sitting, after a statement and with stamp cards: nothing is lost."""

from __future__ import annotations

import csv
import datetime as dt
import io

import pytest
from django.test import Client

from league.models import Competition, Parlour, Player, Role, Sitting, Statement, StatementLine
from league.platform.errors import RuleViolationError
from league.selectors.parlour.board import running, waiting_list
from league.selectors.parlour.dues import Due, dues_of
from league.selectors.parlour.guests import typed_guest
from league.selectors.parlour.merging import holdings_of
from league.services.competitions.setup import new_player
from league.services.parlour.people import add_guest, add_waiting, merge_players, seat_waiting
from league.services.parlour.sittings import Guest, close_sitting, join, leave, reopen_sitting, set_stand_in
from league.services.parlour.statements import add_extra, settle
from league.services.parlour.terms import set_terms
from league.services.standings.publishing import publish_standings
from scoring.charges import Rate
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 20)


@pytest.fixture(scope="module")
def seated(opened: Competition) -> Sitting:
    """Seat the first three of four guests at table 1 and play one game at nine."""
    sitting = parlours.sitting(opened, parlours.guests(opened, 4)[:3], at=at(20))
    parlours.play(sitting, at=at(21))
    return sitting


@pytest.fixture
def house(parlour: Competition) -> Parlour:
    """Return the house of the open table."""
    assert parlour.parlour is not None
    return parlour.parlour


def due(house: Parlour, player: Player) -> Due:
    """Return what a person owes at midnight."""
    return dues_of(house, at(23, 59))[player.pk]


def again(parlour: Competition, table: Sitting) -> tuple[Player, Player]:
    """Let the first guest leave and come back under a second entry; play one more game; return both entries."""
    first = parlours.chair(table, 0)
    leave(seat=first, by=SYSTEM, at=at(21, 10))
    second = add_guest(competition=parlour, name="ゆかわ", by=SYSTEM)
    join(sitting=table, seat=0, guest=Guest(entrant=second), by=SYSTEM, at=at(21, 20))
    parlours.play(table, (50000, 45000, 10000), at=at(22))
    return first.entrant.player, second.player


@pytest.mark.parametrize("keeps_first", [True, False])
def test_a_merge_in_mid_sitting_keeps_games_chair_stand_in_and_dues(
    parlour: Competition, table: Sitting, house: Parlour, keeps_first: bool
) -> None:
    first, second = again(parlour, table)
    keep, duplicate = (first, second) if keeps_first else (second, first)
    other = parlours.chair(table, 1).entrant.player
    owed = [due(house, player).money for player in (first, second, other)]
    merge_players(duplicate=duplicate, keep=keep, by=SYSTEM)
    assert due(house, keep).money == owed[0] + owed[1]
    assert due(house, other).money == owed[2]
    assert duplicate.pk not in dues_of(house, at(23, 59))
    assert parlours.chair(table, 0).entrant.player == keep
    held = holdings_of(keep, Competition.objects.all())
    assert (held.games, held.sittings, held.sits_at) == (2, 1, "1")
    parlours.play(table, (51000, 44000, 10000), at=at(23))
    assert len(due(house, keep).lines) == 3
    assert running(table).games == 3


@pytest.mark.parametrize("sits_elsewhere", [False, True])
def test_a_table_reopened_after_a_merge_seats_the_kept_entry_unless_it_sits_elsewhere(
    parlour: Competition, table: Sitting, sits_elsewhere: bool
) -> None:
    duplicate = parlours.chair(table, 0).entrant
    closed = close_sitting(sitting=table, by=SYSTEM, at=at(22))
    keep = add_guest(competition=parlour, name="ゆかわ", by=SYSTEM)
    merge_players(duplicate=duplicate.player, keep=keep.player, by=SYSTEM)
    if sits_elsewhere:
        parlours.sitting(parlour, [keep], table="2", at=at(22))
    chair = running(reopen_sitting(sitting=closed, by=SYSTEM)).chairs[0]
    assert (chair and chair.entrant) == (None if sits_elsewhere else keep)


@pytest.mark.both_databases
def test_a_merge_after_a_statement_keeps_it_and_owes_only_what_came_since(
    parlour: Competition, table: Sitting, house: Parlour
) -> None:
    first = parlours.chair(table, 0).entrant.player
    statement = settle(parlour=house, player=first, by=SYSTEM, is_paid=False, leaves=False, at=at(21, 5))
    assert statement is not None
    _first, second = again(parlour, table)
    add_extra(parlour=house, player=second, label="お茶", money=300, by=SYSTEM, at=at(22, 10))
    owed = due(house, second).money
    merge_players(duplicate=first, keep=second, by=SYSTEM)
    after = due(house, second)
    assert (after.money, after.on_account) == (owed, statement.money)
    closing = settle(parlour=house, player=second, by=SYSTEM, at=at(22, 30))
    assert closing is not None
    assert closing.money == owed
    assert Statement.objects.filter(cancelled_at=None).count() == 2
    held = holdings_of(Player.objects.get(pk=second.pk), Competition.objects.all())
    assert (held.statements, held.extras) == (2, 1)


def test_a_merge_keeps_hours_of_the_duplicate_from_before_hours_that_the_kept_entry_settled(
    parlour: Competition, table: Sitting, house: Parlour
) -> None:
    parlours.tariff(house, hour_unit_minutes=60, hour_unit=500)
    first = parlours.chair(table, 0).entrant.player
    set_terms(parlour=house, player=first, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    leave(seat=parlours.chair(table, 0), by=SYSTEM, at=at(21, 10))
    second = add_guest(competition=parlour, name="ゆかわ", by=SYSTEM)
    join(sitting=table, seat=0, guest=Guest(entrant=second), by=SYSTEM, at=at(22))
    set_terms(parlour=house, player=second.player, rate=Rate.HOUR, by=SYSTEM, day=DAY)
    settle(parlour=house, player=second.player, by=SYSTEM, leaves=False, at=at(23))
    merge_players(duplicate=first, keep=second.player, by=SYSTEM)
    hours = [line for line in due(house, second.player).lines if line.kind == StatementLine.Kind.HOURS]
    assert [(line.detail["minutes"], line.money) for line in hours] == [(70, 1000), (59, 500)]


@pytest.mark.parametrize(
    ("cards", "together"), [((3, None), 3), ((None, 3), 3), ((3, 4), 7), ((None, None), None)], ids=str
)
def test_a_stamp_card_on_either_side_keeps_its_stamps(
    parlour: Competition, table: Sitting, house: Parlour, cards: tuple[int | None, int | None], together: int | None
) -> None:
    first, second = again(parlour, table)
    for player, stamps in zip((first, second), cards, strict=True):
        if stamps is not None:
            set_terms(parlour=house, player=player, rate=Rate.STUDENT, stamps=stamps, day=DAY, by=SYSTEM)
    merge_players(duplicate=first, keep=second, by=SYSTEM)
    assert holdings_of(second, Competition.objects.all()).stamps == together


def test_a_merge_keeps_the_place_on_the_waiting_list_of_a_player_who_is_no_guest_yet(
    parlour: Competition, table: Sitting
) -> None:
    waits, keep = new_player(name="ゆかわ", by=SYSTEM), new_player(name="湯川", by=SYSTEM)
    row = add_waiting(competition=parlour, player=waits, by=SYSTEM)
    merge_players(duplicate=waits, keep=keep, by=SYSTEM)
    assert [one.player for one in waiting_list([parlour])] == [keep]
    leave(seat=parlours.chair(table, 0), by=SYSTEM)
    assert seat_waiting(waiting=row, sitting=table, seat=0, by=SYSTEM).entrant.player == keep


def test_a_merge_keeps_the_place_on_the_waiting_list_and_a_stand_in(parlour: Competition, table: Sitting) -> None:
    waits = add_guest(competition=parlour, name="待ち人", by=SYSTEM).player
    keep = Player.objects.get(name=parlours.THREE[3])
    add_waiting(competition=parlour, player=waits, party=2, wish="窓側", by=SYSTEM, at=at(21))
    set_stand_in(seat=parlours.chair(table, 0), player=waits, by=SYSTEM, stays=True)
    merge_players(duplicate=waits, keep=keep, by=SYSTEM)
    assert [(row.player, row.party, row.wish, row.since) for row in waiting_list([parlour])] == [
        (keep, 2, "窓側", at(21))
    ]
    assert parlours.chair(table, 0).stand_in == keep
    assert typed_guest(parlour.parlour_id, "待ち人").player is None


def test_two_people_who_met_are_refused_and_nothing_changes(parlour: Competition, table: Sitting) -> None:
    one, other = (parlours.chair(table, number).entrant.player for number in (0, 1))
    with pytest.raises(RuleViolationError) as refused:
        merge_players(duplicate=one, keep=other, by=SYSTEM)
    assert refused.value.findings[0].code == "two_people"
    assert not Player.objects.exclude(merged_into=None).exists()


def test_the_counter_names_the_kept_entry_in_the_games_of_a_sitting(parlour: Competition, table: Sitting) -> None:
    duplicate, keep = again(parlour, table)
    merge_players(duplicate=duplicate, keep=keep, by=SYSTEM)
    clerk = Client()
    clerk.force_login(factories.user("clerk", Role.SCORER, parlour))
    page = clerk.get(f"/p/banchi3/sittings/{table.pk}/").content.decode()
    games = page[page.index('class="played"') : page.index("</table>", page.index('class="played"'))]
    assert games.count(keep.name) == 2
    assert duplicate.name not in games


def test_exported_results_name_the_kept_entry_as_the_roster_does(parlour: Competition, table: Sitting) -> None:
    duplicate, keep = again(parlour, table)
    merge_players(duplicate=duplicate, keep=keep, by=SYSTEM)
    publish_standings(parlour.pk)
    director = Client(headers={"accept-language": "en"})
    director.force_login(factories.user("director", Role.DIRECTOR, parlour))

    def rows(kind: str) -> list[dict[str, str]]:
        answer = director.get(f"/c/banchi3/{kind}.csv")
        return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))

    names = {row["key"]: row["name"] for row in rows("roster")}
    seats = rows("seats")
    assert sum(row["key"] == keep.key for row in seats) == 2
    assert all(names[row["key"]] == row["player"] == row["sat"] for row in seats)
    assert {row[f"player{seat}"] for row in rows("results") for seat in (1, 2, 3)} <= set(names.values())
