"""Results as texts for social media posts (速報), in each language: the result, the block's totals, the next hanchan.

Sites limit the length of a post and count wide Japanese characters twice. While a text is too long, the totals
are dropped first, then the next hanchan. The result itself is never cut.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Hanchan, Session, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan, PlayedTable
from league.selectors.standings.tables import BlockTable, block_tables
from league.wording.formatting import (
    moment_text,
    outside_text,
    place_text,
    points_text,
    rank_text,
    score_text,
    text_width,
)
from league.wording.names import game_name, person_name, sitter_name, table_name, table_title, title_of

LONGEST = 280


@dataclass(frozen=True, slots=True)
class Bulletin:
    """The text of a post in one language."""

    language: str
    name: str
    """Name of the language in that language."""
    text: str

    @property
    def x_link(self) -> str:
        """Return the address at which X offers the text as a post."""
        return f"https://x.com/intent/post?text={quote(self.text, safe='')}"

    @property
    def line_link(self) -> str:
        """Return the address at which LINE offers the text as a message."""
        return f"https://line.me/R/share?text={quote(self.text, safe='')}"


@dataclass(frozen=True, slots=True)
class BulletinFacts:
    """The data from which the post is rendered in every language."""

    reader: Reader
    scale: int
    tables: Sequence[PlayedTable]
    standings: Sequence[BlockTable]
    upcoming: Hanchan | None


def bulletins_of_hanchan(reader: Reader, scale: int, table: PlayedTable, played: PlayedHanchan) -> tuple[Bulletin, ...]:
    """Return the posts for one hanchan's result, one per language; empty before there is a result."""
    if not played.sheet:
        return ()
    report = report_of(reader, scale, [table], after=played.hanchan)
    return render_bulletins(report, lambda: [game_name(played.hanchan), *hanchan_lines(played, scale)])


def bulletins_of_table(reader: Reader, scale: int, table: PlayedTable) -> tuple[Bulletin, ...]:
    """Return the posts with each player's points at the table; empty before the first result."""
    if not table.newest:
        return ()
    report = report_of(reader, scale, [table])
    return render_bulletins(report, lambda: [table_title(table.table_session), *sum_lines(table, scale)])


def bulletins_of_session(
    reader: Reader, scale: int, session: Session, tables: Sequence[PlayedTable]
) -> tuple[Bulletin, ...]:
    """Return the posts with each player's points at every table of the session that has a result; empty without one."""
    played = [table for table in tables if table.newest]
    if not played:
        return ()
    report = report_of(reader, scale, played)
    return render_bulletins(report, lambda: [title_of(session), *session_lines(played, scale)])


def report_of(reader: Reader, scale: int, tables: Sequence[PlayedTable], after: Hanchan | None = None) -> BulletinFacts:
    """Collect what a post says besides the result: standings of the blocks played in, and the next hanchan.

    `after` is the hanchan the post is about; the next one is then looked for behind it at the same table.
    """
    blocks = {table.table_session.block_id: table.table_session.block for table in tables}
    stages = {block.stage_id: block.stage for block in blocks.values()}
    standings = [row for stage in stages.values() for row in block_tables(reader, stage) if row.block.pk in blocks]
    return BulletinFacts(reader, scale, tables, standings, next_match(reader, tables[-1].table_session, after))


def render_bulletins(report: BulletinFacts, result: Callable[[], list[str]]) -> tuple[Bulletin, ...]:
    """Render the post in every language, the active language first.

    `result` returns the lines of the result itself; it is called once for each language with that language active.
    """
    here = translation.get_language()
    found = []
    for language, name in sorted(settings.LANGUAGES, key=lambda each: each[0] != here):
        with translation.override(language):
            found.append(Bulletin(language, name, fit_to_post(heading(report.reader.competition, result()), report)))
    return tuple(found)


def fit_to_post(result: Sequence[str], report: BulletinFacts) -> str:
    """Join the result with as many of the other lines as fit into a post."""
    totals, upcoming = list(total_lines(report)), list(next_lines(report.upcoming))
    texts = ["\n".join([*result, *rest]) for rest in ([*totals, *upcoming], upcoming, [])]
    # Social media count wide letters twice. The last text is the bare result, which is returned even if it is too long.
    return next((text for text in texts if text_width(text) <= LONGEST), texts[-1])


def heading(competition: Competition, result: Sequence[str]) -> list[str]:
    """Prefix the first line of the result with the competition's name in brackets."""
    first, *rest = result
    name = _("[%(competition)s]") % {"competition": title_of(competition)}
    return [f"{name} {first}", *rest]


def hanchan_lines(played: PlayedHanchan, scale: int) -> Iterator[str]:
    """Yield a line for each seat by place: name, score and points."""
    for seat in played.by_place:
        points = points_text(seat.points, scale, plus=True)
        yield f"{place_text(seat.place)} {sitter_name(seat)} {score_text(seat.final_score)} ({points})"


def sum_lines(table: PlayedTable, scale: int) -> Iterator[str]:
    """Yield a line for each player with their points summed over the table's hanchan, highest first."""
    for entrant, points in points_by_entrant(table):
        yield f"{person_name(entrant.player)} {points_text(points, scale, plus=True)}"


def session_lines(tables: Sequence[PlayedTable], scale: int) -> Iterator[str]:
    """Yield a line for each table with its players' sums."""
    for table in tables:
        row = table.table_session
        name = " ".join(part for part in (title_of(row.block), table_name(row.table)) if part)
        yield f"{name}: {_(', ').join(sum_lines(table, scale))}"


def points_by_entrant(table: PlayedTable) -> list[tuple[Entrant, int]]:
    """Return each entrant with the points summed over the table's hanchan, highest first."""
    points: defaultdict[int, int] = defaultdict(int)
    people: dict[int, Entrant] = {}
    for played in table.hanchan:
        for seat in played.results:
            people[seat.entrant_id] = seat.entrant
            points[seat.entrant_id] += seat.points
    return [(people[key], points[key]) for key in sorted(people, key=lambda key: -points[key])]


def total_lines(report: BulletinFacts) -> Iterator[str]:
    """Yield a line for each block with the current ranks and totals of the players in the result."""
    played = {seat.entrant_id for table in report.tables for game in table.hanchan for seat in game.results}
    for table in report.standings:
        rows = list(ranked(table, played, report.scale))
        if rows:
            yield _("Totals in %(block)s: %(rows)s") % {"block": title_of(table.block), "rows": _(", ").join(rows)}


def ranked(table: BlockTable, played: Collection[int], scale: int) -> Iterator[str]:
    """Yield rank, name and total of the entrants in `played`, in the order of the standings."""
    for line in table.lines:
        row = line.standing
        if row.entrant_id in played:
            total = points_text(row.total, scale, plus=True)
            outside = outside_text(row.adjustment, row.credited, scale)
            rank = rank_text(row.rank) if row.is_ranked else "–"
            yield f"{rank} {person_name(row.entrant.player)} {total}{f' ({outside})' if outside else ''}"


def next_lines(upcoming: Hanchan | None) -> Iterator[str]:
    """Yield a line that names the next hanchan; with its start time if it is the first of its table."""
    if upcoming is None:
        return
    starts_at = upcoming.table_session.starts_at
    when = moment_text(starts_at) if starts_at and upcoming.round == 1 else ""
    yield " ".join(part for part in (_("Next: %(hanchan)s") % {"hanchan": game_name(upcoming)}, when) if part)


def next_match(reader: Reader, row: TableSession, after: Hanchan | None = None) -> Hanchan | None:
    """Return the next hanchan without a result: at this table, else in its block, else in the competition.

    Return None if no hanchan is left.
    """
    rows = (
        reader.hanchan()
        .exclude(state=Hanchan.State.ABANDONED)
        .exclude(table_session__is_cancelled=True)
        .exclude(pk__in=reader.sheets().values("hanchan"))
        .select_related("table_session__session", "table_session__block", "block")
        .order_by("table_session__session__number", "table_session__order", "round")
    )
    # Results may come in out of order: a gap before `after` at the same table is not the next game.
    later = rows if after is None else rows.exclude(table_session=row, round__lt=after.round)
    return later.filter(table_session=row).first() or rows.filter(block=row.block).first() or rows.first()
