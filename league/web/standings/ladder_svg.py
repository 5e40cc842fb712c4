"""Layout of the ladder as SVG: boxes of rows in columns from left to right, and connecting lines.

All coordinates are integers; the stylesheet decides the look. Stages that are equally far on the way, such as the two
sides of a double elimination, share a column. Columns of later stages are placed higher where lines pass over stages,
so that such a line finds its lane above the boxes; otherwise all are centred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from league.selectors.standings.ladder import Ladder, LadderBlock, LadderLink, LadderRow, LadderStage
from league.wording.formatting import text_width

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Measures:
    """Sizes of a drawing."""

    box: int
    """Width of a box."""
    gutter: int
    """Distance between two columns."""
    head: int
    row: int
    between: int
    """Distance between two boxes of a column."""
    lane: int
    """Distance between two lines that pass over a box."""
    turn: int
    """Distance between two lines that turn in the same gutter, if there is room."""
    corner: int
    top: int
    """Height reserved for the stage names."""
    edge: int
    lowest: int
    """Maximum distance of a short column from the top: the stages of a tall ladder stay in sight of each other."""


FULL = Measures(box=208, gutter=74, head=30, row=25, between=26, lane=11, turn=7, corner=5, top=34, edge=6, lowest=700)
MINI = Measures(box=44, gutter=32, head=3, row=6, between=12, lane=4, turn=3, corner=0, top=1, edge=1, lowest=210)
"""For a drawing without words: about 350 x 146 with five stages."""
NAME_UNITS = 17
"""Width of the name column in half-width letters."""


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """One row of a box, with its position."""

    row: LadderRow
    y: int
    is_last_before_border: bool
    height: int

    @property
    def text_y(self) -> int:
        """Return the baseline of the row's text."""
        return self.y + 17

    @property
    def bottom(self) -> int:
        """Return the y coordinate at which the next row begins."""
        return self.y + self.height

    @property
    def mid(self) -> int:
        """Return the y coordinate at which a line meets the row."""
        return self.y + self.height // 2


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """The box of a block, with its position."""

    block: LadderBlock
    x: int
    y: int
    width: int
    height: int
    """Height of head and rows."""
    rows: tuple[DrawnRow, ...]

    @property
    def right(self) -> int:
        """Return the x coordinate of the edge from which lines leave."""
        return self.x + self.width

    @property
    def title_y(self) -> int:
        """Return the baseline of the title."""
        return self.y + 20


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """Stages with their boxes; lines into a stage whose tables are not drawn yet end at a mark beside it."""

    stages: tuple[LadderStage, ...]
    x: int
    boxes: tuple[DrawnBox, ...]

    @property
    def titled(self) -> list[LadderStage]:
        """Return the stages whose titles stand above the column; the box of a single block has its stage's title."""
        return [stage for stage in self.stages if not stage.is_one_block]

    @property
    def pool(self) -> tuple[str, ...]:
        """Return the sources of the entrants to be drawn; a stage with a draw has a column of its own."""
        return self.stages[0].pool

    @property
    def middle(self) -> int:
        """Return the y coordinate of the middle of the boxes."""
        return (self.boxes[0].y + self.bottom) // 2

    @property
    def bottom(self) -> int:
        """Return the y coordinate of the lower edge of the last box."""
        return self.boxes[-1].y + self.boxes[-1].height


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line at right angles from a row, through the lanes over the stages between, to a row."""

    link: LadderLink
    points: tuple[Point, ...]
    corner: int

    @property
    def state(self) -> str:
        """Return the state of the slot at the line's end."""
        return self.link.state

    @property
    def path(self) -> str:
        """Return the SVG path."""
        return rounded(self.points, self.corner)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The ladder's layout, ready to be written as SVG."""

    width: int
    height: int
    columns: tuple[DrawnColumn, ...]
    lines: tuple[DrawnLine, ...]


def draw(ladder: Ladder, measures: Measures = FULL) -> Drawing:
    """Place the boxes and route the lines of a ladder."""
    groups = _groups(ladder)
    number_of = _numbers(groups)
    lanes = [_lanes_over(ladder, number_of, number) for number in range(len(groups))]
    heights = [
        _column_height(stages, measures) + count * measures.lane for stages, count in zip(groups, lanes, strict=True)
    ]
    tops = [_top_of(number, heights, lanes, measures) for number in range(len(groups))]
    columns: list[DrawnColumn] = []
    x = measures.edge
    for number, stages in enumerate(groups):
        column = _column(stages, x, tops[number], measures)
        if columns and _is_ambiguous(ladder.links, columns[-1], column):
            column = _column(stages, x, tops[number] + measures.row // 2, measures)
        columns.append(column)
        x += measures.box + _gutter(ladder, number_of, number, measures)
    width = (columns[-1].x if columns else measures.edge) + measures.box + measures.edge
    height = max((column.bottom for column in columns), default=measures.top) + measures.edge
    return Drawing(width, height, tuple(columns), tuple(_lines(ladder.links, columns, number_of, measures)))


Group = tuple[LadderStage, ...]
"""The stages of a column."""


def _groups(ladder: Ladder) -> list[Group]:
    """Return the stages of each column: by the most stages before them that lead there, in the order of play."""
    stage_of = {block.block.key: number for number, stage in enumerate(ladder.stages) for block in stage.blocks}
    far = [0] * len(ladder.stages)
    for number, stage in enumerate(ladder.stages):
        before = [far[stage_of[link.from_block]] for link in ladder.links if stage_of[link.to_block] == number]
        # A stage without lines is played when it is its turn, and a draw needs the space before its column.
        far[number] = max(before) + 1 if before and not stage.pool else max(far[:number], default=-1) + 1
    found: dict[int, Group] = {}
    for number, stage in enumerate(ladder.stages):
        found[far[number]] = (*found.get(far[number], ()), stage)
    return [found[each] for each in sorted(found)]


def _is_ambiguous(links: Sequence[LadderLink], left: DrawnColumn, right: DrawnColumn) -> bool:
    """Return whether a line would leave one column at the height at which another one reaches the next."""
    starts = {box.block.block.key: box.rows for box in left.boxes}
    ends = {box.block.block.key: box.rows for box in right.boxes}
    leaving, reached = set(), set()
    for link in links:
        start = starts[link.from_block][link.from_row].mid if link.from_block in starts else None
        end = ends[link.to_block][link.to_row or 0].mid if ends.get(link.to_block) else None
        if start != end:
            leaving.add(start)
            reached.add(end)
    return bool((leaving & reached) - {None})


def _gutter(ladder: Ladder, number_of: Mapping[str, int], number: int, measures: Measures) -> int:
    """Return the width of the gutter behind a column: wider if many lines turn there."""
    count = sum([number_of[link.from_block] <= number < number_of[link.to_block] for link in ladder.links])
    return max(measures.gutter, min(count * (measures.turn - 2), 2 * measures.gutter))


def box_height(block: LadderBlock, measures: Measures = FULL) -> int:
    """Return the height of head and rows, plus a row if some entrants are left out."""
    return measures.head + measures.row * (max(1, len(block.rows)) + bool(block.hidden))


def _column_height(stages: Group, measures: Measures) -> int:
    heights = [box_height(block, measures) for stage in stages for block in stage.blocks]
    return sum(heights) + measures.between * (len(heights) - 1)


def _lanes_over(ladder: Ladder, number_of: Mapping[str, int], number: int) -> int:
    """Return the number of lines that pass over a column."""
    return sum([number_of[link.from_block] < number < number_of[link.to_block] for link in ladder.links])


def _numbers(groups: Sequence[Group]) -> Mapping[str, int]:
    return {
        block.block.key: number for number, stages in enumerate(groups) for stage in stages for block in stage.blocks
    }


def _top_of(number: int, heights: Sequence[int], lanes: Sequence[int], measures: Measures) -> int:
    """Return the top of a column's boxes: centred, but with lines over stages the last is at the top."""
    free = max(heights) - heights[number]
    last = len(heights) - 1
    is_centred = number == 0 or last == 1 or not any(lanes)
    lower = free // 2 if is_centred else free * (last - number) // (last - 1)
    return measures.top + lanes[number] * measures.lane + min(lower, measures.lowest)


def _column(stages: Group, x: int, top: int, measures: Measures) -> DrawnColumn:
    boxes = []
    for block in (block for stage in stages for block in stage.blocks):
        borders, head = borders_of(block), top + measures.head
        rows = tuple(
            DrawnRow(row, head + place * measures.row, place in borders, measures.row)
            for place, row in enumerate(block.rows)
        )
        boxes.append(DrawnBox(block, x, top, measures.box, box_height(block, measures), rows))
        top += boxes[-1].height + measures.between
    return DrawnColumn(stages, x, tuple(boxes))


def borders_of(block: LadderBlock) -> frozenset[int]:
    """Return the indices of the rows below which a border is drawn."""
    lines = block.table.lines if block.has_ranks else ()
    return frozenset(place for place, line in enumerate(lines) if line.is_last_before_border)


def _lines(
    links: Sequence[LadderLink], columns: Sequence[DrawnColumn], number_of: Mapping[str, int], measures: Measures
) -> Iterator[DrawnLine]:
    """Yield the lines; those to later stages take the higher lanes, so that few lines cross."""
    boxes = {box.block.block.key: box for column in columns for box in column.boxes}
    ordered = sorted(links, key=lambda link: (-number_of[link.to_block], boxes[link.from_block].rows[link.from_row].y))
    lanes = {
        (number, link): y
        for number, column in enumerate(columns)
        for link, y in _lanes(
            column,
            [link for link in ordered if number_of[link.from_block] < number < number_of[link.to_block]],
            boxes,
            measures.lane,
        )
    }
    crossed: dict[int, list[tuple[LadderLink, int, int]]] = {}
    for link in ordered:
        end = boxes[link.to_block]
        y = boxes[link.from_block].rows[link.from_row].mid
        for number in range(number_of[link.from_block], number_of[link.to_block] - 1):
            crossed.setdefault(number, []).append((link, y, lanes[number + 1, link]))
            y = lanes[number + 1, link]
        last = number_of[link.to_block]
        to_y = columns[last].middle if link.to_row is None else end.rows[link.to_row].mid
        crossed.setdefault(last - 1, []).append((link, y, to_y))
    points: dict[LadderLink, list[Point]] = {link: [] for link in ordered}
    for number, legs in sorted(crossed.items()):
        left = columns[number].x + measures.box
        right = columns[number + 1].x
        for (link, y, to_y), x in zip(legs, _turns(legs, left, right - left, measures), strict=True):
            points[link] += [(left, y), (x, y), (x, to_y), (right, to_y)]
    for link in ordered:
        yield DrawnLine(link, tuple(points[link]), measures.corner)


def _turns(legs: Sequence[tuple[LadderLink, int, int]], left: int, gutter: int, measures: Measures) -> list[int]:
    """Return the x coordinate at which each line turns in a gutter: no two on top of each other, and few crossings.

    Of two that lead down the lower one turns first, and of two that lead up the upper one.
    """
    places = [0] * len(legs)
    rises = [to_y < y for _link, y, to_y in legs]
    spans = [(to_y, y) if up else (y, to_y) for up, (_link, y, to_y) in zip(rises, legs, strict=True)]
    order = [(up, y if up else -y) for up, (_link, y, _to_y) in zip(rises, legs, strict=True)]
    done: list[int] = []
    for each in sorted(range(len(legs)), key=order.__getitem__):
        low, high = spans[each]
        near = [other for other in done if spans[other][0] <= high and low <= spans[other][1]]
        taken = {places[other] for other in near}
        place = max((places[other] for other in near if rises[other] == rises[each]), default=-1) + 1
        while place in taken:
            place += 1
        places[each] = place
        done.append(each)
    count = max(places) + 1
    distance = min(measures.turn, max(1, (gutter - 2 * measures.corner) // (count + 1)))
    first = left + (gutter - distance * (count - 1)) // 2
    return [first + distance * place for place in places]


@lru_cache(maxsize=5_000)
def rounded(points: tuple[Point, ...], corner: int) -> str:
    """Return the SVG path along these points, each at a right angle or straight on, with rounded corners."""
    turns = [points[0]]
    for at in points[1:]:
        if len(turns) > 1 and (turns[-2][0] == turns[-1][0] == at[0] or turns[-2][1] == turns[-1][1] == at[1]):
            turns[-1] = at
        elif at != turns[-1]:
            turns.append(at)
    path = f"M{turns[0][0]} {turns[0][1]}"
    for before, at, after in zip(turns, turns[1:], turns[2:], strict=False):
        if corner:
            to_x, to_y = _towards(at, after, corner)
            path += f"{_straight(before, _towards(at, before, corner))}Q{at[0]} {at[1]} {to_x} {to_y}"
        else:
            path += _straight(before, at)
    return path + _straight(turns[-2], turns[-1])


def _straight(start: Point, end: Point) -> str:
    return f"H{end[0]}" if start[1] == end[1] else f"V{end[1]}"


def _towards(start: Point, end: Point, distance: int) -> Point:
    """Return the point this far on a straight line, at most its middle."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    # At right angles one of the two is 0.
    step = min(distance, abs(dx + dy) // 2)
    return start[0] + step * ((dx > 0) - (dx < 0)), start[1] + step * ((dy > 0) - (dy < 0))


def _lanes(
    column: DrawnColumn, passing: Sequence[LadderLink], boxes: Mapping[str, DrawnBox], distance: int
) -> Iterator[tuple[LadderLink, int]]:
    """Yield each passing line with its lane: as straight as the boxes and the lines below it allow.

    `_column_height` and `_lanes_over` have reserved enough room for all of them.
    """
    lowest = column.boxes[0].y - distance
    straight = {link: _height_at(column.x, boxes[link.from_block], boxes[link.to_block], link) for link in passing}
    for link in sorted(passing, key=lambda link: -straight[link]):
        lowest = min(straight[link], lowest)
        yield link, lowest
        lowest -= distance


def _height_at(x: int, start: DrawnBox, end: DrawnBox, link: LadderLink) -> int:
    """Return the y coordinate at which a straight line would pass."""
    from_y, to_y = start.rows[link.from_row].mid, end.rows[link.to_row or 0].mid
    return from_y + (to_y - from_y) * (x - start.right) // (end.x - start.right)


@lru_cache(maxsize=2_000)
def fitted(name: str, units: int = NAME_UNITS) -> str:
    """Shorten a name to the width of a row with an ellipsis; Japanese letters are two units wide."""
    if text_width(name) <= units:
        return name
    kept = [place for place in range(len(name)) if text_width(name[: place + 1]) < units]
    return name[: len(kept)].rstrip() + "…"
