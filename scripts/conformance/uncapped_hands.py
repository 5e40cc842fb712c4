"""Prove the possible han of hands that no limit caps: build hands from tiles, and score them with the engine.

`scoring.hand.uncapped` adds han up part by part. Here two things are compared for each set of circumstances: each
possible number of han belongs to a hand, made of the tiles of a shape that should have it; and of random hands, half
of them of one suit with honours, none has a number that is not possible.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from scoring.hand import Hand, HandValue, Meld, MeldKind, RiichiKind, Robbed, Situation, score
from scoring.hand.book import wall_of
from scoring.hand.forms import PossibleSet, Shape
from scoring.hand.possible import Circumstances
from scoring.hand.richest import Rich, added
from scoring.hand.tiles import FIVES, GOLD, HONOURS, KIND, OUTSIDE, RED, SUITS, Kind, Tile
from scoring.hand.uncapped import possible_han, uncapped_hands
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.end import RoundName
from scoring.value import By

RANDOM_HANDS = 30_000
_MARKED_SUITS = 3
SETS = 4
_TRIPLET = 3

Seen = dict[tuple[Circumstances, int, bool], dict[int, Hand]]
"""A hand for each number of han, by circumstances, fu, and closed or opened."""


class Block(NamedTuple):
    """A run or a triplet of a kind, called or not."""

    kind: Kind
    is_run: bool
    how: MeldKind | None = None

    @property
    def tiles(self) -> tuple[Kind, ...]:
        """The tiles; four of a kan."""
        if self.is_run:
            return (self.kind, self.kind + 1, self.kind + 2)
        return (self.kind,) * (_TRIPLET + (self.how in (MeldKind.MINKAN, MeldKind.ANKAN)))


def uncapped_differences(rules: Ruleset, random_hands: int = RANDOM_HANDS) -> Iterator[str]:
    """Yield every difference between the possible han of hands in the last round and what hands have."""
    name = rules.setup.rounds[-1]
    scorer = Scorer(rules, name)
    every = [Circumstances(by, None, kind, round=name) for by, kind in product(By, scorer.riichi)]
    for hand in hands_at_random(rules, random_hands):
        scorer.add(hand)
    for won, closed in product(every, (True, False)):
        if closed or won.riichi is RiichiKind.NONE:
            yield from _unattained(rules, won, scorer, closed=closed)
    for (won, fu, closed), hands in scorer.seen.items():
        possible = possible_han(rules, won).get((fu, closed), ())
        for han in sorted(set(hands) - {*possible}):
            yield f"{_named(won, closed=closed)}: {han} han {fu} fu is not possible; a hand: {hands[han]}"


def _unattained(rules: Ruleset, won: Circumstances, scorer: Scorer, *, closed: bool) -> Iterator[str]:
    """Yield the possible values that are not found among the hands made of the tiles that should have them."""
    made = list(uncapped_hands(rules, won, closed=closed))
    for (fu, is_closed), hans in possible_han(rules, won).items():
        seen = scorer.seen.setdefault((won, fu, is_closed), {})
        for han in hans if is_closed is closed else ():
            fitting = (
                (shape, rich)
                for each, shape, found, more in made
                for rich in found.examples
                if each == fu and added(rich.hans, more) >> han & 1
            )
            for hand in (hand for each in fitting for hand in hands_of(*each, rules)):
                if han in seen:
                    break
                scorer.add(hand)
            if han not in seen:
                yield f"{_named(won, closed=closed)}: {han} han {fu} fu is possible; no hand was found"


def _named(won: Circumstances, *, closed: bool) -> str:
    return f"{won.by.value}, {'closed' if closed else 'opened'}, riichi {won.riichi.value}"


class Scorer:
    """Scores hands in every way of winning the last hand, and keeps one for each value."""

    def __init__(self, rules: Ruleset, name: RoundName) -> None:
        self.rules, self.name, self.seen = rules, name, Seen()
        play = rules.hand_rules
        is_open = {RiichiKind.OPEN, RiichiKind.DOUBLE_OPEN}
        self.riichi = tuple(each for each in RiichiKind if play.riichi.open is not None or each not in is_open)

    def add(self, hand: Hand) -> None:
        """Keep the values of a hand."""
        for won, fu, han in self._values(hand, self.riichi):
            self.seen.setdefault((won, fu, hand.closed), {}).setdefault(han, hand)

    def _values(self, hand: Hand, kinds: Sequence[RiichiKind]) -> Iterator[tuple[Circumstances, int, int]]:
        for wind, kind in product(self.rules.setup.seat_winds, kinds if hand.closed else (RiichiKind.NONE,)):
            for situation in self._ways(hand, wind, kind):
                value = score(hand, situation, self.rules)
                if isinstance(value, HandValue) and (value.fu or value.han):
                    by = By.RON if value.as_ron else situation.by
                    fixed = self.rules.hand_rules.fu.fixed
                    yield Circumstances(by, None, kind, round=self.name), 0 if fixed else value.fu, value.han

    def _ways(self, hand: Hand, wind: Wind, kind: RiichiKind) -> Iterator[Situation]:
        plain = Situation(By.RON, wind, self.name, kind, last_hand=True)
        drawn = replace(plain, by=By.TSUMO)
        is_declared = kind is not RiichiKind.NONE
        yield from (plain, drawn, replace(drawn, haitei=True, ippatsu=is_declared))
        yield from (replace(drawn, haitei=each, ippatsu=each and is_declared, unshown=True) for each in (False, True))
        yield replace(plain, houtei=True, ippatsu=is_declared)
        if Counter(KIND[tile] for tile in (*hand.concealed, hand.win))[KIND[hand.win]] == 1:
            yield replace(plain, robbed=Robbed.ADDED_KAN, ippatsu=is_declared)
        if hand.kans:
            yield replace(drawn, rinshan=True)


def hands_of(shape: Shape | None, rich: Rich, rules: Ruleset) -> Iterator[Hand]:
    """Yield the hands of a shape out of these tiles, waiting on each of their tiles."""
    tiles = rich.tiles
    if shape is None:
        pairs = _marked([kind for kind in tiles.pairs for _ in range(2)], rules, _MARKED_SUITS)
        yield from (_hand(pairs, win, ()) for win in dict.fromkeys(pairs))
        return
    suits = list(zip(SUITS, tiles.suits, strict=True))
    blocks = [_run(suit.start + rank) for suit, sets in suits for rank in sets.runs]
    blocks += [_triplet(suit.start + rank) for suit, sets in suits for rank in sets.triplets]
    blocks += map(_triplet, tiles.honours)
    paired = [tiles.pair, *(suit.start + sets.pair for suit, sets in suits if sets.pair is not None)]
    pair = next(kind for kind in paired if kind is not None)
    for melds in set(permutations(shape.melds)):
        if all(_fits(*each) for each in zip(blocks, melds, strict=True)):
            yield from hands_in([_laid(*each) for each in zip(blocks, melds, strict=True)], pair, rules)


def _run(kind: Kind) -> Block:
    return Block(kind, is_run=True)


def _triplet(kind: Kind) -> Block:
    return Block(kind, is_run=False)


def _fits(block: Block, meld: PossibleSet) -> bool:
    return block.is_run is meld.is_run and (block.is_run or meld.is_simple is (block.kind not in OUTSIDE))


def _laid(block: Block, meld: PossibleSet) -> Block:
    if meld.is_kan and not block.is_run:
        return block._replace(how=MeldKind.MINKAN if meld.is_open else MeldKind.ANKAN)
    called = MeldKind.CHI if meld.is_run else MeldKind.PON
    return block._replace(how=called) if meld.is_open else block


def hands_in(blocks: Sequence[Block], pair: Kind, rules: Ruleset) -> Iterator[Hand]:
    """Yield the hand of these sets and this pair with every wait, with many marked fives and with few; or none."""
    every = [kind for block in blocks for kind in block.tiles] + [pair, pair]
    wall = wall_of(rules)
    if any(count > sum(wall.get(tile, 0) for tile in _copies(kind)) for kind, count in Counter(every).items()):
        return
    for most in range(_MARKED_SUITS + 1):
        tiles = _marked(every, rules, most)
        melds: list[Meld] = []
        concealed: list[Tile] = []
        for block in blocks:
            laid, tiles = tiles[: len(block.tiles)], tiles[len(block.tiles) :]
            if block.how is None:
                concealed += laid
            else:
                melds.append(Meld(block.how, tuple(laid)))
        concealed += tiles
        for win in dict.fromkeys(concealed):
            yield _hand(concealed, win, tuple(melds))


def _marked(kinds: Sequence[Kind], rules: Ruleset, suits: int) -> list[Tile]:
    """Return tiles of these kinds: marked ones first for the first `suits` kinds of fives, plain ones otherwise."""
    left = Counter(wall_of(rules))
    fives = [kind for kind in dict.fromkeys(kinds) if len(_copies(kind)) > 1][:suits]
    found: list[Tile] = []
    for kind in kinds:
        copies = _copies(kind) if kind in fives else reversed(_copies(kind))
        tile = next(tile for tile in copies if left[tile])
        left[tile] -= 1
        found.append(tile)
    return found


@cache
def _copies(kind: Kind) -> tuple[Tile, ...]:
    """Return the tiles of a kind, gold and red ones first."""
    marked = (coloured[suit] for suit, five in FIVES.items() for coloured in (GOLD, RED) if five == kind)
    return (*marked, kind)


def _hand(tiles: Sequence[Tile], win: Tile, melds: tuple[Meld, ...]) -> Hand:
    rest = list(tiles)
    rest.remove(win)
    return Hand(tuple(rest), win, melds)


def hands_at_random(rules: Ruleset, number: int) -> Iterator[Hand]:
    """Yield hands from `number` random choices of sets and a pair: of one suit with honours and of all suits."""
    chance = random.Random(number)  # noqa: S311 - tiles, no secret
    for suits in (SUITS[1:2], SUITS):
        kinds = [*(kind for suit in suits for kind in suit), *HONOURS]
        every = [_run(kind) for suit in suits for kind in suit[:-2]] + [_triplet(kind) for kind in kinds]
        for _ in range(number // 2):
            blocks = chance.choices(every, k=SETS)
            melds = [PossibleSet(0, is_run=each.is_run, **chance.choice(_CALLS)) for each in blocks]
            laid = blocks if chance.random() < _CLOSED else [*map(_laid, blocks, melds)]
            hands = list(hands_in(laid, chance.choice(kinds), rules))
            if hands:
                yield chance.choice(hands)


_CLOSED = 0.3
_CALLS: tuple[dict[str, bool], ...] = ({}, {"is_open": True}, {"is_kan": True}, {"is_kan": True, "is_open": True})
