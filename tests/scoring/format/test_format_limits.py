"""Limits of formats that organizers write, beside those of the schema: names, numbers, keys and titles."""

from __future__ import annotations

import pytest

from rulesets.format_toml import format_toml
from rulesets.formats import format_names, format_text, parse_format
from scoring.format.limits import LONGEST_KEY, LONGEST_TITLE, MOST_BLOCKS, limit_faults, places_named

LONG = "k" * (LONGEST_KEY + 1)
LEAGUE = format_text("tier")


def faults(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    """Return key and code of the faults of the league as an organizer's own, after these changes."""
    text = LEAGUE.replace('name = "tier"', 'name = "own"')
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return [(each.key, each.code) for each in limit_faults(parse_format(text, "own.toml"), format_names(), ("build",))]


def test_a_format_of_usual_size_is_within_the_limits() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('name = "own"', 'name = "cinderella"'), ("name", "name_of_product")),
        (('name = "own"', 'name = "build"'), ("name", "name_reserved")),
        (("most = 32", "most = 2004"), ("entrants", "number_too_large")),
        (("16", "516"), ("stages.league.hanchan", "number_too_large")),
        (('"league"', f'"{LONG}"'), (f"stages.{LONG}.key", "text_too_long")),
        (('ja = "リーグ戦"', f'ja = "{"長" * (LONGEST_TITLE + 1)}"'), ("stages.league.title", "text_too_long")),
    ],
    ids=["of-the-product", "reserved", "entrants", "hanchan", "key", "title"],
)
def test_what_the_service_cannot_hold_is_told_at_its_key(change: tuple[str, str], fault: tuple[str, str]) -> None:
    assert fault in faults(change)


def test_more_blocks_than_a_page_can_show_are_refused() -> None:
    blocks = [
        {"key": f"b{number}", "title": "B", "entrants": [{"from": f"seed:{4 * number + 1}-{4 * number + 4}"}]}
        for number in range(MOST_BLOCKS + 1)
    ]
    stage = {"key": "s", "title": "S", "seating": "stay", "assignment": "seeded", "carry_over": {"kind": "none"}}
    data = {"name": "own", "title": "Own", "entrants": 4 * len(blocks), "tiebreak": {}}
    found = parse_format(format_toml({**data, "stages": [{**stage, "blocks": blocks}]}), "own.toml")
    assert [each.code for each in limit_faults(found, (), ())] == ["too_many_blocks"]


@pytest.mark.parametrize("data", [None, {}, {"stages": 3}, {"stages": [3, {"blocks": 3, "entrants": [{"from": 3}]}]}])
def test_data_that_name_no_entrants_name_none(data: object) -> None:
    assert places_named(data) == 0
