"""Kansaki (完全先付け): test that the yaku of a hand is settled before the winning tile comes.

The test uses the tiles and the order of the melds. An opened hand needs a yaku that it has on every wait, and either
the first call belongs to that yaku or the yaku is complete among the concealed tiles. A closed hand wins by riichi,
by self-draw, or if it has some yaku on every wait. The tiles cannot show that a concealed yaku was complete before
the first call: such a win is allowed with a notice, so that the table can object. Source: KS-004 and KS-208.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from scoring.hand.case import Case
from scoring.hand.melds import Called
from scoring.hand.reading import Form, HandFacts, Reading
from scoring.hand.records import NoWin, NoWinReason
from scoring.hand.shapes import PAIR_AT, TRIPLETS_AT, Wait, waits_on
from scoring.hand.situation import RiichiKind
from scoring.hand.tally import yaku_of
from scoring.hand.tiles import BITS, COUNT, DRAGONS, KINDS, NAME, WINDS, Kind
from scoring.hand.yaku import sets
from scoring.ruleset.yaku import YakuName
from scoring.value import By

Names = frozenset[YakuName]
_THREE, _FOUR = 3, 4

ALWAYS: Names = frozenset(
    {
        YakuName.TOITOI,
        YakuName.HONROUTOU,
        YakuName.HONITSU,
        YakuName.CHINITSU,
        YakuName.CHANTA,
        YakuName.JUNCHAN,
        YakuName.TANYAO,
        YakuName.TSUUIISOU,
        YakuName.CHINROUTOU,
        YakuName.RYUUIISOU,
        YakuName.MANZU_HONITSU,
    }
)
"""Yaku of the whole hand: every call belongs to them."""

_RUNS_OF = {YakuName.SANRENKOU: _THREE, YakuName.SUURENKOU: _FOUR}
_OF_WINDS: Names = frozenset({YakuName.SANPUU, YakuName.SHOUSUUSHI, YakuName.DAISUUSHI, YakuName.SUUSHIIHOU})
_OF_DRAGONS: Names = frozenset({YakuName.SHOUSANGEN, YakuName.DAISANGEN})
_OF_KANS: Names = frozenset({YakuName.SANKANTSU, YakuName.SUUKANTSU})

PARTIAL: dict[YakuName, Callable[[Reading], int]] = {
    **{name: test for name, (_, _, test) in sets.HONOUR_YAKU.items()},
    YakuName.ITTSU: sets.ittsu,
    YakuName.SANSHOKU: sets.sanshoku,
    YakuName.SANANKOU: sets.sanankou,
    YakuName.SANKANTSU: sets.sankantsu,
    YakuName.SANSHOKU_DOUKOU: sets.sanshoku_doukou,
    YakuName.SANRENKOU: sets.sanrenkou,
}
"""Yaku of a part of the hand, which may be complete among the concealed tiles."""


class KansakiVerdict(NamedTuple):
    """The result of the test: allowed, allowed with a notice, or refused."""

    no_win: NoWin | None = None
    is_shown_by_tiles: bool = True
    """False if only the table can judge that the yaku was complete before the first call."""


def judge_settled(case: Case, readings: list[Reading]) -> KansakiVerdict:
    """Return the verdict on a complete hand, whatever its readings."""
    own = _names(case, readings)
    if not own:
        return _refused(case, NoWinReason.NO_YAKU, {"han": 0, "needed": case.book.play.win.min_han})
    closed, won = case.closed, case.situation
    # KS-208: riichi and self-draw allow any wait of a closed hand, so the waits are not worked out.
    if closed and (won.riichi is not RiichiKind.NONE or won.by is By.TSUMO):
        return KansakiVerdict()
    waits = {kind: _names_on(case, kind) for kind in _waits(case)}
    everywhere = frozenset.intersection(*waits.values())
    # KS-208: a closed hand may have a different yaku on each wait (the two-way yakuhai wait); an opened one may not.
    is_refused = not all(waits.values()) if closed else not everywhere
    if is_refused:
        return _refused(case, NoWinReason.KANSAKI_WAIT, {"waits": " ".join(NAME[kind] for kind in waits)})
    if closed:
        return KansakiVerdict()
    return _judge_opened(case, readings, everywhere)


def _judge_opened(case: Case, readings: list[Reading], everywhere: Names) -> KansakiVerdict:
    """Return the verdict on an opened hand, given the yaku that it has on every wait.

    The first call must belong to one of these yaku, or one of them must be complete among the concealed tiles.
    """
    # KS-208: a concealed kan is no call, and an added kan counts from its pon, whose place it keeps.
    call = next(meld for meld in case.called if not meld.is_closed)
    having = [(name, reading) for reading in readings for name in everywhere if name in _names(case, [reading])]
    if any(_belongs(call, name, reading) for name, reading in having):
        return KansakiVerdict()
    if any(_lies_concealed(name, reading) for name, reading in having):
        return KansakiVerdict(is_shown_by_tiles=False)
    params = {"call": NAME[call.kind], "yaku": ", ".join(sorted(everywhere))}
    return _refused(case, NoWinReason.KANSAKI_FIRST_CALL, params)


def _refused(case: Case, reason: NoWinReason, params: Mapping[str, object]) -> KansakiVerdict:
    return KansakiVerdict(NoWin(reason, case.book.play.win.clauses, params))


def _names(case: Case, readings: list[Reading]) -> Names:
    """Return the yaku of these readings that count for the test: without incidental ones, dora and bazoro."""
    left_out = {*case.book.play.win.incidental}
    found = (line.name for reading in readings for line in yaku_of(case, reading)[0])
    return frozenset(name for name in found if isinstance(name, YakuName) and name not in left_out)


def _waits(case: Case) -> Iterator[Kind]:
    """Yield every kind that completes the waiting hand in shape, unless the hand already holds all it may use of it."""
    # Each wait is a full hand read again: the slow part, reached only by opened hands and closed ron without riichi.
    held = case.kinds - (1 << (BITS * case.win))
    most = case.book.play.tiles.alike_in_hand
    for kind in range(KINDS):
        if case.book.most_copies[kind] and held >> (BITS * kind) & COUNT < most and _won_on(case, kind).readings():
            yield kind


def _names_on(case: Case, kind: Kind) -> Names:
    """Return the yaku that the hand would have with this tile."""
    other = _won_on(case, kind)
    return _names(other, other.readings())


def _won_on(case: Case, kind: Kind) -> Case:
    """Return the same hand won on another tile; it need not be available, marked or not."""
    return Case(replace(case.hand, win=kind), case.situation, case.book, kind, is_checked=True)


def _belongs(call: Called, name: YakuName, reading: Reading) -> bool:
    """Return whether the first call belongs to this yaku."""
    if name in ALWAYS:
        return True
    if name in _OF_KANS:
        return call.is_kan
    seat = reading.facts.seat
    groups: dict[YakuName, tuple[Kind, ...]] = {
        YakuName.HAKU: (DRAGONS[0],),
        YakuName.HATSU: (DRAGONS[1],),
        YakuName.CHUN: (DRAGONS[2],),
        YakuName.NORTH: (WINDS[3],),
        YakuName.SEAT_WIND: (seat.own,),
        YakuName.ROUND_WIND: seat.rounds,
        YakuName.GUEST_WIND: seat.guests,
        **dict.fromkeys(_OF_WINDS, tuple(WINDS)),
        **dict.fromkeys(_OF_DRAGONS, tuple(DRAGONS)),
    }
    if name in groups:
        return call.kind in groups[name]
    return any(call.kind in group for group in _groups(name, reading))


def _groups(name: YakuName, reading: Reading) -> Iterator[range]:
    """Yield the groups of triplet kinds that together make this yaku."""
    if name is YakuName.SANSHOKU_DOUKOU:
        candidates = [range(rank, 27, 9) for rank in range(9)]
    else:
        length = _RUNS_OF.get(name, 0)
        starts = (start for start in range(27) if length and start % 9 + length <= 9)  # noqa: PLR2004 - in one suit
        candidates = [range(start, start + length) for start in starts]
    return (group for group in candidates if all(reading.triplets >> kind & 1 for kind in group))


def _lies_concealed(name: YakuName, reading: Reading) -> bool:
    """Return whether this yaku is complete in the concealed tiles and concealed kans, without the winning tile."""
    test = PARTIAL.get(name)
    return test is not None and any(test(part) for part in _without_win(reading))


def _without_win(reading: Reading) -> Iterator[Reading]:
    """Yield the concealed part of a reading as it was before the winning tile."""
    facts = reading.facts
    kans = [each.bits for each in facts.called if each.is_closed]
    for gone in _completed(reading):
        bits = reading.bits & ~gone
        yield Reading(_Concealed(facts, kans), Form.SETS, bits, reading.features, Wait.OTHER)


def _completed(reading: Reading) -> Iterator[int]:
    """Yield the bits of the set or pair that the winning tile may have completed; 0 if an equal sequence remains."""
    win, wait = reading.facts.win, reading.wait
    if wait is Wait.PAIR:
        yield 1 << (PAIR_AT + win)
    elif wait is Wait.TRIPLET:
        yield 1 << (TRIPLETS_AT + win)
    else:
        sequences = reading.concealed_sequences
        for start in dict.fromkeys(sequences):
            if start <= win <= start + 2 and wait in waits_on(1 << start, win):
                # A reading has one bit for two equal sequences: the bit stays, since one of them was there before.
                yield 0 if sequences.count(start) > 1 else 1 << start


class _Concealed(HandFacts):
    """The facts of a hand with its open melds left out."""

    __slots__ = ()

    def __init__(self, facts: HandFacts, kans: list[int]) -> None:
        self.seat, self.kinds, self.win = facts.seat, facts.kinds, facts.win
        self.drawn, self.closed, self.norths = facts.drawn, facts.closed, facts.norths
        self.shows_wait = facts.shows_wait
        self.called = ()
        self.kans = self.closed_kans = len(kans)
        self.meld_bits = sum(kans)
