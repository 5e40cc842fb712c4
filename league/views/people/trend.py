"""SVG lines of running totals in a block, hanchan by hanchan: a player's own, and faintly those of all others.

A line begins with the points that come from no hanchan, so that it ends at the total of the standings; a sentence says
the same. Coordinates are integers, drawn for the width of a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _

from league.models import Block
from league.selectors.people.player_records import PlayerTotal
from league.views.live.score_graph import grid, readable, spread_labels
from league.views.standings.progress_graph import GridLine
from league.web.standings.ladder_svg import fitted
from league.wording.formatting import points_text
from league.wording.names import title_of

WIDTH = 358
HEIGHT = 206
LEFT = 44
RIGHT = 12
NAMES = 84
"""Width of the names at the ends of the lines."""
NAME_UNITS = 12
"""Width of a name in half-width letters."""
TOP = 12
BOTTOM = 26
MOST_NAMES = 10
"""With more lines than these only the player's own and the leader's have names."""
DASHES = 4


@dataclass(frozen=True, slots=True)
class HanchanLabel:
    """The number of a hanchan below the line."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class OtherLine:
    """Another player's line: one of four dashes, and a name at its end, which may be empty."""

    points: str
    dash: int
    name: str = ""
    label_y: int = 0


@dataclass(frozen=True, slots=True)
class Trend:
    """The layout of the graph, at the ledger's scale; `text` describes it for screen readers."""

    block: Block
    points: str
    end_x: int
    end_y: int
    levels: tuple[GridLine, ...]
    titles: tuple[HanchanLabel, ...]
    text: str
    others: tuple[OtherLine, ...]
    name: str
    """The player's name at the line's end; empty for a line alone."""
    label_y: int
    right: int
    left: int = LEFT
    width: int = WIDTH
    height: int = HEIGHT
    titles_y: int = HEIGHT - 8


@dataclass(frozen=True, slots=True)
class BlockLines:
    """All lines of a block in the order of its table, the player's own among them."""

    own: int
    """Index of the player's own line."""
    names: Sequence[str]
    totals: Sequence[Sequence[int]]
    """The running totals of each line, from the state before the first hanchan on."""


def trends_of(
    totals: Sequence[PlayerTotal], scale: int, company: Mapping[int, BlockLines] | None = None
) -> list[Trend]:
    """Return a graph for each block in which the player has two hanchan or more; `company` by block id."""
    others = company or {}
    return [trend_of(each, scale, others.get(each.standing.block_id)) for each in totals if len(each.gains) > 1]


def trend_of(total: PlayerTotal, scale: int, company: BlockLines | None = None) -> Trend:
    """Return the total after each hanchan of the block, among the others of the block if they are given."""
    totals = tuple(accumulate(total.gains, initial=total.outside))
    lines = [*company.totals] if company else [totals]
    own = company.own if company else 0
    lines[own] = totals
    levels = grid(min(map(min, lines)), max(map(max, lines)))
    low, high = levels[0], levels[-1]
    right, last = WIDTH - (NAMES if company else RIGHT), max(map(len, lines)) - 1

    def x(place: int) -> int:
        return LEFT + place * (right - LEFT) // last

    def y(value: int) -> int:
        return TOP + (high - value) * (HEIGHT - TOP - BOTTOM) // (high - low)

    drawn = [" ".join(f"{x(place)},{y(value)}" for place, value in enumerate(line)) for line in lines]
    named = [place for place in range(len(lines)) if len(lines) <= MOST_NAMES or place in (0, own)]
    label_ys = dict(zip(named, spread_labels([y(lines[place][-1]) for place in named], HEIGHT - BOTTOM), strict=True))
    labels = {place: fitted(company.names[place], NAME_UNITS) for place in named} if company else {}
    return Trend(
        block=total.standing.block,
        points=drawn[own],
        end_x=x(len(totals) - 1),
        end_y=y(totals[-1]),
        levels=tuple(GridLine(y(level), level) for level in levels),
        titles=tuple(
            HanchanLabel(at, text) for at, text in readable([(x(n), str(n)) for n in range(1, last + 1)], right - LEFT)
        ),
        text=sentence(title_of(total.standing.block), totals, scale),
        others=tuple(
            OtherLine(points, place % DASHES, labels.get(place, ""), label_ys.get(place, 0))
            for place, points in enumerate(drawn)
            if place != own
        ),
        name=labels.get(own, ""),
        label_y=label_ys[own],
        right=right,
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
