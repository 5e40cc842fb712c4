"""Parts of the bracket's document: how to lay it out, where ranks lead, hanchan not played, and who left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from league.api.competitions.moment_documents import Day
from league.api.standings.standings_documents import Destination, Leads, RoundNotPlayed, destinations
from league.models import Departure, Entrant
from league.models import Standing as StandingRow
from league.selectors.people.visibility import person_shown
from league.selectors.standings.advances import Advance, Advances
from league.selectors.standings.bracket import Bracket, LadderHanchan, Reached
from league.selectors.standings.prepared import SeatRow
from league.selectors.standings.tables import BlockTable
from league.web.document_parts import SessionRef, moment
from league.web.documents import Document, Moment, Ref
from league.wording.names import Names
from scoring.ruleset import Ledger
from scoring.tiebreak import CreditKind

KindNotPlayed = Literal["bye", "no_show", "late", "walkover", "annulled"]


class Cell(Document):
    """Base of what a drawing places in columns and rows."""

    column: int = Field(description="The column of its stage, from 0 in the order of play.")
    row: int = Field(description="The row in it from 0: a block's among those of its stage, a table's in its block.")


class AdvanceDocument(Document):
    """A place that a rank leads to by the format or by the rules of the series, whatever was overridden or decided."""

    how: Literal["rank", "best", "title", "move"] = Field(
        description="By the rank alone, by a comparison of this rank across the stage's blocks, to the title, or in a "
        "tier of a series by its move into the next term."
    )
    stage: Ref | None = Field(description="The stage's id; null for the title and a move.")
    block: Ref | None = Field(description="The block's id; null where a draw decides it, for the title and a move.")
    slot: Ref | None = Field(description="The slot's id; null likewise.")
    tier: str | None = Field(
        description="The key of the tier in the next term, or of the competition beside the tiers; null unless a move."
    )
    destination: Destination | None = Field(
        description="The move: up, down, the same tier, points, or a competition beside the tiers; null unless a move."
    )


class BlockPlace(Document):
    """A rank of a block that leads on."""

    rank: int = Field(description="The rank, counted without entrants who were passed over.")
    advances_to: list[AdvanceDocument] = Field(
        description="The places it leads to; several where a comparison gives one of them."
    )


class BracketSession(SessionRef):
    """A session with its first day."""

    date: Day | None = Field(description="Its first day in the competition's time zone; null without dated tables.")


class DepartureDocument(Document):
    """An entrant's withdrawal or disqualification."""

    kind: Departure.Kind = Field(description="Withdrawn, or disqualified.")
    at: Moment = Field(description="The moment it was recorded.")
    block: Ref | None = Field(description="The id of the last block played in; null for none.")
    played: int = Field(description="The hanchan that count for the entrant there.")


class PlacedBy(Document):
    """The first measure of an entrant's place in the competition; level entrants are compared in earlier stages."""

    stage: Ref | None = Field(description="The furthest stage reached on the way to the title; null for none.")
    block: Ref = Field(description="The block of the last stage played.")
    rank: int | None = Field(description="The rank in that block; null without one.")


class BracketRoundNotPlayed(RoundNotPlayed):
    """A hanchan without a result of this entrant that counts, or will count once its round is played."""

    block: Ref = Field(description="The block's id.")
    entrant: Ref = Field(description="The entrant's id.")
    counts: bool = Field(description="False for a bye of a round still to be played; its worth is not known yet.")


def departure_document(found: Bracket, entrant: Entrant, line: StandingRow | None) -> DepartureDocument | None:
    """Return when and where an entrant left; `line` is the row of the last block played in."""
    departure = found.departures.get(entrant.pk)
    if departure is None:
        return None
    return DepartureDocument(
        kind=Departure.Kind(departure.kind),
        at=moment(departure.at, found.reader.competition),
        block=str(line.block_id) if line else None,
        played=line.played if line else 0,
    )


def left_as(left: DepartureDocument) -> Literal["withdrawn", "disqualified"]:
    """Return the status of an entrant who left before the first row of standings."""
    return "disqualified" if left.kind == Departure.Kind.DISQUALIFIED else "withdrawn"


def placed_by(reached: Reached | None) -> PlacedBy | None:
    """Return what decides a place first; None for an entrant in no block."""
    return PlacedBy.build(reached) if reached else None


def move_labels(advances: Advances, names: Mapping[str, Names]) -> Leads:
    """Return the moves of all ranks as documents."""
    leads = (lead for own in advances.values() for each in own.values() for lead in each)
    return destinations(((str(lead.move), "") for lead in leads if lead.move), names)


def place_documents(advances: Mapping[int, Sequence[Advance]], own: str, moves: Leads) -> list[BlockPlace]:
    """Return the ranks of a block that lead on, each with the places it leads to; `own` is the tier's key."""
    return [
        BlockPlace(
            rank=rank,
            advances_to=[
                AdvanceDocument.build(
                    lead,
                    tier=(lead.move.key or own) if lead.move else None,
                    destination=moves[str(lead.move), ""] if lead.move else None,
                )
                for lead in leads
            ],
        )
        for rank, leads in advances.items()
    ]


def rounds_not_played(found: Bracket, ledger: Ledger | None) -> Iterator[BracketRoundNotPlayed]:
    """Yield what counts or will count without a result, block by block, by entrant and number."""
    latest, byes = latest_numbers(found), defaultdict[int, list[tuple[int, int]]](list)
    for (block, entrant, number), kind in sorted(found.given.items()):
        if kind == CreditKind.BYE:
            byes[block].append((entrant, number))
    shown = {entrant.pk for entrant in found.entrants if person_shown(found.reader, entrant.player)}
    for table in found.tables:
        for entrant, counted in table.credits.items():
            for each in counted if entrant in shown else ():
                points = None if ledger is None else ledger.text(each.points)
                ids = {"block": table.block.pk, "entrant": entrant, "counts": True}
                yield BracketRoundNotPlayed.build(each, points=points, **ids)
        for entrant, number in byes[table.block.pk]:
            if entrant in shown and number > latest.get(table.block.pk, 0):
                yield bye_to_come(table, entrant, number)


def latest_numbers(found: Bracket) -> Mapping[int, int]:
    """Return by block id the largest number of a hanchan with a result."""
    latest: dict[int, int] = {}
    for each in (each for played in found.played for each in played.hanchan if each.revision is not None):
        latest[each.hanchan.block_id] = max(latest.get(each.hanchan.block_id, 0), each.hanchan.number)
    return latest


def bye_to_come(table: BlockTable, entrant: int, number: int) -> BracketRoundNotPlayed:
    """Return a bye of a round that is still to be played."""
    return BracketRoundNotPlayed(
        block=str(table.block.pk),
        entrant=str(entrant),
        number=number,
        kind="bye",
        points=None,
        place=None,
        hanchan=None,
        reason="",
        counts=False,
    )


def not_played(found: Bracket, played: LadderHanchan, seat: SeatRow) -> KindNotPlayed | None:
    """Return why the entrant of a seat did not play the hanchan, or it counts nothing; None for one who played."""
    if seat.entrant is None:
        return None
    if (seat.entrant, played.hanchan.pk) in found.annulled:
        return "annulled"
    # The house player sits for the absent entrant where the format gives an absence no points of its own.
    if seat.is_substitute and seat.player in found.house:
        return "no_show"
    if played.revision is not None:
        return None
    kind = found.given.get((played.hanchan.block_id, seat.entrant, played.hanchan.number))
    return CreditKind(kind).value if kind else None
