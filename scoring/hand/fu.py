"""Fu as a list of reasons that add up to the fu of a hand."""

from __future__ import annotations

from scoring.hand.reading import Form, Reading, SeatWinds
from scoring.hand.records import FuLine, FuReason
from scoring.hand.shapes import ALL_SETS, COUNT, KIND_BITS, PAIR_AT, TRIPLETS_AT, Wait
from scoring.hand.tiles import DRAGONS, KINDS, OUTSIDE, Kind
from scoring.ruleset.play import Play
from scoring.ruleset.value import Fu

_SETS, _TWO_SIDED, _TRIPLET = Form.SETS, Wait.TWO_SIDED, Wait.TRIPLET
"""Enum members as module globals: looking a member up on its enum takes longer than the rest of a test."""
FuCount = tuple[int, tuple[FuLine, ...]]
DRAWN, CLOSED, WITH_PINFU, REPLACED, NO_WAIT, UNSHOWN = 1, 2, 4, 8, 16, 32
"""Bit flags of a win that fu depend on; NO_WAIT means a wait without fu of its own."""


class FuRules:
    """The fu of a ruleset, with a line prepared for every set there can be."""

    def __init__(self, play: Play) -> None:
        rules = play.fu
        self.rules = rules
        self.round_up_to = rules.round_up_to
        self.is_fixed = bool(rules.fixed)
        self.fixed = _flat(FuReason.FIXED, rules.fixed, rules)
        self.pairs = _flat(FuReason.SEVEN_PAIRS, rules.seven_pairs, rules)
        self.open_triplets = self._sets(FuReason.OPEN_TRIPLET)
        self.closed_triplets = self._sets(FuReason.CLOSED_TRIPLET)
        kans = (*self._sets(FuReason.OPEN_KAN), *self._sets(FuReason.CLOSED_KAN))
        self.called = (*self.open_triplets, *kans)
        """The lines of melded triplets and kans, by `Called.place`."""
        self._ways: dict[int, FuCount] = {}
        steps = range(max(rules.round_up_to, 1))
        self._roundings = tuple(FuLine(FuReason.ROUNDING, rest, rules.clauses) for rest in steps)

    def _sets(self, reason: FuReason) -> tuple[FuLine, ...]:
        table = self.rules.triplets
        is_open = reason in (FuReason.OPEN_TRIPLET, FuReason.OPEN_KAN)
        simple = table.open_simple if is_open else table.closed_simple
        other = table.open_other if is_open else table.closed_other
        times = table.kan_times if reason in (FuReason.OPEN_KAN, FuReason.CLOSED_KAN) else 1
        return tuple(
            FuLine(reason, times * (other if kind in OUTSIDE else simple), table.clauses, kind) for kind in range(KINDS)
        )

    def of(self, reading: Reading, seat: SeatWinds, way: int) -> FuCount:
        """Return the fu of a reading with its lines.

        `way` is a sum of `DRAWN`, `CLOSED`, `WITH_PINFU`, `REPLACED` and `UNSHOWN`.
        """
        if self.is_fixed:
            return self.fixed
        if reading.form is not _SETS:
            return self.pairs
        wait, bits = reading.wait, reading.bits
        if wait is _TWO_SIDED or wait is _TRIPLET:
            way += NO_WAIT
        fu, lines = self._ways.get(way) or self._way(way)
        if reading.features & COUNT != ALL_SETS:
            for line in self._triplets(reading, bits >> TRIPLETS_AT & KIND_BITS):
                lines += (line,)
                fu += line.fu
        pair = seat.pairs[(bits >> PAIR_AT).bit_length()]
        if pair is not None:
            lines += (pair,)
            fu += pair.fu
        # An open ron with base fu alone (喰い平和形) counts 30 in most books; a self-draw rounds up from 22.
        if not way & (CLOSED | DRAWN) and len(lines) == 1 and fu < self.rules.open_least:
            lines += (FuLine(FuReason.OPEN_LEAST, self.rules.open_least - fu, self.rules.clauses),)
            fu = self.rules.open_least
        rest = -fu % self.round_up_to
        return (fu + rest, (*lines, self._roundings[rest])) if rest else (fu, lines)

    def _way(self, way: int) -> FuCount:
        """Return the fu of the way of winning and of the wait, with lines; cached."""
        rules = self.rules
        # A drawn tile that was not shown leaves neither a wait nor the fu of a draw.
        drawn, no_wait = way & DRAWN, way & (NO_WAIT | UNSHOWN)
        lines = [FuLine(FuReason.BASE, rules.base, rules.clauses)]
        if way & CLOSED and not drawn:
            lines.append(FuLine(FuReason.CLOSED_RON, rules.closed_ron, rules.clauses))
        # Pinfu by self-draw keeps 20 fu. B4-062 gives no self-draw fu on a replacement tile.
        if drawn and not way & (WITH_PINFU | UNSHOWN) and (rules.tsumo_on_replacement or not way & REPLACED):
            fu = rules.tsumo_two_sided if no_wait else rules.tsumo
            lines.append(FuLine(FuReason.TSUMO, fu, rules.clauses))
        if not no_wait:
            lines.append(FuLine(FuReason.WAIT, rules.wait, rules.clauses))
        found = self._ways[way] = sum(line.fu for line in lines), tuple(lines)
        return found

    def _triplets(self, reading: Reading, triplets: int) -> list[FuLine]:
        """Return the lines of triplets and kans; a triplet completed by ron counts as open."""
        facts = reading.facts
        # `drawn`, not `by`: after 大明槓 paid as a ron the triplet counts as open as well (BOO-039).
        opened = facts.win if reading.wait is _TRIPLET and not facts.drawn else -1
        called = self.called
        lines = [called[each.place] for each in facts.called if not each.is_run]
        while triplets:
            kind = triplets.bit_length() - 1
            triplets ^= 1 << kind
            lines.append((self.open_triplets if kind == opened else self.closed_triplets)[kind])
        return lines

    def pairs_of(self, seat: SeatWinds) -> tuple[FuLine | None, ...]:
        """Return the line of a pair of each kind for a seat in a round, None where a pair brings no fu.

        The index is the kind plus one, so that 0 stands for no pair.
        """
        return (None, *(self._pair(kind, seat) for kind in range(KINDS)))

    def _pair(self, kind: Kind, seat: SeatWinds) -> FuLine | None:
        rules = self.rules
        if kind not in seat.values:
            return None
        is_own, is_round = kind == seat.own, kind in seat.rounds
        # Own and round wind at once is the double wind; neither of them leaves the North that some sanma books value.
        if kind in DRAGONS or is_own != is_round or kind in seat.guests:
            fu = rules.pair_value
        elif is_own:
            fu = rules.pair_double_wind
        else:
            fu = rules.pair_north
        return FuLine(FuReason.PAIR, fu, rules.clauses, kind) if fu else None


def _flat(reason: FuReason, fu: int, rules: Fu) -> FuCount:
    return fu, (FuLine(reason, fu, rules.clauses),)
