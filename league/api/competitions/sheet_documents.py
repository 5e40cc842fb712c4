"""Documents of result sheets: their state at the version read, and their settlement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from league.api.competitions.seat_documents import Seat, result_seat
from league.models import Hanchan, ResultSheet, RulesInForce
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref, Values
from scoring.ruleset import Ruleset

SheetState = Annotated[ResultSheet.State, Field(description="The sheet's state at the version that was read.")]


class SheetHead(Document):
    """A result sheet without its seats."""

    id: Ref = Field(description="The sheet's id.")
    revision: int = Field(description="The revision of the hanchan's result, from 1.")
    etag: str = Field(description="What a correction of this revision sends in If-Match.")
    state: SheetState
    kyoutaku: int = Field(description="Points of the deposits left on the table.")
    are_seats_known: bool = Field(description="False where the order of seats means nothing.")
    options: Values = Field(description="The table's house options.")
    reason: str = Field(description="The reason for a correction or a rejection; may be empty.")
    accepted_warnings: list[str] = Field(description="Codes of warnings that were looked at and accepted.")
    entered_at: Moment = Field(description="The moment it was entered.")
    confirmed_at: Moment | None = Field(description="The moment it was confirmed.")


class OfHanchan(Document):
    """Base that puts the hanchan before the sheet."""

    hanchan: Ref = Field(description="The hanchan's id.")


class Sheet(SheetHead, OfHanchan):
    """A revision of a hanchan's result."""

    seats: list[Seat] = Field(description="The seats, first dealer first.")
    differs_at: list[str] = Field(
        description="Where two people enter without seeing each other's sheet, in one's own sheet that waits: pointers "
        "into the submission to what the other person entered differently."
    )


class Sheets(Document):
    """All revisions of a hanchan's result, oldest first."""

    results: list[Sheet] = Field(description="The revisions the reader may know of.")


class RulesOf:
    """Loads the rulesets of many hanchan with at most one query, because a competition has few rules in force.

    Rules given to the constructor are not queried at all.
    """

    def __init__(self, reader: Reader, *at_hand: RulesInForce) -> None:
        self._reader = reader
        self._rows = {row.pk: row for row in at_hand}

    def of(self, row: Hanchan | ResultSheet) -> Ruleset:
        """Return the ruleset that a hanchan or a sheet refers to, with its options."""
        if row.rules_id not in self._rows:
            rows = RulesInForce.objects.filter(competition=self._reader.competition).select_related("ruleset")
            self._rows |= {found.pk: found for found in rows}
        return ruleset_of(self._rows[row.rules_id], row.options)


def sheet_head(reader: Reader, sheet: ResultSheet) -> SheetHead:
    """Return a result sheet without its seats."""
    return SheetHead.build(sheet, **sheet_facts(reader, sheet))


def sheet_facts(reader: Reader, sheet: ResultSheet) -> dict[str, object]:
    """Return the fields of `SheetHead` that differ from the attributes of the row; a correction sends `etag`."""
    return {
        "etag": sheet_tag(sheet),
        "state": state_at(reader, sheet),
        "are_seats_known": sheet.facts.get("are_seats_known", True),
        "options": {} if reader.guards_guests else sheet.options,
        "entered_at": moment(sheet.entered_at, reader.competition),
        "confirmed_at": moment(sheet.confirmed_at, reader.competition),
    }


def state_at(reader: Reader, sheet: ResultSheet) -> ResultSheet.State:
    """Return the sheet's state at the version read; a sheet that counted then was confirmed, even if replaced later."""
    counted = sheet.confirmed_n is not None and sheet.confirmed_n <= reader.version
    ended = sheet.ended_n is not None and sheet.ended_n <= reader.version
    return ResultSheet.State.CONFIRMED if counted and not ended else ResultSheet.State(sheet.state)


def sheet_document(reader: Reader, sheet: ResultSheet, rules: RulesOf, differs_at: Sequence[str]) -> Sheet:
    """Return a sheet with its settlement, line by line."""
    own = rules.of(sheet)
    seats = [result_seat(reader, seat, own, lines=True) for seat in sheet.known_seats or sheet.seats.all()]
    facts = sheet_facts(reader, sheet)
    return Sheet.build(sheet, **facts, hanchan=sheet.hanchan_id, seats=seats, differs_at=list(differs_at))


def sheet_tag(sheet: ResultSheet) -> str:
    """Return the ETag of a revision, for If-Match."""
    return f'"{sheet.hanchan_id}-r{sheet.revision}"'
