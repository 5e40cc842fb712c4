"""Fu: a list of reasons that adds up to the hand's fu."""

from __future__ import annotations

from scoring.hand.reading import Called, Form, Reading, Seat
from scoring.hand.records import FuLine, FuReason
from scoring.hand.shapes import Wait
from scoring.hand.tiles import DRAGONS, KINDS, OUTSIDE, Kind
from scoring.ruleset.play import Play
from scoring.ruleset.value import Fu

FuCount = tuple[int, tuple[FuLine, ...]]
_NO_FU_WAITS = (Wait.TWO_SIDED, Wait.TRIPLET)


class FuRules:
    """The fu of a ruleset, with a line ready for every set there can be."""

    def __init__(self, play: Play) -> None:
        rules = play.fu
        self.rules = rules
        self.fixed = _flat(FuReason.FIXED, rules.fixed, rules)
        self.pairs = _flat(FuReason.SEVEN_PAIRS, rules.seven_pairs, rules)
        self.base = FuLine(FuReason.BASE, rules.base, rules.clauses)
        self.closed_ron = FuLine(FuReason.CLOSED_RON, rules.closed_ron, rules.clauses)
        self.tsumo = FuLine(FuReason.TSUMO, rules.tsumo, rules.clauses)
        self.tsumo_two_sided = FuLine(FuReason.TSUMO, rules.tsumo_two_sided, rules.clauses)
        self.wait = FuLine(FuReason.WAIT, rules.wait, rules.clauses)
        self.open_triplets = self._sets(FuReason.OPEN_TRIPLET)
        self.closed_triplets = self._sets(FuReason.CLOSED_TRIPLET)
        self.open_kans = self._sets(FuReason.OPEN_KAN)
        self.closed_kans = self._sets(FuReason.CLOSED_KAN)
        self._pairs: dict[Seat, tuple[FuLine | None, ...]] = {}

    def _sets(self, reason: FuReason) -> tuple[FuLine, ...]:
        table = self.rules.triplets
        is_open = reason in (FuReason.OPEN_TRIPLET, FuReason.OPEN_KAN)
        simple = table.open_simple if is_open else table.closed_simple
        other = table.open_other if is_open else table.closed_other
        times = table.kan_times if reason in (FuReason.OPEN_KAN, FuReason.CLOSED_KAN) else 1
        return tuple(
            FuLine(reason, times * (other if kind in OUTSIDE else simple), table.clauses, kind) for kind in range(KINDS)
        )

    def of(self, reading: Reading, *, pinfu: bool, replaced: bool) -> FuCount:
        """The fu of a reading; `pinfu` if that yaku counts, `replaced` if won on a replacement tile."""
        if self.rules.fixed:
            return self.fixed
        if reading.form is not Form.SETS:
            return self.pairs
        lines = [self.base]
        self._winning(reading, lines, pinfu=pinfu, replaced=replaced)
        if reading.triplets:
            lines += [self.called(each) for each in reading.facts.called if each.triplets]
            self._triplets(reading, lines)
        pair = self.pair(reading.facts.seat)[reading.pair]
        if pair is not None:
            lines.append(pair)
        return self._rounded(reading, lines)

    def _winning(self, reading: Reading, lines: list[FuLine], *, pinfu: bool, replaced: bool) -> None:
        """Fu for how the hand was won, and on which wait."""
        facts = reading.facts
        no_fu = reading.wait in _NO_FU_WAITS
        if not facts.drawn:
            if facts.closed:
                lines.append(self.closed_ron)
        elif not pinfu and (not replaced or self.rules.tsumo_on_replacement):
            lines.append(self.tsumo_two_sided if no_fu else self.tsumo)
        if not no_fu:
            lines.append(self.wait)

    def _triplets(self, reading: Reading, lines: list[FuLine]) -> None:
        """Triplets in the hand; one completed by ron counts as open."""
        facts = reading.facts
        opened = facts.win if reading.wait is Wait.TRIPLET and not facts.drawn else -1
        for part in reading.parts:
            lines += [(self.open_triplets if kind == opened else self.closed_triplets)[kind] for kind in part.triplets]

    def called(self, meld: Called) -> FuLine:
        """The fu of a triplet or kan on the table."""
        if not meld.is_kan:
            return self.open_triplets[meld.kind]
        return (self.closed_kans if meld.is_closed else self.open_kans)[meld.kind]

    def pair(self, seat: Seat) -> tuple[FuLine | None, ...]:
        """For each kind the fu of a pair of it, for this seat in this round."""
        found = self._pairs.get(seat)
        if found is None:
            found = self._pairs[seat] = tuple(self._pair(kind, seat) for kind in range(KINDS))
        return found

    def _pair(self, kind: Kind, seat: Seat) -> FuLine | None:
        rules = self.rules
        if kind not in seat.values:
            return None
        is_own, is_round = kind == seat.own, kind in seat.rounds
        if kind in DRAGONS or is_own != is_round or kind in seat.guests:
            fu = rules.pair_value
        elif is_own:
            fu = rules.pair_double_wind
        else:
            fu = rules.pair_north
        return FuLine(FuReason.PAIR, fu, rules.clauses, kind) if fu else None

    def _rounded(self, reading: Reading, lines: list[FuLine]) -> FuCount:
        """Rounded up; an opened hand won by ron has a least number."""
        fu = 0
        for line in lines:
            fu += line.fu
        rules, facts = self.rules, reading.facts
        if fu < rules.open_least and not facts.closed and not facts.drawn and len(lines) == 1:
            lines.append(FuLine(FuReason.OPEN_LEAST, rules.open_least - fu, rules.clauses))
            fu = rules.open_least
        if rest := -fu % rules.round_up_to:
            lines.append(FuLine(FuReason.ROUNDING, rest, rules.clauses))
        return fu + rest, tuple(lines)


def _flat(reason: FuReason, fu: int, rules: Fu) -> FuCount:
    return fu, (FuLine(reason, fu, rules.clauses),)
