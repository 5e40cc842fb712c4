"""A hand while it is read: steps are applied to the table as they come, and the end makes the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from scoring.hand import Hand, Tile, tiles_text
from scoring.paifu.checks import play_steps
from scoring.paifu.problems import PaifuError, Position
from scoring.paifu.records import STICK, PaifuDraw, PaifuKyoku, PaifuStep, PaifuWin, StepKind, in_order
from scoring.paifu.table import PaifuTable
from scoring.ruleset.end import RoundName

MOST_STEPS = 400
ROUNDS = (RoundName.EAST, RoundName.SOUTH, RoundName.WEST)
SEATS_OF_ROUND = 4
"""Both services count the hands of every round in fours, with three players too."""


@dataclass(slots=True)
class Draft:
    """A hand being read."""

    position: Position
    sticks: int
    scores: tuple[int, ...]
    dealt: tuple[tuple[Tile, ...], ...]
    dora: list[Tile]
    stick: int = STICK
    ura: tuple[Tile, ...] = ()
    steps: list[PaifuStep] = field(default_factory=list)
    riichi: list[int] = field(default_factory=list)
    wins: list[PaifuWin] = field(default_factory=list)
    draw: PaifuDraw | None = None
    payments: list[Sequence[int]] = field(default_factory=list)
    """The changes of all seats by each win or draw, without the sticks laid in this hand."""
    table: PaifuTable = field(init=False)

    def __post_init__(self) -> None:
        self.table = play_steps(self.dealt, self.position.number - 1, ())

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.scores)

    @property
    def is_over(self) -> bool:
        """True once a win or a draw was read."""
        return bool(self.wins) or self.draw is not None

    def add(self, kind: StepKind, seat: int, *tiles: Tile, discarder: int | None = None, same: bool = False) -> None:
        """Apply a step; `same` discards the tile just drawn."""
        if self.is_over:
            raise PaifuError("after_end", value=kind.value)
        if len(self.steps) >= MOST_STEPS:
            raise PaifuError("too_many", most=MOST_STEPS)
        step = step_of(kind, seat, tiles, discarder, same)
        self.table.apply(step)
        self.steps.append(step)
        if kind is StepKind.NEW_DORA:
            self.dora.append(tiles[0])

    def last_discard(self, caller: int) -> PaifuStep:
        """Return the discard that a seat calls; raise PaifuError if there is none."""
        discard = self.table.discarded
        if discard is None:
            raise PaifuError("not_the_turn", seat=caller, step=len(self.steps) + 1, kind="call")
        return discard

    def hand(self, seat: int, win: Tile, *, by_draw: bool, told: Iterable[Tile] | None = None) -> Hand:
        """Return the winning hand of a seat; raise PaifuError if the log tells other concealed tiles."""
        if not 0 <= seat < self.players:
            raise PaifuError("no_seat", number=seat, players=self.players)
        held = self.table.hand(seat, win, by_draw=by_draw)
        if told is not None and sorted(told) != [*held.concealed]:
            found = tiles_text(sorted(told))
            raise PaifuError("winners_hand", seat=seat, found=found, expected=tiles_text(held.concealed))
        return held

    def nagashi(self) -> tuple[int, ...]:
        """Return the seats that have a nagashi mangan; raise PaifuError if there is none."""
        seats = tuple(seat for seat in range(self.players) if self.table.is_nagashi(seat))
        if not seats:
            raise PaifuError("no_nagashi")
        return seats

    def record(self) -> PaifuKyoku:
        """Return the finished hand; raise PaifuError if it has no end."""
        if not self.is_over:
            raise PaifuError("unfinished", self.position)
        deltas = [sum(parts) for parts in zip(*self.payments, strict=True)]
        for seat in self.riichi:
            deltas[seat] -= self.stick
        return PaifuKyoku(
            round=self.position.round,
            number=self.position.number,
            honba=self.position.honba,
            sticks=self.sticks,
            scores=self.scores,
            dealt=self.dealt,
            steps=tuple(self.steps),
            dora=tuple(self.dora),
            ura=self.ura,
            riichi=tuple(self.riichi),
            deltas=tuple(deltas),
            wins=tuple(self.wins),
            draw=self.draw,
        )


# The steps repeat: a game has about a thousand, but few different ones.
@lru_cache(maxsize=1 << 12)
def step_of(kind: StepKind, seat: int, tiles: tuple[Tile, ...], discarder: int | None, same: bool) -> PaifuStep:  # noqa: FBT001 - lru_cache is fastest by position
    """Return a step with its tiles in order; `same` discards the tile just drawn."""
    return PaifuStep(kind, seat, in_order(kind, tiles), discarder, same)


def position_of(count: int, honba: int, players: int) -> Position:
    """Return the kyoku with this number in its game, counted from 0 in fours."""
    number = count % SEATS_OF_ROUND + 1
    if count // SEATS_OF_ROUND >= len(ROUNDS) or number > players:
        raise PaifuError("not_whole", key="kyoku", least=0, most=SEATS_OF_ROUND * len(ROUNDS) - 1, value=count)
    return Position(ROUNDS[count // SEATS_OF_ROUND], number, honba)
