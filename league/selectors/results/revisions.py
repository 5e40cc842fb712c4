"""Revisions of one hanchan's result, each compared with the one before, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.models import Change, Hanchan, ResultSheet, SeatResult
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.formatting import points_text, score_text
from league.wording.names import sitter_name


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One figure of a sheet; `before` is the previous revision's value if it differs."""

    text: str
    before: str = ""

    @property
    def has_changed(self) -> bool:
        """Return True if the previous revision had another value."""
        return bool(self.before)


@dataclass(frozen=True, slots=True)
class SheetRevision:
    """A sheet with the door (admin, API, table, ...) it came through and its cells by seat."""

    sheet: ResultSheet
    door: str
    rows: tuple[tuple[SheetCell, ...], ...]
    deposits: SheetCell

    @property
    def accepted(self) -> list[str]:
        """Return the warnings that were accepted, in words."""
        return accepted_words(self.sheet)

    @property
    def is_past(self) -> bool:
        """Return True if the revision can be restored: it neither counts nor awaits confirmation."""
        return self.sheet.state in {ResultSheet.State.SUPERSEDED, ResultSheet.State.REJECTED}


NOTHING = "–"
ODD: dict[str, object] = {
    "extreme_score": _("an unusual score"),
    "same_result_twice": _("the same result as another hanchan of the table"),
    "same_scores_elsewhere": _("the same scores as another table"),
    "not_as_scheduled": _("other players than scheduled"),
    "seats_not_as_scheduled": _("another order of seats than scheduled"),
    "at_two_tables": _("a player at two tables in one round"),
    "score_sheet_in_progress": _("a score sheet in progress"),
    "later_stage_begun": _("a change of who plays in a stage that has results"),
}
"""Words for accepted warnings, by code."""


def accepted_words(sheet: ResultSheet) -> list[str]:
    """Return in words the warnings accepted when the sheet was entered."""
    return [warning_words(code) for code in sheet.accepted_warnings]


def warning_words(code: str) -> str:
    """Return in words the kind of a warning; the code itself if it has no words."""
    return str(ODD.get(code, code))


def revisions_of(hanchan: Hanchan, hidden: QuerySet[ResultSheet, int]) -> list[SheetRevision]:
    """Return every revision except those in `hidden`, newest first."""
    sheets = list(
        ResultSheet.objects.filter(hanchan=hanchan)
        .select_related("entered_by", "confirmed_by")
        .exclude(pk__in=hidden)
        .prefetch_related("seats__entrant__player", "seats__player")
        .order_by("revision")
    )
    changes = Change.objects.filter(
        competition=hanchan.block.competition_id, n__in=[sheet.entered_n for sheet in sheets]
    )
    doors = {change.n: change.get_door_display() for change in changes}
    scale = ruleset_of(hanchan.rules).ranking_ledger.scale
    earlier = [None, *sheets][:-1]
    made = [
        SheetRevision(
            sheet,
            doors.get(sheet.entered_n, ""),
            tuple(rows_of(sheet, before, scale)),
            cell(score_text(sheet.kyoutaku), score_text(before.kyoutaku) if before else None),
        )
        for sheet, before in zip(sheets, earlier, strict=True)
    ]
    return made[::-1]


def rows_of(sheet: ResultSheet, before: ResultSheet | None, scale: int) -> Iterator[tuple[SheetCell, ...]]:
    """Yield the cells of each seat, compared with the previous revision."""
    seats = seats_in_order(sheet)
    others = seats_in_order(before) if before else []
    for seat, other in zip_longest(seats, others[: len(seats)]):
        was: Sequence[str | None] = texts(other, scale) if other else [None if before is None else NOTHING] * COLUMNS
        yield tuple(cell(text, earlier) for text, earlier in zip(texts(seat, scale), was, strict=True))


COLUMNS = 5


def seats_in_order(sheet: ResultSheet) -> list[SeatResult]:
    """Return the seats, first dealer first."""
    return sorted(sheet.seats.all(), key=lambda seat: seat.seat)


def texts(seat: SeatResult, scale: int) -> list[str]:
    """Return the cells of a seat: player (and substitute or team), score, chonbo, place, points."""
    return [
        sitter_name(seat),
        score_text(seat.score),
        str(seat.chonbo),
        str(seat.place),
        points_text(seat.points, scale, plus=True),
    ]


def cell(text: str, before: str | None) -> SheetCell:
    """Return a cell, with the previous value if it differs; cells of the first revision have none."""
    return SheetCell(text, before if before is not None and before != text else "")
