"""Services for one result: record, confirm, reject, void; and for a hanchan: abandon, resume.

Each locks the competition first, so that everything checked is still true when it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from league.models import Closing, Credit, Hanchan, ResultSheet
from league.platform.errors import conflict, raise_for, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.live.links import end_links_when_done
from league.services.results.batches import Incoming, ResultBatch
from league.services.results.blind_entry import ended_as, goes_blind, require_settler, waiting
from league.services.results.context import Surroundings
from league.services.results.entry import SheetEntry, open_sheet_findings
from league.services.results.preview import played_of_sheet, refuse_downstream_damage, refuse_unseating
from league.services.results.rulings import nothing_held_back
from league.services.results.sheets import (
    SheetChange,
    block_closed,
    by_whom,
    lock_hanchan,
    refuse_closed,
    reopen,
    right_to_correct,
    snapshot,
    snapshot_without_content,
    state_to_play,
    supersede,
    write_steps,
)


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
    """Record the result of a hanchan; it counts at once if the competition needs no second person.

    `made_from` is the number of the table log's event up to which the result was made from the log.

    1. Refuse actors without the right to submit, or to correct a result that counts.
    2. Refuse a second result unless it names the revision it corrects, and a reason.
    3. Refuse violations of the rules in force; warnings must be accepted by their code.
    4. Write the sheet as the hanchan's next revision, settled; it supersedes the same person's waiting sheet.
    5. Confirm it, if the competition needs no second person; with blind entry, once two people's sheets agree.
    """
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.SUBMIT, table=hanchan.table_session)
    refuse_closed(competition)
    one = Incoming(hanchan, entry, reason, corrects=corrects, accept=accept, ends_as=state, made_from=made_from)
    return record_incoming(one, by)


def record_incoming(one: Incoming, by: Actor) -> ResultSheet:
    """Record one result; the caller has locked its competition and checked the permission."""
    intake = ResultBatch.of(one.hanchan.block.competition, [one], by, writes=True)
    sheet = intake.record(one)
    intake.flush()
    return sheet


@all_or_nothing
def confirm_result(
    *, sheet: ResultSheet, by: Actor, accept: Collection[str] = (), state: Hanchan.State | None = None
) -> ResultSheet:
    """Confirm this sheet as the hanchan's result; the hanchan ends as the sheet says, unless `state` is given.

    1. Refuse a sheet that does not wait for confirmation any more.
    2. Refuse the person who entered it, where the competition needs a second one.
    3. With blind entry only a director can settle differing sheets.
    4. Warn if a typed sheet would end a score sheet in progress.
    5. Supersede the sheet that counted before, and waiting sheets entered before this one.
    """
    hanchan = lock_hanchan(sheet.hanchan)
    # Read again under the lock: of two people who confirm at once, the second gets a conflict.
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
    if sheet.made_from_sequence is None:
        # Asked again although its author accepted it: the game went on since, and another person decides now.
        raise_for(open_sheet_findings(hanchan, Surroundings(competition, [(hanchan, SheetEntry(seats=()))])), accept)
    others = waiting(hanchan).exclude(pk=sheet.pk)
    # A sheet entered after this one is a newer statement and keeps waiting.
    ended = others if blind else others.filter(revision__lt=sheet.revision)
    let_count(sheet, by, accept, counting=counting, ends_as=state or ended_as(sheet), ended=ended)
    return sheet


@all_or_nothing
def reject_result(*, sheet: ResultSheet, by: Actor, reason: str) -> ResultSheet:
    """Reject a submitted sheet, with a reason that its author will read."""
    hanchan = lock_hanchan(sheet.hanchan)
    sheet = ResultSheet.objects.get(pk=sheet.pk)
    competition = hanchan.block.competition
    require(by, competition, Capability.CORRECT if goes_blind(hanchan, by) else Capability.CONFIRM)
    refuse_without_reason(reason)
    refuse_decided(sheet)
    change = open_change(competition, by)
    sheet.state, sheet.ended_n = ResultSheet.State.REJECTED, change.n
    sheet.save(update_fields=["state", "ended_n"])
    if sheet.made_from_sequence is not None:
        reopen(hanchan)
    change.record(
        "result.rejected",
        hanchan,
        # The audit log must not show its content either, while the other person has yet to enter.
        before=snapshot_without_content(sheet) if goes_blind(hanchan, by) else snapshot(sheet),
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
    """Void a hanchan's confirmed result, with a reason; the sheet stays on record, superseded.

    `state` is the hanchan's new state: to be played (again), or abandoned, with its waiting sheets rejected. A hanchan
    to be played becomes `running` if its score sheet was begun, and continues from the log.
    """
    hanchan = lock_hanchan(hanchan)
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
    state = state_to_play(hanchan) if state == Hanchan.State.SCHEDULED else state
    if state == Hanchan.State.ABANDONED:
        end_abandoned(hanchan, change.n)
    else:
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
    """Mark a hanchan without a result as abandoned, with a reason; its waiting sheets are rejected."""
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    require(by, competition, right_to_correct(hanchan))
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
    end_abandoned(hanchan, change.n)
    change.record(
        "hanchan.abandoned",
        hanchan,
        before=before,
        after={"state": Hanchan.State.ABANDONED},
        reason=reason,
        is_public=hanchan.table_session.is_released,
    )


def end_abandoned(hanchan: Hanchan, n: int) -> None:
    """End a hanchan as abandoned by change `n`: its waiting sheets are rejected, and its links end with its table."""
    waiting(hanchan).update(state=ResultSheet.State.REJECTED, ended_n=n)
    Hanchan.objects.filter(pk=hanchan.pk).update(state=Hanchan.State.ABANDONED)
    end_links_when_done(hanchan.table_session_id)


@all_or_nothing
def resume_hanchan(*, hanchan: Hanchan, by: Actor, reason: str, accept: Collection[str] = ()) -> None:
    """Undo abandoning a hanchan: it is to be played, or continues from its log; a walkover's points are taken back."""
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.CORRECT)
    refuse_closed(competition)
    refuse_without_reason(reason)
    if hanchan.state != Hanchan.State.ABANDONED:
        raise conflict("not_abandoned", _("This hanchan is not abandoned any more. Reload the page."))
    change = open_change(competition, by)
    state = state_to_play(hanchan)
    Hanchan.objects.filter(pk=hanchan.pk).update(state=state)
    given = Credit.objects.standing().filter(
        kind=Credit.Kind.WALKOVER,
        block=hanchan.block,
        number=hanchan.number,
        entrant__in=hanchan.seats.order_by().values("entrant"),
    )
    takes_back = given.update(ended_n=change.n)
    if takes_back:
        refuse_unseating(change, accept)
    change.record(
        "hanchan.resumed",
        hanchan,
        before={"state": Hanchan.State.ABANDONED},
        after={"state": state},
        reason=reason,
        is_public=hanchan.table_session.is_released and (not takes_back or nothing_held_back(competition)),
    )


def refuse_decided(sheet: ResultSheet) -> None:
    """Raise ConflictError if the sheet has been decided; the message states the decision, and by which user."""
    if sheet.state == ResultSheet.State.SUBMITTED:
        return
    raise conflict(
        "sheet_not_waiting",
        _("This sheet no longer awaits confirmation: it is %(state)s%(by_whom)s. Reload the page.")
        % {"state": sheet.get_state_display(), "by_whom": by_whom(sheet, sheet.ended_n or sheet.confirmed_n)},
        state=sheet.state,
    )


def let_count(
    sheet: ResultSheet,
    by: Actor,
    accept: Collection[str],
    *,
    counting: ResultSheet | None,
    ends_as: Hanchan.State,
    ended: Iterable[ResultSheet] = (),
) -> None:
    """Confirm a waiting sheet in place of `counting` and of those `ended`; the caller has checked the permission.

    Raise if that would unseat a player from a stage that has results, unless it is accepted, and for a sheet without
    a reason, entered before another one counted.
    """
    hanchan, seats = sheet.hanchan, list(sheet.seats.all())
    if counting is not None and not sheet.reason.strip():
        message = _(
            "Revision %(revision)s counts by now, and this sheet gives no reason to correct it. Enter a correction "
            "with its reason, or reject this sheet."
        )
        raise conflict("correction_without_reason", message % {"revision": counting.revision})
    if counting is None and Closing.objects.standing().filter(block=hanchan.block).exists():
        raise block_closed(hanchan.block)
    refuse_downstream_damage(hanchan=hanchan, played=played_of_sheet(sheet, seats), by=by, accept=accept)
    step = SheetChange(sheet, seats, ends_as=ends_as, counting=counting, ended=list(ended))
    write_steps(hanchan.block.competition, by, [step])
