"""The event log of a live table, and its fold into the entries in force.

Events are append-only. Undo, edit and removal are events too: each makes another version of the list of
entries, and undo returns to an earlier one. The engine turns the entries in force into the state of the table.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import Protocol

from league.models import Hanchan, ResultSheet, TableEvent
from league.selectors.rulebooks.rules_in_force import ruleset_of
from scoring import written_log
from scoring.hanchan import Entry, Step, replay
from scoring.hanchan import PlayedLog as Game
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset


class EventKind(StrEnum):
    """The effect of an event on the log."""

    START = "start"
    """The game begins with seats and the table's options."""
    OPTIONS = "options"
    """The table agrees on options before the game begins."""
    ENTRY = "entry"
    """An entry is added: something happened at the table."""
    UNDO = "undo"
    """The last change is undone, or all entries from a given one on are removed."""
    REDO = "redo"
    """The change undone last is in force again."""
    EDIT = "edit"
    """An entry is replaced; later ones are judged again."""
    REMOVE = "remove"
    """An entry is removed; later ones are judged again."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry in force, and the sequence number of the event that wrote it."""

    sequence: int
    entry: Entry


Lines = tuple[LogLine, ...]


class LogEvent(Protocol):
    """The interface of events for the fold, for stored rows and for events about to be written."""

    @property
    def sequence(self) -> int:
        """Return its number in the log."""
        ...

    @property
    def kind(self) -> str:
        """Return its kind, a value of `EventKind`."""
        ...

    @property
    def payload(self) -> Mapping[str, object]:
        """Return its data."""
        ...


@dataclass(frozen=True, slots=True)
class Writing:
    """The state of the fold: every version of the list of entries, and the index of the one in force."""

    is_started: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    """The options the table agreed on before the game."""
    versions: tuple[Lines, ...] = ((),)
    at: int = 0

    @property
    def lines(self) -> Lines:
        """Return the entries in force with their sequence numbers."""
        return self.versions[self.at]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries in force as the engine takes them."""
        return tuple(line.entry for line in self.lines)

    @property
    def can_undo(self) -> bool:
        """Return True if there is a change to undo."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Return True if there is an undone change to redo."""
        return self.at + 1 < len(self.versions)

    def changed(self, lines: Lines) -> Writing:
        """Return the state with another list of entries; changes that were undone can no longer be redone."""
        return replace(self, versions=(*self.versions[: self.at + 1], lines), at=self.at + 1)


def fold_events(events: Iterable[LogEvent], writing: Writing | None = None) -> Writing:
    """Fold events into a state, continuing from `writing` if given; each event was validated when it was accepted."""
    found = writing or Writing()
    for event in events:
        found = FOLDS[EventKind(event.kind)](found, event)
    return found


def _start(writing: Writing, event: LogEvent) -> Writing:
    return replace(_options(writing, event), is_started=True)


def _options(writing: Writing, event: LogEvent) -> Writing:
    options = event.payload.get("options", {})
    return replace(writing, options={**writing.options, **(options if isinstance(options, Mapping) else {})})


def _entry(writing: Writing, event: LogEvent) -> Writing:
    return writing.changed((*writing.lines, _line(event)))


def _undo(writing: Writing, event: LogEvent) -> Writing:
    """Return the previous version; with `to`, a new version with only the first `to` entries."""
    if event.payload.get("to") is None:
        return replace(writing, at=writing.at - 1)
    return writing.changed(writing.lines[: _index(event, "to")])


def _redo(writing: Writing, _event: LogEvent) -> Writing:
    return replace(writing, at=writing.at + 1)


def _edit(writing: Writing, event: LogEvent) -> Writing:
    number, lines = _index(event, "number"), writing.lines
    return writing.changed((*lines[:number], _line(event), *lines[number + 1 :]))


def _remove(writing: Writing, event: LogEvent) -> Writing:
    number, lines = _index(event, "number"), writing.lines
    return writing.changed((*lines[:number], *lines[number + 1 :]))


def _index(event: LogEvent, name: str) -> int:
    """Return a number in the payload. Raise TypeError if it is none."""
    value = event.payload[name]
    if not isinstance(value, int):
        raise TypeError(f"{name} must be a number, not {value!r}")
    return value


def _line(event: LogEvent) -> LogLine:
    return LogLine(event.sequence, written_log.read_entry(event.payload["entry"]))


FOLDS: Mapping[EventKind, Callable[[Writing, LogEvent], Writing]] = {
    EventKind.START: _start,
    EventKind.OPTIONS: _options,
    EventKind.ENTRY: _entry,
    EventKind.UNDO: _undo,
    EventKind.REDO: _redo,
    EventKind.EDIT: _edit,
    EventKind.REMOVE: _remove,
}
"""The fold function of each kind of event."""


@dataclass(frozen=True)
class TableLog:
    """The log of a hanchan with the game that follows from it."""

    hanchan: Hanchan
    sequence: int
    """Sequence number of the newest event; 0 without events."""
    writing: Writing

    @cached_property
    def options(self) -> Mapping[str, object]:
        """The options in force at this table."""
        return {**self.hanchan.options, **self.writing.options}

    @cached_property
    def rules(self) -> Ruleset:
        """The rules in force with this table's options."""
        return ruleset_of(self.hanchan.rules, self.options)

    @cached_property
    def game(self) -> Game:
        """The game with its state after each entry, replayed by the engine."""
        return replay(self.writing.entries, self.rules)

    @property
    def state(self) -> State:
        """Return the present state of the table."""
        return self.game.state

    @property
    def is_followed(self) -> bool:
        """Return True if the game is recorded hand by hand and has begun."""
        return self.writing.is_started

    @property
    def has_hands(self) -> bool:
        """Return True if at least one hand was recorded to its end."""
        return self.is_followed and bool(self.game.kyoku)


def log_of(hanchan: Hanchan, until: dt.datetime | None = None, *, upto: int | None = None) -> TableLog:
    """Return the present log, or the log as of a moment (`until`) or of a sequence number (`upto`).

    The hanchan's rules and ruleset should be loaded with `select_related`.
    """
    rows = events_of(hanchan)
    if until is not None:
        # takewhile, not a filter: if a clock was set back, an event must not be folded without those before it.
        rows = list(takewhile(lambda event: event.at <= until, rows))
    return log_from(hanchan, rows, upto=upto)


def log_behind(sheet: ResultSheet, hanchan: Hanchan) -> TableLog:
    """Return the log as far as it belongs to a result that counts.

    A result made from the log has the entries from which it was made. A typed result has those written before it
    was confirmed; if it corrects another result, those of the first result so corrected, since entries written
    afterwards belong to a correction that does not count yet.
    """
    if sheet.made_from_sequence is None and hanchan.started_at is None:
        return log_from(hanchan, ())
    first = sheet if sheet.made_from_sequence is not None else first_corrected(sheet, hanchan)
    if first.made_from_sequence is not None:
        return log_of(hanchan, upto=first.made_from_sequence)
    return log_of(hanchan, until=first.confirmed_at)


def first_corrected(sheet: ResultSheet, hanchan: Hanchan) -> ResultSheet:
    """Follow typed corrections back to a result made from the log, or to the first result."""
    rows = ResultSheet.objects.filter(hanchan=hanchan, confirmed_n__isnull=False, ended_n__isnull=False)
    replaced = {row.ended_n: row for row in rows}
    while sheet.made_from_sequence is None and sheet.confirmed_n in replaced:
        sheet = replaced[sheet.confirmed_n]
    return sheet


def log_from(hanchan: Hanchan, rows: Iterable[TableEvent], *, upto: int | None = None) -> TableLog:
    """Return the log of the events in `rows`, without those after the sequence number `upto`."""
    known = [event for event in rows if upto is None or event.sequence <= upto]
    return TableLog(hanchan, known[-1].sequence if known else 0, fold_events(known))


def events_of(hanchan: Hanchan) -> Sequence[TableEvent]:
    """Return all events of the hanchan in order."""
    return list(TableEvent.objects.filter(hanchan=hanchan).order_by("sequence"))


def newest_sequence(hanchan: Hanchan) -> int:
    """Return the sequence number of the newest event; 0 without events."""
    newest = TableEvent.objects.filter(hanchan=hanchan).order_by("-sequence").values_list("sequence", flat=True)
    return newest.first() or 0


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The effect of a batch: the log before and after it, and the last entry's step."""

    before: TableLog
    after: TableLog
    step: Step | None
    """The engine's step for the entry that the last event wrote; None where it wrote none."""
    number: int | None
    """The number of that entry in the log."""
