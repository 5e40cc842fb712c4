"""What proves a clause: the examples that cite it, then the tests that do."""

import pytest

from rulesets import examples
from rulesets.clauses import ClauseStatus, books, load_book
from rulesets.proofs import Proof, examples_of, proofs_for, proofs_of


@pytest.mark.parametrize("name", books())
def test_every_executed_clause_has_a_proof(name: str) -> None:
    unproved = [each.id for each in load_book(name).clauses if not proofs_for(name, each.id)]
    assert [number for number in unproved if load_book(name).by_id[number].status is ClauseStatus.EXECUTED] == []


def test_no_clause_is_left_for_later() -> None:
    for name in books():
        assert [each.id for each in load_book(name).clauses if each.status is ClauseStatus.PENDING] == []


def test_examples_come_in_the_order_of_their_file_and_tests_after_them() -> None:
    proofs = proofs_for("cinderella", "CL-082")
    assert proofs[0].is_example
    assert not proofs[-1].is_example
    assert (
        Proof(
            "test", "tests/scoring/test_settlement.py::test_each_chonbo_costs_40_even_the_winner_and_no_player_gets_it"
        )
        in proofs
    )
    kinds = [proof.is_example for proof in proofs]
    assert kinds == sorted(kinds, reverse=True)


def test_a_clause_that_nothing_cites_has_no_proof() -> None:
    assert proofs_for("cinderella", "CL-001") == ()
    assert proofs_of("nothing") == {}


def test_a_disputed_example_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = examples.text_of("cinderella")
    disputed = text.replace('clauses = ["CL-039"]', 'clauses = ["CL-039"]\ndisputed = "a slip"')
    monkeypatch.setattr(examples, "text_of", lambda _name: disputed)
    agreed = {proof.id for proof in examples_of("cinderella")["CL-039"]}
    monkeypatch.undo()
    assert agreed < {proof.id for proof in examples_of("cinderella")["CL-039"]}
