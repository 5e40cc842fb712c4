"""Tests of seats: drawn before a hanchan, rotated, and swapped by hand with a preview of the cost."""

from __future__ import annotations

import hashlib

import pytest
from django.db.models import F

from league.models import Block, Change, Competition, Entrant, Hanchan, HanchanSeat, Role, Session
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.competitions.seating.evenness import block_evenness, exchange_effect
from league.services.competitions.schedule import Fixture, create_session, create_table_session, seat_players
from league.services.competitions.seating import SeatDraw, draw_seats, swap_players
from league.services.competitions.setup import enter_players, new_player
from league.services.results.results import record_result
from league.services.results.substitutes import name_substitute
from tests.factories import SYSTEM, actor, entry, final_table, in_block, play, user
from tests.league.competitions.test_wizard import season, write
from tests.league.misseated import lose_place, misseated_final, partly_played_rounds, players_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def final() -> Competition:
    """Return a final of four players."""
    return final_table()


@pytest.fixture
def night(final: Competition) -> Session:
    """Return its session with one table of four hanchan and no seats."""
    session = create_session(competition=final, by=SYSTEM)
    fixture = Fixture(block=final.blocks.get(), numbers=(1, 2, 3, 4))
    create_table_session(session=session, fixture=fixture, by=SYSTEM)
    return session


def seats_of(hanchan: Hanchan) -> list[Entrant]:
    """Return the entrants of a hanchan in seat order, the first dealer first."""
    return [seat.entrant for seat in hanchan.seats.select_related("entrant").order_by("seat")]


def games(session: Session) -> list[Hanchan]:
    """Return the session's hanchan in playing order."""
    return list(Hanchan.objects.filter(table_session__session=session).order_by("round"))


def test_seats_are_drawn_for_the_next_hanchan_only_and_the_draw_can_be_repeated(night: Session) -> None:
    (drawn,) = draw_seats(session=night, draw=SeatDraw(seed="moon"), by=SYSTEM)
    order = sorted(
        in_block(drawn.block),
        key=lambda one: hashlib.sha256(f"moon:{drawn.block.key}:1:{one.number}".encode()).hexdigest(),
    )
    assert (drawn.number, seats_of(drawn)) == (1, order)
    assert [bool(seats_of(game)) for game in games(night)] == [True, False, False, False]
    kept = Change.objects.get(kind="seats.drawn").after or {}
    assert kept["seed"] == "moon"
    assert kept["seats"] == {str(drawn.pk): [entrant.pk for entrant in order]}


def test_each_draw_seats_the_next_hanchan_until_none_is_left(night: Session) -> None:
    for number in (1, 2, 3, 4):
        (drawn,) = draw_seats(session=night, draw=SeatDraw(seed="moon"), by=SYSTEM)
        assert drawn.number == number
        play(drawn)
    assert len({tuple(seats_of(game)) for game in games(night)}) > 1
    with pytest.raises(ConflictError, match="No seats are to be drawn"):
        draw_seats(session=night, draw=SeatDraw(seed="moon"), by=SYSTEM)


@pytest.mark.both_databases
def test_with_rotation_each_player_starts_once_from_each_wind(night: Session) -> None:
    draw_seats(session=night, draw=SeatDraw(seed="moon", is_for_all=True, rotates=True), by=SYSTEM)
    seats = [seats_of(game) for game in games(night)]
    for entrant in seats[0]:
        assert sorted(row.index(entrant) for row in seats) == [0, 1, 2, 3]


def test_seats_rotate_over_an_evening_of_one_table_whose_hanchan_are_scheduled_singly(final: Competition) -> None:
    session = create_session(competition=final, by=SYSTEM)
    for number in (1, 2, 3, 4):
        create_table_session(session=session, fixture=Fixture(block=final.blocks.get(), numbers=(number,)), by=SYSTEM)
    draw_seats(session=session, draw=SeatDraw(seed="moon", is_for_all=True, rotates=True), by=SYSTEM)
    played = Hanchan.objects.filter(table_session__session=session).order_by("number")
    seats = [seats_of(game) for game in played]
    for entrant in seats[0]:
        assert sorted(row.index(entrant) for row in seats) == [0, 1, 2, 3]


def test_existing_seats_are_drawn_again_only_on_request_and_tables_keep_their_players() -> None:
    made = season()
    first, *_rest = write(made)
    before = {hanchan.pk: seats_of(hanchan) for hanchan in Hanchan.objects.filter(table_session__session=first)}
    with pytest.raises(ConflictError):
        draw_seats(session=first, draw=SeatDraw(seed="moon"), by=SYSTEM)
    drawn = draw_seats(session=first, draw=SeatDraw(seed="moon", is_for_all=True, redraws=True), by=SYSTEM)
    assert len(drawn) == 16
    for hanchan in drawn:
        assert set(seats_of(hanchan)) == set(before[hanchan.pk])
    assert any(seats_of(hanchan) != before[hanchan.pk] for hanchan in drawn)


@pytest.mark.parametrize("rotates", [False, True])
def test_a_draw_seats_those_who_play_in_the_block_now_in_place_of_those_seated_before(*, rotates: bool) -> None:
    session, players = misseated_final(hanchan=2)
    draw_seats(session=session, draw=SeatDraw(seed="next", rotates=rotates), by=SYSTEM)
    assert set(seats_of(games(session)[1])) == set(players)
    draw_seats(session=session, draw=SeatDraw(seed="again", is_for_all=True, redraws=True, rotates=rotates), by=SYSTEM)
    assert [set(seats_of(hanchan)) for hanchan in games(session)] == [set(players)] * 2


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("played", [1, 2])
@pytest.mark.parametrize("seating", ["rounds", "stay"])
def test_the_other_tables_of_a_partly_played_round_are_drawn_among_those_who_do_not_sit_at_it(
    seating: str, played: int, place: int
) -> None:
    session, hanchan = partly_played_rounds(played, seating=seating)
    kept, final = seats_of(hanchan), hanchan.block
    tables = list(Hanchan.objects.filter(block=final, number=played).order_by("pk"))
    lose_place(session, seats_of(tables[place])[0])
    draw_seats(session=session, draw=SeatDraw(seed="again", is_for_all=True, redraws=True), by=SYSTEM)
    players = set(players_of(final))
    assert seats_of(hanchan) == kept
    for number in (1, 2, 3):
        seated = [who for each in Hanchan.objects.filter(block=final, number=number) for who in seats_of(each)]
        assert len(set(seated)) == 12
        assert set(seated) == players or (number == played and place == 0)


def test_those_at_a_table_that_has_played_stay_together_when_seats_of_other_tables_are_drawn_again() -> None:
    session, hanchan = partly_played_rounds(1, seating="stay")
    other = Hanchan.objects.filter(block=hanchan.block, number=1).exclude(pk=hanchan.pk).order_by("pk")[0]
    lose_place(session, seats_of(other)[0])
    draw_seats(session=session, draw=SeatDraw(seed="again", is_for_all=True, redraws=True), by=SYSTEM)
    for table in session.table_sessions.all():
        first, *later = (set(seats_of(each)) for each in table.hanchan.order_by("round"))
        assert later == [first, first]


def test_a_table_is_drawn_beside_one_that_was_seated_by_hand() -> None:
    session = write(season("open-play", 8), hanchan=2)[0]
    there = Hanchan.objects.filter(table_session__session=session, number=1).order_by("pk")[0]
    seated = seats_of(there)
    seat_players(hanchan=there, entrants=[], by=SYSTEM)
    draw_seats(session=session, draw=SeatDraw(seed="beside"), by=SYSTEM)
    assert set(seats_of(there)) == set(seated)


def test_seats_are_not_drawn_while_the_players_are_undecided() -> None:
    made = season()
    playoff = write(made)[2]
    with pytest.raises(ConflictError, match="open who plays"):
        draw_seats(session=playoff, draw=SeatDraw(seed="moon"), by=SYSTEM)


def test_a_draw_needs_a_seed_and_the_submit_capability(night: Session) -> None:
    with pytest.raises(RuleViolationError, match="Enter a seed"):
        draw_seats(session=night, draw=SeatDraw(seed=" "), by=SYSTEM)
    reader = actor(user(role=Role.READER, competition=night.competition, is_staff=True))
    with pytest.raises(PermissionRefusedError):
        draw_seats(session=night, draw=SeatDraw(seed="moon"), by=reader)
    assert not HanchanSeat.objects.exists()


@pytest.fixture
def block() -> Block:
    """Return a block of eight players with new tables for every hanchan."""
    made = season("open-play", 8)
    write(made, hanchan=8, sessions=2)
    return made.blocks.get()


def seated_apart(block: Block, number: int) -> tuple[Entrant, Entrant]:
    """Return two entrants at different tables of a hanchan."""
    one, other = (seats_of(hanchan)[0] for hanchan in Hanchan.objects.filter(block=block, number=number).order_by("pk"))
    return one, other


def test_the_balance_of_a_schedule_is_computed_from_its_seats(block: Block) -> None:
    even = block_evenness(block)
    assert even is not None
    assert even.bounds.reached(even.figures) >= {"excess", "squares", "most_meetings", "wind_gap", "wind_off"}
    assert [entrant.number for entrant in even.players] == list(range(1, 9))


def test_the_previewed_cost_of_a_swap_equals_the_balance_after_it(block: Block) -> None:
    one, other = seated_apart(block, 2)
    cost = exchange_effect(block, [2], one, other)
    assert cost is not None
    assert cost.after.figures.squares > cost.before.figures.squares == cost.before.bounds.squares
    swap_players(block=block, numbers=[2], one=one, other=other, by=SYSTEM)
    now = block_evenness(block)
    assert now is not None
    assert now.figures == cost.after.figures
    assert [row.starts for row in now.rows] == [row.starts for row in cost.after.rows]
    kept = Change.objects.get(kind="players.swapped")
    assert ((kept.before or {})["unevenness"], (kept.after or {})["unevenness"]) == (336, now.figures.squares)


def test_two_players_at_the_same_table_swap_seats(block: Block) -> None:
    hanchan = Hanchan.objects.filter(block=block, number=1).first()
    assert hanchan is not None
    first, second, *rest = seats_of(hanchan)
    swap_players(block=block, numbers=[1], one=first, other=second, by=SYSTEM)
    assert seats_of(hanchan) == [second, first, *rest]


def test_a_substitute_keeps_the_seat_of_the_entrant_who_is_seated_elsewhere_unless_it_is_at_the_same_table(
    block: Block,
) -> None:
    one, other = seated_apart(block, 2)
    here, there = Hanchan.objects.filter(block=block, number=2).order_by("pk")
    friend = new_player(name="Friend", by=SYSTEM)
    name_substitute(hanchan=here, entrant=one, player=friend, by=SYSTEM, reason="ill")
    swap_players(block=block, numbers=[2], one=one, other=other, by=SYSTEM)
    assert there.seats.get(entrant=one).player == friend
    seat_players(hanchan=there, entrants=seats_of(there)[::-1], by=SYSTEM)
    assert there.seats.get(entrant=one).player == friend
    (guest,) = enter_players(competition=block.competition, players=[friend], by=SYSTEM)
    seat_players(hanchan=there, entrants=[guest, *seats_of(there)[1:]], by=SYSTEM)
    assert not there.seats.exclude(player=F("entrant__player")).exists()


def test_a_swap_rejects_hanchan_with_results_and_players_not_seated_there(block: Block) -> None:
    one, other = seated_apart(block, 1)
    hanchan = Hanchan.objects.get(block=block, number=1, seats__entrant=one)
    record_result(hanchan=hanchan, entry=entry(seats_of(hanchan)), by=SYSTEM)
    before = list(HanchanSeat.objects.order_by("hanchan", "seat").values_list("hanchan", "seat", "entrant"))
    with pytest.raises(ConflictError, match="Hanchan 1 has begun"):
        swap_players(block=block, numbers=[1, 2], one=one, other=other, by=SYSTEM)
    with pytest.raises(RuleViolationError, match="two different"):
        swap_players(block=block, numbers=[2], one=one, other=one, by=SYSTEM)
    with pytest.raises(RuleViolationError, match="not seated in hanchan 9"):
        swap_players(block=block, numbers=[9], one=one, other=other, by=SYSTEM)
    assert list(HanchanSeat.objects.order_by("hanchan", "seat").values_list("hanchan", "seat", "entrant")) == before
