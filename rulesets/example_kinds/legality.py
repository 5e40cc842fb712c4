"""Worked examples of kind `legality`: the verdict on a win, and the table after it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulesets.example_kinds.round import Amounts, Before, RoundEvent, same_end, state_of, win_of
from rulesets.example_kinds.shape import Context, Example, Mismatch
from scoring import kyoku
from scoring.hanchan import result_of
from scoring.kyoku.outcomes import Ron, Tsumo
from scoring.legality import Judgement
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Strict
from scoring.ruleset.value import LegalityVerdict
from scoring.settled import Settlement
from scoring.settlement import settle

CAPPED = "capped"
"""The name that files use for a win that is paid only to the limit."""


class ExpectedLegality(Strict):
    """The results to compare."""

    verdict: str
    reasons: tuple[str, ...]
    would_be: Amounts
    waived: tuple[str, ...] = ()
    after: Amounts | None = None
    end: tuple[str, ...] = ()
    top: int | None = None
    top_type: str | None = None
    gentsuu: bool = False


class LegalityExample(Example):
    """A win that a player could take."""

    before: Before
    event: RoundEvent
    expect: ExpectedLegality


@dataclass(frozen=True, slots=True)
class JudgedWin:
    """The engine's verdict and result."""

    judgement: Judgement
    result: kyoku.KyokuResult
    settlement: Settlement | None
    """Set if the game would be over."""


def differences(example: LegalityExample, context: Context) -> Iterator[Mismatch]:
    """Judge the win and yield the differences from all that the example expects."""
    try:
        rules = context.ruleset.with_options(example.options)
        found = judge_example(example, rules)
    except ValueError as error:
        yield Mismatch("event", "a win that can be judged", str(error), is_error=True)
        return
    for key, value in _read(found).items():
        expected = getattr(example.expect, key)
        if value != expected:
            yield Mismatch(key, expected, value)
    if not same_end(example.expect.end, found.result.after.ends, found.result.before, rules):
        yield Mismatch("end", example.expect.end, [end.reason.value for end in found.result.after.ends])


def judge_example(example: LegalityExample, rules: Ruleset) -> JudgedWin:
    """Return the verdict on a win and the table after it; for a forbidden win as if it had been allowed."""
    state, win = state_of(example.before), win_of(example.event, rules)
    loser = example.event.loser
    outcome = Tsumo(win=win) if loser is None or example.event.type == "tsumo" else Ron(loser=loser, wins=(win,))
    result = kyoku.play_unchecked(state, outcome, rules)
    verdicts = kyoku.judgements(state, outcome, rules)
    judgement = verdicts[0] if verdicts else Judgement(LegalityVerdict.ALLOWED, result.after.scores)
    settlement = settle(result_of(result.after, rules), rules) if result.after.is_over else None
    return JudgedWin(judgement, result, settlement)


def _read(found: JudgedWin) -> Mapping[str, object]:
    """Return the engine's answers, by the keys of `expect`."""
    judgement, settlement = found.judgement, found.settlement
    floating = settlement.floating if settlement is not None else None
    capped = judgement.verdict is LegalityVerdict.PAY_TO_LIMIT
    return {
        "verdict": CAPPED if capped else judgement.verdict.value,
        "reasons": judgement.reasons,
        "waived": judgement.waived,
        "would_be": judgement.would_be,
        "after": found.result.after.scores if judgement.is_allowed else None,
        "top": settlement.top if settlement is not None else None,
        "top_type": floating.top_type.value if floating is not None else None,
        "gentsuu": floating is not None and floating.gentsuu,
    }
