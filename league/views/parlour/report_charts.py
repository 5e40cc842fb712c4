"""Bar charts of a parlour's reports, laid out for the width of a phone and scaled up on larger screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.views.standings.progress_graph import GraphPoint

WIDTH = 358
HEIGHT = 150
LEFT = 8
TOP = 18
BOTTOM = 24
MOST_TITLES = 12
GAP = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, with the text that a pointer shows."""

    x: int
    y: int
    width: int
    height: int
    text: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """The layout of a bar chart in integer coordinates; `top` names the highest amount."""

    about: str
    bars: tuple[Bar, ...]
    titles: tuple[GraphPoint, ...]
    top: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    top_y: int = TOP
    base_y: int = HEIGHT - BOTTOM


def bar_chart(about: str, values: Sequence[tuple[str, int]], text: Callable[[int], str]) -> BarChart | None:
    """Lay out the amounts with their titles from left to right; None without any above zero."""
    highest = max((value for _title, value in values), default=0)
    if highest <= 0:
        return None
    room, high = (WIDTH - LEFT) // len(values), HEIGHT - TOP - BOTTOM
    gap = GAP if room > 2 * GAP else 0
    every = -(-len(values) // MOST_TITLES)
    bars = []
    for place, (title, value) in enumerate(values):
        height = max(value, 0) * high // highest
        bars.append(
            Bar(LEFT + place * room, HEIGHT - BOTTOM - height, max(room - gap, 1), height, f"{title} {text(value)}")
        )
    titles = [
        GraphPoint(bar.x + bar.width // 2, HEIGHT - 8, title)
        for place, (bar, (title, _value)) in enumerate(zip(bars, values, strict=True))
        if place % every == 0
    ]
    return BarChart(about, tuple(bars), tuple(titles), text(highest))
