"""State of a hanchan's result at the live table: its origin (log or typed), state and approvals."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Change, Competition, Hanchan, HanchanSeat, ResultSheet, SheetApproval
from league.selectors.access.actors import Capability
from league.selectors.live.access import Visitor
from league.selectors.live.kyoku import Document
from league.selectors.live.log import TableLog
from league.selectors.live.seats import entered_documents
from league.selectors.results.blind_sheets import is_blind
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.live.live import hands_before_text
from league.wording.names import person_name

STATES = {
    ResultSheet.State.SUBMITTED: "waiting",
    ResultSheet.State.CONFIRMED: "confirmed",
    ResultSheet.State.REJECTED: "rejected",
}
"""Names of sheet states in the document; sheets in other states are history."""
TYPED = {
    ResultSheet.State.SUBMITTED: gettext_lazy(
        "A result of this hanchan was entered without the score sheet and awaits confirmation."
    ),
    ResultSheet.State.CONFIRMED: gettext_lazy("The result of this hanchan was entered without the score sheet."),
    ResultSheet.State.REJECTED: gettext_lazy(
        "A result of this hanchan was entered without the score sheet and was not agreed to."
    ),
}
"""The sentence shown for a typed result."""


def submit_document(
    log: TableLog, sheet: ResultSheet | None, visitor: Visitor, seats: Sequence[HanchanSeat]
) -> Document:
    """Return the state of the result, and the conditions for submitting it."""
    competition = log.hanchan.block.competition
    counts = sheet is not None and sheet.state == ResultSheet.State.CONFIRMED
    return {
        "state": submit_state(log, sheet),
        "may": visitor.may_write_to(log.hanchan) and lock_of(log.hanchan) is None,
        "can_end_by_time": log.is_followed and not log.state.is_over,
        "needs_reason": counts,
        "by_players": competition.confirmation == Competition.Confirmation.PLAYERS,
        "sheet": sheet
        and {
            "id": sheet.pk,
            "revision": sheet.revision,
            "state": sheet.state,
            "reason": objection_to(sheet) if sheet.state == ResultSheet.State.REJECTED else sheet.reason,
            "made_from": sheet.made_from_sequence,
        },
        "approvals": approvals_of(sheet, seats),
        "may_confirm": Capability.CONFIRM in visitor.may,
    }


def submit_state(log: TableLog, sheet: ResultSheet | None) -> str:
    """Return `ready`, `too_early`, `changed`, or the state of the submitted sheet.

    `changed` means that entries were written after the sheet was made from the log.
    """
    if sheet is not None and sheet.state in STATES and (takes_place_of(sheet, log) or not is_typed(sheet)):
        if is_current(sheet, log):
            return STATES[ResultSheet.State(sheet.state)]
        if sheet.state != ResultSheet.State.REJECTED:
            return "changed"
    return "ready" if log.is_followed and log.state.is_over else "too_early"


def is_current(sheet: ResultSheet, log: TableLog) -> bool:
    """Return True if nothing was written to the log after the sheet was made from it.

    A typed sheet is always current.
    """
    return is_typed(sheet) or sheet.made_from_sequence == log.sequence


def is_typed(sheet: ResultSheet) -> bool:
    """Return True if the result was typed as final scores instead of made from the log."""
    return sheet.made_from_sequence is None


def takes_place_of(sheet: ResultSheet, log: TableLog) -> bool:
    """Return True if a typed result replaces the log: once it counts, or while it waits and there is no log."""
    waits = sheet.state == ResultSheet.State.SUBMITTED and not log.is_followed
    return is_typed(sheet) and (waits or sheet.state == ResultSheet.State.CONFIRMED)


def typed_document(log: TableLog, sheet: ResultSheet | None) -> Document | None:
    """Return a typed result: `state` (`waiting`, `confirmed` or `rejected`), a sentence, and its settlement by seat.

    None without a typed result. `settlement` is None under blind double entry until the result counts. `hands` is a
    note beside recorded hands, once the result counts; it is empty without such hands.
    """
    if sheet is None or not is_typed(sheet) or sheet.state not in STATES:
        return None
    state = ResultSheet.State(sheet.state)
    counts = sheet.state == ResultSheet.State.CONFIRMED
    is_hidden = is_blind(log.hanchan.block.competition) and not counts
    return {
        "state": STATES[state],
        "text": str(TYPED[state]),
        "hands": hands_before_text(log.state) if counts and log.writing.lines else "",
        "settlement": None if is_hidden else entered_documents(sheet, ruleset_of(sheet.rules, sheet.options)),
    }


def lock_of(hanchan: Hanchan) -> str | None:
    """Return the reason why the hanchan accepts no entries; None if its scorers can write."""
    competition = hanchan.block.competition
    if hanchan.state == Hanchan.State.ABANDONED:
        return _("This hanchan was abandoned: it has no result.")
    if hanchan.table_session.is_cancelled:
        return _("This table is cancelled.")
    if competition.status == Competition.Status.CLOSED:
        return _("The competition is closed: nothing more can be entered.")
    return None


def sheet_of(hanchan: Hanchan) -> ResultSheet | None:
    """Return the sheet that counts, else the newest one in any state; None without sheets."""
    sheets = list(ResultSheet.objects.filter(hanchan=hanchan).select_related("rules__ruleset").order_by("-revision"))
    counting = [sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED]
    return next(iter(counting or sheets), None)


def objection_to(sheet: ResultSheet) -> str:
    """Return the reason for which a sheet was rejected; empty if it has not ended."""
    if sheet.ended_n is None:
        return ""
    rows = Change.objects.filter(competition=sheet.hanchan.block.competition_id, n=sheet.ended_n)
    return rows.values_list("reason", flat=True).first() or ""


def approvals_of(sheet: ResultSheet | None, seats: Sequence[HanchanSeat]) -> list[Document]:
    """Return each seat's approval of the newest sheet; empty if players do not approve results."""
    asked = sheet is not None and sheet.hanchan.block.competition.confirmation == Competition.Confirmation.PLAYERS
    if sheet is None or not asked:
        return []
    approved = set(SheetApproval.objects.filter(sheet=sheet).values_list("entrant", flat=True))
    return [
        {
            "seat": seat.seat,
            "entrant": seat.entrant_id,
            "name": person_name(seat.player),
            "approved": seat.entrant_id in approved,
        }
        for seat in seats
    ]
