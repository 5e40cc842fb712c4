"""A day of a thousand games with corrections and merges: the close, the settlements and a rebuild agree.

In the suite the day has 200 games, in `make fuzz` a thousand.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from league.models import Competition, Entrant, Hanchan, Player, Sitting
from league.selectors.parlour.board import running
from league.services.parlour.people import add_guest, enter_guest
from league.services.parlour.sittings import Guest, SittingPlan, join, open_sitting
from league.services.results.batches import Incoming, take_results
from league.services.results.entry import SeatEntry, SheetEntry
from tests.factories import SYSTEM
from tests.fuzz.examples import ASKED
from tests.league import parlours

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GAMES = 1000 if ASKED else 200
BOOKS = ("banchi3", "kansai3")
TABLES, SHIFTS, PEOPLE, PLAYERS = 8, 5, 72, 3
CORRECTIONS, MERGES = 20, 3
DAY = dt.date(2026, 11, 20)
OPENS = parlours.at(9)


@dataclass
class House:
    """A parlour with two rule books and eight tables, where five shifts of guests play a day's games."""

    random: Random = field(default_factory=lambda: Random(20261120))
    books: list[Competition] = field(default_factory=list)
    people: list[Player] = field(default_factory=list)
    sittings: list[Sitting] = field(default_factory=list)
    played: list[Hanchan] = field(default_factory=list)

    def open(self) -> None:
        """Open all tables, enter all guests."""
        self.books = [parlours.parlour(book) for book in BOOKS]
        self.people = [add_guest(competition=self.books[0], name=f"客{n}", by=SYSTEM).player for n in range(PEOPLE)]
        self.sittings = [
            open_sitting(competition=self.book(table), plan=SittingPlan(table=str(table), at=OPENS), by=SYSTEM)
            for table in range(TABLES)
        ]

    def book(self, table: int) -> Competition:
        """Return the rule book of a table."""
        return self.books[table % len(self.books)]

    def on_chair(self, shift: int, table: int, chair: int) -> Player:
        """Return the guest on a chair in a shift; a third of them comes back later."""
        return self.people[(shift * TABLES * PLAYERS + table * PLAYERS + chair) % PEOPLE]

    def at(self, shift: int, minutes: int = 0) -> dt.datetime:
        """Return a moment of a shift; each lasts two hours."""
        return OPENS + dt.timedelta(hours=2 * shift, minutes=minutes)

    def play_shift(self, shift: int) -> None:
        """Seat the shift's guests, play their games, and let them leave."""
        for table, sitting in enumerate(self.sittings):
            for chair in range(PLAYERS):
                player = self.on_chair(shift, table, chair)
                entrant = enter_guest(competition=self.book(table), player=player, by=SYSTEM)
                join(sitting=sitting, seat=chair, guest=Guest(entrant=entrant), by=SYSTEM, at=self.at(shift))
        for book in self.books:
            tables = [sitting for table, sitting in enumerate(self.sittings) if self.book(table) == book]
            self.play(book, tables)
        for sitting in self.sittings:
            for seat in running(sitting).seated:
                self.leaves(seat.entrant, shift)

    def play(self, book: Competition, tables: Sequence[Sitting]) -> None:
        """Record this shift's games of a rule book, all in one batch."""
        here = [running(sitting) for sitting in tables]
        number = Hanchan.objects.filter(block__competition=book).count()
        rows = [
            Hanchan(
                table_session=table.sitting.table_session,
                block_id=table.sitting.table_session.block_id,
                round=table.next_round + game,
                number=number + place * (GAMES // TABLES // SHIFTS) + game + 1,
                rules=table.in_force,
            )
            for place, table in enumerate(here)
            for game in range(GAMES // TABLES // SHIFTS)
        ]
        Hanchan.objects.bulk_create(rows)
        seated = {table.sitting.table_session_id: [seat.entrant for seat in table.seated] for table in here}
        ledger = here[0].rules.entered_ledgers[0].key
        incoming = [Incoming(row, self.entry(seated[row.table_session_id], row.round, ledger)) for row in rows]
        take_results(competition=book, incoming=incoming, by=SYSTEM)
        self.played += rows

    def entry(self, people: Sequence[Entrant], first: int, ledger: str) -> SheetEntry:
        """Return a random result; the first dealer moves on by one chair a game."""
        scores = [self.random.randrange(1, 60) * 1000, self.random.randrange(1, 40) * 1000]
        chips = [self.random.randrange(-20, 20) * 100, self.random.randrange(-20, 20) * 100]
        seats = [people[(first + seat) % PLAYERS] for seat in range(PLAYERS)]
        return SheetEntry(
            seats=tuple(
                SeatEntry(each.pk, each.player_id, score)
                for each, score in zip(seats, (*scores, 105000 - sum(scores)), strict=True)
            ),
            carried={ledger: (*chips, -sum(chips))},
        )
