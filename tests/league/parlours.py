"""Set up a small parlour for tests: an open table, its guests, and games at the counter."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from league.models import Competition, Entrant, HouseTariff, Parlour, ResultSheet, Sitting, SittingSeat
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import Running, running
from league.services.competitions.setup import CompetitionPlan, create_competition, set_status
from league.services.parlour.games import GameEntry, record_game
from league.services.parlour.people import add_guest
from league.services.parlour.sittings import Guest, SittingPlan, open_sitting
from tests.factories import SYSTEM
from tests.replayed import replayed

TOKYO = ZoneInfo("Asia/Tokyo")
THREE = ("湯川 みなと", "小滝 あおい", "沢渡 りく", "羽黒 ゆい", "室戸 そら")
KANA = ("ゆかわ みなと", "こたき あおい", "さわたり りく", "はぐろ ゆい", "むろと そら")
SCORES = {
    "banchi3": (62000, 33000, 10000),
    "kansai3": (62000, 33000, 10000),
    "superbingo": (45000, 30000, 15000),
    "boo": (4200, 2100, 1000, 700),
    "banchi4": (41200, 30100, 18700, 10000),
}


def at(hour: int, minute: int = 0, day: int = 20) -> dt.datetime:
    """Return a moment of November 2026 in Tokyo."""
    return dt.datetime(2026, 11, day, hour, minute, tzinfo=TOKYO)


@replayed
def parlour(ruleset: str = "banchi3", slug: str = "", **plan: Any) -> Competition:
    """Create an open table under a rule book, published to its staff; its business day starts at six."""
    values = {"name": f"{ruleset}卓", "league_format": "open-play", "day_starts_at": dt.time(6, 0)}
    competition = create_competition(
        plan=CompetitionPlan(
            **{**values, "slug": slug or ruleset, "ruleset": ruleset, "kind": Competition.Kind.OPEN, **plan}
        ),
        by=SYSTEM,
    )
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
    competition.refresh_from_db()
    return competition


UNSETTLED = frozenset({"guests_unsettled"})
"""Accepts that what guests owe goes on account when a day closes."""


def house(competition: Competition) -> Parlour:
    """Return the parlour of an open table."""
    assert competition.parlour is not None
    return competition.parlour


def tariff(parlour: Parlour, **fees: int) -> HouseTariff:
    """Put fees in force for all tables of a parlour, from the first day on."""
    return HouseTariff.objects.create(parlour=parlour, from_day=dt.date(2026, 1, 1), **fees)


def guests(competition: Competition, many: int = 3, by: Actor = SYSTEM) -> list[Entrant]:
    """Add a number of guests at the counter."""
    return [
        add_guest(competition=competition, name=name, name_kana=kana, by=by)
        for name, kana in list(zip(THREE, KANA, strict=True))[:many]
    ]


def sitting(competition: Competition, entrants: Sequence[Entrant], by: Actor = SYSTEM, **plan: Any) -> Sitting:
    """Open a table for these players."""
    values = {"table": "1", "people": [Guest(entrant=one) for one in entrants]}
    return open_sitting(competition=competition, plan=SittingPlan(**{**values, **plan}), by=by)


def play(table: Sitting, scores: Sequence[int] = (), by: Actor = SYSTEM, **more: Any) -> ResultSheet:
    """Record the next game; the rule book proposes its first dealer."""
    now = running(table)
    service = {key: more.pop(key) for key in ("accept", "expected_round", "day", "at") if key in more}
    values = {"first_dealer": now.next_dealer, "scores": tuple(scores) or SCORES[now.rules.name]}
    return record_game(sitting=table, game=GameEntry(**{**values, **more}), by=by, **service)


def names(table: Sitting | Running) -> list[str]:
    """Return the names of the seated players chair by chair, "-" for an empty one."""
    now = table if isinstance(table, Running) else running(table)
    return [seat.entrant.player.name if seat else "-" for seat in now.chairs]


def chair(table: Sitting, number: int) -> SittingSeat:
    """Return the seat that occupies this chair."""
    seat = running(table).chairs[number]
    assert seat is not None
    return seat
