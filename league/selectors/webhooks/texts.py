"""Events of a competition as texts for people: a result, a session's totals, what each player needs, a reminder.

Each text is in one language and in the competition's time zone, holds what its reader may know at this moment, and ends
with the address where more stands. Long lists are cut, and say so: chat services limit the length of a message.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Block, Hanchan, TableSession
from league.platform.site_url import absolute_url
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedTable, played_tables
from league.selectors.results.bulletin import hanchan_lines, next_lines, next_match, session_lines
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.seasons.series_places import tier_names
from league.selectors.standings.conditions import BlockConditions, conditions_of, elsewhere_text
from league.selectors.standings.tables import block_tables, blocks_of
from league.wording.formatting import moment_text, points_text, rank_text
from league.wording.messages import destination_label
from league.wording.names import Names, game_name, names_of, person_name, table_title, title_of
from league.wording.standings import conditions as words

MOST_LINES = 16
"""The lines of a list; a block of the usual sizes is shown whole."""

TextLines = Callable[[Reader, int], Iterator[str]]


def text_for_people(reader: Reader, event: str, pk: int, language: str) -> str:
    """Return the text about an event and the row it is about; empty if there is nothing to tell (any more).

    `pk` is the hanchan, session or block that the event names, and 0 for a test message.
    """
    if reader.guards_guests or event not in TEXTS:
        return ""
    competition = reader.competition
    with translation.override(language), timezone.override(ZoneInfo(competition.time_zone)):
        lines = list(TEXTS[event](reader, pk))
        if not lines:
            return ""
        first, *rest = lines
        name = _("[%(competition)s]") % {"competition": title_of(competition)}
        return "\n".join([f"{name} {first}", *rest])


def result_lines(reader: Reader, pk: int) -> Iterator[str]:
    """Yield the result of a hanchan, its block's totals, and the game that follows."""
    table, hanchan = table_of_hanchan(reader, pk)
    played = next((each for each in table.hanchan if each.hanchan.pk == pk and each.sheet), None) if table else None
    if table is None or hanchan is None or played is None:
        return
    yield game_name(hanchan)
    yield from hanchan_lines(played, scale_of(reader))
    yield from next_lines(next_match(reader, table.table_session, hanchan))
    yield absolute_url("pages:table", reader.competition.slug, table.table_session.pk)


def corrected_lines(reader: Reader, pk: int) -> Iterator[str]:
    """Yield the corrected result of a hanchan."""
    for place, line in enumerate(result_lines(reader, pk)):
        yield line if place else _("Corrected: %(result)s") % {"result": line}


def voided_lines(reader: Reader, pk: int) -> Iterator[str]:
    """Yield that a result was taken back; nothing if the hanchan has another by now."""
    table, hanchan = table_of_hanchan(reader, pk)
    if table is None or hanchan is None or any(each.hanchan.pk == pk and each.sheet for each in table.hanchan):
        return
    yield _("The result was taken back: %(game)s") % {"game": game_name(hanchan)}
    yield absolute_url("pages:table", reader.competition.slug, table.table_session.pk)


def table_of_hanchan(reader: Reader, pk: int) -> tuple[PlayedTable | None, Hanchan | None]:
    """Return the table and the hanchan of a key, as far as the reader may know them."""
    rows = reader.hanchan().select_related("table_session__session", "table_session__block", "block")
    hanchan = rows.filter(pk=pk).first()
    return (played_tables(reader, [hanchan.table_session])[0], hanchan) if hanchan else (None, None)


def session_text_lines(reader: Reader, pk: int) -> Iterator[str]:
    """Yield the points of a session by table, and the standings of the blocks that played."""
    rows = reader.table_sessions().filter(session=pk, is_cancelled=False).select_related("session", "block__stage")
    tables = [table for table in played_tables(reader, list(rows.order_by("order", "pk"))) if table.newest]
    if not tables:
        return
    scale = scale_of(reader)
    yield title_of(tables[0].table_session.session)
    yield from cut(list(session_lines(tables, scale)))
    yield from standing_lines(reader, {table.table_session.block_id for table in tables}, scale)
    yield absolute_url("pages:home", reader.competition.slug)


def standing_lines(reader: Reader, blocks: set[int], scale: int) -> Iterator[str]:
    """Yield the standings of these blocks, one entrant to a line."""
    for table in block_tables(reader, with_slots=False):
        if table.block.pk in blocks and not table.is_empty:
            yield ""
            yield title_of(table.block)
            rows = [line.standing for line in table.lines]
            yield from cut(
                [
                    f"{rank_text(row.rank) if row.is_ranked else '–'} {person_name(row.entrant.player)} "
                    f"{points_text(row.total, scale, plus=True)}"
                    for row in rows
                ]
            )


def last_hanchan_lines(reader: Reader, pk: int) -> Iterator[str]:
    """Yield what each player of a block needs in the last hanchan, for each place it can lead to."""
    block = next((row for row in blocks_of(reader) if row.pk == pk), None)
    found = next(iter(conditions_of(reader, block=block)), None) if block else None
    # Games may be left that are not scheduled yet.
    if found is None or found.hanchan_left != 1:
        return
    yield _("%(block)s before the last hanchan") % {"block": title_of(found.block)}
    names = names_of(
        Block.objects.filter(competition=reader.competition).select_related("stage"),
        tiers=tier_names(reader.competition),
    )
    for target in found.targets:
        yield ""
        yield destination_label(target.target.destination, names)
        yield from cut(list(need_lines(found, names, found.targets.index(target))))
    yield absolute_url("pages:conditions", reader.competition.slug)


def need_lines(found: BlockConditions, names: Names, number: int) -> Iterator[str]:
    """Yield the state of each player for one target, and the conditions of those for whom it is open."""
    target, players = found.targets[number].target, found.targets[number].players
    people: Mapping[Hashable, str] = {key: person_name(row.player) for key, row in found.people.items()}
    goal = words.goal_text(
        target.destination, destination_label(target.destination, names), is_last=target.is_last_to_go_on
    )
    for each in players:
        elsewhere = elsewhere_text(found, each.needs.hangs_on, people) if each.needs else ""
        context = words.SentenceContext(people, elsewhere, goal)
        said = [words.sentence_text(sentence, context) for sentence in each.sentences]
        state = words.status_text(each.status, is_last=target.is_last_to_go_on)
        total = points_text(each.ranked.total, found.scale, plus=True)
        yield f"{person_name(each.entrant.player)} ({total}): {' '.join(said) or state}"


def soon_lines(reader: Reader, pk: int) -> Iterator[str]:
    """Yield when and where a session begins, and who sits at which table."""
    rows = reader.table_sessions().filter(session=pk, is_cancelled=False).exclude(starts_at=None)
    tables = list(rows.select_related("session", "block__stage").order_by("starts_at", "order", "pk"))
    if not tables:
        return
    session, first = tables[0].session, tables[0]
    place = first.venue if all(row.venue == first.venue for row in tables) else ""
    begins = moment_text(first.starts_at) if first.starts_at else ""
    yield " ".join(filter(None, (title_of(session), begins, place)))
    yield from cut([line for table in played_tables(reader, tables) for line in table_lines(table, first)])
    yield absolute_url("pages:session", reader.competition.slug, session.number)


def table_lines(table: PlayedTable, first: TableSession) -> Iterator[str]:
    """Yield a table with its players, and its time where it begins later than the first."""
    row = table.table_session
    people = _(", ").join(person_name(seat.entrant.player) for seat in table.entrants)
    at = moment_text(row.starts_at) if row.starts_at and row.starts_at != first.starts_at else ""
    name = " ".join(filter(None, (table_title(row), at)))
    yield f"{name}: {people}" if people else name


def ping_lines(reader: Reader, _pk: int) -> Iterator[str]:
    """Yield the text of a test message."""
    yield _("This is a test: messages about this competition arrive here.")
    yield absolute_url("pages:home", reader.competition.slug)


def cut(lines: Sequence[str]) -> Iterator[str]:
    """Yield at most `MOST_LINES` lines, then how many more there are."""
    yield from lines[:MOST_LINES]
    if left := len(lines) - MOST_LINES if len(lines) > MOST_LINES else 0:
        yield ngettext("and %(number)s more", "and %(number)s more", left) % {"number": left}


def scale_of(reader: Reader) -> int:
    """Return the scale of the points that are ranked by."""
    return ruleset_of(rules_of(reader)).ranking_ledger.scale


TEXTS: Mapping[str, TextLines] = {
    "result.confirmed": result_lines,
    "result.corrected": corrected_lines,
    "result.voided": voided_lines,
    "session.finished": session_text_lines,
    "block.last_hanchan": last_hanchan_lines,
    "session.soon": soon_lines,
    "ping": ping_lines,
}
"""The texts by the event's name (`league.services.webhooks.events`)."""
