"""A whole log from elsewhere, for a hanchan that has none yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from league.models import Hanchan
from league.selectors.live_log import Kind
from league.services.actor import Actor
from league.services.table_log import NewEvent, write_events


@dataclass(frozen=True, slots=True)
class ImportedLog:
    """Entries as JSON has them, in order, with who sits where and the table's options."""

    entries: Sequence[Mapping[str, Any]]
    seats: Sequence[int] | None = None
    """Entrants, first dealer first; none as planned."""
    options: Mapping[str, Any] = field(default_factory=dict)


@transaction.atomic
def import_log(*, hanchan: Hanchan, log: ImportedLog, by: Actor) -> int:
    """Write the log as if it had been entered at the table; sent again it does nothing.

    A hanchan that has another log is in conflict; an entry that cannot be refuses the whole log.
    """
    return write_events(hanchan=hanchan, events=[*events_of(log)], after=0, by=by)


def events_of(log: ImportedLog) -> Iterator[NewEvent]:
    """A start and the entries."""
    seats = {} if log.seats is None else {"seats": list(log.seats)}
    yield NewEvent("import-0", Kind.START, {**seats, "options": dict(log.options)})
    for number, entry in enumerate(log.entries, start=1):
        yield NewEvent(f"import-{number}", Kind.ENTRY, {"entry": dict(entry)})
