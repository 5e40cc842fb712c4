"""The fees of a house for its guests: per game, student rate, stamp cards, the top's share, and hours.

A house may set all of these itself, or take the fees that its rule book names (`Tariff.of_book`). Nothing here
touches points or chips: fees are a ledger of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.ruleset import Ruleset


class Rate(StrEnum):
    """The rate by which a guest pays."""

    ORDINARY = "ordinary"
    STUDENT = "student"
    HOUR = "hour"
    """By the hour, instead of the fee for each game."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tariff:
    """The fees of a table, as integers in the smallest unit of the house's currency.

    `student_per_game` is None where students pay the ordinary fee; `stamps_for_a_free_game` is 0 where no stamps are
    given; `hour_unit_minutes` is 0 where no guest pays by the hour. `set_hour` is for a set table, for all its guests.
    """

    per_game: int = 0
    student_per_game: int | None = None
    top: int = 0
    stamps_for_a_free_game: int = 0
    hour_unit_minutes: int = 0
    hour_unit: int = 0
    set_hour: int = 0

    @classmethod
    def of_book(cls, rules: Ruleset) -> Tariff:
        """Return the fees that a rule book names; all of them are 0 if it names none."""
        fees = rules.settlement.fees
        if fees is None:
            return cls()
        ledger = rules.ledger(fees.ledger)
        return cls(per_game=ledger.stored(fees.each), top=ledger.stored(fees.top))

    @property
    def is_per_game(self) -> bool:
        """True if a game costs a fee, at any rate or for the top."""
        return bool(self.per_game or self.student_per_game or self.top)

    def for_a_game(self, rate: Rate) -> int:
        """Return the fee for a game without the top's share; 0 for a guest who pays by the hour."""
        if rate is Rate.HOUR and self.hour_unit_minutes:
            return 0
        if rate is Rate.STUDENT and self.student_per_game is not None:
            return self.student_per_game
        return self.per_game


@dataclass(frozen=True, kw_only=True, slots=True)
class GameOfGuest:
    """A game of one guest, as far as fees depend on it; games of the house's own players are none of a guest."""

    tariff: Tariff
    is_top: bool


@dataclass(frozen=True, slots=True)
class Charge:
    """The fee of a game: `fee` for the game, `top` as the top's share, and whether a stamp card made it free."""

    fee: int
    top: int
    is_free: bool = False

    @property
    def total(self) -> int:
        """Return the whole charge of the game."""
        return self.fee + self.top


@dataclass(frozen=True, slots=True)
class Charged:
    """The charges of a guest's games in order, and the stamps on the card afterwards; None without a card."""

    charges: tuple[Charge, ...]
    stamps: int | None


def charge_games(games: Sequence[GameOfGuest], rate: Rate = Rate.ORDINARY, stamps: int | None = None) -> Charged:
    """Charge the games of one guest in the order in which they were played.

    1. A full stamp card makes the next game free without asking: the stamps are used up and the game earns none.
    2. A paid game earns one stamp; a game without a fee earns none.
    3. Student rate, hour rate and free game lower the fee for the game, never the top's share.
    """
    charges = []
    for game in games:
        fee, needed = game.tariff.for_a_game(rate), game.tariff.stamps_for_a_free_game
        is_free = bool(stamps is not None and needed and fee and stamps >= needed)
        if stamps is not None and needed and fee:
            stamps = stamps - needed if is_free else stamps + 1
        charges.append(Charge(0 if is_free else fee, game.tariff.top if game.is_top else 0, is_free))
    return Charged(tuple(charges), stamps)


@dataclass(frozen=True, slots=True)
class HoursCharge:
    """The charge for a guest's time: whole minutes, started units, and the fee."""

    minutes: int
    units: int
    fee: int


def charge_hours(tariff: Tariff, minutes: int) -> HoursCharge:
    """Charge the started units of a guest who pays by the hour, from sitting down to leaving, waiting included."""
    if not tariff.hour_unit_minutes:
        return HoursCharge(minutes, 0, 0)
    units = -(-minutes // tariff.hour_unit_minutes)
    return HoursCharge(minutes, units, units * tariff.hour_unit)
