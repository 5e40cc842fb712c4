"""Result sheets: checks that refuse one, creation of new ones, and the one function that writes them with changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Block, Change, Competition, Entrant, Hanchan, ResultSheet, SeatResult, TableLink
from league.platform.errors import ServiceError, conflict, refuse_without_reason
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import is_newest_of_sitting
from league.selectors.results.checked_hanchan import checked_hanchan
from league.selectors.rulebooks.rules_in_force import format_of, is_of_teams, ruleset_of
from league.services.access.changes import OpenChange, lock, open_changes, record_together
from league.services.live.links import end_links_when_done
from league.services.parlour.leaving import free_chairs_after
from league.services.results.entry import SheetEntry
from league.services.seasons.line_up_rows import put_line_ups
from scoring.format.policies import OddBy
from scoring.settlement import Line, Settlement, settle

BATCH = 500
"""The number of results written together, and the most ids in one query."""


def lock_hanchan(hanchan: Hanchan) -> Hanchan:
    """Lock the hanchan's competition until the transaction ends, and return the hanchan as stored now."""
    # Lock order: the competition first, then (in `locked_log`) the hanchan; never the other way round.
    Competition.objects.select_for_update().only("pk").get(blocks__hanchan=hanchan.pk)
    return checked_hanchan(hanchan.pk)


def state_to_play(hanchan: Hanchan) -> Hanchan.State:
    """Return the state of a hanchan that has no result: `running` where its score sheet was begun."""
    return Hanchan.State.SCHEDULED if hanchan.started_at is None else Hanchan.State.RUNNING


def reopen(hanchan: Hanchan) -> None:
    """Let a hanchan whose sheet was rejected continue from its log, unless another result counts."""
    if hanchan.started_at is not None and ResultSheet.objects.counting_of(hanchan) is None:
        Hanchan.objects.filter(pk=hanchan.pk).update(state=Hanchan.State.RUNNING)


def right_to_correct(hanchan: Hanchan) -> Capability:
    """Return the capability needed to change a result that counts.

    CORRECT in general, SUBMIT for the newest game of a sitting, which the counter itself may correct.
    """
    return Capability.SUBMIT if is_newest_of_sitting(hanchan) else Capability.CORRECT


def refuse_closed(competition: Competition) -> None:
    """Raise ConflictError if the competition is closed: its results and decisions stand."""
    if competition.status == Competition.Status.CLOSED:
        raise conflict(
            "competition_closed",
            _("“%(name)s” is closed: its results and decisions stand. A director can reopen it.")
            % {"name": competition},
        )


def lock_open(competition: Competition) -> None:
    """Lock the competition until the transaction ends; raise ConflictError if it is closed, as stored now."""
    lock(competition)
    competition.refresh_from_db(fields=["status"])
    refuse_closed(competition)


def refuse_abandoned(hanchan: Hanchan, by: Actor) -> None:
    """Raise ConflictError for an abandoned hanchan, unless the service replays a file that says otherwise."""
    if hanchan.state == Hanchan.State.ABANDONED and not by.is_system:
        raise conflict(
            "hanchan_abandoned", _("This hanchan was abandoned. Take that back first if it has a result after all.")
        )


def block_closed(block: Block) -> ServiceError:
    """Return the error for a first result in a block that the organizer has closed; corrections may be made."""
    message = _("%(block)s is closed. Take that back first if this result counts.")
    return conflict("block_closed", message % {"block": block})


def refuse_unannounced_correction(counting: ResultSheet | None, corrects: int | None, reason: str) -> None:
    """Raise unless a hanchan with a result gets a correction of exactly the counting revision, with a reason.

    `counting` is the sheet that counts, `corrects` the revision that the author saw.
    """
    if counting is None:
        if corrects is not None:
            raise conflict(
                "nothing_to_correct", _("This hanchan has no confirmed result to correct any more. Reload the page.")
            )
        return
    if corrects == counting.revision:
        refuse_without_reason(reason)
        return
    if corrects is None:
        code, message = (
            "hanchan_confirmed",
            _(
                "This hanchan already has a confirmed result (revision %(revision)s)%(by_whom)s. "
                "To change it, enter a correction."
            ),
        )
    else:
        code, message = (
            "stale_revision",
            _(
                "Revision %(theirs)s counts now, not revision %(yours)s: it was corrected meanwhile%(by_whom)s. "
                "Reload and compare."
            ),
        )
    said = {"revision": counting.revision, "theirs": counting.revision, "yours": corrects}
    message %= said | {"by_whom": by_whom(counting, counting.confirmed_n)}
    raise conflict(code, message, revision=counting.revision)


def by_whom(sheet: ResultSheet, n: int | None) -> str:
    """Return user, time and reason of change `n` in brackets; empty if the user is unknown."""
    changes = Change.objects.filter(competition=sheet.hanchan.block.competition_id).select_related("actor")
    change = changes.filter(n=n).first() if n is not None else None
    if change is None or change.actor is None:
        return ""
    at = f"{timezone.localtime(change.at):%H:%M}"
    said = _(", ").join(filter(None, (str(change.actor), at, change.reason)))
    return _(" (%(said)s)") % {"said": said}


def settled_seats(sheet: ResultSheet, entry: SheetEntry) -> Sequence[SeatResult]:
    """Return the seats of a sheet, settled under the rules it pins, as unsaved rows."""
    rules = ruleset_of(sheet.rules, sheet.options)
    settlement = settle(entry.hanchan_result(), rules)
    points = ranking_points(sheet, entry, settlement)
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
            points=points[seat],
            totals={ledger: totals[seat] for ledger, totals in settlement.totals.items()},
            lines=[line_as_json(line) for line in settlement.lines if line.seat == seat],
        )
        for seat, place in enumerate(entry.seats)
    ]


def ranking_points(sheet: ResultSheet, entry: SheetEntry, settlement: Settlement) -> Sequence[int]:
    """Return what the hanchan counts in the ranking ledger, by seat; a house player's is what the format fixes.

    The sum of a table with a house player's fixed points need not be zero; they count for no entrant.
    """
    ledger = ruleset_of(sheet.rules, sheet.options).ranking_ledger
    won, odd = settlement.totals[ledger.key], format_of(sheet.rules).policies.odd
    if odd is None or odd.by is not OddBy.SUBSTITUTES or not isinstance(odd.points, Fraction):
        return won
    fixed, seated = ledger.stored(odd.points), [seat.entrant for seat in entry.seats]
    house = set(Entrant.objects.filter(pk__in=seated, is_house=True).order_by().values_list("pk", flat=True))
    return [fixed if entrant in house else points for entrant, points in zip(seated, won, strict=True)]


def line_as_json(line: Line) -> dict[str, object]:
    """Return a settlement's line as it is stored, with the amount as an exact fraction in text form."""
    return {
        "ledger": line.ledger,
        "amount": str(line.amount),
        "cause": line.cause.value,
        "clause": line.clause,
        "params": dict(line.params),
    }


@dataclass(frozen=True, slots=True)
class SheetChange:
    """The rows that one change writes: a sheet that is submitted or confirmed, and the sheets that it ends."""

    sheet: ResultSheet
    """The sheet that counts after this change, or waits."""
    seats: Sequence[SeatResult]
    ends_as: Hanchan.State | None = None
    """The final state of the hanchan if the sheet counts, else None."""
    counting: ResultSheet | None = None
    """The sheet that counted before."""
    ended: Sequence[ResultSheet] = ()
    """Waiting sheets that this change ends."""
    ended_seats: Sequence[SeatResult] = ()
    """The seats of a sheet among `ended` that is not written yet."""
    is_blind: bool = False
    """True if the sheet waits unseen by others: the change must not contain its content."""

    def mark(self, by: Actor, n: int) -> dict[str, object] | None:
        """Set the states and numbers that change `n` gives the sheets; return the former result for the audit log."""
        before = None if self.is_blind else snapshot(self.counting)
        for sheet in (self.sheet, *self.ended):
            # Every number is set before any row is written, so that one batch needs no second UPDATE.
            sheet.entered_n = sheet.entered_n if sheet.pk else n
        for sheet in self.superseded:
            sheet.state, sheet.ended_n = ResultSheet.State.SUPERSEDED, n
        if self.ends_as is not None:
            sheet, sheet.hanchan.state = self.sheet, self.ends_as
            sheet.state, sheet.confirmed_n = ResultSheet.State.CONFIRMED, n
            sheet.confirmed_by, sheet.confirmed_at = by.user, timezone.now()
        return before

    @property
    def superseded(self) -> Sequence[ResultSheet]:
        """The sheets that end with this change."""
        return [*self.ended, self.counting] if self.counting and self.ends_as else self.ended

    def row(self, change: OpenChange, before: dict[str, object] | None) -> Change:
        """Return the audit row of this step, unsaved."""
        counts, hanchan = self.ends_as is not None, self.sheet.hanchan
        return change.row(
            ("result.corrected" if self.counting else "result.confirmed") if counts else "result.submitted",
            hanchan,
            before=before,
            after=snapshot_without_content(self.sheet) if self.is_blind else snapshot(self.sheet, self.seats),
            reason="" if self.is_blind else self.sheet.reason,
            is_public=counts and hanchan.table_session.is_released,
        )


def write_steps(competition: Competition, by: Actor, steps: Sequence[SheetChange]) -> None:
    """Write checked results, each under a change of its own; request new standings once.

    1. Take the next change numbers; end the sheets that are replaced before others count in their place.
    2. Insert new sheets with their settled seats; confirm waiting sheets.
    3. Set the final state of each hanchan; the links to a table end with its last hanchan.
    4. Insert the changes, with the result that counted before.
    5. In a team league the members who sat become the line-ups.
    6. At an open table, guests who leave after the game stand up.
    """
    changes = open_changes(competition, by, len(steps))
    before = [step.mark(by, change.n) for step, change in zip(steps, changes, strict=True)]
    _write_sheets(steps)
    _finish([step for step in steps if step.ends_as is not None])
    _keep_line_ups(steps, changes, by)
    told = zip(steps, changes, before, strict=True)
    record_together(competition, [step.row(change, counted) for step, change, counted in told])
    if competition.kind == Competition.Kind.OPEN:
        for step in steps:
            if step.ends_as is not None and step.counting is None:
                free_chairs_after(step.sheet.hanchan, step.sheet.entered_at, by)


def _keep_line_ups(steps: Sequence[SheetChange], changes: Sequence[OpenChange], by: Actor) -> None:
    """Let the members who sat by the results that count be the line-ups of their teams."""
    made = [
        (step, change.n)
        for step, change in zip(steps, changes, strict=True)
        if step.ends_as is not None and is_of_teams(step.sheet.rules)
    ]
    sitting = {(step.sheet.hanchan_id, seat.entrant_id): seat.player_id for step, _n in made for seat in step.seats}
    if sitting:
        put_line_ups(sitting, {step.sheet.hanchan_id: n for step, n in made}, by)


def _write_sheets(steps: Sequence[SheetChange]) -> None:
    """Write the sheets as marked, and the seats of new ones."""
    sheets, ended = [step.sheet for step in steps], [sheet for step in steps for sheet in step.superseded]
    waited = [sheet for sheet in sheets if sheet.pk]
    seats = [seat for step in steps for seat in (*step.seats, *step.ended_seats) if not seat.pk]
    # First end, then insert: a unique constraint allows one counting sheet for each hanchan.
    ResultSheet.objects.bulk_update([sheet for sheet in ended if sheet.pk], ["state", "ended_n"])
    ResultSheet.objects.bulk_create([sheet for sheet in (*sheets, *ended) if not sheet.pk])
    ResultSheet.objects.bulk_update(waited, ["state", "confirmed_by", "confirmed_at", "confirmed_n"])
    SeatResult.objects.bulk_create(seats, batch_size=BATCH)
    for step in steps:
        step.sheet.known_seats = step.seats


def _finish(steps: Sequence[SheetChange]) -> None:
    """Write the final state of the hanchan, and end the links of tables that are done."""
    ends: defaultdict[object, list[int]] = defaultdict(list)
    for step in steps:
        ends[step.ends_as].append(step.sheet.hanchan_id)
    for state, hanchan in ends.items():
        Hanchan.objects.filter(pk__in=hanchan).update(state=state)
    tables = {step.sheet.hanchan.table_session_id for step in steps}
    linked = TableLink.objects.filter(table_session__in=tables, ended_at=None)
    for table in linked.order_by().values_list("table_session", flat=True).distinct():
        end_links_when_done(table)


def supersede(sheet: ResultSheet, n: int) -> None:
    """Mark a sheet as superseded from change `n` on; it stays on record."""
    sheet.state, sheet.ended_n = ResultSheet.State.SUPERSEDED, n
    sheet.save(update_fields=["state", "ended_n"])


def snapshot_without_content(sheet: ResultSheet) -> dict[str, object]:
    """Return a sheet for the log without its content, for blind entry."""
    return {"sheet": sheet.pk, "revision": sheet.revision, "state": sheet.state}


def snapshot(sheet: ResultSheet | None, seats: Sequence[SeatResult] | None = None) -> dict[str, object] | None:
    """Return a sheet as the audit log stores it: ids and numbers, never names.

    `seats` are the sheet's own, which saves a query if they are loaded.
    """
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
