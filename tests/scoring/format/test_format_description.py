"""The phrases that describe a format: what each key of its file adds to the sentences."""

from __future__ import annotations

import pytest

from rulesets.format_toml import format_toml
from rulesets.formats import format_names, format_text, load_format, parse_format
from rulesets.toml_text import toml_of
from scoring.format import Format
from scoring.format.description import Phrase, describe, limit_phrases
from scoring.ruleset.base import Title


def changed(name: str, *changes: tuple[str, str]) -> Format:
    """Return a format of the product with these parts of its text replaced."""
    text = format_text(name)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return parse_format(text, "own.toml")


def phrases(format_: Format) -> list[str]:
    return [phrase.code for sentence in describe(format_) for phrase in sentence.phrases]


def found(format_: Format, code: str) -> list[Phrase]:
    return [phrase for sentence in describe(format_) for phrase in sentence.phrases if phrase.code == code]


def test_a_league_of_teams_tells_its_members_and_its_awards() -> None:
    format_ = load_format("mleague-2025")
    assert phrases(format_)[:4] == ["teams", "members", "both_sexes", "replace"]
    (replaced,) = found(format_, "replace")
    assert (replaced.params["seasons"], replaced.params["count"]) == (2, 1)
    assert len(found(format_, "award")) == 3
    plain = changed(
        "mleague-2025",
        ("both_sexes = true\n", ""),
        ("replace = {", "# {"),
        ('by = "total"', 'by = "total"\nleast_hanchan = 12'),
    )
    assert phrases(plain)[:3] == ["teams", "members", "seeds"]
    assert [phrase.params["least"] for phrase in found(plain, "award_from")] == [12]


@pytest.mark.parametrize(
    ("limit", "code"),
    [("least = 10", "limit_least"), ("most = 45", "limit_most"), ("least = 10\nmost = 45", "limit_between")],
)
def test_a_limit_on_the_hanchan_of_a_member_is_told_with_its_stage(limit: str, code: str) -> None:
    text = format_text("mleague-2025")
    head, stages = text[: text.index("[[awards]]")], text[text.index("[[awards]]") :]
    note = 'note = { ja = "規約", en = "Rules" }'
    own = f'{head}[[limits]]\nwho = "player"\nstage = "regular"\n{limit}\n{note}\n\n{stages}'
    format_ = parse_format(own, "own.toml")
    assert [phrase.code for phrase in limit_phrases(format_, "regular")] == [code]
    assert not list(limit_phrases(format_, "semi"))


def test_an_open_block_and_a_stage_of_any_length_are_told() -> None:
    assert phrases(load_format("open-play")) == [
        "players_any",
        "open",
        "any_hanchan",
        "seating_rounds",
        "carry_none",
        "ties_shared",
    ]


@pytest.mark.parametrize(
    ("policy", "codes"),
    [
        ('odd = { by = "byes", points = "average" }', ["odd_byes", "bye_average"]),
        ('odd = { by = "substitutes", points = "-15.0" }', ["odd_substitutes", "house_points"]),
        ('odd = { by = "substitutes" }', ["odd_substitutes"]),
        ('odd = { by = "refuse" }', []),
        ('no_show = { by = "substitutes", after_minutes = 10, points = "-30.0" }', ["no_show_after", "no_show_points"]),
        ('no_show = { by = "substitutes", place = "last" }', ["no_show_substitutes", "no_show_last"]),
        ('no_show = { twice = "withdrawal" }', ["no_show_twice"]),
        ("no_show = {}", []),
        ('late = { worth = "-10.0" }', ["late"]),
        ("withdrawal = { ranked = true }", ["withdrawal_ranked"]),
        ('withdrawal = { ranked = false, results = "annul" }', ["withdrawal_unranked", "withdrawal_annul"]),
        ('walkover = { by = "worth", worth = "5.0" }', ["walkover"]),
        ('walkover = { by = "ruling" }', []),
        ('declined = "empty"', ["declined_empty"]),
    ],
)
def test_a_policy_adds_what_the_file_says_and_nothing_else(policy: str, codes: list[str]) -> None:
    usual = phrases(load_format("single-table-final"))
    own = changed("single-table-final", ("[tiebreak]", f"[policies]\n{policy}\n\n[tiebreak]"))
    assert [code for code in phrases(own) if code not in usual] == codes


def test_a_format_without_a_champion_ends_with_its_ties() -> None:
    data = toml_of(format_text("single-table-final"))
    del data["champion"]
    assert phrases(load_format("single-table-final"))[-1] == "champion"
    assert phrases(parse_format(format_toml(data), "own.toml"))[-1].startswith("ties_")


def named(format_: Format, code: str) -> list[object]:
    """Return the English titles of what the phrases with this code are about."""
    return [title.en for phrase in found(format_, code) if isinstance(title := phrase.params["of"], Title)]


def test_entrants_are_told_with_the_title_of_the_stage_the_block_or_the_tables_they_come_from() -> None:
    assert named(load_format("consolation"), "ranks_from") == ["Main rounds"]
    assert "Winners 2 table 1" in named(load_format("double-elimination-16"), "ranks")
    own_key = changed("cut-open", ('tables = { key = "sixteen"', 'tables = { key = "t"'), ('"sixteen#1-2"', '"t#1-2"'))
    assert named(own_key, "ranks_of_each")[0] == "Last 16"
    (seeds,) = found(load_format("mleague-2025"), "seeds")
    assert seeds.params == {"first": 1, "last": 10}
    (best,) = found(load_format("cinderella-2018"), "best")
    assert (best.params["rank"], best.params["first"]) == (5, 1)


def test_rounds_by_a_standing_tell_the_standing_and_how_its_neighbours_are_seated() -> None:
    assert named(load_format("consolation"), "rounds_standing_of") == ["Main rounds"]
    banded = changed("swiss-40", ('by = "standing"', 'by = "standing", band = 8, arrange = "snake"'))
    (band,) = found(banded, "paired_band")
    assert band.params == {"count": 8}
    assert "paired_snake" in phrases(banded)
    assert "rounds_standing" in phrases(banded)


def test_every_stage_of_a_format_has_a_sentence_with_its_title() -> None:
    for name in format_names():
        format_ = load_format(name)
        told = [(sentence.stage, sentence.title) for sentence in describe(format_) if sentence.stage]
        assert told == [(stage.key, stage.title) for stage in format_.stages], name
