"""Tests of the expected wait for a chair."""

from __future__ import annotations

from scoring.waits import Party, RunningTable, Wait, average_minutes, expected_waits

THREE, FOUR = 1, 2


def test_the_average_time_of_games_is_rounded_up_and_unknown_without_a_game() -> None:
    assert average_minutes([30, 31]) == 31
    assert average_minutes([]) is None


def test_an_empty_chair_needs_no_wait_and_an_announced_last_game_the_rest_of_the_average() -> None:
    tables = [
        RunningTable(name="1", book=THREE, played=10, leaving=1),
        RunningTable(name="2", book=THREE, played=30, empty=1),
    ]
    waits = expected_waits([Party(book=THREE), Party(book=THREE)], tables, {THREE: 35})
    assert waits == [Wait(0, ("2",), 35), Wait(25, ("1",), 35)]


def test_a_party_waits_for_the_last_of_its_chairs() -> None:
    tables = [
        RunningTable(name="1", book=FOUR, played=10, empty=1),
        RunningTable(name="2", book=FOUR, played=20, leaving=2),
    ]
    assert expected_waits([Party(book=FOUR, people=2)], tables, {FOUR: 50}) == [Wait(30, ("1", "2"), 50)]


def test_a_game_longer_than_the_average_is_expected_to_end_within_a_minute_and_an_empty_chair_goes_first() -> None:
    tables = [
        RunningTable(name="1", book=FOUR, played=80, leaving=1),
        RunningTable(name="2", book=FOUR, played=30, empty=1),
    ]
    waits = expected_waits([Party(book=FOUR), Party(book=FOUR)], tables, {FOUR: 50})
    assert waits == [Wait(0, ("2",), 50), Wait(1, ("1",), 50)]


def test_a_wait_is_unknown_without_games_without_chairs_and_behind_a_party_that_keeps_them() -> None:
    leaving = [RunningTable(name="1", book=FOUR, played=0, leaving=1)]
    assert expected_waits([Party(book=FOUR)], leaving, {FOUR: None}) == [Wait(None)]
    assert expected_waits([Party(book=THREE)], leaving, {FOUR: 50}) == [Wait(None)]
    assert expected_waits([Party(book=FOUR, people=2), Party(book=FOUR)], leaving, {FOUR: 50}) == [
        Wait(None, pace=50),
        Wait(None, pace=50),
    ]
