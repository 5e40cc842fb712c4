"""Tests of the series that come with the product."""

import pytest

from rulesets.formats import format_names, format_text
from rulesets.loader import RulesetError
from rulesets.series import load_series, read_series, series_names, series_text
from scoring.format import Series
from scoring.format.parts import Cited


def cited(series: Series) -> list[Cited]:
    """Every rule of a series that says where it comes from."""
    rules: list[Cited] = [series, *series.tiers, *series.outside, *series.moves, *series.ledgers.values()]
    rules += [move.condition for move in series.moves if move.condition]
    return [*rules, *([series.share] if series.share else [])]


@pytest.mark.parametrize("name", series_names())
def test_a_series_bears_the_name_of_its_file_and_says_where_its_rules_come_from(name: str) -> None:
    series = load_series(name)
    assert series.name == name
    assert read_series(series_text(name), "copy") == series
    assert all(rule.clauses or rule.note for rule in cited(series))


@pytest.mark.parametrize("name", series_names())
def test_every_tier_is_played_by_a_format_of_the_product(name: str) -> None:
    assert {tier.format for tier in load_series(name).tiers} <= set(format_names())


def test_a_format_is_no_series_and_there_is_none_of_another_name() -> None:
    with pytest.raises(RulesetError) as refused:
        read_series(format_text("tier"), "own.toml")
    assert [(fault.code, fault.key) for fault in refused.value.faults] == [("not_a_series", "kind")]
    with pytest.raises(KeyError):
        series_text("world-cup")
