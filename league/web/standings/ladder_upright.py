"""Layout of the ladder for narrow screens: the last stage on top, one block below the other, lines in a gutter.

All coordinates are integers. Lines run left of the boxes only, so that none crosses a row.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from league.selectors.standings.ladder import Ladder, LadderBlock, LadderLink, LadderStage
from league.web.standings.ladder_svg import rounded

WIDTH = 358
"""Width of the drawing; more lanes than the gutter has room for make it wider."""
BOX = 280
"""Width of a box."""
HEAD = 36
ROW = 34
BETWEEN = 18
"""Distance between two boxes."""
EDGE = 2
LANE = 6
"""Distance between two lanes; down to `NARROWEST_LANE` if there are many."""
NARROWEST_LANE = 4
MARGIN = 12
"""Distance of the innermost lane from the boxes."""
ROOM = WIDTH - BOX - EDGE - MARGIN
"""Width of the gutter's lanes."""
CORNER = 5
BUNDLES: Sequence[Callable[[LadderLink], Hashable]] = (
    lambda link: link,
    lambda link: (link.from_block, link.to_block),
    lambda link: link.to_block,
)
"""Keys by which lines share a lane, from each line alone to all lines into one block."""


@dataclass(frozen=True, slots=True)
class UprightBox:
    """The box of a block, with its position; `awaits_draw` if lines to its stage end at the box's head."""

    block: LadderBlock
    y: int
    awaits_draw: bool

    @property
    def height(self) -> int:
        """Return the height of head and rows, plus a row if some entrants are left out."""
        return HEAD + ROW * (max(1, len(self.block.rows)) + bool(self.block.hidden))

    def row_y(self, row: int) -> int:
        """Return the y coordinate at which a row begins."""
        return self.y + HEAD + row * ROW

    def end_y(self, row: int | None) -> int:
        """Return the y coordinate at which a line meets a row, or the head for None."""
        return self.y + HEAD // 2 if row is None else self.row_y(row) + ROW // 2


@dataclass(frozen=True, slots=True)
class UprightLine:
    """A line from the row at `from_y` over its lane to the row at `to_y` above it; `x` is the edge of the boxes."""

    link: LadderLink
    x: int
    lane_x: int
    from_y: int
    to_y: int

    @property
    def path(self) -> str:
        """Return the SVG path: right angles with rounded corners."""
        ends = (self.x, self.from_y), (self.x, self.to_y)
        return rounded((ends[0], (self.lane_x, self.from_y), (self.lane_x, self.to_y), ends[1]), CORNER)


@dataclass(frozen=True, slots=True)
class UprightDrawing:
    """The layout, ready to be written as SVG; `x` is the left edge of all boxes."""

    width: int
    height: int
    x: int
    boxes: tuple[UprightBox, ...]
    lines: tuple[UprightLine, ...]


def draw_upright(ladder: Ladder) -> UprightDrawing:
    """Stack the boxes and give every line a lane."""
    boxes = _stacked(ladder.stages)
    by_key = {box.block.block.key: box for box in boxes}
    spans = [(link, *_span(link, by_key)) for link in ladder.links]
    lanes = _fitting_lanes(spans)
    most = max(lanes, default=0)
    lane_width = max(NARROWEST_LANE, min(LANE, ROOM // max(most, 1)))
    x = max(WIDTH - BOX, EDGE + lane_width * most + MARGIN)
    lines = tuple(
        UprightLine(link, x, x - MARGIN - lane_width * lane, from_y, to_y)
        for (link, from_y, to_y), lane in zip(spans, lanes, strict=True)
    )
    height = boxes[-1].y + boxes[-1].height + EDGE if boxes else EDGE
    return UprightDrawing(x + BOX, height, x, boxes, lines)


def _stacked(stages: Sequence[LadderStage]) -> tuple[UprightBox, ...]:
    boxes: list[UprightBox] = []
    y = EDGE
    for stage in reversed(stages):
        for place, block in enumerate(stage.blocks):
            boxes.append(UprightBox(block, y, bool(stage.pool) and place == 0))
            y += boxes[-1].height + BETWEEN
    return tuple(boxes)


def _span(link: LadderLink, boxes: dict[str, UprightBox]) -> tuple[int, int]:
    return boxes[link.from_block].end_y(link.from_row), boxes[link.to_block].end_y(link.to_row)


def _fitting_lanes(spans: Sequence[tuple[LadderLink, int, int]]) -> list[int]:
    """Return the lane of each line: its own, or where room is short one for all between two blocks or into one."""
    lanes: list[int] = []
    for bundle in BUNDLES:
        keys = [bundle(link) for link, _, _ in spans]
        bottoms: dict[Hashable, int] = {}
        tops: dict[Hashable, int] = {}
        for key, (_, from_y, to_y) in zip(keys, spans, strict=True):
            bottoms[key] = max(from_y, bottoms.get(key, from_y))
            tops[key] = min(to_y, tops.get(key, to_y))
        lane_of = dict(zip(bottoms, _lanes([(bottoms[key], tops[key]) for key in bottoms]), strict=True))
        lanes = [lane_of[key] for key in keys]
        if max(lanes, default=0) <= ROOM // NARROWEST_LANE:
            break
    return lanes


def _lanes(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the lane of each line, counted from the boxes: short lines first, and no two in a lane touch."""
    taken: list[list[tuple[int, int]]] = []
    lanes = [0] * len(spans)
    for number in sorted(range(len(spans)), key=lambda each: (spans[each][0] - spans[each][1], spans[each])):
        bottom, top = spans[number]
        free = (
            lane for lane, others in enumerate(taken) if all(bottom < above or top > below for below, above in others)
        )
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((bottom, top))
        lanes[number] = lane
    return lanes
