"""Fees of a house: game fee, student rate, stamp cards, the top's share, and hours, each computed by hand."""

from __future__ import annotations

import pytest

from rulesets.loader import load
from scoring.charges import Charge, GameOfGuest, HoursCharge, Rate, Tariff, charge_games, charge_hours

KANSAI = Tariff(per_game=300, student_per_game=200, top=200, stamps_for_a_free_game=10)
HOURS = Tariff(per_game=200, student_per_game=100, hour_unit_minutes=30, hour_unit=300)


def games(tops: str, tariff: Tariff = KANSAI) -> list[GameOfGuest]:
    """Return one game for each character, won as top where it is a T."""
    return [GameOfGuest(tariff=tariff, is_top=each == "T") for each in tops]


def test_every_game_costs_the_fee_and_the_top_pays_more() -> None:
    charged = charge_games(games("-T-"))
    assert [charge.total for charge in charged.charges] == [300, 500, 300]
    assert charged.charges[1] == Charge(300, 200)
    assert charged.stamps is None


@pytest.mark.parametrize("fees", [{"per_game": 300}, {"student_per_game": 200}, {"top": 200}])
def test_a_house_charges_by_the_game_if_a_game_costs_any_guest_a_fee(fees: dict[str, int]) -> None:
    assert Tariff(**fees).is_per_game
    assert not Tariff(hour_unit_minutes=30, hour_unit=300).is_per_game


def test_the_student_rate_lowers_the_fee_but_not_the_tops_share() -> None:
    assert charge_games(games("-T"), Rate.STUDENT).charges == (Charge(200, 0), Charge(200, 200))


def test_students_pay_the_ordinary_fee_in_a_house_without_a_student_rate() -> None:
    assert charge_games(games("-", Tariff(per_game=300)), Rate.STUDENT).charges == (Charge(300, 0),)


def test_students_may_play_free_of_charge() -> None:
    charged = charge_games(games("-T", Tariff(per_game=300, student_per_game=0, top=200)), Rate.STUDENT)
    assert charged.charges == (Charge(0, 0), Charge(0, 200))


def test_a_full_card_makes_the_next_game_free_uses_up_the_stamps_and_earns_none() -> None:
    charged = charge_games(games("-T-"), stamps=9)
    assert charged.charges == (Charge(300, 0), Charge(0, 200, is_free=True), Charge(300, 0))
    assert charged.stamps == 1


@pytest.mark.parametrize(
    ("before", "played", "free_game", "after"),
    # The four cards of the evenings of tests/league/parlour/evenings.
    [(7, 10, 4, 6), (6, 10, 5, 5), (8, 10, 3, 7), (9, 10, 2, 8)],
)
def test_the_cards_of_the_evenings_end_with_the_stamps_stated(
    before: int, played: int, free_game: int, after: int
) -> None:
    charged = charge_games(games("-" * played), stamps=before)
    assert [number for number, charge in enumerate(charged.charges, 1) if charge.is_free] == [free_game]
    assert charged.stamps == after


def test_stamps_beyond_a_full_card_are_kept() -> None:
    charged = charge_games(games("---"), stamps=21)
    assert [charge.is_free for charge in charged.charges] == [True, True, False]
    assert charged.stamps == 2


def test_a_guest_without_a_card_gets_no_free_game() -> None:
    assert not any(charge.is_free for charge in charge_games(games("-" * 12)).charges)


def test_a_card_stays_as_it_is_in_a_house_without_stamps() -> None:
    charged = charge_games(games("--", Tariff(per_game=300)), stamps=10)
    assert [charge.total for charge in charged.charges] == [300, 300]
    assert charged.stamps == 10


def test_a_game_without_a_fee_earns_no_stamp_and_uses_none_up() -> None:
    charged = charge_games([*games("-", HOURS), *games("-")], Rate.HOUR, stamps=10)
    assert charged.charges == (Charge(0, 0), Charge(0, 0, is_free=True))
    assert charged.stamps == 0


def test_a_guest_by_the_hour_pays_no_game_fee_but_the_tops_share() -> None:
    tariff = Tariff(per_game=200, top=100, hour_unit_minutes=30, hour_unit=300)
    assert charge_games(games("-T", tariff), Rate.HOUR).charges == (Charge(0, 0), Charge(0, 100))


def test_a_guest_by_the_hour_pays_by_the_game_where_the_house_has_no_hours() -> None:
    assert charge_games(games("T"), Rate.HOUR).charges == (Charge(300, 200),)
    assert charge_hours(KANSAI, 140) == HoursCharge(140, 0, 0)


@pytest.mark.parametrize(
    ("minutes", "units", "fee"), [(0, 0, 0), (1, 1, 300), (30, 1, 300), (31, 2, 600), (120, 4, 1200), (140, 5, 1500)]
)
def test_started_units_of_time_are_charged_in_full(minutes: int, units: int, fee: int) -> None:
    assert charge_hours(HOURS, minutes) == HoursCharge(minutes, units, fee)


def test_each_game_is_charged_by_the_tariff_of_its_own_table() -> None:
    charged = charge_games([*games("T"), *games("T", HOURS)], stamps=0)
    assert [charge.total for charge in charged.charges] == [500, 200]
    assert charged.stamps == 1


def test_a_rule_book_that_names_fees_proposes_them_and_others_charge_nothing() -> None:
    assert Tariff.of_book(load("banchi3")) == Tariff(per_game=400, top=200)
    assert Tariff.of_book(load("kansai3")) == Tariff()
