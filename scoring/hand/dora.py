"""Dora of all kinds: first counted per kind, then turned into lines with their han or points."""

from __future__ import annotations

from scoring.hand.records import DoraCount, DoraLine
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
"""For each kind of dora, its place in `Dora` and the number of them."""
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


NO_DORA = DoraCount((), 0, 0, 0)


class DoraTables:
    """The dora of a ruleset, with caches for the few different lines there are."""

    def __init__(self, play: Play) -> None:
        kinds = play.dora.kinds
        self.kinds = kinds
        self.han = tuple(kinds[kind].han if kind in kinds else 0 for kind in _KINDS)
        """Han of a single dora, by the kind's place in `Dora`."""
        self.more_than_han = any(each.as_yaku or each.points_closed or each.points_open for each in kinds.values())
        """True if some dora count as yaku or are paid in points."""
        self.has_fixed = any(kind in kinds for kind in _FIXED)
        self.bonus_tile_doubles = play.dora.turning.bonus_tile_doubles
        self.successor = _successors(play)
        self.shifts = tuple(BITS * self.successor[kind] if kind in self.successor else _NOWHERE for kind in KIND)
        """For each indicator, the shift to its dora's count in packed tiles; a bonus tile leads to empty bits."""
        self._lines: dict[tuple[int, int, bool], DoraLine] = {}
        self._told_once: dict[tuple[int, int, bool], DoraCount] = {}

    def counts(self, packed: int, nuki: tuple[Tile, ...], situation: Situation) -> Counts:
        """Count the dora of a hand, by kind.

        `packed` holds all its tiles with the melds (marked tiles also in their own slots); `nuki` holds the tiles
        set aside.
        """
        found: Counts = []
        shifts = self.shifts
        # Two indicators of the same tile count it twice, hence a list and not a dict.
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
        """Return the number of tiles set aside that an indicator makes dora; a bonus tile may count them all again."""
        kind = KIND[indicator]
        if kind != NO_KIND:
            return nuki.count(self.successor[kind])
        alike = FLOWERS if indicator in FLOWERS else BINGO
        # KS-042: a flower as an indicator makes every flower set aside a dora once more; elsewhere it points at
        # nothing.
        return sum(1 for tile in nuki if tile in alike) if self.bonus_tile_doubles else 0

    def summarize(self, counts: Counts, *, closed: bool) -> DoraCount:
        """Return the lines of these counts, one for each kind that is worth something, and the sums for prizes."""
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
        return DoraCount(tuple(lines), ura, together.get(_RED, 0), together.get(_GOLD, 0))

    def _of_one(self, place: int, count: int, *, closed: bool) -> DoraCount:
        """Return the summary of a single kind of dora; cached, as most hands have no more than one kind."""
        line = self._line(place, count, closed=closed)
        told = DoraCount(
            (line,) if line.han or line.points else (),
            count if place in (_URA, _KAN_URA) else 0,
            count if place == _RED else 0,
            count if place == _GOLD else 0,
        )
        self._told_once[place, count, closed] = told
        return told

    def _line(self, place: int, count: int, *, closed: bool) -> DoraLine:
        """Return the line for this number of dora of a kind; cached, since there are few different ones."""
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
"""Cache of `_coloured`: counts by the packed red and gold fives of a hand; there are few combinations."""


def _coloured(packed: int) -> Counts:
    """Return the counts of red and gold fives; cached."""
    reds, golds = packed >> _REDS_AT, packed >> _GOLDS_AT
    both = (
        (_RED, (reds & COUNT) + (reds >> BITS & COUNT) + (reds >> 2 * BITS & COUNT)),
        (_GOLD, (golds & COUNT) + (golds >> BITS & COUNT) + (golds >> 2 * BITS & COUNT)),
    )
    found = _COUNTED[packed] = [each for each in both if each[1]]
    return found


def _fixed(packed: int, nuki: tuple[Tile, ...]) -> Counts:
    """Return the counts of tiles that are dora without an indicator: fives, norths, flowers, bingo tiles."""
    aside = nuki.count(NORTH)
    return [
        (_FIVE, sum(packed >> (BITS * five) & COUNT for five in FIVES.values())),
        (_NORTH, aside + (packed >> (BITS * NORTH) & COUNT)),
        (_NORTH_ASIDE, aside),
        (_FLOWER, sum(1 for tile in nuki if tile in FLOWERS)),
        (_BINGO, sum(1 for tile in nuki if tile in BINGO)),
    ]


def _successors(play: Play) -> dict[Kind, Kind]:
    """Return the dora for each indicator: the next kind of its sort in the wall, the first one after the last."""
    # Only kinds in the wall: without 2-8 of characters (sanma) a 1 points at the 9.
    there = [NAMED[kind] for kind in play.tiles.listed()]
    found: dict[Kind, Kind] = {}
    for sort in (range(9), range(9, 18), range(18, 27), range(27, 31), range(31, 34)):
        kinds = sorted(kind for kind in there if kind in sort)
        found |= dict(zip(kinds, kinds[1:] + kinds[:1], strict=True))
    return found
