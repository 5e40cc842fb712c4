"""Documents of a game hand by hand: entries, payments in their order, and the clauses behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from league.selectors.live.clauses import clause_link
from league.selectors.live.log import LogLine, TableLog
from league.wording.formatting import points_text, score_text
from league.wording.live.call_out import call_of_win
from league.wording.live.live import (
    CAUSES,
    TESTS,
    Seated,
    award_name,
    change_text,
    end_text,
    honba_text,
    refusal_text,
    round_text,
    table_text,
    time_left_text,
    turn_text,
)
from league.wording.log_entries import entry_text
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_values import VALUES
from scoring import written_log
from scoring.hanchan import Step
from scoring.kyoku import KyokuResult
from scoring.kyoku.outcomes import Ron, Tsumo, Win
from scoring.kyoku.payments import table_of
from scoring.kyoku.refusals import Refusal
from scoring.kyoku.state import State, Transfer, changes
from scoring.kyoku.winning import in_turn
from scoring.legality import Judgement
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.end import RoundName

Document = dict[str, object]


class EntryDocument(TypedDict):
    """One entry of a kyoku."""

    number: int
    sequence: int
    type: object
    text: str
    entry: Document
    refusals: list[Document]


class JudgementDocument(TypedDict):
    """A verdict on a win, with its reasons."""

    verdict: str
    text: str
    reasons: list[str]
    waived: list[str]
    clauses: list[dict[str, str] | None]


class SeatJudgementDocument(JudgementDocument):
    """A verdict on the win of a seat."""

    seat: int


class PrizeDocument(TypedDict):
    """The gains of the seats in one ledger other than table points."""

    key: str
    title: str
    changes: list[str]
    changes_text: list[str]


class ResultDocument(TypedDict):
    """The result of a kyoku."""

    title: str
    said: list[str]
    turns: list[Document]
    judgements: list[SeatJudgementDocument]
    transfers: list[Document]
    changes: list[int]
    changes_text: list[str]
    prizes: list[PrizeDocument]
    scores_after: list[int]
    scores_after_text: list[str]
    may_stop: bool


class KyokuDocument(TypedDict):
    """One kyoku of a log; `result` is None while it is being played."""

    index: int
    text: str
    round: RoundName
    number: int
    honba: int
    dealer: int
    scores_before: list[int]
    entries: list[EntryDocument]
    result: ResultDocument | None


@dataclass(frozen=True, slots=True)
class Kyoku:
    """The entries of one kyoku in order; the last one ends it, unless it is still being played."""

    index: int
    numbers: tuple[int, ...]
    """The entries' numbers in the log."""
    steps: tuple[Step, ...]

    @property
    def before(self) -> State:
        """Return the state of the table at the start of the kyoku."""
        return self.steps[0].before

    @property
    def result(self) -> KyokuResult | None:
        """Return the result of the kyoku; None while it is being played."""
        return self.steps[-1].result


def kyoku_of(steps: Sequence[Step]) -> Iterator[Kyoku]:
    """Yield the kyoku of a game, oldest first."""
    numbers: list[int] = []
    index = 0
    for number, step in enumerate(steps):
        numbers.append(number)
        if step.result is not None or number == len(steps) - 1:
            yield Kyoku(index, tuple(numbers), tuple(steps[each] for each in numbers))
            index, numbers = index + 1, []


def log_documents(log: TableLog, seated: Seated) -> list[KyokuDocument]:
    """Return a document for every kyoku in the log."""
    lines = log.writing.lines
    return [kyoku_document(kyoku, lines, log.rules, seated) for kyoku in kyoku_of(log.game.steps)]


def kyoku_document(kyoku: Kyoku, lines: Sequence[LogLine], rules: Ruleset, seated: Seated) -> KyokuDocument:
    """Return the document of one kyoku."""
    before, result = kyoku.before, kyoku.result
    return {
        "index": kyoku.index,
        "text": table_text(before),
        "round": before.round,
        "number": before.number,
        "honba": before.honba,
        "dealer": before.dealer,
        "scores_before": list(before.scores),
        "entries": [
            entry_document(number, lines[number].sequence, step, seated)
            for number, step in zip(kyoku.numbers, kyoku.steps, strict=True)
        ],
        "result": None if result is None else result_document(result, rules, seated),
    }


def entry_document(number: int, sequence: int, step: Step, seated: Seated) -> EntryDocument:
    """Return one entry, with refusals if an edit of an earlier entry made it impossible."""
    data = written_log.write_entry(step.entry)
    return {
        "number": number,
        "sequence": sequence,
        "type": data["type"],
        "text": entry_text(step.entry, seated),
        "entry": data,
        "refusals": [refusal_document(each, seated) for each in step.refusals],
    }


def refusal_document(refusal: Refusal, seated: Seated) -> Document:
    """Return the reason why something is refused, and the clause it rests on."""
    text, clause = refusal_text(refusal, seated), clause_link(refusal.clause)
    return {"code": refusal.code, "text": text, "pointer": refusal.pointer, "clause": clause}


def result_document(result: KyokuResult, rules: Ruleset, seated: Seated) -> ResultDocument:
    """Return the result of a kyoku."""
    after = list(result.after.scores)
    moved = result.changes()
    return {
        "title": entry_text(result.outcome, seated),
        "said": [*winner_calls(result, rules)],
        "turns": [
            {"code": turn.code, "text": turn_text(turn, seated), "clause": clause_link(turn.clause)}
            for turn in result.turns
        ],
        "judgements": [
            {"seat": win.seat, **judgement_document(each)}
            for (win, _is_head), each in zip(winners(result, rules), result.judgements, strict=False)
        ],
        "transfers": [transfer_document(each, rules) for each in result.transfers],
        "changes": list(moved),
        "changes_text": [change_text(each) for each in moved],
        "prizes": [*prize_documents(result, rules)],
        "scores_after": after,
        "scores_after_text": [score_text(each) for each in after],
        "may_stop": result.may_stop,
    }


def winner_calls(result: KyokuResult, rules: Ruleset) -> Iterator[str]:
    """Yield the words that each winner calls out, in the order of payment."""
    table, outcome = table_of(result.before, rules), result.outcome
    loser = outcome.loser if isinstance(outcome, Ron) else None
    for win, is_head in winners(result, rules):
        yield call_of_win(win, loser, table, is_head=is_head)


def winners(result: KyokuResult, rules: Ruleset) -> Iterator[tuple[Win, bool]]:
    """Yield every win in the order of payment, with True for the head winner's (atamahane)."""
    outcome = result.outcome
    if isinstance(outcome, Tsumo):
        yield outcome.win, True
    if isinstance(outcome, Ron):
        for place, win in enumerate(in_turn(outcome.wins, outcome.loser, table_of(result.before, rules))):
            yield win, place == 0


def judgement_document(judgement: Judgement) -> JudgementDocument:
    """Return a verdict with its reasons; reasons waived in the last hand are listed separately."""
    return {
        "verdict": judgement.verdict,
        "text": str(VALUES[judgement.verdict]),
        "reasons": [str(TESTS[each]) for each in judgement.reasons],
        "waived": [str(TESTS[each]) for each in judgement.waived],
        "clauses": [clause_link(each) for each in judgement.clauses],
    }


def transfer_document(transfer: Transfer, rules: Ruleset) -> Document:
    """Return one payment."""
    is_points = transfer.ledger == TABLE_POINTS
    ledger = None if is_points else rules.ledger(transfer.ledger)
    return {
        "ledger": transfer.ledger,
        "ledger_title": "" if ledger is None else title_in(ledger.title),
        "payer": transfer.payer,
        "receiver": transfer.receiver,
        "amount": transfer.amount,
        "text": score_text(transfer.amount) if ledger is None else points_text(transfer.amount, ledger.scale),
        "cause": transfer.cause,
        "cause_text": str(CAUSES[transfer.cause]),
        "clause": clause_link(transfer.clause),
        "liable": transfer.liable,
        "event": award_name(str(transfer.params.get("event", ""))),
    }


def prize_documents(result: KyokuResult, rules: Ruleset) -> Iterator[PrizeDocument]:
    """Yield the gains of the seats other than table points, by ledger."""
    keys = dict.fromkeys(each.ledger for each in result.transfers if each.ledger != TABLE_POINTS)
    for key in keys:
        ledger, moved = rules.ledger(key), changes(result.transfers, key, result.before.players)
        yield {
            "key": key,
            "title": title_in(ledger.title),
            "changes": [ledger.text(each) for each in moved],
            "changes_text": [points_text(each, ledger.scale, plus=True) for each in moved],
        }


def round_document(state: State, rules: Ruleset) -> Document:
    """Return the running kyoku with its honba and the deposits on the table."""
    deposits = state.deposits(rules)
    return {
        "key": state.round,
        "number": state.number,
        "name": round_text(state),
        "honba": state.honba,
        "honba_text": honba_text(state.honba),
        "text": table_text(state),
        "deposits": deposits,
        "deposits_text": score_text(deposits),
        "dealer": state.dealer,
        "is_last": table_of(state, rules).is_last_hand or state.is_last_by_time,
        "hands_left": state.hands_left,
        "time_text": time_left_text(state.hands_left),
    }


def end_document(state: State, seated: Seated) -> Document | None:
    """Return the reasons why the game is over; None while it goes on."""
    if not state.is_over:
        return None
    reasons = [
        {"reason": each.reason, "text": end_text(each, seated), "clause": clause_link(each.clause)}
        for each in state.ends
    ]
    return {"reasons": reasons, "text": " ".join(each["text"] for each in reasons if isinstance(each["text"], str))}
