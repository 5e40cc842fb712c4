"""Leagues whose entrants do not fill the tables: schedules, own numbers of hanchan, completion and closing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from league.models import (
    Audience,
    Block,
    Closing,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    ResultSheet,
    Role,
    SlotState,
    Standing,
)
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, WarningsNotAcceptedError
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.competitions.match_days import match_days
from league.selectors.competitions.seating.plans import Days
from league.selectors.standings.derivation import facts_at
from league.selectors.standings.tables import block_tables, result_grid
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.results.results import abandon_hanchan
from league.services.results.rulings import close_block, take_back
from scoring.format import Seating
from tests.factories import SYSTEM, actor, league, play, seated, table, user
from tests.league.admin_pages import at, done
from tests.league.resting_league import later_rests, plan, play_rounds, publish, resting_league, schedule
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db


def finalists(competition: Competition, audience: Audience = Audience.PUBLIC) -> list[tuple[str, int | None]]:
    """Return state and entrant of the final's slots."""
    rows = SlotState.objects.filter(slot__block__competition=competition, slot__block__key="final", audience=audience)
    return list(rows.order_by("slot__number").values_list("state", "entrant"))


def own_numbers(reader: Reader, block: Block) -> dict[int, list[int]]:
    """Return the numbers of each entrant's hanchan in the block."""
    return {who: [game.number for game in games] for who, games in facts_at(reader).played.get(block.key, {}).items()}


@pytest.mark.parametrize(
    ("people", "hanchan", "wishes", "rounds", "tables"),
    [
        (6, 4, {}, 6, 1),
        pytest.param(10, 4, {"tables": 2}, 5, 2, marks=pytest.mark.both_databases),
        (5, 4, {}, 5, 1),
        (15, 4, {}, 5, 3),
    ],
)
def test_a_league_with_rests_is_scheduled_played_and_cut_to_the_best_four(
    people: int, hanchan: int, wishes: dict[str, Any], rounds: int, tables: int
) -> None:
    made = resting_league(people, hanchan)
    block = schedule(made, **wishes)
    numbers = Counter(Hanchan.objects.filter(block=block).values_list("number", flat=True))
    assert numbers == dict.fromkeys(range(1, rounds + 1), tables)
    seats = Counter(HanchanSeat.objects.filter(hanchan__block=block).values_list("entrant", flat=True))
    assert set(seats.values()) == {hanchan}
    play_rounds(block, most=rounds - 1)
    publish(made)
    assert {state for state, _entrant in finalists(made)} == {"provisional"}
    play_rounds(block)
    publish(made)
    best = Standing.objects.filter(block=block, audience=Audience.PUBLIC).order_by("position")
    assert finalists(made) == [("certain", entrant) for entrant in best.values_list("entrant", flat=True)[:4]]
    assert set(own_numbers(public_reader_of(made), block)) == {slot.seeded_id for slot in block.slots.all()}
    assert all(own == list(range(1, hanchan + 1)) for own in own_numbers(public_reader_of(made), block).values())
    (of_block, _final) = block_tables(public_reader_of(made))
    assert of_block.is_complete
    call_command("verify", made.slug)


def test_a_table_used_in_several_rounds_is_counted_once_and_each_round_is_named(client: Client) -> None:
    made = resting_league(10, 8)
    schedule(made, tables=2)
    publish(made)
    (day, *_later) = match_days(made.sessions.order_by("number").select_related("competition"))
    assert (day.progress.tables, day.progress.planned) == (2, 20)
    client.force_login(user("director", is_staff=True, is_superuser=True))
    for address, times in {
        f"/c/{made.slug}/sessions/": 1,  # Each round is a fold with its tables.
        f"/c/{made.slug}/sessions/{day.session.number}/": 2,
        f"/admin/league/competition/{made.pk}/change/": 2,
    }.items():
        shown = client.get(address, headers={"accept-language": "en"}).content.decode()
        assert all(len(re.findall(rf"Hanchan {number}\b", shown)) >= times for number in (1, 2, 9)), address


def test_the_plan_names_who_rests_and_rests_are_never_two_in_a_row() -> None:
    made = resting_league(6, 16, sessions=4)
    planned = plan(made)
    assert [len(session.tables) for session in planned.sessions[:4]] == [6, 6, 6, 6]
    rests = [rest for session in planned.sessions[:4] for rest in session.rests]
    assert [rest.numbers for rest in rests] == [(number,) for number in range(1, 25)]
    assert all(len(rest.players) == 2 for rest in rests)
    assert not any(set(one.players) & set(other.players) for one, other in pairwise(rests))
    starts = [table.starts_at for table in planned.sessions[0].tables]
    assert len(set(starts)) == 6


def test_those_who_stay_play_whole_turns_and_each_table_may_have_a_day_of_its_own() -> None:
    made = resting_league(6, 16, sessions=8, seating="stay")
    planned = plan(made, days=Days.TABLE)
    assert [len(session.tables) for session in planned.sessions[:8]] == [2, 2, 2, 2, 1, 1, 1, 1]
    tables = [table for session in planned.sessions[:8] for table in session.tables]
    assert [table.numbers for table in tables] == [(number, number + 1) for number in range(1, 25, 2)]
    assert all(set(table.seats[0]) == set(table.seats[1]) for table in tables)
    days = [table.starts_at.date() for table in tables]
    assert [(later - sooner).days for sooner, later in pairwise(days)] == [7] * 11


def test_absent_players_rest_then_and_make_up_for_it_unless_too_few_are_left_in_the_end() -> None:
    made = resting_league(10, 8)
    planned = plan(made, absent={1: frozenset({1, 2}), 2: frozenset({1})})
    assert not planned.faults
    resting = [{one.number for one in rest.players} for rest in planned.sessions[0].rests]
    assert {1, 2} <= resting[0]
    assert 1 in resting[1]
    refused = plan(made, absent=dict.fromkeys((1, 2), frozenset(range(1, 11)))).faults
    assert any("too few for a table of 4" in fault for fault in refused)


def test_hanchan_that_fill_no_tables_are_refused_with_the_numbers_that_do() -> None:
    assert plan(resting_league(15, None), hanchan=3).faults == (
        "A: 15 players × 3 hanchan do not fill tables of 4: take 4 hanchan.",
    )
    stays = plan(resting_league(6, None, slug="stays"), hanchan=10, sessions=5, seating=Seating.STAY)
    assert stays.faults == ("A: 6 players × 10 hanchan do not fill tables of 4: take 8 or 12 hanchan.",)
    uneven = plan(resting_league(6, None, slug="uneven"), hanchan=10, sessions=4, seating=Seating.STAY)
    assert uneven.faults == ("A: 10 hanchan do not divide into 4 equal sessions.",)


def test_a_later_stage_with_rests_is_scheduled_once_it_is_known_who_plays() -> None:
    made = league("later", league_format=later_rests())
    first = plan(made)
    assert [session.name_en for session in first.sessions] == ["Session 1"]
    assert first.waiting == ("Final and later stages are scheduled once it is known who plays, since some rest.",)
    block = schedule(made)
    play_rounds(block)
    publish(made)
    later = plan(made)
    assert not later.waiting
    assert [len(rest.players) for rest in later.sessions[0].rests] == [2, 2, 2]
    schedule(made)
    page = Client(headers={"accept-language": "en"}).get("/c/later/sessions/2/").content.decode()
    assert page.count("<dt>Final · Hanchan") == 3
    assert "Who rests" in page


def test_a_venue_with_few_tables_plays_the_others_of_a_round_afterwards() -> None:
    made = resting_league(12, 2)
    planned = plan(made, tables=2).sessions[0]
    starts = Counter(table.starts_at.hour for table in planned.tables)
    assert list(starts.values()) == [2, 1, 2, 1]
    assert sorted({number for table in planned.tables for number in table.numbers}) == [1, 2]
    assert not planned.rests


def test_a_result_entered_out_of_order_leaves_a_gap_until_the_missing_one_is_entered() -> None:
    made = resting_league(5, 4)
    block = schedule(made)
    first, second, *_later = Hanchan.objects.filter(block=block).order_by("number")
    play(second)
    publish(made)
    both = {seat.pk for seat in seated(first)} & {seat.pk for seat in seated(second)}
    for reader in (public_reader_of(made), Reader(made, Audience.STAFF, made.version)):
        own = own_numbers(reader, block)
        assert {who: numbers for who, numbers in own.items() if who in both} == {who: [2] for who in both}
        assert [numbers for who, numbers in own.items() if who not in both] == [[1]]
        grid = result_grid(reader, block)
        assert {number for who in both for number in grid[who]} == {2}
    play(first)
    publish(made)
    assert {tuple(own_numbers(public_reader_of(made), block)[who]) for who in both} == {(1, 2)}
    call_command("verify", made.slug)


def test_a_hanchan_called_off_leaves_no_gap() -> None:
    made = resting_league(5, 4)
    block = schedule(made)
    first, second, *_later = Hanchan.objects.filter(block=block).order_by("number")
    abandon_hanchan(hanchan=first, by=SYSTEM, reason="Fire alarm")
    play(second)
    publish(made)
    assert set(map(tuple, own_numbers(public_reader_of(made), block).values())) == {(1,)}


def test_no_player_has_more_hanchan_than_the_stage_has() -> None:
    made = resting_league(5, 4)
    block = schedule(made)
    play_rounds(block)
    extra = table(block, seated(Hanchan.objects.filter(block=block).first()), numbers=(9,))  # type: ignore[arg-type]
    with pytest.raises(RuleViolationError) as refused:
        play(extra.hanchan.get())
    assert {finding.code for finding in refused.value.findings} == {"all_hanchan_played"}
    assert "already has results for all 4 hanchan of A" in str(refused.value)


@pytest.fixture(scope="class")
def played(shared_rows: None) -> Iterator[Block]:
    """Publish a block of five in which two entrants have fewer hanchan than the others."""
    with transaction.atomic():
        made = resting_league(5, 4)
        block = schedule(made)
        play_rounds(block, most=3)
        publish(made)
        yield block
        transaction.set_rollback(True)


class TestClosing:
    @pytest.fixture
    def unfinished(self, played: Block) -> Block:
        """Return the block."""
        return fresh(played)

    def test_a_closed_block_is_final_with_unequal_counts_and_open_again_when_that_is_taken_back(
        self, unfinished: Block
    ) -> None:
        made = unfinished.competition
        closing = close_block(block=unfinished, by=SYSTEM, reason="The venue closes")
        assert unfinished.table_sessions.filter(is_cancelled=True).count() == 2
        publish(made)
        assert {state for state, _entrant in finalists(made)} == {"certain"}
        assert [table.is_complete for table in block_tables(public_reader_of(made))] == [True, False]
        call_command("verify", made.slug)
        with pytest.raises(ConflictError, match="is closed"):
            play_rounds(unfinished)
        with pytest.raises(ConflictError, match="closed already"):
            close_block(block=unfinished, by=SYSTEM, reason="Again")
        take_back(decision=closing, competition=made, by=SYSTEM, reason="There is time after all")
        assert not unfinished.table_sessions.filter(is_cancelled=True).exists()
        publish(made)
        assert {state for state, _entrant in finalists(made)} == {"provisional"}
        call_command("verify", made.slug)
        play_rounds(unfinished)

    def test_a_result_in_a_closed_block_may_be_corrected(self, unfinished: Block) -> None:
        close_block(block=unfinished, by=SYSTEM, reason="The venue closes")
        sheet = ResultSheet.objects.counting().filter(hanchan__block=unfinished).first()
        assert sheet is not None
        play(sheet.hanchan, (50_000, 20_000, 20_000, 10_000), corrects=sheet.revision, reason="Misread")

    def test_a_closed_block_gets_no_table_and_none_that_was_called_off_back(self, unfinished: Block) -> None:
        close_block(block=unfinished, by=SYSTEM, reason="The venue closes")
        called_off = unfinished.table_sessions.filter(is_cancelled=True)[0]
        with pytest.raises(ConflictError, match="is closed"):
            table(unfinished, numbers=(6,))
        with pytest.raises(ConflictError, match="is closed"):
            edit_table_session(table_session=called_off, words=TableWords(), by=SYSTEM)
        edit_table_session(table_session=called_off, words=TableWords(venue="灯火", is_cancelled=True), by=SYSTEM)

    def test_a_block_without_results_or_with_all_of_them_cannot_be_closed(self) -> None:
        made = resting_league(5, 4, slug="other")
        block = schedule(made)
        with pytest.raises(RuleViolationError, match="no result yet"):
            close_block(block=block, by=SYSTEM, reason="No player came")
        play_rounds(block)
        with pytest.raises(ConflictError, match="have been played"):
            close_block(block=block, by=SYSTEM, reason="Over")

    def test_a_stage_without_a_number_of_hanchan_ends_when_it_is_closed(self) -> None:
        made = resting_league(6, None, slug="other")
        block = schedule(made, hanchan=4)
        play_rounds(block)
        publish(made)
        assert {state for state, _entrant in finalists(made)} == {"provisional"}
        close_block(block=block, by=SYSTEM, reason="The season ends")
        publish(made)
        assert {state for state, _entrant in finalists(made)} == {"certain"}

    def test_reopening_would_unseat_players_who_have_played_on_so_a_director_must_accept_it(
        self, unfinished: Block
    ) -> None:
        made = unfinished.competition
        director = actor(user(role=Role.DIRECTOR, competition=made, is_staff=True))
        closing = close_block(block=unfinished, by=director, reason="The venue closes")
        publish(made)
        final = Block.objects.get(competition=made, key="final")
        company = [Entrant.objects.get(pk=entrant or 0) for _state, entrant in finalists(made)]
        play(table(final, company, numbers=(1,)).hanchan.get())
        with pytest.raises(WarningsNotAcceptedError, match="has results already"):
            take_back(decision=closing, competition=made, by=director, reason="A mistake")
        scorer = actor(user(role=Role.SCORER, competition=made, is_staff=True))
        with pytest.raises(PermissionRefusedError):
            take_back(decision=closing, competition=made, by=scorer, reason="A mistake")
        accept = {"later_stage_begun"}
        take_back(decision=closing, competition=made, by=director, reason="A mistake", accept=accept)

    def test_the_page_lists_who_has_fewer_hanchan_and_closes_and_opens_the_block(self, unfinished: Block) -> None:
        made = unfinished.competition
        client = Client(headers={"accept-language": "en"})
        client.force_login(user(role=Role.DIRECTOR, competition=made, is_staff=True))
        assert at(unfinished, "close") in client.get(f"/admin/league/block/{unfinished.pk}/change/").content.decode()
        page = client.get(at(unfinished, "close")).content.decode()
        behind = Standing.objects.filter(block=unfinished, audience=Audience.STAFF, played=2)
        assert behind.count() == 3
        assert all(f"{row.entrant.player.name} (2)" in page for row in behind.select_related("entrant__player"))
        assert "2 scheduled hanchan will not be played" in page
        done(client, at(unfinished, "close"), {"reason": "The venue closes"})
        closing = Closing.objects.get()
        publish(made)
        assert "Block closed" in client.get(f"/c/{made.slug}/corrections/").content.decode()
        assert at(closing, "take-back") in client.get(f"/admin/league/block/{unfinished.pk}/change/").content.decode()
        done(client, at(closing, "take-back"), {"reason": "There is time after all"})
        publish(made)
        assert "Closed block opened again" in client.get(f"/c/{made.slug}/corrections/").content.decode()
