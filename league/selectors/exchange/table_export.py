"""Export of standings, results, roster and schedule as spreadsheet tables, as far as the reader may know them.

The column keys are those that `league.files.result_rows` reads, so an exported table can be imported again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.files.result_rows import WINDS
from league.files.writing_tables import Cell, Head, Sheet
from league.models import (
    Competition,
    Departure,
    Entrant,
    Hanchan,
    HanchanSeat,
    Player,
    SeatResult,
    Session,
    Standing,
    TableSession,
)
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan, played_tables, sessions_shown
from league.selectors.exchange.team_export import individuals_sheet, members_sheet
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.seasons.members import has_teams
from league.selectors.standings.tables import block_tables
from league.wording.formatting import points_text
from league.wording.names import title_of

PLACE = (
    Head("id", "対局ID"),
    Head("session", "節"),
    Head("date", "日時"),
    Head("block", "ブロック"),
    Head("table", "卓"),
    Head("hanchan", "回戦"),
)


class Export:
    """The tables of one competition for one reader."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.competition: Competition = reader.competition
        self.rules = ruleset_of(rules_at(self.competition))
        self.kinds: dict[str, Callable[[], Sheet]] = {
            "standings": self.standings,
            "results": self.results,
            "seats": self.seats,
            "roster": self.roster,
            "schedule": self.schedule,
        }
        if self.has_teams:
            self.kinds |= {
                "members": lambda: members_sheet(reader),
                "line-ups": self.line_ups,
                "individuals": lambda: individuals_sheet(reader, self.rules),
            }

    @cached_property
    def has_teams(self) -> bool:
        """True if teams play, whose members sit for them."""
        return has_teams(self.reader)

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone in which the competition is played."""
        return ZoneInfo(self.competition.time_zone)

    @cached_property
    def _merged(self) -> Mapping[int, Player]:
        """The player kept for each player whose entrant was merged into another one."""
        rows = Entrant.objects.filter(competition=self.competition).exclude(merged_into=None)
        rows = rows.select_related("merged_into__player")
        return {row.player_id: row.merged_into.player for row in rows if row.merged_into}

    def _person(self, player: Player) -> Player:
        """Return the player as the roster has them: one that was merged is the player kept."""
        return self._merged.get(player.pk, player)

    def points(self, amount: int) -> Decimal:
        """Return an amount of the ranking ledger as a decimal number."""
        # Decimal, not float: a spreadsheet must show the points with the ledger's own decimals.
        return Decimal(points_text(amount, self.rules.ranking_ledger.scale, "en").replace(",", ""))

    def standings(self) -> Sheet:
        """Return the standings of every block."""
        places = [Head(f"place{place}", f"{place}着") for place in range(1, self.rules.players + 1)]
        heads = (
            Head("block", "ブロック"),
            Head("rank", "順位"),
            Head("key", "キー"),
            Head("name", "名前"),
            Head("affiliation", "所属"),
            Head("points", "ポイント"),
            Head("carried", "持ち越し"),
            Head("adjustment", "調整"),
            Head("credited", "対局なし"),
            Head("played", "半荘数"),
            *places,
            Head("status", "状態"),
        )
        return Sheet(_("Standings"), heads, self._standing_rows())

    def _standing_rows(self) -> Iterator[Sequence[Cell]]:
        for table in block_tables(self.reader):
            for line in table.lines:
                row = line.standing
                counts = [*row.places, *(0 for _place in range(self.rules.players - len(row.places)))]
                yield (
                    title_of(table.block),
                    row.rank if row.is_ranked else "",
                    row.entrant.player.key,
                    row.entrant.player.name,
                    row.entrant.affiliation,
                    self.points(row.total),
                    self.points(row.carried),
                    self.points(row.adjustment),
                    self.points(row.credited),
                    row.played,
                    *counts[: self.rules.players],
                    departure_text(row),
                )

    def results(self) -> Sheet:
        """Return one row per hanchan with the player, score, place and points of each seat."""
        heads = [*PLACE]
        for seat, wind in enumerate(WINDS[: self.rules.players], start=1):
            heads += [*self._people(seat, wind), Head(f"score{seat}", f"{wind}家の点")]
            heads += [Head(f"place{seat}", f"{wind}家の順位"), Head(f"result{seat}", f"{wind}家のポイント")]
            heads += [Head(f"chonbo{seat}", f"{wind}家のチョンボ")]
            heads += [] if self.has_teams else [Head(f"substitute{seat}", f"{wind}家の代打")]
            heads += [
                Head(f"{ledger.key}{seat}", f"{wind}家の{ledger.title.ja}") for ledger in self.rules.entered_ledgers
            ]
        heads += [Head("kyoutaku", "供託"), Head("seats", "席順"), Head("revision", "版")]
        return Sheet(_("Results"), heads, self._result_rows())

    def _people(self, seat: int, wind: str) -> list[Head]:
        """Return the columns that name who sits: in a team league the team comes first."""
        team = [Head(f"team{seat}", f"{wind}家のチーム")] if self.has_teams else []
        return [*team, Head(f"player{seat}", f"{wind}家")]

    def _sits(self, seat: SeatResult | HanchanSeat) -> list[Cell]:
        """Return the cells of those columns; the member is empty while it is not announced."""
        own = self._person(seat.entrant.player).name
        return [own, _member(seat)] if self.has_teams else [own]

    def _result_rows(self) -> Iterator[Sequence[Cell]]:
        for table_session, played in self._hanchan():
            if played.sheet is None:
                continue
            cells = [cell for seat in sorted(played.results, key=_seat_of) for cell in self._seat_cells(seat, played)]
            known = 1 if played.sheet.facts.get("are_seats_known", True) else 0
            yield (*self._place(table_session, played), *cells, played.sheet.kyoutaku, known, played.sheet.revision)

    def _seat_cells(self, seat: SeatResult, played: PlayedHanchan) -> Iterator[Cell]:
        yield from (*self._sits(seat), seat.score, seat.place, self.points(seat.points))
        yield seat.chonbo or None
        if not self.has_teams:
            yield self._person(seat.player).name if seat.is_substitute else None
        carried = played.sheet.facts.get("carried", {}) if played.sheet else {}
        for ledger in self.rules.entered_ledgers:
            amounts = carried.get(ledger.key, ())
            yield amounts[seat.seat] if seat.seat < len(amounts) else None

    def seats(self) -> Sheet:
        """Return one row per seat, for calculations in a spreadsheet."""
        heads = (
            *PLACE,
            Head("seat", "席"),
            Head("key", "キー"),
            *((Head("team", "チーム"),) if self.has_teams else (Head("player", "選手"),)),
            Head("sat", "着席者"),
            *((Head("sat_key", "選手キー"),) if self.has_teams else ()),
            Head("score", "点数"),
            Head("final_score", "最終点"),
            Head("place", "着順"),
            Head("points", "ポイント"),
            Head("chonbo", "チョンボ"),
        )
        return Sheet(_("Results by seat"), heads, self._seat_rows())

    def _seat_rows(self) -> Iterator[Sequence[Cell]]:
        for table_session, played in self._hanchan():
            for seat in sorted(played.results, key=_seat_of):
                own = self._person(seat.entrant.player)
                yield (
                    *self._place(table_session, played),
                    WINDS[seat.seat],
                    own.key,
                    own.name,
                    self._person(seat.player).name,
                    *((seat.player.key,) if self.has_teams else ()),
                    seat.score,
                    seat.final_score,
                    seat.place,
                    self.points(seat.points),
                    seat.chonbo,
                )

    def roster(self) -> Sheet:
        """Return the entrants; member numbers are included for organizers only."""
        heads = [
            Head("key", "キー"),
            Head("name", "名前"),
            Head("name_kana", "よみ"),
            Head("name_romaji", "ローマ字"),
            Head("affiliation", "所属"),
            Head("country", "国・地域"),
        ]
        heads += [Head("number", "会員番号")] if self.reader.is_staff else []
        return Sheet(_("Roster"), heads, self._roster_rows())

    def _roster_rows(self) -> Iterator[Sequence[Cell]]:
        rows = Entrant.objects.filter(competition=self.competition, merged_into=None).select_related("player")
        # Streamed: an open table may have thousands of entrants.
        for entrant in rows.order_by("number").iterator(chunk_size=500):
            person = entrant.player
            said = (person.key, person.name, person.name_kana, person.name_romaji, entrant.affiliation, entrant.country)
            yield (*said, person.number) if self.reader.is_staff else said

    def schedule(self) -> Sheet:
        """Return every hanchan with its time, table and players."""
        heads = [*PLACE, Head("venue", "会場"), Head("state", "状態")]
        heads += [
            head for seat, wind in enumerate(WINDS[: self.rules.players], start=1) for head in self._people(seat, wind)
        ]
        return Sheet(_("Schedule"), heads, self._schedule_rows())

    def line_ups(self) -> Sheet:
        """Return one row per hanchan and team with the member announced, as far as one is.

        A secret line-up is in no table of any reader; only the archive has it.
        """
        heads = (
            *PLACE,
            Head("state", "状態"),
            Head("seat", "席"),
            Head("team_key", "チームキー"),
            Head("team", "チーム"),
            Head("key", "選手キー"),
            Head("player", "出場選手"),
        )
        return Sheet(_("Line-ups"), heads, self._line_up_rows())

    def _line_up_rows(self) -> Iterator[Sequence[Cell]]:
        for table_session, played in self._hanchan():
            state = self._state(table_session, played)
            for seat in sorted(played.results or played.planned, key=_seat_of):
                team, member = seat.entrant.player, _member(seat)
                key = seat.player.key if member else None
                yield (*self._place(table_session, played), state, WINDS[seat.seat], team.key, team.name, key, member)

    def _schedule_rows(self) -> Iterator[Sequence[Cell]]:
        for table_session, played in self._hanchan():
            state = self._state(table_session, played)
            names = [name for cells in self._planned(played) for name in cells]
            yield (*self._place(table_session, played), table_session.venue, state, *names)

    @staticmethod
    def _state(table_session: TableSession, played: PlayedHanchan) -> str:
        return _("cancelled") if table_session.is_cancelled else str(played.hanchan.get_state_display())

    def template(self) -> Sheet:
        """Return the hanchan without a result, with scheduled players and empty scores to fill in."""
        heads = [*PLACE]
        for seat, wind in enumerate(WINDS[: self.rules.players], start=1):
            heads += [*self._people(seat, wind), Head(f"score{seat}", f"{wind}家の点")]
            heads += [
                Head(f"{ledger.key}{seat}", f"{wind}家の{ledger.title.ja}") for ledger in self.rules.entered_ledgers
            ]
            heads += [Head(f"chonbo{seat}", f"{wind}家のチョンボ")]
        return Sheet(_("Results to enter"), [*heads, Head("kyoutaku", "供託")], self._template_rows())

    def _template_rows(self) -> Iterator[Sequence[Cell]]:
        blank = [None] * (2 + len(self.rules.entered_ledgers))
        for table_session, played in self._hanchan():
            if played.sheet or table_session.is_cancelled or played.hanchan.state == Hanchan.State.ABANDONED:
                continue
            seats = [cell for names in self._planned(played) for cell in (*names, *blank)]
            yield (*self._place(table_session, played), *seats, None)

    def _planned(self, played: PlayedHanchan) -> list[list[Cell]]:
        """Return who is planned for each seat, as far as the reader may know."""
        names = {seat.seat: self._sits(seat) for seat in played.planned}
        unknown: list[Cell] = [None] * (1 + self.has_teams)
        return [names.get(seat, unknown) for seat in range(self.rules.players)]

    def _hanchan(self) -> Iterator[tuple[TableSession, PlayedHanchan]]:
        """Yield every visible hanchan, one session at a time, so that a long season never fills memory."""
        for session in sessions_shown(self.reader):
            for table in played_tables(self.reader, list(self._tables(session))):
                for played in table.hanchan:
                    yield table.table_session, played

    def _tables(self, session: Session) -> QuerySet[TableSession]:
        return self.reader.table_sessions().filter(session=session).select_related("session", "block__stage")

    def _place(self, table_session: TableSession, played: PlayedHanchan) -> tuple[Cell, ...]:
        starts_at = table_session.starts_at
        return (
            played.hanchan.pk,
            table_session.session.number,
            f"{starts_at.astimezone(self.zone):%Y-%m-%d %H:%M}" if starts_at else None,
            title_of(table_session.block),
            table_session.table,
            played.hanchan.number,
        )


def departure_text(row: Standing) -> str:
    """Return whether an entrant has withdrawn or was disqualified; empty for those who play on."""
    return str(Departure.Kind(row.status).label) if row.status else ""


def _member(seat: SeatResult | HanchanSeat) -> str | None:
    """Return the member in a team's seat; None while it shows the team."""
    return None if seat.player_id == seat.entrant.player_id else seat.player.name


def _seat_of(seat: SeatResult | HanchanSeat) -> int:
    return seat.seat
