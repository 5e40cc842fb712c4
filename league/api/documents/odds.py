"""Odds as one document: counts of simulated seasons, each with its share and its error."""

from __future__ import annotations

from typing import Any

from league.api.documents.common import Document, block_ref, both, competition_ref, entrant, moment
from league.models import Forecast
from league.odds_words import unforeseen_text
from league.selectors.odds import (
    METHOD,
    BlockOdds,
    Cell,
    CompetitionOdds,
    NextHanchan,
    PlayerOdds,
    Share,
    as_of,
    is_switched_on,
)
from league.selectors.readers import Reader
from scoring.odds.shares import TENTHS_OF_A_POINT


def odds_document(reader: Reader, forecast: Forecast | None, odds: CompetitionOdds | None) -> Document:
    """The figures, or why there are none."""
    return {
        "competition": competition_ref(reader.competition),
        "as_of": as_of(reader, forecast) if forecast else None,
        "state": state(reader, forecast, odds),
        "reason": both(lambda _language: unforeseen_text(forecast.payload)) if forecast and odds is None else None,
        "made_at": moment(forecast.made_at, reader.competition) if forecast else None,
        "method": METHOD,
        "seasons": forecast.seasons if forecast else 0,
        "error": points(odds.error) if odds else None,
        "drawn_from": forecast.payload["pool"] if forecast else None,
        "players": [player(reader, each, odds) for each in odds.players] if odds else [],
        "blocks": [block(reader, each) for each in odds.blocks] if odds else [],
        "next_hanchan": [next_hanchan(reader, each) for each in odds.next_hanchan] if odds else [],
    }


def state(reader: Reader, forecast: Forecast | None, odds: CompetitionOdds | None) -> str:
    """Whether there are figures."""
    if not is_switched_on(reader.competition):
        return "off"
    if forecast is None:
        return "pending"
    return "unforeseeable" if odds is None else "ready"


def points(tenths: int) -> str:
    """Percentage points to one decimal."""
    return f"{tenths // TENTHS_OF_A_POINT}.{tenths % TENTHS_OF_A_POINT}"


def share(found: Share) -> Document:
    """A share with what it is made of."""
    return {"count": found.count, "seasons": found.seasons, "percent": found.text, "error": points(found.error)}


def chance(cell: Cell) -> dict[str, Any]:
    """A share, or what needs none."""
    return {"chance": cell.chance.value, "share": share(cell.share) if cell.share else None}


def player(reader: Reader, found: PlayerOdds, odds: CompetitionOdds) -> Document:
    """Return the chances of an entrant to play in each stage and to win."""
    stages = zip(odds.stages, found.stages, strict=True)
    return {
        **entrant(reader, found.entrant),
        "stages": [{"stage": stage.key, **chance(cell)} for stage, cell in stages],
        "title": chance(found.title),
    }


def block(reader: Reader, found: BlockOdds) -> Document:
    """The ranks of a block."""
    return {
        **block_ref(found.block),
        "is_under_way": found.is_under_way,
        "is_last": found.is_last,
        "rows": [
            {
                **entrant(reader, row.entrant),
                "rank": row.rank,
                "ranks": [share(each) for each in row.ranks],
                "advance": share(row.advance) if row.advance else None,
            }
            for row in found.rows
        ],
    }


def next_hanchan(reader: Reader, found: NextHanchan) -> Document:
    """What hangs on somebody's next hanchan."""
    return {
        **entrant(reader, found.entrant),
        "block": block_ref(found.block),
        "number": found.number,
        "places": [
            {"place": each.place, "advance": share(each.advance), "title": share(each.title)} for each in found.places
        ],
    }
