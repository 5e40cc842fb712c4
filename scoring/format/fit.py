"""How much a format asks for, and which formats fit a number of players, evenings and tables.

The one idea: a format that does not fit is compared with the wish like one that does, so that each proposal says what
would have to change. Reasons are codes with numbers; the service words them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count, repeat
from math import ceil

from scoring.format import Bounds, EntrantKind, Format, Seating, close_roster, smallest_roster
from scoring.format.numbers import USUAL_PLAYERS, StageNumbers, format_numbers

LONGEST_DAY = 10
"""Rounds that can be played in one day; a proposal never asks for more because evenings or tables are few."""


@dataclass(frozen=True, slots=True)
class FormatSize:
    """What a format asks for. None stands for any number: in an open block, or without a number of hanchan."""

    players: int | None
    hanchan: tuple[int, int] | None
    """Hanchan of the entrant who is out first, and of the one who plays longest."""
    tables: int | None
    """Most tables that play at the same time."""
    rounds: tuple[int, ...] | None
    """Rounds of each session, in the order of play."""

    @property
    def sessions(self) -> int | None:
        """Return the number of sessions."""
        return None if self.rounds is None else len(self.rounds)


def size_of(format_: Format, at_table: int = USUAL_PLAYERS, tables: int | None = None) -> FormatSize:
    """Return what a format asks for.

    `at_table` counts where the format leaves the players at a table to the ruleset; `tables` limits the tables that
    play at the same time, which makes sessions longer.
    """
    numbers = format_numbers(format_, usual_players=at_table)
    rounds = [
        # Fixtures that the organizer sets are spread over as many days as wanted, unless the format says.
        [] if stage.seating is Seating.FIXTURES and stage.sessions is None else list(_rounds(own, tables))
        for stage, own in zip(format_.stages, numbers.stages, strict=True)
    ]
    least, most = numbers.least_hanchan, numbers.most_hanchan
    return FormatSize(
        players=numbers.entrants,
        hanchan=None if least is None or most is None else (least, most),
        tables=numbers.tables,
        rounds=tuple(each for own in rounds for each in own) if all(rounds) else None,
    )


def _rounds(stage: StageNumbers, tables: int | None) -> Iterator[int]:
    """Yield the hanchan of each session: more than a player's if some rest or tables are few; none if open."""
    if stage.games is None or stage.rounds is None or stage.tables is None:
        return
    by_tables = ceil(stage.games / min(tables or stage.tables, stage.tables))
    by_block = stage.rounds * (stage.hanchan_in_row or 1)
    sessions = stage.sessions or 1
    yield from repeat(ceil(max(by_tables, by_block) / sessions), sessions)


@dataclass(frozen=True, kw_only=True, slots=True)
class FormatWish:
    """What an organizer has: players, and perhaps evenings and tables at the same time."""

    players: int
    evenings: int | None = None
    tables: int | None = None
    at_table: int = USUAL_PLAYERS


class Why(StrEnum):
    """A reason why a format fits a wish, or what would have to change."""

    PLAYERS_EXACT = "players_exact"
    """The format is for as many players."""
    PLAYERS_BETWEEN = "players_between"
    """The format takes as many players, and others."""
    PLAYERS_ANY = "players_any"
    """The format takes any number of players."""
    PLAYERS_MISSING = "players_missing"
    """Some more players are needed."""
    PLAYERS_OVER = "players_over"
    """Some players have no place."""
    EVENINGS_EXACT = "evenings_exact"
    """One session each evening."""
    EVENINGS_SPARE = "evenings_spare"
    """Some evenings are left."""
    EVENINGS_ANY = "evenings_any"
    """The format leaves the number of sessions open."""
    EVENINGS_SHORT = "evenings_short"
    """Several sessions must be played on one evening."""
    TABLES_ENOUGH = "tables_enough"
    """All tables of a round can play at the same time."""
    TABLES_SHORT = "tables_short"
    """Some must wait for a table, which takes longer."""


CHANGES = frozenset({Why.PLAYERS_MISSING, Why.PLAYERS_OVER, Why.EVENINGS_SHORT, Why.TABLES_SHORT})
"""The reasons that ask for a change."""


@dataclass(frozen=True, slots=True)
class FitReason:
    """A reason with the numbers for its sentence."""

    why: Why
    params: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_met(self) -> bool:
        """Return True if nothing has to change for this."""
        return self.why not in CHANGES


@dataclass(frozen=True, slots=True)
class Proposal:
    """A format with its numbers, and why it fits or what has to change."""

    name: str
    format: Format
    size: FormatSize
    reasons: tuple[FitReason, ...]
    bounds: Bounds | None = None
    """Numbers of players that the format takes; None for a fixed number or any."""

    @property
    def is_exact(self) -> bool:
        """Return True if the format fits without a change."""
        return all(reason.is_met for reason in self.reasons)


def proposed_formats(formats: Iterable[tuple[str, Format]], wish: FormatWish) -> tuple[Proposal, ...]:
    """Return the formats that fit, then those that fit after a change, the smallest change first; open ones last.

    Formats for another number of players at a table are left out, and so are those that would need too many players
    more or fewer, or days of more than `LONGEST_DAY` rounds.
    """
    found = []
    for name, each in formats:
        format_ = _for_players(each, wish.players)
        if _is_for_tables_of(format_, wish.at_table) and (reasons := _reasons(format_, each.bounds, wish)):
            found.append(Proposal(name, format_, size_of(format_, wish.at_table), reasons, each.bounds))
    return tuple(sorted(found, key=lambda each: _order(each, wish)))


def _for_players(format_: Format, players: int) -> Format:
    """Return a format with bounds for this number of players, or for one that it can have."""
    bounds = format_.bounds
    if bounds is not None and players >= bounds.least:
        with suppress(ValueError):
            return close_roster(format_, min(players, bounds.most))
    return smallest_roster(format_)


def _is_for_tables_of(format_: Format, at_table: int) -> bool:
    """Return whether the format is for this number of players at a table, or for any number that fills a table."""
    sizes = [len(format_.sources(key)) for key, block in format_.blocks.items() if not block.is_open]
    return format_.players in {None, at_table} and min(sizes, default=at_table) >= at_table


def _order(proposal: Proposal, wish: FormatWish) -> tuple[bool, bool, int, int, bool, str]:
    """Return the sort key: fitting ones first, then by the differences in players and evenings, fixed numbers first."""
    size = proposal.size
    players = wish.players if size.players is None else size.players
    evenings = wish.evenings if wish.evenings is not None and size.sessions is not None else size.sessions
    apart = abs((size.sessions or 0) - (evenings or 0))
    has_bounds = proposal.bounds is not None
    return size.players is None, not proposal.is_exact, abs(players - wish.players), apart, has_bounds, proposal.name


def _reasons(format_: Format, bounds: Bounds | None, wish: FormatWish) -> tuple[FitReason, ...]:
    """Return the reasons on players, evenings and tables; none if the format is out of reach or for teams."""
    if format_.kind is EntrantKind.TEAMS:
        return ()
    usual, size = size_of(format_, wish.at_table), size_of(format_, wish.at_table, wish.tables)
    players = _about_players(size.players, bounds, wish)
    rest = [*_about_evenings(size, wish), *_about_tables(usual, size, wish)]
    if players is None or any(reason.params.get("rounds", 0) > LONGEST_DAY for reason in rest):
        return ()
    return (players, *rest)


def _about_players(places: int | None, bounds: Bounds | None, wish: FormatWish) -> FitReason | None:
    """Return the reason on the number of players; None if it differs by a table's players and by a fifth."""
    if places is None:
        return FitReason(Why.PLAYERS_ANY)
    if places == wish.players and bounds is not None:
        return FitReason(Why.PLAYERS_BETWEEN, {"least": bounds.least, "most": bounds.most})
    if places == wish.players:
        return FitReason(Why.PLAYERS_EXACT, {"players": places})
    difference = abs(places - wish.players)
    if difference > max(wish.at_table - 1, wish.players // 5):
        return None
    why = Why.PLAYERS_MISSING if places > wish.players else Why.PLAYERS_OVER
    return FitReason(why, {"players": places, "count": difference})


def _about_evenings(size: FormatSize, wish: FormatWish) -> Iterator[FitReason]:
    if wish.evenings is None:
        return
    if size.rounds is None:
        yield FitReason(Why.EVENINGS_ANY)
    elif len(size.rounds) <= wish.evenings:
        left = wish.evenings - len(size.rounds)
        why = Why.EVENINGS_SPARE if left else Why.EVENINGS_EXACT
        yield FitReason(why, {"sessions": len(size.rounds), "count": left})
    else:
        rounds = longest_day(size.rounds, wish.evenings)
        yield FitReason(Why.EVENINGS_SHORT, {"sessions": len(size.rounds), "count": wish.evenings, "rounds": rounds})


def longest_day(rounds: Sequence[int], days: int) -> int:
    """Return the rounds of the longest day if sessions of these rounds are spread over so many days, in their order."""
    return next(limit for limit in count(max(rounds)) if _days_needed(rounds, limit) <= days)


def _days_needed(rounds: Sequence[int], limit: int) -> int:
    """Return the number of days if each takes as many sessions as its limit of rounds allows."""
    days, left = 0, 0
    for own in rounds:
        if own > left:
            days, left = days + 1, limit
        left -= own
    return days


def _about_tables(usual: FormatSize, size: FormatSize, wish: FormatWish) -> Iterator[FitReason]:
    if wish.tables is None or size.tables is None or size.rounds is None or usual.rounds is None:
        return
    if size.tables <= wish.tables:
        yield FitReason(Why.TABLES_ENOUGH, {"count": size.tables})
    else:
        # Only sessions that have become longer: a final at one table takes as long as before.
        longer = [rounds for rounds, before in zip(size.rounds, usual.rounds, strict=True) if rounds > before]
        rounds = max(longer, default=max(size.rounds))
        yield FitReason(Why.TABLES_SHORT, {"tables": size.tables, "count": wish.tables, "rounds": rounds})
