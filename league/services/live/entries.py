"""Entries of a table's log as submitted by a device: parse them, and phrase the engine's refusals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from league.platform.errors import Finding, RuleViolationError
from league.wording.live.live import Seated, refusal_text
from scoring import written_log
from scoring.hanchan import Entry
from scoring.kyoku.refusals import Refusal
from scoring.written_log import LogError

MOST = 10_000_000
MOST_COUNTED = 200
COUNTED = ("han", "fu", "yakuman", "dora", "number", "honba")
LONGEST_TEXT = 1000


def entry_read(data: object, pointer: str) -> Entry:
    """Return the parsed entry. Raise RuleViolationError with everything in it that cannot be read."""
    if found := [*beyond_measure(data, pointer)]:
        raise RuleViolationError(*found)
    try:
        return written_log.read_entry(data)
    except LogError as error:
        raise RuleViolationError(*(_fault(each.key, each.message, pointer) for each in error.faults)) from error


def _fault(key: str, message: str, pointer: str) -> Finding:
    text = _("This entry cannot be read: %(why)s.") % {"why": message}
    return Finding("entry_unreadable", text, f"{pointer}/{key}" if key else pointer)


def beyond_measure(data: object, pointer: str, key: str = "") -> Iterator[Finding]:
    """Yield a finding for each number or text that is larger than any table can have; they never reach the engine."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from beyond_measure(value, f"{pointer}/{name}", str(name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from beyond_measure(value, f"{pointer}/{index}", key)
    elif isinstance(data, str) and len(data) > LONGEST_TEXT:
        yield Finding("text_too_long", _("This text is too long."), pointer)
    elif isinstance(data, int) and abs(data) > (MOST_COUNTED if key in COUNTED else MOST):
        yield Finding("number_too_large", _("No table has %(number)s here.") % {"number": data}, pointer)


def refusals_found(refusals: Sequence[Refusal], seated: Seated, pointer: str) -> tuple[Finding, ...]:
    """Return the engine's refusals of an entry as findings, each with a pointer into the entry."""
    return tuple(
        Finding(
            each.code,
            refusal_text(each, seated),
            f"{pointer}/{each.pointer}" if each.pointer else pointer,
            params=dict(each.params),
            clause=each.clause,
        )
        for each in refusals
    )
