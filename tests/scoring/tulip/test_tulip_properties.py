"""Properties of every tulip: step-by-step flips equal the whole wall, undo, totals, and zero-sum payments."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import kyoku
from scoring.hand import By, RiichiKind, Tile
from scoring.hand.tiles import BINGO, KIND, NAME, NAMED, NO_KIND, RED
from scoring.kyoku.outcomes import Outcome, Ron, Tsumo, Win
from scoring.ruleset.value import LimitName
from scoring.tulip import Tulip, Wall, Won, flip, open_tulip, over_wall, prizes_of, replay
from scoring.value import Worth
from tests.scoring.kyoku_tables import SUPERBINGO, at

FIVES = {"5p": "0p", "5s": "0s"}
MOST_STACKS = 20


def deck() -> list[Tile]:
    """Return all 112 tiles, with one marked five each of circles and bamboos."""
    kinds = [f"{number}{suit}" for suit in "ps" for number in range(1, 10)] + [f"{number}z" for number in range(1, 8)]
    tiles = [NAMED[kind] for kind in kinds for _ in range(8 if kind in ("7p", "7s") else 4)]
    for plain, marked in FIVES.items():
        tiles[tiles.index(NAMED[plain])] = NAMED[marked]
    return [*tiles, *BINGO, *BINGO]


def taken(tiles: list[Tile], count: int, most: int) -> list[Tile]:
    """Take the first tiles that a hand may hold: no bonus tiles, at most `most` of a kind."""
    found: list[Tile] = []
    for tile in list(tiles):
        if len(found) < count and tile not in BINGO and [KIND[each] for each in found].count(KIND[tile]) < most:
            tiles.remove(tile)
            found.append(tile)
    return found


@st.composite
def walls(draw: st.DrawFn) -> tuple[Won, Wall]:
    """Draw a win, with or without riichi, and a wall of the remaining tiles."""
    random = Random(draw(st.integers(0, 2**32)))
    tiles = deck()
    random.shuffle(tiles)
    if draw(st.booleans()):
        tiles.sort(key=lambda tile: KIND[tile] not in (NAMED["7p"], NAMED["7s"], NAMED["6p"], NAMED["8p"]))
    hand = taken(tiles, 14, 4)
    random.shuffle(tiles)
    bonus = [tile for tile in tiles if tile in BINGO][: draw(st.integers(0, 4))]
    for tile in bonus:
        tiles.remove(tile)
    riichi = draw(st.sampled_from(RiichiKind))
    limit = draw(st.sampled_from([None, LimitName.MANGAN, LimitName.SANBAIMAN, LimitName.KAZOE, LimitName.YAKUMAN]))
    indicators = [tiles.pop() for _ in range(draw(st.integers(0, 3)))]
    won = Won(
        tuple(hand),
        draw(st.sampled_from(By)),
        riichi,
        ippatsu=riichi is not RiichiKind.NONE and draw(st.booleans()),
        limit=limit,
        nuki=tuple(bonus),
        dora_indicators=tuple(indicators),
        ura_indicators=tuple(tiles.pop() for _ in indicators) if riichi is not RiichiKind.NONE else (),
    )
    is_last_drawn = draw(st.booleans())
    count = draw(st.integers(0, MOST_STACKS))
    stacks: list[tuple[Tile | None, Tile | None]] = [(tiles.pop(), tiles.pop()) for _ in range(count)]
    if stacks and is_last_drawn:
        stacks[-1] = (None, stacks[-1][1])
    return won, tuple(stacks)


def log_of(tulip: Tulip) -> tuple[Tile, ...]:
    return tuple(step.tile for step in tulip.steps)


@given(walls())
def test_flipping_tile_by_tile_equals_flipping_the_whole_wall(drawn: tuple[Won, Wall]) -> None:
    won, wall = drawn
    whole = over_wall(won, wall, SUPERBINGO)
    state, steps = open_tulip(whole.start.won, SUPERBINGO), []
    for tile in log_of(whole):
        flipped = flip(state, tile, SUPERBINGO)
        state = flipped.state
        steps.append(flipped.step)
    assert state == whole.state
    assert tuple(steps) == whole.steps
    assert replay(whole.start.won, log_of(whole), SUPERBINGO) == whole
    assert state.end is not None


@given(walls())
def test_undoing_and_repeating_a_flip_changes_nothing(drawn: tuple[Won, Wall]) -> None:
    whole = over_wall(*drawn, SUPERBINGO)
    log, won = log_of(whole), whole.start.won
    for count in range(len(log)):
        shorter = replay(won, log[:count], SUPERBINGO)
        assert shorter.turns == whole.turns[:count]
        assert shorter.state.awaits == whole.steps[count].place
        again = flip(shorter.state, log[count], SUPERBINGO)
        assert (again.state, again.step) == (whole.turns[count].after, whole.steps[count])


@given(walls())
def test_the_total_equals_that_of_an_independent_implementation(drawn: tuple[Won, Wall]) -> None:
    won, wall = drawn
    whole = over_wall(won, wall, SUPERBINGO)
    assert (whole.total, whole.state.hits) == by_hand(won, wall)
    assert whole.total == sum(line.chips for line in whole.lines)


@given(walls())
def test_an_additional_guarantee_never_lowers_the_chips(drawn: tuple[Won, Wall]) -> None:
    won, wall = drawn
    with_one = replace(won, limit=won.limit or LimitName.SANBAIMAN)
    assert over_wall(with_one, wall, SUPERBINGO).total >= over_wall(won, wall, SUPERBINGO).total


@pytest.mark.clause("superbingo", "SB-211", "SB-212")
@given(walls(), st.integers(0, 2), st.integers(1, 2))
def test_the_chips_paid_at_the_table_add_up_to_zero(drawn: tuple[Won, Wall], winner: int, away: int) -> None:
    won, wall = drawn
    tulip = over_wall(won, wall, SUPERBINGO)
    yakuman = int(won.limit is LimitName.YAKUMAN)
    win = Win(winner, Worth(5, yakuman=yakuman), prizes=prizes_of(tulip, SUPERBINGO))
    loser = (winner + away) % 3
    outcome: Outcome = Tsumo(win=win) if won.by is By.TSUMO else Ron(loser=loser, wins=(win,))
    changes = kyoku.apply(at("E1", 30000, 30000, 30000), outcome, SUPERBINGO).changes("chips")
    assert sum(changes) == 0
    assert changes[loser] == -tulip.total
    assert changes[winner] == tulip.total * (2 if won.by is By.TSUMO else 1)


# ─── independent implementation, written from the rule book ───

RINGS = ("123456789", "123456789", "1234", "567")


def ring_of(name: str) -> tuple[int, str]:
    """Return the index of a tile's ring of neighbours, and its number."""
    number, suit = name[0].replace("0", "5"), name[1]
    return ("ps".index(suit) if suit in "ps" else 2 + (number > "4"), number)


def is_near(name: str, other: str) -> bool:
    """Tell if two tiles are the same or neighbours in their ring."""
    (ring, number), (other_ring, other_number) = ring_of(name), ring_of(other)
    order = RINGS[ring]
    if ring != other_ring:
        return False
    return (order.index(number) - order.index(other_number)) % len(order) in (0, 1, len(order) - 1)


def as_seven(name: str) -> str:
    return {"1b": "7p", "2b": "7s"}.get(name, name)


def after(name: str) -> str:
    """Return the dora of an indicator; "" for a bonus tile, since it indicates none."""
    if name.endswith("b"):
        return ""
    ring, number = ring_of(name)
    order = RINGS[ring]
    return order[(order.index(number) + 1) % len(order)] + name[1]


def by_hand(won: Won, wall: Wall) -> tuple[int, int]:
    """Return total and matches, computed as the rule book describes."""
    hand = [NAME[tile] for tile in won.hand]
    plain = [name.replace("0", "5") for name in hand]
    base = won.ippatsu + sum(plain.count(after(NAME[tile])) for tile in won.ura_indicators)
    base += sum(name.startswith("0") for name in hand)
    is_yakuman = won.limit is LimitName.YAKUMAN
    base += (40 if won.by is By.RON else 20) * is_yakuman
    if won.riichi is RiichiKind.NONE and not is_yakuman:
        return base, 0
    mode = (plain.count("7p") >= 3) + (plain.count("7s") >= 3)
    dear = won.limit in (LimitName.SANBAIMAN, LimitName.KAZOE, LimitName.YAKUMAN)
    guarantees = won.ippatsu + dear
    indicators = (NAME[tile] for tile in (*won.dora_indicators, *won.ura_indicators))
    held = [*hand, *(NAME[tile] for tile in won.nuki), *(name for name in indicators if name.endswith("b"))]
    stacks = [(NAME[upper], NAME[lower]) for upper, lower in wall if upper is not None and lower is not None]
    hits, completed = 0, not stacks
    for number, (upper, lower) in enumerate(stacks, start=1):
        matched = 0
        for tile in (upper, lower) if mode else (upper,):
            count = sum(is_near(as_seven(tile), as_seven(each)) for each in held)
            matched += count
            mode += count >= 6 and mode < 2
            rush = (tile == "7p" and "1b" in held) or (tile == "7s" and "2b" in held)
            if rush or (tile.endswith("b") and count):
                held.append(tile)
        hits += matched
        completed = number == len(stacks)
        if not matched and not completed:
            guarantees -= 1
            if guarantees < 0:
                break
    return (base + hits + 10 * completed) * (2 if mode == 2 else 1), hits


def test_the_deck_of_the_tests_has_112_tiles() -> None:
    assert len(deck()) == 112
    assert sum(KIND[tile] == NO_KIND for tile in deck()) == 4
    assert sum(tile in RED.values() for tile in deck()) == 2
