"""Corrections of a competition with their reasons, newest first.

Listed are corrected and voided results, point adjustments, rulings on ties, slot overrides, players who were missing
or left, and decisions taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from league.models import Adjustment, Change, Closing, Credit, Departure, Draw, Entrant, Hanchan, Override, Ruling
from league.selectors.access.readers import Reader
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
    """One page of corrections; `before` is the change number where the next page begins, None on the last page."""

    rows: tuple[Correction, ...]
    before: int | None


def explained_corrections(reader: Reader, row: Hanchan) -> tuple[Corrected, ...]:
    """Return the corrections of the hanchan's result, newest first."""
    changes = corrections_of(reader, [row]).get(row.pk, ())
    people = people_in(reader, changes, ())
    return tuple(Corrected(change, changed_seats(change, people)) for change in changes)


def correction_page(reader: Reader, before: int | None = None) -> CorrectionPage:
    """Return the newest corrections, or those before the change `before`, in a fixed number of queries.

    The public does not see a change of a table that is under embargo again; a decision made while results were
    under embargo becomes visible together with them, not earlier.
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
        # The cursor is the last change fetched, visible or not: with hidden ones a page may have fewer rows than PAGE.
        before=shown[-1].n if len(changes) > PAGE else None,
    )


def newest_changes(reader: Reader, before: int | None) -> list[Change]:
    """Return the changes of one page, newest first, and one more if there is a next page."""
    earlier = Q() if before is None else Q(n__lt=before)
    of_results = reader.changes().filter(earlier, kind__in=RESULTS).order_by("-n")
    deciding = reader.deciding_changes().filter(earlier, kind__in=(*DECIDED, *ENDED, *OF_THE_DAY)).order_by("-n")
    # Either kind may fill the whole page, so each query fetches enough for one.
    found = [*of_results[: PAGE + 1], *deciding[: PAGE + 1]]
    return sorted(found, key=lambda change: -change.n)[: PAGE + 1]


def subjects_of(reader: Reader, changes: Sequence[Change]) -> dict[int, Subject]:
    """Return the subject of each change by change number; left out where the reader may not see it."""
    keys: defaultdict[str, set[int]] = defaultdict(set)
    for change in changes:
        keys[change.subject_type].add(int(change.subject_id))
    found: dict[str, Mapping[int, Subject]] = {
        "hanchan": reader.hanchan().select_related("table_session__session", "block").in_bulk(keys["hanchan"]),
        "adjustment": Adjustment.objects.select_related("block", "entrant__player").in_bulk(keys["adjustment"]),
        "closing": Closing.objects.select_related("block").in_bulk(keys["closing"]),
        "ruling": Ruling.objects.in_bulk(keys["ruling"]),
        "override": Override.objects.select_related("block", "slot", "entrant__player").in_bulk(keys["override"]),
        "entrant": Entrant.objects.select_related("player").in_bulk(keys["entrant"]),
        "credit": Credit.objects.select_related("block", "entrant__player").in_bulk(keys["credit"]),
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
