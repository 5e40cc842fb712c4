"""What was corrected, taken back, adjusted, ruled on or overridden, newest first, each with its reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from league.models import Adjustment, Change, Draw, Entrant, Hanchan, Override, Ruling
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import corrections_of, entrants_by_id

RESULTS = ("result.corrected", "result.voided")
DECIDED = ("points.adjusted", "tie.ruled", "slot.overridden", "slots.swapped", "entrant.passed_over")
ENDED = ("adjustment.taken_back", "ruling.taken_back", "override.taken_back", "draw.taken_back")
PAGE = 50

Decision = Adjustment | Draw | Override | Ruling
Subject = Hanchan | Decision
Snapshot = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CorrectedSeat:
    """A seat before and after; None where the sheet had no such seat, or was taken back."""

    entrant: Entrant
    before: Mapping[str, int] | None
    after: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of a result with its reason: the seats whose score or chonbo it changed."""

    change: Change
    seats: tuple[CorrectedSeat, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """A change with what it was about, and the people it names by their ids."""

    change: Change
    subject: Subject
    seats: tuple[CorrectedSeat, ...]
    """Of a result that was corrected or taken back."""
    people: Mapping[int, Entrant]


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """Some corrections, and the number of a change before which the next page begins; None on the last."""

    rows: tuple[Correction, ...]
    before: int | None


def explained_corrections(reader: Reader, row: Hanchan) -> tuple[Corrected, ...]:
    """What was corrected in the hanchan, newest first."""
    changes = corrections_of(reader, [row]).get(row.pk, ())
    people = people_in(reader, changes, ())
    return tuple(Corrected(change, changed_seats(change, people)) for change in changes)


def correction_page(reader: Reader, before: int | None = None) -> CorrectionPage:
    """The newest corrections, or those before a change, in a fixed number of queries.

    A change of a table that is held back again is not told to the public; a decision made while results were held
    back becomes known with them, and not before.
    """
    changes = newest_changes(reader, before)
    shown = changes[:PAGE]
    subjects = subjects_of(reader, shown)
    people = people_in(reader, shown, subjects.values())
    return CorrectionPage(
        rows=tuple(
            Correction(change, subjects[change.n], changed_seats(change, people), people)
            for change in shown
            if change.n in subjects
        ),
        before=shown[-1].n if len(changes) > PAGE else None,
    )


def newest_changes(reader: Reader, before: int | None) -> list[Change]:
    """The changes of a page, newest first, and the first of the next one."""
    earlier = Q() if before is None else Q(n__lt=before)
    of_results = reader.changes().filter(earlier, kind__in=RESULTS).order_by("-n")
    deciding = reader.deciding_changes().filter(earlier, kind__in=(*DECIDED, *ENDED)).order_by("-n")
    found = [*of_results[: PAGE + 1], *deciding[: PAGE + 1]]
    return sorted(found, key=lambda change: -change.n)[: PAGE + 1]


def subjects_of(reader: Reader, changes: Sequence[Change]) -> dict[int, Subject]:
    """What each of these changes is about, by its number, as far as the reader may know of it."""
    keys: defaultdict[str, set[int]] = defaultdict(set)
    for change in changes:
        keys[change.subject_type].add(int(change.subject_id))
    found: dict[str, Mapping[int, Subject]] = {
        "hanchan": reader.hanchan().select_related("table_session__session", "block").in_bulk(keys["hanchan"]),
        "adjustment": Adjustment.objects.select_related("block", "entrant__player").in_bulk(keys["adjustment"]),
        "ruling": Ruling.objects.in_bulk(keys["ruling"]),
        "override": Override.objects.select_related("block", "slot", "entrant__player").in_bulk(keys["override"]),
        "draw": Draw.objects.select_related("stage").in_bulk(keys["draw"]),
    }
    hidden = set() if reader.is_staff else set(reader.hidden_changes())
    subjects = {change.n: found[change.subject_type].get(int(change.subject_id)) for change in changes}
    return {
        n: subject
        for n, subject in subjects.items()
        if subject is not None and (isinstance(subject, Hanchan) or subject.made_n not in hidden)
    }


def people_in(reader: Reader, changes: Iterable[Change], subjects: Iterable[Subject]) -> Mapping[int, Entrant]:
    """Everybody whom these changes name."""
    ids = {seat["entrant"] for change in changes for side in (change.before, change.after) for seat in seats_in(side)}
    ids |= {key for subject in subjects if isinstance(subject, Ruling) for key in subject.order}
    return entrants_by_id(reader.competition, ids) if ids else {}


def changed_seats(change: Change, people: Mapping[int, Entrant]) -> tuple[CorrectedSeat, ...]:
    """The seats of a corrected result that are not what they were."""
    before = {seat["entrant"]: seat for seat in seats_in(change.before)}
    after = {seat["entrant"]: seat for seat in seats_in(change.after)}
    seats = (
        CorrectedSeat(people[key], before.get(key), after.get(key))
        for key in dict.fromkeys([*before, *after])
        if key in people
    )
    return tuple(seat for seat in seats if _what_counts(seat.before) != _what_counts(seat.after))


def seats_in(snapshot: Snapshot | None) -> Sequence[Mapping[str, int]]:
    """The seats of a sheet as an audit line keeps it; none in what is no sheet."""
    return snapshot.get("seats", ()) if snapshot else ()


def _what_counts(seat: Mapping[str, int] | None) -> tuple[int, int] | None:
    return (seat["score"], seat["chonbo"]) if seat else None
