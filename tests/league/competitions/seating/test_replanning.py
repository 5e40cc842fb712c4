"""The remaining rounds of a block planned again: what is written, what stays, who may join, and how it is undone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from league.models import Block, Change, Entrant, Hanchan, HanchanSeat, Override, Role, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.change_log import render_changes
from league.selectors.access.readers import public_reader_of
from league.selectors.competitions.schedule import session_tables
from league.selectors.competitions.seating.replanning import ReplanPlan, ReplanWish, planned_again, restoring
from league.selectors.competitions.seating.rests import rests_of
from league.services.competitions.replanning import replan_rounds, restore_plan
from league.services.competitions.schedule import seat_players
from league.services.competitions.setup import new_player
from league.wording.names import person_name
from scoring.seating.replan import Aim
from tests.factories import SYSTEM, actor, in_block, play, seated, user
from tests.league.admin_pages import at
from tests.league.resting_league import play_rounds, publish, resting_league, schedule
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db

Seats = dict[int, dict[int, list[int]]]


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Block:
    """Play one of the 4 rounds of a block of 16 players."""
    block = schedule(resting_league(16, 4))
    play_rounds(block, most=1)
    return block


@pytest.fixture
def block(played: Block) -> Block:
    """Return the block."""
    return fresh(played)


def seats_of(block: Block) -> Seats:
    """Return the entrants of each hanchan that is played, by number and hanchan."""
    found: Seats = {}
    rows = HanchanSeat.objects.filter(hanchan__block=block, hanchan__table_session__is_cancelled=False)
    rows = rows.exclude(hanchan__state=Hanchan.State.ABANDONED).order_by("hanchan", "seat")
    for number, hanchan, entrant in rows.values_list("hanchan__number", "hanchan", "entrant"):
        found.setdefault(number, {}).setdefault(hanchan, []).append(entrant)
    return found


def again(block: Block, by: Any = SYSTEM, **wish: Any) -> ReplanPlan:
    """Plan the rounds again from the second on, and save what was previewed."""
    wished = ReplanWish(**{"first": 2, **wish})
    return replan_rounds(block=block, wish=wished, digest=planned_again(block, wished).digest, by=by)


def test_two_who_leave_play_no_more_and_who_is_left_over_rests_in_turn(block: Block) -> None:
    before = seats_of(block)
    gone = {one.pk for one in in_block(block)[:2]}
    plan = again(block, leaving=frozenset(gone))
    after = seats_of(block)
    assert after[1] == before[1]
    for number in (2, 3, 4):
        playing = Counter(one for table in after[number].values() for one in table)
        assert len(playing) == 12
        assert set(playing.values()) == {1}
        assert not gone & set(playing)
    assert sum(len(each) for each in plan.found.rests) == 2 * 3
    assert max(count for _player, count in plan.rests_by_player) == 1
    assert TableSession.objects.filter(block=block, is_cancelled=True).count() == 3
    kept = Change.objects.get(kind="seats.replanned")
    assert kept.is_public
    assert kept.after is not None
    assert kept.after["leaving"] == sorted(gone)


@pytest.mark.both_databases
def test_the_earlier_plan_can_be_restored_to_the_seat(block: Block) -> None:
    before = seats_of(block)
    again(block, leaving=frozenset({in_block(block)[0].pk}), aim=Aim.BEST_PLAN)
    assert seats_of(block) != before
    restore_plan(block=block, digest=restoring(block).digest, by=SYSTEM)
    assert seats_of(block) == before
    assert not TableSession.objects.filter(block=block, is_cancelled=True).exists()
    with pytest.raises(ConflictError, match="There is no earlier plan to restore"):
        restoring(block)


def test_a_second_replanning_remembers_who_has_left_and_is_undone_first(block: Block) -> None:
    first, second = (one.pk for one in in_block(block)[:2])
    again(block, leaving=frozenset({first}))
    once = seats_of(block)
    again(block, leaving=frozenset({second}))
    assert not {first, second} & {
        one for number in (2, 3, 4) for table in seats_of(block)[number].values() for one in table
    }
    restore_plan(block=block, digest=restoring(block).digest, by=SYSTEM)
    assert seats_of(block) == once


def test_who_has_left_can_join_again(block: Block) -> None:
    before = {number: set(map(frozenset, tables.values())) for number, tables in seats_of(block).items()}
    gone = frozenset({in_block(block)[0].pk})
    again(block, leaving=gone)
    again(block, joining=gone)
    for number, tables in seats_of(block).items():
        assert {one for table in tables.values() for one in table} == {one for table in before[number] for one in table}
    assert not TableSession.objects.filter(block=block, is_cancelled=True).exists()


def test_a_lost_table_is_not_used_and_its_players_take_the_seats_of_others(block: Block) -> None:
    label = TableSession.objects.filter(block=block).order_by("order").values_list("table", flat=True)[0]
    again(block, lost=frozenset({label}))
    used = Hanchan.objects.filter(block=block, number__gte=2, table_session__is_cancelled=False)
    assert label not in set(used.values_list("table_session__table", flat=True))
    assert {len(tables) for number, tables in seats_of(block).items() if number > 1} == {3}


def test_a_newcomer_takes_the_place_of_a_player_who_left_without_a_result() -> None:
    block = schedule(resting_league(16, 4, slug="other"))
    gone = in_block(block)[0]
    before = seats_of(block)
    again(block, first=1, leaving=frozenset({gone.pk}), newcomers=("遅刻 太郎",))
    newcomer = Entrant.objects.get(player__name="遅刻 太郎")
    assert Override.objects.standing().get().entrant == newcomer
    swapped = {gone.pk: newcomer.pk}
    assert {
        number: {tuple(sorted(table)) for table in tables.values()} for number, tables in seats_of(block).items()
    } == {
        number: {tuple(sorted(swapped.get(one, one) for one in table)) for table in tables.values()}
        for number, tables in before.items()
    }
    publish(block.competition)
    hanchan = Hanchan.objects.get(number=1, block=block, seats__entrant=newcomer)
    play(hanchan)


def test_restoring_takes_the_place_of_a_newcomer_back() -> None:
    block = schedule(resting_league(16, 4, slug="other"))
    before = seats_of(block)
    again(block, first=1, leaving=frozenset({in_block(block)[0].pk}), newcomers=("遅刻 太郎",))
    restore_plan(block=block, digest=restoring(block).digest, by=SYSTEM)
    assert seats_of(block) == before
    assert not Override.objects.standing().exists()


def test_no_player_joins_a_block_whose_places_belong_to_players_with_results(block: Block) -> None:
    with pytest.raises(RuleViolationError, match="no place for 1 of those who join"):
        again(block, leaving=frozenset({in_block(block)[0].pk}), newcomers=("遅刻 太郎",))
    assert not Entrant.objects.filter(player__name="遅刻 太郎").exists()


def test_a_name_that_is_entered_already_is_chosen_from_the_list(block: Block) -> None:
    with pytest.raises(RuleViolationError, match="entered already"):
        again(block, newcomers=(in_block(block)[3].player.name,))


def test_a_round_that_begins_after_the_preview_is_refused(block: Block) -> None:
    wish = ReplanWish(first=2, leaving=frozenset({in_block(block)[0].pk}))
    digest = planned_again(block, wish).digest
    play(Hanchan.objects.filter(block=block, number=2).order_by("pk")[0])
    with pytest.raises(ConflictError, match="This round has begun"):
        replan_rounds(block=block, wish=wish, digest=digest, by=SYSTEM)


def test_seats_changed_after_the_preview_are_refused(block: Block) -> None:
    wish = ReplanWish(first=2, leaving=frozenset({in_block(block)[0].pk}))
    plan = planned_again(block, wish)
    digest, hanchan = plan.digest, plan.changed[-1].hanchan
    seat_players(hanchan=hanchan, entrants=seated(hanchan)[::-1], by=SYSTEM)
    with pytest.raises(ConflictError, match="not as you looked at them"):
        replan_rounds(block=block, wish=wish, digest=digest, by=SYSTEM)


def test_nothing_is_restored_once_a_hanchan_has_begun_or_was_changed(block: Block) -> None:
    plan = again(block, leaving=frozenset(one.pk for one in in_block(block)[:2]))
    digest = restoring(block).digest
    changed = next(game.hanchan for game in plan.changed if game.after)
    seat_players(hanchan=changed, entrants=seated(changed)[::-1], by=SYSTEM)
    with pytest.raises(ConflictError, match="were changed since"):
        restore_plan(block=block, digest=digest, by=SYSTEM)
    seat_players(hanchan=changed, entrants=seated(changed)[::-1], by=SYSTEM)
    assert restoring(block).digest == digest
    play(changed)
    with pytest.raises(ConflictError, match="has begun; the earlier plan cannot be restored"):
        restore_plan(block=block, digest=digest, by=SYSTEM)


def test_a_substitute_goes_along_with_the_entrant(block: Block) -> None:
    gone = frozenset(one.pk for one in in_block(block)[:2])
    moves = planned_again(block, ReplanWish(first=2, leaving=gone)).moves
    number, who = next(
        (each.turn.numbers[0], move.entrant) for each in moves for move in each.people if move.kind == "moves"
    )
    helper = new_player(name="代走", by=SYSTEM)
    seat = HanchanSeat.objects.filter(hanchan__number=number, entrant=who)
    assert seat.update(player=helper) == 1
    again(block, leaving=gone)
    assert seat.get().player == helper


def test_the_public_schedule_names_who_rests_and_not_who_has_left(block: Block) -> None:
    gone = {one.pk for one in in_block(block)[:2]}
    plan = again(block, leaving=frozenset(gone))
    publish(block.competition)
    reader = public_reader_of(block.competition)
    shown = {
        round_: {one.pk for one in rests.entrants}
        for rests in rests_of(
            reader,
            [
                table
                for found in session_tables(reader, block.competition.sessions.get(number=1))
                for table in found.tables
            ],
        )
        for round_ in rests.rounds
    }
    expected = {
        number: {plan.players[one].pk for one in each} for number, each in zip((2, 3, 4), plan.found.rests, strict=True)
    }
    assert shown == expected
    assert not gone & set().union(*shown.values())


def test_the_log_names_who_left_and_the_seats_before_and_after(block: Block) -> None:
    gone = in_block(block)[8]
    again(block, leaving=frozenset({gone.pk}))
    with translation.override("en"):
        pieces = {each.label: each for each in render_changes([Change.objects.get(kind="seats.replanned")])[0].pieces}
    name = person_name(gone.player, "en")
    assert pieces["who plays no more"].after == name
    assert name in pieces["seats"].before
    assert name not in pieces["seats"].after


def test_only_who_manages_the_competition_plans_again(block: Block) -> None:
    scorer = actor(user("scorer", Role.SCORER, block.competition))
    for call in (
        lambda: again(block, by=scorer, leaving=frozenset({in_block(block)[0].pk})),
        lambda: restore_plan(block=block, digest="", by=scorer),
    ):
        with pytest.raises(PermissionRefusedError):
            call()


def test_a_company_that_stays_for_a_session_is_planned_session_by_session() -> None:
    block = schedule(resting_league(16, 8, slug="other", sessions=2, seating="stay"))
    play_rounds(block, most=4)
    before = seats_of(block)
    gone = in_block(block)[0].pk
    plan = again(block, first=5, leaving=frozenset({gone}))
    assert [turn.numbers for turn in plan.turns] == [(5, 6, 7, 8)]
    after = seats_of(block)
    assert all(after[number] == before[number] for number in range(1, 5))
    companies = [{frozenset(table) for table in after[number].values()} for number in range(5, 9)]
    assert companies[0] == companies[1] == companies[2] == companies[3]
    assert len(companies[0]) == 3
    for one in set().union(*companies[0]):
        seats = Counter(HanchanSeat.objects.filter(entrant=one, hanchan__number__gte=5).values_list("seat", flat=True))
        assert set(seats.values()) == {1}


@pytest.fixture
def director(block: Block, client: Client) -> Client:
    """Return a browser in which a director of the league is logged in."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    client.force_login(user("director", Role.DIRECTOR, block.competition, is_staff=True))
    return client


def test_the_page_shows_two_plans_and_saves_the_one_chosen(block: Block, director: Client) -> None:
    address = at(block, "replan")
    assert director.get(address).status_code == 200
    gone = in_block(block)[0]
    typed = {"first": "2", "leaving": [str(gone.pk)], "newcomers": ""}
    shown = director.post(address, typed)
    assert shown.status_code == 200
    assert [offer.aim for offer in shown.context["offers"]] == list(Aim)
    text = shown.content.decode()
    assert "Who moves" in text
    assert "plays no more" in text
    assert not Change.objects.filter(kind="seats.replanned").exists()
    marks = {f"seen_{offer.aim}": offer.plan.digest for offer in shown.context["offers"]}
    other = director.post(address, {**typed, "leaving": [], **marks, "save": "few_moves"})
    assert "Something has changed since you looked" in other.content.decode()
    assert not Change.objects.filter(kind="seats.replanned").exists()
    saved = director.post(address, {**typed, **marks, "save": "best_plan"})
    assert saved.status_code == 302
    assert Change.objects.filter(kind="seats.replanned", after__aim="best_plan").exists()


def test_a_refused_wish_keeps_what_was_typed(block: Block, director: Client) -> None:
    shown = director.post(at(block, "replan"), {"first": "2", "newcomers": "遅刻 太郎"})
    assert shown.status_code == 422
    assert "遅刻 太郎</textarea>" in shown.content.decode()
    wrong = director.post(at(block, "replan"), {"first": "1", "leaving": ["x"], "newcomers": "あ" * 500})
    assert wrong.status_code == 422


def test_the_earlier_plan_is_restored_on_a_page_of_its_own(block: Block, director: Client) -> None:
    before = seats_of(block)
    assert director.get(at(block, "restore-plan")).status_code == 302
    again(block, leaving=frozenset({in_block(block)[0].pk}))
    shown = director.get(at(block, "restore-plan"))
    assert shown.status_code == 200
    assert director.post(at(block, "restore-plan"), {"seen": "other"}).status_code == 422
    done = director.post(at(block, "restore-plan"), {"seen": shown.context["seen"]})
    assert done.status_code == 302
    assert seats_of(block) == before


def test_a_block_without_rounds_to_come_says_so(block: Block, director: Client) -> None:
    play_rounds(block)
    assert "No round is left to plan" in director.get(at(block, "replan")).content.decode()
    assert director.post(at(block, "replan"), {"first": "2"}).status_code == 422
