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
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.models import Competition, SlotState
from league.templatetags.jantaku import (
    LeagueContext,
    goes_on,
    had_substitute,
    leads_to,
    mark,
    moved,
    person_link,
    points,
    withdrawn_tag,
)
from league.web.large_fields import Part, Strip, folded_parts, open_places, strip_of
from league.wording.formatting import points_text
from league.wording.messages import destination_label, source_label
from league.wording.names import reading_of

if TYPE_CHECKING:
    from league.models import Standing
    from league.selectors.standings.ladder import LadderBlock, LadderRow
    from league.selectors.standings.progress import Movement
    from league.selectors.standings.tables import BlockTable, StandingLine

register = template.Library()
NONE, TIED = "–", ' class="tied"'


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A folded part of a block's places with its rows."""

    rows: SafeString
    part: Part


@dataclass(frozen=True, slots=True)
class ShownTable:
    """The lines of a block's table: open rows, folded rows of a large field, and its strip."""

    rows: SafeString
    folded: Sequence[ShownPart]
    strip: Strip | None


@register.simple_tag(takes_context=True)
def shown_table(context: LeagueContext, table: BlockTable) -> ShownTable:
    """Return the lines of a block's table, best first, each border row below the line it is drawn under."""
    followers: Iterable[StandingLine | None] = (*table.lines[1:], None)
    rows = [
        f"{_standing_row(context, table, line)}\n{_border(context, line, below) if below else ''}"
        for line, below in zip(table.lines, followers, strict=True)
    ]
    shown = open_places(table.lines, len(rows))
    folded = [
        ShownPart(mark_safe("".join(rows[part.first - 1 : part.last])), part)  # noqa: S308 - escaped below
        for part in folded_parts(table.lines, shown, len(rows))
    ]
    return ShownTable(
        mark_safe("".join(rows[:shown])),  # noqa: S308 - escaped below
        folded,
        strip_of(table.lines) if folded else None,
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
        chance = f"<td>{render_to_string('standings/odds/part.html', {'share': share}) if share else NONE}</td>\n"
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
        f'<td class="num total{" minus" if row.total < 0 else ""}">{_standing_total(row, scale)}</td>\n'
        f'{chance}<td class="num onlyw">{row.played}{planned}</td>\n{counts}\n'
        f"{distances}</tr>"
    )


def _standing_player(context: LeagueContext, row: Standing, counted: str) -> str:
    """Return tile, name and reading, what is said of a substitute or a withdrawal, and the counts for phones."""
    reading = reading_of(row.entrant.player)
    written = f'<small class="reading onlyw">{escape(reading)}</small>' if reading else ""
    below = f'<small class="run onlyn">{escape(counted)}</small>' if row.played else ""
    sat = f" {render_to_string('parts/substitute.html')}" if had_substitute(row, context["substituted"]) else ""
    left = withdrawn_tag(row.entrant)
    name = f"{person_link(context, row.entrant)}{sat}{left}{written}{below}"
    return f'<span class="who">{mark(row.entrant.player)} <span>{name}</span></span>'


def _standing_total(row: Standing, scale: int) -> str:
    """Return the total, with links to the explanation of the rank and to adjustments."""
    total = points_text(row.total, scale) if row.played or row.adjustment or row.carried else NONE
    why = f' <a class="why" href="#why-{row.entrant_id}" aria-label="{escape(_("Why this rank"))}">?</a>'
    star = f' <a class="why" href="#adjustments" aria-label="{escape(_("Adjusted"))}">*</a>'
    return f"{total}{why if row.decision else ''}{star if row.adjustment else ''}"


def _border(context: LeagueContext, line: StandingLine, below: StandingLine) -> str:
    """Return the row that names the destinations above and below a border; empty if there is none."""
    if not line.is_last_before_border or context["table"].is_empty:
        return ""
    labels = {"above": leads_to(line.standing, context["names"]), "below": leads_to(below.standing, context["names"])}
    columns = len(context["places"]) + (7 if context["advance"] else 6)
    text = escape(_("Border: ↑ %(above)s · ↓ %(below)s") % labels)
    return f'<tr class="borderline"><td colspan="{columns}"><span>{text}</span></td></tr>\n'


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
        sat = f" {render_to_string('parts/substitute.html')}"
    if standing.is_tied:
        tied = f' <span class="tag">{escape(_("tied"))}</span>'
    if goes_on(standing):
        label = destination_label(standing.destination, context["names"], standing.goes)
        leads = f' <span class="to">{escape(label)}</span>'
    adjusted = f'<abbr title="{escape(_("Adjusted"))}">*</abbr>' if standing.adjustment else ""
    return (
        f'<li><span class="rank num">{standing.shown_rank}</span>{rose} '
        f'<span class="who">{person_link(context, standing.entrant)}{sat}</span>'
        f"{withdrawn_tag(standing.entrant)}{tied}{leads} "
        f'<span class="num total{" minus" if standing.total < 0 else ""}">'
        f"{points_text(standing.total, context['scale'])}{adjusted}</span></li>"
    )


def _slot_item(context: LeagueContext, row: LadderRow) -> str:
    """Return the slot's player or source, with its certainty."""
    source = row.slot.source if row.slot is not None else ""
    label = escape(source_label(source, context["names"])) if row.slot is not None else ""
    who = person_link(context, row.entrant) if row.entrant else f'<span class="vacant">{label}</span>'
    left = withdrawn_tag(row.entrant) if row.entrant else ""
    shows_source = row.slot is not None and row.entrant is not None and not source.startswith("seed:")
    came = f' <span class="to">{label}</span>' if shows_source else ""
    state = f' <span class="tag">{escape(state_word(row.state))}</span>' if row.state != "certain" else ""
    glyph = render_to_string("standings/glyph.html", {"x": 7, "y": 7, "state": row.state})
    return (
        f'<li class="{row.state}"><svg class="rank" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">'
        f'{glyph}</svg> <span class="who">{who}</span>{left}{came}{state}</li>'
    )


def state_word(state: str) -> str:
    """Return the label for the certainty of a place."""
    words = {SlotState.State.PROVISIONAL: _("provisional"), SlotState.State.RULING: _("awaiting a ruling")}
    return words.get(SlotState.State(state), _("open"))
