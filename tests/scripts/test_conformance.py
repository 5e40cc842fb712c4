"""Test conformance: clauses are proved, every change of a rule value is noticed, and the table is up to date."""

import json
from fnmatch import fnmatchcase
from functools import cache

import pytest

from rulesets import loader
from rulesets.clauses import books
from rulesets.proofs import FILE
from scoring.ruleset import Ruleset
from scripts.conformance.by_tests import citing, find_contradicting, noticing, prepared, toml
from scripts.conformance.check import citations_of, faults
from scripts.conformance.citations import Test, marked_tests
from scripts.conformance.clause_mutants import (
    ClauseMutant,
    Edit,
    detect_mutants,
    find_stale_mutants,
    load_mutants,
    mutated_books,
)
from scripts.conformance.clause_proofs import apply_value, executed_clauses, find_unproved_clauses
from scripts.conformance.mutation import Book, Found, found_by_examples
from scripts.conformance.shown import SHOWN, why_shown
from scripts.conformance.table import TABLE, lines_of, text
from scripts.conformance.values import Value, mutants, put, values_of, without

WRITTEN = json.loads((loader.FOLDER / FILE).read_text(encoding="utf-8"))
read_book = cache(Book)
STEP = 80
"""The tests change one value of this many; `make conformance` changes all of them."""


def value(name: str, path: str) -> Value:
    return next(each for each in read_book(name).values if each.shown == path)


def changes(name: str, path: str) -> list[str]:
    return [mutant.change for mutant in mutants(value(name, path), read_book(name).data)]


# ─── the rule books ───


def test_every_claim_is_proved_and_every_citation_exists() -> None:
    assert list(faults(marked_tests())) == []


def test_the_recorded_tests_that_prove_clauses_are_up_to_date() -> None:
    tests = marked_tests()
    assert {name: WRITTEN[name]["tests"] for name in books()} == {name: citations_of(name, tests) for name in books()}


def test_a_book_without_recorded_misreadings_is_cited_and_not_broken() -> None:
    assert {name for name in books() if "values" in WRITTEN[name]} == set(mutated_books())
    cited = list(lines_of("rmu", {"tests": {"RM-011": ["tests/test_own.py::test_own"]}}))
    assert "Each of its 45 executed clauses is cited; its values and clauses are not broken." in cited
    assert "| RM-011 | executed | RM-R15, RM-VA07, RM-VA08; `test_own.py::test_own` |  |" in cited


def test_the_conformance_table_matches_clauses_examples_and_tests() -> None:
    assert TABLE.read_text(encoding="utf-8") == text(WRITTEN)


@pytest.mark.parametrize("name", mutated_books())
def test_a_change_of_a_rule_value_is_noticed(name: str) -> None:
    book, written = read_book(name), WRITTEN[name]
    assert len(book.values) == sum(written["values"].values()), "run make conformance"
    assert sum(bool(why_shown(name, each.shown)) for each in book.values) == written["values"]["shown"]
    found = {each.shown: found_by_examples(book, each) for each in book.values[::STEP]}
    left_to_tests = {path for path, each in found.items() if each is Found.UNNOTICED}
    assert left_to_tests == set(written["by_test"]) & set(found), "run make conformance"


def test_every_pattern_of_values_that_are_only_shown_matches_a_value() -> None:
    values = [(name, each.shown) for name in mutated_books() for each in read_book(name).values]
    for pattern in SHOWN:
        owner, _, path = pattern.rpartition(":")
        owners = owner.split(",") if owner else mutated_books()
        assert any(name in owners and fnmatchcase(shown, path) for name, shown in values), pattern


# ─── mutation of values ───


def test_values_are_numbers_booleans_names_entries_and_rows() -> None:
    data = {
        "name": "own",
        "setup": {"start": 1, "rounds": ["E", "S"], "winds": {}, "clauses": ["XX-001"]},
        "ledgers": [{"key": "g", "ranks": True, "clauses": ["XX-002"]}],
    }
    found = {each.shown: each.clauses for each in values_of(data)}
    assert found == {
        "setup": ("XX-001",),
        "setup.start": ("XX-001",),
        "setup.rounds.0": ("XX-001",),
        "setup.rounds.1": ("XX-001",),
        "setup.winds": ("XX-001",),
        "ledgers.g": ("XX-002",),
        "ledgers.g.ranks": ("XX-002",),
    }


def test_a_number_is_mutated_to_slightly_more_and_slightly_less() -> None:
    assert changes("cinderella", "settlement.chonbo.amount") == ["40 → 50", "40 → 30", "40 → 140"]
    assert changes("cinderella", "play.penalties.chonbo.points.from_dealer_to_each")[0] == "0 → 1"


def test_a_name_is_mutated_to_every_other_allowed_one() -> None:
    assert changes("cinderella", "play.renchan.rounds.S") == ["win → tenpai", "win → any_draw", "left out"][:2]
    assert changes("cinderella", "play.calls.chi") == ["true → false"]
    assert changes("boo", "play.pao.yaku")[0] == '[] → ["riichi"]'


def test_dependent_values_are_changed_together_with_a_value() -> None:
    uma = next(mutants(value("cinderella", "settlement.uma.amounts.0"), read_book("cinderella").data))
    assert [str(each) for each in uma.rules.settlement.uma.amounts] == ["30", "0", "-10", "-20"]  # type: ignore[union-attr]
    option = next(mutants(value("banchi4", "setup.start"), read_book("banchi4").data))
    assert option.rules.options["start"].default == option.rules.setup.start == 26000
    subset = next(mutants(value("boo", "play.yaku.iipeikou.played"), read_book("boo").data))
    assert subset.rules.options["new_yaku"].default == ("iipeikou",)
    stake = next(mutants(value("cinderella", "play.riichi.stake"), read_book("cinderella").data))
    assert stake.rules.settlement.kyoutaku.unit == 2000  # type: ignore[union-attr]
    effect = next(mutants(value("boo", "settlement.top_payment.forced_top"), read_book("boo").data))
    assert effect.rules.play.value.yakuman.effect == "instant_top"  # type: ignore[union-attr]
    tiles = next(mutants(value("cinderella", "play.tiles.copies"), read_book("cinderella").data))
    assert tiles.rules.play.tiles.total == 5 * 34  # type: ignore[union-attr]


def test_a_bound_is_mutated_to_the_default() -> None:
    assert changes("banchi4", "options.start.minimum") == ["20000 → 25000"]


def test_a_value_that_validation_fixes_counts_as_held() -> None:
    book = read_book("cinderella")
    assert found_by_examples(book, value("cinderella", "setup.seat_winds.0")) is Found.HELD
    assert found_by_examples(book, value("cinderella", "play.wall.kept")) is Found.SHOWN


def test_data_are_changed_in_a_copy() -> None:
    data = {"a": {"b": [1, 2]}}
    assert put(data, ("a", "b", 0), 3) == {"a": {"b": [3, 2]}}
    assert without(data, ("a", "b", 0)) == {"a": {"b": [2]}}
    assert data == {"a": {"b": [1, 2]}}


# ─── tests that kill mutants ───


def test_a_changed_value_is_checked_by_the_tests_that_cite_its_clauses() -> None:
    prepared()
    book, tests = read_book("cinderella"), marked_tests()
    chonbo = value("cinderella", "settlement.chonbo.amount")
    asked = citing(tests, book.name, chonbo.clauses)
    assert "tests/scoring/test_settlement.py::test_each_chonbo_costs_40_even_the_winner_and_no_player_gets_it" in asked
    settlement = [test for test in asked if "test_settlement.py" in test]
    assert "test_each_chonbo_costs_40" in noticing(book.name, next(mutants(chonbo, book.data)).data, settlement)
    assert noticing(book.name, None, settlement) == ""


def test_a_ruleset_written_as_toml_can_be_read_back() -> None:
    for name in loader.names():
        assert loader.read_model(toml(read_book(name).data), name, Ruleset) == loader.load(name)


def test_marks_are_found_on_functions_classes_modules_and_parameters() -> None:
    found = {test.id: test.marks for test in marked_tests()}
    assert any(("tenhou4", "TH-003") in marks for id_, marks in found.items() if "test_kyoku_real" in id_)
    assert any(("banchi3", "B3-023") in marks for id_, marks in found.items() if "::Test" in id_)
    assert any(("boo", "BOO-096") in marks for marks in found.values())


def test_a_claim_without_proof_and_an_unknown_citation_are_reported() -> None:
    nowhere = Test("tests/test_x.py::test_x", frozenset({("cinderella", "CL-999"), ("mahjong", "XX-001")}))
    told = list(faults([nowhere]))
    assert "tests/test_x.py::test_x cites cinderella CL-999; there is no such clause" in told
    assert "tests/test_x.py::test_x cites mahjong XX-001; there is no such clause" in told
    assert any("claims to be executed, and no example or test cites it" in each for each in told)


# ─── broken clauses ───


@pytest.mark.parametrize("name", mutated_books())
def test_every_executed_clause_has_a_mutant_that_a_proof_citing_it_detects(name: str) -> None:
    found = WRITTEN[name]["clauses"]
    assert list(find_unproved_clauses({name: found})) == []
    assert set(found) == set(executed_clauses(name))
    examples, tests = read_book(name).groups, {test.id: test.marks for test in marked_tests()}
    for clause, mutants_ in found.items():
        for proof in (each["detected_by"] for each in mutants_):
            if proof in examples:
                assert clause in examples[proof][-1][1].clauses
            else:
                assert (name, clause) in tests[proof.partition("[")[0]]


@pytest.mark.parametrize("name", mutated_books())
def test_a_written_mutant_breaks_an_executed_clause_and_can_be_applied(name: str) -> None:
    assert set(load_mutants(name)) <= set(executed_clauses(name))
    assert list(find_stale_mutants(name)) == []
    values = [each for mutants_ in load_mutants(name).values() for each in mutants_ if not each.is_text]
    assert [each.clause for each in values if apply_value(read_book(name), each) is None] == []


def test_a_clause_without_a_detected_mutant_is_reported() -> None:
    found = {"boo": {clause: () for clause in executed_clauses("boo") if clause != "BOO-065"}}
    assert list(find_unproved_clauses(found)) == ["boo: BOO-065 has no detected mutant yet"]


def test_a_mutant_changes_a_value_or_a_text_and_says_the_misreading() -> None:
    for wrong in ({"misreading": "No."}, {"misreading": "", "value": "end.target.score"}):
        with pytest.raises(ValueError, match="give either a value, or a file"):
            ClauseMutant.model_validate({"clause": "BOO-008", **wrong})


def test_a_text_mutant_applies_all_its_edits_or_none() -> None:
    mutant = ClauseMutant(
        clause="X", misreading="No.", file="a.py", before="a", after="b", more=[Edit(before="c", after="d")]
    )
    assert mutant.applied("a c") == "b d"
    assert mutant.applied("a") == mutant.applied("a a c") == ""


def test_a_written_value_is_changed_removed_or_added_with_the_values_that_go_along() -> None:
    book = read_book("superbingo")
    both = next(each for each in load_mutants("superbingo")["SB-007"])
    assert [each.value for each in apply_value(book, both).rules.setup.rounds] == ["E", "S"]  # type: ignore[union-attr]
    added = apply_value(book, next(each for each in load_mutants("superbingo")["SB-025"]))
    assert added is not None
    assert added.data["play"]["yaku"]["sanrenkou"]["closed"] == 2
    removed = apply_value(book, next(each for each in load_mutants("superbingo")["SB-042"]))
    assert removed is not None
    assert "daisharin" not in removed.data["play"]["yaku"]
    nowhere = ClauseMutant(clause="SB-007", misreading="No.", value="nowhere.at.all", to=1)
    assert apply_value(book, nowhere) is None


def test_an_example_detects_by_another_answer_not_by_an_error() -> None:
    book = read_book("boo")
    rules = book.examples.context.ruleset
    assert not book.contradicts("BOO-R08", rules)
    lower = next(mutants(value("boo", "end.target.score"), book.data))
    assert book.contradicts("BOO-R07", lower.rules)
    no_draws = ClauseMutant(clause="BOO-120", misreading="No.", value="options.abort_four_winds.default", to=False)
    refused = apply_value(book, no_draws)
    assert refused is not None
    assert book.notices("BOO-VR09", refused.rules)
    assert not book.contradicts("BOO-VR09", refused.rules)


def test_a_text_mutant_runs_in_a_copy_and_one_that_changes_nothing_is_not_detected() -> None:
    ends = next(iter(load_mutants("boo")["BOO-153"]))
    harmless = ClauseMutant(clause="BOO-153", misreading="No.", file=ends.file, before=ends.before, after=ends.before)
    assert [proof for _, proof in detect_mutants("boo", [ends, harmless])] == ["BOO-R10", ""]
    assert list(detect_mutants("boo", [])) == []


def test_a_test_detects_by_an_assertion() -> None:
    prepared()
    book, tests = read_book("banchi3"), marked_tests()
    mutant = apply_value(book, load_mutants("banchi3")["B3-017"][0])
    assert mutant is not None
    asked = citing(tests, "banchi3", ["B3-017"])
    assert "first_dealer" in find_contradicting("banchi3", mutant.data, asked)
    assert find_contradicting("banchi3", None, asked) == find_contradicting("banchi3", mutant.data, []) == ""
