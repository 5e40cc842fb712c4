"""Corrections of a competition with their reasons, newest first.

Listed are corrected and voided results, point adjustments, rulings on ties, slot overrides, players who were missing
or left, and decisions taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.models import Adjustment, Change, Closing, Credit, Departure, Draw, Entrant, Hanchan, Override, Ruling
from league.selectors.access.readers import Reader, tells_of_held_back_table
from league.selectors.competitions.overview import corrections_of, entrants_by_id

RESULTS = ("result.corrected", "result.voided")
DECIDED = ("points.adjusted", "tie.ruled", "slot.overridden", "slots.swapped", "entrant.passed_over", "block.closed")
ENDED = tuple(f"{each}.taken_back" for each in ("adjustment", "ruling", "override", "closing", "draw"))
OF_THE_DAY = (
    "entrant.withdrawn", "entrant.disqualified", "entrant.no_show", "hanchan.walkover", "departure.taken_back",
    "credit.taken_back",
)  # fmt: skip
"""Kinds of decisions about players who are missing or have left."""
PAGE = 50
LARGEST = 1 << 31
"""The largest number of changes counted: an address may name any, and databases take no offset beyond 64 bits."""

Decision = Adjustment | Closing | Credit | Departure | Draw | Override | Ruling
Subject = Hanchan | Entrant | Decision
Snapshot = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CorrectedSeat:
    """A seat before and after; None where the sheet had no such seat, or was taken back."""

    entrant: Entrant
    before: Mapping[str, int] | None
    after: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of one result with its reason: the seats whose score or chonbo changed."""

    change: Change
    seats: tuple[CorrectedSeat, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """A change with its subject and the entrants it refers to by id."""

    change: Change
    subject: Subject
    seats: tuple[CorrectedSeat, ...]
    """The seats that changed, for a result that was corrected or voided."""
    people: Mapping[int, Entrant]


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """One page of corrections; `before` is the number of changes on later pages, None on the last page."""

    rows: tuple[Correction, ...]
    before: int | None


def explained_corrections(reader: Reader, row: Hanchan) -> tuple[Corrected, ...]:
    """Return the corrections of the hanchan's result, newest first."""
    changes = corrections_of(reader, [row]).get(row.pk, ())
    people = people_in(reader, changes, ())
    return tuple(Corrected(change, changed_seats(change, people)) for change in changes)


def correction_page(reader: Reader, before: int | None = None) -> CorrectionPage:
    """Return the newest corrections, or the newest of the `before` oldest changes, in a fixed number of queries.

    A page is found by counting what the reader may see: the number of a change would tell how many are held back.

    The public does not see a change of a table that is under embargo again; a decision made while results were
    under embargo becomes visible together with them, not earlier.
    """
    shown, earlier = newest_changes(reader, before)
    subjects = subjects_of(reader, shown)
    people = people_in(reader, shown, subjects.values())
    return CorrectionPage(
        rows=tuple(
            Correction(change, subjects[change.n], changed_seats(change, people), people)
            for change in shown
            if change.n in subjects
        ),
        # Of tables held back again a page may have fewer rows than PAGE.
        before=earlier or None,
    )


def newest_changes(reader: Reader, before: int | None) -> tuple[list[Change], int]:
    """Return the changes of one page, newest first, and how many are older."""
    of_results = reader.changes().filter(kind__in=RESULTS).order_by()
    deciding = reader.deciding_changes().filter(kind__in=(*DECIDED, *ENDED, *OF_THE_DAY)).order_by()
    either = of_results.union(deciding, all=True)
    if before is None:
        found = list(either.order_by("-n")[: PAGE + 1])
        return found[:PAGE], either.count() - PAGE if len(found) > PAGE else 0
    earlier = max(min(before, LARGEST) - PAGE, 0)
    return list(either.order_by("n")[earlier : min(before, LARGEST)])[::-1], earlier


def subjects_of(reader: Reader, changes: Sequence[Change]) -> dict[int, Subject]:
    """Return the subject of each change by change number; left out where the reader may not see it."""
    keys: defaultdict[str, set[int]] = defaultdict(set)
    for change in changes:
        keys[change.subject_type].add(int(change.subject_id))
    credits_ = Credit.objects.select_related("block", "entrant__player")
    if not reader.is_staff:
        credits_ = credits_.exclude(tells_of_held_back_table())
    found: dict[str, Mapping[int, Subject]] = {
        "hanchan": reader.hanchan().select_related("table_session__session", "block").in_bulk(keys["hanchan"]),
        "adjustment": Adjustment.objects.select_related("block", "entrant__player").in_bulk(keys["adjustment"]),
        "closing": Closing.objects.select_related("block").in_bulk(keys["closing"]),
        "ruling": Ruling.objects.in_bulk(keys["ruling"]),
        "override": Override.objects.select_related("block", "slot", "entrant__player").in_bulk(keys["override"]),
        "entrant": Entrant.objects.select_related("player").in_bulk(keys["entrant"]),
        "credit": credits_.in_bulk(keys["credit"]),
        "departure": Departure.objects.select_related("entrant__player").in_bulk(keys["departure"]),
        "draw": Draw.objects.select_related("stage").in_bulk(keys["draw"]),
    }
    hidden = set() if reader.is_staff else set(reader.hidden_changes())
    subjects = {change.n: found[change.subject_type].get(int(change.subject_id)) for change in changes}
    return {
        n: subject
        for n, subject in subjects.items()
        if subject is not None and (isinstance(subject, Hanchan | Entrant) or subject.made_n not in hidden)
    }


def people_in(reader: Reader, changes: Sequence[Change], subjects: Iterable[Subject]) -> Mapping[int, Entrant]:
    """Return the entrants that these changes and rulings refer to, by id."""
    ids = {seat["entrant"] for change in changes for side in (change.before, change.after) for seat in seats_in(side)}
    ids |= {key for subject in subjects if isinstance(subject, Ruling) for key in subject.order}
    for change in changes:
        if change.kind in OF_THE_DAY and change.subject_type == "hanchan":
            ids |= {*(change.after or {}).get("entrants", ()), (change.after or {}).get("entrant")} - {None}
    return entrants_by_id(reader.competition, ids) if ids else {}


def changed_seats(change: Change, people: Mapping[int, Entrant]) -> tuple[CorrectedSeat, ...]:
    """Return the seats of a corrected result whose score or chonbo changed."""
    before = {seat["entrant"]: seat for seat in seats_in(change.before)}
    after = {seat["entrant"]: seat for seat in seats_in(change.after)}
    seats = (
        CorrectedSeat(people[key], before.get(key), after.get(key))
        for key in dict.fromkeys([*before, *after])
        if key in people
    )
    return tuple(seat for seat in seats if _what_counts(seat.before) != _what_counts(seat.after))


def seats_in(snapshot: Snapshot | None) -> Sequence[Mapping[str, int]]:
    """Return the seats in the snapshot of a result sheet; empty for other snapshots."""
    seats = snapshot.get("seats") if snapshot else None
    return seats if isinstance(seats, list) else ()


def _what_counts(seat: Mapping[str, int] | None) -> tuple[int, int] | None:
    return (seat["score"], seat["chonbo"]) if seat else None
