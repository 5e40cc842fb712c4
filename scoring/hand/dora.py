"""Dora of all kinds: first counted, then told."""

from __future__ import annotations

from scoring.hand.records import DoraLine, Told
from scoring.hand.situation import Situation
from scoring.hand.tiles import (
    BINGO,
    BITS,
    COUNT,
    FIVES,
    FLOWERS,
    GOLD,
    KIND,
    NAMED,
    NO_KIND,
    NORTH,
    RED,
    SLOTS,
    Kind,
    Tile,
)
from scoring.ruleset.play import Play
from scoring.ruleset.value import Dora

Counts = list[tuple[int, int]]
"""The place of a kind of dora among all kinds, and how many there are."""
_KINDS = tuple(Dora)
_URA, _KAN_URA, _FIVE, _RED, _GOLD, _NORTH, _NORTH_ASIDE, _FLOWER, _BINGO = map(
    _KINDS.index,
    (
        Dora.URA,
        Dora.KAN_URA,
        Dora.FIVE,
        Dora.RED,
        Dora.GOLD,
        Dora.NORTH,
        Dora.NORTH_ASIDE,
        Dora.FLOWER,
        Dora.BINGO,
    ),
)
_FIXED = (Dora.FIVE, Dora.NORTH, Dora.NORTH_ASIDE, Dora.FLOWER, Dora.BINGO)
_REDS_AT, _GOLDS_AT = BITS * min(RED.values()), BITS * min(GOLD.values())
_NOWHERE = BITS * SLOTS
_COLOURED = sum(COUNT << (BITS * tile) for tile in (*RED.values(), *GOLD.values()))


NO_DORA = Told((), 0, 0, 0)


class DoraRules:
    """The dora of a ruleset."""

    def __init__(self, play: Play) -> None:
        kinds = play.dora.kinds
        self.kinds = kinds
        self.han = tuple(kinds[kind].han if kind in kinds else 0 for kind in _KINDS)
        """Han of one of each kind."""
        self.more_than_han = any(each.as_yaku or each.points_closed or each.points_open for each in kinds.values())
        """Some are yaku, or are paid in points."""
        self.has_fixed = any(kind in kinds for kind in _FIXED)
        self.bonus_tile_doubles = play.dora.turning.bonus_tile_doubles
        self.successor = _successors(play)
        self.shifts = tuple(BITS * self.successor[kind] if kind in self.successor else _NOWHERE for kind in KIND)
        """Where the count of the dora stands that each tile points at; where nothing does for a bonus tile."""
        self._lines: dict[tuple[int, int, bool], DoraLine] = {}
        self._told_once: dict[tuple[int, int, bool], Told] = {}

    def counts(self, packed: int, nuki: tuple[Tile, ...], situation: Situation) -> Counts:
        """Count the dora of a hand.

        `packed` holds all its tiles, melds included, marked ones by themselves too; `nuki` what was set aside.
        """
        found: Counts = []
        shifts = self.shifts
        for place, indicator in situation.turned:
            there = packed >> shifts[indicator] & COUNT
            if nuki:
                there += self._aside(indicator, nuki)
            if there:
                found.append((place, there))
        coloured = packed & _COLOURED
        if coloured:
            found += _COUNTED.get(coloured) or _coloured(coloured)
        if self.has_fixed:
            found += _fixed(packed, nuki)
        return found

    def _aside(self, indicator: Tile, nuki: tuple[Tile, ...]) -> int:
        """How many tiles set aside an indicator makes dora; a bonus tile may double them all."""
        kind = KIND[indicator]
        if kind != NO_KIND:
            return nuki.count(self.successor[kind])
        alike = FLOWERS if indicator in FLOWERS else BINGO
        return sum(1 for tile in nuki if tile in alike) if self.bonus_tile_doubles else 0

    def told(self, counts: Counts, *, closed: bool) -> Told:
        """Say what the dora are worth, those of one kind together."""
        if not counts:
            return NO_DORA
        if len(counts) == 1:
            return self._told_once.get((*counts[0], closed)) or self._of_one(*counts[0], closed=closed)
        together: dict[int, int] = {}
        for place, there in counts:
            together[place] = together.get(place, 0) + there
        lines: list[DoraLine] = []
        for place, there in together.items():
            line = self._lines.get((place, there, closed)) or self._line(place, there, closed=closed)
            if line.han or line.points:
                lines.append(line)
        ura = together.get(_URA, 0) + together.get(_KAN_URA, 0)
        return Told(tuple(lines), ura, together.get(_RED, 0), together.get(_GOLD, 0))

    def _of_one(self, place: int, count: int, *, closed: bool) -> Told:
        """Dora of one kind alone; kept, as most hands have no more."""
        line = self._line(place, count, closed=closed)
        told = Told(
            (line,) if line.han or line.points else (),
            count if place in (_URA, _KAN_URA) else 0,
            count if place == _RED else 0,
            count if place == _GOLD else 0,
        )
        self._told_once[place, count, closed] = told
        return told

    def _line(self, place: int, count: int, *, closed: bool) -> DoraLine:
        """So many of a kind; kept, since there are few different ones."""
        kind = _KINDS[place]
        rules = self.kinds.get(kind)
        if rules is None:
            found = DoraLine(kind, count, 0, 0, as_yaku=False, clauses=())
        else:
            points = rules.points_closed if closed else rules.points_open
            found = DoraLine(kind, count, rules.han * count, points * count, rules.as_yaku, rules.clauses)
        self._lines[place, count, closed] = found
        return found


_COUNTED: dict[int, Counts] = {}
"""Red and gold fives, by all that a hand has of them: there are few ways to have some."""


def _coloured(packed: int) -> Counts:
    """Red and gold fives; kept."""
    reds, golds = packed >> _REDS_AT, packed >> _GOLDS_AT
    both = (
        (_RED, (reds & COUNT) + (reds >> BITS & COUNT) + (reds >> 2 * BITS & COUNT)),
        (_GOLD, (golds & COUNT) + (golds >> BITS & COUNT) + (golds >> 2 * BITS & COUNT)),
    )
    found = _COUNTED[packed] = [each for each in both if each[1]]
    return found


def _fixed(packed: int, nuki: tuple[Tile, ...]) -> Counts:
    """Tiles that are dora whatever is turned."""
    aside = nuki.count(NORTH)
    return [
        (_FIVE, sum(packed >> (BITS * five) & COUNT for five in FIVES.values())),
        (_NORTH, aside + (packed >> (BITS * NORTH) & COUNT)),
        (_NORTH_ASIDE, aside),
        (_FLOWER, sum(1 for tile in nuki if tile in FLOWERS)),
        (_BINGO, sum(1 for tile in nuki if tile in BINGO)),
    ]


def _successors(play: Play) -> dict[Kind, Kind]:
    """The dora that each indicator points at: the next kind there is of its sort, from the last to the first."""
    there = [NAMED[kind] for kind in play.tiles.listed()]
    found: dict[Kind, Kind] = {}
    for sort in (range(9), range(9, 18), range(18, 27), range(27, 31), range(31, 34)):
        kinds = sorted(kind for kind in there if kind in sort)
        found |= dict(zip(kinds, kinds[1:] + kinds[:1], strict=True))
    return found
