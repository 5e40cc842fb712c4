"""Long lists of hanchan as HTML built in Python: a season's page has a thousand results, too many for a template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.selectors.rulebooks.clauses import address
from league.selectors.standings.tables import ResultCell, StandingLine
from league.templatetags.jantaku import (
    LeagueContext,
    PageValues,
    outside_mark,
    page_values,
    shown_name,
    substitute_mark,
)
from league.wording.formatting import points_in, points_text
from league.wording.names import person_name

if TYPE_CHECKING:
    from league.selectors.standings.explanations import Sum
    from league.selectors.standings.tables import ResultCell

register = template.Library()
MINUS, DECIDES = ' class="minus"', ' class="decides"'
NOTHING = '<td class="num"><span class="none">–</span></td>'


@register.simple_tag(takes_context=True)
def grid_rows(context: LeagueContext, rows: Iterable[GridRow]) -> SafeString:
    """Return the rows of the results by hanchan: player, points from outside if there are any, cells, and total."""
    page = page_values(context)
    return SafeString("".join(_grid_row(page, row, has_outside=context["has_outside"]) for row in rows))


def _grid_row(page: PageValues, row: GridRow, *, has_outside: bool) -> str:
    standing = row.line.standing
    outside = NOTHING if has_outside else ""
    if row.outside:
        shown = points_text(row.outside, page.scale, page.language, plus=True)
        outside = f'<td class="num"><b{MINUS if row.outside < 0 else ""}>{shown}</b></td>'
    cells = "".join([_result_cell(page, row, cell) if cell else NOTHING for cell in row.cells])
    mark = outside_mark(page.context, standing) if standing.has_points_outside else ""
    return (
        f'<tr><th scope="row" class="stick">{shown_name(page, standing.entrant.player)}</th>{outside}{cells}'
        f'<td class="num total{" minus" if standing.total < 0 else ""}">'
        f"{points_text(standing.total, page.scale, page.language)}{mark}</td></tr>\n"
    )


def _result_cell(page: PageValues, row: GridRow, cell: ResultCell) -> str:
    """Return a result with place, points, chonbo, a mark for a substitute, and the running total."""
    is_substitute = row.line.standing.entrant.is_replaced_by(cell.player)
    # No text of users goes into a cell, hence no escaping here.
    return (
        f'<td class="num"><a href="{_hanchan_path(page.slug, cell.hanchan)}">'
        f'<span class="tile p{cell.place}">{cell.place}</span>'
        f"<b{MINUS if cell.points < 0 else ''}>{points_in(page.language, cell.points, page.scale)}</b></a>"
        f"{_chonbo(cell.chonbo) if cell.chonbo else ''}{substitute_mark() if is_substitute else ''}"
        f"<small>{points_in(page.language, row.outside + cell.running_total, page.scale)}</small></td>"
    )


@lru_cache(maxsize=10_000)
def _hanchan_path(slug: str, hanchan: int) -> str:
    """Return the escaped path of a hanchan's page."""
    return escape(address("hanchan", slug, hanchan))


def _chonbo(count: int) -> SafeString:
    return format_html('<abbr class="tag" title="{}">{}{}</abbr>', _("Chonbo"), _("C"), count if count > 1 else "")


class SumWords(NamedTuple):
    """The words of totals split into their parts, translated and escaped once for all pairs."""

    hanchan: str
    carried: str
    adjusted: str
    not_played: str


@register.simple_tag
def sum_words() -> SumWords:
    """Return the words of totals split into their parts."""
    return SumWords(
        escape(pgettext("count of one entrant", "Hanchan %(number)s")),
        escape(_("carried over")),
        escape(_("adjusted")),
        escape(pgettext("part of a total", "not played")),
    )


@register.simple_tag(takes_context=True)
def sums(context: LeagueContext, totals: Iterable[Sum], words: SumWords) -> SafeString:
    """Return the totals of two neighbours in the ranking, each split into its parts."""
    slug, scale, language = context["competition"].slug, context["scale"], context["language"]

    def amount(value: int) -> str:
        shown = points_text(value, scale, language, plus=True)
        return f'<span class="num{" minus" if value < 0 else ""}">{shown}</span>'

    def written(total: Sum) -> str:
        # Nothing that is called for each hanchan runs Python: this takes a third of the time of nested functions.
        parts = "".join(
            [
                f'<li{DECIDES if number == total.decided_by else ""}><a href="{_hanchan_path(slug, cell.hanchan)}">'
                f'{words.hanchan % {"number": number}}</a> <span class="num{" minus" if cell.points < 0 else ""}">'
                f"{points_in(language, cell.points, scale, plus=True)}</span></li>"
                for number, cell in total.cells
            ]
        )
        carried = f"<li><span>{words.carried}</span> {amount(total.carried)}</li>" if total.carried else ""
        outside = "".join(
            f'<li><a href="#adjustments">{word}</a> {amount(points)}</li>'
            for word, points in ((words.adjusted, total.adjustment), (words.not_played, total.credited))
            if points
        )
        return (
            f"<div><h3><span>{escape(person_name(total.entrant.player, language))}</span> "
            f'<span class="num{" minus" if total.total < 0 else ""}">{points_text(total.total, scale, language)}'
            f"</span></h3>\n<ol>{carried}{parts}{outside}</ol></div>"
        )

    return SafeString("".join(map(written, totals)))


@dataclass(frozen=True, slots=True)
class GridRow:
    """An entrant's results in the order of the columns, with None for a hanchan without a result."""

    line: StandingLine
    cells: tuple[ResultCell | None, ...]
    outside: int
    """Points of the total that come from no hanchan (carried over, adjusted); running totals begin with them."""
