"""How far a hanchan's result is: whether its log can be handed in, and who has said that it is right."""

from __future__ import annotations

from collections.abc import Sequence

from league.models import Change, Competition, Hanchan, HanchanSeat, ResultSheet, SheetApproval
from league.names import person_name
from league.selectors.live_access import Visitor
from league.selectors.live_kyoku import Document
from league.selectors.live_log import TableLog
from league.services.actor import Capability


def submit_document(
    log: TableLog, sheet: ResultSheet | None, visitor: Visitor, seats: Sequence[HanchanSeat]
) -> Document:
    """How far the result is, and what handing it in takes."""
    competition = log.hanchan.block.competition
    counts = sheet is not None and sheet.state == ResultSheet.State.CONFIRMED
    return {
        "state": submit_state(log, sheet),
        "may": visitor.may_write_to(log.hanchan),
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
    """Whether the log can be handed in, or was, and what became of it."""
    if sheet is not None and sheet.state in (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED):
        if not is_current(sheet, log):
            return "changed"
        return "confirmed" if sheet.state == ResultSheet.State.CONFIRMED else "waiting"
    if sheet is not None and sheet.state == ResultSheet.State.REJECTED and is_current(sheet, log):
        return "rejected"
    return "ready" if log.is_followed and log.state.is_over else "too_early"


def is_current(sheet: ResultSheet, log: TableLog) -> bool:
    """Whether nothing was written since the sheet was made; one made without the log has nothing to do with it."""
    return sheet.made_from_sequence is None or sheet.made_from_sequence == log.sequence


def sheet_of(hanchan: Hanchan) -> ResultSheet | None:
    """The sheet that counts; else the newest one, whatever became of it."""
    sheets = list(ResultSheet.objects.filter(hanchan=hanchan).order_by("-revision"))
    counting = [sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED]
    return next(iter(counting or sheets), None)


def objection_to(sheet: ResultSheet) -> str:
    """Why a sheet was rejected."""
    if sheet.ended_n is None:
        return ""
    rows = Change.objects.filter(competition=sheet.hanchan.block.competition_id, n=sheet.ended_n)
    return rows.values_list("reason", flat=True).first() or ""


def approvals_of(sheet: ResultSheet | None, seats: Sequence[HanchanSeat]) -> list[Document]:
    """Who has said that the newest sheet is right; where players are not asked nobody has."""
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
