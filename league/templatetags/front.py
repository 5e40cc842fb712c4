"""Rows of the standings on a competition's page, built in Python like those of `rows.py`: some have hundreds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.templatetags.jantaku import (
    LeagueContext,
    goes_on,
    had_substitute,
    leads_to,
    mark,
    moved,
    outside_mark,
    person_link,
    status_tag,
    substitute_mark,
)
from league.templatetags.rows import ShownPart, border_gap, border_row, decision_tag, state_word
from league.web.long_lists import Wanted
from league.web.standings.large_fields import FOLD, Fold, Strip, border_gaps, folds, parts_of, strip_of
from league.wording.formatting import place_text, points_text
from league.wording.messages import destination_label, source_label
from scoring.lines import OUT

if TYPE_CHECKING:
    from league.models import Standing
    from league.selectors.standings.ladder import LadderBlock, LadderRow
    from league.selectors.standings.progress import Movement
    from league.selectors.standings.tables import ResultCell, StandingLine

register = template.Library()
MOST_ROUNDS = 8
"""Hanchan that get a column each on a wide screen; a block with more of them shows the places alone."""
MOST_ROUNDS_LARGE = 6
"""The same for a large field, whose columns are all as wide as the widest number."""
PLACES_SHOWN = 10
"""The latest places written as a row of numbers."""

Results = Mapping[int, Mapping[int, "ResultCell"]]


@register.simple_tag(takes_context=True)
def in_folds(
    context: LeagueContext, rows: Sequence[object], *, size: int = FOLD, opens_first: bool = True
) -> list[Fold[object]]:
    """Return the rows of a long list in folds, or in one open fold for readers who want to see all."""
    if context.get("wanted", Wanted()).shows_all:
        return [Fold(1, len(rows), rows, is_open=True)]
    return folds(rows, size=size, opens_first=opens_first)


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """The standings of a block: headings of the hanchan with a column, the rows in parts, and the strip."""

    headings: Sequence[str]
    parts: Sequence[ShownPart]
    strip: Strip | None

    @property
    def is_large(self) -> bool:
        """Return True if places are folded; the gaps are those to the border then, on phones too."""
        return len(self.parts) > 1


@register.simple_tag(takes_context=True)
def shown_standings(
    context: LeagueContext, drawn: LadderBlock, movement: Movement | None, results: Results
) -> ShownStandings:
    """Return a block as table rows: ranks with borders after the first result, slots before it."""
    lines = drawn.table.lines[: len(drawn.rows)] if drawn.has_ranks else ()
    count = len(lines) or len(drawn.rows)
    parts = parts_of(lines, count)
    planned = drawn.table.planned or 0
    is_large = len(parts) > 1
    most = MOST_ROUNDS_LARGE if is_large else MOST_ROUNDS
    rounds = range(1, planned + 1) if drawn.has_ranks and planned <= most else ()
    if lines:
        rows = list(_rank_rows(context, lines, movement, results, rounds, is_large=is_large))
    else:
        rows = [_slot_row(context, row) for row in drawn.rows]
    shown = [ShownPart(_joined(rows[part.first - 1 : part.last]), part) for part in parts]
    headings = [_("H%(number)s") % {"number": number} for number in rounds]
    return ShownStandings(headings, shown, strip_of(lines) if is_large else None)


def _joined(rows: Iterable[str]) -> SafeString:
    return mark_safe("\n".join(rows))  # noqa: S308 - escaped below


def _rank_rows(
    context: LeagueContext,
    lines: Sequence[StandingLine],
    movement: Movement | None,
    results: Results,
    rounds: Sequence[int],
    *,
    is_large: bool,
) -> Iterator[str]:
    """Yield a row for each line, with the row of a border below the line it is drawn under."""
    scale = context["scale"]
    gaps = border_gaps(lines) if is_large else [None] * len(lines)
    followers: Iterable[StandingLine | None] = (*lines[1:], None)
    for line, below, to_border in zip(lines, followers, gaps, strict=True):
        cells = results.get(line.standing.entrant_id, {})
        gap = _to_border(to_border, scale) if is_large else _behind(line, lines[0], scale)
        border = _border(context, line, below, len(rounds)) if below and line.is_last_before_border else ""
        yield _rank_row(context, line, gap, movement, cells, rounds) + border


def _to_border(gap: int | None, scale: int) -> str:
    """Return the cell of the distance to the border: a lead above it, what is missing below it."""
    if gap is None:
        return '<td class="n s q">―</td>'
    return f'<td class="n s {"m" if gap < 0 else "up"}">{points_text(gap, scale, plus=True)}</td>'


def _behind(line: StandingLine, first: StandingLine, scale: int) -> str:
    """Return the cell of the distance to the first place, which phones leave out."""
    gap = first.standing.total - line.standing.total
    return f'<td class="n q onlyw">{points_text(gap, scale) if gap and line.standing.is_ranked else "―"}</td>'


def _rank_row(
    context: LeagueContext,
    line: StandingLine,
    gap: str,
    movement: Movement | None,
    cells: Mapping[int, ResultCell],
    rounds: Sequence[int],
) -> str:
    """Return one entrant's row: rank, player with places, total, gap, and the rounds of a wide screen."""
    row, scale = line.standing, context["scale"]
    rose = f" {moved(movement, row)}" if movement else ""
    return (
        f'<tr{" class=out" if row.goes == OUT else ""}><td class="rk">{row.shown_rank}</td>'
        f'<th scope="row">{_player(context, row, rose, cells)}</th>'
        f'<td class="n tot padn{" m" if row.total < 0 else ""}">{points_text(row.total, scale)}'
        f"{outside_mark(context, row)}</td>"
        f"{gap}{''.join(_cell(cells.get(number), scale) for number in rounds)}</tr>"
    )


def _player(context: LeagueContext, row: Standing, rose: str, cells: Mapping[int, ResultCell]) -> str:
    """Return mark, name and what is said beside it, with the places in a second line."""
    sat = f" {substitute_mark()}" if had_substitute(row, context["substituted"]) else ""
    tied = f' <span class="tag">{escape(_("tied"))}</span>' if row.is_tied else ""
    certain = ""
    if goes_on(row) and row.goes:
        kind = "off" if row.goes == OUT else "in"
        label = destination_label(row.destination, context["names"], row.goes)
        certain = f' <span class="tag {kind}">{escape(label)}</span>'
    second = f'<small class="run">{escape(_places(cells))}</small>' if cells else ""
    return (
        f'<span class="who">{mark(row.entrant.player)}<span>{person_link(context, row.entrant)}{sat}{rose}'
        f"{status_tag(context, row.entrant)}{decision_tag(context, row)}{tied}{certain}{second}</span></span>"
    )


def _places(cells: Mapping[int, ResultCell]) -> str:
    """Return the places in the order of play, the latest of them if there are many."""
    places = [str(cells[number].place) for number in sorted(cells)]
    shown = places[-PLACES_SHOWN:]
    return _("places %(places)s") % {"places": ("…" if len(shown) < len(places) else "") + "-".join(shown)}


def _cell(cell: ResultCell | None, scale: int) -> str:
    """Return the cell of one hanchan: the place mark, and the points below it."""
    if cell is None:
        return '<td class="n grp onlyw q">・</td>'
    place = escape(place_text(cell.place))
    return (
        f'<td class="n grp onlyw"><span class="pl p{cell.place}" role="img" aria-label="{place}">'
        f"{cell.place}</span><small{' class=m' if cell.points < 0 else ''}>"
        f"{points_text(cell.points, scale)}</small></td>"
    )


def _border(context: LeagueContext, line: StandingLine, below: StandingLine, rounds: int) -> str:
    """Return the row of a border: where those above it go, and how far apart the two neighbours are."""
    words = _("Border: %(above)s") % {"above": leads_to(line.standing, context["names"])}
    return border_row(words, border_gap(line, below, context["scale"]), 4, rounds)


def _slot_row(context: LeagueContext, row: LadderRow) -> str:
    """Return the row of a slot before play: its player if known, the player's source, and how certain that is."""
    return (
        f'<tr class="slot {row.state}"><td class="rk" aria-hidden="true">{"●" if row.state == "certain" else "○"}</td>'
        f'<th scope="row"><span class="who">{"".join(_slot_player(context, row))}</span></th>'
        '<td class="n padn"></td><td class="onlyw"></td></tr>'
    )


def _slot_player(context: LeagueContext, row: LadderRow) -> Iterator[str]:
    source = row.slot.source if row.slot is not None else ""
    label = escape(source_label(source, context["names"])) if row.slot is not None else ""
    words = [] if row.state == "certain" else [escape(state_word(row.state))]
    if row.entrant is None:
        yield f'<span><span class="q">{label}</span>'
    else:
        yield f"{mark(row.entrant.player)}<span>{person_link(context, row.entrant)}{status_tag(context, row.entrant)}"
        words += [label] if row.slot is not None and not source.startswith("seed:") else []
    yield f"<small>{' · '.join(words)}</small></span>" if words else "</span>"
