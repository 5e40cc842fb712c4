"""The parser of league formats, and its faults for impossible formats."""

import pytest

from rulesets.formats import format_text, parse_format
from rulesets.loader import RulesetError
from scoring.sources import BestOf, Drawn, RankOf, RuledSource, Seed, parse_source, parse_sources

CINDERELLA = format_text("cinderella")
SEASON_2018 = format_text("cinderella-2018")


def faults(text: str) -> list[str]:
    """Return the faults of this text, one line per fault."""
    with pytest.raises(RulesetError) as refused:
        parse_format(text, "own.toml")
    return [f"{each.key}: {each.value}: {each.message}" for each in refused.value.faults]


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return the text with the first occurrence of each given part replaced."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("seed:3", Seed(3)),
        ("A#2", RankOf("A", 2)),
        ("best:preliminary#5", BestOf("preliminary", 5)),
        ("best:preliminary#5/2", BestOf("preliminary", 5, 2)),
        ("draw:semifinal", Drawn("semifinal")),
        ("ruling", RuledSource()),
    ],
)
def test_a_source_is_parsed_and_written_back(text: str, source: object) -> None:
    assert parse_source(text) == source
    assert str(source) == text


def test_a_stage_as_source_expands_to_its_blocks() -> None:
    blocks = {"preliminary": ("A", "B")}
    assert [str(each) for each in parse_sources("preliminary#4-5", blocks)] == ["A#4", "A#5", "B#4", "B#5"]
    assert [str(each) for each in parse_sources("best:preliminary#5/1-2", blocks)] == [
        "best:preliminary#5",
        "best:preliminary#5/2",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rank 2 of A", "no source"),
        ("A#1-2", "2 entrants; a slot takes one"),
        ("A#0", "from 0 to 0"),
        ("seed:5-3", "from 5 to 3"),
    ],
)
def test_a_text_that_is_not_a_single_source_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_source(text)


def test_a_fault_of_the_only_stage_is_not_told_as_a_list_too_short() -> None:
    (fault,) = faults(changed(format_text("single-table-final"), ("hanchan = 4", 'hanchan = "4"')))
    assert fault == "stages.final.hanchan: 4: must be a whole number"


def test_several_faults_are_reported_at_once_with_line_and_value() -> None:
    with pytest.raises(RulesetError) as refused:
        parse_format(changed(CINDERELLA, ("preliminary#4-5", "preliminary#9"), ("po2#1-2", "po4#1-2")), "own.toml")
    told = [str(each) for each in refused.value.faults]
    assert [line.split(": ", 1)[0].partition(":")[0] for line in told] == ["own.toml"] * len(told)
    assert any("block A has 8 entrants, so ranks 1 to 8" in line and "A#9" in line for line in told)
    assert any("there is no block or stage po4" in line for line in told)


def test_a_fault_inside_a_table_is_reported_with_its_key() -> None:
    (fault,) = faults(changed(CINDERELLA, ('assignment = "seeded"', 'assignment = "lottery"')))
    assert fault.startswith("stages.preliminary.assignment: lottery: ")


REFUSED = [
    pytest.param([('key = "po2"', 'key = "po1"')], "each stage needs a key of its own", id="stage key twice"),
    pytest.param([('key = "B"', 'key = "A"')], "each block of the format needs a key of its own", id="block key twice"),
    pytest.param([('key = "A"', 'key = "final"')], "only the one block of a stage may have", id="block named as stage"),
    pytest.param([('key = "A"', 'key = "out"')], "this key has a meaning of its own", id="reserved key"),
    pytest.param([("seed:1-8", "seeds 1 to 8")], "'seeds 1 to 8' is no source", id="unreadable source"),
    pytest.param([("preliminary#4-5", "preliminary#8-9")], "block A has 8 entrants", id="rank beyond the block"),
    pytest.param([("preliminary#4-5", "final#1-4")], "final is not played before this stage", id="cycle"),
    pytest.param([("po1#1-2", "po2#1-2")], "po2 is not played before this stage", id="fed by itself"),
    pytest.param([("po1#1-2", "po9#1-2")], "there is no block or stage po9", id="unknown block"),
    pytest.param([("po1#1-2", "po1#1")], "a table needs 4 entrants", id="three at a table"),
    pytest.param([("po1#1-2", "po1#1-3")], "5 entrants with 1 turns each do not fill", id="five at a table"),
    pytest.param([("preliminary#4-5", "preliminary#4")], "a table needs 4 entrants", id="two at a table"),
    pytest.param([("preliminary#2", "preliminary#3")], "A#3: is used 2 times", id="source twice"),
    pytest.param([("seed:9-16", "seed:9-15")], "these do not fit: 16", id="seed without a slot"),
    pytest.param([("entrants = 16", "entrants = 12")], "these do not fit: 13, 14, 15, 16", id="seed beyond the roster"),
    pytest.param([("entrants = 16\n", "")], "must count the seeds", id="seeds without a roster"),
    pytest.param([("sessions = 2", "sessions = 3")], "must divide the 8 hanchan evenly", id="uneven sessions"),
    pytest.param(
        [('[champion]\nblock = "final"', '[champion]\nblock = "po9"')], "there is no such block", id="champion"
    ),
    pytest.param(
        [('[champion]\nblock = "final"', '[champion]\nblock = "A"')], "others advance from this", id="champion"
    ),
    pytest.param([('kind = "none"', 'kind = "half"')], "rounding belongs to half", id="half without rounding"),
    pytest.param([('kind = "none"', 'kind = "none", points = [1]')], "points belong to a table", id="points for none"),
    pytest.param(
        [('kind = "none"', 'kind = "full"')], "the first stage has nothing to carry over", id="carry at start"
    ),
    pytest.param(
        [('kind = "none"', 'kind = "table", points = ["1.5", 1]')], "one entry for each slot", id="short table"
    ),
    pytest.param(
        [('entrants = [{ from = "seed:1-8", clauses = ["CL-002"] }]', "")],
        "needed, unless",
        id="block without entrants",
    ),
    pytest.param([('key = "A"', 'key = "A"\nis_open = true')], "not allowed here", id="open block with entrants"),
    pytest.param([('key = "A"', 'key = "A"\nsize = 8')], "the blocks of a drawn stage have a size", id="size"),
    pytest.param(
        [('key = "po1"\ntitle', 'key = "po1"\nentrants = [{ from = "A#4", clauses = ["CL-007"] }]\ntitle')],
        "only a drawn or arranged stage lists entrants here",
        id="stage with entrants",
    ),
    pytest.param(
        [('assignment = "seeded"', 'assignment = "drawn"')],
        "needed in a drawn or arranged stage",
        id="no player to draw",
    ),
    pytest.param([("preliminary#4-5", "best:po9#5")], "there is no stage po9", id="comparison of no stage"),
    pytest.param([("po1#1-2", "best:po1#1")], "there is nothing to compare; take po1#1", id="comparison of one block"),
    pytest.param(
        [("preliminary#4-5", "best:preliminary#4/1-3")], "has 2 blocks, so 2 entrants", id="third best of two"
    ),
    pytest.param(
        [("preliminary#4-5", "best:preliminary#9")], "block B has 8 entrants", id="comparison beyond the block"
    ),
    pytest.param([("preliminary#4-5", "best:preliminary#3")], "also compared across blocks", id="compared and taken"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_an_impossible_format_is_refused(changes: list[tuple[str, str]], message: str) -> None:
    assert any(message in fault for fault in faults(changed(CINDERELLA, *changes)))


REFUSED_DRAWS = [
    pytest.param([("preliminary#1-2", "preliminary#1")], "have room for 8", id="too few to draw from"),
    pytest.param([("preliminary#1-2", "the best")], "'the best' is no source", id="unreadable entrants"),
    pytest.param([("size = 4\n", "")], "the blocks of a drawn stage have a size", id="block without a size"),
    pytest.param([("size = 4\n", "size = 4\nis_open = true\n")], "cannot be open", id="open drawn block"),
    pytest.param(
        [('\n[[stages.blocks]]\nkey = "sf2"\ntitle = { ja = "準決勝2卓", en = "Semifinal table 2" }\nsize = 4\n', "")],
        "one block leaves nothing to draw",
        id="one block",
    ),
    pytest.param(
        [
            ("preliminary#1-2", "the best"),
            ('"drawn"\ncarry_over = { kind = "none"', '"drawn"\ncarry_over = { kind = "table", points = [1]'),
        ],
        "one entry for each slot",
        id="table for unreadable entrants",
    ),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED_DRAWS)
def test_an_impossible_drawn_stage_is_refused(changes: list[tuple[str, str]], message: str) -> None:
    assert any(message in fault for fault in faults(changed(SEASON_2018, *changes)))


def test_a_carry_over_table_of_points_is_parsed_exactly() -> None:
    before, po1 = CINDERELLA.split('key = "po1"', 1)
    points = 'kind = "table", points = ["20.0", 10, "0", "-10.5"]'
    text = before + 'key = "po1"' + changed(po1, ('kind = "none"', points))
    assert [str(each) for each in parse_format(text, "own.toml").stage("po1").carry_over.points] == [
        "20",
        "10",
        "0",
        "-21/2",
    ]


def test_a_format_may_leave_the_table_size_to_the_ruleset() -> None:
    assert parse_format(changed(CINDERELLA, ("players = 4\n", "")), "own.toml").players is None


def test_the_best_of_an_open_block_may_advance() -> None:
    text = changed(format_text("open-play"), ("[tiebreak]", "players = 4\n\n[tiebreak]"))
    final = """
[[stages]]
key = "final"
title = { ja = "決勝", en = "Final" }
hanchan = 4
seating = "stay"
assignment = "seeded"
carry_over = { kind = "half", rounding = "away_from_zero", note = { ja = "半分", en = "Half" } }
note = { ja = "上位4名", en = "The best four" }
[[stages.blocks]]
key = "final"
title = { ja = "決勝", en = "Final" }
entrants = [{ from = "open#1-4", note = { ja = "上位4名", en = "The best four" } }]
"""
    assert [str(each) for each in parse_format(text + final, "own.toml").sources("final")] == [
        "open#1",
        "open#2",
        "open#3",
        "open#4",
    ]


def test_looking_up_an_unknown_stage_raises_an_error() -> None:
    with pytest.raises(KeyError):
        parse_format(CINDERELLA, "own.toml").stage("po9")
