"""A table's log as it was written: events fold into the entries that stand, and these into the table.

Events are only appended. An undo, an edit or a removal is an event too: it makes another version of the list of
entries, and undoing leads back to an earlier one. What the entries come to is the engine's business.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import Any, Protocol

from league.models import Hanchan, ResultSheet, TableEvent
from league.selectors.rulebooks.rules_in_force import ruleset_of
from scoring import written_log
from scoring.hanchan import Entry, Step, replay
from scoring.hanchan import Hanchan as Game
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset


class Kind(StrEnum):
    """What an event does to the log."""

    START = "start"
    """The game begins: who sits where, and by which of the table's options."""
    OPTIONS = "options"
    """The table agrees on its options before it begins."""
    ENTRY = "entry"
    """Something happened at the table."""
    UNDO = "undo"
    """The last change is taken back, or all entries from one on."""
    REDO = "redo"
    """The change undone last stands again."""
    EDIT = "edit"
    """Another entry takes the place of one; those after it are judged anew."""
    REMOVE = "remove"
    """An entry goes; those after it are judged anew."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry that stands, and the event that wrote it."""

    sequence: int
    entry: Entry


Lines = tuple[Line, ...]


class Event(Protocol):
    """What a fold needs of an event, kept or about to be."""

    @property
    def sequence(self) -> int:
        """Its number in the log."""
        ...

    @property
    def kind(self) -> str:
        """What it does."""
        ...

    @property
    def payload(self) -> Mapping[str, Any]:
        """With what."""
        ...


@dataclass(frozen=True, slots=True)
class Writing:
    """The log as far as it is written: every version of its entries, and which of them stands."""

    is_started: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    """What the table has agreed on before it began."""
    versions: tuple[Lines, ...] = ((),)
    at: int = 0

    @property
    def lines(self) -> Lines:
        """The entries that stand."""
        return self.versions[self.at]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries as the engine takes them."""
        return tuple(line.entry for line in self.lines)

    @property
    def can_undo(self) -> bool:
        """Something can be taken back."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Something taken back can stand again."""
        return self.at + 1 < len(self.versions)

    def changed(self, lines: Lines) -> Writing:
        """With another list of entries; what was undone is gone."""
        return replace(self, versions=(*self.versions[: self.at + 1], lines), at=self.at + 1)


def folded(events: Iterable[Event], writing: Writing | None = None) -> Writing:
    """The log that these events have written; every one of them was looked at when it was taken."""
    found = writing or Writing()
    for event in events:
        found = FOLDS[Kind(event.kind)](found, event)
    return found


def _start(writing: Writing, event: Event) -> Writing:
    return replace(_options(writing, event), is_started=True)


def _options(writing: Writing, event: Event) -> Writing:
    return replace(writing, options={**writing.options, **event.payload.get("options", {})})


def _entry(writing: Writing, event: Event) -> Writing:
    return writing.changed((*writing.lines, _line(event)))


def _undo(writing: Writing, event: Event) -> Writing:
    """Back to the version before; or, to a number of entries, a version with these alone."""
    count = event.payload.get("to")
    return replace(writing, at=writing.at - 1) if count is None else writing.changed(writing.lines[:count])


def _redo(writing: Writing, _event: Event) -> Writing:
    return replace(writing, at=writing.at + 1)


def _edit(writing: Writing, event: Event) -> Writing:
    number, lines = event.payload["number"], writing.lines
    return writing.changed((*lines[:number], _line(event), *lines[number + 1 :]))


def _remove(writing: Writing, event: Event) -> Writing:
    number, lines = event.payload["number"], writing.lines
    return writing.changed((*lines[:number], *lines[number + 1 :]))


def _line(event: Event) -> Line:
    return Line(event.sequence, written_log.read_entry(event.payload["entry"]))


FOLDS: Mapping[Kind, Callable[[Writing, Event], Writing]] = {
    Kind.START: _start,
    Kind.OPTIONS: _options,
    Kind.ENTRY: _entry,
    Kind.UNDO: _undo,
    Kind.REDO: _redo,
    Kind.EDIT: _edit,
    Kind.REMOVE: _remove,
}
"""What each kind of event makes of the log."""


@dataclass(frozen=True)
class TableLog:
    """A hanchan's log, and the game that it tells."""

    hanchan: Hanchan
    sequence: int
    """The number of the newest event; 0 for none."""
    writing: Writing

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """The options of this table."""
        return {**self.hanchan.options, **self.writing.options}

    @cached_property
    def rules(self) -> Ruleset:
        """The rules in force with the options of this table."""
        return ruleset_of(self.hanchan.rules, self.options)

    @cached_property
    def game(self) -> Game:
        """The table after each entry."""
        return replay(self.writing.entries, self.rules)

    @property
    def state(self) -> State:
        """The table now."""
        return self.game.state

    @property
    def is_followed(self) -> bool:
        """Whether the game is kept hand by hand, and has begun."""
        return self.writing.is_started

    @property
    def has_hands(self) -> bool:
        """Return whether a hand was played to its end."""
        return self.is_followed and bool(self.game.kyoku)


def log_of(hanchan: Hanchan, until: dt.datetime | None = None, *, upto: int | None = None) -> TableLog:
    """The log as it stands, as it stood at a moment, or with the events up to a number.

    The hanchan's rules and ruleset should have been fetched along.
    """
    rows = events_of(hanchan)
    if until is not None:
        rows = list(takewhile(lambda event: event.at <= until, rows))
    return log_from(hanchan, rows, upto=upto)


def log_behind(sheet: ResultSheet, hanchan: Hanchan) -> TableLog:
    """Return the log as far as it belongs to a result that counts.

    A result made from the log has the entries that it was made from. A typed one has those written before it counted;
    if it corrects another result, those of the first result so corrected, since entries written afterwards are a
    correction that does not count.
    """
    if sheet.made_from_sequence is None and hanchan.started_at is None:
        return log_from(hanchan, ())
    first = sheet if sheet.made_from_sequence is not None else first_corrected(sheet, hanchan)
    if first.made_from_sequence is not None:
        return log_of(hanchan, upto=first.made_from_sequence)
    return log_of(hanchan, until=first.confirmed_at)


def first_corrected(sheet: ResultSheet, hanchan: Hanchan) -> ResultSheet:
    """Follow typed corrections back, each to the result it replaced, to a result made from the log or the first."""
    rows = ResultSheet.objects.filter(hanchan=hanchan, confirmed_n__isnull=False, ended_n__isnull=False)
    replaced = {row.ended_n: row for row in rows}
    while sheet.made_from_sequence is None and sheet.confirmed_n in replaced:
        sheet = replaced[sheet.confirmed_n]
    return sheet


def log_from(hanchan: Hanchan, rows: Iterable[TableEvent], *, upto: int | None = None) -> TableLog:
    """The log that these events have written, those after a number left out."""
    known = [event for event in rows if upto is None or event.sequence <= upto]
    return TableLog(hanchan, known[-1].sequence if known else 0, folded(known))


def events_of(hanchan: Hanchan) -> Sequence[TableEvent]:
    """Every event, in order."""
    return list(TableEvent.objects.filter(hanchan=hanchan).order_by("sequence"))


def newest_sequence(hanchan: Hanchan) -> int:
    """The number of the newest event; 0 for none."""
    newest = TableEvent.objects.filter(hanchan=hanchan).order_by("-sequence").values_list("sequence", flat=True)
    return newest.first() or 0


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a batch would come to: the log before and after it, and the last entry on the way."""

    before: TableLog
    after: TableLog
    step: Step | None
    """What became of the entry that the last event wrote; None where it wrote none."""
    number: int | None
    """The number of that entry in the log."""
