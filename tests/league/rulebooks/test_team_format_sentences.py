"""Test that a team league's format is described whole, in both languages."""

from __future__ import annotations

import pytest
from django.utils import translation

from league.wording.rulebooks.format_sentences import format_sentences
from rulesets.formats import load_format


def sentences(name: str, language: str) -> list[str]:
    with translation.override(language):
        return format_sentences(load_format(name))


def test_members_limits_with_their_source_and_awards_are_in_the_description() -> None:
    told = sentences("mleague-2019", "en")
    assert told[0] == "8 teams; 3 to 4 members to a team; women and men in every team."
    assert told[1].endswith("each member plays 10 to 45 hanchan (Rule of 2019 (mj-news.net, 30 September 2019)).")
    assert "Award in “Regular season”: Fewest fourth places." in told


def test_the_duty_to_replace_members_names_the_stage_that_was_missed() -> None:
    (first, *_rest) = sentences("mleague-2025", "en")
    assert first.endswith("a team that misses “Semifinal” in 2 seasons in a row replaces 1 member or more.")


@pytest.mark.parametrize("name", ["mleague-2018", "mleague-2019", "mleague-2025", "team-league"])
def test_no_english_is_left_in_the_japanese_description(name: str) -> None:
    told = "".join(sentences(name, "ja"))
    assert not [word for word in ("team", "member", "hanchan", "award", "seed") if word in told.lower()]
    assert "1チーム" in told
    assert "個人賞" in told


def test_an_award_with_a_minimum_says_so() -> None:
    assert "Award in “League”: Best average, from 6 hanchan on." in sentences("team-league", "en")
