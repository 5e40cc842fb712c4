"""Odds document: counts of simulated seasons, each with its share and its standard error."""

from __future__ import annotations

from typing import Literal, TypedDict

from pydantic import Field

from league.models import Forecast
from league.selectors.access.readers import Reader
from league.selectors.standings.odds import (
    METHOD,
    BlockOdds,
    Chance,
    CompetitionOdds,
    NextHanchan,
    OddsCell,
    PlayerOdds,
    as_of,
    is_switched_on,
)
from league.web.document_parts import CompetitionRef, EntrantDocument, InBoth, NamedKey, both, entrant, moment
from league.web.documents import Document, Moment
from league.wording.standings.odds import unforeseen_text
from scoring.odds.shares import TENTHS_OF_A_POINT, Share

State = Literal["ready", "pending", "off", "unforeseeable"]
GOES_ON = "Goes on from the block, to any later stage; from the last block: wins the title."


class ShareDocument(Document):
    """A share of the simulated seasons."""

    count: int = Field(description="The number of seasons in which it happened.")
    seasons: int = Field(description="The number of seasons it is a share of.")
    percent: str = Field(description="Whole percent: `<1`, `1` to `99`, `>99`; never 0 and never 100.")
    error: str = Field(description="Its standard error in percentage points, such as 0.2.")


class ChanceFields(TypedDict):
    """The fields of a `ChanceDocument`."""

    chance: Chance
    share: ShareDocument | None


class ChanceDocument(Document):
    """A share of the simulated seasons, or the fact that something is certain or impossible."""

    chance: Chance = Field(description="A share, or why there is none.")
    share: ShareDocument | None = Field(description="The share; null where it is certain or out.")


class OfStage(Document):
    """Base that puts the stage before the chance."""

    stage: str = Field(description="The stage's key.")


class StageChance(ChanceDocument, OfStage):
    """The chance to play in a stage; an entrant who skips it for a later one is not counted."""


class PlayerOddsDocument(EntrantDocument):
    """An entrant's chances of playing in each stage, and of winning the title."""

    stages: list[StageChance] = Field(description="The chance of each stage.")
    title: ChanceDocument = Field(description="The chance to win the title.")


class RankOdds(EntrantDocument):
    """The chances of an entrant to end on each rank of a block."""

    rank: int | None = Field(description="As the standings have it now.")
    ranks: list[ShareDocument] = Field(description="First, second, ...")
    advance: ShareDocument | None = Field(description=GOES_ON)


class BlockOddsDocument(NamedKey):
    """A block in progress, or the last one."""

    is_under_way: bool = Field(description="Its players are known; otherwise the rows are all possible players.")
    is_last: bool = Field(description="The last block: its first wins the title.")
    rows: list[RankOdds] = Field(description="The entrants by rank.")


class IfPlace(Document):
    """The odds if an entrant's next hanchan ends in this place."""

    place: int = Field(description="The place, from 1.")
    advance: ShareDocument = Field(description=GOES_ON)
    title: ShareDocument = Field(description="Wins the title.")


class NextHanchanDocument(EntrantDocument):
    """The chances of an entrant by the place in their next hanchan."""

    block: NamedKey
    number: int = Field(description="Number of the hanchan in the block for this entrant.")
    places: list[IfPlace] = Field(description="The places, first to last.")


class DrawnFrom(Document):
    """The pool of results that a simulated hanchan is drawn from, all equally likely."""

    own: int = Field(description="The competition's own hanchan.")
    made_up: int = Field(description="Made-up ones, the prior.")


class Odds(Document):
    """Odds from a simulation of the rest of the season."""

    competition: CompetitionRef
    as_of: int | None = Field(description="The published version the figures hold for.")
    state: State = Field(description="Whether there are figures, and if not, why.")
    reason: InBoth | None = Field(description="Why nothing can be said, where nothing can.")
    made_at: Moment | None = Field(description="The moment of the simulation.")
    method: int = Field(description="Goes up when equal facts would give other figures.")
    seasons: int = Field(description="The number of simulated seasons.")
    error: str | None = Field(description="The largest standard error of a share of all seasons, in points.")
    drawn_from: DrawnFrom | None = Field(description="The results that simulated hanchan were drawn from.")
    players: list[PlayerOddsDocument] = Field(description="The chances of every entrant.")
    blocks: list[BlockOddsDocument] = Field(description="The blocks under way and the last one.")
    next_hanchan: list[NextHanchanDocument] = Field(description="By the place in the next hanchan.")


def odds_document(reader: Reader, forecast: Forecast | None, odds: CompetitionOdds | None) -> Odds:
    """Return the figures, or the reason why there are none."""
    return Odds.build(
        reader,
        as_of=as_of(reader, forecast) if forecast else None,
        state=state(reader, forecast, odds),
        reason=both(lambda _language: unforeseen_text(forecast.payload["unforeseen"]["reason"]))
        if forecast and odds is None
        else None,
        made_at=moment(forecast.made_at, reader.competition) if forecast else None,
        method=METHOD,
        seasons=forecast.seasons if forecast else 0,
        error=points(odds.error) if odds else None,
        drawn_from=forecast.payload["pool"] if forecast else None,
        players=[player(reader, each, odds) for each in odds.players] if odds else [],
        blocks=[block(reader, each) for each in odds.blocks] if odds else [],
        next_hanchan=[next_hanchan(reader, each) for each in odds.next_hanchan] if odds else [],
    )


def state(reader: Reader, forecast: Forecast | None, odds: CompetitionOdds | None) -> State:
    """Return the availability of the figures: ready, pending, off or unforeseeable."""
    if not is_switched_on(reader.competition):
        return "off"
    if forecast is None:
        return "pending"
    return "unforeseeable" if odds is None else "ready"


def points(tenths: int) -> str:
    """Return percentage points with one decimal."""
    return f"{tenths // TENTHS_OF_A_POINT}.{tenths % TENTHS_OF_A_POINT}"


def share(found: Share) -> ShareDocument:
    """Return a share with its count, total and standard error."""
    return ShareDocument.build(found, percent=found.text, error=points(found.error))


def chance(cell: OddsCell) -> ChanceFields:
    """Return the fields of a `ChanceDocument`."""
    return {"chance": cell.chance, "share": share(cell.share) if cell.share else None}


def player(reader: Reader, found: PlayerOdds, odds: CompetitionOdds) -> PlayerOddsDocument:
    """Return the chances of an entrant to play in each stage and to win."""
    stages = zip(odds.stages, found.stages, strict=True)
    return PlayerOddsDocument(
        **entrant(reader, found.entrant),
        stages=[StageChance(stage=stage.key, **chance(cell)) for stage, cell in stages],
        title=ChanceDocument(**chance(found.title)),
    )


def block(reader: Reader, found: BlockOdds) -> BlockOddsDocument:
    """Return the odds of a block by rank."""
    rows = [
        RankOdds(
            **entrant(reader, row.entrant),
            rank=row.rank,
            ranks=[share(each) for each in row.ranks],
            advance=share(row.advance) if row.advance else None,
        )
        for row in found.rows
    ]
    return BlockOddsDocument.build(found.block, is_under_way=found.is_under_way, is_last=found.is_last, rows=rows)


def next_hanchan(reader: Reader, found: NextHanchan) -> NextHanchanDocument:
    """Return the chances of an entrant by the place in their next hanchan."""
    return NextHanchanDocument.build(
        found,
        **entrant(reader, found.entrant),
        places=[IfPlace.build(each, advance=share(each.advance), title=share(each.title)) for each in found.places],
    )
