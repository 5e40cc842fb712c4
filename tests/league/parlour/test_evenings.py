"""Four evenings of a parlour, from the first guest to the till, through the services: every figure to the yen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from league.models import Competition, Entrant, Hanchan, ResultSheet, Sitting, SittingSeat
from league.selectors.parlour.board import result_of, running, table_rules
from league.services.parlour.games import GameEntry, record_game
from league.services.parlour.people import add_guest, merge_players
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, join, leave, open_sitting
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from scoring.settlement import LineCause, settle
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlour.evenings import NAMES, OPENS, Evening, Toml, Walk

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ALL = ("extreme_score", "same_result_twice", "unusual_score", "seats_other_people")
PARTS = {
    "superbingo": {"chips_end": LineCause.PLACE_PAYMENT, "chips_bust": LineCause.TOBI},
    "banchi3": {},
    "kansai3": {"uma": LineCause.SINKING_UMA, "tobi_points": LineCause.TOBI},
    "boo": {"units_gross": LineCause.TOP_PAYMENT},
}
IN_POINTS = 1000
"""Parts of Kansai's points are written in table points, its totals in thousands."""


@dataclass
class ServiceCounter:
    """A clerk who calls the services; keeps what was seen on the way."""

    evening: Evening
    competition: Competition
    entrants: dict[str, Entrant] = field(default_factory=dict)
    games: dict[int, Hanchan] = field(default_factory=dict)
    seen: dict[tuple[int, int], ResultSheet] = field(default_factory=dict)
    """The result sheets by number and version of the game."""
    next_dealers: dict[tuple[int, int], int | None] = field(default_factory=dict)
    """The seat of a game that deals first in the next one by the rule book, by number and version of the game."""

    @classmethod
    def of(cls, evening: Evening) -> ServiceCounter:
        """Return the counter of a house with this rule book and its options."""
        competition = parlours.parlour(evening.name, name=evening.place, options=evening.options, day_starts_at=OPENS)
        return cls(evening, competition)

    @property
    def sitting(self) -> Sitting:
        """Return the only sitting of the evening."""
        return Sitting.objects.select_related("table_session__competition").get(
            table_session__competition=self.competition
        )

    def enter(self, entry: str, at: dt.datetime) -> None:
        """Add a guest to the house's list."""
        there = self.evening.entries[entry]
        self.entrants[entry] = add_guest(
            competition=self.competition, name=there["name"], name_kana=there["kana"], by=SYSTEM
        )

    def sit(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Seat a guest; the first one opens the table."""
        if not Sitting.objects.filter(table_session__competition=self.competition).exists():
            plan = SittingPlan(table=self.evening.table, at=at)
            open_sitting(competition=self.competition, plan=plan, by=SYSTEM)
        join(sitting=self.sitting, seat=chair, guest=Guest(entrant=self.entrants[entry]), by=SYSTEM, at=at)

    def free(self, chair: int, at: dt.datetime) -> None:
        """Free a chair."""
        leave(seat=parlours.chair(self.sitting, chair), by=SYSTEM, at=at)

    def game(self, game: Toml, first: int, at: dt.datetime) -> None:
        """Record a game and look at the first dealer of the next one."""
        entry = GameEntry(
            scores=tuple(game["scores"]),
            first_dealer=first,
            kyoutaku=game.get("deposits", 0),
            carried=self.evening.carried(game),
            tobi=self.evening.tobi(game),
            forced_top=game.get("forced_top"),
            entrants=tuple(self.entrants[one].pk for one in game["seats"]),
        )
        sheet = record_game(sitting=self.sitting, game=entry, by=SYSTEM, accept=ALL, at=at)
        self.games[game["n"]] = sheet.hanchan
        self.seen[game["n"], 1] = sheet
        dealer = running(self.sitting).next_dealer
        players = len(game["seats"])
        self.next_dealers[game["n"], 1] = None if dealer is None else (dealer - first) % players

    def correct(self, game: Toml, reason: str, at: dt.datetime) -> None:
        """Correct a game."""
        seats = [
            SeatEntry(self.entrants[one].pk, self.entrants[one].player_id, score)
            for one, score in zip(game["seats"], game["scores"], strict=True)
        ]
        entry = SheetEntry(
            seats=tuple(seats),
            kyoutaku=game.get("deposits", 0),
            carried=self.evening.carried(game),
            tobi=self.evening.tobi(game),
            forced_top=game.get("forced_top"),
        )
        self.seen[game["n"], game["version"]] = record_result(
            hanchan=self.games[game["n"]], entry=entry, by=SYSTEM, accept=ALL, corrects=1, reason=reason
        )

    def leave(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Free the chair of a guest who leaves."""
        leave(seat=parlours.chair(self.sitting, chair), by=SYSTEM, at=at)

    def merge(self, keep: str, drop: str, reason: str, at: dt.datetime) -> None:
        """Merge two entries."""
        merge_players(duplicate=self.entrants[drop].player, keep=self.entrants[keep].player, by=SYSTEM, reason=reason)

    def close(self, at: dt.datetime) -> None:
        """Close the table."""
        close_sitting(sitting=self.sitting, by=SYSTEM, at=at)


@pytest.fixture(scope="module", params=NAMES)
def counter(request: Any, django_db_setup: None, django_db_blocker: Any) -> Iterator[ServiceCounter]:
    """Return the counter after the whole evening; rolled back after its tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        counter = ServiceCounter.of(Evening.read(request.param))
        Walk(counter.evening, counter).run()
        yield counter
        transaction.set_rollback(True)


def part(sheet: ResultSheet, cause: LineCause, times: int = 1) -> list[int]:
    """Return the sum of the lines of one cause by seat, multiplied."""
    sums = [
        sum(Fraction(line["amount"]) for line in row.lines if line["cause"] == cause) * times
        for row in sheet.seats.order_by("seat")
    ]
    assert all(amount.denominator == 1 for amount in map(Fraction, sums))
    return [int(amount) for amount in sums]


def check_top(counter: ServiceCounter, game: Toml, sheet: ResultSheet) -> None:
    """Check the top of a game of boo, its fee in units, and the first dealer of the next game."""
    expected = game["expect"]
    settled = settle(result_of(sheet, list(sheet.seats.order_by("seat"))), table_rules(sheet.rules, sheet.options))
    assert settled.floating is not None
    floating = settled.floating
    assert (settled.top, floating.top_type.value) == (expected["top"], expected["top_type"])
    assert (floating.gentsuu, list(floating.seats)) == (expected["gentsuu"], expected["floating"])
    assert -sum(part(sheet, LineCause.TOP_FEE)) == expected["house_fee"]
    assert settled.next_first_dealer == expected["next_starting_dealer"]
    if (game["n"], game.get("version", 1)) in counter.next_dealers:
        assert counter.next_dealers[game["n"], 1] == expected["next_starting_dealer"]


def test_every_game_is_settled_as_stated(counter: ServiceCounter) -> None:
    evening = counter.evening
    for game in evening.document["game"]:
        sheet = counter.seen[game["n"], game.get("version", 1)]
        rows = list(sheet.seats.order_by("seat"))
        expected, at = game["expect"], f"game {game['n']} version {game.get('version', 1)}"
        if "placement" in expected:
            assert [row.place for row in rows] == expected["placement"], at
        if "final_scores" in expected:
            assert [row.final_score for row in rows] == expected["final_scores"], at
        for ledger in evening.ledgers:
            amounts = [evening.amount(ledger, amount) for amount in expected[ledger]]
            assert [row.totals[ledger] for row in rows] == amounts, (at, ledger)
        for key, cause in PARTS[evening.name].items():
            times = IN_POINTS if evening.name == "kansai3" else 1
            assert part(sheet, cause, times) == expected[key], (at, key)
        if "g_points" in expected:
            without = [row.totals["g"] - prize for row, prize in zip(rows, part(sheet, LineCause.CHIPS), strict=True)]
            assert without == expected["g_points"], at
        if "top_type" in expected:
            check_top(counter, game, sheet)


def test_a_merged_guest_has_no_chair_and_one_entry(counter: ServiceCounter) -> None:
    evening = counter.evening
    assert not SittingSeat.objects.filter(left_at=None, sitting=counter.sitting).exists()
    for entry, entrant in counter.entrants.items():
        entrant.refresh_from_db()
        kept = evening.kept(evening.guest_of(entry))
        assert entrant.merged_into_id == (None if kept == entry else counter.entrants[kept].pk)
