"""Standings of a tournament in which entrants sit out, stay away, withdraw or are disqualified."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Mapping
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone, translation

from league.models import (
    Audience,
    Block,
    Credit,
    Entrant,
    Hanchan,
    Standing,
)
from league.selectors.access.readers import Reader
from league.selectors.standings.conditions import conditions_of
from league.selectors.standings.credits import credits_of
from league.selectors.standings.derivation import derive, facts_at
from league.selectors.standings.progress import progress_of_block
from league.selectors.standings.tables import block_tables, result_grid
from league.selectors.standings.what_if import HypotheticalResult, tables_in_play, try_out
from league.services.competitions.departures import disqualify, withdraw
from league.services.competitions.schedule import hold_back
from league.services.operations.verification import differences_of
from league.services.results.rulings import take_back
from league.services.standings.odds import season_of
from league.services.standings.publishing import publish_standings
from scoring.standings import Withdrawal
from tests.api.client import Api
from tests.factories import SYSTEM, play
from tests.league.paired_league import event_with_byes, on_withdrawal, pair, play_round

pytestmark = pytest.mark.django_db
SITS_OUT = "Sits out this round: the players do not fill the tables"
SITS_OUT_JA = "人数の端数のため、この回戦は不戦"


def rows_of(block: Block) -> Mapping[int, Standing]:
    """Publish, check that everything stored follows from the facts, and return the block's rows by entrant."""
    publish_standings(block.competition_id)
    assert list(differences_of(block.competition)) == []
    rows = Standing.objects.filter(block=block, audience=Audience.PUBLIC).select_related("entrant")
    return {row.entrant_id: row for row in rows.order_by("position")}


def staff(block: Block) -> Reader:
    block.competition.refresh_from_db()
    return Reader(block.competition, Audience.STAFF, block.competition.version)


def public(block: Block) -> Reader:
    block.competition.refresh_from_db()
    return Reader(block.competition, Audience.PUBLIC, block.competition.public_version)


def finalists(block: Block) -> list[object]:
    return [slot.entrant for slot in derive(facts_at(staff(block))).resolution.slots["final"]]


def test_a_bye_is_worth_the_mean_of_the_hanchan_before_it_and_completes_the_block() -> None:
    block = event_with_byes(9)
    pair(block, 1)
    play_round(block, 1)
    pair(block, 2)
    byes = {row.number: row.entrant_id for row in Credit.objects.standing()}
    rows = rows_of(block)
    # Nothing has been played before the bye of the first round, so it is worth nothing.
    assert (rows[byes[1]].credited, rows[byes[1]].played) == (0, 0)
    assert (rows[byes[2]].credited, rows[byes[2]].total) == (0, rows[byes[2]].total)
    play_round(block, 2)
    rows = rows_of(block)
    assert rows[byes[2]].credited == rows[byes[2]].total // 2
    assert "A" in derive(facts_at(staff(block))).complete
    for reader in (staff(block), public(block)):
        table = next(table for table in block_tables(reader) if table.block.pk == block.pk)
        assert (table.played, table.is_complete) == (2, True)
        assert [each.kind for own in credits_of(reader)["A"].values() for each in own] == ["bye", "bye"]
        assert table.played_in_all == table.planned_in_all == 18
    own = progress_of_block(staff(block), block).steps
    assert [step[byes[2]].total for step in own][1:] == [
        rows[byes[2]].total - rows[byes[2]].credited,
        rows[byes[2]].total,
    ]


def test_pages_say_in_their_own_language_why_a_player_sits_out_whatever_language_the_pairing_was_made_in() -> None:
    block = event_with_byes(9)
    for number, language in ((1, "en"), (2, "ja")):
        with translation.override(language):
            pair(block, number)
        play_round(block, number)
    publish_standings(block.competition_id)
    player = Credit.objects.standing().get(number=1).entrant.player
    for page in (f"/c/{block.competition.slug}/blocks/A/", f"/c/{block.competition.slug}/players/{player.key}/"):
        english, japanese = (Client(HTTP_ACCEPT_LANGUAGE=each).get(page).content.decode() for each in ("en", "ja"))
        assert SITS_OUT in english
        assert SITS_OUT_JA not in english
        assert SITS_OUT_JA in japanese
        assert SITS_OUT not in japanese


def test_the_parts_of_each_total_in_the_csv_of_standings_add_up_with_a_bye() -> None:
    block = event_with_byes(9)
    for number in (1, 2):
        pair(block, number)
        play_round(block, number)
    rows = rows_of(block)
    text = Client().get("/api/v1/standings/?competition=open&block=A&format=csv").content.decode("utf-8-sig")
    lines = list(csv.DictReader(text.splitlines()))
    assert any(Fraction(line["credited"]) for line in lines)
    for line in lines:
        row = rows[int(line["entrant"])]
        outside = sum(Fraction(line[part]) for part in ("carried", "adjustment", "credited"))
        played = sum(cell.points for cell in result_grid(public(block), block)[row.entrant_id].values())
        assert Fraction(line["total"]) == outside + Fraction(played, 10)


def test_a_hanchan_has_the_number_of_its_round_also_for_those_who_sat_out_before() -> None:
    block = event_with_byes(9)
    pair(block, 1)
    play_round(block, 1)
    pair(block, 2)
    play_round(block, 2)
    (late,) = (row.entrant_id for row in Credit.objects.standing().filter(number=1))
    assert list(result_grid(staff(block), block)[late]) == [2]
    assert [game.number for game in facts_at(staff(block)).played["A"][late]] == [2]


def test_two_withdraw_and_one_is_disqualified_and_the_next_take_their_places_after_the_cut() -> None:
    block = event_with_byes(12, on_withdrawal())
    pair(block, 1)
    play_round(block, 1)
    best = list(rows_of(block))[:3]
    withdraw(entrant=Entrant.objects.get(pk=best[0]), by=SYSTEM, reason="ill")
    withdraw(entrant=Entrant.objects.get(pk=best[1]), by=SYSTEM, reason="train")
    left = disqualify(entrant=Entrant.objects.get(pk=best[2]), by=SYSTEM, reason="phone")
    pair(block, 2)
    play_round(block, 2)
    rows = list(rows_of(block).values())
    assert [(row.entrant_id, row.rank, row.is_ranked, row.status) for row in rows[-3:]] == [
        (best[0], 10, True, "withdrawn"), (best[1], 11, True, "withdrawn"), (best[2], 12, False, "disqualified"),
    ]  # fmt: skip
    assert [row.destination for row in rows[-3:]] == ["withdrawn"] * 3
    assert "A" in derive(facts_at(staff(block))).complete
    assert finalists(block) == [row.entrant_id for row in rows[:4]]
    # Taken back, the disqualification leaves the entrant with one hanchan, so that the block is not over.
    take_back(decision=left, competition=left.entrant.competition, by=SYSTEM, reason="it was another player")
    assert rows_of(block)[best[2]].status == ""
    assert "A" not in derive(facts_at(staff(block))).complete


def test_no_points_are_missing_for_one_who_left_and_stands_below_smaller_totals() -> None:
    block = event_with_byes(12, on_withdrawal())
    pair(block, 1)
    play_round(block, 1)
    best = next(iter(rows_of(block)))
    withdraw(entrant=Entrant.objects.get(pk=best), by=SYSTEM, reason="train")
    rows_of(block)
    table = next(table for table in block_tables(public(block)) if table.block.pk == block.pk)
    *staying, left = table.lines
    assert (left.standing.entrant_id, left.gap_to_above, left.gap_to_border) == (best, None, None)
    assert left.standing.total > staying[0].standing.total
    assert all(line.gap_to_above is not None for line in staying[1:])
    assert all(line.gap_to_border is not None for line in staying[4:])


def test_an_entrant_who_finished_the_block_keeps_the_rank_there_and_gives_the_place_in_the_final_to_the_next() -> None:
    block = event_with_byes(8, on_withdrawal(ranked=False))
    for number in (1, 2):
        pair(block, number)
        play_round(block, number)
    before = list(rows_of(block))
    withdraw(entrant=Entrant.objects.get(pk=before[0]), by=SYSTEM, reason="train")
    rows = rows_of(block)
    assert (list(rows), rows[before[0]].rank, rows[before[0]].is_ranked) == (before, 1, True)
    table = next(table for table in block_tables(staff(block)) if table.block.pk == block.pk)
    assert table.border is not None
    assert (table.border.inside.entrant_id, table.border.outside.entrant_id) == (before[4], before[5])
    assert [line.is_last_before_border for line in table.lines] == [False] * 4 + [True] + [False] * 3
    assert finalists(block) == before[1:5]


def test_the_place_stays_with_an_entrant_who_withdraws_after_the_cut_if_the_format_leaves_it_empty() -> None:
    block = event_with_byes(8, f'declined = "empty"\n{on_withdrawal()}')
    for number in (1, 2):
        pair(block, number)
        play_round(block, number)
    before = list(rows_of(block))
    withdraw(entrant=Entrant.objects.get(pk=before[0]), by=SYSTEM, reason="train")
    assert finalists(block) == before[:4]


def test_without_a_policy_those_who_withdraw_keep_rank_and_place_and_those_disqualified_do_not() -> None:
    block = event_with_byes(8)
    pair(block, 1)
    play_round(block, 1)
    before = list(rows_of(block))
    withdraw(entrant=Entrant.objects.get(pk=before[0]), by=SYSTEM, reason="ill")
    disqualify(entrant=Entrant.objects.get(pk=before[1]), by=SYSTEM, reason="phone")
    rows = rows_of(block)
    assert (rows[before[0]].rank, rows[before[0]].status, rows[before[0]].destination) == (1, "withdrawn", "final")
    assert (rows[before[1]].is_ranked, rows[before[1]].destination) == (False, "withdrawn")


def test_annulled_hanchan_count_nothing_for_the_others_and_say_why() -> None:
    block = event_with_byes(8, on_withdrawal("annul"))
    pair(block, 1)
    hanchan = play_round(block, 1)[0]
    gone, *others = hanchan.seats.order_by("seat").values_list("entrant", flat=True)
    before = rows_of(block)
    withdraw(entrant=Entrant.objects.get(pk=gone), by=SYSTEM, reason="ill")
    rows = rows_of(block)
    assert [(rows[each].total, rows[each].credited, rows[each].played) for each in others] == [(0, 0, 0)] * 3
    assert rows[gone].total == before[gone].total
    for reader in (staff(block), public(block)):
        (credit,) = credits_of(reader)["A"][others[0]]
        assert (credit.number, credit.kind, credit.points, credit.hanchan) == (1, "annulled", 0, hanchan.pk)
        assert others[0] not in result_grid(reader, block)


def test_results_of_house_players_count_for_none_of_the_figures() -> None:
    block = event_with_byes(8, odd='by = "substitutes", points = "-15"')
    pair(block, 1)
    hanchan = play_round(block, 1)[0]
    house = hanchan.seats.order_by("seat").values_list("entrant", flat=True)[0]
    Entrant.objects.filter(pk=house).update(is_house=True)
    facts = facts_at(staff(block))
    assert house in facts.house
    assert house not in facts.played["A"]
    assert house not in result_grid(staff(block), block)
    # No hanchan with a house player is a sample of what hanchan may bring.
    assert season_of(staff(block))[1]["own"] == 1
    assert len(Hanchan.objects.get(pk=hanchan.pk).seats.all()) == 4


def test_conditions_count_byes_to_come_and_name_them_where_their_worth_is_open() -> None:
    block = event_with_byes(9)
    pair(block, 1)
    play_round(block, 1)
    (found,) = conditions_of(staff(block))
    # Who sits out in the second round is open.
    assert found.obstacles == ("byes",)
    pair(block, 2)
    (resting,) = (row.entrant_id for row in Credit.objects.standing().filter(number=2))
    (found,) = conditions_of(staff(block))
    assert found.situation.left[resting] == 0
    assert found.situation.rows[resting].total == 2 * rows_of(block)[resting].total
    assert "byes" not in found.obstacles


def test_conditions_leave_the_worth_of_a_counting_bye_open_while_an_earlier_result_is_missing() -> None:
    block = event_with_byes(9)
    pair(block, 1)
    pair(block, 2)
    bye = Credit.objects.standing().get(number=2)
    last = Hanchan.objects.get(block=block, number=1, seats__entrant=bye.entrant)
    for hanchan in Hanchan.objects.filter(block=block).exclude(pk=last.pk):
        play(hanchan, accept={"same_result_twice"})
    rows = rows_of(block)
    (found,) = conditions_of(staff(block))
    assert found.obstacles == ("byes",)
    assert found.situation.open_byes == {bye.entrant_id: 1}
    assert found.situation.rows[bye.entrant_id].credits == ()
    play(last)
    assert rows_of(block)[bye.entrant_id].credited == rows_of(block)[bye.entrant_id].total // 2 != 0
    assert rows[bye.entrant_id].credited == 0


@pytest.mark.both_databases
def test_a_trial_of_the_last_round_lets_its_bye_count() -> None:
    block = event_with_byes(9)
    pair(block, 1)
    play_round(block, 1)
    pair(block, 2)
    (resting,) = (row.entrant_id for row in Credit.objects.standing().filter(number=2))
    before = rows_of(block)[resting].total
    reader = staff(block)
    table = tables_in_play(reader)[0]
    (tried,) = try_out(reader, [HypotheticalResult(table, (40_000, 30_000, 20_000, 10_000))]).blocks
    (line,) = (each.line for each in tried.lines if each.entrant.pk == resting)
    assert (line.total, line.row.credited, line.played) == (2 * before, before, 1)


def test_a_simulated_season_knows_credits_and_who_left() -> None:
    block = event_with_byes(12, on_withdrawal())
    pair(block, 1)
    play_round(block, 1)
    gone = next(iter(rows_of(block)))
    withdraw(entrant=Entrant.objects.get(pk=gone), by=SYSTEM, reason="ill")
    pair(block, 2)
    season, _pool = season_of(staff(block))
    assert season.leaving["A"] == {gone: Withdrawal.LAST}
    resting = set(Credit.objects.standing().values_list("entrant", flat=True))
    assert set(season.credits["A"]) == resting
    assert len(resting) == 3


def test_documents_state_status_credits_and_placement() -> None:
    block = event_with_byes(9, on_withdrawal())
    pair(block, 1)
    play_round(block, 1)
    (resting,) = (row.entrant_id for row in Credit.objects.standing())
    gone = next(iter(rows_of(block)))
    disqualify(entrant=Entrant.objects.get(pk=gone), by=SYSTEM, reason="phone")
    rows_of(block)
    found = Api().get("standings/", competition="open")
    (table,) = (each for each in found["blocks"] if each["key"] == "A")
    by_entrant = {row["entrant"]: row for row in table["rows"]}
    assert (by_entrant[str(gone)]["status"], by_entrant[str(gone)]["rank"]) == ("disqualified", None)
    assert by_entrant[str(resting)]["credited"] == "0.0"
    assert by_entrant[str(resting)]["credits"] == [
        {
            "number": 1,
            "kind": "bye",
            "points": "0.0",
            "place": None,
            "hanchan": None,
            "reason": Credit.objects.standing().get().reason,
        }
    ]
    bracket = Api().get("competitions/open/bracket/")
    placements = {each["id"]: each["placement"] for each in bracket["entrants"]}
    assert placements[str(gone)] is None
    assert sorted(place for place in placements.values() if place is not None) == [*range(1, 9)]


def test_a_bye_of_a_round_with_a_table_under_embargo_is_unknown_to_the_public_until_the_table_is_shown() -> None:
    block = event_with_byes(9)
    held = block.table_sessions.order_by("pk")[0]
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    pair(block, 1)
    rows_of(block)
    bye = Credit.objects.get(block=block)
    assert facts_at(staff(block)).credits["A"].keys() == {bye.entrant_id}
    assert facts_at(public(block)).credits == {}
    hold_back(table_session=held, until=None, by=SYSTEM)
    rows_of(block)
    assert facts_at(public(block)).credits["A"].keys() == {bye.entrant_id}


@pytest.mark.both_databases
def test_later_public_changes_do_not_show_a_bye_of_a_round_with_a_table_under_embargo() -> None:
    block = event_with_byes(9)
    back = Entrant.objects.filter(competition=block.competition).order_by("pk")[0]
    left = withdraw(entrant=back, by=SYSTEM, reason="ill")
    held = block.table_sessions.order_by("pk")[0]
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    pair(block, 1)
    withdraw(entrant=held.hanchan.get().seats.order_by("seat")[0].entrant, by=SYSTEM, reason="ill")
    take_back(decision=left, competition=block.competition, by=SYSTEM, reason="well again")
    play(block.hanchan.filter(number=1).exclude(table_session=held).get())
    rows_of(block)
    assert facts_at(staff(block)).credits["A"].keys() == {back.pk}
    assert facts_at(public(block)).credits == {}
    assert credits_of(public(block)) == {}
    hold_back(table_session=held, until=None, by=SYSTEM)
    rows_of(block)
    assert facts_at(public(block)).credits["A"].keys() == {back.pk}
