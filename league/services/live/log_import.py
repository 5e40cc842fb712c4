"""Import a complete log from a file into a hanchan that has none yet; all faults are reported at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from django.utils.translation import gettext as _

from league.models import Hanchan, TableEvent
from league.platform.errors import Finding, RuleViolationError, conflict
from league.selectors.access.actors import Actor
from league.selectors.live.log import EventKind
from league.selectors.live.seats import seated_names, seats_of
from league.selectors.live.table_options import option_findings
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.access.guard import all_or_nothing
from league.services.live.entries import entry_read, refusals_found
from league.services.live.log import NewEvent, refuse_locked, require_writer, write_events
from league.services.live.start import opening_of
from league.wording.formatting import score_text
from scoring.hanchan import Entry, PlayedLog, replay

FIRST = "import-0"


@dataclass(frozen=True, slots=True)
class ImportedLog:
    """Entries as JSON objects in order, with the seats and the table's options."""

    entries: Sequence[Mapping[str, object]]
    seats: Sequence[int] | None = None
    """Entrant ids, first dealer first; None for the planned seats."""
    options: Mapping[str, object] = field(default_factory=dict)
    changes: Sequence[Sequence[int] | None] | None = None
    """Score changes of each hand according to the file, None for an unfinished hand; None if the file has none."""


@all_or_nothing
def import_log(*, hanchan: Hanchan, log: ImportedLog, by: Actor) -> int:
    """Write the log as if it had been entered at the table; sent again it does nothing.

    1. Refuse a hanchan that has another log.
    2. Refuse with all faults: options, seats, entries that cannot be read or are impossible.
    3. Refuse where these rules give other score changes for a hand than the file states.
    """
    require_writer(hanchan, by)
    known = set(TableEvent.objects.filter(hanchan=hanchan).values_list("client_id", flat=True))
    if known and FIRST not in known:
        message = _("This hanchan has a log already. A log can only be imported where there is none.")
        raise conflict("has_a_log", message)
    if not known:
        refuse_locked(hanchan, by)
        if found := [*faults_in(log, hanchan)]:
            raise RuleViolationError(*found)
    # The check above ran without a lock; the ids "import-N" let a parallel import of the same file find its events
    # written.
    return write_events(hanchan=hanchan, events=[*events_of(log)], after=0, by=by)


def events_of(log: ImportedLog) -> Iterator[NewEvent]:
    """Yield a start event and an event for each entry, with ids that make a repeated import recognisable."""
    seats = {} if log.seats is None else {"seats": list(log.seats)}
    yield NewEvent(FIRST, EventKind.START, {**seats, "options": dict(log.options)})
    for number, entry in enumerate(log.entries, start=1):
        yield NewEvent(f"import-{number}", EventKind.ENTRY, {"entry": dict(entry)})


def faults_in(log: ImportedLog, hanchan: Hanchan) -> Iterator[Finding]:
    """Yield everything wrong with the log. The game is replayed only if all of it can be read."""
    options = {**hanchan.options, **log.options}
    unreadable = [*option_findings(hanchan.rules, options)]
    try:
        opening_of(hanchan, None if log.seats is None else list(log.seats), "/seats")
    except RuleViolationError as error:
        yield from error.findings
    entries: list[Entry] = []
    for number, entry in enumerate(log.entries):
        try:
            entries.append(entry_read(entry, f"/entries/{number}"))
        except RuleViolationError as error:
            unreadable += error.findings
    yield from unreadable or replay_findings(log, entries, hanchan, options)


def replay_findings(
    log: ImportedLog, entries: Sequence[Entry], hanchan: Hanchan, options: Mapping[str, object]
) -> Iterator[Finding]:
    """Yield a finding for every impossible entry; if there is none, for every hand with other score changes."""
    rules = ruleset_of(hanchan.rules, options)
    seated, game = seated_names(seats_of(hanchan), rules), replay(entries, rules)
    for number, step in enumerate(game.steps):
        yield from refusals_found(step.refusals, seated, f"/entries/{number}")
    if log.changes is not None and not game.refused:
        yield from differences(log.changes, game)


def differences(told: Sequence[Sequence[int] | None], game: PlayedLog) -> Iterator[Finding]:
    """Yield a finding for each hand whose score changes in the file differ from those under these rules."""
    for number, (before, result) in enumerate(zip_longest(told, game.kyoku)):
        found = None if result is None else result.changes()
        if found != (None if before is None else tuple(before)):
            message = _("Hand %(number)s: the log says %(told)s, by these rules it is %(found)s.")
            shown = {"number": number + 1, "told": amounts(before), "found": amounts(found)}
            yield Finding("changes_differ", message % shown, f"/kyoku/{number}/changes")


def amounts(changes: Sequence[int] | None) -> str:
    """Return a hand's score changes as text, seat by seat."""
    return _("nothing") if changes is None else " / ".join(score_text(each) for each in changes)
