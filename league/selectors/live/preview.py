"""Preview of events on a live table: the result they would have, computed without writing them."""

from __future__ import annotations

from collections.abc import Sequence

from league.models import HanchanSeat
from league.selectors.live.kyoku import (
    Document,
    end_document,
    kyoku_of,
    refusal_document,
    result_document,
    round_document,
)
from league.selectors.live.log import Foreseen, TableLog
from league.selectors.live.seats import seated_names, seats_of, settlement_documents
from league.wording.live.live import Seated, table_text


def preview_document(found: Foreseen, *, after: int) -> Document:
    """Return the result of the last event and the state after it, or the reasons why it is refused.

    `after` is the sequence number the client knows; `behind` is True if the log has moved on since.
    """
    log = found.after
    seats = seats_of(log.hanchan)
    seated = seated_names(seats, log.rules)
    step = found.step
    result = step.result if step is not None else None
    return {
        "sequence": found.before.sequence,
        "behind": after != found.before.sequence,
        "refusals": [refusal_document(each, seated) for each in (step.refusals if step is not None else ())],
        "result": None if result is None else result_document(result, log.rules, seated),
        **state_documents(log, seated, seats),
        "flags": flag_documents(log, seated, own=found.number),
    }


def state_documents(log: TableLog, seated: Seated, seats: Sequence[HanchanSeat]) -> Document:
    """Return the state afterwards: the next kyoku, or the end of the game with its settlement."""
    if not log.is_followed:
        return {"next": None, "end": None, "settlement": None}
    state, rules = log.state, log.rules
    return {
        "next": None if state.is_over else round_document(state, rules),
        "end": end_document(state, seated),
        "settlement": settlement_documents(state, rules, seated, seats) if state.is_over else None,
    }


def flag_documents(log: TableLog, seated: Seated, own: int | None) -> list[Document]:
    """Return the entries that would become impossible, without the entry `own` that is being previewed."""
    if not log.is_followed:
        return []
    return [
        {
            "number": number,
            "text": table_text(kyoku.before),
            "refusals": [refusal_document(each, seated) for each in step.refusals],
        }
        for kyoku in kyoku_of(log.game.steps)
        for number, step in zip(kyoku.numbers, kyoku.steps, strict=True)
        if step.refusals and number != own
    ]
