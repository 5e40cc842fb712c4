"""Helpers for hand tests: hands written in one line, and random hands."""

from random import Random
from typing import Any

from rulesets import loader
from scoring.hand import (
    By,
    Hand,
    HandValue,
    Meld,
    MeldKind,
    NoWin,
    RiichiKind,
    Situation,
    Tile,
    parse_tiles,
    score,
)
from scoring.ruleset import Ruleset, Wind

WINDS = {"E": Wind.EAST, "S": Wind.SOUTH, "W": Wind.WEST, "N": Wind.NORTH}
TILES = ("dora_indicators", "ura_indicators")


def book(name: str, **options: object) -> Ruleset:
    return loader.load(name).with_options(options)


def situation(by: str = "ron", seat: str = "S", **more: Any) -> Situation:
    for key in TILES:
        if key in more:
            more[key] = parse_tiles(more[key])
    if isinstance(more.get("pocchi_as"), str):
        more["pocchi_as"] = parse_tiles(more["pocchi_as"])[0]
    if isinstance(more.get("riichi"), str):
        more["riichi"] = RiichiKind(more["riichi"])
    return Situation(by=By(by), seat_wind=WINDS[seat], **more)


def answer(
    rules: Ruleset, concealed: str, win: str, by: str = "ron", seat: str = "S", melds: tuple[str, ...] = (), **more: Any
) -> HandValue | NoWin:
    """Score a hand given in notation."""
    return score(Hand.parse(concealed, win, melds), situation(by, seat, **more), rules)


def value(rules: Ruleset, concealed: str, win: str, *args: Any, **more: Any) -> HandValue:
    """Score a hand and assert that it is a win."""
    found = answer(rules, concealed, win, *args, **more)
    assert isinstance(found, HandValue), found
    return found


def no_win(rules: Ruleset, concealed: str, win: str, *args: Any, **more: Any) -> NoWin:
    """Score a hand and assert that it is no win."""
    found = answer(rules, concealed, win, *args, **more)
    assert isinstance(found, NoWin), found
    return found


def yaku(value: HandValue) -> dict[str, int]:
    return {line.name.value: line.worth for line in value.yaku}


def paid(value: HandValue, ledger: str = "table") -> dict[str, int]:
    """Return the payments by seat, or by role where no seat is named."""
    found: dict[str, int] = {}
    for each in value.payments:
        if each.ledger == ledger:
            key = each.role.value if each.payer is None else each.payer.value
            found[key] = found.get(key, 0) + each.amount
    return found


SUITS = [list(range(9 * suit, 9 * suit + 9)) for suit in range(3)]
HONOURS = list(range(27, 34))


def random_hand(random: Random, *, suits: int = 3, honours: bool = True) -> Hand:
    """Return a random complete hand (four sets and a pair, or seven pairs) with random melds and red fives."""
    chosen = random.sample(SUITS, random.randint(1, suits))
    kinds = [kind for suit in chosen for kind in suit] + (HONOURS if honours and random.random() < 0.6 else [])
    while True:
        hand = _seven_pairs(random, kinds) if random.random() < 0.1 and len(kinds) >= 7 else _four_sets(random, kinds)
        if hand is not None:
            return hand


def _seven_pairs(random: Random, kinds: list[int]) -> Hand:
    tiles = [kind for kind in random.sample(kinds, 7) for _ in range(2)]
    random.shuffle(tiles)
    return _with_red(tiles[:-1], tiles[-1], [])


def _four_sets(random: Random, kinds: list[int]) -> Hand | None:
    sets = [_set(random, kinds) for _ in range(4)]
    pair = random.choice(kinds)
    every = [tile for each in sets for tile in each] + [pair, pair]
    if any(every.count(kind) > 4 for kind in every):
        return None
    called: list[Meld] = []
    concealed: list[int] = [pair, pair]
    for each in sets:
        if random.random() < 0.25:
            called.append(_meld(random, each, every))
        else:
            concealed += each
    if any(_count(kind, concealed, called) > 4 for kind in every):
        return None
    random.shuffle(concealed)
    return _with_red(concealed[:-1], concealed[-1], called)


def _set(random: Random, kinds: list[int]) -> list[int]:
    kind = random.choice(kinds)
    if kind < 27 and kind % 9 < 7 and random.random() < 0.65:
        return [kind, kind + 1, kind + 2]
    return [kind] * 3


def _meld(random: Random, tiles: list[int], every: list[int]) -> Meld:
    if tiles[0] != tiles[1]:
        return Meld(MeldKind.CHI, tuple(tiles))
    if every.count(tiles[0]) == 3 and random.random() < 0.5:
        return Meld(random.choice([MeldKind.MINKAN, MeldKind.KAKAN, MeldKind.ANKAN]), (*tiles, tiles[0]))
    return Meld(MeldKind.PON, tuple(tiles))


def _count(kind: int, concealed: list[int], called: list[Meld]) -> int:
    return concealed.count(kind) + sum(meld.tiles.count(kind) for meld in called)


def _with_red(concealed: list[int], win: int, melds: list[Meld]) -> Hand:
    """Return the hand with the first five of each suit red."""
    places = [list(concealed), *(list(meld.tiles) for meld in melds)]
    for five, red in ((4, 34), (13, 35), (22, 36)):
        place = next((place for place in places if five in place), None)
        if place is not None:
            place[place.index(five)] = red
    first, *rest = places
    return Hand(tuple(first), win, tuple(Meld(meld.kind, tuple(each)) for meld, each in zip(melds, rest, strict=True)))


def is_closed(hand: Hand) -> bool:
    return all(meld.kind is MeldKind.ANKAN for meld in hand.melds)


def kinds_held(hand: Hand) -> list[Tile]:
    """Return every tile by kind, including the winning tile and the melds."""
    from scoring.hand.tiles import KIND

    tiles = (*hand.concealed, hand.win, *(tile for meld in hand.melds for tile in meld.tiles))
    return [KIND[tile] for tile in tiles]


def random_situation(random: Random, hand: Hand, players: int = 4) -> Situation:
    """Return a random situation that is consistent with the hand."""
    closed, held = is_closed(hand), kinds_held(hand)
    riichi = random.choice(list(RiichiKind)[:3]) if closed else RiichiKind.NONE
    by = random.choice(list(By))
    indicators = [kind for kind in range(34) if held.count(kind) < 4]
    return Situation(
        by=by,
        seat_wind=list(Wind)[random.randrange(players)],
        riichi=riichi,
        ippatsu=riichi is not RiichiKind.NONE and random.random() < 0.2,
        haitei=by is By.TSUMO and random.random() < 0.05,
        houtei=by is By.RON and random.random() < 0.05,
        dora_indicators=(random.choice(indicators),),
        ura_indicators=(),
        honba=random.randrange(4),
    )
