"""From a table's log to a counting result: submission, and confirmation by each player where that is required."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Hanchan, ResultSheet, SheetApproval, TableLink
from league.platform.errors import PermissionRefusedError, conflict, forbid, refuse, refuse_without_reason
from league.selectors.access.actors import Actor
from league.selectors.live.log import TableLog, log_of, newest_sequence
from league.selectors.parlour.following import counts_chips
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.live.log import locked_log, require_writer
from league.services.results.blind_entry import ended_as, waiting
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import let_count, record_result
from league.services.results.sheets import refuse_closed, reopen, snapshot, supersede
from scoring.hanchan import result_of
from scoring.kyoku.state import EndReason


@all_or_nothing
def submit_log(
    *,
    hanchan: Hanchan,
    sequence: int,
    by: Actor,
    accept: Collection[str] = (),
    reason: str = "",
    ended_by_time: bool = False,
) -> ResultSheet:
    """Submit the result of the log.

    1. A repeated request returns the sheet made the first time, even if its sender has lost the permission since.
    2. Refuse unless the log is as the submitter has seen it.
    3. Refuse a log with impossible entries, and a game that is not over, unless time was up.
    4. A waiting sheet made from this log is superseded.
    5. Record the result like any other; where one counts already it is a correction, with a reason.
    """
    # Competition before hanchan: `record_result` takes the competition's lock too, and must not wait in reverse order.
    hanchan = locked_log(hanchan, with_competition=True)
    made = sheet_made_from(hanchan, sequence)
    if made is not None:
        return made
    require_writer(hanchan, by)
    log = log_of(hanchan)
    refuse_unseen(log, sequence)
    refuse_unfinished(log, ended_by_time=ended_by_time)
    by_time = not log.state.is_over or any(end.reason is EndReason.TIME for end in log.state.ends)
    state = Hanchan.State.ENDED_BY_TIME if by_time else Hanchan.State.FINISHED
    counting = ResultSheet.objects.counting_of(hanchan)
    before = [old.pk for old in waiting_sheets(hanchan)]
    sheet = record_result(
        hanchan=hanchan,
        entry=entry_of(log),
        by=by,
        accept=accept,
        corrects=counting.revision if counting else None,
        reason=reason,
        state=state,
        made_from=sequence,
    )
    # Recording may have confirmed one of them: with blind double entry an equal sheet makes the result count.
    for old in waiting_sheets(hanchan).filter(pk__in=before):
        supersede(old, sheet.entered_n)
    if sheet.state == ResultSheet.State.SUBMITTED:
        Hanchan.objects.filter(pk=hanchan.pk).update(state=state)
    return sheet


def sheet_made_from(hanchan: Hanchan, sequence: int) -> ResultSheet | None:
    """Return the sheet made from the log up to this event, if it counts or waits and no event follows."""
    states = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    if newest_sequence(hanchan) != sequence:
        return None
    return ResultSheet.objects.filter(hanchan=hanchan, made_from_sequence=sequence, state__in=states).first()


def waiting_sheets(hanchan: Hanchan) -> QuerySet[ResultSheet]:
    """Return the sheets made from the log that are not confirmed yet."""
    return ResultSheet.objects.filter(
        hanchan=hanchan, state=ResultSheet.State.SUBMITTED, made_from_sequence__isnull=False
    )


def entry_of(log: TableLog) -> SheetEntry:
    """Return the log's result as a sheet entry, with the players now seated at the hanchan."""
    result = result_of(log.state, log.rules)
    chonbo = result.chonbo or (0,) * len(result.scores)
    seats = log.hanchan.seats.order_by("seat")
    return SheetEntry(
        seats=tuple(
            SeatEntry(seat.entrant_id, seat.player_id, score, offences)
            for seat, score, offences in zip(seats, result.scores, chonbo, strict=True)
        ),
        kyoutaku=result.kyoutaku,
        options=log.hanchan.options,
        carried=result.carried if counts_chips(log.hanchan) else {},
        tobi=result.tobi,
        forced_top=result.forced_top,
    )


def refuse_unseen(log: TableLog, sequence: int) -> None:
    """Raise ConflictError unless the submitter has seen the newest event of the log."""
    if log.sequence != sequence:
        message = _("Something was entered on another device meanwhile. Look at the table as it stands, then submit.")
        raise conflict("behind", message, sequence=log.sequence)


def refuse_unfinished(log: TableLog, *, ended_by_time: bool) -> None:
    """Raise unless every entry is possible and the game is over or its time was up."""
    if not log.is_followed:
        raise conflict("not_started", _("This hanchan has not begun. Set the seats and start it first."))
    if log.game.refused:
        message = _("Entries that can no longer be since one was changed: %(count)s. Mend or remove them first.")
        raise refuse("log_flagged", message % {"count": len(log.game.refused)})
    if not log.state.is_over and not ended_by_time:
        raise refuse("game_not_over", _("The game is not over by the rules. If time was up, say so."), "/ended_by_time")


@all_or_nothing
def approve_sheet(*, sheet: ResultSheet, by: Actor) -> ResultSheet:
    """Confirm a sheet as one of its players. It counts once all players of the table have confirmed it.

    1. Refuse actors without a link of a player of this sheet.
    2. Refuse a sheet that no longer waits for its players.
    3. With the last player's approval the sheet counts.
    """
    hanchan, sheet, entrant = _asked(sheet, by)
    if SheetApproval.objects.filter(sheet=sheet, entrant=entrant).exists():
        return sheet
    SheetApproval.objects.create(sheet=sheet, entrant=entrant, link=by.link, user=by.user)
    # Counted under the lock: two players who approve at once cannot both believe that the other is missing.
    is_last = set(sheet.seats.values_list("entrant", flat=True)) == set(
        sheet.approvals.values_list("entrant", flat=True)
    )
    if is_last:
        counting = ResultSheet.objects.counting_of(hanchan)
        # As for a second person: a sheet entered after this one is a newer statement and keeps waiting.
        ended = waiting(hanchan).filter(revision__lt=sheet.revision)
        let_count(sheet, by, sheet.accepted_warnings, counting=counting, ends_as=ended_as(sheet), ended=ended)
    else:
        change, after = open_change(hanchan.block.competition, by), {"sheet": sheet.pk, "entrant": entrant.pk}
        change.record("result.approved", hanchan, after=after, is_public=False)
    return sheet


@all_or_nothing
def object_to_sheet(*, sheet: ResultSheet, by: Actor, reason: str) -> ResultSheet:
    """Object to a sheet as one of its players, with a reason; it is rejected and the log can be corrected."""
    hanchan, sheet, entrant = _asked(sheet, by)
    refuse_without_reason(reason)
    change = open_change(hanchan.block.competition, by)
    before = snapshot(sheet)
    sheet.state, sheet.ended_n = ResultSheet.State.REJECTED, change.n
    sheet.save(update_fields=["state", "ended_n"])
    reopen(hanchan)
    change.record(
        "result.objected", hanchan, before=before, after={"entrant": entrant.pk}, reason=reason, is_public=False
    )
    return sheet


def _asked(sheet: ResultSheet, by: Actor) -> tuple[Hanchan, ResultSheet, Entrant]:
    """Return the hanchan, locked, the sheet as stored now, and the player of the actor's link.

    Raise PermissionRefusedError without such a link, ConflictError if the sheet does not wait for its players.
    """
    hanchan = locked_log(sheet.hanchan, with_competition=True)
    sheet = ResultSheet.objects.get(pk=sheet.pk)
    sheet.hanchan = hanchan
    competition = hanchan.block.competition
    refuse_closed(competition)
    entrant = player_of(by.link, hanchan)
    if entrant is None or not sheet.seats.filter(entrant=entrant).exists():
        raise no_player()
    if competition.confirmation != Competition.Confirmation.PLAYERS:
        raise conflict("players_not_asked", _("In this competition the players are not asked to confirm results."))
    if sheet.state != ResultSheet.State.SUBMITTED:
        raise conflict(
            "sheet_not_waiting",
            _("This sheet no longer awaits confirmation: it is %(state)s. Reload the page.")
            % {"state": sheet.get_state_display()},
        )
    return hanchan, sheet, entrant


def no_player() -> PermissionRefusedError:
    """Return the error for an actor who holds no link of one of the table's players."""
    return forbid(_("Only the players of this table confirm its result, each by their own link."))


def player_of(link: TableLink | None, hanchan: Hanchan) -> Entrant | None:
    """Return the entrant of a player's link at the hanchan's table, or None if it is no such link or has ended."""
    return player_at(link, hanchan.table_session_id)


def player_at(link: TableLink | None, table_session_id: int) -> Entrant | None:
    """Return the entrant of a player's link at this table, or None if it is no such link or has ended."""
    if link is None:
        return None
    alive = TableLink.objects.filter(
        pk=link.pk, kind=TableLink.Kind.PLAYER, table_session=table_session_id, ended_at=None
    ).select_related("entrant")
    found = alive.first()
    return None if found is None else found.entrant
