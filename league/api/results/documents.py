"""Documents of submitted results: the effects of a change, and the preview of an entry."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from league.api.competitions.hanchan_documents import HanchanDocument
from league.api.competitions.seat_documents import Totals
from league.api.competitions.sheet_documents import Sheet
from league.api.results.entries import in_seats
from league.services.results.entry import SheetEntry
from league.services.results.preview import Preview
from league.web.document_parts import LineDocument, cause_label, exact, line_floating
from league.web.documents import Amount, Document, Ref
from league.web.problem_documents import FindingDocument
from league.web.problems import finding_document
from scoring.ruleset import Ruleset
from scoring.settlement import Settlement


class Effects(Document):
    """The effects of a change."""

    version: int = Field(description="The competition's version after the change.")
    is_published: bool = Field(description="Standings already contain it.")


class Submitted(Document):
    """The hanchan after a change, with the effects of the change."""

    hanchan: HanchanDocument
    sheet: Sheet | None = Field(description="The sheet the change left; null after the result was taken back.")
    effects: Effects


class SettledSeat(Document):
    """The settlement of a seat."""

    seat: int = Field(description="The seat, 0 for the first dealer.")
    entrant: Ref = Field(description="The entrant's id.")
    place: int = Field(description="The place, from 1.")
    final_score: int = Field(description="The score with the deposits given out.")
    points: Amount = Field(description="The points in the ledger that ranks.")
    totals: Totals
    lines: list[LineDocument] = Field(description="The settlement line by line.")


class MovementDocument(Document):
    """An entrant whose rank or total a result changes."""

    entrant: Ref = Field(description="The entrant's id.")
    rank_before: int | None = Field(description="The rank without the result; null without one.")
    rank_after: int | None = Field(description="The rank with the result; null without one.")
    total_before: Amount = Field(description="The total without the result.")
    total_after: Amount = Field(description="The total with the result.")


class SlotChangeDocument(Document):
    """A slot whose entrant a result changes."""

    block: str = Field(description="The block's key.")
    number: int = Field(description="The slot's number in the block.")
    before: Ref | None = Field(description="The entrant's id without the result.")
    after: Ref | None = Field(description="The entrant's id with the result.")
    has_results: bool = Field(description="The block has results already.")


class PreviewDocument(Document):
    """The effects that recording an entry would have. Nothing is written."""

    findings: list[FindingDocument] = Field(description="Everything that is wrong or unusual.")
    seats: list[SettledSeat] | None = Field(description="The settlement by seat; null where an error prevents it.")
    movements: list[MovementDocument] = Field(description="The entrants whose rank or total changes.")
    slot_changes: list[SlotChangeDocument] = Field(description="The slots whose occupant changes.")


def preview_document(found: Preview, entry: SheetEntry, rules: Ruleset) -> PreviewDocument:
    """Return the effects that recording the entry would have."""
    ranking = rules.ranking_ledger
    movements = [
        MovementDocument.build(
            each, total_before=ranking.text(each.total_before), total_after=ranking.text(each.total_after)
        )
        for each in found.movements
    ]
    return PreviewDocument.build(
        found,
        findings=[finding_document(in_seats(finding)) for finding in found.findings],
        seats=settled_seats(found.settlement, entry, rules) if found.settlement else None,
        movements=movements,
    )


def settled_seats(settlement: Settlement, entry: SheetEntry, rules: Ruleset) -> Iterator[SettledSeat]:
    """Yield the settlement by seat."""
    ledgers = {ledger.key: ledger for ledger in rules.ledgers}
    for number, seat in enumerate(entry.seats):
        yield SettledSeat(
            seat=number,
            entrant=str(seat.entrant),
            place=settlement.places[number],
            final_score=settlement.final_scores[number],
            points=rules.ranking_ledger.text(settlement.totals[rules.ranking_ledger.key][number]),
            totals={key: ledgers[key].text(totals[number]) for key, totals in settlement.totals.items()},
            lines=[
                LineDocument.build(
                    line,
                    amount=exact(str(line.amount), ledgers[line.ledger]),
                    label=cause_label(line.cause, line_floating(line.params)),
                )
                for line in settlement.lines
                if line.seat == number
            ],
        )
