"""Rows of blocks and of their tables, as HTML built in Python.

A home page has fifty of each; a template takes 0.13 ms for one, which was two thirds of the page's time. Every text is
escaped where it is inserted (`escape`); all other values are numbers, states and paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.models import Competition, SlotState
from league.selectors.standings.tables import border_below
from league.templatetags.jantaku import (
    LeagueContext,
    glyph,
    goes_on,
    had_substitute,
    leads_to,
    mark,
    moved,
    outside_mark,
    person_link,
    points,
    status_tag,
    substitute_mark,
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
    from league.selectors.standings.progress import Movement
    from league.selectors.standings.tables import BlockTable, StandingLine

register = template.Library()
NONE, TIED = "–", ' class="tied"'


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of a block's places with its rows."""

    rows: SafeString
    part: Part


@dataclass(frozen=True, slots=True)
class ShownTable:
    """The lines of a block's table in parts, those of a large field folded away from its borders, and its strip.

    For readers who search, or want to see all, there is one part.
    """

    parts: Sequence[ShownPart]
    strip: Strip | None
    found: int
    """Number of lines shown."""

    @property
    def is_parted(self) -> bool:
        """Return True if there is more than the table with all lines."""
        return len(self.parts) > 1


@register.simple_tag(takes_context=True)
def shown_table(context: LeagueContext, table: BlockTable) -> ShownTable:
    """Return the lines of a block's table, best first, each border row below the line it is drawn under."""
    wanted: Wanted = context["wanted"]
    followers: Iterable[StandingLine | None] = (*table.lines[1:], None)
    pairs = [
        (line, below)
        for line, below in zip(table.lines, followers, strict=True)
        if wanted.has_any([line.standing.entrant])
    ]
    rows = [
        f"{_standing_row(context, table, line)}\n{_border(context, line, below) if below and not wanted.text else ''}"
        for line, below in pairs
    ]
    parts = parts_of(table.lines, len(rows))
    if wanted.text or wanted.shows_all:
        parts = [Part(1, len(rows), is_open=True)]
    return ShownTable(
        [
            ShownPart(mark_safe("".join(rows[part.first - 1 : part.last])), part)  # noqa: S308 - escaped below
            for part in parts
        ],
        strip_of(table.lines) if len(parts) > 1 else None,
        len(rows),
    )


def _standing_row(context: LeagueContext, table: BlockTable, line: StandingLine) -> str:
    """Return one line's cells: rank, player, total, chance, hanchan played, places, gaps."""
    row, scale, advance = line.standing, context["scale"], context["advance"]
    rank, gaps = NONE, [NONE, NONE]
    if not table.is_empty:
        rose = f" {moved(context['movement'], row)}" if context["movement"] else ""
        rank, gaps = f"{row.shown_rank}{rose}", [points(gap, scale) for gap in (line.gap_to_above, line.gap_to_border)]
    if context["competition"].kind != Competition.Kind.LEAGUE:
        # Only a league has borders; elsewhere the gap to the border has no column.
        gaps.pop()
    chance = ""
    if advance:
        share = advance.shares.get(row.entrant_id)
        chance = f"<td>{chance_bar(share)}</td>\n"
    planned = f"<small>/{table.planned}</small>" if table.planned else ""
    distances = "".join(f'<td class="num onlyw">{gap}</td>\n' for gap in gaps)
    places = row.places[: len(context["places"])]
    counts = "".join(f'<td class="num count onlyw{"" if count else " none"}">{count}</td>' for count in places)
    # A phone has no room for these columns: they stand below the name.
    counted = _("%(played)s played, by place %(counts)s") % {
        "played": f"{row.played}/{table.planned}" if table.planned else row.played,
        "counts": "-".join(map(str, places)),
    }
    return (
        f'<tr{TIED if row.is_tied and row.played else ""}>\n<td class="num rank">{rank}</td>\n'
        f'<th scope="row" class="stick">{_standing_player(context, row, counted)}</th>\n'
        f'<td class="num total{" minus" if row.total < 0 else ""}">{_standing_total(context, row)}</td>\n'
        f'{chance}<td class="num onlyw">{row.played}{planned}</td>\n{counts}\n'
        f"{distances}</tr>"
    )


def _standing_player(context: LeagueContext, row: Standing, counted: str) -> str:
    """Return tile, name, reading and club, what is said of a substitute or a withdrawal, and the counts for phones."""
    # The guests of an open table are private.
    club = "" if context.get("is_closed") else club_text(row.entrant)
    beside = " · ".join(filter(None, (reading_of(row.entrant.player), club)))
    written = f'<small class="reading onlyw">{escape(beside)}</small>' if beside else ""
    under = " · ".join(filter(None, (club, counted if row.played else "")))
    below = f'<small class="run onlyn">{escape(under)}</small>' if under else ""
    sat = f" {substitute_mark()}" if had_substitute(row, context["substituted"]) else ""
    left = status_tag(context, row.entrant)
    decided = decision_tag(context, row)
    name = f"{person_link(context, row.entrant)}{sat}{left}{decided}{written}{below}"
    return f'<span class="who">{mark(row.entrant.player)} <span>{name}</span></span>'


def decision_tag(context: LeagueContext, row: Standing) -> str:
    """Return the mark beside a name whose place a decision has settled, such as “declines promotion”; or nothing."""
    if not is_decided(row.destination):
        return ""
    return f' <span class="tag">{escape(destination_label(row.destination, context["names"]))}</span>'


def _standing_total(context: LeagueContext, row: Standing) -> str:
    """Return the total, with links to the explanation of the rank and to points from outside the hanchan."""
    total = points_text(row.total, context["scale"]) if row.has_points else NONE
    why = f' <a class="why" href="#why-{row.entrant_id}" aria-label="{escape(_("Why this rank"))}">?</a>'
    return f"{total}{why if row.decision else ''}{outside_mark(context, row)}"


def _border(context: LeagueContext, line: StandingLine, below: StandingLine) -> str:
    """Return the row that names the destinations above and below a border; empty if there is none."""
    if not line.is_last_before_border or context["table"].is_empty:
        return ""
    labels = {
        "above": leads_to(line.standing, context["names"]),
        "below": leads_to(line.beyond or below.standing, context["names"]),
    }
    columns = len(context["places"]) + (7 if context["advance"] else 6)
    return border_row(
        _("Border: ↑ %(above)s · ↓ %(below)s") % labels, border_gap(line, below, context["scale"]), columns
    )


def border_row(words: str, gap: str, columns: int, wide: int = 0) -> str:
    """Return the row of a table in which a border is drawn; `wide` columns more are hidden on phones."""
    # A cell across hidden columns would give them a share of a fixed layout's width.
    rest = f'<td class="onlyw" colspan="{wide}"></td>' if wide else ""
    return (
        f'<tr class="bd"><td colspan="{columns}"><span><span>{escape(words)}</span><span>{escape(gap)}</span></span>'
        f"</td>{rest}</tr>"
    )


def border_gap(line: StandingLine, below: StandingLine, scale: int) -> str:
    """Return how far the last inside and the first outside are apart, or that they are level; empty without ranks."""
    border = border_below(line, below)
    if border is None:
        return ""
    if border.is_level:
        return _("%(rank)s level across the border") % {"rank": rank_text(line.standing.rank)}
    return _("%(above)s and %(below)s: %(gap)s apart") % {
        "above": rank_text(line.standing.rank),
        "below": rank_text(below.standing.rank),
        "gap": points_text(border.gap, scale),
    }


@register.simple_tag(takes_context=True)
def block_rows(context: LeagueContext, drawn: LadderBlock, movement: Movement | None) -> SafeString:
    """Return a block's places as list items: ranks with totals after the first result, slots before it."""
    rows = (
        _rank_item(context, row.standing, movement)
        if row.standing is not None and drawn.has_ranks
        else _slot_item(context, row)
        for row in drawn.rows
    )
    return mark_safe("\n".join(rows))  # noqa: S308 - escaped below


def _rank_item(context: LeagueContext, standing: Standing, movement: Movement | None) -> str:
    """Return rank, movement, name, destination of the rank, and total."""
    sat = tied = leads = ""
    rose = f' <span class="moves">{moved(movement, standing)}</span>' if movement else ""
    if had_substitute(standing, context["substituted"]):
        sat = f" {substitute_mark()}"
    if standing.is_tied:
        tied = f' <span class="tag">{escape(_("tied"))}</span>'
    if goes_on(standing):
        label = destination_label(standing.destination, context["names"], standing.goes)
        leads = f' <span class="to">{escape(label)}</span>'
    return (
        f'<li><span class="rank num">{standing.shown_rank}</span>{rose} '
        f'<span class="who">{person_link(context, standing.entrant)}{sat}</span>'
        f"{status_tag(context, standing.entrant)}{tied}{leads} "
        f'<span class="num total{" minus" if standing.total < 0 else ""}">'
        f"{points_text(standing.total, context['scale'])}{outside_mark(context, standing)}</span></li>"
    )


def _slot_item(context: LeagueContext, row: LadderRow) -> str:
    """Return the slot's player or source, with its certainty."""
    source = row.slot.source if row.slot is not None else ""
    label = escape(source_label(source, context["names"])) if row.slot is not None else ""
    who = person_link(context, row.entrant) if row.entrant else f'<span class="vacant">{label}</span>'
    left = status_tag(context, row.entrant) if row.entrant else ""
    shows_source = row.slot is not None and row.entrant is not None and not source.startswith("seed:")
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
