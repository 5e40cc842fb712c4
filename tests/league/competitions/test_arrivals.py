"""Tests of check-in, absences by each policy, and late arrivals."""

from __future__ import annotations

import pytest

from league.models import Credit, Departure, Entrant, Hanchan, HanchanSeat, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.services.competitions.arrivals import (
    NoShowDecision,
    admit_late,
    check_in,
    record_no_show,
    take_check_in_back,
)
from league.services.competitions.departures import withdraw
from league.services.competitions.schedule import seat_players
from league.services.competitions.setup import new_player
from league.services.operations.verification import differences_of
from league.services.parlour.people import merge_players
from league.services.results.results import abandon_hanchan
from league.services.results.rulings import take_back
from league.services.results.substitutes import name_substitute
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM, actor, in_block, seated, user
from tests.league.event import credited, event, main, seat_of
from tests.league.resting_league import resting_league, schedule

pytestmark = pytest.mark.django_db
FIXED = 'no_show = { by = "substitutes", points = "-15.0", place = "last" }'
TWICE = 'no_show = { by = "substitutes", points = "-15.0", twice = "withdrawal" }'


def test_checking_in_is_recorded_once_and_taken_back() -> None:
    competition = event()
    entrant = in_block(main(competition))[0]
    scorer = actor(user("scorer", Role.SCORER, competition))
    at = check_in(entrant=entrant, by=scorer).checked_in_at
    assert check_in(entrant=entrant, by=scorer).checked_in_at == at is not None
    assert take_check_in_back(entrant=entrant, by=scorer).checked_in_at is None
    assert list(competition.changes.order_by("n").values_list("kind", flat=True))[-2:] == [
        "entrant.checked_in", "entrant.check_in_taken_back",
    ]  # fmt: skip
    with pytest.raises(PermissionRefusedError):
        check_in(entrant=entrant, by=actor(user("reader", Role.READER, competition)))
    withdraw(entrant=entrant, by=SYSTEM, reason="ill")
    with pytest.raises(ConflictError, match="has left the competition"):
        check_in(entrant=entrant, by=scorer)


def test_by_fixed_points_a_house_player_sits_for_no_entrant_until_the_absence_is_taken_back() -> None:
    competition = event(FIXED)
    entrant, house = in_block(main(competition))[0], Entrant.objects.get(is_house=True)
    hanchan = seat_of(entrant, 1)
    credit = record_no_show(block=main(competition), number=1, entrant=entrant, by=SYSTEM, reason="overslept")
    assert credit is not None
    assert credited(entrant) == [(1, "no_show", -150, 4)]
    assert hanchan.seats.get(seat=0).entrant == house
    with pytest.raises(ConflictError, match="recorded already: no-show"):
        record_no_show(block=main(competition), number=1, entrant=entrant, by=SYSTEM, reason="again")
    with pytest.raises(RuleViolationError, match="The format says"):
        record_no_show(
            block=main(competition), number=2, entrant=entrant, by=SYSTEM, reason="x", decision=NoShowDecision(0)
        )
    take_back(decision=credit, competition=competition, by=SYSTEM, reason="stood outside")
    seat = hanchan.seats.get(seat=0)
    assert (seat.entrant, seat.player) == (entrant, entrant.player)
    assert credited(entrant) == []


def test_an_absence_with_a_result_keeps_the_seat_of_the_house_player_when_it_is_taken_back() -> None:
    competition = event(FIXED)
    entrant = in_block(main(competition))[0]
    hanchan = seat_of(entrant, 1)
    credit = record_no_show(block=main(competition), number=1, entrant=entrant, by=SYSTEM, reason="overslept")
    assert credit is not None
    factories.play(hanchan)
    take_back(decision=credit, competition=competition, by=SYSTEM, reason="by ruling")
    assert hanchan.seats.get(seat=0).entrant.is_house


def test_one_who_has_another_seat_in_the_round_is_not_seated_twice_when_the_absence_is_taken_back() -> None:
    competition = event(FIXED)
    block, entrant = main(competition), in_block(main(competition))[0]
    hanchan = seat_of(entrant, 1)
    credit = record_no_show(block=block, number=1, entrant=entrant, by=SYSTEM, reason="overslept")
    assert credit is not None
    other = Hanchan.objects.exclude(pk=hanchan.pk).get(block=block, number=1)
    seat_players(hanchan=other, entrants=[entrant, *seated(other)[1:]], by=SYSTEM)
    take_back(decision=credit, competition=competition, by=SYSTEM, reason="came at once")
    assert seat_of(entrant, 1) == other


def test_the_entry_that_is_kept_has_the_seat_of_an_absence_that_is_taken_back_after_merging() -> None:
    competition = event(FIXED)
    entrant = in_block(main(competition))[0]
    credit = record_no_show(block=main(competition), number=1, entrant=entrant, by=SYSTEM, reason="overslept")
    assert credit is not None
    keep = new_player(name="Kept", by=SYSTEM)
    merge_players(duplicate=entrant.player, keep=keep, by=SYSTEM)
    take_back(decision=credit, competition=competition, by=SYSTEM, reason="stood outside")
    assert seat_of(entrant, 1).seats.get(entrant=entrant).player == keep


def test_a_house_player_whose_hanchan_is_not_played_is_free_for_another() -> None:
    competition = event(FIXED)
    block = main(competition)
    one, other = (seated(game)[0] for game in Hanchan.objects.filter(block=block, number=1).order_by("pk"))
    record_no_show(block=block, number=1, entrant=one, by=SYSTEM, reason="overslept")
    with pytest.raises(ConflictError, match="No house player is free"):
        record_no_show(block=block, number=1, entrant=other, by=SYSTEM, reason="train")
    house = Entrant.objects.get(is_house=True)
    abandon_hanchan(hanchan=seat_of(house, 1), by=SYSTEM, reason="too few")
    record_no_show(block=block, number=1, entrant=other, by=SYSTEM, reason="train")
    assert HanchanSeat.objects.filter(hanchan__number=1, entrant=house).count() == 2


def test_without_points_the_result_of_the_house_player_counts_for_the_absent_entrant() -> None:
    competition = event('no_show = { by = "substitutes" }')
    entrant, house = in_block(main(competition))[0], Entrant.objects.get(is_house=True)
    assert record_no_show(block=main(competition), number=1, entrant=entrant, by=SYSTEM, reason="train") is None
    hanchan = seat_of(entrant, 1)
    assert hanchan.seats.get(entrant=entrant).player == house.player
    name_substitute(hanchan=hanchan, entrant=entrant, player=None, by=SYSTEM, reason="arrived")
    assert hanchan.seats.get(entrant=entrant).player == entrant.player


@pytest.mark.parametrize(
    ("decision", "points", "place"),
    [(NoShowDecision(-300, is_last=True), -300, 4), (NoShowDecision(0), 0, None)],
    ids=["with points and last", "with nothing"],
)
def test_where_the_format_asks_the_organizers_decide(decision: NoShowDecision, points: int, place: int | None) -> None:
    competition = event()
    entrant = in_block(main(competition))[0]
    referee = actor(user("referee", Role.REFEREE, competition))
    record_no_show(block=main(competition), number=2, entrant=entrant, by=referee, reason="not here", decision=decision)
    assert credited(entrant) == [(2, "no_show", points, place)]


@pytest.mark.both_databases
@pytest.mark.parametrize("policy", [TWICE, 'no_show = { by = "substitutes", twice = "withdrawal" }'], ids=["a", "b"])
def test_a_second_absence_is_a_withdrawal_where_the_format_says_so(policy: str) -> None:
    competition = event(policy)
    entrant = in_block(main(competition))[0]
    for number in (1, 2):
        assert not Departure.objects.exists()
        record_no_show(block=main(competition), number=number, entrant=entrant, by=SYSTEM, reason="not here")
    departure = Departure.objects.get()
    assert (departure.entrant, departure.reason) == (entrant, "Absent for the second time: not here")


def test_the_seat_of_an_entrant_who_has_left_goes_to_a_house_player_without_a_credit() -> None:
    competition = event(FIXED)
    entrant = in_block(main(competition))[0]
    hanchan = seat_of(entrant, 1)
    withdraw(entrant=entrant, by=SYSTEM, reason="ill")
    record_no_show(block=main(competition), number=1, entrant=entrant, by=SYSTEM, reason="has left")
    assert hanchan.seats.get(seat=0).entrant.is_house
    assert not Credit.objects.exists()


def test_an_absence_is_refused_without_a_free_house_player_a_round_or_an_open_result() -> None:
    competition = event(FIXED)
    first, second = in_block(main(competition))[:2]
    block = main(competition)
    record_no_show(block=block, number=1, entrant=first, by=SYSTEM, reason="not here")
    with pytest.raises(ConflictError, match="No house player is free"):
        record_no_show(block=block, number=1, entrant=second, by=SYSTEM, reason="not here")
    with pytest.raises(RuleViolationError, match="has no hanchan 9"):
        record_no_show(block=block, number=9, entrant=second, by=SYSTEM, reason="not here")
    with pytest.raises(RuleViolationError, match="cannot be absent"):
        record_no_show(block=block, number=1, entrant=Entrant.objects.get(is_house=True), by=SYSTEM, reason="not here")
    factories.play(seat_of(second, 2))
    with pytest.raises(ConflictError, match="result of this hanchan is in"):
        record_no_show(block=block, number=2, entrant=second, by=SYSTEM, reason="not here")


def test_an_absence_is_refused_in_a_round_in_which_the_entrant_rests() -> None:
    block = schedule(resting_league(6, 4))
    seats = seated(block.hanchan.get(number=1))
    (rests, _other) = [one for one in in_block(block) if one not in seats]
    decision = NoShowDecision(points=0)
    with pytest.raises(RuleViolationError, match="rests in round 1"):
        record_no_show(block=block, number=1, entrant=rests, by=SYSTEM, reason="not here", decision=decision)
    assert not Credit.objects.exists()


def test_a_late_player_takes_a_free_place_and_gets_what_the_format_says_for_missed_rounds() -> None:
    competition = event('late = { worth = "-5.0" }')
    block = main(competition)
    gone = in_block(block)[0]
    late = new_player(name="遅刻", by=SYSTEM)
    with pytest.raises(RuleViolationError, match=r"has no free place.* withdraw a player who does not come, or name"):
        admit_late(block=block, player=late, first=3, by=SYSTEM, reason="train")
    withdraw(entrant=gone, by=SYSTEM, reason="not coming")
    with pytest.raises(RuleViolationError, match="from hanchan 2 on"):
        admit_late(block=block, player=late, first=1, by=SYSTEM, reason="train")
    entrant = admit_late(block=block, player=late, first=3, by=SYSTEM, reason="train")
    assert credited(entrant) == [(1, "late", -50, None), (2, "late", -50, None)]
    assert entrant.checked_in_at is not None
    publish_standings(competition.pk)
    assert entrant.pk in block.standings.filter(audience="staff").values_list("entrant", flat=True)


def test_a_house_player_has_the_fixed_points_of_the_format_and_the_others_what_they_won() -> None:
    competition = event(f'{FIXED}\nodd = {{ by = "substitutes", points = "-15.0" }}')
    block, entrant = main(competition), in_block(main(competition))[0]
    record_no_show(block=block, number=1, entrant=entrant, by=SYSTEM, reason="not here")
    hanchan = Hanchan.objects.filter(block=block, number=1, seats__entrant__is_house=True).get()
    sheet = factories.play(hanchan)
    publish_standings(competition.pk)
    ranked = block.standings.filter(audience="staff")
    assert not ranked.filter(entrant__is_house=True).exists()
    assert ranked.get(entrant=entrant).credited == -150
    assert [seat.points for seat in sheet.seats.order_by("seat")] == [-150, 101, -213, -400]
    assert not list(differences_of(competition))
