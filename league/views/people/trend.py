"""SVG line of a player's running total in a block, hanchan by hanchan, with a sentence that says the same.

It begins with the points that come from no hanchan, so that it ends at the total of the standings. Coordinates are
integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _

from league.selectors.people.player_records import PlayerTotal
from league.views.live.score_graph import grid, readable
from league.wording.formatting import points_text
from league.wording.names import title_of

WIDTH = 440
HEIGHT = 170
LEFT = 52
RIGHT = 12
TOP = 12
BOTTOM = 26


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal grid line: its position and its total."""

    y: int
    value: int


@dataclass(frozen=True, slots=True)
class HanchanLabel:
    """The number of a hanchan below the line."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Trend:
    """The layout of the graph, at the ledger's scale; `text` describes it for screen readers."""

    points: str
    end_x: int
    end_y: int
    levels: tuple[GridLine, ...]
    titles: tuple[HanchanLabel, ...]
    text: str
    left: int = LEFT
    right: int = WIDTH - RIGHT
    width: int = WIDTH
    height: int = HEIGHT
    titles_y: int = HEIGHT - 8


def trends_of(totals: Sequence[PlayerTotal], scale: int) -> list[Trend]:
    """Return a line for each block in which the player has two hanchan or more."""
    return [trend_of(title_of(each.standing.block), each, scale) for each in totals if len(each.gains) > 1]


def trend_of(block: str, total: PlayerTotal, scale: int) -> Trend:
    """Return the total after each hanchan of the block."""
    totals = list(accumulate(total.gains, initial=total.outside))
    levels = grid(min(totals), max(totals))
    low, high = levels[0], levels[-1]
    xs = [LEFT + place * (WIDTH - LEFT - RIGHT) // (len(totals) - 1) for place in range(len(totals))]
    ys = [TOP + (high - total) * (HEIGHT - TOP - BOTTOM) // (high - low) for total in totals]
    named = readable([(x, str(place)) for place, x in enumerate(xs) if place], WIDTH - LEFT - RIGHT)
    return Trend(
        points=" ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True)),
        end_x=xs[-1],
        end_y=ys[-1],
        levels=tuple(
            GridLine(TOP + (high - level) * (HEIGHT - TOP - BOTTOM) // (high - low), level) for level in levels
        ),
        titles=tuple(HanchanLabel(x, text) for x, text in named),
        text=sentence(block, totals, scale),
    )


def sentence(block: str, totals: Sequence[int], scale: int) -> str:
    """Describe the line: its end, its highest and its lowest total."""
    highest, lowest = max(totals[1:]), min(totals[1:])
    return _(
        "%(block)s, running total over %(count)s hanchan: %(last)s at the end, at most %(most)s after hanchan "
        "%(at_most)s, at least %(least)s after hanchan %(at_least)s."
    ) % {
        "block": block,
        "count": len(totals) - 1,
        "last": points_text(totals[-1], scale),
        "most": points_text(highest, scale),
        "at_most": totals.index(highest, 1),
        "least": points_text(lowest, scale),
        "at_least": totals.index(lowest, 1),
    }
