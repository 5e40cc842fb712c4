"""The fees of a parlour's guests, computed from the results that count now.

Statements keep the debt of their moment; this module computes what is right by the present facts. Both are
compared in `selectors.parlour.dues`. A person is the player kept after merging: games under a duplicate entry are
the person's.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from league.models import Competition, GuestTerms, Paifu, Parlour, ResultSheet, SeatResult, Sitting
from league.selectors.parlour.days import fee_ledgers
from league.selectors.parlour.house_games import house_games
from league.selectors.parlour.tariffs import Tariffs, tariffs_of
from league.selectors.rulebooks.rules_in_force import every_rules, ledgers_of
from scoring.charges import Charge, GameOfGuest, Rate, Tariff, charge_games

SET_TABLE = Tariff()
"""Games at a set table cost nothing each: the table pays by the hour."""


@dataclass(frozen=True, slots=True)
class GameCharge:
    """A game of one person: the result, amounts of the ledgers at their scales without fees, and the fee.

    `is_house` marks a game played for the house (本走), which charges no guest.
    """

    played: PlayedGame
    amounts: Mapping[str, int]
    charge: Charge
    is_house: bool


@dataclass(frozen=True, slots=True)
class Charges:
    """The games of some business days by person, in the order of play.

    `stamps_before` and `stamps_after` are the stamps on each card before the first and after the last of these days.
    """

    games: Mapping[int, Sequence[GameCharge]]
    stamps_before: Mapping[int, int]
    stamps_after: Mapping[int, int]
    terms: TermsOfGuests
    tariffs: Tariffs


@dataclass(frozen=True, slots=True)
class TermsOfGuests:
    """The terms of a parlour's guests, read once; duplicates' terms hold where the kept entry has none yet."""

    rows: Mapping[int, Sequence[GuestTerms]]
    """The rows of each person, by ascending preference."""

    def at(self, person: int, day: dt.date) -> GuestTerms | None:
        """Return the row that holds for a person on a business day; None for an ordinary guest without a card."""
        return next((row for row in reversed(self.rows.get(person, ())) if row.from_day <= day), None)

    def rate_at(self, person: int, day: dt.date) -> Rate:
        """Return the rate of a person on a business day."""
        row = self.at(person, day)
        return Rate.ORDINARY if row is None else Rate(row.rate)


def terms_of_guests(parlour: Parlour) -> TermsOfGuests:
    """Return the terms of all guests of a parlour in one query."""
    rows = GuestTerms.objects.filter(parlour=parlour).select_related("player").order_by("from_day", "pk")
    found: defaultdict[int, list[GuestTerms]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.player.merged_into_id is None):
        found[row.player.kept_id].append(row)
    return TermsOfGuests(found)


def of_people(people: Collection[int] | None, player: str) -> Q:
    """Return the condition that the field `player` is of these persons, or merged into one; None means all."""
    if people is None:
        return Q()
    return Q((f"{player}__in", people)) | Q((f"{player}__merged_into__in", people))


def charges_of_days(parlour: Parlour, days: Collection[dt.date], people: Collection[int] | None = None) -> Charges:
    """Return the games of these business days with their fees, under the tariff and the terms of each day.

    A stamp card is followed from the day of its terms on, so that games before these days count for it too. `people`
    limits the games to those of some persons.
    """
    tariffs, terms = tariffs_of(parlour), terms_of_guests(parlour)
    first, last = min(days, default=dt.date.max), max(days, default=dt.date.min)
    cards = _days_of_cards(terms, first, last)
    if people is not None:
        cards = {person: day for person, day in cards.items() if person in people}
    rows = _results(parlour, days, cards, people)
    tables = {row.sitting for row in rows}
    houses, kinds = house_games(tables), _kinds(tables) | _online(parlour)
    money = _ledgers_of_money(parlour)
    games: dict[int, list[GameCharge]] = {}
    before: dict[int, int] = {}
    after: dict[int, int] = {}
    for person, own in _by_person(rows).items():
        card = _Card(terms, person)
        for day, played in groupby(own, key=lambda row: row.day):
            if day in days and person not in before and card.stamps_on(day) is not None:
                before[person] = card.stamps or 0
            in_day = [(row, (row.hanchan, person) in houses) for row in played]
            of_guest = [_game_of(row, tariffs, kinds) for row, is_house in in_day if not is_house]
            charged = iter(card.charge(day, of_guest))
            charges = [Charge(0, 0) if is_house else next(charged) for _row, is_house in in_day]
            if day in days:
                games.setdefault(person, []).extend(
                    GameCharge(row, row.amounts_without(money[row.book]), charge, is_house)
                    for (row, is_house), charge in zip(in_day, charges, strict=True)
                )
        if card.stamps_on(last) is not None:
            after[person] = card.stamps or 0
    return Charges(games, before, after, terms, tariffs)


@dataclass(slots=True)
class _Card:
    """A person's stamp card while the days pass; terms that begin on a day count its stamps from there on."""

    terms: TermsOfGuests
    person: int
    stamps: int | None = None
    row: GuestTerms | None = field(default=None)

    def stamps_on(self, day: dt.date) -> int | None:
        """Return the stamps as a day begins; None without a card."""
        row = self.terms.at(self.person, day)
        if row is not self.row:
            self.row, self.stamps = row, None if row is None else row.stamps
        return self.stamps

    def charge(self, day: dt.date, games: Sequence[GameOfGuest]) -> Sequence[Charge]:
        """Charge the games of a day and keep the stamps after them."""
        charged = charge_games(games, self.terms.rate_at(self.person, day), self.stamps_on(day))
        self.stamps = charged.stamps
        return charged.charges


def _days_of_cards(terms: TermsOfGuests, first: dt.date, last: dt.date) -> Mapping[int, dt.date]:
    """Return the guests with a stamp card, each with the day from which on games count for the card."""
    found: dict[int, dt.date] = {}
    for person, rows in terms.rows.items():
        before = terms.at(person, first)
        since = dt.date.min if before is None else before.from_day
        # Days are asked for that may leave out some between: the card begins with the terms of the first of them.
        cards = [row.from_day for row in rows if row.stamps is not None and since <= row.from_day < last]
        if cards:
            found[person] = min(cards)
    return found


class PlayedGame(NamedTuple):
    """A result of a seat with where and when it was played; rows of models would cost ten times the time."""

    player: int
    merged_into: int | None
    hanchan: int
    round: int
    sheet: int
    sitting: int
    book: int
    table: str
    day: dt.date
    seat: int
    place: int
    score: int
    totals: Mapping[str, int]
    is_tied_later: bool
    """True for a seat that shares the first place with an earlier one, which pays the top's share for both."""

    @property
    def person(self) -> int:
        """Return the id of the player kept."""
        return self.merged_into or self.player

    def amounts_without(self, ledgers: Collection[str]) -> dict[str, int]:
        """Return the amounts of the other ledgers."""
        return {key: amount for key, amount in self.totals.items() if key not in ledgers}


_COLUMNS = (
    "entrant__player",
    "entrant__player__merged_into",
    "sheet__hanchan",
    "sheet__hanchan__round",
    "sheet",
    "sheet__hanchan__table_session",
    "sheet__hanchan__table_session__competition",
    "sheet__hanchan__table_session__table",
    "sheet__hanchan__table_session__session__day",
    "seat",
    "place",
    "score",
    "totals",
    "is_tied_later",
)


def _results(
    parlour: Parlour, days: Collection[dt.date], cards: Mapping[int, dt.date], people: Collection[int] | None
) -> Sequence[PlayedGame]:
    """Return the results of these days, and those that count for a stamp card, in the order of play.

    Days between these days count for a card too.
    """
    in_days = Q(sheet__hanchan__table_session__session__day__in=list(days))
    if cards:
        whole = (min(cards.values()), max(days))
        of_cards = Q(sheet__hanchan__table_session__session__day__range=whole)
        in_days |= of_people(cards, "entrant__player") & of_cards
    rows = SeatResult.objects.filter(
        in_days,
        of_people(people, "entrant__player"),
        block__competition__parlour=parlour,
        sheet__state=ResultSheet.State.CONFIRMED,
    )
    earlier_tops = SeatResult.objects.filter(sheet=OuterRef("sheet"), place=1, seat__lt=OuterRef("seat"))
    rows = rows.annotate(is_tied_later=Exists(earlier_tops)).order_by("sheet__hanchan", "seat")
    found = (PlayedGame(*row) for row in rows.values_list(*_COLUMNS))
    counting = (row for row in found if row.day in days or cards.get(row.person, dt.date.max) <= row.day)
    # Within a day the ids of hanchan follow the order of play: each is made when its game is entered or begun.
    return sorted(counting, key=lambda row: row.day)


def _by_person(rows: Iterable[PlayedGame]) -> Mapping[int, Sequence[PlayedGame]]:
    found: defaultdict[int, list[PlayedGame]] = defaultdict(list)
    for row in rows:
        found[row.person].append(row)
    return found


def _kinds(tables: Collection[int]) -> dict[int, str]:
    """Return the kind of each sitting by its table session."""
    return dict(Sitting.objects.filter(table_session__in=tables).values_list("table_session", "kind"))


def _online(parlour: Parlour) -> dict[int, str]:
    """Return the tables of online games as set tables, whose games cost nothing: no table of the house was used."""
    rows = Paifu.objects.standing().filter(
        hanchan__table_session__competition__parlour=parlour, hanchan__table_session__sitting=None
    )
    return dict.fromkeys(rows.values_list("hanchan__table_session", flat=True), Sitting.Kind.SET)


def _ledgers_of_money(parlour: Parlour) -> Mapping[int, frozenset[str]]:
    """Return the ledgers of each book that hold its own fees, which the house's tariff replaces."""
    books = Competition.objects.filter(parlour=parlour)
    return {book.pk: fee_ledgers(ledgers_of(every_rules(book))) for book in books}


def _game_of(row: PlayedGame, tariffs: Tariffs, kinds: Mapping[int, str]) -> GameOfGuest:
    is_set = kinds.get(row.sitting) == Sitting.Kind.SET
    tariff = SET_TABLE if is_set else tariffs.at(row.book, row.table, row.day)
    return GameOfGuest(tariff=tariff, is_top=row.place == 1 and not row.is_tied_later)
