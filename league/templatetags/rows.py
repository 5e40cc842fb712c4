"""Rows of blocks and of their tables, as HTML built in Python.

A home page has fifty of each; a template takes 0.13 ms for one, which was two thirds of the page's time. Every text is
escaped where it is inserted (`escape`); all other values are numbers, states and paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.models import Competition, SlotState
from league.selectors.standings.tables import border_below
from league.templatetags.jantaku import (
    LeagueContext,
    PageValues,
    glyph,
    goes_on,
    leads_to,
    mark,
    moved,
    outside_mark,
    page_values,
    shown_name,
    substitute_mark,
    written_status,
)
from league.templatetags.odds import chance_bar
from league.web.long_lists import Wanted
from league.web.standings.large_fields import Part, Strip, parts_of, strip_of
from league.wording.formatting import points_text, rank_text
from league.wording.messages import destination_label, source_label
from league.wording.names import club_text, reading_of
from scoring.pyramid.conditions import is_decided

if TYPE_CHECKING:
    from league.models import Standing
    from league.selectors.standings.ladder import LadderBlock, LadderRow
    from league.selectors.standings.odds import BlockAdvance
    from league.selectors.standings.progress import Movement
    from league.selectors.standings.tables import BlockTable, StandingLine

register = template.Library()
NONE, TIED = "–", ' class="tied"'


@dataclass(frozen=True, slots=True)
class PlacesPart:
    """A part of a block's places with its rows."""

    rows: SafeString
    part: Part


@dataclass(frozen=True, slots=True)
class PartedTable:
    """The lines of a block's table in parts, those of a large field folded away from its borders, and its strip.

    For readers who search, or want to see all, there is one part.
    """

    parts: Sequence[PlacesPart]
    strip: Strip | None
    found: int
    """Number of lines shown."""

    @property
    def is_parted(self) -> bool:
        """Return True if there is more than the table with all lines."""
        return len(self.parts) > 1


@register.simple_tag(takes_context=True)
def table_in_parts(context: LeagueContext, table: BlockTable) -> PartedTable:
    """Return the lines of a block's table, best first, each border row below the line it is drawn under."""
    wanted: Wanted = context["wanted"]
    rows_of = TableRows.of(context, table)
    followers: Iterable[StandingLine | None] = (*table.lines[1:], None)
    pairs = [
        (line, below)
        for line, below in zip(table.lines, followers, strict=True)
        if wanted.has_any([line.standing.entrant])
    ]
    rows = [
        f"{rows_of.row(line)}\n{rows_of.border(line, below) if below and not wanted.text else ''}"
        for line, below in pairs
    ]
    parts = parts_of(table.lines, len(rows))
    if wanted.text or wanted.shows_all:
        parts = [Part(1, len(rows), is_open=True)]
    return PartedTable(
        [PlacesPart(SafeString("".join(rows[part.first - 1 : part.last])), part) for part in parts],
        strip_of(table.lines) if len(parts) > 1 else None,
        len(rows),
    )


class TableRows(NamedTuple):
    """Writes the rows of a block's table, with what all of them need of the page looked up once."""

    page: PageValues
    table: BlockTable
    movement: Movement | None
    advance: BlockAdvance | None
    places: int
    """Number of places in a hanchan."""
    has_border: bool
    """True in a league: elsewhere the gap to the border has no column."""
    why: str
    counted: str

    @classmethod
    def of(cls, context: LeagueContext, table: BlockTable) -> TableRows:
        """Return the writer for this table on a block's page."""
        page = page_values(context)
        return cls(
            page,
            table,
            context["movement"],
            context["advance"],
            len(context["places"]),
            page.competition.kind == Competition.Kind.LEAGUE,
            escape(_("Why this rank")),
            _("%(played)s played, by place %(counts)s"),
        )

    def row(self, line: StandingLine) -> str:
        """Return one line's cells: rank, player, total, chance, hanchan played, places, gaps."""
        row, table = line.standing, self.table
        rank, gaps = NONE, [NONE, NONE]
        if not table.is_empty:
            rose = f" {moved(self.movement, row)}" if self.movement else ""
            rank, gaps = f"{row.shown_rank}{rose}", [self.gap(line.gap_to_above), self.gap(line.gap_to_border)]
        chance = f"<td>{chance_bar(self.advance.shares.get(row.entrant_id))}</td>\n" if self.advance else ""
        planned = f"<small>/{table.planned}</small>" if table.planned else ""
        distances = "".join([f'<td class="num onlyw">{gap}</td>\n' for gap in gaps[: 1 + self.has_border]])
        places = row.places[: self.places]
        counts = "".join([f'<td class="num count onlyw{"" if count else " none"}">{count}</td>' for count in places])
        # A phone has no room for these columns: they stand below the name.
        played = f"{row.played}/{table.planned}" if table.planned else row.played
        counted = self.counted % {"played": played, "counts": "-".join(map(str, places))}
        return (
            f'<tr{TIED if row.is_tied and row.played else ""}>\n<td class="num rank">{rank}</td>\n'
            f'<th scope="row" class="stick">{_standing_player(self.page, row, counted)}</th>\n'
            f'<td class="num total{" minus" if row.total < 0 else ""}">{self.total(row)}</td>\n'
            f'{chance}<td class="num onlyw">{row.played}{planned}</td>\n{counts}\n'
            f"{distances}</tr>"
        )

    def gap(self, gap: int | None) -> str:
        """Return the points between two lines; a dash without a line to compare."""
        return NONE if gap is None else points_text(gap, self.page.scale, self.page.language)

    def total(self, row: Standing) -> str:
        """Return the total, with links to the explanation of the rank and to points from outside the hanchan."""
        total = points_text(row.total, self.page.scale, self.page.language) if row.has_points else NONE
        why = f' <a class="why" href="#why-{row.entrant_id}" aria-label="{self.why}">?</a>' if row.decision else ""
        return f"{total}{why}{outside_mark(self.page.context, row) if row.has_points_outside else ''}"

    def border(self, line: StandingLine, below: StandingLine) -> str:
        """Return the row that names the destinations above and below a border; empty if there is none."""
        if not line.is_last_before_border or self.table.is_empty:
            return ""
        names = self.page.names
        labels = {"above": leads_to(line.standing, names), "below": leads_to(line.beyond or below.standing, names)}
        columns = self.places + (7 if self.advance else 6)
        return border_row(_("Border: ↑ %(above)s · ↓ %(below)s") % labels, border_gap(self.page, line, below), columns)


def _standing_player(page: PageValues, row: Standing, counted: str) -> str:
    """Return tile, name, reading and club, what is said of a substitute or a withdrawal, and the counts for phones."""
    entrant = row.entrant
    player = entrant.player
    # The guests of an open table are private.
    club = "" if page.is_closed else club_text(entrant)
    spoken = escape(reading_of(player, page.language))
    if spoken and page.language != "ja":
        spoken = f'<span lang="ja">{spoken}</span>'
    beside = " · ".join(filter(None, (spoken, escape(club))))
    written = f'<small class="reading onlyw">{beside}</small>' if beside else ""
    under = " · ".join(filter(None, (club, counted if row.played else "")))
    below = f'<small class="run onlyn">{escape(under)}</small>' if under else ""
    sat = f" {substitute_mark()}" if (row.block_id, row.entrant_id) in page.substituted else ""
    left, decided = written_status(page.context, entrant), decision_tag(page, row)
    name = f"{shown_name(page, player)}{sat}{left}{decided}{written}{below}"
    return f'<span class="who">{mark(player)} <span>{name}</span></span>'


def decision_tag(page: PageValues, row: Standing) -> str:
    """Return the mark beside a name whose place a decision has settled, such as “declines promotion”; or nothing."""
    if not is_decided(row.destination):
        return ""
    return f' <span class="tag">{escape(destination_label(row.destination, page.names))}</span>'


def border_row(words: str, gap: str, columns: int, wide: int = 0) -> str:
    """Return the row of a table in which a border is drawn; `wide` columns more are hidden on phones."""
    # A cell across hidden columns would give them a share of a fixed layout's width.
    rest = f'<td class="onlyw" colspan="{wide}"></td>' if wide else ""
    return (
        f'<tr class="bd"><td colspan="{columns}"><span><span>{escape(words)}</span><span>{escape(gap)}</span></span>'
        f"</td>{rest}</tr>"
    )


def border_gap(page: PageValues, line: StandingLine, below: StandingLine) -> str:
    """Return how far the last inside and the first outside are apart, or that they are level; empty without ranks."""
    border = border_below(line, below)
    if border is None:
        return ""
    if border.is_level:
        return _("%(rank)s level across the border") % {"rank": rank_text(line.standing.rank, page.language)}
    return _("%(above)s and %(below)s: %(gap)s apart") % {
        "above": rank_text(line.standing.rank, page.language),
        "below": rank_text(below.standing.rank, page.language),
        "gap": points_text(border.gap, page.scale, page.language),
    }


@register.simple_tag(takes_context=True)
def block_rows(context: LeagueContext, drawn: LadderBlock, movement: Movement | None) -> SafeString:
    """Return a block's places as list items: ranks with totals after the first result, slots before it."""
    page = page_values(context)
    rows = (
        _rank_item(page, row.standing, movement)
        if row.standing is not None and drawn.has_ranks
        else _slot_item(page, row)
        for row in drawn.rows
    )
    return SafeString("\n".join(rows))


def _rank_item(page: PageValues, standing: Standing, movement: Movement | None) -> str:
    """Return rank, movement, name, destination of the rank, and total."""
    entrant, sat, tied, leads = standing.entrant, "", "", ""
    rose = f' <span class="moves">{moved(movement, standing)}</span>' if movement else ""
    if (standing.block_id, standing.entrant_id) in page.substituted:
        sat = f" {substitute_mark()}"
    if standing.is_tied:
        tied = f' <span class="tag">{escape(_("tied"))}</span>'
    if goes_on(standing):
        label = destination_label(standing.destination, page.names, standing.goes)
        leads = f' <span class="to">{escape(label)}</span>'
    return (
        f'<li><span class="rank num">{standing.shown_rank}</span>{rose} '
        f'<span class="who">{shown_name(page, entrant.player)}{sat}</span>'
        f"{written_status(page.context, entrant)}{tied}{leads} "
        f'<span class="num total{" minus" if standing.total < 0 else ""}">'
        f"{points_text(standing.total, page.scale, page.language)}{outside_mark(page.context, standing)}</span></li>"
    )


def _slot_item(page: PageValues, row: LadderRow) -> str:
    """Return the slot's player or source, with its certainty."""
    source, entrant = row.slot.source if row.slot is not None else "", row.entrant
    label = escape(source_label(source, page.names)) if row.slot is not None else ""
    who = shown_name(page, entrant.player) if entrant else f'<span class="vacant">{label}</span>'
    left = written_status(page.context, entrant) if entrant else ""
    shows_source = row.slot is not None and entrant is not None and not source.startswith("seed:")
    came = f' <span class="to">{label}</span>' if shows_source else ""
    state = f' <span class="tag">{escape(state_word(row.state))}</span>' if row.state != "certain" else ""
    return (
        f'<li class="{row.state}"><svg class="rank" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">'
        f'{glyph(7, 7, row.state)}</svg> <span class="who">{who}</span>{left}{came}{state}</li>'
    )


def state_word(state: str) -> str:
    """Return the label for the certainty of a place."""
    words = {SlotState.State.PROVISIONAL: _("provisional"), SlotState.State.RULING: _("awaiting a ruling")}
    return words.get(SlotState.State(state), _("open"))
