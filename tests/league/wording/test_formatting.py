"""Test the formatting and parsing of points, scores, ranks and dates."""

import datetime as dt
from fractions import Fraction

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.wording import formatting
from league.wording.formatting import (
    ScoreTextError,
    amount_text,
    date_text,
    decimal_text,
    moment_text,
    parse_score,
    place_text,
    points_text,
    rank_text,
    score_text,
)


@pytest.mark.parametrize(
    ("value", "scale", "language", "text"),
    [
        (-300, 10, "ja", "▲30.0"),
        (-300, 10, "en", "-30.0"),
        (-3, 10, "ja", "▲0.3"),
        (0, 10, "ja", "0.0"),
        (12345, 10, "en", "1,234.5"),
        (-7, 1, "ja", "▲7"),
        (500, 30, "en", "16.67"),
        (-500, 30, "ja", "▲16.67"),
    ],
)
def test_points_have_the_languages_minus_sign_and_the_ledgers_decimals(
    value: int, scale: int, language: str, text: str
) -> None:
    assert points_text(value, scale, language) == text


def test_positive_points_have_a_plus_on_request_and_zero_has_no_sign() -> None:
    assert points_text(200, 10, "ja", plus=True) == "+20.0"
    assert points_text(0, 10, "ja", plus=True) == "0.0"


def test_the_active_language_is_the_default() -> None:
    with translation.override("ja"):
        assert points_text(-1, 10) == "▲0.1"
    with translation.override("en"):
        assert points_text(-1, 10) == "-0.1"
    with translation.override(None):
        assert points_text(-1, 10) == "-0.1"


@given(st.integers(-10_000, 10_000), st.sampled_from([1, 10, 30, 100]))
def test_different_amounts_have_different_texts(value: int, scale: int) -> None:
    assert points_text(value, scale, "en") != points_text(value + 1, scale, "en")


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Fraction(20), "+20.0"),
        (Fraction(-56, 5), "▲11.2"),
        (Fraction(50, 3), "+16 2/3"),
        (Fraction(-1, 3), "▲1/3"),
    ],
)
def test_an_amount_without_an_exact_decimal_is_shown_as_a_fraction(amount: Fraction, text: str) -> None:
    assert amount_text(amount, 10, "ja", plus=True) == text


def test_scores_have_thousands_separators() -> None:
    assert score_text(41200) == "41,200"
    assert score_text(-3500, "ja") == "▲3,500"
    assert score_text(-3500, "en") == "-3,500"


def test_averages_round_halves_up() -> None:
    assert decimal_text(Fraction(5, 2), 2) == "2.50"
    assert decimal_text(Fraction(7, 3), 2) == "2.33"
    assert decimal_text(Fraction(-5, 8), 2, "ja") == "▲0.63"


@pytest.mark.parametrize(
    ("typed", "score"),
    [
        ("412", 41200),
        ("▲35", -3500),
        ("△35", -3500),
        ("−35", -3500),
        ("-35", -3500),
        ("+35", 3500),
        ("４１２", 41200),
        ("▲３５", -3500),
        ("－３５", -3500),
        ("41200", 41200),
        ("41,200", 41200),
        ("4１，２00", 41200),
        ("9,800", 9800),
        ("1050", 105000),
        (" 412 ", 41200),
        ("412点", 41200),
        ("0", 0),
    ],
)
def test_a_score_can_be_typed_in_hundreds_and_in_the_usual_notations(typed: str, score: int) -> None:
    assert parse_score(typed, unit=100) == score


def test_with_unit_one_a_number_is_read_as_points() -> None:
    assert parse_score("412", unit=1) == 412


@pytest.mark.parametrize("typed", ["", "abc", "41.2", "--3", "4,12", "1,2345", "-", "12-"])
def test_an_invalid_score_is_refused_with_an_example(typed: str) -> None:
    with translation.override("en"), pytest.raises(ScoreTextError, match="Type it like 412"):
        parse_score(typed)


@given(st.integers(-2_000, 2_000))
def test_a_score_shown_on_a_page_can_be_parsed_again(hundreds: int) -> None:
    for language in ("ja", "en"):
        shown = score_text(hundreds * 100, language)
        if "," in shown or hundreds == 0:
            assert parse_score(shown) == hundreds * 100


def test_ranks_and_places_have_the_suffixes_of_each_language() -> None:
    assert rank_text(2, "ja") == "2位"
    assert (place_text(2, "ja"), place_text(2, "en")) == ("2着", "2nd")
    assert [rank_text(n, "en") for n in (1, 2, 3, 4, 11, 12, 13, 21, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th",
    ]  # fmt: skip


def test_dates_have_their_weekday_in_the_pages_time_zone() -> None:
    evening = dt.datetime(2026, 11, 20, 15, 30, tzinfo=dt.UTC)
    with translation.override("ja"):
        assert moment_text(evening) == "2026年11月21日(土) 00:30"
    with translation.override("en"):
        assert date_text(evening) == "Sat 21 Nov 2026"
    assert formatting.language_of("en-GB") == "en"
