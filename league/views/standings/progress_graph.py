"""SVG graph of a block hanchan by hanchan: each line has its own colour, dash and marker, and a name at its end.

It is drawn for the width of a phone and scaled up on larger screens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.views.live.score_graph import grid, readable, spread_labels
from league.web.standings.ladder_svg import fitted

WIDTH = 358
HEIGHT = 230
LEFT = 44
RIGHT = 100
TOP = 12
BOTTOM = 30
LABEL_UNITS = 12
MOST_CURVES = 8
"""Maximum number of lines: as many as there are markers and colours."""
SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-4 -4h8v8h-8z",
    "M0 -5l5 9h-10z",
    "M0 -5.5l5 5.5l-5 5.5l-5 -5.5z",
    "M0 5l5 -9h-10z",
    "M-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    "M0 -5.5l5 3.6l-1.9 6.4h-6.2l-1.9 -6.4z",
    "M-5 -2.5h10v5h-10z",
)


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal grid line: its position and its amount."""

    y: int
    value: int


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """A point of a curve, or a title below the graph."""

    x: int
    y: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's line."""

    number: int
    name: str
    shape: str
    points: str
    marks: tuple[GraphPoint, ...]
    label_y: int


@dataclass(frozen=True, slots=True)
class ProgressGraph:
    """The layout of a graph in integer coordinates."""

    curves: tuple[Curve, ...]
    levels: tuple[GridLine, ...]
    titles: tuple[GraphPoint, ...]
    left: int = LEFT
    right: int = WIDTH - RIGHT
    width: int = WIDTH
    height: int = HEIGHT
    label_x: int = WIDTH - RIGHT + 9


def points_graph(names: Sequence[str], rows: Sequence[Sequence[int]], titles: Sequence[str]) -> ProgressGraph:
    """Lay out the graph of totals, the highest at the top; `rows` hold all totals at each title."""
    return _graph(names, rows, titles, grid(min(map(min, rows)), max(map(max, rows))))


def ranks_graph(names: Sequence[str], rows: Sequence[Sequence[int]], titles: Sequence[str]) -> ProgressGraph:
    """Lay out the graph of ranks, first place at the top."""
    last = max(2, *(max(row) for row in rows))
    return _graph(names, rows, titles, list(range(last, 0, -1)))


def _graph(
    names: Sequence[str], rows: Sequence[Sequence[int]], titles: Sequence[str], levels: Sequence[int]
) -> ProgressGraph:
    """Lay out a graph; `levels` are in order from bottom to top."""
    xs = [LEFT + 8 + place * (WIDTH - LEFT - RIGHT - 8) // max(len(rows) - 1, 1) for place in range(len(rows))]
    y = _scale(levels[0], levels[-1])
    labels = spread_labels([y(value) for value in rows[-1]], HEIGHT - BOTTOM)
    named = readable(list(zip(xs, titles, strict=True)), WIDTH - LEFT - RIGHT)
    return ProgressGraph(
        curves=tuple(
            _curve(
                number, name, [GraphPoint(x, y(row[number])) for x, row in zip(xs, rows, strict=True)], labels[number]
            )
            for number, name in enumerate(names)
        ),
        levels=tuple(GridLine(y(level), level) for level in levels),
        titles=tuple(GraphPoint(x, HEIGHT - 8, title) for x, title in named),
    )


def _scale(bottom: int, top: int) -> Callable[[int], int]:
    """Return a function from amounts to y coordinates."""
    room = HEIGHT - TOP - BOTTOM
    return lambda value: TOP + (top - value) * room // (top - bottom)


def _curve(number: int, name: str, marks: Sequence[GraphPoint], label_y: int) -> Curve:
    points = " ".join(f"{mark.x},{mark.y}" for mark in marks)
    return Curve(number, fitted(name, LABEL_UNITS), SHAPES[number], points, tuple(marks), label_y)
