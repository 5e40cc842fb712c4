"""SVG graph of the scores of a game over its hands, in integer coordinates; the page has the same data as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH = 464
HEIGHT = 260
LEFT = 50
RIGHT = 136
TOP = 14
BOTTOM = 34
MOST_GRID_LINES = 6
STEPS = (1, 2, 5)
BETWEEN_LABELS = 16


@dataclass(frozen=True, slots=True)
class GraphLabel:
    """A grid line, or the title of a hand below the graph: its position and text."""

    at: int
    text: str
    value: int = 0


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's scores: the points of the line, its end, and the position of the name beside it."""

    seat: int
    name: str
    points: str
    end_x: int
    end_y: int
    label_y: int


@dataclass(frozen=True, slots=True)
class ScoreGraph:
    """The layout of the graph of scores at the start and after each hand."""

    curves: tuple[Curve, ...]
    levels: tuple[GraphLabel, ...]
    hands: tuple[GraphLabel, ...]
    right: int = WIDTH - RIGHT
    left: int = LEFT
    width: int = WIDTH
    height: int = HEIGHT
    label_x: int = WIDTH - RIGHT + 10
    hands_y: int = HEIGHT - 10


def score_graph(names: Sequence[str], rows: Sequence[Sequence[int]], titles: Sequence[str]) -> ScoreGraph | None:
    """Lay out the graph: `rows` are the scores at the start and after each hand, `titles` the hands.

    Return None before the first hand is over.
    """
    if len(rows) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    levels = grid(min(map(min, rows)), max(map(max, rows)))
    low, high = levels[0], levels[-1]
    xs = [LEFT + place * (WIDTH - LEFT - RIGHT) // (len(rows) - 1) for place in range(len(rows))]

    def y(score: int) -> int:
        return TOP + (high - score) * (HEIGHT - TOP - BOTTOM) // (high - low)

    labels = spread_labels([y(score) for score in rows[-1]])
    curves = tuple(
        Curve(
            seat=seat,
            name=name,
            points=" ".join(f"{x},{y(row[seat])}" for x, row in zip(xs, rows, strict=True)),
            end_x=xs[-1],
            end_y=y(rows[-1][seat]),
            label_y=labels[seat],
        )
        for seat, name in enumerate(names)
    )
    named = readable(list(zip(xs[1:], titles, strict=True)), WIDTH - LEFT - RIGHT)
    return ScoreGraph(
        curves=curves,
        levels=tuple(GraphLabel(y(level), "", level) for level in levels),
        hands=tuple(GraphLabel(x, title) for x, title in named),
    )


def grid(low: int, high: int) -> list[int]:
    """Return round levels that enclose all scores: at least two, few enough to read."""
    step = next(
        size * 10**power
        for power in range(1, 12)
        for size in STEPS
        if (high - low) // (size * 10**power) < MOST_GRID_LINES
    )
    first, last = low // step, -(-high // step)
    return [step * level for level in range(first, max(last, first + 1) + 1)]


def spread_labels(ys: Sequence[int], bottom: int = HEIGHT - BOTTOM) -> list[int]:
    """Return label positions beside the ends of the lines, in their order and without overlap."""
    places = list(ys)
    order = sorted(range(len(ys)), key=lambda seat: (ys[seat], seat))
    for upper, lower in pairwise(order):
        places[lower] = max(places[lower], places[upper] + BETWEEN_LABELS)
    # Labels were pushed down; if the lowest is now below the graph, push the others back up from it.
    over = max(places) - bottom
    places[order[-1]] -= max(over, 0)
    for lower, upper in pairwise(reversed(order)):
        places[upper] = min(places[upper], places[lower] - BETWEEN_LABELS)
    return places


MOST_HANDS_NAMED = 6
WIDTH_OF_A_LETTER = 8
"""Estimated letter width; Japanese letters are wider, but their titles are shorter."""


def readable(hands: Sequence[tuple[int, str]], room: int) -> list[tuple[int, str]]:
    """Return the hands whose titles fit side by side, always including the last one."""
    longest = max((len(title) for _x, title in hands), default=0)
    side_by_side = max(1, room // (WIDTH_OF_A_LETTER * (longest + 1)))
    every = -(-len(hands) // min(MOST_HANDS_NAMED, side_by_side))
    return [each for place, each in enumerate(hands) if (len(hands) - 1 - place) % every == 0]
