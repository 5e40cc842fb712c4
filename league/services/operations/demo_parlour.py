"""The demonstration parlour: two rule books with a closed day and games running now, written through the services."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from league import demo
from league.models import Audience, Competition, Entrant, Parlour, Player, Sitting
from league.selectors.access.actors import Actor
from league.selectors.competitions.addresses import is_taken
from league.selectors.parlour.board import business_day, running
from league.selectors.parlour.dues import open_days
from league.services.access.guard import all_or_nothing
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    create_parlour,
    new_player,
    set_status,
)
from league.services.parlour.days import close_day
from league.services.parlour.games import GameEntry, record_game
from league.services.parlour.people import add_waiting, enter_guest
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, mark_last_game, open_sitting

FILE = Path(demo.__file__).parent / "parlour.toml"
GAME = dt.timedelta(minutes=35)
DAY_STARTS_AT = dt.time(6, 0)
ODD = ("extreme_score", "same_result_twice")


@all_or_nothing
def load_demo_parlour(*, by: Actor) -> list[Competition]:
    """Create the demonstration parlour with its two books; return an empty list if a slug is taken."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    house = data["house"]
    if any(is_taken(each["slug"]) for each in data["books"]) or Parlour.objects.filter(slug=house["slug"]).exists():
        return []
    people = {each["key"]: _person(each, by) for each in data["guests"]}
    parlour = create_parlour(**house, by=by)
    books = [_book(each, parlour, people, by) for each in data["books"]]
    for day in open_days(parlour):
        if day < business_day(books[0]):
            close_day(parlour=parlour, day=day, by=by, accept={"guests_unsettled"})
    return books


def _person(guest: Mapping[str, str], by: Actor) -> Player:
    known = Player.objects.filter(key=guest["key"]).first()
    return known or new_player(
        name=guest["name"],
        key=guest["key"],
        name_kana=guest["kana"],
        name_romaji=guest["romaji"],
        handle=guest.get("handle", ""),
        is_public="handle" in guest,
        by=by,
    )


def _book(plan: Mapping[str, Any], parlour: Parlour, people: Mapping[str, Player], by: Actor) -> Competition:
    """Create an open table with its sittings."""
    now = timezone.now()
    competition = create_competition(
        plan=CompetitionPlan(
            slug=plan["slug"],
            name=plan["name"],
            name_en=plan["name_en"],
            ruleset=plan["ruleset"],
            league_format="open-play",
            kind=Competition.Kind.OPEN,
            audience=Audience(plan["audience"]),
            day_starts_at=DAY_STARTS_AT,
            effective_from=now - dt.timedelta(days=3),
            is_demo=True,
            parlour=parlour,
        ),
        by=by,
    )
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=by)
    guests = {key: enter_guest(competition=competition, player=player, by=by) for key, player in people.items()}
    for each in plan["sittings"]:
        _sitting(competition, each, guests, now, by)
    for key in plan["waiting"]:
        add_waiting(competition=competition, player=people[key], by=by)
    return competition


def _sitting(
    competition: Competition, plan: Mapping[str, Any], guests: Mapping[str, Entrant], now: dt.datetime, by: Actor
) -> None:
    """Create one sitting with its games."""
    is_over = "days_ago" in plan
    at = now - dt.timedelta(days=plan["days_ago"]) if is_over else _since_opening(competition, now, plan["hours_ago"])
    day, house = business_day(competition, at), plan.get("house", ())
    sitting = open_sitting(
        competition=competition,
        plan=SittingPlan(
            table=plan["table"],
            people=[Guest(entrant=guests[key], is_house=key in house) for key in plan["people"]],
            kind=Sitting.Kind(plan.get("kind", Sitting.Kind.FREE)),
            chips=Sitting.Chips(plan.get("chips", Sitting.Chips.PER_GAME)),
            yen_per_hour=plan.get("yen_per_hour", 0),
            at=at,
        ),
        by=by,
    )
    for game in plan["games"]:
        first = running(sitting).next_dealer
        chips = {"g": tuple(game["g"])} if "g" in game else {}
        entry = GameEntry(scores=tuple(game["scores"]), first_dealer=first, carried=chips)
        record_game(sitting=sitting, game=entry, by=by, accept=ODD, day=day)
    for seat in running(sitting).seated:
        if seat.entrant == guests.get(plan.get("leaving", "")):
            mark_last_game(seat=seat, by=by)
    if is_over:
        minutes = plan.get("minutes")
        lasted = dt.timedelta(minutes=minutes) if minutes else GAME * len(plan["games"])
        close_sitting(sitting=sitting, by=by, at=at + lasted)


def _since_opening(competition: Competition, now: dt.datetime, hours: int) -> dt.datetime:
    """Return the time `hours` ago, but not before today's business day began, because the day before is closed."""
    zone = ZoneInfo(competition.time_zone)
    began = dt.datetime.combine(business_day(competition, now), competition.day_starts_at, zone)
    return max(now - dt.timedelta(hours=hours), began)
