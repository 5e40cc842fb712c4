"""Rows of the standings on a competition's page, built in Python like those of `rows.py`: some have hundreds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.selectors.rulebooks.clauses import address
from league.templatetags.jantaku import (
    LeagueContext,
    PageValues,
    goes_on,
    leads_to,
    mark,
    moved,
    outside_mark,
    page_values,
    seat_name,
    shown_name,
    substitute_mark,
    written_status,
)
from league.templatetags.rows import PlacesPart, border_gap, border_row, decision_tag, state_word
from league.web.long_lists import Wanted
from league.web.standings.large_fields import FOLD, Fold, Part, Strip, border_gaps, folds, parts_of, strip_of
from league.wording.formatting import place_text, points_text, score_text
from league.wording.marks import marks_at
from league.wording.messages import destination_label, source_label
from league.wording.names import title_of
from scoring.lines import OUT

if TYPE_CHECKING:
    from league.models import Standing
    from league.selectors.competitions.schedule import PlayedHanchan
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


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block of a stage with its rank changes and results; both may be missing."""

    drawn: LadderBlock
    movement: Movement | None
    results: Results


@register.simple_tag(takes_context=True)
def in_folds(
    context: LeagueContext, rows: Sequence[object], *, size: int = FOLD, opens_first: bool = True
) -> list[Fold[object]]:
    """Return the rows of a long list in folds, or in one open fold for readers who want to see all."""
    if context.get("wanted", Wanted()).shows_all:
        return [Fold(1, len(rows), rows, is_open=True)]
    return folds(rows, size=size, opens_first=opens_first)


class StandingsWords(NamedTuple):
    """The words of the standings' tables, translated once for all blocks of a page; all but the last are escaped."""

    rank: str
    player: str
    total: str
    to_border: str
    behind: str
    round: str
    finished: str
    played: str
    tied: str
    places: str
    border: str


@register.simple_tag(takes_context=True)
def standings_words(context: LeagueContext) -> StandingsWords:
    """Return the words of the standings' tables."""
    return StandingsWords(
        rank=escape(pgettext("rank", "#")),
        player=escape(_("Team") if context.get("has_teams") else _("Player")),
        total=escape(pgettext("standings", "Total")),
        to_border=escape(pgettext("gap to the border", "Border")),
        behind=escape(pgettext("gap to the first", "Behind")),
        round=escape(_("H%(number)s")),
        finished=escape(_("finished")),
        played=escape(_("%(played)s of %(planned)s hanchan played")),
        tied=escape(_("tied")),
        places=escape(_("places %(places)s")),
        border=_("Border: %(above)s"),
    )


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """The standings of a block: its heading with the progress, the tables of its parts, and the strip."""

    heading: SafeString
    parts: Sequence[PlacesPart]
    strip: Strip | None

    @property
    def is_large(self) -> bool:
        """Return True if places are folded; the gaps are those to the border then, on phones too."""
        return len(self.parts) > 1


@register.simple_tag(takes_context=True)
def shown_standings(context: LeagueContext, block: ShownBlock, words: StandingsWords) -> ShownStandings:
    """Return a block as tables: ranks with borders after the first result, slots before it."""
    page, drawn = page_values(context), block.drawn
    lines = drawn.table.lines[: len(drawn.rows)] if drawn.has_ranks else ()
    parts = parts_of(lines, len(lines) or len(drawn.rows))
    planned = drawn.table.planned or 0
    is_large = len(parts) > 1
    most = MOST_ROUNDS_LARGE if is_large else MOST_ROUNDS
    rounds = range(1, planned + 1) if drawn.has_ranks and planned <= most else ()
    if lines:
        rows = _rank_rows(page, words, block, lines, rounds, is_large=is_large)
    else:
        rows = [_slot_row(page, row) for row in drawn.rows]
    title = escape(title_of(drawn.block, page.language))
    head = _head(words, title, rounds if drawn.has_ranks else None, is_large=is_large)
    return ShownStandings(
        SafeString(_heading(page, words, drawn, title)),
        [PlacesPart(SafeString(f"{head}{_joined(rows, part)}\n</tbody></table>"), part) for part in parts],
        strip_of(lines) if is_large else None,
    )


def _joined(rows: Sequence[str], part: Part) -> str:
    return "\n".join(rows[part.first - 1 : part.last])


def _heading(page: PageValues, words: StandingsWords, drawn: LadderBlock, title: str) -> str:
    """Return the heading of a block, with how much of it has been played."""
    key, table, progress = drawn.block.key, drawn.table, ""
    if table.is_complete:
        progress = words.finished
    elif table.planned:
        progress = words.played % {"played": table.played, "planned": table.planned}
    return (
        f'<div class="hd"><h3 id="block-{escape(key)}"><a href="{escape(address("block", page.slug, key))}">{title}</a>'
        f'</h3><p class="s">{progress}</p></div>'
    )


def _head(words: StandingsWords, title: str, rounds: Sequence[int] | None, *, is_large: bool) -> str:
    """Return a table's beginning up to its first row; before the first result, with None, it has no amounts."""
    columns = '<td></td><td class="onlyw"></td>'
    if rounds is not None:
        kind, gap = ("gap", words.to_border) if is_large else ("onlyw", words.behind)
        numbers = (words.round % {"number": number} for number in rounds)
        columns = (
            f'<th scope="col" class="n padn">{words.total}</th><th scope="col" class="n {kind}">{gap}</th>'
            + "".join(f'<th scope="col" class="n onlyw rd">{number}</th>' for number in numbers)
        )
    return (
        f'<table>\n<caption class="visually-hidden">{title}</caption>\n<thead><tr><th scope="col" class="rk">'
        f'{words.rank}</th><th scope="col">{words.player}</th>{columns}</tr></thead>\n<tbody>\n'
    )


def _rank_rows(
    page: PageValues,
    words: StandingsWords,
    block: ShownBlock,
    lines: Sequence[StandingLine],
    rounds: Sequence[int],
    *,
    is_large: bool,
) -> list[str]:
    """Return a row for each line, with the row of a border below the line it is drawn under."""
    gaps = border_gaps(lines) if is_large else [None] * len(lines)
    followers: Iterable[StandingLine | None] = (*lines[1:], None)
    first, movement, rows = lines[0].standing.total, block.movement, []
    for line, below, to_border in zip(lines, followers, gaps, strict=True):
        cells = block.results.get(line.standing.entrant_id, {}) if block.results else {}
        gap = _to_border(page, to_border) if is_large else _behind(page, line.standing, first)
        rose = f" {moved(movement, line.standing)}" if movement else ""
        border = _border(page, words, line, below, len(rounds)) if below and line.is_last_before_border else ""
        player = _player(page, words, line.standing, rose, cells)
        rows.append(_rank_row(page, line.standing, player, gap, _cells(page, cells, rounds)) + border)
    return rows


def _to_border(page: PageValues, gap: int | None) -> str:
    """Return the cell of the distance to the border: a lead above it, what is missing below it."""
    if gap is None:
        return '<td class="n s q">―</td>'
    shown = points_text(gap, page.scale, page.language, plus=True)
    return f'<td class="n s {"m" if gap < 0 else "up"}">{shown}</td>'


def _behind(page: PageValues, row: Standing, first: int) -> str:
    """Return the cell of the distance to the first place, which phones leave out."""
    gap = first - row.total
    shown = points_text(gap, page.scale, page.language) if gap and row.is_ranked else "―"
    return f'<td class="n q onlyw">{shown}</td>'


def _rank_row(page: PageValues, row: Standing, player: str, gap: str, cells: str) -> str:
    """Return one entrant's row: rank, player with places, total, gap, and the rounds of a wide screen."""
    outside = outside_mark(page.context, row) if row.has_points_outside else ""
    return (
        f'<tr{" class=out" if row.goes == OUT else ""}><td class="rk">{row.shown_rank}</td>'
        f'<th scope="row">{player}</th><td class="n tot padn{" m" if row.total < 0 else ""}">'
        f"{points_text(row.total, page.scale, page.language)}{outside}</td>{gap}{cells}</tr>"
    )


def _player(page: PageValues, words: StandingsWords, row: Standing, rose: str, cells: Mapping[int, ResultCell]) -> str:
    """Return mark, name and what is said beside it, with the places in a second line."""
    entrant = row.entrant
    player, certain = entrant.player, ""
    tied = f' <span class="tag">{words.tied}</span>' if row.is_tied else ""
    sat = f" {substitute_mark()}" if (row.block_id, row.entrant_id) in page.substituted else ""
    if row.goes and goes_on(row):
        kind = "off" if row.goes == OUT else "in"
        label = destination_label(row.destination, page.names, row.goes)
        certain = f' <span class="tag {kind}">{escape(label)}</span>'
    second = f'<small class="run">{words.places % {"places": _places(cells)}}</small>' if cells else ""
    return (
        f'<span class="who">{mark(player)}<span>{shown_name(page, player)}{sat}{rose}'
        f"{written_status(page.context, entrant)}{decision_tag(page, row)}{tied}"
        f"{certain}{second}</span></span>"
    )


def _places(cells: Mapping[int, ResultCell]) -> str:
    """Return the places in the order of play, the latest of them if there are many."""
    numbers = sorted(cells)
    shown = "-".join([str(cells[number].place) for number in numbers[-PLACES_SHOWN:]])
    return f"…{shown}" if len(numbers) > PLACES_SHOWN else shown


NOT_PLAYED = '<td class="n grp onlyw q">・</td>'


def _cells(page: PageValues, cells: Mapping[int, ResultCell], rounds: Sequence[int]) -> str:
    """Return a cell for each hanchan with a column: the place mark, and the points below it."""
    if not cells:
        return NOT_PLAYED * len(rounds)
    return "".join([_cell(page, cells[number]) if number in cells else NOT_PLAYED for number in rounds])


def _cell(page: PageValues, cell: ResultCell) -> str:
    place, points = place_text(cell.place, page.language), points_text(cell.points, page.scale, page.language)
    return (
        f'<td class="n grp onlyw"><span class="pl p{cell.place}" role="img" aria-label="{escape(place)}">'
        f"{cell.place}</span><small{' class=m' if cell.points < 0 else ''}>{points}</small></td>"
    )


def _border(page: PageValues, words: StandingsWords, line: StandingLine, below: StandingLine, rounds: int) -> str:
    """Return the row of a border: where those above it go, and how far apart the two neighbours are."""
    text = words.border % {"above": leads_to(line.standing, page.names)}
    return border_row(text, border_gap(page, line, below), 4, rounds)


def _slot_row(page: PageValues, row: LadderRow) -> str:
    """Return the row of a slot before play: its player if known, the player's source, and how certain that is."""
    return (
        f'<tr class="slot {row.state}"><td class="rk"></td>'
        f'<th scope="row"><span class="who">{"".join(_slot_player(page, row))}</span></th>'
        '<td class="n padn"></td><td class="onlyw"></td></tr>'
    )


def _slot_player(page: PageValues, row: LadderRow) -> Iterator[str]:
    source = row.slot.source if row.slot is not None else ""
    label = escape(source_label(source, page.names)) if row.slot is not None else ""
    words = [] if row.state == "certain" else [escape(state_word(row.state))]
    if row.entrant is None:
        yield f'<span><span class="q">{label}</span>'
    else:
        player, status = row.entrant.player, written_status(page.context, row.entrant)
        yield f"{mark(player)}<span>{shown_name(page, player)}{status}"
        words += [label] if row.slot is not None and not source.startswith("seed:") else []
    yield f"<small>{' · '.join(words)}</small></span>" if words else "</span>"


@register.simple_tag(takes_context=True)
def result_rows(context: LeagueContext, game: PlayedHanchan) -> SafeString:
    """Return the rows of a hanchan's result: place, player, final score, and points."""
    marks, scale, language = marks_at(game.results), context["scale"], context["language"]
    return SafeString(
        "".join(
            f'<tr><td class="c"><span class="pl p{seat.place}" role="img" '
            f'aria-label="{escape(place_text(seat.place, language))}">{seat.place}</span></td>'
            f'<th scope="row"><span class="who">{mark(seat.entrant.player, marks)} '
            f"<span>{seat_name(context, seat)}</span></span></th>"
            f'<td class="n q">{score_text(seat.final_score, language)}</td>'
            f'<td class="n tot{" m" if seat.points < 0 else ""}">{points_text(seat.points, scale, language)}</td></tr>'
            for seat in game.by_place
        )
    )
