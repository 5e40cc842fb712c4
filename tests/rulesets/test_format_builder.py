"""The format builder without pages: operations on drafts, what is on offer, and faults at their fields."""

from __future__ import annotations

import pytest

from rulesets.format_builder import continuations, edits, rounds
from rulesets.format_builder.checking import Problem, drawn, problems, read_draft, sketch_of
from rulesets.format_builder.offers import offers
from rulesets.format_builder.picks import Draft, Spread, blocks_in, entry_of, write_entry
from rulesets.format_toml import format_toml
from rulesets.formats import format_names, format_text, parse_format
from scoring.format import Arrangement, close_roster
from scoring.format.trial import trial
from scoring.ruleset import FaultsError


def picks(draft: Draft) -> list[list[str]]:
    """Return who comes into each stage, as texts."""
    return [[pick.text for pick in entry_of(draft, stage).picks] for stage in draft["stages"]]


def titles(draft: Draft) -> list[str]:
    """Return the Japanese titles of the stages."""
    return [stage["title"]["ja"] for stage in draft["stages"]]


def fifteen() -> Draft:
    """Return three blocks of five, two of each in a semifinal, four of it in a final: all of it as proposed."""
    draft = edits.set_blocks(edits.new_draft("fifteen", 15), "stage1", 3)
    return edits.add_stage(edits.add_stage(draft))


def found(draft: Draft, code: str) -> Problem:
    """Return the first problem with this code."""
    return next(problem for problem in problems(draft) if problem.fault.code == code)


def test_three_blocks_of_five_need_two_added_stages_and_nothing_else() -> None:
    draft = fifteen()
    assert picks(draft) == [["seed:1-15"], ["stage1#1-2"], ["stage2#1-4"]]
    assert titles(draft) == ["予選", "準決勝", "決勝"]
    assert [entry_of(draft, stage).sizes for stage in draft["stages"]] == [(5, 5, 5), (6,), (4,)]
    assert draft["champion"] == {"block": "stage3"}
    assert not problems(draft)
    parse_format(format_toml(draft), "fifteen.toml")


def test_an_operation_leaves_the_draft_it_got_as_it_was() -> None:
    draft = fifteen()
    text = format_toml(draft)
    edits.set_players(edits.remove_stage(draft, "stage2"), 20)
    assert format_toml(draft) == text


@pytest.mark.parametrize("name", format_names())
def test_every_ready_format_is_read_and_written_with_the_same_entrants(name: str) -> None:
    draft = read_draft(format_text(name))
    again = read_draft(format_text(name))
    for stage in again["stages"]:
        if not any(block.get("is_open") for block in blocks_in(stage)):
            write_entry(again, stage, entry_of(again, stage))
    before, after = drawn(draft), drawn(again)
    assert {block: after.sources(block) for block in after.blocks} == {
        block: before.sources(block) for block in before.blocks
    }
    assert not problems(draft)


def test_a_snake_deals_seeds_to_and_fro_and_is_recognised_again() -> None:
    draft = edits.set_spread(fifteen(), "stage1", Spread.SNAKE)
    first = [[str(source) for source in sketch_of(draft).sources(block)] for block in "ABC"]
    assert first[0] == ["seed:1", "seed:6", "seed:7", "seed:12", "seed:13"]
    assert first[2] == ["seed:3", "seed:4", "seed:9", "seed:10", "seed:15"]
    assert entry_of(draft, draft["stages"][0]).spread is Spread.SNAKE
    assert picks(draft)[0] == ["seed:1-15"]
    assert not problems(draft)


def test_a_drawn_stage_lists_its_entrants_and_the_sizes_of_its_blocks() -> None:
    draft = edits.set_spread(fifteen(), "stage1", Spread.DRAWN)
    assert draft["stages"][0]["entrants"] == [{"from": "seed:1-15"}]
    assert [block["size"] for block in draft["stages"][0]["blocks"]] == [5, 5, 5]
    assert not problems(draft)


def test_ranks_of_one_block_become_ranks_of_each_when_it_is_divided() -> None:
    draft = edits.add_stage(edits.new_draft("one", 16))
    assert picks(draft)[1] == ["stage1#1-4"]
    divided = edits.set_blocks(draft, "stage1", 2)
    assert picks(divided)[1] == ["stage1#1-2"]
    assert entry_of(divided, divided["stages"][1]).sizes == (4,)
    assert picks(edits.set_blocks(divided, "stage1", 1))[1] == ["stage1#1-4"]


def test_a_removed_stage_takes_what_came_from_it_out_of_later_ones() -> None:
    draft = edits.remove_stage(fifteen(), "stage2")
    assert picks(draft) == [["seed:1-15"], []]
    assert found(draft, "nobody_comes").stage == "stage3"


def test_new_players_are_spread_evenly_and_typed_sizes_stay() -> None:
    draft = edits.set_players(fifteen(), 17)
    assert entry_of(draft, draft["stages"][0]).sizes == (6, 6, 5)
    assert draft["title"] == {"ja": "17人リーグ", "en": "League of 17"}
    typed = edits.set_players(edits.set_sizes(fifteen(), "stage1", (6, 5, 4)), 16)
    problem = found(typed, "places_differ")
    assert (problem.stage, problem.field) == ("stage1", "blocks")
    assert problem.fault.params == {"places": 15, "entrants": 16}


def test_only_proposed_titles_and_champions_follow() -> None:
    draft = edits.set_stage_title(fifteen(), "stage2", "山場")
    longer = edits.add_stage(draft)
    assert longer["stages"][1]["title"] == "山場"
    assert longer["champion"] == {"block": "stage4"}
    crowned = edits.set_champion(draft, None)
    assert "champion" not in edits.add_stage(crowned)


def test_it_offers_ranks_of_each_block_the_best_of_a_rank_and_the_rest_of_a_block() -> None:
    texts = {offer.pick.text: offer for offer in offers(fifteen(), "stage3")}
    assert {"stage1#3", "best:stage1#3", "best:stage1#3/1-2", "A#3-5", "stage2#5-6"} <= set(texts)
    assert texts["best:stage1#3/1-2"].count == 2
    assert texts["stage1#1-2"].is_used
    assert texts["best:stage1#1"].is_used
    assert not any(text.startswith("seed:") for text in texts)
    assert not offers(fifteen(), "stage1")


def test_the_best_third_makes_a_final_of_four_from_three_winners() -> None:
    draft = edits.add_stage(edits.set_blocks(edits.new_draft("best", 12), "stage1", 3))
    draft = edits.set_ranks(draft, "stage2", [(1, 1)])
    draft = edits.add_pick(draft, "stage2", "best:stage1#2")
    assert picks(draft)[1] == ["stage1#1", "best:stage1#2"]
    assert entry_of(draft, draft["stages"][1]).sizes == (4,)
    assert not problems(draft)


def test_hanchan_that_do_not_fill_tables_name_the_numbers_that_do() -> None:
    problem = found(edits.set_play(fifteen(), "stage1", 3, None, "rounds"), "tables_not_full")
    assert (problem.stage, problem.field, problem.fits) == ("stage1", "hanchan", (4,))
    sessions = found(edits.set_play(fifteen(), "stage1", 8, 3, "rounds"), "sessions_uneven")
    assert (sessions.field, sessions.fits) == ("sessions", (2, 4))


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (edits.set_carry(fifteen(), "stage1", "half"), "carry"),
        (edits.set_ranks(fifteen(), "stage2", [(5, 6)]), "entrants"),
        (edits.set_champion(fifteen(), "A"), "champion"),
        (edits.move_stage(fifteen(), "stage2", -1), "entrants"),
        (edits.remove_pick(fifteen(), "stage1", 0), "players"),
        (edits.set_sizes(fifteen(), "stage1", (12, 2, 1)), "blocks"),
    ],
    ids=["carry", "rank-beyond", "champion", "order", "seeds", "too-few"],
)
def test_a_fault_stands_at_the_field_that_causes_it(draft: Draft, field: str) -> None:
    assert field in {problem.field for problem in problems(draft)}


def test_a_text_that_only_text_can_mend_is_refused_with_its_faults() -> None:
    twice = format_toml(fifteen()).replace('key = "B"', 'key = "A"')
    with pytest.raises(FaultsError) as refused:
        read_draft(twice)
    assert "block_key_twice" in {fault.code for fault in refused.value.faults}
    with pytest.raises(FaultsError):
        read_draft("stages = 3")
    with pytest.raises(FaultsError):
        read_draft("= no TOML")


def test_a_text_with_more_places_than_can_be_checked_is_refused_at_once() -> None:
    many = ", ".join(['{ from = "seed:1-9999" }'] * 40)
    text = format_toml(fifteen()).replace('{ from = "seed:1-5" }', many)
    assert many in text
    with pytest.raises(FaultsError) as refused:
        read_draft(text)
    assert [fault.code for fault in refused.value.faults] == ["too_many_sources"]


def test_the_proposal_from_five_blocks_fills_a_table() -> None:
    draft = edits.add_stage(edits.set_blocks(edits.new_draft("five", 25), "stage1", 5))
    assert picks(draft)[1] == ["stage1#1"]
    assert not problems(draft)


def test_three_at_a_table_change_the_proposed_hanchan() -> None:
    draft = edits.set_table(fifteen(), 3)
    assert [stage["hanchan"] for stage in draft["stages"]] == [6, 3, 3]
    assert not problems(draft)


def test_points_by_share_and_rounds_of_a_text_stay_as_they_are() -> None:
    draft = edits.set_carry(fifteen(), "stage2", "part", "down")
    assert draft["stages"][1]["carry_over"] == {"kind": "part", "rounding": "down", "of": "1/3"}
    assert not problems(draft)
    planned = edits.new_draft("planned", 16)
    planned["stages"][0]["rounds"] = [{"numbers": "1-8", "by": "plan"}]
    assert not problems(edits.set_stage_title(planned, "stage1", "山場"))
    longer = edits.set_play(planned, "stage1", 12, 2, "rounds")
    assert longer["stages"][0]["rounds"] == [{"numbers": "1-12", "by": "plan"}]
    assert "rounds" not in edits.set_play(planned, "stage1", 8, 2, "stay")["stages"][0]


def open_event() -> Draft:
    """Return a draft for 16 to 120 players: five rounds, from the third by the standing, with byes."""
    draft = edits.set_play(edits.set_players(edits.new_draft("open", 16), 16, 120), "stage1", 5, 1, "rounds")
    draft = rounds.set_policies(draft, {"odd": {"by": "byes", "points": "average"}})
    return rounds.set_rounds(draft, "stage1", [(2, {"by": "plan"}), (5, {"by": "standing", "avoid": ["met"]})])


def test_a_swiss_of_open_size_gets_a_cut_a_crossed_semifinal_a_final_and_a_consolation() -> None:
    draft = continuations.knock_out(open_event(), "stage1", 16)
    assert titles(draft) == ["予選", "ベスト16", "準決勝", "決勝"]
    assert picks(draft) == [["seed:*"], ["stage1#1-16"], ["stage2#1-2"], ["stage3#1-2"]]
    assert [stage.get("arrange") for stage in draft["stages"]] == [None, "snake", "crossed", None]
    assert draft["title"] == {"ja": "16〜120人リーグ", "en": "League of 16 to 120"}
    assert not problems(draft)
    # With 16 players no one is left for a consolation, so it takes four more.
    places = continuations.consolation(draft, "stage1")
    assert places["entrants"] == {"least": 20, "most": 120}
    assert titles(places) == ["予選", "順位決定戦", "ベスト16", "準決勝", "決勝"]
    assert picks(places)[1] == ["stage1#17-*"]
    assert not problems(places)
    format_ = parse_format(format_toml(places), "built.toml")
    assert [close_roster(format_, count).size("stage5") for count in (20, 41, 120)] == [4, 25, 104]
    assert trial(format_, 1, entrants=41).champion is not None


def test_a_format_is_opened_and_closed_again_with_all_who_take_the_last_entrants() -> None:
    draft = continuations.consolation(continuations.knock_out(edits.new_draft("fixed", 32), "stage1", 8), "stage1")
    assert picks(draft)[:2] == [["seed:1-32"], ["stage1#9-32"]]
    opened = edits.set_players(draft, 24, 96)
    assert picks(opened)[:2] == [["seed:*"], ["stage1#9-*"]]
    assert {problem.fault.code for problem in problems(opened)} == {"size_not_full"}
    assert {problem.field for problem in problems(opened)} == {"players"}
    closed = edits.set_players(opened, 40)
    assert picks(closed)[:2] == [["seed:1-40"], ["stage1#9-40"]]
    assert not problems(closed)


@pytest.mark.parametrize(
    ("count", "tables"), [(8, [2, 1, 1, 1]), (16, [4, 2, 2, 2, 1, 1, 1]), (32, [8, 4, 4, 4, 2, 3, 1, 2, 1])]
)
def test_in_a_double_elimination_a_player_is_out_after_two_lower_halves(count: int, tables: list[int]) -> None:
    draft = continuations.double_elimination(edits.new_draft("double", 36), "stage1", count)
    assert not problems(draft)
    sides = draft["stages"][1:-1]
    assert [len(blocks_in(stage)) for stage in sides] == tables
    format_ = parse_format(format_toml(draft), "built.toml")
    losses: dict[str, int] = {}
    """The number of times an entrant of each rank has been in the lower half of a table."""
    for stage in format_.stages[1:]:
        for block in stage.blocks:
            before = {losses.get(str(source), 0) for source in format_.sources(block.key)}
            for rank in (1, 2, 3, 4):
                losses[f"{block.key}#{rank}"] = max(before) + (rank > 2)
    assert {losses[str(source)] for source in format_.sources(format_.stages[-1].key)} == {0, 1}
    going = {
        str(source) for stage in format_.stages[2:] for block in stage.blocks for source in format_.sources(block.key)
    }
    final = {f"{format_.stages[-1].key}#{rank}" for rank in (1, 2, 3, 4)}
    assert {rank for rank, lost in losses.items() if lost < 2} - final == going
    assert trial(format_, 1).champion is not None


def test_tables_take_their_number_from_their_entrants_and_keep_who_goes_on() -> None:
    draft = edits.set_ranks(edits.add_stage(edits.new_draft("tables", 32)), "stage2", [(1, 16)])
    draft = edits.add_stage(edits.set_places(draft, "stage2", is_tables=True))
    assert len(blocks_in(draft["stages"][1])) == 4
    assert picks(draft)[2] == ["stage2#1"]
    fewer = edits.set_ranks(draft, "stage2", [(1, 8)])
    assert [block["title"]["ja"] for block in blocks_in(fewer["stages"][1])] == ["準決勝1卓", "準決勝2卓"]
    assert not problems(edits.set_ranks(fewer, "stage3", [(1, 2)]))
    wrong = found(edits.set_blocks(fewer, "stage2", 3), "seats_and_entrants")
    assert (wrong.stage, wrong.field, wrong.fits) == ("stage2", "blocks", (2,))
    assert found(edits.set_arrange(fewer, "stage2", Arrangement.CROSSED), "crossed_sources").field == "blocks"
    blocks = edits.set_places(fewer, "stage2", is_tables=False)
    assert [block["key"] for block in blocks["stages"][1]["blocks"]] == ["A", "B"]
    assert picks(blocks)[2] == ["stage2#1"]


def test_parts_of_the_rounds_cover_every_hanchan_whatever_is_changed() -> None:
    def parts(draft: Draft) -> list[tuple[str, str]]:
        return [(plan["numbers"], plan["by"]) for plan in draft["stages"][0].get("rounds", [])]

    draft = open_event()
    assert parts(draft) == [("1-2", "plan"), ("3-5", "standing")]
    assert parts(edits.set_play(draft, "stage1", 8, 1, "rounds")) == [("1-2", "plan"), ("3-8", "standing")]
    assert parts(edits.set_play(draft, "stage1", 2, 1, "rounds")) == [("1-2", "plan")]
    assert parts(rounds.add_part(draft, "stage1")) == [("1-2", "plan"), ("3", "standing"), ("4-5", "standing")]
    assert parts(rounds.remove_part(draft, "stage1", 0)) == [("1-5", "standing")]
    assert parts(rounds.remove_part(draft, "stage1", 1)) == [("1-5", "plan")]
    early = found(rounds.remove_part(draft, "stage1", 0), "standing_too_early")
    assert (early.stage, early.field) == ("stage1", "rounds")
    usual = edits.new_draft("usual", 16)
    assert "rounds" not in rounds.set_rounds(usual, "stage1", [(8, {"by": "plan"})])["stages"][0]
    assert rounds.set_rounds(usual, "stage1", [(8, {"by": "draw"})])["stages"][0]["rounds"] == [
        {"by": "draw", "numbers": "1-8"}
    ]


def test_ways_on_are_offered_where_tables_are_filled_and_the_best_are_free() -> None:
    draft = edits.new_draft("ways", 20)
    ways = continuations.onward(draft, "stage1")
    assert (ways.cuts, ways.knock_outs, ways.eliminations) == ((8, 16), (8, 16), (8, 16))
    assert (ways.has_final, ways.has_consolation) == (True, False)
    cut = continuations.cut(draft, "stage1", 8)
    assert continuations.onward(cut, "stage1") == continuations.Onward(has_consolation=True)
    assert continuations.onward(edits.set_table(draft, 3), "stage1").knock_outs == ()
    final = continuations.final(edits.set_blocks(edits.new_draft("three", 24), "stage1", 3), "stage1")
    assert picks(final)[1] == ["stage1#1", "best:stage1#2"]
    assert final["stages"][1]["carry_over"] == {"kind": "full"}
    assert continuations.knock_out(draft, "stage1", 20) == draft
