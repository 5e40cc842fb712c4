"""Writing a table's log: events come in batches, exactly once each, from devices that know the newest state.

A device may resend every event whose arrival is uncertain: an event is identified by the id its device gave it. A
batch is written whole or not at all. Entries that the engine refuses are refused here, with reasons; only entries
that became impossible through an edit of an earlier one stay in the log, flagged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition, Hanchan, ResultSheet, TableEvent
from league.platform.errors import ConflictError, Finding, RuleViolationError, conflict, refuse
from league.platform.storable import unstorable_places
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.live.log import EventKind, Foreseen, TableLog, events_of, fold_events, log_of
from league.selectors.live.seats import seated_names, seats_of
from league.selectors.live.table_options import option_findings
from league.selectors.rulebooks.rules_in_force import is_of_teams, ruleset_of
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.live.entries import entry_read, refusals_found
from league.services.live.start import Opening, opening_of, seat_for_start
from league.services.results.sheets import refuse_closed
from league.services.seasons.line_up_rows import put_line_ups
from scoring.hanchan import Step, apply_entry

MOST_AT_ONCE = 100
MOST_EVENTS = 3000
CLIENT_ID = re.compile(r"[\x21-\x7e]{1,64}")


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One event as a device submits it."""

    client_id: str
    kind: str
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """One event with the sequence number it gets."""

    sequence: int
    kind: str
    payload: Mapping[str, object]


class BehindError(ConflictError):
    """Another device has written events that this one has not seen (409 with the current document)."""


def append_events(*, hanchan: Hanchan, events: Sequence[NewEvent], after: int, by: Actor) -> int:
    """Write a batch of events sent by a device; return the number of the newest event."""
    refuse_bad_batch(events)
    return write_events(hanchan=hanchan, events=events, after=after, by=by)


@all_or_nothing
def write_events(*, hanchan: Hanchan, events: Sequence[NewEvent], after: int, by: Actor) -> int:
    """Write events; return the number of the newest one.

    1. Lock the log: of two devices at once one writes, the other gets a BehindError.
    2. Skip events written before; a batch sent again does nothing, even if its sender has lost the permission
       since.
    3. Refuse if another device has written since `after`, the number of the newest event this device has seen.
    4. Refuse impossible events; each is checked on top of those before it.
    5. A start event also seats the players, and is a change of the competition.
    """
    starts = any(event.kind == EventKind.START for event in events)
    hanchan = locked_log(hanchan, with_competition=starts)
    rows = events_of(hanchan)
    known = {row.client_id: row for row in rows}
    new = {index: event for index, event in enumerate(events) if not is_known(event, known)}
    newest = rows[-1].sequence if rows else 0
    # Before the permission check: a retry after a lost response must succeed even once the link has ended.
    if not new:
        return newest
    require_writer(hanchan, by)
    refuse_behind(rows, events, after)
    refuse_locked(hanchan, by)
    if newest + len(new) > MOST_EVENTS:
        raise refuse("log_full", _("This log has %(most)s events already; it takes no more.") % {"most": MOST_EVENTS})
    for event in new.values():
        refuse_too_long(TableEvent, event)
    check_events(TableLog(hanchan, newest, fold_events(rows)), new)
    for place, event in enumerate(new.values(), start=1):
        _write(hanchan, event, newest + place, by)
    return newest + len(new)


def foresee(*, hanchan: Hanchan, events: Sequence[NewEvent], by: Actor) -> Foreseen:
    """Return the effect of a batch without writing it; impossible entries are part of the answer, not refused.

    Raise RuleViolationError for events that cannot be read at all.
    """
    require_writer(hanchan, by)
    refuse_bad_batch(events)
    log = log_of(hanchan)
    known = set(TableEvent.objects.filter(hanchan=hanchan).values_list("client_id", flat=True))
    new = {index: event for index, event in enumerate(events) if event.client_id not in known}
    after, step = check_events(log, new, strict=False)
    last = len(after.writing.lines) - 1
    number = events[-1].payload.get("number", last) if step is not None else None
    return Foreseen(log, after, step, number if isinstance(number, int) else None)


def locked_log(hanchan: Hanchan, *, with_competition: bool = False) -> Hanchan:
    """Lock the log (the hanchan's row) until the transaction ends, and return the hanchan as stored now.

    With `with_competition` the competition is locked first, the order in which all results are written.
    """
    if with_competition:
        Competition.objects.select_for_update().get(table_sessions__hanchan=hanchan.pk)
    # Entries lock only their own hanchan, so that tables of one competition do not wait for each other.
    Hanchan.objects.select_for_update(of=("self",)).get(pk=hanchan.pk)
    return Hanchan.objects.select_related(
        "block__competition", "block__stage", "table_session__competition", "rules__ruleset", "rules__format"
    ).get(pk=hanchan.pk)


def require_writer(hanchan: Hanchan, by: Actor) -> None:
    """Raise unless the actor may submit results, or keeps this table's score sheet by a link."""
    require(by, hanchan.block.competition, Capability.SUBMIT, table=hanchan.table_session)


def refuse_bad_batch(events: Sequence[NewEvent]) -> None:
    """Raise unless the batch has 1 to 100 events, each with a valid id of its own and storable text."""
    if not 0 < len(events) <= MOST_AT_ONCE:
        raise refuse("batch_size", _("Send 1 to %(most)s events at once.") % {"most": MOST_AT_ONCE}, "/events")
    for index, event in enumerate(events):
        if any(unstorable_places(event.payload)):
            message = _("A text in it has characters that cannot be kept. Take them out.")
            raise refuse("unstorable_text", message, f"/events/{index}/payload")
    ids = [event.client_id for event in events]
    for index, given in enumerate(ids):
        if not CLIENT_ID.fullmatch(given) or given in ids[:index]:
            message = _("Every event needs an id of its own: 1 to 64 printable ASCII characters.")
            raise refuse("bad_client_id", message, f"/events/{index}/client_id")


def is_known(event: NewEvent, known: Mapping[str, TableEvent]) -> bool:
    """Return True if the event was written before; raise if its id was used for another event."""
    row = known.get(event.client_id)
    if row is None:
        return False
    if (row.kind, row.payload) != (event.kind, dict(event.payload)):
        raise refuse("client_id_reused", _("This id was used for another event. Take a new one for every event."))
    return True


def refuse_behind(rows: Sequence[TableEvent], events: Sequence[NewEvent], after: int) -> None:
    """Raise BehindError unless the device has seen all events except those of its own in this batch."""
    own = {event.client_id for event in events}
    unseen = [row.sequence for row in rows if row.sequence > after and row.client_id not in own]
    newest = rows[-1].sequence if rows else 0
    if unseen or after > newest:
        message = _(
            "Something was entered on another device meanwhile. Look at the table as it stands, then enter again."
        )
        raise BehindError(Finding("behind", message, params={"sequence": newest}))


def refuse_locked(hanchan: Hanchan, by: Actor) -> None:
    """Raise if the log cannot be written: closed, cancelled, abandoned, or rules without play by hands.

    If a result counts already, the actor must have the right to correct it.
    """
    competition = hanchan.block.competition
    refuse_closed(competition)
    if hanchan.table_session.is_cancelled or hanchan.state == Hanchan.State.ABANDONED:
        raise conflict("hanchan_abandoned", _("This hanchan is not played."))
    if ruleset_of(hanchan.rules).play is None:
        raise refuse("hands_unknown", _("These rules know final scores only: no game is followed hand by hand."))
    if ResultSheet.objects.counting().filter(hanchan=hanchan).exists():
        require(by, competition, Capability.CORRECT)


def check_events(log: TableLog, events: Mapping[int, NewEvent], *, strict: bool = True) -> tuple[TableLog, Step | None]:
    """Return the log with these events added, each under its place in the batch, and the step of the last one.

    Unless `strict`, an impossible entry stays in the log. Raise RuleViolationError with pointers into the batch.
    """
    step = None
    for index, event in events.items():
        pointer = f"/events/{index}"
        kind = read_kind(event, pointer)
        step = CHECKS[kind](log, event, f"{pointer}/payload")
        if strict and step is not None and step.refusals:
            seated = seated_names(seats_of(log.hanchan), log.rules)
            raise RuleViolationError(*refusals_found(step.refusals, seated, f"{pointer}/payload/entry"))
        sequence = log.sequence + 1
        log = TableLog(log.hanchan, sequence, fold_events([NumberedEvent(sequence, kind, event.payload)], log.writing))
    return log, step


def read_kind(event: NewEvent, pointer: str) -> EventKind:
    """Return the kind of an event. Raise RuleViolationError for an unknown one."""
    try:
        return EventKind(event.kind)
    except ValueError as unknown:
        message = _("There is no such kind of event: %(kind)s. There are: %(known)s.")
        shown = {"kind": event.kind, "known": ", ".join(EventKind)}
        raise refuse("unknown_kind", message % shown, f"{pointer}/kind") from unknown


def _check_start(log: TableLog, event: NewEvent, pointer: str) -> None:
    if log.writing.lines or log.writing.versions != ((),):
        raise conflict("already_started", _("This hanchan has begun: seats and options can no longer be changed."))
    _check_values(log, event, pointer, {"seats", "options", "members"})
    opening_of(log.hanchan, event.payload.get("seats"), f"{pointer}/seats", event.payload.get("members"))


def _check_options(log: TableLog, event: NewEvent, pointer: str) -> None:
    if log.writing.is_started:
        raise conflict("already_started", _("This hanchan has begun: seats and options can no longer be changed."))
    _check_values(log, event, pointer, {"options"})


def _check_values(log: TableLog, event: NewEvent, pointer: str, keys: set[str]) -> None:
    refuse_unknown_keys(event, keys, pointer)
    values = event.payload.get("options", {})
    if not isinstance(values, Mapping):
        raise refuse("invalid", _("Options are an object of values by their names."), f"{pointer}/options")
    found = option_findings(log.hanchan.rules, {**log.options, **values})
    if found:
        raise RuleViolationError(*found)


def _check_entry(log: TableLog, event: NewEvent, pointer: str) -> Step:
    refuse_not_started(log)
    refuse_unknown_keys(event, {"entry"}, pointer)
    entry = entry_read(event.payload.get("entry"), f"{pointer}/entry")
    return apply_entry(log.state, entry, log.rules)


def _check_edit(log: TableLog, event: NewEvent, pointer: str) -> Step:
    refuse_unknown_keys(event, {"number", "entry"}, pointer)
    number = _number(log, event, pointer, "number")
    entry = entry_read(event.payload.get("entry"), f"{pointer}/entry")
    return apply_entry(log.game.steps[number].before, entry, log.rules)


def _check_remove(log: TableLog, event: NewEvent, pointer: str) -> None:
    refuse_unknown_keys(event, {"number"}, pointer)
    _number(log, event, pointer, "number")


def _check_undo(log: TableLog, event: NewEvent, pointer: str) -> None:
    refuse_unknown_keys(event, {"to"}, pointer)
    if "to" in event.payload:
        _number(log, event, pointer, "to")
    elif not log.writing.can_undo:
        raise refuse("nothing_to_undo", _("There is nothing to take back."), pointer)


def _check_redo(log: TableLog, event: NewEvent, pointer: str) -> None:
    refuse_unknown_keys(event, set(), pointer)
    if not log.writing.can_redo:
        raise refuse("nothing_to_redo", _("There is nothing that could stand again."), pointer)


CHECKS: Mapping[EventKind, Callable[[TableLog, NewEvent, str], Step | None]] = {
    EventKind.START: _check_start,
    EventKind.OPTIONS: _check_options,
    EventKind.ENTRY: _check_entry,
    EventKind.UNDO: _check_undo,
    EventKind.REDO: _check_redo,
    EventKind.EDIT: _check_edit,
    EventKind.REMOVE: _check_remove,
}
"""The check for each kind of event: it raises if the event is impossible, and returns the step of an entry."""


def refuse_not_started(log: TableLog) -> None:
    """Raise ConflictError unless the hanchan has been started: seats and options come first."""
    if not log.writing.is_started:
        raise conflict("not_started", _("This hanchan has not begun. Set the seats and start it first."))


def refuse_unknown_keys(event: NewEvent, keys: set[str], pointer: str) -> None:
    """Raise for keys of an event's payload that would be ignored."""
    for key in event.payload:
        if key not in keys:
            known = ", ".join(sorted(keys)) or "—"
            message = _("“%(name)s” is not known here. Known: %(known)s.") % {"name": key, "known": known}
            raise refuse("unknown", message, f"{pointer}/{key}")


def _number(log: TableLog, event: NewEvent, pointer: str, key: str) -> int:
    """Return the number of an existing entry in the payload; raise RuleViolationError if there is no such entry."""
    number, count = event.payload.get(key), len(log.writing.lines)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < count:
        message = _("There is no entry %(number)s: the log has %(count)s.") % {"number": number, "count": count}
        raise refuse("no_such_entry", message, f"{pointer}/{key}")
    return number


def _write(hanchan: Hanchan, event: NewEvent, sequence: int, by: Actor) -> None:
    TableEvent.objects.create(
        hanchan=hanchan,
        sequence=sequence,
        client_id=event.client_id,
        kind=event.kind,
        payload=dict(event.payload),
        entered_by=by.user,
        link=by.link,
    )
    if event.kind == EventKind.START:
        payload = event.payload
        opening = opening_of(hanchan, payload.get("seats"), members=payload.get("members"))
        start(hanchan, opening, log_of(hanchan).options, by)


def start(hanchan: Hanchan, opening: Opening, options: Mapping[str, object], by: Actor) -> None:
    """Start the hanchan: seats, the options of its log and the time become facts of the competition.

    One whose result counts stays over; its log is written afterwards.
    """
    change = open_change(hanchan.block.competition, by)
    before = seat_for_start(hanchan, opening)
    if is_of_teams(hanchan.rules):
        sitting = {(hanchan.pk, seat.entrant): seat.player for seat in opening.seats}
        put_line_ups(sitting, {hanchan.pk: change.n}, by)
    hanchan.options = dict(options)
    if not ResultSheet.objects.counting().filter(hanchan=hanchan).exists():
        hanchan.state = Hanchan.State.RUNNING
    hanchan.started_at = hanchan.started_at or timezone.now()
    hanchan.save(update_fields=["options", "state", "started_at"])
    change.record(
        "hanchan.started",
        hanchan,
        # Guests of a parlour are not shown while they play.
        is_public=hanchan.table_session.is_released and hanchan.block.competition.kind != Competition.Kind.OPEN,
        before={"entrants": before},
        after={"entrants": [seat.entrant for seat in opening.seats], "options": hanchan.options},
    )
