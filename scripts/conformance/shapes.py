"""Hands of every shape, out of tiles that make no further yaku where that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from scoring.hand import Hand, Meld, MeldKind, parse_tiles
from scoring.hand.book import wall_of
from scoring.hand.reading import SeatWinds
from scoring.hand.tiles import CHUN, HAKU, HATSU, KINDS, NORTH, WINDS, Tile
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play

ALIKE = 4
IN_SUIT = 9
_MOST_MELDS = 1024


class Part(StrEnum):
    """A class of sets or pairs whose tiles no rule for fu or for a yaku of a shape tells apart.

    Fu tell simples from terminals and honours, and pairs by the value of their honour. The yaku that a set can bring
    by itself tell value tiles from others, and whether a run has a terminal. Everything else (suits, numbers, which
    dragon, the same run twice) only makes further yaku, which add han; tiles are chosen so as to avoid them. A shape
    for which there are too few tiles, such as one of three guest winds, has the fu of the same shape with terminals.
    """

    INNER_RUN = "inner run"
    OUTER_RUN = "outer run"
    SIMPLE = "simple"
    TERMINAL = "terminal"
    GUEST = "guest wind"
    """A wind without value."""
    VALUE = "value"
    """A dragon or a wind with value, as a triplet; pairs are told apart by their fu."""
    DRAGON = "dragon"
    OWN = "own wind"
    ROUND = "round wind"
    DOUBLE = "double wind"
    NORTH = "north"
    """North as a value tile for a seat whose wind it is not."""


RUNS = (Part.INNER_RUN, Part.OUTER_RUN)
TRIPLETS = (Part.SIMPLE, Part.TERMINAL, Part.GUEST, Part.VALUE)
NUMBER_PAIRS = (Part.SIMPLE, Part.TERMINAL)

# Tiles are taken from the left, first those that share no tile with the hand, among them those of a suit that it does
# not have yet. The choice keeps out straights, the same run or triplet in three suits, consecutive triplets, second
# readings and flushes as far as possible. Runs have no fives, since all fives may be marked.
NUMBERS = {
    Part.INNER_RUN: ("234p", "678s", "234s", "678p"),
    Part.OUTER_RUN: ("123s", "789p", "789s", "123p"),
    Part.SIMPLE: ("2p", "8s", "8p", "2s"),
    Part.TERMINAL: ("9m", "1p", "9s", "1m", "9p", "1s"),
}
NUMBERED_PAIRS = {
    Part.SIMPLE: ("5m", "7p", "7s", "6p", "6s", "3p", "3s", "5p", "5s"),
    Part.TERMINAL: ("1m", "9p", "1s", "9s", "1p", "9m"),
}


class SetClass(NamedTuple):
    """A class of sets: its tiles, and the meld it is; None for a set without a call."""

    part: Part
    how: MeldKind | None


class Place(NamedTuple):
    """A seat in a round that stands for all whose winds have the same values."""

    seat: Wind
    round: RoundName
    is_double: bool
    """True if the seat's wind is also the round's."""


def set_classes(play: Play, parts: Iterable[Part]) -> Iterator[SetClass]:
    """Yield every class of sets. A kan by adding a tile counts as a called one in every rule for fu and shapes."""
    for part in parts:
        yield SetClass(part, None)
        if part in RUNS:
            if play.calls.chi:
                yield SetClass(part, MeldKind.CHI)
        else:
            yield from (SetClass(part, how) for how in (MeldKind.PON, MeldKind.MINKAN, MeldKind.ANKAN))


def pairs_of(seat: SeatWinds, place: Place) -> Iterator[Part]:
    """Yield the classes of pairs; a double wind differs in its pair alone, since a triplet of it only has more han."""
    if place.is_double:
        yield Part.DOUBLE
        return
    yield from (*NUMBER_PAIRS, Part.GUEST, Part.DRAGON, Part.OWN, Part.ROUND)
    if NORTH in seat.values and seat.own != NORTH and NORTH not in seat.rounds:
        yield Part.NORTH


class Builder:
    """Hands of a ruleset out of tiles, for one seat in one round."""

    def __init__(self, rules: Ruleset, seat: SeatWinds) -> None:
        most = min(ALIKE, rules.hand_rules.tiles.alike_in_hand)
        self.wall = {tile: min(count, most) for tile, count in wall_of(rules).items() if tile < KINDS}
        self.runs = {part: tuple(map(parse_tiles, NUMBERS[part])) for part in RUNS}
        winds = [wind for wind in WINDS if wind in seat.values]
        # Two dragons come last: with the third as the pair they are a yaku of their own.
        self.singles = {
            Part.SIMPLE: _tiles(NUMBERS[Part.SIMPLE]),
            Part.TERMINAL: _tiles(NUMBERS[Part.TERMINAL]),
            Part.GUEST: tuple(wind for wind in WINDS if wind not in seat.values),
            Part.VALUE: (HAKU, *winds, HATSU, CHUN),
        }
        self.pairs = {
            **{part: _tiles(NUMBERED_PAIRS[part]) for part in NUMBER_PAIRS},
            Part.GUEST: tuple(reversed(self.singles[Part.GUEST])),
            Part.DRAGON: (CHUN, HATSU),
            Part.OWN: (seat.own,),
            Part.ROUND: tuple(seat.rounds),
            Part.DOUBLE: (seat.own,),
            Part.NORTH: (NORTH,),
        }

    def hands(self, sets: Sequence[SetClass], pair: Part) -> Iterator[Hand]:
        """Yield the hand of this shape with every wait; none if the wall has too few tiles for it."""
        used: Counter[Tile] = Counter()
        melds: list[tuple[SetClass, tuple[Tile, ...]]] = []
        eyes = None if pair in NUMBER_PAIRS else self._take(((each,) * 2 for each in self.pairs[pair]), used)
        for each in sets:
            # A run twice would be twin runs: more han.
            taken = {tiles for _, tiles in melds}
            tiles = self._take((run for run in self._candidates(each) if run not in taken), used)
            if tiles is None:
                return
            melds.append((each, tiles))
        if pair in NUMBER_PAIRS:
            eyes = self._take(((each,) * 2 for each in self.pairs[pair]), used)
        if eyes is not None:
            yield from _waits(melds, eyes)

    def seven_pairs(self, parts: Sequence[Part]) -> Iterator[Hand]:
        """Yield seven pairs of these classes of tiles, waiting on one of each class."""
        used: Counter[Tile] = Counter()
        found: dict[Part, Tile] = {}
        for part in parts:
            kinds = (*self.singles[part], *self.pairs.get(part, ()))
            pair = self._take(((each,) * 2 for each in kinds), used)
            if pair is None:
                return
            found[part] = pair[0]
        for win in found.values():
            yield _hand(list(used.elements()), win, ())

    def _candidates(self, each: SetClass) -> Iterator[tuple[Tile, ...]]:
        if each.part in RUNS:
            yield from self.runs[each.part]
            return
        number = 3 + (each.how in (MeldKind.MINKAN, MeldKind.ANKAN))
        yield from ((tile,) * number for tile in self.singles[each.part])

    def _take(self, candidates: Iterable[tuple[Tile, ...]], used: Counter[Tile]) -> tuple[Tile, ...] | None:
        """Take the tiles that are left and suit best, as said at `NUMBERS`; None if there are none."""
        suits = {tile // IN_SUIT for tile in used}

        def cost(tiles: tuple[Tile, ...]) -> tuple[bool, bool]:
            return any(tile in used for tile in tiles), tiles[0] // IN_SUIT in suits

        found = min((each for each in candidates if self._is_left(each, used)), key=cost, default=None)
        used.update(found or ())
        return found

    def _is_left(self, tiles: tuple[Tile, ...], used: Counter[Tile]) -> bool:
        if tiles[0] != tiles[1]:
            return all(used[tile] < self.wall.get(tile, 0) for tile in tiles)
        # Two pairs of one kind are no seven pairs in most houses.
        return used[tiles[0]] <= 1 and used[tiles[0]] + len(tiles) <= self.wall.get(tiles[0], 0)


def _waits(melds: Sequence[tuple[SetClass, tuple[Tile, ...]]], eyes: tuple[Tile, ...]) -> Iterator[Hand]:
    """Yield a hand for each wait: on a pair, on two pairs, inside a run, at an edge, and on two sides."""
    concealed = [(each.part, tiles) for each, tiles in melds if each.how is None]
    tiles = [*eyes, *(tile for _, run in concealed for tile in run)]
    # Where the first call must belong to the yaku (完全先付け), a value tile is the call that allows most.
    called = sorted(melds, key=lambda each: each[0].part is not Part.VALUE)
    laid = tuple(_meld(each.how, meld) for each, meld in called if each.how is not None)
    wins = {
        (part, place): tile for part, run in concealed for place, tile in enumerate(run if part in RUNS else run[:1])
    }
    for win in (eyes[0], *wins.values()):
        yield _hand(tiles, win, laid)


def _hand(tiles: Sequence[Tile], win: Tile, melds: tuple[Meld, ...]) -> Hand:
    rest = list(tiles)
    rest.remove(win)
    return Hand(tuple(rest), win, melds)


@lru_cache(maxsize=_MOST_MELDS)
def _meld(how: MeldKind, tiles: tuple[Tile, ...]) -> Meld:
    return Meld(how, tiles)


def _tiles(names: Sequence[str]) -> tuple[Tile, ...]:
    return parse_tiles("".join(names))
