"""Drawings of the ladder, as SVG built in Python: boxes of rows, and lines, with one player's path lit.

A template takes 0.13 ms for a row. Every text is escaped where it is inserted (`escape`); all other values are numbers,
states and paths. `ladder.js` reads `data-p` (the player), `data-in` (the blocks in which the player still plays),
`data-may` (the blocks from which a line is open) and `data-at` (a stop in words).
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.selectors.people.statuses import departure_word
from league.selectors.rulebooks.clauses import address
from league.selectors.standings.ladder_paths import Paths, Stop
from league.templatetags.jantaku import LeagueContext, PageValues, glyph, page_values, short_source
from league.web.standings.ladder_svg import FULL, MINI, NAME_UNITS, borders_of, fitted
from league.web.standings.ladder_upright import BOX, HEAD, ROW
from league.wording.formatting import outside_text, points_text, rank_text
from league.wording.marks import colour_of
from league.wording.messages import source_label
from league.wording.names import person_name, title_of
from scoring.lines import OUT

if TYPE_CHECKING:
    from league.models import Entrant, Player, Standing
    from league.selectors.standings.ladder import LadderBlock, LadderRow
    from league.selectors.standings.tables import BlockTable
    from league.web.standings.ladder_svg import Drawing, DrawnBox, DrawnColumn, DrawnLine
    from league.web.standings.ladder_upright import UprightBox, UprightDrawing, UprightLine

register = template.Library()
SOURCE_UNITS = 10
"""Width of a source that fits beside a name, in half-width letters; a longer one is shown by its block's key."""
DASHES = 4
"""Number of line styles of the blocks of a stage: solid, dashed, dotted, dash-dot."""
LIT = " lit"


class RowShape(NamedTuple):
    """Sizes of a box and its rows in pixels: the texts' baselines, and the widths of name and source in letters."""

    width: int
    height: int
    base: int
    name_units: int
    vacant_units: int
    head: int
    head_base: int
    rank_x: int = 22
    """Right edge of the rank."""

    def with_room_for(self, rank: str) -> RowShape:
        """Return the shape for ranks up to this one: two digits fit, each further one takes a letter of the name."""
        more = max(0, len(rank) - 2)
        return self._replace(rank_x=self.rank_x + 8 * more, name_units=self.name_units - 2 * more) if more else self


LYING = RowShape(FULL.box, FULL.row, 17, NAME_UNITS, 24, FULL.head, 20)
UPRIGHT = RowShape(BOX, ROW, 22, 24, 34, HEAD, 23)


@register.simple_tag(takes_context=True)
def ladder_columns(context: LeagueContext, drawing: Drawing) -> SafeString:
    """Return the columns of the ladder as SVG: titles of stages, the mark of a draw, and the boxes of blocks."""
    page = page_values(context)
    return SafeString("".join(_column(page, column) for column in drawing.columns))


def _column(page: PageValues, column: DrawnColumn) -> str:
    titles, draw = " · ".join([escape(title_of(stage.stage, page.language)) for stage in column.titled]), ""
    if column.pool:
        draw = (
            f'<g aria-hidden="true" transform="translate(0 {column.middle})"><rect class="drawmark" x="-24" y="-28"'
            f' width="20" height="56" rx="5"/><text class="drawtext" x="-14">{escape(_("draw"))}</text></g>'
        )
    title = f'<text class="stage" y="20">{titles}</text>' if titles else ""
    boxes = "".join([_lying_box(page, box) for box in column.boxes])
    return f'<g transform="translate({column.x})">\n{title}\n{draw}\n{boxes}\n</g>'


def _lying_box(page: PageValues, box: DrawnBox) -> str:
    block, at = box.block, f' transform="translate(0 {box.y})"'
    return (
        f'<g class="box{" done" if block.table.is_complete else ""}">\n'
        f'<rect class="paper" y="{box.y}" width="{box.width}" height="{box.height}"/>\n'
        f"{_head(page, block, LYING, _played(block.table), at)}\n"
        f"{_rows(page, block, LYING, [row.y for row in box.rows])}\n"
        f"{_hidden(block, LYING, box.y + box.height - 8)}\n</g>"
    )


@register.simple_tag(takes_context=True)
def upright_boxes(context: LeagueContext, drawing: UprightDrawing) -> SafeString:
    """Return the boxes of the upright ladder as SVG."""
    page = page_values(context)
    return SafeString("".join(_upright_box(page, box, drawing.x) for box in drawing.boxes))


def _upright_box(page: PageValues, box: UprightBox, x: int) -> str:
    block, height = box.block, box.height
    played = escape(_("draw")) if box.awaits_draw else _played(block.table)
    return (
        f'<g transform="translate({x} {box.y})">\n<rect class="paper" width="{BOX}" height="{height}"/>\n'
        f"{_head(page, block, UPRIGHT, played)}\n"
        f"{_rows(page, block, UPRIGHT, range(HEAD, HEAD + ROW * len(block.rows), ROW))}\n"
        f"{_hidden(block, UPRIGHT, height - 12)}\n</g>"
    )


def _played(table: BlockTable) -> str:
    return f"{table.played}/{table.planned}" if table.planned else ""


def _head(page: PageValues, block: LadderBlock, shape: RowShape, played: str, at: str = "") -> str:
    """Return the head of a box, with the name of its block and how much of it has been played."""
    width, height, base = shape.width, shape.head, shape.head_base
    path = escape(address("block", page.slug, block.block.key))
    right = f'<text class="played" x="{width - 10}" y="{base}">{played}</text>' if played else ""
    return (
        f'<a href="{path}"{at}><rect class="head" width="{width}" height="{height}"/>'
        f'<path class="top" d="M0 0h{width}"/><path class="under" d="M0 {height}h{width}"/>'
        f'<text class="title" x="10" y="{base}">{escape(title_of(block.block, page.language))}</text>{right}</a>'
    )


def _hidden(block: LadderBlock, shape: RowShape, y: int) -> str:
    """Return the number of rows that are left out; nothing without any."""
    if not block.hidden:
        return ""
    words = ngettext("%(count)s more", "%(count)s more", block.hidden) % {"count": block.hidden}
    return f'<text class="from" x="{shape.width - 10}" y="{y}">{escape(words)}</text>'


def _rows(page: PageValues, block: LadderBlock, shape: RowShape, ys: Iterable[int]) -> str:
    """Return the rows of a block at these heights, each linking to the player or, while vacant, the block."""
    has_ranks, borders = block.has_ranks, borders_of(block)
    ranks = [row.standing.shown_rank for row in block.rows if row.standing] if has_ranks else []
    shape = shape.with_room_for(max(ranks, key=len, default=""))
    title, path = escape(title_of(block.block, page.language)), escape(address("block", page.slug, block.block.key))
    ladder = escape(address("ladder", page.slug))
    hit = f'<rect class="hit" x="1" width="{shape.width - 2}" height="{shape.height}"/>'
    written = []
    for place, (row, y) in enumerate(zip(block.rows, ys, strict=True)):
        entrant, standing, link, stop = row.entrant, row.standing, f'<a class="row {row.state}" href="{path}"', title
        if has_ranks and entrant is not None and standing is not None:
            stop = f"{title} {rank_text(standing.rank, page.language)}"
            inside = _rank(page, standing, entrant, shape)
        else:
            inside = _slot(page, row, shape)
        data = ""
        if entrant is not None:
            link, data = _link(page, row.state, entrant.player, f"{ladder}?path=", stop)
        border = f'<path class="border" d="M1 {y + shape.height}h{shape.width - 2}"/>' if place in borders else ""
        written.append(f'{link} transform="translate(0 {y})"{data}>{hit}{inside}</a>{border}')
    return "\n".join(written)


def _link(page: PageValues, state: str, player: Player, ladder: str, stop: str) -> tuple[str, str]:
    """Return the beginning of a row's link to its player, and the data of the path if there are paths."""
    if page.paths is None:
        return f'<a class="row {state}" href="{escape(address("entrant", page.slug, player.key))}"', ""
    key, style = escape(player.key), f"row {state} c{colour_of(player)}"
    data = f'{_player_data(page.paths, player.key, key)} data-at="{stop}"'
    if player.key == page.lit:
        style, data = f"{style}{LIT}", f'{data} aria-current="true"'
    return f'<a class="{style}" href="{ladder}{key}"', data


def stop_text(stop: Stop) -> str:
    """Return a block's name and the player's rank in it, if it has begun."""
    title = title_of(stop.block.block)
    if stop.row.standing is None or not stop.block.has_ranks:
        return title
    return f"{title} {rank_text(stop.row.standing.rank)}"


@register.simple_tag(takes_context=True)
def path_text(context: LeagueContext, key: str) -> str:
    """Return the stops of a player's path in one line."""
    return " → ".join(stop_text(stop) for stop in context["paths"].stops.get(key, ()))


@register.simple_tag(takes_context=True)
def ladder_lines(context: LeagueContext, lines: Iterable[DrawnLine | UprightLine]) -> SafeString:
    """Return the lines of a drawing as SVG, the lit ones last, so that they lie on top."""
    paths = context.get("paths")
    lit = context.get("lit") or ""
    drawn = sorted((_ladder_line(line, paths, lit) for line in lines), key=lambda line: LIT in line)
    chosen = paths.entrants.get(lit) if paths is not None else None
    colour = f" c{colour_of(chosen.player)}" if chosen is not None else ""
    return SafeString(f'<g class="lines{colour}" aria-hidden="true">{"".join(drawn)}</g>')


def _ladder_line(line: DrawnLine | UprightLine, paths: Paths | None, lit: str) -> str:
    link, shape, whose = line.link, "", ""
    if paths is not None:
        number = paths.numbers[link.from_block] % DASHES
        shape = f" l{number}" if number else ""
        if lit and paths.is_past(link, lit):
            shape += LIT
        elif lit and paths.is_open(link, lit):
            shape += f"{LIT} may"
        owner, below = paths.owners.get(link), paths.below.get(link)
        whose = f' data-p="{escape(owner)}"' if owner else ""
        if below is not None:
            whose += f' data-may="{escape(" ".join(sorted(below)))}"'
    return f'<path class="line {link.state}{shape}" d="{line.path}"{whose}/>'


@register.simple_tag(takes_context=True)
def mini_rows(context: LeagueContext, drawing: Drawing) -> SafeString:
    """Return the rows of a drawing without words: one bar each, fainter for those who are out."""
    paths, lit = context["paths"], context.get("lit") or ""
    return SafeString(
        "".join(
            _mini_row(drawn.row, f"M{box.x} {drawn.mid}h{MINI.box}", paths, lit)
            for column in drawing.columns
            for box in column.boxes
            for drawn in box.rows
        )
    )


def _mini_row(row: LadderRow, path: str, paths: Paths, lit: str) -> str:
    if row.entrant is None:
        return f'<path d="{path}"/>'
    player = row.entrant.player
    is_out = row.standing is not None and row.standing.goes == OUT
    style = f"c{colour_of(player)}{' no' if is_out else ''}{LIT if player.key == lit else ''}"
    return f'<path class="{style}" d="{path}"{_player_data(paths, player.key, escape(player.key))}/>'


def _player_data(paths: Paths, key: str, escaped: str) -> str:
    """Return the attributes that name a row's player, and the blocks in which the player still plays."""
    playing = paths.playing[key]
    return f' data-p="{escaped}"' + (f' data-in="{escape(" ".join(sorted(playing)))}"' if playing else "")


def _rank(page: PageValues, standing: Standing, entrant: Entrant, shape: RowShape) -> str:
    """Return rank, name and total of a ladder row."""
    total, minus = standing.total, " minus" if standing.total < 0 else ""
    return (
        f'<text class="rank" x="{shape.rank_x}" y="{shape.base}">{standing.shown_rank}</text>'
        f"{_name(page, entrant, shape)}"
        f'<text class="total{minus}" x="{shape.width - 10}" y="{shape.base}">'
        f"{_outside_title(standing, page.scale)}{points_text(total, page.scale, page.language)}</text>"
    )


def _outside_title(standing: Standing, scale: int) -> str:
    """Return the tooltip of a total with points from outside the hanchan, and the mark before the total."""
    text = outside_text(standing.adjustment, standing.credited, scale)
    return f"<title>{escape(text)}</title>*" if text else ""


def _name(page: PageValues, entrant: Entrant, shape: RowShape) -> str:
    """Return the text of a ladder row's name, struck through if the entrant left; a tag has no room there."""
    name, kind, title = escape(fitted(person_name(entrant.player, page.language), shape.name_units)), "name", ""
    left = departure_word(page.competition, entrant, page.context.get("reader"))
    if left:
        kind, title = "name gone", f"<title>{escape(left)}</title>"
    return f'<text class="{kind}" x="{shape.rank_x + 10}" y="{shape.base}">{title}{name}</text>'


def _slot(page: PageValues, row: LadderRow, shape: RowShape) -> str:
    """Return a ladder row before play: the certainty of the slot, its player, and the player's source."""
    shown = glyph(17, shape.base - 5, row.state)
    source = row.slot.source if row.slot is not None else ""
    if row.entrant is None:
        words = fitted(source_label(source, page.names), shape.vacant_units)
        return f'{shown}<text class="name vacant" x="32" y="{shape.base}">{escape(words)}</text>'
    name = _name(page, row.entrant, shape)
    if source.startswith("seed:"):
        return f"{shown}{name}"
    label = source_label(source, page.names)
    came = label if fitted(label, SOURCE_UNITS) == label else short_source(source)
    return f'{shown}{name}<text class="from" x="{shape.width - 10}" y="{shape.base}">{escape(came)}</text>'
