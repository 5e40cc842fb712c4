"""Consistency checks of rulesets: each contradiction is reported at its key, with the allowed values."""

from typing import Any

import pytest

from rulesets import loader
from scoring.ruleset import Fault, Ruleset
from scoring.ruleset.faults import faults_of
from scoring.ruleset.paths import put


def faults(name: str, *changes: tuple[str, object], without: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the faults, by key, of a ruleset with some values changed and some tables left out."""
    data = loader.load(name).data()
    data["options"] = {}
    for path, value in changes:
        put(data, path, value)
    for path in without:
        *tables, last = path.split(".")
        node: Any = data
        for part in tables:
            node = node[part]
        del node[last]
    return {fault.key: fault.message for fault in told(data)}


def told(data: dict[str, Any]) -> tuple[Fault, ...]:
    try:
        Ruleset.model_validate(data, strict=False)
    except ValueError as error:
        return faults_of(error, Ruleset, data, "changed")  # type: ignore[arg-type]
    return ()


LATE = {
    "key": "late",
    "title": {"ja": "遅刻", "en": "Late"},
    "least": 1,
    "most": 10,
    "step": 3,
    "clauses": ["CL-001"],
}


def test_the_built_in_rulesets_are_consistent() -> None:
    for name in loader.names():
        assert faults(name) == {}


@pytest.mark.parametrize(
    ("name", "changes", "key", "message"),
    [
        ("banchi4", [("ledgers.g.ranks", True)], "ledgers", "exactly one ledger must rank"),
        ("banchi4", [("ledgers.points.ranks", False)], "ledgers", "exactly one ledger must rank"),
        ("banchi4", [("ledgers.g.key", "points")], "ledgers", "declared only once"),
        ("banchi4", [("ledgers.g.key", "table")], "ledgers", "kept for points on the table"),
        ("banchi4", [("ledgers.g.step", 0)], "ledgers.g.step", "must be more than 0 where amounts are entered"),
        ("banchi4", [("play.chips.rules.ledger", "p")], "play.chips.rules.ledger", "declared are: g, points"),
        ("cinderella", [("play.several_winners.three", "draw")], "play.several_winners", "abortive.triple_ron"),
        ("cinderella", [("play.draws.noten.pool", 1000)], "play.draws.noten.pool", "shared among 3 players"),
        ("cinderella", [("settlement.chonbo.ledger", "x")], "settlement.chonbo.ledger", "declared are: points"),
        ("cinderella", [("settlement.conversion.ledger", "x")], "settlement.conversion.ledger", "no such ledger"),
        ("superbingo", [("play.tulip.kakuhen.of", ["7p", "7m"])], "play.tulip.kakuhen.of", "no such tiles"),
        ("cinderella", [("setup.seat_winds", ["E", "S", "W"])], "setup.seat_winds", "have the winds E, S, W, N"),
        ("cinderella", [("setup.start", 25050)], "setup.start", "multiple of entry.unit (100)"),
        ("cinderella", [("settlement.uma.amounts", [20, 10, -30])], "settlement.uma.amounts", "as many amounts"),
        ("banchi4", [("settlement.uma.amounts", [])], "settlement.uma.amounts", "as many amounts"),
        ("cinderella", [("settlement.uma.amounts", [20, 10, -10, 0])], "settlement.uma.amounts", "must add up to 0"),
        ("cinderella", [("settlement.rounding.step", "0.05")], "settlement.rounding.step", "multiples of 1/10"),
        ("cinderella", [("settlement.rounding.policy", "exact")], "settlement.rounding.policy", "multiples of 1/10"),
        ("cinderella", [("settlement.chonbo.amount", "0.25")], "settlement.chonbo.amount", "multiples of 1/10"),
        ("banchi4", [("settlement.conversion.worth", "0.5")], "settlement.conversion.worth", "multiples of 1/10"),
        ("banchi3", [("settlement.fees.each", "0.5")], "settlement.fees.each", "multiples of 1/1"),
        ("banchi3", [("settlement.fees.top", "0.5")], "settlement.fees.top", "multiples of 1/1"),
        ("banchi3", [("settlement.sinking_uma.amount", 10)], "settlement.sinking_uma.amount", "multiples of 1/1"),
        ("kansai3", [("settlement.tobi.amount", "0.25")], "settlement.tobi.amount", "multiples of 1/10"),
        ("boo", [("settlement.top_payment.stake.A", "0.5")], "settlement.top_payment", "multiples of 1/1"),
        (
            "tenhou4",
            [("settlement.rounding.policy", "scores_nearest"), ("settlement.uma.amounts", ["1.25", 0, 0, "-1.25"])],
            "settlement.uma.amounts",
            "multiples of 1/10",
        ),
        ("banchi3", [("settlement.balance_to_top", False)], "settlement.balance_to_top", "leaves the top the rest"),
        ("banchi3", [("settlement.placing.ties", "shared")], "settlement.placing.ties", "must be by_seat"),
        ("superbingo", [("settlement.placing.ties", "shared")], "settlement.placing.ties", "places pay one another"),
        ("superbingo", [("settlement.place_payments.place", 4)], "settlement.place_payments.place", "from 1 to 3"),
        (
            "superbingo",
            [("settlement.place_payments.reached", [{"payer": 4, "receiver": 1, "amount": 50}])],
            "settlement.place_payments.reached.0",
            "two different places from 1 to 3",
        ),
        (
            "superbingo",
            [("settlement.place_payments.missed", [{"payer": 2, "receiver": 2, "amount": 50}])],
            "settlement.place_payments.missed.0",
            "two different places",
        ),
        ("banchi4", [("end.target.score", 25000)], "end.target.score", "must be above the start (25000)"),
        ("cinderella", [("settlement.penalties", [LATE, LATE])], "settlement.penalties", "listed only once"),
        ("cinderella", [("settlement.penalties", [LATE | {"step": "0.05"}])], "settlement.penalties.late", "1/10"),
        ("cinderella", [("settlement.penalties", [LATE | {"most": 8}])], "settlement.penalties.late", "whole steps"),
        (
            "cinderella",
            [("settlement.penalties", [LATE | {"least": 20}])],
            "settlement.penalties.late",
            "least <= most",
        ),
        ("banchi4", [("end.dealer_stop.automatic_at", 2)], "end.dealer_stop", "less than worst_place"),
        ("tenhou4", [("end.dealer_stop.automatic_at", 1)], "end.dealer_stop", "needs automatic = false"),
        (
            "tenhou4",
            [("play.calls.kan_after_riichi", "never"), ("play.calls.kan_after_riichi_must", True)],
            "play.calls",
            "a kan that is possible",
        ),
        ("tenhou4", [("settlement.rounding.halves", "towards_zero")], "settlement.rounding", "nearest step"),
        (
            "cinderella",
            [("play.penalties.chonbo.after.game", "ends"), ("play.penalties.chonbo.after.stakes_returned", False)],
            "play.penalties.chonbo.after",
            "needs stakes_returned",
        ),
        ("banchi4", [("end.dealer_stop.worst_place", 5)], "end.dealer_stop.worst_place", "at most 4"),
        ("banchi4", [("end.extension.rounds", ["E"])], "end.extension.rounds", "played anyway"),
        ("kansai3", [("end.bust.line", "never")], "end.bust.line", "prize for going out"),
        ("cinderella", [("play.renchan.rounds", {"E": "win"})], "play.renchan.rounds", "an entry for: S"),
        (
            "kansai3",
            [("play.penalties.chonbo.after.dealer_offends", {"E": "moves", "S": "stays"})],
            "play.penalties.chonbo.after.dealer_offends",
            "an entry for: RE",
        ),
        ("banchi4", [("end.extension.rounds", ["W"])], "setup.round_winds", "an entry for: W"),
        ("cinderella", [("play.riichi.stake", 500)], "settlement.kyoutaku.unit", "must be the riichi stake (500)"),
        (
            "banchi4",
            [("settlement.kyoutaku.receiver", "shared")],
            "settlement.kyoutaku.receiver",
            "needs settlement.placing.ties = shared",
        ),
        (
            "cinderella",
            [("play.yaku.honitsu.counts", "mangan"), ("play.value.limits", [])],
            "play.yaku.honitsu.counts",
            "needs a limit named mangan",
        ),
        (
            "banchi3",
            [("play.penalties.offences.win_called_only.in_riichi", "noted")],
            "play.penalties.offences.win_called_only.in_riichi",
            "must be a listed offence with by_riichi = true",
        ),
        (
            "banchi3",
            [("play.penalties.offences.win_called_only.in_riichi", "swap_call")],
            "play.penalties.offences.win_called_only.in_riichi",
            "must be a listed offence with by_riichi = true",
        ),
        (
            "superbingo",
            [("play.riichi.open.unforced_offence", "winking")],
            "play.riichi.open.unforced_offence",
            "there is no such offence; listed are: mistaken_call_taken_back",
        ),
        ("boo", [("play.riichi.stake", 1000)], "settlement.kyoutaku", "who gets the riichi stakes"),
        ("boo", [("play.value.yakuman.effect", "instant_top")], "play.value.yakuman.effect", "go together"),
        ("cinderella", [("settlement.uma.clauses", ["CL-146"])], "settlement.uma.clauses", "the book has CL-001..145"),
        ("cinderella", [("ledgers.points.clauses", ["CL-146"])], "ledgers.points.clauses", "the book has CL-001..145"),
        ("mleague", [("settlement.uma.clauses", ["ML-008"])], "settlement.uma.clauses", "ML-007"),
    ],
)
def test_contradictions_between_tables_are_refused(
    name: str, changes: list[tuple[str, object]], key: str, message: str
) -> None:
    assert message in faults(name, *changes)[key]


def borrowed(name: str, *path: str) -> dict[str, Any]:
    """Return a table of another ruleset, citing the first clause of cinderella."""
    table: Any = loader.load(name).data()
    for part in path:
        table = table[part]
    return {**table, "clauses": ["CL-001"]}


def test_tiles_set_aside_must_be_in_the_wall() -> None:
    found = faults("cinderella", ("play.nuki.bingo", borrowed("superbingo", "play", "nuki", "bingo")))
    assert found == {"play.nuki.bingo": "there are no such tiles"}


def test_a_pocchi_needs_a_rule_for_what_it_stands_for() -> None:
    assert "what the pocchi stands for" in faults("banchi3", without=("play.pocchi",))["play.pocchi"]


def test_a_tulip_needs_chips_and_its_bonus_tiles_must_stand_for_existing_tiles() -> None:
    assert "needs play.chips" in faults("superbingo", without=("play.chips",))["play.tulip"]
    key = "play.tulip.joining.stands_for"
    assert faults("superbingo", (key, {"red": "5m"})) == {key: "there are no such tiles"}
    bingo = ("play.tiles.bingo", {"red": 4})
    assert faults("superbingo", bingo) == {key: "there are no such bonus tiles"}


def test_printed_tables_are_for_three_players() -> None:
    table = borrowed("kansai3", "play", "payments", "tsumo_table")
    found = faults("cinderella", ("play.payments.tsumo", "table"), ("play.payments.tsumo_table", table))
    assert found == {"play.payments.tsumo": "printed tables are for three players"}


@pytest.mark.parametrize("flowers", [1, 4])
def test_flowers_need_a_rule_for_setting_them_aside(flowers: int) -> None:
    total = 108 + flowers
    changes = (("play.tiles.flowers", flowers), ("play.tiles.total", total))
    assert "flower" in faults("kansai3", *changes, without=("play.nuki",))["play.nuki"]


def test_rounding_may_be_exact_where_all_shared_places_divide_evenly() -> None:
    uma = ("settlement.uma.amounts", [30, -10, -10, -10])
    assert faults("cinderella", uma, ("settlement.rounding.policy", "exact")) == {}


def test_legality_tests_need_a_top_payment_with_an_origin() -> None:
    found = faults("cinderella", ("play.legality", borrowed("boo", "play", "legality")))
    assert found == {"play.legality": "needs settlement.top_payment, which says who floats"}


@pytest.mark.parametrize(
    ("name", "path", "value", "key", "message"),
    [
        ("cinderella", "setup.return", 20000, "setup", "return must be at least start (25000)"),
        ("cinderella", "setup.round_winds", {"E": ["E"]}, "setup", "the round winds of S"),
        ("cinderella", "entry.warn_below", 110000, "entry", "warn_below must be less"),
        ("cinderella", "settlement.rounding.step", 0, "settlement.rounding", "step must be more than zero"),
        ("cinderella", "settlement.uma.clauses", [], "settlement.uma.clauses", "must not be empty"),
        ("cinderella", "play.tiles.total", 135, "play.tiles", "the kinds make 136 tiles"),
        ("cinderella", "play.tiles.red", {"m": 5}, "play.tiles", "5 coloured fives of m, but 4 fives"),
        ("banchi3", "play.tiles.red", {"m": 1}, "play.tiles", "1 coloured fives of m, but 0 fives"),
        ("cinderella", "play.payments.tsumo", "table", "play.payments", "needs a tsumo_table"),
        (
            "kansai3",
            "play.payments.tsumo_table.dealer",
            [[3000, 2000], [2000, 1000]],
            "play.payments.tsumo_table",
            "rise",
        ),
        ("cinderella", "play.yaku.riichi.open", 2, "play.yaku.riichi", "worth more than a closed one"),
        (
            "boo",
            "settlement.top_payment",
            {
                "ledger": "units",
                "origin": 2000,
                "stake": {"A": 1, "B": 1, "C": 1},
                "fee": {"A": 0, "B": 0, "C": 0},
                "gentsuu": "own_fee",
                "forced_top": False,
                "clauses": ["BOO-026"],
            },
            "settlement.top_payment",
            'gentsuu = "own_fee" needs fee.gentsuu',
        ),
    ],
)
def test_contradictions_within_a_table_are_refused(name: str, path: str, value: object, key: str, message: str) -> None:
    assert message in faults(name, (path, value))[key]


def test_limits_must_rise() -> None:
    limits = loader.load("cinderella").data()["play"]["value"]["limits"]
    assert "limits must rise" in faults("cinderella", ("play.value.limits", limits[::-1]))["play.value"]


def test_settlement_steps_on_scores_need_a_conversion() -> None:
    found = faults("cinderella", without=("settlement.conversion",))
    assert "oka, uma, rounding need a conversion" in found["settlement"]


def test_a_ruleset_with_a_return_score_needs_no_oka() -> None:
    assert faults("kansai3", without=("settlement.oka",)) == {}


def test_several_contradictions_are_reported_at_once() -> None:
    found = faults(
        "cinderella",
        ("settlement.uma.amounts", [20, 10, -10]),
        ("settlement.kyoutaku.unit", 500),
        ("end.bust.clauses", ["XX-001"]),
    )
    assert set(found) == {"settlement.uma.amounts", "settlement.kyoutaku.unit", "end.bust.clauses"}
    assert "need as many amounts; must add up to 0" in found["settlement.uma.amounts"]


def test_tiles_are_listed_by_kind() -> None:
    play = loader.load("banchi3").play
    assert play is not None
    assert play.tiles.listed()[:3] == ("1m", "9m", "1p")
    assert len(play.tiles.listed()) == 27


def test_only_a_chonbo_may_be_judged_at_the_draw() -> None:
    data = loader.load("cinderella").data()
    data["play"]["penalties"]["offences"].append(
        {"key": "late_fine", "penalty": "fine", "judged": "at_draw", "clauses": ["CL-084"]}
    )
    assert [each.message for each in told(data)] == ["only a chonbo waits for the draw; every other penalty is at_once"]


def test_a_dead_hand_with_a_chonbo_must_be_judged_at_the_draw() -> None:
    data = loader.load("cinderella").data()
    data["play"]["penalties"]["offences"].append(
        {"key": "early", "penalty": "dead_hand_and_chonbo", "judged": "at_once", "clauses": ["CL-084"]}
    )
    (found,) = told(data)
    assert found.message == "dead_hand_and_chonbo waits for the draw with its chonbo: write at_draw"
