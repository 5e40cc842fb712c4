"""Prove the table of possible values: score every shape of a hand and compare what is found with what is refused.

`scoring.hand.possible` derives the fewest han for each number of fu by sums; here every shape is built from tiles and
scored with the engine. Both directions are compared for each set of circumstances: no hand has a value that is
refused, and every value that is not refused belongs to a hand, if dora are added. `python -m
scripts.conformance.possible_hands [BOOK ...]` compares these books or all, with each house option that matters to
hands and the pairs that interact, and fails on a difference.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from rulesets import loader
from scoring.hand import Hand, HandValue, RiichiKind, Situation, score
from scoring.hand.book import book_of
from scoring.hand.possible import Circumstances, Impossible, Possible, possible_values, why_impossible
from scoring.hand.shapes import ALL_SETS
from scoring.hand.situation import place_of
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import LimitName, Settled, UnshownDraw
from scoring.ruleset.yaku import YakuName
from scoring.value import By
from scripts.conformance.hand_options import Options, variants
from scripts.conformance.possible_limits import limit_differences, limits_with_dora, yakuman_differences
from scripts.conformance.shapes import RUNS, TRIPLETS, Builder, Part, Place, pairs_of, set_classes
from scripts.conformance.uncapped_hands import uncapped_differences

AT_ONCE = 2
"""Number of comparisons run at the same time."""
MOST_HAN = 20
MOST_FU = 170
"""Values up to these are compared; the table is compared whole."""
PAIRS = 7

TableOf = Callable[[Ruleset, Circumstances], Possible]
Refuse = Callable[[Ruleset, Circumstances, int, int], Impossible | None]


class Key(NamedTuple):
    """The circumstances of hands that are compared with one table."""

    by: By
    closed: bool
    riichi: RiichiKind
    round: RoundName


@dataclass
class Seen:
    """The values of the hands that were scored."""

    shapes: int = 0
    hands: int = 0
    least: dict[Key, dict[int, tuple[int, str]]] = field(default_factory=dict)
    """For each number of fu (0 where they are not counted) the fewest han, and a hand that has them."""
    values: dict[Key, set[tuple[int, int]]] = field(default_factory=dict)
    limits: dict[Key, set[LimitName]] = field(default_factory=dict)

    def add(self, key: Key, value: HandValue, ways: Ways) -> None:
        """Count the value of a hand, without han for dora, if the hand may be won."""
        hand = value.case.hand
        fu = 0 if ways.is_fixed else value.fu
        of_dora = sum(line.han for line in value.dora if not line.as_yaku) if value.case.dora else 0
        han = value.han - of_dora
        values = self.values.setdefault(key, set())
        if (han, fu) in values or not ways.may_win(value):
            return
        is_richest = not any(known >= han for known, _ in values)
        values.add((han, fu))
        least = self.least.setdefault(key, {})
        is_cheapest = fu not in least or han < least[fu][0]
        if is_cheapest:
            least[fu] = (han, str(hand))
        # The cheapest hands show the low limits, the one with most han the high ones.
        if is_cheapest or is_richest:
            limits = limits_with_dora(hand, value.situation, ways.scoring_rules)
            self.limits.setdefault(key, set()).update(limits)


def places_of(rules: Ruleset) -> Iterator[Place]:
    """Yield a place for each sort of seat in a round: rounds with other winds or other han, own wind double or not."""
    known: set[tuple[int, int, bool, bool]] = set()
    for name, wind in product(rules.setup.round_winds, rules.setup.seat_winds):
        seat = book_of(rules).seats[place_of(wind, name)]
        has_more_han = bool(rules.hand_rules.value.bazoro_last_round) and name is rules.setup.rounds[-1]
        sort = (len(seat.rounds), len(seat.guests), seat.own in seat.rounds, has_more_han)
        if sort not in known:
            known.add(sort)
            yield Place(wind, name, seat.own in seat.rounds)


def scored(rules: Ruleset, parts: Sequence[Part] = (*RUNS, *TRIPLETS)) -> Seen:
    """Return the values of every shape out of these parts, won in every way, under the house's default options."""
    seen = Seen()
    for place in places_of(rules):
        seat = book_of(rules).seats[place_of(place.seat, place.round)]
        builder = Builder(rules, seat)
        ways = Ways(rules, place)
        # Circumstances in which no hand is found are compared as well.
        seen.least |= {key: {} for key in ways.won() if key not in seen.least}
        for pair in pairs_of(seat, place):
            for sets in combinations_with_replacement(tuple(set_classes(rules.hand_rules, parts)), ALL_SETS):
                _score(builder.hands(sets, pair), ways, seen)
        if not place.is_double:
            for counts in combinations_with_replacement(TRIPLETS, PAIRS):
                _score(builder.seven_pairs(counts), ways, seen)
    return seen


class Ways:
    """The ways of winning from one place, made once for all hands."""

    def __init__(self, rules: Ruleset, place: Place) -> None:
        play = rules.hand_rules
        self.rules = rules
        self.is_kansaki = play.win.settled is Settled.KANSAKI
        # 完全先付け tries every wait and takes long: hands are scored without it, and one of each value with it.
        self.scoring_rules = _without_kansaki(rules) if self.is_kansaki else rules
        # There the last tile is no yaku that a hand can be won with.
        self.has_last = not {YakuName.HAITEI, YakuName.HOUTEI} <= set(play.win.incidental)
        self.place = place
        self.is_fixed = bool(play.fu.fixed)
        is_open = {RiichiKind.OPEN, RiichiKind.DOUBLE_OPEN}
        self.riichi = tuple(each for each in RiichiKind if play.riichi.open is not None or each not in is_open)
        self.plain = {
            (by, riichi): Situation(by, place.seat, place.round, riichi) for by, riichi in product(By, self.riichi)
        }
        # Any other yaku of the circumstances adds han alike to every hand, so one is enough: the last tile.
        self.last = {
            (by, riichi): replace(plain, haitei=by is By.TSUMO, houtei=by is By.RON)
            for (by, riichi), plain in self.plain.items()
        }
        self.replaced = replace(self.plain[By.TSUMO, RiichiKind.NONE], rinshan=True)
        fed_as_ron = play.pao is not None and play.pao.open_kan_as_ron
        # Where a replacement tile changes no fu, it is one more yaku as well.
        self.has_replaced = fed_as_ron or not play.fu.tsumo_on_replacement
        self.has_unshown = play.win.unshown is not UnshownDraw.IN_FULL

    def won(self) -> Iterator[Key]:
        """Yield all circumstances of hands that are won from this place."""
        for (by, riichi), closed in product(self.plain, (True, False)):
            if closed or riichi is RiichiKind.NONE:
                yield Key(by, closed, riichi, self.place.round)

    def values_of(self, hand: Hand) -> Iterator[tuple[Key, HandValue]]:
        """Yield the value of a hand for each way of winning; the last tile gives a yaku to a hand that needs one."""
        for won in product(By, self.riichi if hand.closed else (RiichiKind.NONE,)):
            value = score(hand, self.plain[won], self.scoring_rules)
            if self.has_last and not isinstance(value, HandValue):
                value = score(hand, self.last[won], self.scoring_rules)
            if isinstance(value, HandValue):
                yield Key(won[0], hand.closed, won[1], self.place.round), value
            yield from self._unshown(hand, won)
        if hand.kans and self.has_replaced:
            value = score(hand, self.replaced, self.scoring_rules)
            if isinstance(value, HandValue):
                # BOO-039: such a win is entered with the value of a ron.
                by = By.RON if value.as_ron else By.TSUMO
                yield Key(by, hand.closed, RiichiKind.NONE, self.place.round), value

    def _unshown(self, hand: Hand, won: tuple[By, RiichiKind]) -> Iterator[tuple[Key, HandValue]]:
        """Yield the value of a drawn hand whose winning tile was not shown, in books in which that matters."""
        for situations in (self.plain, self.last) if self.has_unshown and won[0] is By.TSUMO else ():
            value = score(hand, replace(situations[won], unshown=True), self.scoring_rules)
            if isinstance(value, HandValue):
                yield Key(won[0], hand.closed, won[1], self.place.round), value
                return

    def may_win(self, value: HandValue) -> bool:
        """Return whether a hand may be won under all rules of the book."""
        return not self.is_kansaki or isinstance(score(value.case.hand, value.situation, self.rules), HandValue)


def differences(
    rules: Ruleset, seen: Seen, table_of: TableOf = possible_values, refuse: Refuse = why_impossible
) -> Iterator[str]:
    """Yield every difference between the values that were seen and a table with its refusals."""
    for key, found in seen.least.items():
        yield from _differences_of_table(key, found, table_of(rules, _circumstances(key)))
    for won, found in _compared(seen):
        for value in product(range(MOST_HAN + 1), _fus(rules)):
            reason = refuse(rules, won, *value)
            hand = _hand_of(found, *value)
            if (reason is None) is (hand is None):
                verdict = "is possible" if reason is None else f"is refused ({reason.code})"
                yield f"{_named(won)}: {value[0]} han {value[1]} fu {verdict}; hand: {hand}"
    limits = {_circumstances(key): seen.limits.get(key, set()) for key in seen.least}
    for won, text in limit_differences(rules, limits):
        yield f"{_named(won)}: {text}"


def count_refused(rules: Ruleset, seen: Seen, refuse: Refuse = why_impossible) -> int:
    """Return the number of compared values that are refused."""
    values = product(_compared(seen), range(MOST_HAN + 1), _fus(rules))
    return sum(refuse(rules, won, han, fu) is not None for (won, _), han, fu in values)


def _differences_of_table(key: Key, found: dict[int, tuple[int, str]], table: Possible) -> Iterator[str]:
    stated = {fu: least.han for (fu, closed), least in table.items() if closed is key.closed}
    for fu in sorted({*stated, *found}):
        if fu not in found or stated.get(fu) != found[fu][0]:
            least, hand = found.get(fu, (None, None))
            yield f"{_named(_circumstances(key))}: {fu} fu: the table has {stated.get(fu)} han, found {least}: {hand}"


def _compared(seen: Seen) -> Iterator[tuple[Circumstances, dict[int, tuple[int, str]]]]:
    """Yield the fewest han by fu for each set of circumstances, also where closed or opened is left out."""
    yield from ((_circumstances(key), found) for key, found in seen.least.items())
    either: dict[Circumstances, dict[int, tuple[int, str]]] = {}
    for key, found in seen.least.items():
        merged = either.setdefault(Circumstances(key.by, None, key.riichi, round=key.round), {})
        for fu, least in found.items():
            merged[fu] = min(least, merged.get(fu, least))
    yield from either.items()


def _hand_of(found: dict[int, tuple[int, str]], han: int, fu: int) -> str | None:
    """Return a hand with these fu (any if 0) that has at most these han, so that dora can make up the rest."""
    least = found.get(fu) if fu else min(found.values(), default=None)
    return None if least is None or least[0] > han else least[1]


def _fus(rules: Ruleset) -> range:
    """Return the numbers of fu to be compared; 0 stands for fu that were not entered."""
    return range(1 if rules.hand_rules.fu.fixed else MOST_FU + 1)


def _circumstances(key: Key) -> Circumstances:
    return Circumstances(key.by, key.closed, key.riichi, round=key.round)


def _named(won: Circumstances) -> str:
    way = {True: "closed", False: "opened", None: "closed or opened"}[won.closed]
    return f"{won.by.value}, {way}, riichi {won.riichi.value}, round {won.round}"


def _score(hands: Iterable[Hand], ways: Ways, seen: Seen) -> None:
    is_shape = False
    for hand in hands:
        is_shape = True
        seen.hands += 1
        for key, value in ways.values_of(hand):
            # Yakuman and outright limits are not entered with han and fu.
            if value.fu:
                seen.add(key, value, ways)
    seen.shapes += is_shape


def _without_kansaki(rules: Ruleset) -> Ruleset:
    # Parsed, not copied: a copy would keep the digest, and with it the compiled book.
    data = rules.data()
    data["play"]["win"]["settled"] = Settled.ANY.value
    return Ruleset.model_validate_json(json.dumps(data))


def compare_with_table(name: str, options: Options) -> list[str]:
    """Score every shape under a ruleset and print a summary; return the differences from its table."""
    rules = loader.load(name).with_options(options)
    label = " ".join((name, *(f"{key}={value}" for key, value in options.items())))
    seen = scored(rules)
    found = [f"{label}: {each}" for each in differences(rules, seen)]
    if rules.hand_rules.value.uncapped_in_last_hand:
        found += [f"{label}: {each}" for each in uncapped_differences(rules)]
    if not options:
        found += [f"{label}: {each}" for each in yakuman_differences(rules, _without_kansaki(rules))]
    values = sum(map(len, seen.values.values()))
    print(
        f"{label}: {seen.shapes:,} shapes, {seen.hands:,} hands with their waits; {values:,} values seen, "
        f"{count_refused(rules, seen):,} refused values compared, {len(found)} differences",
        flush=True,
    )
    return found


def compare_books(names: Sequence[str]) -> list[str]:
    """Compare these books with each house option that matters to hands; return the differences."""
    jobs = [(name, options) for name in names for options in variants(loader.load(name))]
    if not jobs:
        return []
    with ProcessPoolExecutor(AT_ONCE, multiprocessing.get_context("fork")) as pool:
        return [each for found in pool.map(compare_with_table, *zip(*jobs, strict=True)) for each in found]


def main(names: Sequence[str]) -> int:
    """Compare these books, or all, with their house options; return 1 if there is a difference."""
    found = compare_books(names or loader.names())
    if found:
        print("\n".join(found), file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
