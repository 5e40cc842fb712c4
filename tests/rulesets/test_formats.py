"""The formats that come with the product."""

import pytest

from rulesets import loader
from rulesets.formats import format_names, format_text, load_format, parse_format
from scoring.format import Assignment, Cited, Format, smallest_roster
from scoring.ruleset import FaultsError
from scoring.sources import parse_source
from scoring.stages import resolve
from scoring.standings import Played, Row, rank
from tests.scoring.tables import names, table


def test_the_formats_are_known_by_name() -> None:
    assert {"cinderella", "cinderella-2018", "open-play", "single-table-final"} < set(format_names())
    assert list(format_names()) == sorted(format_names())


def test_a_format_bears_the_name_of_its_file() -> None:
    for name in format_names():
        assert load_format(name).name == name
        assert parse_format(format_text(name), "copy") == load_format(name)


def test_there_is_no_format_of_another_name() -> None:
    with pytest.raises(KeyError):
        format_text("world-cup")


def cited(format_: Format) -> list[Cited]:
    """Every rule of a format that names its clauses."""
    rules: list[Cited] = [format_, *([format_.champion] if format_.champion else [])]
    for stage in format_.stages:
        rules += [stage, stage.carry_over, *stage.entrants]
        rules += [intake for block in stage.blocks for intake in block.entrants]
    return rules


def test_every_clause_a_format_names_is_in_its_rule_book() -> None:
    for name in format_names():
        format_ = load_format(name)
        named = {clause for rule in cited(format_) for clause in rule.clauses}
        steps = format_.tiebreak.back_tracking
        named |= {clause for step in steps for clause in (step.clause, step.clause_earlier) if clause}
        known = loader.load(format_.rulebook).book.known() if format_.rulebook else frozenset[str]()
        assert named <= set(known), name


def test_every_rule_of_a_format_of_the_product_says_where_it_comes_from() -> None:
    for name in format_names():
        assert all(rule.clauses or rule.note for rule in cited(load_format(name))), name


OWN = """
name = "club-8"
title = "クラブ選手権"
players = 4
entrants = 8
tiebreak = {}
champion = { block = "final" }

[[stages]]
key = "regular"
title = "予選"
hanchan = 4
seating = "stay"
assignment = "seeded"
carry_over = { kind = "none" }
blocks = [{ key = "all", title = "全員", entrants = [{ from = "seed:1-8" }] }]

[[stages]]
key = "final"
title = "決勝"
hanchan = 2
seating = "stay"
assignment = "seeded"
carry_over = { kind = "half", rounding = "up" }
blocks = [{ key = "final", title = "決勝", entrants = [{ from = "all#1-4" }] }]
"""


def test_a_format_of_ones_own_needs_no_notes_and_titles_in_one_language() -> None:
    own = parse_format(OWN, "own.toml")
    assert own.title.ja == own.title.en == "クラブ選手権"
    assert not any(rule.note or rule.clauses for rule in cited(own))


def test_two_faults_at_one_key_stay_apart_with_their_codes() -> None:
    with pytest.raises(FaultsError) as refused:
        parse_format(OWN.replace("all#1-4", "all#9").replace("entrants = 8", "entrants = 9"), "own.toml")
    found = {(each.key, each.code) for each in refused.value.faults}
    assert found == {
        ("stages.final.blocks.final.entrants.0.from", "rank_beyond"),
        ("entrants", "seeds_differ"),
        ("stages.final.blocks.final", "too_few"),
    }
    assert all(each.message == each.sentence % each.params for each in refused.value.faults)


@pytest.mark.clause("cinderella", "CL-002", "CL-010", "CL-012", "CL-014", "CL-016")
def test_the_ladder_of_sixteen() -> None:
    format_ = load_format("cinderella")
    slots = {block: [str(source) for source in format_.sources(block)] for block in format_.blocks}
    assert slots["A"] == [f"seed:{number}" for number in range(1, 9)]
    assert slots["B"] == [f"seed:{number}" for number in range(9, 17)]
    assert slots["po1"] == ["A#4", "A#5", "B#4", "B#5"]
    assert slots["po2"] == ["A#3", "B#3", "po1#1", "po1#2"]
    assert slots["po3"] == ["A#2", "B#2", "po2#1", "po2#2"]
    assert slots["final"] == ["A#1", "B#1", "po3#1", "po3#2"]
    assert [stage.hanchan for stage in format_.stages] == [8, 4, 4, 4, 4]


def test_the_ladder_of_twenty_four() -> None:
    format_ = load_format("cinderella-2018")
    assert [stage.hanchan for stage in format_.stages] == [12, 2, 2, 2, 4]
    assert [str(source) for source in format_.sources("po1")] == ["A#4", "B#4", "C#4", "best:preliminary#5"]
    assert [str(source) for source in format_.sources("po2")] == ["A#3", "B#3", "C#3", "po1#1"]
    assert [str(source) for source in format_.pool("semifinal")] == [
        "A#1", "A#2", "B#1", "B#2", "C#1", "C#2", "po2#1", "po2#2",
    ]  # fmt: skip
    assert format_.stage("semifinal").assignment is Assignment.DRAWN
    assert [str(source) for source in format_.sources("sf2")] == ["draw:semifinal"] * 4
    assert [str(source) for source in format_.sources("final")] == ["sf1#1", "sf1#2", "sf2#1", "sf2#2"]


def test_every_source_can_be_stored_as_a_short_string() -> None:
    for name in format_names():
        format_ = smallest_roster(load_format(name))
        for block in format_.blocks:
            for source in format_.sources(block):
                assert parse_source(str(source)) == source, name
                assert len(str(source)) <= 64, name


def test_open_play_takes_any_player_for_any_number_of_hanchan_at_any_table() -> None:
    format_ = load_format("open-play")
    (stage,) = format_.stages
    assert (format_.players, format_.entrants, stage.hanchan, stage.sessions) == (None, None, None, None)
    assert format_.blocks["open"].is_open
    assert format_.sources("open") == ()
    assert format_.champion is None
    assert format_.tiebreak.back_tracking == ()


@pytest.mark.clause("cinderella", "CL-018")
@pytest.mark.parametrize("stage", ["po1", "po2", "po3", "final"])
def test_every_stage_of_the_cinderella_league_starts_from_zero(stage: str) -> None:
    blocks = {block: table(*names(block)) for block in "AB"}
    playoffs = {
        "po1": table("A4", "B4", "A5", "B5", hanchan=4),
        "po2": table("A3", "B3", "A4", "B4", hanchan=4),
        "po3": table("A2", "B2", "A3", "B3", hanchan=4),
    }
    seeds = dict(enumerate([*names("A"), *names("B")], start=1))
    slots = resolve(load_format("cinderella"), blocks | playoffs, seeds).slots[stage]
    assert [slot.carried for slot in slots] == [0, 0, 0, 0]


@pytest.mark.clause("cinderella", "CL-026")
def test_the_last_hanchan_is_that_of_the_highest_number_whatever_was_played_later() -> None:
    postponed = Row("hana", (Played(2, 100, 1, 40000), Played(1, 50, 2, 30000)))
    on_time = Row("yuki", (Played(1, 60, 1, 36000), Played(2, 90, 1, 39000)))
    standings = rank([on_time, postponed], load_format("cinderella").tiebreak)
    assert [each.entrant for each in standings.ranked] == ["hana", "yuki"]
