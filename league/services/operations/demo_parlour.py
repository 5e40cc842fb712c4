"""The demonstration parlour: two rule books with a closed day and games running now, written through the services."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from league import demo
from league.models import Audience, Competition, Parlour, Player, Sitting
from league.selectors.access.actors import Actor
from league.selectors.competitions.addresses import is_taken
from league.selectors.parlour.board import business_day, running
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
from league.services.parlour.setup import add_table
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, mark_last_game, open_sitting
from league.services.parlour.statements import add_extra, settle
from league.services.parlour.tariffs import TariffPlan, set_tariff
from league.services.parlour.terms import set_terms
from scoring.charges import Rate, Tariff

FILE = Path(demo.__file__).parent / "parlour.toml"
DAY = dt.timedelta(days=1)
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
    books = {each["slug"]: _book(each, parlour, people, by) for each in data["books"]}
    for table in data["tables"]:
        add_table(parlour=parlour, name=table["name"], usual_book=books[table["book"]], by=by)
    today = business_day(next(iter(books.values())))
    _set_fees(data, parlour, books, people, today, by)
    night = _Night(parlour, people, timezone.now(), today, by)
    for days_ago in (2, 1, 0):
        for book in data["books"]:
            night.play_day(books[book["slug"]], book["sittings"], days_ago)
        if days_ago:
            night.close(today - days_ago * DAY)
    for key in data["waiting"]:
        add_waiting(competition=books[data["books"][0]["slug"]], player=people[key], by=by)
    return list(books.values())


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
    """Create an open table with its guests."""
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
            effective_from=timezone.now() - 7 * DAY,
            is_demo=True,
            parlour=parlour,
        ),
        by=by,
    )
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=by)
    for player in people.values():
        enter_guest(competition=competition, player=player, by=by)
    return competition


def _set_fees(
    data: Mapping[str, Any],
    parlour: Parlour,
    books: Mapping[str, Competition],
    people: Mapping[str, Player],
    today: dt.date,
    by: Actor,
) -> None:
    """Set the tariffs of the books and the terms of guests, from before the first sitting on."""
    since = today - 6 * DAY
    for fees in data["tariffs"]:
        tariff = Tariff(**{key: fee for key, fee in fees.items() if key != "book"})
        set_tariff(parlour=parlour, plan=TariffPlan(tariff=tariff, from_day=since, book=books[fees["book"]]), by=by)
    for each in data["terms"]:
        set_terms(
            parlour=parlour,
            player=people[each["guest"]],
            rate=Rate(each.get("rate", Rate.ORDINARY)),
            stamps=each.get("stamps"),
            day=since,
            by=by,
        )


@dataclass(frozen=True, slots=True)
class _Night:
    """The parlour while its business days are played."""

    parlour: Parlour
    people: Mapping[str, Player]
    now: dt.datetime
    today: dt.date
    by: Actor

    def play_day(self, book: Competition, sittings: Sequence[Mapping[str, Any]], days_ago: int) -> None:
        """Create the sittings of one business day."""
        for each in sittings:
            if each.get("days_ago", 0) == days_ago:
                self._play(book, each)

    def _play(self, book: Competition, plan: Mapping[str, Any]) -> None:
        zone, house = ZoneInfo(book.time_zone), plan.get("house", ())
        day = self.today - plan.get("days_ago", 0) * DAY
        at = dt.datetime.combine(day, plan["from"] if "days_ago" in plan else DAY_STARTS_AT, zone)
        if "hours_ago" in plan:
            # Not before today's business day began, because the day before is closed.
            at = max(self.now - dt.timedelta(hours=plan["hours_ago"]), at)
        guests = {key: enter_guest(competition=book, player=self.people[key], by=self.by) for key in plan["people"]}
        sitting = open_sitting(
            competition=book,
            plan=SittingPlan(
                table=plan["table"],
                people=[Guest(entrant=guest, is_house=key in house) for key, guest in guests.items()],
                kind=Sitting.Kind(plan.get("kind", Sitting.Kind.FREE)),
                chips=Sitting.Chips(plan.get("chips", Sitting.Chips.PER_GAME)),
                yen_per_hour=plan.get("yen_per_hour", 0),
                at=at,
            ),
            by=self.by,
        )
        for number, game in enumerate(plan["games"], 1):
            first = running(sitting).next_dealer
            chips = {"g": tuple(game["g"])} if "g" in game else {}
            entry = GameEntry(scores=tuple(game["scores"]), first_dealer=first, carried=chips)
            ended = min(at + number * GAME, self.now)
            record_game(sitting=sitting, game=entry, by=self.by, accept=ODD, day=day, at=ended)
        for seat in running(sitting).seated:
            if seat.entrant == guests.get(plan.get("leaving", "")):
                mark_last_game(seat=seat, by=self.by)
        lasted = dt.timedelta(minutes=plan.get("minutes", 35 * len(plan["games"])))
        end = min(at + lasted, self.now)
        if "days_ago" in plan:
            close_sitting(sitting=sitting, by=self.by, at=end)
        self._bill(plan, end)

    def _bill(self, plan: Mapping[str, Any], at: dt.datetime) -> None:
        for extra in plan.get("extras", ()):
            guest = self.people[extra["guest"]]
            money, label = extra["money"], extra["label"]
            add_extra(parlour=self.parlour, player=guest, label=label, money=money, by=self.by, at=at)
        for key, is_paid in plan.get("settled", {}).items():
            settle(parlour=self.parlour, player=self.people[key], is_paid=is_paid, leaves=False, by=self.by, at=at)

    def close(self, day: dt.date) -> None:
        """Close a business day in its last minute; what is left goes on account."""
        zone = timezone.get_default_timezone()
        last = dt.datetime.combine(day + DAY, DAY_STARTS_AT, zone) - dt.timedelta(minutes=1)
        close_day(parlour=self.parlour, day=day, by=self.by, accept={"guests_unsettled"}, at=last)
