"""Results on their way: handed in, confirmed, corrected, voided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Change, Competition, Hanchan, ResultSheet, SeatResult
from league.selectors.parlour import is_newest_of_sitting
from league.selectors.rules import ruleset_of
from league.services.actor import Actor, Capability, require
from league.services.blind_entry import (
    ENDED_BY_TIME,
    agreeing_sheet,
    goes_blind,
    own_waiting,
    require_settler,
    waiting,
)
from league.services.changes import OpenChange, after_last, open_change
from league.services.entry import SheetEntry, Stored, findings_of, typing_findings
from league.services.errors import conflict, raise_for, refuse, refuse_without_reason
from league.services.guard import all_or_nothing
from league.services.preview import played_of_sheet, refuse_downstream_damage
from league.services.table_links import end_links_when_done
from scoring.ruleset import Ruleset
from scoring.settlement import Line, Settlement, settle


@all_or_nothing
def record_result(
    *,
    hanchan: Hanchan,
    entry: SheetEntry,
    by: Actor,
    accept: Collection[str] = (),
    corrects: int | None = None,
    reason: str = "",
    state: Hanchan.State = Hanchan.State.FINISHED,
    made_from: int | None = None,
) -> ResultSheet:
    """Take the result of a hanchan; where one person is enough it counts at once.

    `made_from` is the entry of the table's log up to which the result was made from it.

    1. Refuse those who may not hand in, or may not correct what counts already.
    2. Refuse a second result unless it says which revision it corrects, and why.
    3. Refuse what breaks the rules in force; odd things must have been accepted by their code.
    4. Write the sheet as the hanchan's next revision, settled, in place of what the same person entered before.
    5. Confirm it, if this competition asks for no second person; where two enter blindly, once they say the same.
    """
    hanchan = locked(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.SUBMIT, table=hanchan.table_session)
    refuse_closed(competition)
    refuse_abandoned(hanchan, by)
    revision = after_last(ResultSheet.objects.filter(hanchan=hanchan), "revision")
    counting = ResultSheet.objects.counting_of(hanchan) if revision > 1 else None
    refuse_unannounced_correction(counting, corrects, reason)
    if counting:
        require(by, competition, right_to_correct(hanchan))
    around = Stored(hanchan)
    typed = () if by.is_system else typing_findings(hanchan, entry, around)
    raise_for([*findings_of(hanchan, entry, around), *typed], accept)
    change = open_change(competition, by)
    if revision > 1 and (mine := own_waiting(hanchan, by)):
        supersede(mine, change.n)
    sheet = new_sheet(hanchan, revision, entry, by)
    if state == Hanchan.State.ENDED_BY_TIME:
        sheet.facts[ENDED_BY_TIME] = True
    sheet.made_from_sequence, sheet.reason = made_from, reason
    seats = _write_sheet(sheet, entry, change, accept)
    if goes_blind(hanchan, by):
        return _meet(sheet, counting, change, accept)
    return _count_or_wait(sheet, seats, counting, change, accept, ends_as=state)


def _count_or_wait(
    sheet: ResultSheet,
    seats: Sequence[SeatResult],
    counting: ResultSheet | None,
    change: OpenChange,
    accept: Collection[str],
    *,
    ends_as: Hanchan.State,
) -> ResultSheet:
    """Let a sheet count where one person is enough; elsewhere it waits for the others."""
    if change.competition.confirmation == Competition.Confirmation.ONE or change.by.is_system:
        let_count(sheet, change, accept, counting=counting, ends_as=ends_as, seats=seats)
    else:
        before, after = snapshot(counting), snapshot(sheet, seats)
        change.record(
            "result.submitted", sheet.hanchan, before=before, after=after, reason=sheet.reason, is_public=False
        )
    return sheet


def _meet(sheet: ResultSheet, counting: ResultSheet | None, change: OpenChange, accept: Collection[str]) -> ResultSheet:
    """Let what two people entered alike count, confirmed by the second; else the sheet waits, unseen by others.

    The log tells nothing of a sheet that waits: whoever has not entered yet could read it there.
    """
    first = agreeing_sheet(sheet)
    if first is None:
        change.record("result.submitted", sheet.hanchan, after=unseen(sheet), is_public=False)
        return sheet
    for other in waiting(sheet.hanchan).exclude(pk=first.pk):
        supersede(other, change.n)
    first.hanchan = sheet.hanchan
    let_count(first, change, accept, counting=counting, ends_as=ended_as(first))
    return first


def ended_as(sheet: ResultSheet) -> Hanchan.State:
    """How the game ended, as whoever entered the sheet said."""
    by_time = sheet.facts.get(ENDED_BY_TIME)
    return Hanchan.State.ENDED_BY_TIME if by_time else Hanchan.State.FINISHED


@all_or_nothing
def confirm_result(
    *, sheet: ResultSheet, by: Actor, accept: Collection[str] = (), state: Hanchan.State | None = None
) -> ResultSheet:
    """Make this sheet the hanchan's result; the game ended as the sheet says, unless `state` says otherwise.

    1. Refuse if it does not wait for confirmation any more.
    2. Refuse the person who entered it where the competition wants a second one.
    3. Where two people enter blindly only a director settles what differs.
    4. Supersede the sheet confirmed before, if any, and what was entered before this one and waits.
    """
    hanchan = locked(sheet.hanchan)
    sheet = ResultSheet.objects.get(pk=sheet.pk)
    sheet.hanchan = hanchan
    competition = hanchan.block.competition
    require(by, competition, Capability.CONFIRM)
    refuse_closed(competition)
    refuse_decided(sheet)
    if by.user is not None and sheet.entered_by_id == by.user.pk:
        raise refuse("second_person_needed", _("You entered this sheet yourself. A second person must confirm it."))
    blind = goes_blind(hanchan, by)
    if blind:
        require_settler(sheet, by)
    counting = ResultSheet.objects.counting_of(hanchan)
    if counting:
        require(by, competition, Capability.CORRECT)
    change = open_change(competition, by)
    others = waiting(hanchan).exclude(pk=sheet.pk)
    for other in others if blind else others.filter(revision__lt=sheet.revision):
        supersede(other, change.n)
    let_count(sheet, change, accept, counting=counting, ends_as=state or ended_as(sheet))
    return sheet


@all_or_nothing
def reject_result(*, sheet: ResultSheet, by: Actor, reason: str) -> ResultSheet:
    """Refuse a handed-in sheet, with the reason its author will read."""
    hanchan = locked(sheet.hanchan)
    sheet = ResultSheet.objects.get(pk=sheet.pk)
    competition = hanchan.block.competition
    require(by, competition, Capability.CORRECT if goes_blind(hanchan, by) else Capability.CONFIRM)
    refuse_without_reason(reason)
    refuse_decided(sheet)
    change = open_change(competition, by)
    sheet.state, sheet.ended_n = ResultSheet.State.REJECTED, change.n
    sheet.save(update_fields=["state", "ended_n"])
    change.record(
        "result.rejected",
        hanchan,
        before=unseen(sheet) if goes_blind(hanchan, by) else snapshot(sheet),
        after=None,
        reason=reason,
        is_public=False,
    )
    return sheet


@all_or_nothing
def void_hanchan(
    *,
    hanchan: Hanchan,
    by: Actor,
    reason: str,
    accept: Collection[str] = (),
    state: Hanchan.State = Hanchan.State.SCHEDULED,
) -> None:
    """Take back a hanchan's confirmed result, with the reason; the sheet stays, superseded.

    `state` says what becomes of the hanchan: to be played (again), or abandoned.
    """
    hanchan = locked(hanchan)
    competition = hanchan.block.competition
    require(by, competition, right_to_correct(hanchan))
    refuse_closed(competition)
    refuse_without_reason(reason)
    sheet = ResultSheet.objects.counting_of(hanchan)
    if sheet is None:
        raise conflict("nothing_to_void", _("This hanchan has no confirmed result to take back."))
    refuse_downstream_damage(hanchan=hanchan, played={}, by=by, accept=accept)
    change = open_change(competition, by)
    before = snapshot(sheet)
    supersede(sheet, change.n)
    Hanchan.objects.filter(pk=hanchan.pk).update(state=state)
    change.record(
        "result.voided",
        hanchan,
        before=before,
        after=None,
        reason=reason,
        is_public=hanchan.table_session.is_released,
    )


@all_or_nothing
def abandon_hanchan(*, hanchan: Hanchan, by: Actor, reason: str) -> None:
    """Say that a game without a result will have none, and why; sheets that wait for it are rejected."""
    hanchan = locked(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.CORRECT)
    refuse_closed(competition)
    refuse_without_reason(reason)
    if hanchan.state == Hanchan.State.ABANDONED:
        raise conflict("already_abandoned", _("This hanchan is abandoned already."))
    if ResultSheet.objects.counting().filter(hanchan=hanchan).exists():
        raise conflict(
            "hanchan_has_result", _("This hanchan has a result. Take it back, and say that it is abandoned.")
        )
    change = open_change(competition, by)
    before = {"state": hanchan.state}
    waiting(hanchan).update(state=ResultSheet.State.REJECTED, ended_n=change.n)
    Hanchan.objects.filter(pk=hanchan.pk).update(state=Hanchan.State.ABANDONED)
    end_links_when_done(hanchan.table_session_id)
    change.record(
        "hanchan.abandoned",
        hanchan,
        before=before,
        after={"state": Hanchan.State.ABANDONED},
        reason=reason,
        is_public=hanchan.table_session.is_released,
    )


@all_or_nothing
def resume_hanchan(*, hanchan: Hanchan, by: Actor, reason: str) -> None:
    """Take back that a hanchan is abandoned: it is to be played, or goes on where its log stands."""
    hanchan = locked(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.CORRECT)
    refuse_closed(competition)
    refuse_without_reason(reason)
    if hanchan.state != Hanchan.State.ABANDONED:
        raise conflict("not_abandoned", _("This hanchan is not abandoned any more. Reload the page."))
    change = open_change(competition, by)
    state = Hanchan.State.RUNNING if hanchan.events.exists() else Hanchan.State.SCHEDULED
    Hanchan.objects.filter(pk=hanchan.pk).update(state=state)
    change.record(
        "hanchan.resumed",
        hanchan,
        before={"state": Hanchan.State.ABANDONED},
        after={"state": state},
        reason=reason,
        is_public=hanchan.table_session.is_released,
    )


def refuse_abandoned(hanchan: Hanchan, by: Actor) -> None:
    """Nobody enters a result of an abandoned game by mistake; a file that is read in tells its own story."""
    if hanchan.state == Hanchan.State.ABANDONED and not by.is_system:
        raise conflict(
            "hanchan_abandoned", _("This hanchan was abandoned. Take that back first if it has a result after all.")
        )


def refuse_decided(sheet: ResultSheet) -> None:
    """A sheet is decided on once; who comes second reads what became of it."""
    if sheet.state == ResultSheet.State.SUBMITTED:
        return
    raise conflict(
        "sheet_not_waiting",
        _("This sheet no longer awaits confirmation: it is %(state)s%(by_whom)s. Reload the page.")
        % {"state": sheet.get_state_display(), "by_whom": by_whom(sheet, sheet.ended_n or sheet.confirmed_n)},
        state=sheet.state,
    )


def by_whom(sheet: ResultSheet, n: int | None) -> str:
    """Who made change `n`, when and why, in brackets; nothing where that is not known."""
    changes = Change.objects.filter(competition=sheet.hanchan.block.competition_id).select_related("actor")
    change = changes.filter(n=n).first() if n is not None else None
    if change is None or change.actor is None:
        return ""
    at = f"{timezone.localtime(change.at):%H:%M}"
    said = ", ".join(filter(None, (str(change.actor), at, change.reason)))
    return _(" (%(said)s)") % {"said": said}


def locked(hanchan: Hanchan) -> Hanchan:
    """The hanchan as it stands now, its competition locked for the rest of the transaction."""
    Competition.objects.select_for_update().only("pk").get(blocks__hanchan=hanchan.pk)
    return Hanchan.objects.select_related(
        "block__competition", "block__stage", "table_session", "rules__ruleset", "rules__format"
    ).get(pk=hanchan.pk)


def right_to_correct(hanchan: Hanchan) -> Capability:
    """Changing what counts is a right of its own; the newest game of a sitting under way is the counter's to mend."""
    return Capability.SUBMIT if is_newest_of_sitting(hanchan) else Capability.CORRECT


def refuse_closed(competition: Competition) -> None:
    """A closed competition takes no more results."""
    if competition.status == Competition.Status.CLOSED:
        raise conflict(
            "competition_closed",
            _("“%(name)s” is closed and takes no more results. A director can reopen it.") % {"name": competition.name},
        )


def refuse_unannounced_correction(counting: ResultSheet | None, corrects: int | None, reason: str) -> None:
    """A hanchan that has a result takes another only as a correction of exactly that revision, with a reason."""
    if counting is None:
        if corrects is not None:
            raise conflict(
                "nothing_to_correct", _("This hanchan has no confirmed result to correct any more. Reload the page.")
            )
        return
    if corrects is None:
        raise conflict(
            "hanchan_confirmed",
            _(
                "This hanchan already has a confirmed result (revision %(revision)s)%(by_whom)s. "
                "To change it, enter a correction."
            )
            % {"revision": counting.revision, "by_whom": by_whom(counting, counting.confirmed_n)},
            revision=counting.revision,
        )
    if corrects != counting.revision:
        raise conflict(
            "stale_revision",
            _(
                "Revision %(theirs)s counts now, not revision %(yours)s: somebody corrected it meanwhile%(by_whom)s. "
                "Reload and compare."
            )
            % {
                "theirs": counting.revision,
                "yours": corrects,
                "by_whom": by_whom(counting, counting.confirmed_n),
            },
            revision=counting.revision,
        )
    refuse_without_reason(reason)


def _write_sheet(
    sheet: ResultSheet, entry: SheetEntry, change: OpenChange, accept: Collection[str]
) -> Sequence[SeatResult]:
    """Write a new sheet; return its seats."""
    sheet.accepted_warnings, sheet.entered_n = sorted(accept), change.n
    sheet.save(force_insert=True)
    return SeatResult.objects.bulk_create(settled_seats(sheet, entry))


def new_sheet(hanchan: Hanchan, revision: int, entry: SheetEntry, by: Actor) -> ResultSheet:
    """A sheet as it is handed in, not yet written."""
    return ResultSheet(
        hanchan=hanchan,
        revision=revision,
        state=ResultSheet.State.SUBMITTED,
        rules=hanchan.rules,
        options={**hanchan.options, **entry.options},
        kyoutaku=entry.kyoutaku,
        facts=entry.facts(),
        entered_by=by.user,
    )


def settled_seats(sheet: ResultSheet, entry: SheetEntry) -> Sequence[SeatResult]:
    """The seats of a sheet as the rules it pins settle them, not yet written."""
    rules = ruleset_of(sheet.rules, sheet.options)
    return _seat_results(sheet, entry, settle(entry.hanchan_result(), rules), rules)


def _seat_results(
    sheet: ResultSheet, entry: SheetEntry, settlement: Settlement, rules: Ruleset
) -> Sequence[SeatResult]:
    ranking = rules.ranking_ledger.key
    return [
        SeatResult(
            sheet=sheet,
            block=sheet.hanchan.block,
            seat=seat,
            entrant_id=place.entrant,
            player_id=place.player,
            score=place.score,
            final_score=settlement.final_scores[seat],
            chonbo=place.chonbo,
            is_bust=rules.end.bust.is_bust(place.score),
            place=settlement.places[seat],
            points=settlement.totals[ranking][seat],
            totals={ledger: totals[seat] for ledger, totals in settlement.totals.items()},
            lines=[line_as_json(line) for line in settlement.lines if line.seat == seat],
        )
        for seat, place in enumerate(entry.seats)
    ]


def line_as_json(line: Line) -> dict[str, Any]:
    """A settlement's line as it is kept: the amount as an exact fraction written out."""
    return {
        "ledger": line.ledger,
        "amount": str(line.amount),
        "cause": line.cause.value,
        "clause": line.clause,
        "params": dict(line.params),
    }


def let_count(
    sheet: ResultSheet,
    change: OpenChange,
    accept: Collection[str],
    *,
    counting: ResultSheet | None,
    ends_as: Hanchan.State,
    seats: Sequence[SeatResult] | None = None,
) -> None:
    """Let a sheet count from this change on, in place of the one before; whoever calls this has checked that it may.

    `seats` are its own, where they are at hand.

    1. Refuse what would unseat somebody from a stage in which results stand, unless that is accepted.
    2. Supersede the sheet that counted, `counting`; links to the table end with its last hanchan.
    3. Write the change down, with what counted before.
    """
    hanchan, by, seats = sheet.hanchan, change.by, list(sheet.seats.all() if seats is None else seats)
    refuse_downstream_damage(hanchan=hanchan, played=played_of_sheet(sheet, seats), by=by, accept=accept)
    before = snapshot(counting)
    if counting is not None:
        supersede(counting, change.n)
    mark_confirmed(sheet, by, change.n)
    sheet.save(update_fields=["state", "confirmed_by", "confirmed_at", "confirmed_n"])
    hanchan.state = ends_as
    hanchan.save(update_fields=["state"])
    end_links_when_done(hanchan.table_session_id)
    change.record(
        "result.corrected" if counting else "result.confirmed",
        hanchan,
        before=before,
        after=snapshot(sheet, seats),
        reason=sheet.reason,
        is_public=hanchan.table_session.is_released,
    )


def mark_confirmed(sheet: ResultSheet, by: Actor, n: int) -> None:
    """Say on a sheet that it counts from change `n` on."""
    sheet.state, sheet.confirmed_by, sheet.confirmed_at, sheet.confirmed_n = (
        ResultSheet.State.CONFIRMED,
        by.user,
        timezone.now(),
        n,
    )


def supersede(sheet: ResultSheet, n: int) -> None:
    """A sheet stays on record and counts no more from change `n` on."""
    sheet.state, sheet.ended_n = ResultSheet.State.SUPERSEDED, n
    sheet.save(update_fields=["state", "ended_n"])


def unseen(sheet: ResultSheet) -> dict[str, Any]:
    """A sheet as the log keeps it while nobody else may know what it says."""
    return {"sheet": sheet.pk, "revision": sheet.revision, "state": sheet.state}


def snapshot(sheet: ResultSheet | None, seats: Sequence[SeatResult] | None = None) -> dict[str, Any] | None:
    """A sheet as an audit line keeps it: ids and numbers, never names; `seats` are its own, where they are at hand."""
    if sheet is None:
        return None
    return {
        "sheet": sheet.pk,
        "revision": sheet.revision,
        "state": sheet.state,
        "kyoutaku": sheet.kyoutaku,
        "seats": [
            {
                "entrant": seat.entrant_id,
                "player": seat.player_id,
                "score": seat.score,
                "chonbo": seat.chonbo,
                "place": seat.place,
                "totals": seat.totals,
            }
            for seat in (sheet.seats.all() if seats is None else seats)
        ],
    }
