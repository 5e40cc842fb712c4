"""Tests of the scores that stand for a verdict under a book that pays the top alone."""

from __future__ import annotations

from itertools import combinations

from rulesets import loader
from scoring.placement import groups
from scoring.ruleset.settling import TopPayment
from scoring.top_payment import TopType, Verdict, floating, type_of

BOO = loader.load("boo")
VERDICTS = [
    Verdict(top, payers)
    for top in range(4)
    for many in (1, 2, 3)
    for payers in combinations([seat for seat in range(4) if seat != top], many)
]


def payment_to_the_top() -> TopPayment:
    """Return the settlement step by which the top alone is paid."""
    payment = BOO.settlement.top_payment
    assert payment is not None
    return payment


def test_the_scores_of_a_verdict_lead_back_to_it() -> None:
    payment = payment_to_the_top()
    for verdict in (*VERDICTS, *(Verdict(one.top, one.payers, True) for one in VERDICTS if len(one.payers) == 2)):
        scores = verdict.scores(4, payment, BOO.entry.unit)
        top = groups(scores, BOO.settlement.placing.ties)[0][0]
        found = floating(scores, top, payment, None)
        assert sum(scores) == BOO.table_total, verdict
        sunk = tuple(seat for seat in range(4) if not found.seats[seat])
        assert (top, sunk, found.gentsuu) == (verdict.top, verdict.payers, verdict.gentsuu)
        assert found.top_type is type_of(len(verdict.payers), 4), verdict


def test_without_a_payer_all_hold_the_origin() -> None:
    assert Verdict(2, ()).scores(4, payment_to_the_top(), BOO.entry.unit) == (2000,) * 4
    assert type_of(0, 4) is TopType.NONE
