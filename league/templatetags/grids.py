"""Long lists of hanchan, written by Python: a season's page has some thousand of them, too many for a template."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.formatting import points_text
from league.templatetags.jantaku import address

if TYPE_CHECKING:
    from league.selectors.explanations import Part, Sum
    from league.selectors.standings import Cell
    from league.views.blocks import GridRow

register = template.Library()
MINUS, DECIDES = ' class="minus"', ' class="decides"'
NOTHING = '<td class="num"><span class="none">–</span></td>'


@register.simple_tag(takes_context=True)
def result_cells(context: dict[str, Any], row: GridRow) -> SafeString:
    """An entrant's hanchan, a cell for each column: place, points, chonbo, who sat in, and the total so far."""
    slug, scale = context["competition"].slug, context["scale"]
    own = row.line.standing.entrant.player_id

    def written(cell: Cell) -> str:
        return (
            f'<td class="num"><a href="{escape(address("hanchan", slug, cell.hanchan))}">'
            f'<span class="tile p{cell.place}">{cell.place}</span>'
            f"<b{MINUS if cell.points < 0 else ''}>{points_text(cell.points, scale)}</b></a>"
            f"{_chonbo(cell.chonbo) if cell.chonbo else ''}"
            f"{render_to_string('parts/substitute.html') if cell.player != own else ''}"
            f"<small>{points_text(row.outside + cell.running_total, scale)}</small></td>"
        )

    return mark_safe("".join(written(cell) if cell else NOTHING for cell in row.cells))  # noqa: S308 - numbers alone


def _chonbo(count: int) -> SafeString:
    return format_html('<abbr class="tag" title="{}">{}{}</abbr>', _("Chonbo"), _("C"), count if count > 1 else "")


@register.simple_tag(takes_context=True)
def sum_parts(context: dict[str, Any], total: Sum) -> SafeString:
    """What a total is made of, hanchan by hanchan."""
    slug, scale = context["competition"].slug, context["scale"]
    word = escape(_("Hanchan %(number)s"))

    def written(part: Part) -> str:
        return (
            f'<li{DECIDES if part.decides else ""}><a href="{escape(address("hanchan", slug, part.hanchan))}">'
            f'{word % {"number": part.number}}</a> <span class="num{" minus" if part.points < 0 else ""}">'
            f"{points_text(part.points, scale, plus=True)}</span></li>"
        )

    return mark_safe("".join(map(written, total.parts)))  # noqa: S308 - numbers, and words of ours escaped
