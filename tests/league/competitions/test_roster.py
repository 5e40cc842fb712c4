"""Tests of closing the roster of an open tournament, of house players, and of those who come after the start."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from league.models import (
    Block,
    Change,
    Competition,
    Credit,
    Entrant,
    Hanchan,
    HanchanSeat,
    Override,
    Role,
    Session,
    Slot,
)
from league.platform.errors import ConflictError, RuleViolationError
from league.selectors.access.readers import reader_of
from league.selectors.competitions.block_rounds import block_rounds
from league.selectors.competitions.roster import house_players
from league.selectors.competitions.seating.plans import planned_schedule
from league.selectors.competitions.seating.rests import rests_in
from league.selectors.exchange.competition_export import document_of
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.services.competitions.departures import withdraw
from league.services.competitions.roster import add_house_players, admit, fit_roster
from league.services.competitions.seating import take_back_schedule
from league.services.competitions.setup import set_status
from league.services.competitions.wizard import Newcomer
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, entrants, league, play, user
from tests.league.competitions.test_open_size import created
from tests.league.competitions.test_wizard import wishes, write
from tests.league.exchange.test_competition_export import assert_survives

pytestmark = pytest.mark.django_db


def event(name: str, people: int, expected: int) -> Competition:
    made = created(name, expected)
    entrants(made, people)
    return made


def seeded(competition: Competition) -> list[int]:
    """Return the numbers of those who have a place, in the order of the places."""
    slots = Slot.objects.filter(block__competition=competition, source__startswith="seed:").exclude(seeded=None)
    return [slot.seeded.number for slot in slots.select_related("seeded").order_by("number") if slot.seeded]


def test_the_roster_is_closed_with_those_entered_in_one_audit_entry() -> None:
    made = event("swiss-40", people=37, expected=40)
    fit_roster(competition=made, entrants=37, by=SYSTEM)
    assert format_of(rules_at(made)).seeds == 37
    assert seeded(made) == list(range(1, 38))
    change = Change.objects.get(competition=made, kind="roster.closed")
    after = change.after or {}
    assert (change.before, after["entrants"], after["house"]) == ({"entrants": 40}, 37, [])


def test_the_roster_can_be_closed_again_and_those_with_a_place_keep_it() -> None:
    made = event("swiss-40", people=38, expected=40)
    fit_roster(competition=made, entrants=38, by=SYSTEM)
    Entrant.objects.filter(competition=made, number=2).update(withdrawn_at=timezone.now())
    fit_roster(competition=made, entrants=37, by=SYSTEM)
    assert seeded(made) == [1, 38, *range(3, 38)]


def test_only_those_who_have_checked_in_get_a_place() -> None:
    made = event("swiss-40", people=20, expected=20)
    there = Entrant.objects.filter(competition=made, number__gt=3)
    there.update(checked_in_at=timezone.now())
    with pytest.raises(RuleViolationError, match="There are 17 players, fewer than 20"):
        fit_roster(competition=made, entrants=20, only_present=True, by=SYSTEM)
    fit_roster(competition=made, entrants=17, only_present=True, by=SYSTEM)
    assert sorted(seeded(made)) == list(range(4, 21))
    assert Entrant.objects.filter(competition=made, withdrawn_at=None).count() == 20


def test_house_players_fill_the_tables_and_take_no_place() -> None:
    made = event("ema-64", people=30, expected=32)
    fit_roster(competition=made, entrants=30, by=SYSTEM)
    house = house_players(made)
    assert [one.player.name for one in house] == ["補欠1", "補欠2"]
    assert not Slot.objects.filter(seeded__in=house).exists()
    other = event("swiss-40", people=0, expected=16)
    (added,) = add_house_players(competition=other, count=1, by=SYSTEM)
    assert added.player == house[0].player


def test_an_odd_number_is_seated_with_byes_spread_evenly() -> None:
    made = event("swiss-40", people=37, expected=37)
    fit_roster(competition=made, entrants=37, by=SYSTEM)
    (session,) = planned_schedule(made, wishes()).sessions
    assert [len(rest.players) for rest in session.rests] == [1, 1]
    assert len({rest.players for rest in session.rests}) == 2
    assert len(session.tables) == 5 * 9
    assert {bool(table.seats[0]) for table in session.tables if table.numbers[0] <= 2} == {True}
    assert {bool(table.seats[0]) for table in session.tables if table.numbers[0] > 2} == {False}
    write(made)
    byes = Credit.objects.standing().filter(kind=Credit.Kind.BYE)
    expected = [(rest.numbers[0], one.pk) for rest in session.rests for one in rest.players]
    assert list(byes.order_by("number").values_list("number", "entrant")) == expected
    publish_standings(made.pk)
    made.refresh_from_db()
    shown = rests_in(reader_of(made, user(role=Role.DIRECTOR, competition=made)), Session.objects.get())
    assert [(rests.rounds[0], *(one.pk for one in rests.entrants)) for rests in shown] == expected
    take_back_schedule(competition=made, by=SYSTEM)
    assert not byes.exists()


def test_every_table_has_four_players_with_house_players() -> None:
    made = event("ema-64", people=30, expected=32)
    fit_roster(competition=made, entrants=30, by=SYSTEM)
    sessions = planned_schedule(made, wishes()).sessions
    tables = [table for session in sessions for table in session.tables]
    assert len(tables) == 8 * 8
    assert {len(seats) for table in tables for seats in table.seats} == {4}
    assert not any(session.rests for session in sessions)


def test_a_schedule_or_a_result_keeps_the_roster_closed() -> None:
    made = event("swiss-40", people=16, expected=16)
    fit_roster(competition=made, entrants=16, by=SYSTEM)
    write(made)
    with pytest.raises(ConflictError, match="Take the schedule back first"):
        fit_roster(competition=made, entrants=16, by=SYSTEM)
    take_back_schedule(competition=made, by=SYSTEM)
    write(made)
    play(Hanchan.objects.filter(block__competition=made, number=1)[0])
    with pytest.raises(ConflictError, match="A hanchan has begun"):
        fit_roster(competition=made, entrants=16, by=SYSTEM)


def begun(people: int) -> Competition:
    """Return a Swiss of which one result of the first round is in."""
    made = event("swiss-40", people=people, expected=people)
    fit_roster(competition=made, entrants=people, by=SYSTEM)
    write(made)
    play(Hanchan.objects.filter(block__competition=made, number=1)[0])
    return made


@pytest.mark.both_databases
def test_those_who_come_after_the_start_get_further_places_at_the_end() -> None:
    made = begun(16)
    admitted = admit(competition=made, people=[Newcomer(name="遅刻太郎"), Newcomer(name="遅刻花子")], by=SYSTEM)
    assert seeded(made) == [*range(1, 17), *(one.number for one in admitted)]
    assert format_of(rules_at(made)).seeds == 18
    assert Change.objects.filter(competition=made, kind="roster.admitted").count() == 1


def test_no_player_is_admitted_beyond_the_most_that_the_format_allows() -> None:
    made = event("ema-64", people=64, expected=64)
    fit_roster(competition=made, entrants=64, by=SYSTEM)
    with pytest.raises(RuleViolationError, match="16 to 64"):
        admit(competition=made, people=[Newcomer(name="遅刻太郎")], by=SYSTEM)
    assert not Entrant.objects.filter(competition=made, player__name="遅刻太郎").exists()


def test_in_a_format_of_fixed_size_a_newcomer_takes_the_place_of_one_who_left_without_a_result() -> None:
    made = league()
    one, other = Slot.objects.filter(block__competition=made, block__key="A").order_by("number")[:2]
    with pytest.raises(ConflictError, match="1 place is missing"):
        admit(competition=made, people=[Newcomer(name="遅刻太郎")], by=SYSTEM)
    assert one.seeded is not None
    withdraw(entrant=one.seeded, by=SYSTEM, reason="ill")
    (admitted,) = admit(competition=made, people=[Newcomer(name="遅刻太郎")], by=SYSTEM)
    override = Override.objects.get(slot=one)
    assert (override.entrant, override.ended_n) == (admitted, None)
    assert admit(competition=made, people=[admitted.player], by=SYSTEM) == [admitted]
    assert not Override.objects.filter(slot=other).exists()


def test_the_number_of_entrants_and_the_house_players_survive_an_export() -> None:
    made = event("ema-64", people=30, expected=32)
    fit_roster(competition=made, entrants=30, by=SYSTEM)
    write(made)
    assert [rules.entrants for rules in document_of(made).rules] == [32, 30]
    again = assert_survives(made)
    assert format_of(rules_at(again)).seeds == 30
    assert len(house_players(again)) == 2


def test_the_number_of_entrants_is_in_the_rest_document() -> None:
    made = event("swiss-40", people=17, expected=17)
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    answer = Client().get(f"/api/v1/competitions/{made.slug}/").json()
    assert [rules["entrants"] for rules in answer["rules"]] == [17]


def test_rounds_paired_later_are_neither_drawn_nor_planned_again() -> None:
    made = begun(16)
    block = Block.objects.get(competition=made)
    assert [turn.numbers for turn in block_rounds(block).turns] == [(1,), (2,)]
    assert HanchanSeat.objects.filter(hanchan__block=block).values("hanchan__number").distinct().count() == 2
