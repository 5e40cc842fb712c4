"""Prove the limits and the numbers of yakuman that hands can have, by scoring hands with the engine.

Of each shape found by `possible_hands` the cheapest hand is scored again with more and more dora, and every limit that
it then has must be possible, and no other. The most yakuman in one hand are looked for among all hands of four
triplets, or four kans, of terminals, honours and green tiles: no other tiles belong to two yakuman that add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from scoring.hand import Hand, HandValue, Meld, MeldKind, Situation, score
from scoring.hand.book import book_of, wall_of
from scoring.hand.most import most_yakuman
from scoring.hand.possible import Circumstances
from scoring.hand.possible_limits import possible_limits, why_limit_impossible
from scoring.hand.tiles import KIND, KINDS, NAMED, NORTH, TILES, Tile
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import By

SETS = 4
ENOUGH_DORA = 16
"""With so many dora every hand has the han of the last limit."""
GREEN = ("2s", "3s", "4s", "6s", "8s")
OF_ONE_COLOUR = ("1m", "9m", "1p", "9p", "1s", "9s", *(f"{number}z" for number in range(1, 8)))


def limits_with_dora(hand: Hand, situation: Situation, rules: Ruleset) -> Iterator[LimitName]:
    """Yield the limits that a hand has with no dora, one, and so on; without more where dora bring no han."""
    for number in range(ENOUGH_DORA + 1):
        indicators = _indicators(hand, number, rules)
        if indicators is None:
            continue
        value = score(hand, replace(situation, dora_indicators=indicators), rules)
        if isinstance(value, HandValue) and value.limit is not None:
            yield value.limit


def _indicators(hand: Hand, number: int, rules: Ruleset) -> tuple[Tile, ...] | None:
    """Return indicators that make this number of dora in the hand; None if greedy choice finds none."""
    book, used = book_of(rules), Counter(_kinds(hand))
    there, wall = Counter(used), wall_of(rules)
    found: list[Tile] = []
    while number:
        choices = [
            (there[dora], indicator)
            for indicator, dora in book.dora.successor.items()
            if 0 < there[dora] <= number and used[indicator] < min(wall.get(indicator, 0), SETS)
        ]
        if not choices or len(found) == book.most_indicators:
            return None
        count, indicator = max(choices)
        found.append(indicator)
        used[indicator] += 1
        number -= count
    return tuple(found)


def _kinds(hand: Hand) -> Iterator[Tile]:
    yield from (
        KIND[tile] for tile in (*hand.concealed, hand.win, *(tile for meld in hand.melds for tile in meld.tiles))
    )


def limit_differences(
    rules: Ruleset, found: Mapping[Circumstances, set[LimitName]]
) -> Iterator[tuple[Circumstances, str]]:
    """Yield the circumstances in which a limit is possible but no hand has it, or the other way round."""
    for won, seen in found.items():
        possible = set(possible_limits(rules, won))
        for limit in (each.name for each in rules.hand_rules.value.limits):
            is_refused = why_limit_impossible(rules, won, limit) is not None
            if (limit in seen) is is_refused or (limit in possible) is is_refused:
                yield won, f"{limit} is {'refused' if is_refused else 'possible'}; seen: {limit in seen}"


def yakuman_seen(rules: Ruleset, *, closed: bool, names: Iterable[str] = (*OF_ONE_COLOUR, *GREEN)) -> set[int]:
    """Return the numbers of yakuman of all hands of four triplets or kans of these tiles, closed or opened."""
    most = book_of(rules).most_copies
    kinds = [NAMED[name] for name in names if most[NAMED[name]] >= SETS]
    return {
        count
        for sets in combinations(kinds, SETS)
        for pair in kinds
        if pair not in sets
        for hand in _hands(sets, pair, rules, closed=closed)
        for count in _yakuman_of(hand, rules)
    }


def _hands(sets: tuple[Tile, ...], pair: Tile, rules: Ruleset, *, closed: bool) -> Iterator[Hand]:
    """Yield the hand of these triplets and of these kans, with and without four Norths set aside."""
    wall = wall_of(rules)
    how = MeldKind.ANKAN if closed else MeldKind.MINKAN
    kans = tuple(Meld(how, _copies(tile, wall)) for tile in sets)
    if closed:
        yield Hand((pair, *sets * 3), pair)
    else:
        yield Hand((pair,), pair, tuple(Meld(MeldKind.PON, (tile,) * 3) for tile in sets))
    yield Hand((pair,), pair, kans)
    norths = rules.hand_rules.yaku.get(YakuName.FOUR_NORTHS)
    if norths is not None and norths.played and NORTH not in (*sets, pair):
        yield Hand((pair,), pair, kans, (NORTH,) * SETS)


def _copies(kind: Tile, wall: Mapping[Tile, int]) -> tuple[Tile, ...]:
    """Return four tiles of a kind, the plain ones first."""
    marked = (tile for tile in range(KINDS, TILES) if KIND[tile] == kind and wall.get(tile))
    return ((kind,) * wall.get(kind, 0) + tuple(marked))[:4]


def _yakuman_of(hand: Hand, rules: Ruleset) -> Iterator[int]:
    for first_turn in (False,) if hand.melds else (False, True):
        value = score(hand, Situation(By.TSUMO, Wind.EAST, first_turn=first_turn), rules)
        if isinstance(value, HandValue):
            yield sum(line.worth for line in value.yaku if line.counts is Counts.YAKUMAN)


def yakuman_differences(rules: Ruleset, scoring_rules: Ruleset) -> Iterator[str]:
    """Yield a difference between the most yakuman of a hand and what hands have, scored under the second rules."""
    for closed in (True, False):
        most, seen = most_yakuman(rules.hand_rules, closed=closed), max(yakuman_seen(scoring_rules, closed=closed))
        if seen != most:
            yield f"{'closed' if closed else 'opened'}: at most {most} yakuman; a hand has {seen}"
