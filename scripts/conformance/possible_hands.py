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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from rulesets import loader
from scoring.hand import Hand, HandValue, Meld, MeldKind, RiichiKind, Situation, parse_tiles, score
from scoring.hand.book import book_of, wall_of
from scoring.hand.forms import SETS
from scoring.hand.possible import Circumstances, Impossible, Possible, possible_values, why_impossible
from scoring.hand.reading import SeatWinds
from scoring.hand.situation import place_of
from scoring.hand.tiles import CHUN, HAKU, HATSU, KINDS, NORTH, WINDS, Tile
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName, Settled
from scoring.ruleset.yaku import YakuName
from scoring.value import By
from scripts.conformance.possible_limits import limit_differences, limits_with_dora, yakuman_differences

AT_ONCE = 2
"""Number of books compared at the same time."""
MOST_HAN = 20
MOST_FU = 170
"""Values up to these are compared; the table is compared whole."""
ALIKE = 4
PAIRS = 7
IN_SUIT = 9
_MOST_MELDS = 1024

TableOf = Callable[[Ruleset, Circumstances], Possible]
Refuse = Callable[[Ruleset, Circumstances, int, int], Impossible | None]


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
        has_more_han = bool(_play(rules).value.bazoro_last_round) and name is rules.setup.rounds[-1]
        sort = (len(seat.rounds), len(seat.guests), seat.own in seat.rounds, has_more_han)
        if sort not in known:
            known.add(sort)
            yield Place(wind, name, seat.own in seat.rounds)


def set_classes(play: Play, parts: Iterable[Part]) -> Iterator[SetClass]:
    """Yield every class of sets. A kan by adding a tile counts as a called one in every rule for fu and shapes."""
    for part in parts:
        yield SetClass(part, None)
        if part in RUNS:
            if play.calls.chi:
                yield SetClass(part, MeldKind.CHI)
        else:
            yield from (SetClass(part, how) for how in (MeldKind.PON, MeldKind.MINKAN, MeldKind.ANKAN))


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
            for sets in combinations_with_replacement(tuple(set_classes(_play(rules), parts)), SETS):
                _score(builder.hands(sets, pair), ways, seen)
        if not place.is_double:
            for counts in combinations_with_replacement(TRIPLETS, PAIRS):
                _score(builder.seven_pairs(counts), ways, seen)
    return seen


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
        most = min(ALIKE, _play(rules).tiles.alike_in_hand)
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


class Ways:
    """The ways of winning from one place, made once for all hands."""

    def __init__(self, rules: Ruleset, place: Place) -> None:
        play = _play(rules)
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
        if hand.kans and self.has_replaced:
            value = score(hand, self.replaced, self.scoring_rules)
            if isinstance(value, HandValue):
                # BOO-039: such a win is entered with the value of a ron.
                by = By.RON if value.as_ron else By.TSUMO
                yield Key(by, hand.closed, RiichiKind.NONE, self.place.round), value

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
    return range(1 if _play(rules).fu.fixed else MOST_FU + 1)


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


def _play(rules: Ruleset) -> Play:
    if rules.play is None:
        raise ValueError(f"the ruleset {rules.name} has no rules for hands")
    return rules.play


def _without_kansaki(rules: Ruleset) -> Ruleset:
    # Parsed, not copied: a copy would keep the digest, and with it the compiled book.
    data = rules.data()
    data["play"]["win"]["settled"] = Settled.ANY.value
    return Ruleset.model_validate_json(json.dumps(data))


HAND_TABLES = ("tiles", "calls", "nuki", "win", "value", "fu", "yaku", "yaku_rules")
"""The tables of a ruleset that decide which hands win and with how many han and fu."""

Options = Mapping[str, object]


def variants(rules: Ruleset) -> Iterator[Options]:
    """Yield the house options to compare: none, each value that changes the rules for hands, and pairs that interact.

    Two options interact if each changes the table of possible values and both together give one that neither gives.
    A ruleset without rules for hands has nothing to compare.
    """
    if rules.play is None:
        return
    yield {}
    hands, tables = {_hand_tables(rules)}, {_all_values(rules)}
    changing: list[tuple[str, object]] = []
    for key, option in rules.options.items():
        for value in option.candidates():
            changed = rules.with_options({key: value})
            if _hand_tables(changed) not in hands:
                hands.add(_hand_tables(changed))
                yield {key: value}
            if _all_values(changed) not in tables:
                tables.add(_all_values(changed))
                changing.append((key, value))
    for (one, first), (other, second) in combinations(changing, 2):
        pair = {one: first, other: second}
        if one != other and (values := _all_values(rules.with_options(pair))) not in tables:
            tables.add(values)
            yield pair


def _hand_tables(rules: Ruleset) -> str:
    play = rules.data()["play"]
    return json.dumps([play[name] for name in HAND_TABLES], sort_keys=True, default=str)


def _all_values(rules: Ruleset) -> tuple[object, ...]:
    ways = product(By, (True, False), (RiichiKind.NONE, RiichiKind.RIICHI), rules.setup.rounds)
    tables = (possible_values(rules, Circumstances(by, closed, kind, round=name)) for by, closed, kind, name in ways)
    return tuple(tuple(sorted((key, least.han) for key, least in table.items())) for table in tables)


def compare_with_table(name: str, options: Options) -> list[str]:
    """Score every shape under a ruleset and print a summary; return the differences from its table."""
    rules = loader.load(name).with_options(options)
    label = " ".join((name, *(f"{key}={value}" for key, value in options.items())))
    seen = scored(rules)
    found = [f"{label}: {each}" for each in differences(rules, seen)]
    if not options:
        found += [f"{label}: {each}" for each in yakuman_differences(rules, _without_kansaki(rules))]
    values = sum(map(len, seen.values.values()))
    print(
        f"{label}: {seen.shapes:,} shapes, {seen.hands:,} hands with their waits; {values:,} values seen, "
        f"{count_refused(rules, seen):,} refused values compared, {len(found)} differences",
        flush=True,
    )
    return found


def main(names: Sequence[str]) -> int:
    """Compare these books, or all, with their house options; return 1 if there is a difference."""
    books = [loader.load(name) for name in names or loader.names()]
    jobs = [(book.name, options) for book in books for options in variants(book)]
    with ProcessPoolExecutor(AT_ONCE, multiprocessing.get_context("fork")) as pool:
        found = [each for differing in pool.map(compare_with_table, *zip(*jobs, strict=True)) for each in differing]
    if found:
        print("\n".join(found), file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
