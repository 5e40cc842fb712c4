"""A result as a text to be posted (速報): who won, how the block stands now, what comes next; in both languages.

The one idea: posts are short. Sites count letters of Japanese twice; while a text is too long for that, the totals are
left out first, then what comes next. The result itself is never cut.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Hanchan, Session, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan, PlayedTable
from league.selectors.standings.tables import BlockTable, block_tables
from league.wording.formatting import moment_text, place_text, points_text, rank_text, score_text
from league.wording.names import person_name, table_name, title_of

LONGEST = 280
WIDE = ("W", "F", "A")


@dataclass(frozen=True, slots=True)
class Bulletin:
    """A text in one language."""

    language: str
    name: str
    """What the language calls itself."""
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a text is made from, the same for every language."""

    reader: Reader
    scale: int
    tables: Sequence[PlayedTable]
    standings: Sequence[BlockTable]
    upcoming: Hanchan | None


def bulletins_of_hanchan(reader: Reader, scale: int, table: PlayedTable, played: PlayedHanchan) -> tuple[Bulletin, ...]:
    """One hanchan's result; nothing before there is one."""
    if not played.sheet:
        return ()
    report = report_of(reader, scale, [table], after=played.hanchan)
    return written(report, lambda: [hanchan_title(played.hanchan), *hanchan_lines(played, scale)])


def bulletins_of_table(reader: Reader, scale: int, table: PlayedTable) -> tuple[Bulletin, ...]:
    """What everybody at the table took home; nothing before the first result."""
    if not table.newest:
        return ()
    report = report_of(reader, scale, [table])
    return written(report, lambda: [table_title(table.table_session), *sum_lines(table, scale)])


def bulletins_of_session(
    reader: Reader, scale: int, session: Session, tables: Sequence[PlayedTable]
) -> tuple[Bulletin, ...]:
    """What everybody took home at each table of the session that has a result."""
    played = [table for table in tables if table.newest]
    if not played:
        return ()
    report = report_of(reader, scale, played)
    return written(report, lambda: [title_of(session), *session_lines(played, scale)])


def report_of(reader: Reader, scale: int, tables: Sequence[PlayedTable], after: Hanchan | None = None) -> Report:
    """What is to be told besides the result."""
    blocks = {table.table_session.block_id: table.table_session.block for table in tables}
    stages = {block.stage_id: block.stage for block in blocks.values()}
    standings = [row for stage in stages.values() for row in block_tables(reader, stage) if row.block.pk in blocks]
    return Report(reader, scale, tables, standings, next_match(reader, tables[-1].table_session, after))


def written(report: Report, result: Callable[[], list[str]]) -> tuple[Bulletin, ...]:
    """The text in every language, the reader's first."""
    here = translation.get_language()
    found = []
    for language, name in sorted(settings.LANGUAGES, key=lambda each: each[0] != here):
        with translation.override(language):
            found.append(Bulletin(language, name, shortened(heading(report.reader.competition, result()), report)))
    return tuple(found)


def shortened(result: Sequence[str], report: Report) -> str:
    """The result with as much of the rest as fits into a post."""
    totals, upcoming = list(total_lines(report)), list(next_lines(report.upcoming))
    texts = ["\n".join([*result, *rest]) for rest in ([*totals, *upcoming], upcoming, [])]
    return next((text for text in texts if weight(text) <= LONGEST), texts[-1])


def weight(text: str) -> int:
    """How many letters a text counts: wide ones are two."""
    return sum(2 if unicodedata.east_asian_width(letter) in WIDE else 1 for letter in text)


def heading(competition: Competition, result: Sequence[str]) -> list[str]:
    """The competition stands before what the text is about."""
    first, *rest = result
    name = _("[%(competition)s]") % {"competition": title_of(competition)}
    return [f"{name} {first}", *rest]


def table_title(row: TableSession) -> str:
    """The session, the block and the table; the session is not said twice where it is called like the block."""
    session, block = title_of(row.session), title_of(row.block)
    return " ".join(part for part in (session if session != block else "", block, table_name(row.table)) if part)


def hanchan_title(row: Hanchan) -> str:
    """The table and the number of the hanchan."""
    return f"{table_title(row.table_session)} {_('Hanchan %(number)s') % {'number': row.number}}"


def hanchan_lines(played: PlayedHanchan, scale: int) -> Iterator[str]:
    """Everybody by place, with score and points."""
    for seat in played.by_place:
        points = points_text(seat.points, scale, plus=True)
        yield f"{place_text(seat.place)} {person_name(seat.entrant.player)} {score_text(seat.final_score)} ({points})"


def sum_lines(table: PlayedTable, scale: int) -> Iterator[str]:
    """Everybody with their points over the table's hanchan, the most first."""
    for entrant, points in sums(table):
        yield f"{person_name(entrant.player)} {points_text(points, scale, plus=True)}"


def session_lines(tables: Sequence[PlayedTable], scale: int) -> Iterator[str]:
    """A line for each table."""
    for table in tables:
        row = table.table_session
        name = " ".join(part for part in (title_of(row.block), table_name(row.table)) if part)
        yield f"{name}: {_(', ').join(sum_lines(table, scale))}"


def sums(table: PlayedTable) -> list[tuple[Entrant, int]]:
    """Everybody's points over the table's hanchan, the most first."""
    points: defaultdict[int, int] = defaultdict(int)
    people: dict[int, Entrant] = {}
    for played in table.hanchan:
        for seat in played.results:
            people[seat.entrant_id] = seat.entrant
            points[seat.entrant_id] += seat.points
    return [(people[key], points[key]) for key in sorted(people, key=lambda key: -points[key])]


def total_lines(report: Report) -> Iterator[str]:
    """How those who played stand in their block now."""
    played = {seat.entrant_id for table in report.tables for game in table.hanchan for seat in game.results}
    for table in report.standings:
        rows = list(ranked(table, played, report.scale))
        if rows:
            yield _("Totals in %(block)s: %(rows)s") % {"block": title_of(table.block), "rows": _(", ").join(rows)}


def ranked(table: BlockTable, played: Collection[int], scale: int) -> Iterator[str]:
    """Rank, name and total of each of them."""
    for line in table.lines:
        row = line.standing
        if row.entrant_id in played:
            total = points_text(row.total, scale, plus=True)
            yield f"{rank_text(row.rank)} {person_name(row.entrant.player)} {total}"


def next_lines(upcoming: Hanchan | None) -> Iterator[str]:
    """What comes next, and when."""
    if upcoming is None:
        return
    starts_at = upcoming.table_session.starts_at
    when = moment_text(starts_at) if starts_at and upcoming.round == 1 else ""
    yield " ".join(part for part in (_("Next: %(hanchan)s") % {"hanchan": hanchan_title(upcoming)}, when) if part)


def next_match(reader: Reader, row: TableSession, after: Hanchan | None = None) -> Hanchan | None:
    """The next hanchan without a result: at this table, else in the block, else in the competition."""
    rows = (
        reader.hanchan()
        .exclude(state=Hanchan.State.ABANDONED)
        .exclude(table_session__is_cancelled=True)
        .exclude(pk__in=reader.sheets().values("hanchan"))
        .select_related("table_session__session", "table_session__block", "block")
        .order_by("table_session__session__number", "table_session__order", "round")
    )
    later = rows if after is None else rows.exclude(table_session=row, round__lt=after.round)
    return later.filter(table_session=row).first() or rows.filter(block=row.block).first() or rows.first()
