"""The seats of a round of a session: by name, as players look for their seat, and by table."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from league.models import Entrant, Hanchan, HanchanSeat, Player, SeatResult, Session
from league.selectors.access.readers import Reader
from league.selectors.competitions.floor import current_round
from league.selectors.competitions.schedule import PlayedTable, played_tables
from league.selectors.competitions.seating.rests import Rests, rests_of
from league.selectors.people.search import folded
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.formatting import language_of
from league.wording.messages import wind_name
from league.wording.names import person_name

ROWS = {
    "あ": "あいうえおぁぃぅぇぉゔ",
    "か": "かきくけこゕゖ",
    "さ": "さしすせそ",
    "た": "たちつてとっ",
    "な": "なにぬねの",
    "は": "はひふへほ",
    "ま": "まみむめも",
    "や": "やゆよゃゅょ",
    "ら": "らりるれろ",
    "わ": "わゐゑをんゎ",
}
"""The rows of the kana table, as lists of names are ordered in Japanese."""
ROW_OF = {kana: row for row, kanas in ROWS.items() for kana in kanas}
OTHERS = "―"
"""The heading of names without a reading in kana or an initial in Latin letters."""


@dataclass(frozen=True, slots=True)
class PlayersSeat:
    """A player's seat in the round. `wind` is that of the first deal."""

    table: PlayedTable
    hanchan: Hanchan
    seat: HanchanSeat | SeatResult
    wind: str

    @property
    def entrant(self) -> Entrant:
        """Return the entrant for whom the seat counts."""
        return self.seat.entrant


@dataclass(frozen=True, slots=True)
class SeatTable:
    """A table with its seats, first dealer first; none while the round is not paired."""

    table: PlayedTable
    seats: tuple[PlayersSeat, ...]


@dataclass(frozen=True, slots=True)
class Letter:
    """The names under one heading of the list."""

    heading: str
    seats: tuple[PlayersSeat, ...]


@dataclass(frozen=True, slots=True)
class SeatList:
    """The seats of a round of a session."""

    session: Session
    round: int
    rounds: tuple[int, ...]
    """All rounds of the session."""
    tables: tuple[SeatTable, ...]
    rests: tuple[Rests, ...]

    @property
    def seats(self) -> tuple[PlayersSeat, ...]:
        """Return all seats in the order of names in the reader's language."""
        found = [seat for table in self.tables for seat in table.seats]
        return tuple(sorted(found, key=lambda seat: (*_order(seat.seat.player), seat.entrant.number)))

    @property
    def letters(self) -> tuple[Letter, ...]:
        """Return the seats by name under their headings."""
        return letters_of(self.seats)

    @property
    def before(self) -> int:
        """Return the round whose results this one is paired after; 0 for the first round of the session."""
        return max((number for number in self.rounds if number < self.round), default=0)


def letters_of(seats: Sequence[PlayersSeat]) -> tuple[Letter, ...]:
    """Return seats in the order of names under their headings."""
    return tuple(Letter(heading, tuple(group)) for heading, group in groupby(seats, _heading))


def seat_list(reader: Reader, session: Session, number: int | None = None) -> SeatList | None:
    """Return the seats of a round, by default the first one with a game to be played.

    None if the session has no such round, or no game at all.
    """
    games = reader.hanchan().filter(table_session__session=session, table_session__is_cancelled=False)
    rounds = dict(games.exclude(state=Hanchan.State.ABANDONED).order_by().values_list("pk", "round"))
    if not rounds or number not in {None, *rounds.values()}:
        return None
    done = set(reader.sheets().filter(hanchan__in=games.order_by().values("pk")).values_list("hanchan", flat=True))
    chosen = number if number is not None else current_round(rounds, done)
    own = reader.table_sessions().filter(hanchan__in=[pk for pk, round_ in rounds.items() if round_ == chosen])
    tables = played_tables(reader, list(own.select_related("session", "block__stage").order_by("order")))
    shown = tuple(SeatTable(table, tuple(_seats(table, chosen))) for table in tables)
    return SeatList(session, chosen, tuple(sorted(set(rounds.values()))), shown, rests_of(reader, tables))


def _seats(table: PlayedTable, number: int) -> Iterator[PlayersSeat]:
    for played in table.hanchan:
        if played.hanchan.round == number:
            winds = ruleset_of(played.hanchan.rules).setup.seat_winds
            for seat in played.planned or played.results:
                yield PlayersSeat(table, played.hanchan, seat, wind_name(winds[seat.seat]))


def _order(player: Player) -> tuple[str, str]:
    reading = player.name_kana if language_of() == "ja" else ""
    text = folded(reading or person_name(player))
    return text, person_name(player)


def _heading(one: PlayersSeat) -> str:
    initial = unicodedata.normalize("NFD", _order(one.seat.player)[0][:1])[:1]
    if initial in ROW_OF:
        return ROW_OF[initial]
    return initial.upper() if initial.isascii() and initial.isalpha() else OTHERS
