"""Long lists of hanchan as HTML built in Python: a season's page has a thousand results, too many for a template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.selectors.rulebooks.clauses import address
from league.selectors.standings.tables import ResultCell, StandingLine
from league.templatetags.jantaku import LeagueContext, substitute_mark
from league.wording.formatting import points_text
from league.wording.names import person_name

if TYPE_CHECKING:
    from league.selectors.standings.explanations import Sum, TotalPart
    from league.selectors.standings.tables import ResultCell

register = template.Library()
MINUS, DECIDES = ' class="minus"', ' class="decides"'
NOTHING = '<td class="num"><span class="none">–</span></td>'


@register.simple_tag(takes_context=True)
def result_cells(context: LeagueContext, row: GridRow) -> SafeString:
    """Return an entrant's results as table cells, one for each column.

    A cell has place, points, chonbo, a mark for a substitute, and the running total.
    """
    slug, scale = context["competition"].slug, context["scale"]
    entrant = row.line.standing.entrant

    def written(cell: ResultCell) -> str:
        return (
            f'<td class="num"><a href="{escape(address("hanchan", slug, cell.hanchan))}">'
            f'<span class="tile p{cell.place}">{cell.place}</span>'
            f"<b{MINUS if cell.points < 0 else ''}>{points_text(cell.points, scale)}</b></a>"
            f"{_chonbo(cell.chonbo) if cell.chonbo else ''}"
            f"{substitute_mark() if entrant.is_replaced_by(cell.player) else ''}"
            f"<small>{points_text(row.outside + cell.running_total, scale)}</small></td>"
        )

    # No text of users goes into a cell, hence no escaping here.
    return mark_safe("".join(written(cell) if cell else NOTHING for cell in row.cells))  # noqa: S308 - numbers alone


def _chonbo(count: int) -> SafeString:
    return format_html('<abbr class="tag" title="{}">{}{}</abbr>', _("Chonbo"), _("C"), count if count > 1 else "")


@register.simple_tag(takes_context=True)
def sums(context: LeagueContext, totals: Iterable[Sum]) -> SafeString:
    """Return the totals of two neighbours in the ranking, each split into its parts."""
    slug, scale = context["competition"].slug, context["scale"]
    words = [
        escape(text)
        for text in (
            pgettext("count of one entrant", "Hanchan %(number)s"),
            _("carried over"),
            _("adjusted"),
            pgettext("part of a total", "not played"),
        )
    ]

    def amount(value: int) -> str:
        return f'<span class="num{" minus" if value < 0 else ""}">{points_text(value, scale, plus=True)}</span>'

    def part(each: TotalPart) -> str:
        path = escape(address("hanchan", slug, each.hanchan))
        word = words[0] % {"number": each.number}
        return f'<li{DECIDES if each.decides else ""}><a href="{path}">{word}</a> {amount(each.points)}</li>'

    def written(total: Sum) -> str:
        carried = f"<li><span>{words[1]}</span> {amount(total.carried)}</li>" if total.carried else ""
        outside = "".join(
            f'<li><a href="#adjustments">{word}</a> {amount(points)}</li>'
            for word, points in ((words[2], total.adjustment), (words[3], total.credited))
            if points
        )
        return (
            f"<div><h4><span>{escape(person_name(total.entrant.player))}</span> "
            f'<span class="num{" minus" if total.total < 0 else ""}">{points_text(total.total, scale)}</span></h4>\n'
            f"<ol>{carried}{''.join(map(part, total.parts))}"
            f"{outside}</ol></div>"
        )

    return mark_safe("".join(map(written, totals)))  # noqa: S308 - numbers, and texts escaped above


@dataclass(frozen=True, slots=True)
class GridRow:
    """An entrant's results in the order of the columns, with None for a hanchan without a result."""

    line: StandingLine
    cells: tuple[ResultCell | None, ...]
    outside: int
    """Points of the total that come from no hanchan (carried over, adjusted); running totals begin with them."""
