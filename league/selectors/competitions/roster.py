"""The roster of a competition: who plays, who fills tables, and what follows from closing it with a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from league.models import Competition, Entrant, Hanchan, ResultSheet, TableEvent, TableSession
from league.selectors.rulebooks.rules_in_force import format_of, format_of_revision, rules_at, ruleset_of
from league.wording.faults import fault_text
from league.wording.names import title_in
from scoring.format import Format, close_roster
from scoring.format.numbers import StageNumbers, format_numbers, odd_by
from scoring.format.parts import Bounds
from scoring.format.policies import OddBy
from scoring.ruleset import FaultsError


def active_entrants(competition: Competition) -> list[Entrant]:
    """Return all entrants who have not withdrawn, by number; house players are none of them."""
    rows = Entrant.objects.filter(competition=competition, merged_into=None, withdrawn_at=None, is_house=False)
    return list(rows.select_related("player").order_by("number"))


def house_players(competition: Competition) -> list[Entrant]:
    """Return the house players who have not left, by number."""
    rows = Entrant.objects.filter(competition=competition, merged_into=None, withdrawn_at=None, is_house=True)
    return list(rows.select_related("player").order_by("number"))


def house_places(league_format: Format, players: int) -> dict[str, range]:
    """Return by block the house players of its rounds, counted from 0; blocks of one stage need different ones.

    Only blocks of rounds whose tables house players fill are named.
    """
    found: dict[str, range] = {}
    for stage in league_format.stages:
        first = 0
        for block in stage.blocks if odd_by(league_format, stage) is OddBy.SUBSTITUTES else ():
            missing = -(league_format.size(block.key) or 0) % players
            found[block.key] = range(first, first + missing)
            first += missing
    return found


def house_needed(league_format: Format, players: int) -> int:
    """Return how many house players the format needs at a time."""
    return max((places.stop for places in house_places(league_format, players).values()), default=0)


def has_begun(competition: Competition) -> bool:
    """Return True if any hanchan has begun or has a result."""
    of_this = {"hanchan__block__competition": competition}
    resting = (Hanchan.State.SCHEDULED, Hanchan.State.ABANDONED)
    return (
        ResultSheet.objects.filter(**of_this).exists()
        or TableEvent.objects.filter(**of_this).exists()
        or Hanchan.objects.filter(block__competition=competition).exclude(state__in=resting).exists()
    )


def is_scheduled(competition: Competition) -> bool:
    """Return True if any table is scheduled; there are as many tables as the places need."""
    return TableSession.objects.filter(competition=competition).exists()


@dataclass(frozen=True, slots=True)
class StageFit:
    """The tables of a stage for a number of entrants."""

    title: str
    numbers: StageNumbers
    house: int
    """House players who fill its tables."""
    has_byes: bool
    """True if those who sit out a round have a bye there."""


@dataclass(frozen=True, slots=True)
class RosterFit:
    """The result of closing the roster with a number of entrants; with faults it cannot be closed so."""

    entrants: int
    stages: tuple[StageFit, ...]
    faults: tuple[str, ...]


def roster_fit(competition: Competition, entrants: int) -> RosterFit:
    """Return the tables of each stage if the roster of a format of open size is closed with this number."""
    rules = rules_at(competition)
    try:
        closed = close_roster(format_of_revision(rules.format), entrants)
    except FaultsError as error:
        return RosterFit(entrants, (), tuple(dict.fromkeys(map(fault_text, error.faults))))
    return RosterFit(entrants, tuple(_stages(closed, ruleset_of(rules).players)), ())


def _stages(league_format: Format, players: int) -> Iterator[StageFit]:
    needed = house_places(league_format, players)
    for stage, numbers in zip(league_format.stages, format_numbers(league_format).stages, strict=True):
        house = sum(len(needed.get(block.key, ())) for block in stage.blocks)
        yield StageFit(title_in(stage.title), numbers, house, has_byes=odd_by(league_format, stage) is OddBy.BYES)


@dataclass(frozen=True, slots=True)
class RosterState:
    """The roster of a competition whose format is of open size."""

    bounds: Bounds
    places: int
    """Places that the format in force has."""
    entered: tuple[Entrant, ...]
    present: tuple[Entrant, ...]
    """Of those entered the ones who have checked in; empty if none has."""
    has_begun: bool
    is_scheduled: bool


def roster_state(competition: Competition) -> RosterState | None:
    """Return the roster of a competition; None if the number of its entrants is fixed by the format."""
    rules = rules_at(competition)
    bounds = format_of_revision(rules.format).bounds
    if bounds is None:
        return None
    entered = active_entrants(competition)
    return RosterState(
        bounds=bounds,
        places=format_of(rules).seeds,
        entered=tuple(entered),
        present=tuple(present_of(entered)),
        has_begun=has_begun(competition),
        is_scheduled=is_scheduled(competition),
    )


def present_of(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return those who have checked in."""
    return [entrant for entrant in entrants if entrant.checked_in_at]
