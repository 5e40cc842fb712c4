"""Results on their way: handed in, confirmed, corrected, voided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition, Hanchan, ResultSheet, SeatResult
from league.selectors.parlour import is_newest_of_sitting
from league.selectors.rules import ruleset_of
from league.services.actor import Actor, Capability, require
from league.services.changes import open_change
from league.services.entry import SheetEntry, findings_of
from league.services.errors import conflict, raise_for, refuse, refuse_without_reason
from league.services.preview import played_of_sheet, refuse_downstream_damage
from league.services.table_links import end_links_when_done
from scoring.ruleset import Ruleset
from scoring.settlement import Line, Settlement, settle


@transaction.atomic
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
    4. Write the sheet as the hanchan's next revision, settled.
    5. Confirm it, if this competition asks for no second person.
    """
    hanchan = locked(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.SUBMIT, table=hanchan.table_session)
    refuse_closed(competition)
    counting = ResultSheet.objects.counting().filter(hanchan=hanchan).first()
    refuse_unannounced_correction(counting, corrects, reason)
    if counting:
        require(by, competition, right_to_correct(hanchan))
    raise_for(findings_of(hanchan, entry), accept)
    change = open_change(competition, by)
    sheet = _write_sheet(
        hanchan=hanchan, entry=entry, by=by, n=change.n, accept=accept, reason=reason, made_from=made_from
    )
    if competition.confirmation == Competition.Confirmation.ONE or by.is_system:
        refuse_downstream_damage(hanchan=hanchan, played=played_of_sheet(sheet), by=by, accept=accept)
        make_count(sheet=sheet, by=by, n=change.n, ends_as=state)
        kind = "result.corrected" if counting else "result.confirmed"
    else:
        kind = "result.submitted"
    change.record(
        kind,
        hanchan,
        before=snapshot(counting),
        after=snapshot(sheet),
        reason=reason,
        is_public=sheet.state == ResultSheet.State.CONFIRMED and hanchan.table_session.is_released,
    )
    return sheet


@transaction.atomic
def confirm_result(
    *, sheet: ResultSheet, by: Actor, accept: Collection[str] = (), state: Hanchan.State = Hanchan.State.FINISHED
) -> ResultSheet:
    """Make this sheet the hanchan's result.

    1. Refuse if it does not wait for confirmation any more.
    2. Refuse the person who entered it where the competition wants a second one.
    3. Supersede the sheet confirmed before, if any.
    """
    hanchan = locked(sheet.hanchan)
    sheet = ResultSheet.objects.get(pk=sheet.pk)
    competition = hanchan.block.competition
    require(by, competition, Capability.CONFIRM)
    refuse_closed(competition)
    if sheet.state != ResultSheet.State.SUBMITTED:
        raise conflict(
            "sheet_not_waiting",
            _("This sheet no longer awaits confirmation: it is %(state)s. Reload the page.")
            % {"state": sheet.get_state_display()},
        )
    if by.user is not None and sheet.entered_by_id == by.user.pk:
        raise refuse("second_person_needed", _("You entered this sheet yourself. A second person must confirm it."))
    counting = ResultSheet.objects.counting().filter(hanchan=hanchan).first()
    if counting:
        require(by, competition, Capability.CORRECT)
    refuse_downstream_damage(hanchan=hanchan, played=played_of_sheet(sheet), by=by, accept=accept)
    before = snapshot(counting)
    change = open_change(competition, by)
    make_count(sheet=sheet, by=by, n=change.n, ends_as=state)
    change.record(
        "result.corrected" if counting else "result.confirmed",
        hanchan,
        before=before,
        after=snapshot(sheet),
        reason=sheet.reason,
        is_public=hanchan.table_session.is_released,
    )
    return sheet


@transaction.atomic
def reject_result(*, sheet: ResultSheet, by: Actor, reason: str) -> ResultSheet:
    """Refuse a handed-in sheet, with the reason its author will read."""
    hanchan = locked(sheet.hanchan)
    sheet = ResultSheet.objects.get(pk=sheet.pk)
    competition = hanchan.block.competition
    require(by, competition, Capability.CONFIRM)
    refuse_without_reason(reason)
    if sheet.state != ResultSheet.State.SUBMITTED:
        raise conflict(
            "sheet_not_waiting",
            _("This sheet no longer awaits confirmation: it is %(state)s. Reload the page.")
            % {"state": sheet.get_state_display()},
        )
    change = open_change(competition, by)
    sheet.state, sheet.ended_n = ResultSheet.State.REJECTED, change.n
    sheet.save(update_fields=["state", "ended_n"])
    change.record(
        "result.rejected",
        hanchan,
        before=snapshot(sheet),
        after=None,
        reason=reason,
        is_public=False,
    )
    return sheet


@transaction.atomic
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
    sheet = ResultSheet.objects.counting().filter(hanchan=hanchan).first()
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


def locked(hanchan: Hanchan) -> Hanchan:
    """The hanchan as it stands now, its competition locked for the rest of the transaction."""
    fresh = Hanchan.objects.select_related(
        "block__competition", "table_session", "rules__ruleset", "rules__format"
    ).get(pk=hanchan.pk)
    Competition.objects.select_for_update().get(pk=fresh.block.competition_id)
    fresh.block.competition.refresh_from_db()
    return fresh


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
            _("This hanchan already has a confirmed result (revision %(revision)s). To change it, enter a correction.")
            % {"revision": counting.revision},
            revision=counting.revision,
        )
    if corrects != counting.revision:
        raise conflict(
            "stale_revision",
            _(
                "Revision %(theirs)s counts now, not revision %(yours)s: somebody corrected it meanwhile. "
                "Reload and compare."
            )
            % {"theirs": counting.revision, "yours": corrects},
            revision=counting.revision,
        )
    refuse_without_reason(reason)


def _write_sheet(
    *,
    hanchan: Hanchan,
    entry: SheetEntry,
    by: Actor,
    n: int,
    accept: Collection[str],
    reason: str,
    made_from: int | None,
) -> ResultSheet:
    newest = ResultSheet.objects.filter(hanchan=hanchan).aggregate(newest=Max("revision"))["newest"] or 0
    sheet = ResultSheet.objects.create(
        hanchan=hanchan,
        revision=newest + 1,
        state=ResultSheet.State.SUBMITTED,
        rules=hanchan.rules,
        options={**hanchan.options, **entry.options},
        kyoutaku=entry.kyoutaku,
        facts=entry.facts(),
        made_from_sequence=made_from,
        reason=reason,
        accepted_warnings=sorted(accept),
        entered_by=by.user,
        entered_n=n,
    )
    rules = ruleset_of(hanchan.rules, sheet.options)
    settlement = settle(entry.hanchan_result(), rules)
    SeatResult.objects.bulk_create(_seat_results(sheet, entry, settlement, rules))
    return sheet


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


def make_count(*, sheet: ResultSheet, by: Actor, n: int, ends_as: Hanchan.State) -> None:
    """Let a sheet count from change `n` on, in place of the one before; whoever calls this has checked that it may.

    Links to the table end with its last hanchan.
    """
    for counting in ResultSheet.objects.counting().filter(hanchan=sheet.hanchan):
        supersede(counting, n)
    sheet.state, sheet.confirmed_by, sheet.confirmed_at, sheet.confirmed_n = (
        ResultSheet.State.CONFIRMED,
        by.user,
        timezone.now(),
        n,
    )
    sheet.save(update_fields=["state", "confirmed_by", "confirmed_at", "confirmed_n"])
    Hanchan.objects.filter(pk=sheet.hanchan_id).update(state=ends_as)
    end_links_when_done(sheet.hanchan.table_session_id)


def supersede(sheet: ResultSheet, n: int) -> None:
    """A sheet stays on record and counts no more from change `n` on."""
    sheet.state, sheet.ended_n = ResultSheet.State.SUPERSEDED, n
    sheet.save(update_fields=["state", "ended_n"])


def snapshot(sheet: ResultSheet | None) -> dict[str, Any] | None:
    """A sheet as an audit line keeps it: ids and numbers, never names."""
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
            for seat in sheet.seats.all()
        ],
    }
