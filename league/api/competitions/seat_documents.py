"""Documents of seats: planned ones, and those of a result with their settlement line by line."""

from __future__ import annotations

from typing import Annotated, TypedDict

from pydantic import Field

from league.models import HanchanSeat, SeatResult
from league.selectors.access.readers import Reader
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.web.document_parts import (
    EntrantDocument,
    LineDocument,
    OfSeat,
    cause_label,
    entrant,
    exact,
    line_floating,
    ref,
)
from league.web.documents import Amount, Ref
from scoring.ruleset import Ruleset

Totals = Annotated[dict[str, Amount], Field(description="Every ledger this audience may see, by its key.")]


class Seated(EntrantDocument, OfSeat):
    """Base of a seat: the entrant who scores, and the player: a substitute, or for a team its member."""

    player: Ref | None = Field(
        description="The id of the player who sits there; null where not public, and of a team without a line-up."
    )
    player_name: str | None = Field(description="The player's name; null likewise.")
    is_substitute: bool = Field(description="Another person sits for the entrant; never true of a team's member.")


class Seat(Seated):
    """A seat of a hanchan; the first dealer's seat comes first."""

    score: int | None = Field(description="The score in table points; null before there is a result.")
    final_score: int | None = Field(description="The score with the deposits given out.")
    chonbo: int | None = Field(description="The number of chonbo.")
    place: int | None = Field(description="The place, from 1.")
    points: Amount | None = Field(description="The points in the ledger that ranks; null where not public.")
    totals: Totals
    lines: list[LineDocument] | None = Field(description="The settlement line by line; null in lists of hanchan.")


def planned_seat(reader: Reader, seat: HanchanSeat) -> Seat:
    """Return a seat without a result."""
    return Seat(
        **seat_of(reader, seat),
        score=None,
        final_score=None,
        chonbo=None,
        place=None,
        points=None,
        totals={},
        lines=None,
    )


def result_seat(reader: Reader, seat: SeatResult, rules: Ruleset, *, lines: bool) -> Seat:
    """Return a seat of a result: the entered values and their settlement."""
    shown = {ledger.key: ledger for ledger in ledgers_shown(reader, rules)}
    ranking = rules.ranking_ledger
    return Seat(
        **seat_of(reader, seat),
        score=seat.score,
        final_score=seat.final_score,
        chonbo=seat.chonbo,
        place=seat.place,
        points=ranking.text(seat.points) if ranking.key in shown else None,
        totals={key: ledger.text(seat.totals[key]) for key, ledger in shown.items() if key in seat.totals},
        lines=[line(each, rules) for each in seat.lines if each["ledger"] in shown] if lines else None,
    )


class SeatedFields(TypedDict):
    """The fields of `Seated`."""

    seat: int
    entrant: str | None
    key: str | None
    name: str | None
    kana: str | None
    romaji: str | None
    affiliation: str | None
    country: str | None
    is_team: bool | None
    player: str | None
    player_name: str | None
    is_substitute: bool


def seat_of(reader: Reader, seat: HanchanSeat | SeatResult) -> SeatedFields:
    """Return the fields of `Seated`: the entrant who scores, and the player unless it is a team without a line-up."""
    player = None if seat.player.is_team else person_shown(reader, seat.player)
    return {
        "seat": seat.seat,
        **entrant(reader, seat.entrant),
        "player": ref(seat.player_id) if player else None,
        "player_name": player.name if player else None,
        "is_substitute": seat.is_substitute,
    }


class StoredLine(TypedDict):
    """A line of a settlement as a result stores it."""

    ledger: str
    amount: str
    cause: str
    clause: str
    params: dict[str, object]


def line(stored: StoredLine, rules: Ruleset) -> LineDocument:
    """Return one itemised amount with its cause and clause."""
    amount = exact(stored["amount"], rules.ledger(stored["ledger"]))
    label = cause_label(stored["cause"], line_floating(stored["params"]))
    return LineDocument.model_validate({**stored, "amount": amount, "label": label})
