"""Rows of the ladder and of blocks, written by Python.

A home page has fifty of each; a template takes 0.13 ms for one, which made two thirds of the page's time. Every text is
escaped where it is put in (`escape`); all other values are numbers, states and paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.formatting import points_text
from league.messages import destination_label, source_label
from league.models import SlotState
from league.names import person_name
from league.templatetags.jantaku import address, goes_on, moved, person_link, short_source
from league.views.drawing import fitted

if TYPE_CHECKING:
    from league.models import Standing
    from league.selectors.ladder import LadderBlock, LadderRow
    from league.selectors.progress import Movement
    from league.views.drawing import DrawnBox, DrawnRow

register = template.Library()
Context = Mapping[str, Any]
VACANT_UNITS = 24
"""Half-width letters of a source that fit into a row without a name."""


@register.simple_tag(takes_context=True)
def ladder_rows(context: Context, box: DrawnBox) -> SafeString:
    """The rows of a block's box in the ladder, each a link to the player, or to the block while there is none."""
    return mark_safe("\n".join(_ladder_row(context, box, drawn) for drawn in box.rows))  # noqa: S308 - escaped below


def _ladder_row(context: Context, box: DrawnBox, drawn: DrawnRow) -> str:
    slug, row, block = context["competition"].slug, drawn.row, box.block
    entrant = row.entrant
    path = address("entrant", slug, entrant.player.key) if entrant else address("block", slug, block.block.key)
    if row.standing is not None and block.has_ranks:
        inside = _ladder_rank(row.standing, context["scale"])
    else:
        inside = _ladder_slot(context, row)
    border = f'<path class="border" d="M1 {drawn.bottom}h206"/>' if drawn.is_last_before_border else ""
    return (
        f'<a class="row {row.state}" href="{escape(path)}" transform="translate(0 {drawn.y})">'
        f'<rect class="hit" x="1" width="206" height="25"/>{inside}</a>{border}'
    )


def _ladder_rank(standing: Standing, scale: int) -> str:
    """Rank, name and total."""
    return (
        f'<text class="rank" x="22" y="17">{standing.rank}</text>'
        f'<text class="name" x="32" y="17">{escape(fitted(person_name(standing.entrant.player)))}</text>'
        f'<text class="total{" minus" if standing.total < 0 else ""}" x="198" y="17">'
        f"{points_text(standing.total, scale)}</text>"
    )


def _ladder_slot(context: Context, row: LadderRow) -> str:
    """The slot's certainty, its player, and the player's source."""
    glyph = render_to_string("competitions/glyph.html", {"x": 17, "y": 12, "state": row.state})
    source = row.slot.source if row.slot is not None else ""
    if row.entrant is None:
        words = fitted(source_label(source, context["names"]), VACANT_UNITS)
        return f'{glyph}<text class="name vacant" x="32" y="17">{escape(words)}</text>'
    name = f'<text class="name" x="32" y="17">{escape(fitted(person_name(row.entrant.player)))}</text>'
    if source.startswith("seed:"):
        return f"{glyph}{name}"
    return f'{glyph}{name}<text class="from" x="198" y="17">{escape(short_source(source))}</text>'


@register.simple_tag(takes_context=True)
def block_rows(context: Context, drawn: LadderBlock, movement: Movement | None) -> SafeString:
    """A block's places as list items: ranks with totals once something was played, slots before."""
    rows = (
        _rank_item(context, row.standing, movement)
        if row.standing is not None and drawn.has_ranks
        else _slot_item(context, row)
        for row in drawn.rows
    )
    return mark_safe("\n".join(rows))  # noqa: S308 - escaped below


def _rank_item(context: Context, standing: Standing, movement: Movement | None) -> str:
    """Rank, who moved, name, where the rank leads, and the total."""
    sat = tied = leads = ""
    rose = f' <span class="moves">{moved(movement, standing)}</span>' if movement else ""
    if (standing.block_id, standing.entrant_id) in context["substituted"]:
        sat = f" {render_to_string('parts/substitute.html')}"
    if standing.is_tied:
        tied = f' <span class="tag">{escape(_("tied"))}</span>'
    if goes_on(standing):
        label = destination_label(standing.destination, context["names"], standing.goes)
        leads = f' <span class="to">{escape(label)}</span>'
    adjusted = f'<abbr title="{escape(_("Adjusted"))}">*</abbr>' if standing.adjustment else ""
    return (
        f'<li><span class="rank num">{standing.rank}</span>{rose} '
        f'<span class="who">{person_link(context, standing.entrant)}{sat}</span>{tied}{leads} '
        f'<span class="num total{" minus" if standing.total < 0 else ""}">'
        f"{points_text(standing.total, context['scale'])}{adjusted}</span></li>"
    )


def _slot_item(context: Context, row: LadderRow) -> str:
    """The slot's player or source, and its certainty."""
    source = row.slot.source if row.slot is not None else ""
    label = escape(source_label(source, context["names"])) if row.slot is not None else ""
    who = person_link(context, row.entrant) if row.entrant else f'<span class="vacant">{label}</span>'
    shows_source = row.slot is not None and row.entrant is not None and not source.startswith("seed:")
    came = f' <span class="to">{label}</span>' if shows_source else ""
    state = f' <span class="tag">{escape(_state_word(row.state))}</span>' if row.state != "certain" else ""
    glyph = render_to_string("competitions/glyph.html", {"x": 7, "y": 7, "state": row.state})
    return (
        f'<li class="{row.state}"><svg class="rank" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">'
        f'{glyph}</svg> <span class="who">{who}</span>{came}{state}</li>'
    )


def _state_word(state: str) -> str:
    """The word for a place's certainty."""
    words = {SlotState.State.PROVISIONAL: _("provisional"), SlotState.State.RULING: _("awaiting a ruling")}
    return words.get(SlotState.State(state), _("open"))
