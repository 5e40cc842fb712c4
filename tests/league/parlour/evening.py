"""Play the evenings of `evenings/*.toml` event by event, and read what they expect.

`Evening` is the document; `Walk` turns its events into calls of a `Counter`. One counter calls the services
(`ServiceCounter`), another one types into the pages (`tests/browser/test_evenings.py`).
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from rulesets.loader import load
from scoring.charges import Rate, Tariff
from scoring.ruleset import Ruleset

FOLDER = Path(__file__).parent / "evenings"
NAMES = tuple(sorted(path.stem.removesuffix("-evening") for path in FOLDER.glob("*-evening.toml")))
TOKYO = ZoneInfo("Asia/Tokyo")
OPENS = dt.time(6, 0)
YEN = "yen"

Toml = Mapping[str, Any]


@dataclass(frozen=True)
class Evening:
    """One evening: its document, with amounts converted to the integers of the ledgers."""

    name: str
    document: Toml

    @classmethod
    def read(cls, name: str) -> Evening:
        """Return the evening of this rule book."""
        return cls(name, tomllib.loads((FOLDER / f"{name}-evening.toml").read_text()))

    @cached_property
    def rules(self) -> Ruleset:
        """Return the rule book with the evening's options."""
        return load(self.name).with_options(self.options)

    @cached_property
    def options(self) -> dict[str, Any]:
        """Return the options in force; a single number for an option with several keys holds for each of them."""
        offered = load(self.name).options
        parts = {key: getattr(offered[key], "keys", ()) for key in self.document["options"]}
        return {
            key: dict.fromkeys(parts[key], value) if parts[key] and isinstance(value, int) else value
            for key, value in self.document["options"].items()
        }

    @property
    def day(self) -> dt.date:
        """Return the business day."""
        return dt.date.fromisoformat(self.document["evening"]["business_day"])

    @property
    def place(self) -> str:
        """Return the name of the house."""
        return str(self.document["evening"]["place"])

    @property
    def table(self) -> str:
        """Return the name of the table."""
        return str(self.document["evening"]["table"])

    @property
    def tariff(self) -> Tariff:
        """Return the house's fees in yen."""
        house: Toml = self.document["house"]
        return Tariff(
            per_game=house["per_game_yen"],
            student_per_game=house["student_per_game_yen"],
            top=house["top_yen"],
            stamps_for_a_free_game=house["stamps_for_a_free_game"],
            hour_unit_minutes=house.get("hour_unit_minutes", 0),
            hour_unit=house.get("hour_unit_yen", 0),
        )

    def terms(self, entry: str) -> tuple[Rate, int | None]:
        """Return the rate and the stamps of an entry; one made by mistake got neither."""
        guest = self.guests[self.guest_of(entry)]
        if entry != self.kept(guest["id"]):
            return Rate.ORDINARY, None
        return Rate(guest["rate"]), guest.get("stamps_before")

    @property
    def ledgers(self) -> tuple[str, ...]:
        """Return the ledgers beside the yen."""
        return tuple(key for key in self.document["evening"]["ledgers"] if key != YEN)

    @cached_property
    def entries(self) -> dict[str, Toml]:
        """Return the guests as entered, by key."""
        return {entry["id"]: entry for entry in self.document["entry"]}

    @cached_property
    def guests(self) -> dict[str, Toml]:
        """Return the real people, by key."""
        return {guest["id"]: guest for guest in self.document["guest"]}

    def guest_of(self, entry: str) -> str:
        """Return the person behind an entry."""
        return str(self.entries[entry]["guest"])

    def kept(self, guest: str) -> str:
        """Return the entry that a person has in the end: the first one."""
        return next(key for key, entry in self.entries.items() if entry["guest"] == guest)

    @cached_property
    def chairs(self) -> dict[str, int]:
        """Return the chairs by name, numbered in turn order."""
        names = {event["chair"] for event in self.document["event"] if event["type"] == "sit"}
        return {name: number for number, name in enumerate(sorted(names))}

    def game(self, number: int, version: int = 1) -> Toml:
        """Return a game in the version that was entered first, or as corrected."""
        found = (game for game in self.document["game"] if game["n"] == number and game.get("version", 1) == version)
        game: Toml = next(found)
        return game

    def right(self, number: int) -> Toml:
        """Return a game as it counts in the end."""
        return self.game(number, max(game.get("version", 1) for game in self.document["game"] if game["n"] == number))

    def moment(self, clock: str) -> dt.datetime:
        """Return the time of an event; hours past midnight count on (24:48 is 00:48 of the same business day)."""
        hour, minute = map(int, clock.split(":"))
        midnight = dt.datetime.combine(self.day, dt.time(), tzinfo=TOKYO)
        return midnight + dt.timedelta(hours=hour, minutes=minute)

    def amount(self, ledger: str, value: int | str) -> int:
        """Return an amount of a ledger at its scale; points are written in thousands as decimal text."""
        scale = next(each.scale for each in self.rules.ledgers if each.key == ledger)
        exact = Decimal(value) * scale
        assert exact == int(exact), (ledger, value)
        return int(exact)

    def amounts(self, row: Toml) -> dict[str, int]:
        """Return the ledgers named in a row of the document, at their scales."""
        return {key: self.amount(key, row[key]) for key in self.ledgers if key in row}

    def carried(self, game: Toml) -> dict[str, tuple[int, ...]]:
        """Return the chips that the clerk types, by ledger and seat."""
        typed = next((game[key] for key in ("chips", "chips_p", "prizes_g", "ura_chips") if key in game), None)
        ledger = next((each.key for each in self.rules.entered_ledgers), None)
        return {ledger: tuple(typed)} if ledger and typed is not None else {}

    def tobi(self, game: Toml) -> tuple[tuple[int, int], ...]:
        """Return the bust seats, each with the receiver of the prize."""
        pairs: Sequence[Sequence[int]] = game.get("busts", game.get("tobi", ()))
        return tuple((bust, receiver) for bust, receiver in pairs)

    def statement(self, number: int) -> Toml:
        """Return the statement of the leaving with this number, from 0."""
        found: Toml = self.document["statement"][number]
        return found


class Counter(Protocol):
    """Everything that a clerk does in an evening; chairs are numbers in turn order."""

    def enter(self, entry: str, at: dt.datetime) -> None:
        """Enter a guest in the house's books."""

    def sit(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Seat a guest on an empty chair."""

    def free(self, chair: int, at: dt.datetime) -> None:
        """Free a chair without settling, because its guest is entered under another name from now on."""

    def game(self, game: Toml, first: int, at: dt.datetime) -> None:
        """Record a game whose first dealer sits on the chair `first`."""

    def correct(self, game: Toml, reason: str, at: dt.datetime) -> None:
        """Correct a game."""

    def leave(self, entry: str, chair: int, at: dt.datetime) -> None:
        """Settle with a guest who leaves."""

    def merge(self, keep: str, drop: str, reason: str, at: dt.datetime) -> None:
        """Merge two entries of one person."""

    def close(self, at: dt.datetime) -> None:
        """Close the table and the business day."""


@dataclass
class Walk:
    """The events of an evening, one after the other, with the entry on each chair."""

    evening: Evening
    counter: Counter
    on_chairs: dict[int, str] = field(default_factory=dict)

    def run(self) -> None:
        """Play the whole evening."""
        known: set[str] = set()
        before = self.evening.document["event"][0]["at"]
        for event in self.evening.document["event"]:
            if event["type"] == "game":
                self._take_chairs(self.evening.game(event["game"], event["version"]), known, before)
            if event["type"] == "sit":
                self._enter(event["entry"], known, event["at"])
            getattr(self, f"_{event['type']}")(event, self.evening.moment(event["at"]))
            before = event["at"]

    def _enter(self, entry: str, known: set[str], clock: str) -> None:
        if entry not in known:
            known.add(entry)
            self.counter.enter(entry, self.evening.moment(clock))

    def _take_chairs(self, game: Toml, known: set[str], clock: str) -> None:
        """Enter guests under the entry that the game names, if they sit there under another one."""
        for entry in game["seats"]:
            guest = self.evening.guest_of(entry)
            chair = next(chair for chair, there in self.on_chairs.items() if self.evening.guest_of(there) == guest)
            if self.on_chairs[chair] != entry:
                self._enter(entry, known, clock)
                self.counter.free(chair, self.evening.moment(clock))
                self.counter.sit(entry, chair, self.evening.moment(clock))
                self.on_chairs[chair] = entry

    def _sit(self, event: Toml, at: dt.datetime) -> None:
        chair = self.evening.chairs[event["chair"]]
        self.counter.sit(event["entry"], chair, at)
        self.on_chairs[chair] = event["entry"]

    def _game(self, event: Toml, at: dt.datetime) -> None:
        game = self.evening.game(event["game"], event["version"])
        chairs = {entry: chair for chair, entry in self.on_chairs.items()}
        first, players = chairs[game["seats"][0]], len(self.on_chairs)
        assert [chairs[entry] for entry in game["seats"]] == [(first + seat) % players for seat in range(players)]
        self.counter.game(game, first, at)

    def _correct(self, event: Toml, at: dt.datetime) -> None:
        self.counter.correct(self.evening.game(event["game"], event["version"]), event["reason"], at)

    def _leave(self, event: Toml, at: dt.datetime) -> None:
        chair = next(chair for chair, entry in self.on_chairs.items() if entry == event["entry"])
        self.counter.leave(event["entry"], chair, at)
        del self.on_chairs[chair]

    def _merge(self, event: Toml, at: dt.datetime) -> None:
        self.counter.merge(event["keep"], event["drop"], event["reason"], at)
        for chair, entry in self.on_chairs.items():
            if entry == event["drop"]:
                self.on_chairs[chair] = event["keep"]

    def _close(self, _: Toml, at: dt.datetime) -> None:
        self.counter.close(at)
