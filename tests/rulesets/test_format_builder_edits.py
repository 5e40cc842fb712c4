"""Test what follows from single edits of a draft: titles, blocks, sources; and edits that change nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulesets.format_builder import continuations, edits, rounds
from rulesets.format_builder.checking import drawn, is_only_beyond, problems, read_draft
from rulesets.format_builder.offers import offers
from rulesets.format_builder.picks import Draft, Spread, blocks_in, entry_of, pick_of
from rulesets.format_toml import format_toml
from scoring.format import Arrangement
from scoring.ruleset import FaultsError


def picks(draft: Draft, place: int) -> list[str]:
    """Return the entrants of the stage at this place, from 0, as texts."""
    return [pick.text for pick in entry_of(draft, draft["stages"][place]).picks]


def two_stages(players: int = 16, blocks: int = 1) -> Draft:
    """Return a first stage of some blocks and a stage after it, as proposed."""
    return edits.add_stage(edits.set_blocks(edits.new_draft("edited", players), "stage1", blocks))


def with_tables() -> Draft:
    """Return a draft whose second stage has the best 16 of 32 at four tables."""
    return edits.set_places(
        edits.set_ranks(edits.add_stage(edits.new_draft("tables", 32)), "stage2", [(1, 16)]), "stage2", is_tables=True
    )


def opened() -> Draft:
    """Return a draft of 24 to 96 players with a stage for those who do not go on."""
    draft = continuations.consolation(continuations.knock_out(edits.new_draft("open", 32), "stage1", 8), "stage1")
    return edits.set_players(draft, 24, 96)


def words(stage: Draft) -> list[str]:
    """Return the Japanese titles of the blocks of a stage."""
    return [title["ja"] if isinstance(title := block["title"], dict) else title for block in blocks_in(stage)]


def full() -> Draft:
    """Return a draft with as many stages as a format may have."""
    draft = edits.new_draft("long", 64)
    for _ in range(edits.MOST_STAGES - 1):
        draft = edits.add_stage(draft)
    return edits.remove_pick(draft, "stage2", 0)


def test_a_format_with_the_most_stages_gets_no_more() -> None:
    draft = full()
    assert len(draft["stages"]) == edits.MOST_STAGES
    assert edits.add_stage(draft) == draft
    assert continuations.cut(draft, "stage1", 8) == draft
    assert continuations.knock_out(draft, "stage1", 8) == draft
    assert continuations.double_elimination(draft, "stage1", 8) == draft


@pytest.mark.parametrize(
    ("draft", "edited"),
    [
        (two_stages(blocks=2), lambda draft: edits.set_sizes(draft, "stage1", (16,))),
        (with_tables(), lambda draft: edits.set_sizes(draft, "stage2", (4, 4, 4, 4))),
        (two_stages(), lambda draft: edits.add_pick(draft, "stage2", "the best")),
        (two_stages(), lambda draft: edits.add_pick(draft, "stage2", "stage9#2-*")),
        (two_stages(), lambda draft: edits.set_ranks(draft, "stage2", [(1, 2), (3, 4)])),
        (two_stages(), lambda draft: edits.set_block_title(draft, "stage1", 1, "山場")),
        (two_stages(), lambda draft: rounds.set_rounds(draft, "stage2", [(2, {"by": "standing"})])),
        (two_stages(), lambda draft: continuations.final(draft, "stage2")),
        (two_stages(), lambda draft: continuations.double_elimination(draft, "stage2", 8)),
        (two_stages(), lambda draft: continuations.consolation(draft, "stage2")),
        (edits.new_draft("one", 16), lambda draft: edits.remove_stage(draft, "stage1")),
        (two_stages(), lambda draft: edits.set_places(draft, "stage2", is_tables=False)),
        (two_stages(), lambda draft: edits.set_arrange(draft, "stage2", Arrangement.CROSSED)),
        (two_stages(), lambda draft: edits.set_spread(draft, "stage2", Spread.SNAKE)),
        (two_stages(), lambda draft: edits.move_pick(draft, "stage2", 1, -1)),
        (two_stages(), lambda draft: rounds.add_part(draft, "stage2")),
        (two_stages(), lambda draft: rounds.remove_part(draft, "stage1", 1)),
    ],
    ids=[
        *("sizes", "sizes-of-tables", "no-pick", "unknown-stage", "ranks", "block", "rounds-of-one-table", "final"),
        *("elimination", "consolation", "only-stage", "places", "arrange", "spread", "pick", "part", "no-part"),
    ],
)
def test_an_edit_that_does_not_fit_the_draft_changes_nothing(draft: Draft, edited: Callable[[Draft], Draft]) -> None:
    assert edited(draft) == draft


def test_titles_of_blocks_and_tables_follow_the_stage_unless_they_were_typed() -> None:
    draft = edits.set_blocks(two_stages(), "stage2", 2)
    assert words(draft["stages"][1]) == ["準決勝A", "準決勝B"]
    typed = edits.set_block_title(draft, "stage2", 1, "裏")
    assert words(edits.set_stage_title(typed, "stage2", "山場")["stages"][1]) == ["山場A", "裏"]
    assert words(edits.add_stage(edits.add_stage(typed))["stages"][1]) == ["準々決勝A", "裏"]
    tables = edits.set_stage_title(with_tables(), "stage2", "山場")
    assert words(tables["stages"][1]) == ["山場1卓", "山場2卓", "山場3卓", "山場4卓"]
    assert edits.set_title(draft, "春の陣")["title"] == "春の陣"


def test_a_title_of_tables_in_one_language_is_numbered_too() -> None:
    draft = with_tables()
    draft["stages"][1]["tables"]["title"] = "卓{n}"
    assert words(read_draft(format_toml(draft))["stages"][1]) == ["卓1", "卓2", "卓3", "卓4"]


def test_with_fewer_blocks_a_stage_after_them_loses_what_came_from_blocks_that_are_gone() -> None:
    draft = edits.set_ranks(two_stages(12, 3), "stage2", [(1, 1)])
    draft = edits.add_pick(edits.add_pick(draft, "stage2", "best:stage1#2/1-2"), "stage2", "C#3")
    assert picks(edits.set_blocks(draft, "stage1", 2), 1) == ["stage1#1", "best:stage1#2/1-2"]
    assert picks(edits.set_blocks(draft, "stage1", 1), 1) == ["stage1#1-3"]


def test_a_stage_that_was_removed_leaves_its_key_to_no_other_one() -> None:
    draft = edits.add_stage(edits.remove_stage(edits.add_stage(two_stages(24)), "stage1"))
    assert [stage["key"] for stage in draft["stages"]] == ["stage2", "stage3", "stage4"]


def test_tables_of_three_say_their_size() -> None:
    draft = edits.set_ranks(edits.add_stage(edits.new_draft("three", 12, 3)), "stage2", [(1, 6)])
    draft = edits.set_places(draft, "stage2", is_tables=True)
    assert draft["stages"][1]["tables"] | {"title": ""} == {"key": "stage2-", "count": 2, "size": 3, "title": ""}
    assert not problems(draft)


def test_points_by_place_are_zero_until_they_are_typed() -> None:
    draft = edits.set_carry(two_stages(), "stage2", "table")
    assert draft["stages"][1]["carry_over"] == {"kind": "table", "points": [0, 0, 0, 0]}
    typed = edits.set_carry(draft, "stage2", "table", points=(30, 20, 10, 0))
    assert typed["stages"][1]["carry_over"] == {"kind": "table", "points": [30, 20, 10, 0]}
    assert not problems(typed)


def test_criteria_for_equal_totals_keep_their_clauses_and_the_last_ones_can_be_taken_out() -> None:
    draft = two_stages()
    draft["tiebreak"] = {"back_tracking": [{"by": "points", "clauses": ["W-1"]}, {"by": "place"}]}
    changed = edits.set_tiebreak(draft, ("score", "points", "score"))
    assert changed["tiebreak"] == {"back_tracking": [{"by": "score"}, {"by": "points", "clauses": ["W-1"]}]}
    further = rounds.set_further(changed, ("places", "seed"))
    assert further["tiebreak"]["then"] == ["places", "seed"]
    assert rounds.set_further(further, ()) == changed


def test_the_best_of_a_rank_are_offered_no_more_with_that_rank() -> None:
    draft = edits.set_ranks(two_stages(12, 3), "stage2", [(1, 1)])
    draft = edits.add_stage(edits.add_pick(draft, "stage2", "best:stage1#2"))
    on_offer = {offer.pick.text: offer.is_used for offer in offers(draft, "stage3")}
    assert (on_offer["A#3"], on_offer["best:stage1#2/1-2"]) == (False, True)
    assert "A#2" not in on_offer


def test_all_from_a_rank_on_are_offered_until_a_stage_takes_them() -> None:
    draft = opened()
    assert picks(draft, 1) == ["stage1#9-*"]
    own = [offer.pick.text for offer in offers(draft, "stage2")]
    assert not any(text.startswith("stage1") and text.endswith("*") for text in own)
    free = edits.remove_pick(draft, "stage4", 0)
    assert "stage1#9-*" in {offer.pick.text for offer in offers(free, "stage2")}


def test_all_from_a_rank_on_can_be_named_in_any_stage_after_theirs() -> None:
    draft = edits.add_stage(opened())
    last = draft["stages"][-1]
    found = pick_of("stage4#5-*", draft, last)
    assert found is not None
    assert (found.first, found.last, found.is_rest) == (5, 16, True)
    assert pick_of("stage4#5-*", draft, draft["stages"][1]) is None
    assert pick_of("stage9#5-*", draft, last) is None


def test_a_stage_moved_before_the_one_it_takes_the_rest_of_has_a_fault_at_its_entrants() -> None:
    draft = edits.move_stage(opened(), "stage4", -1)
    assert picks(draft, 0) == []
    assert ("stage4", "entrants", "nobody_comes") in {
        (each.stage, each.field, each.fault.code) for each in problems(draft)
    }


def test_only_the_text_shows_many_tables_and_blocks_whose_size_depends_on_the_entrants() -> None:
    many = with_tables()
    many["stages"][1]["tables"]["count"] = 65
    growing = edits.set_blocks(opened(), "stage4", 2)
    growing["stages"][1]["blocks"][1]["entrants"] = [{"from": "stage1#17-*"}]
    for draft, value in ((many, 65), (growing, "stage1#17-*")):
        with pytest.raises(FaultsError) as refused:
            read_draft(format_toml(draft))
        assert [(fault.code, fault.value) for fault in refused.value.faults] == [("only_as_text", value)]
        assert is_only_beyond(refused.value.faults)
    with pytest.raises(FaultsError) as wrong:
        read_draft("stages = 3")
    assert not is_only_beyond(wrong.value.faults)
    # The rest of such a draft can still be edited: what is not shown is passed over.
    assert entry_of(growing, growing["stages"][1]).sizes == (8, 0)


def test_entrants_who_do_not_fill_their_tables_are_drawn_one_table_after_another() -> None:
    draft = edits.set_blocks(with_tables(), "stage2", 3)
    found = drawn(draft)
    tables = [block for block in found.blocks if block.startswith("stage2-")]
    assert [[str(each) for each in found.sources(table)][::3] for table in tables] == [
        ["stage1#1", "stage1#4"],
        ["stage1#5", "stage1#8"],
        ["stage1#9", "stage1#12"],
    ]


def test_the_best_and_the_others_of_several_blocks_are_equal_ranks_of_each() -> None:
    final = continuations.final(edits.set_blocks(edits.new_draft("two", 16), "stage1", 2), "stage1")
    assert picks(final, 1) == ["stage1#1-2"]
    places = continuations.consolation(final, "stage1")
    assert picks(places, 1) == ["stage1#3-8"]
    assert "rounds" not in places["stages"][1]
    assert not problems(places)


def test_one_table_of_others_stays_together() -> None:
    final = continuations.final(edits.new_draft("eight", 8), "stage1")
    places = continuations.consolation(final, "stage1")
    assert (picks(places, 1), places["stages"][1]["seating"]) == (["stage1#5-8"], "stay")


def test_blocks_of_different_sizes_have_no_equal_ranks_of_others() -> None:
    draft = continuations.final(edits.set_blocks(edits.new_draft("uneven", 17), "stage1", 3), "stage1")
    assert not continuations.onward(draft, "stage1").has_consolation
    assert continuations.consolation(draft, "stage1") == draft


def test_hanchan_of_tables_that_stay_together_are_proposed_for_whole_sessions() -> None:
    draft = edits.set_play(edits.new_draft("six", 6), "stage1", 6, 3, "stay")
    (problem,) = (each for each in problems(draft) if each.fault.code == "tables_not_full")
    assert (problem.field, problem.fits) == ("hanchan", (8, 4))


def test_seeds_of_a_later_stage_end_with_fewer_players_and_free_ones_are_offered() -> None:
    draft = edits.add_stage(edits.set_ranks(edits.new_draft("late", 16), "stage1", [(1, 8)]))
    assert "seed:9-16" in {offer.pick.text for offer in offers(draft, "stage2")}
    draft = edits.add_pick(draft, "stage2", "seed:9-12")
    assert picks(edits.set_players(draft, 10), 1) == ["stage1#1-4", "seed:9-10"]
    assert picks(edits.move_pick(draft, "stage2", 1, -1), 1) == ["seed:9-12", "stage1#1-4"]


def test_other_ranks_of_as_many_entrants_keep_the_tables() -> None:
    draft = edits.set_ranks(with_tables(), "stage2", [(3, 18)])
    assert (picks(draft, 1), len(blocks_in(draft["stages"][1]))) == (["stage1#3-18"], 4)


def test_the_last_policy_taken_out_leaves_no_table_of_them() -> None:
    draft = rounds.set_policies(two_stages(), {"odd": {"by": "refuse"}, "late": {"worth": 0}})
    draft = rounds.set_policies(draft, {"odd": None})
    assert draft["policies"] == {"late": {"worth": 0}}
    assert "policies" not in rounds.set_policies(draft, {"late": None})


def test_a_stage_that_is_not_there_cannot_be_edited() -> None:
    with pytest.raises(KeyError, match="stage9"):
        edits.set_spread(two_stages(), "stage9", Spread.SNAKE)
