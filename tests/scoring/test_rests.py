"""The n-th hanchan of each entrant in a block where some rest."""

from __future__ import annotations

from rulesets.formats import load_format
from scoring.rests import Rounds, has_rests
from scoring.standings import rank
from scoring.tiebreak import Played, Row, TieBreak, TiebreakStep

BACK = TieBreak(back_tracking=(TiebreakStep.model_validate({"by": "points"}, strict=False),))


def played(hanchan: int, points: int = 0) -> Played:
    return Played(0, points, 1, 25000, hanchan)


def test_a_block_has_rests_if_its_entrants_do_not_fill_the_tables() -> None:
    cinderella, open_play = load_format("cinderella"), load_format("open-play")
    assert not has_rests(cinderella, "A", 4)
    assert has_rests(cinderella, "A", 3)
    assert not has_rests(open_play, "open", 4)
    assert has_rests(load_format("mleague-2025"), "regular", 4), "each fixture leaves some teams out"


def test_an_entrants_own_number_counts_the_hanchan_before_it_in_running_order() -> None:
    rounds = Rounds({11: (3, 11), 12: (1, 12), 13: (2, 13)})
    found = rounds.numbered({"hana": [played(11), played(12)], "yuki": [played(13), played(11)]})
    assert [(game.ref, game.number) for game in found["hana"]] == [(12, 1), (11, 2)]
    assert [(game.ref, game.number) for game in found["yuki"]] == [(13, 1), (11, 2)]


def test_a_scheduled_hanchan_without_a_result_leaves_a_gap_for_its_entrants_alone() -> None:
    rounds = Rounds({11: (1, 11), 12: (2, 12)}, {11: ("hana", "rin")})
    found = rounds.numbered({"hana": [played(12)], "yuki": [played(12)]})
    assert [game.number for game in found["hana"]] == [2]
    assert [game.number for game in found["yuki"]] == [1]
    assert rounds.own_numbers("hana", [12]) == {11: 1, 12: 2}
    assert rounds.own_number("hana", [12], 13, (3, 13)) == 3
    assert rounds.own_number("yuki", [12], 13, (3, 13)) == 2
    assert rounds.own_number("hana", [12], 11, (1, 11)) == 1
    filled = rounds.with_result(11, (1, 11)).numbered({"hana": [played(12)], "rin": [played(11)]})
    assert [game.number for game in filled["hana"]] == [1]
    assert [game.number for game in filled["rin"]] == [1]


def test_equal_running_numbers_are_ordered_by_hanchan() -> None:
    rounds = Rounds({12: (1, 12), 11: (1, 11)})
    assert [game.ref for game in rounds.numbered({"hana": [played(12), played(11)]})["hana"]] == [11, 12]


def test_a_tie_is_broken_by_the_last_hanchan_that_both_have_played_whatever_their_rounds() -> None:
    # hana's second hanchan is missing: her third is compared with yuki's third, not with yuki's second.
    rounds = Rounds({n: (n, n) for n in range(1, 7)}, {3: ("hana",)})
    found = rounds.numbered(
        {"hana": [played(1, 10), played(5, 30)], "yuki": [played(2, 25), played(4, -15), played(6, 30)]}
    )
    rows = [Row(entrant, games) for entrant, games in found.items()]
    standings = rank(rows, BACK)
    assert [game.number for game in found["hana"]] == [1, 3]
    assert [(each.above, each.number) for each in standings.decisions] == [("yuki", 1)]
