"""Long lists of hanchan, written by Python: a season's page has some thousand of them, too many for a template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.addresses import addresses
from league.formatting import points_text

if TYPE_CHECKING:
    from league.selectors.explanations import Part, Sum
    from league.selectors.standings import Cell
    from league.views.blocks import GridRow

register = template.Library()
MINUS, DECIDES = mark_safe(' class="minus"'), mark_safe(' class="decides"')
NOTHING = mark_safe('<td class="num"><span class="none">–</span></td>')
CELL = '<td class="num"><a href="{}"><span class="tile p{}">{}</span><b{}>{}</b></a>{}{}<small>{}</small></td>'
PART = '<li{}><a href="{}">{}</a> <span class="num{}">{}</span></li>'


@register.simple_tag(takes_context=True)
def result_cells(context: dict[str, Any], row: GridRow) -> SafeString:
    """An entrant's hanchan, a cell for each column: place, points, chonbo, who sat in, and the total so far."""
    address, scale = addresses("pages:hanchan", context["competition"].slug), context["scale"]
    own = row.line.standing.entrant.player_id
    return format_html_join(
        "", "{}", ((_cell(cell, address(cell.hanchan), scale, own) if cell else NOTHING,) for cell in row.cells)
    )


def _cell(cell: Cell, address: str, scale: int, own: int) -> SafeString:
    return format_html(
        CELL,
        address,
        cell.place,
        cell.place,
        MINUS if cell.points < 0 else "",
        points_text(cell.points, scale),
        _chonbo(cell.chonbo) if cell.chonbo else "",
        render_to_string("parts/substitute.html") if cell.player != own else "",
        points_text(cell.running_total, scale),
    )


def _chonbo(count: int) -> SafeString:
    return format_html('<abbr class="tag" title="{}">{}{}</abbr>', _("Chonbo"), _("C"), count if count > 1 else "")


@register.simple_tag(takes_context=True)
def sum_parts(context: dict[str, Any], total: Sum) -> SafeString:
    """What a total is made of, hanchan by hanchan."""
    address, scale = addresses("pages:hanchan", context["competition"].slug), context["scale"]
    word = _("Hanchan %(number)s")

    def columns(part: Part) -> tuple[str, ...]:
        return (
            DECIDES if part.decides else "",
            address(part.hanchan),
            word % {"number": part.number},
            " minus" if part.points < 0 else "",
            points_text(part.points, scale, plus=True),
        )

    return format_html_join("", PART, map(columns, total.parts))
