"""Pages of sessions, tables and hanchan: schedule, results, and the settlement of each game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Hanchan, HanchanSeat, Pairing, Player, SeatResult, Session, SlotState
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import (
    corrections_of,
    hanchan_of,
    stamp_of,
    table_session_of,
)
from league.selectors.competitions.schedule import (
    PlayedHanchan,
    PlayedTable,
    SessionTables,
    TableGame,
    hide_states,
    played_tables,
    session_tables,
)
from league.selectors.competitions.seating.draws import drawn_in
from league.selectors.competitions.seating.pairing import pairings_in
from league.selectors.competitions.seating.rests import not_played, rests_of
from league.selectors.live.replay import has_replay, with_replay
from league.selectors.results.bulletin import bulletins_of_hanchan, bulletins_of_session, bulletins_of_table
from league.selectors.results.corrections import explained_corrections
from league.selectors.rulebooks.comparison import LinesOfCause
from league.selectors.rulebooks.rules_in_force import format_of, ruleset_of
from league.selectors.standings.progress import ProgressStep, steps_around
from league.selectors.standings.published import outcome_of, standings_of
from league.views.base import PageData, competition_page, list_page, show
from league.views.competitions.session_list import (
    MOST_TABLES,
    RoundTables,
    found_members,
    found_sessions,
    listed_sessions,
)
from league.views.live.kyoku_lines import game_log, has_game_log
from league.web.long_lists import Wanted
from league.wording.messages import wind_name
from league.wording.names import title_in
from scoring.lines import CHAMPION
from scoring.ruleset import Ledger, Ruleset
from scoring.settlement import LineCause


@list_page()
def sessions(request: HttpRequest, reader: Reader, *, wanted: Wanted) -> HttpResponse:
    """Show all sessions with their tables."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    whole = session_tables(reader)
    members = found_members(reader, whole, wanted) if shown.has_teams else ()
    listed = found_sessions(whole, wanted, members)
    seated = {table.table_session.block_id for each in whole for table in each.tables}
    return show(
        request,
        "competitions/schedule/sessions.html",
        shown,
        tab="sessions",
        wanted=wanted,
        **searched(whole, listed, wanted),
        found_members=members,
        sessions=listed_sessions(listed, wanted),
        seated=[block for block in shown.blocks if block.pk in seated],
        draws=drawn_in(reader),
        pairings=pairings_in(reader),
        stamp=stamp_of(reader),
    )


def _pairings_among(reader: Reader, tables: Sequence[PlayedTable], hanchan: Hanchan | None = None) -> list[Pairing]:
    """Return the pairings by which these tables, or one hanchan of them, were seated."""
    shown = {each.hanchan.pk for table in tables for each in table.hanchan} if hanchan is None else {hanchan.pk}
    return [row for row in pairings_in(reader) if any(table["hanchan"] in shown for table in row.tables)]


def searched(whole: Sequence[SessionTables], found: Sequence[SessionTables], wanted: Wanted) -> dict[str, object]:
    """Return the context of the search for tables by player; a search is answered in a short list too."""
    count = sum(len(each.tables) for each in whole)
    return {
        "all": count,
        "found": sum(len(each.tables) for each in found),
        "has_long_list": count > MOST_TABLES or bool(wanted.text),
    }


@list_page()
def session(request: HttpRequest, reader: Reader, number: int, *, wanted: Wanted) -> HttpResponse:
    """Show one session: its tables with all results."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    row = Session.objects.filter(competition=reader.competition, number=number).first()
    found = session_tables(reader, row) if row else ()
    if not found:
        raise Http404(_("There is no such session."))
    members = found_members(reader, found[:1], wanted) if shown.has_teams else ()
    shown_tables = found_sessions(found[:1], wanted, members) or [replace(found[0], tables=())]
    listed = listed_sessions(shown_tables, wanted)[0]
    return show(
        request,
        "competitions/schedule/session.html",
        shown,
        tab="sessions",
        session=found[0].session,
        wanted=wanted,
        **searched(found[:1], shown_tables, wanted),
        found_members=members,
        bulletins=bulletins_of_session(reader, shown.ruleset.ranking_ledger.scale, found[0].session, found[0].tables),
        rounds=[ShownRound.of(each) for each in listed.rounds],
        is_folded=listed.is_folded,
        rests=rests_of(reader, found[0].tables),
        not_played=not_played(reader, found[0].tables),
        pairings=_pairings_among(reader, found[0].tables),
        stamp=stamp_of(reader),
    )


@competition_page
def table(request: HttpRequest, reader: Reader, key: int) -> HttpResponse:
    """Show one table session: its hanchan, and each player's points."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    row = table_session_of(reader, key)
    if row is None:
        raise Http404(_("There is no such table."))
    played = played_tables(reader, [row])[0]
    return show(
        request,
        "competitions/schedule/table.html",
        shown,
        tab="sessions",
        table=TableSums.of(played),
        with_hands={game.hanchan.pk for game in played.hanchan if has_game_log(game)},
        replayed=with_replay(reader, played.hanchan),
        bulletins=bulletins_of_table(reader, shown.ruleset.ranking_ledger.scale, played),
        session=row.session,
        corrections=corrections_of(reader, [each.hanchan for each in played.hanchan]),
        stamp=stamp_of(reader),
    )


@competition_page
def hanchan(request: HttpRequest, reader: Reader, key: int) -> HttpResponse:
    """Show one hanchan: seats, scores, places, and the settlement line by line."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    row = hanchan_of(reader, key)
    if row is None:
        raise Http404(_("There is no such hanchan."))
    hide_states(reader, [row])
    table_session = row.table_session
    played_table = played_tables(reader, [table_session])[0]
    games = played_table.hanchan
    played = next(each for each in games if each.hanchan.pk == row.pk)
    ruleset = ruleset_of(row.rules, played.sheet.options if played.sheet else row.options)
    return show(
        request,
        "competitions/schedule/hanchan.html",
        shown,
        tab="sessions",
        hanchan=row,
        session=table_session.session,
        table_session=table_session,
        games=games,
        played=played,
        seats=seats_of(played, ruleset),
        lines=result_lines(reader, shown, row, seats_of(played, ruleset)) if played.sheet else (),
        champion=title_won(reader, row),
        neighbours=neighbours_of(games, row),
        pairings=_pairings_among(reader, [played_table], row),
        ledgers=[LedgerSheet.of(ledger, played.results) for ledger in ruleset.ledgers] if played.sheet else [],
        ruleset=ruleset,
        bulletins=bulletins_of_hanchan(reader, shown.ruleset.ranking_ledger.scale, played_table, played),
        corrections=explained_corrections(reader, row),
        log=game_log(reader, row, played),
        has_replay=has_replay(reader, row, played.sheet),
        stamp=stamp_of(reader),
    )


def refuse_if_closed(reader: Reader) -> None:
    """Raise Http404 for an open table, whose games are not public."""
    if reader.guards_guests:
        raise Http404(_("The games of this table are not public."))


@dataclass(frozen=True, slots=True)
class TableSums:
    """A table with each player's points by hanchan and in total."""

    played: PlayedTable
    people: tuple[TablePerson, ...]

    @classmethod
    def of(cls, played: PlayedTable) -> TableSums:
        """Return the players in the order of their points, or of their seats before the first result."""
        people = {seat.entrant_id: seat.entrant for each in played.hanchan for seat in (each.results or each.planned)}
        rows = [TablePerson.of(entrant, played.hanchan) for entrant in people.values()]
        return cls(played, tuple(sorted(rows, key=lambda row: -row.total)))


@dataclass(frozen=True, slots=True)
class ShownRound:
    """The tables of a round with their points, the games with a result, and the tables still without."""

    tables: RoundTables
    sums: tuple[TableSums, ...]
    games: tuple[TableGame, ...]
    awaited: RoundTables

    @classmethod
    def of(cls, tables: RoundTables) -> ShownRound:
        """Return the round of a session."""
        played = tables.tables
        return cls(
            tables,
            tuple(TableSums.of(table) for table in played),
            tuple(TableGame(table, table.newest) for table in played if table.newest),
            replace(tables, tables=tuple(table for table in played if not table.newest)),
        )


@dataclass(frozen=True, slots=True)
class TablePerson:
    """A player at a table: results by hanchan, None where there is no result."""

    entrant: Entrant
    results: tuple[SeatResult | None, ...]
    planned: tuple[HanchanSeat, ...]
    """The seats in hanchan without a result, each player once."""
    total: int
    has_played: bool

    @classmethod
    def of(cls, entrant: Entrant, hanchan: Sequence[PlayedHanchan]) -> TablePerson:
        """Return the entrant's results in these hanchan."""
        results = tuple(
            next((seat for seat in each.results if seat.entrant_id == entrant.pk), None) for each in hanchan
        )
        played = [result for result in results if result]
        coming = {
            seat.player_id: seat
            for each in hanchan
            if not each.sheet
            for seat in each.planned
            if seat.entrant_id == entrant.pk
        }
        return cls(entrant, results, tuple(coming.values()), sum(result.points for result in played), bool(played))


@dataclass(frozen=True, slots=True)
class SeatOf:
    """A seat of a hanchan, as planned or as played, with its wind if seats are known."""

    wind: str
    sat: HanchanSeat | SeatResult

    @property
    def seat(self) -> int:
        """Return its number, 0 for the first dealer."""
        return self.sat.seat

    @property
    def entrant(self) -> Entrant:
        """Return the entrant for whom it counts."""
        return self.sat.entrant

    @property
    def player(self) -> Player:
        """Return the one who sits."""
        return self.sat.player

    @property
    def result(self) -> SeatResult | None:
        """Return the result; None before there is one."""
        return self.sat if isinstance(self.sat, SeatResult) else None


def seats_of(played: PlayedHanchan, ruleset: Ruleset) -> tuple[SeatOf, ...]:
    """Return the seats from the first dealer on."""
    winds = [wind_name(wind) for wind in ruleset.setup.seat_winds]
    known = played.sheet is None or played.sheet.facts.get("are_seats_known", True)
    return tuple(SeatOf(winds[seat.seat] if known else "", seat) for seat in (played.results or played.planned))


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A seat's result with the total in the block after the round, and the ranks risen by it; None if not known."""

    seat: SeatOf
    after: ProgressStep | None
    risen: int

    @property
    def fallen(self) -> int:
        """Return the number of ranks fallen."""
        return -self.risen


def result_lines(reader: Reader, shown: PageData, row: Hanchan, seats: Sequence[SeatOf]) -> tuple[ResultLine, ...]:
    """Return the seats of a hanchan with a result, first place first."""
    # The games of an open table have no order that a rank could follow.
    is_league = reader.competition.kind == Competition.Kind.LEAGUE
    steps = steps_around(reader, row, format_of(shown.rules), shown.ruleset.players) if is_league else ()
    before, after = steps or ({}, {})

    def line(seat: SeatOf) -> ResultLine:
        was, now = before.get(seat.entrant.pk), after.get(seat.entrant.pk)
        return ResultLine(seat, now, was.rank - now.rank if was and now and row.number > 1 else 0)

    return tuple(line(seat) for seat in sorted(seats, key=lambda seat: seat.result.place if seat.result else 0))


def title_won(reader: Reader, row: Hanchan) -> Entrant | None:
    """Return the champion if the title is certain and this is the last hanchan of the final; else None."""
    outcome = outcome_of(reader)
    if outcome is None or outcome.champion is None or outcome.champion_state != SlotState.State.CERTAIN:
        return None
    is_last = row.number == row.block.stage.hanchan_count
    played = standings_of(reader, blocks=[row.block]) if is_last else []
    won = any(line.entrant_id == outcome.champion_id and line.destination == CHAMPION for line in played)
    return outcome.champion if won else None


def neighbours_of(games: Sequence[PlayedHanchan], row: Hanchan) -> tuple[Hanchan | None, Hanchan | None]:
    """Return the hanchan before and after this one at its table."""
    at = next(place for place, game in enumerate(games) if game.hanchan.pk == row.pk)
    return games[at - 1].hanchan if at else None, games[at + 1].hanchan if at + 1 < len(games) else None


@dataclass(frozen=True, slots=True)
class LedgerSheet:
    """The settlement in one ledger, row by row as the rule book computes it."""

    title: str
    ledger: Ledger
    rows: tuple[LinesOfCause, ...]
    totals: tuple[int, ...]

    @classmethod
    def of(cls, ledger: Ledger, results: Sequence[SeatResult]) -> LedgerSheet:
        """Return rows in the order of the settlement; lines with the same cause and clause share a row."""
        amounts: dict[tuple[str, str, int | None], dict[int, Fraction]] = {}
        for seat in results:
            for line in seat.lines:
                if line["ledger"] == ledger.key:
                    key = line["cause"], line["clause"], line["params"].get("floating")
                    row = amounts.setdefault(key, {})
                    row[seat.seat] = row.get(seat.seat, Fraction(0)) + Fraction(line["amount"])
        rows = (
            LinesOfCause(ledger.key, cause, clause, tuple(row.get(seat.seat) for seat in results), floating)
            for (cause, clause, floating), row in amounts.items()
        )
        order = {cause.value: place for place, cause in enumerate(LineCause)}
        return cls(
            title=title_in(ledger.title),
            ledger=ledger,
            rows=tuple(sorted(rows, key=lambda row: order.get(row.cause, len(order)))),
            totals=tuple(seat.totals.get(ledger.key, 0) for seat in results),
        )
