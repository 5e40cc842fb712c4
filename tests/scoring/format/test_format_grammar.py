"""Faults of rounds, tables, teams and open rosters: each at the place that causes it, with what is allowed."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from rulesets.formats import parse_any_format, parse_format
from rulesets.loader import RulesetError
from scoring.format import Carry, CarryOver, CarryRounding, Format, Ranking, Series, close_roster, smallest_roster
from scoring.ruleset import Fault, FaultsError

EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "formats" / "examples" / "formats.examples.toml"
TEXTS = {each["name"]: each["text"] for each in tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))["format"]}


def faults(name: str, *changes: tuple[str, str]) -> list[Fault]:
    """Return the faults of one of the complete formats after these changes."""
    text = TEXTS[name]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    with pytest.raises(RulesetError) as refused:
        parse_any_format(text, "own.toml")
    return list(refused.value.faults)


def loaded(name: str, *changes: tuple[str, str]) -> Format:
    text = TEXTS[name]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    found = parse_any_format(text, "own.toml")
    assert isinstance(found, Format)
    return found


ROUNDS = 'rounds = [{ numbers = "1-5", by = "plan" }]'
TWICE = ROUNDS.replace("}", '}, { numbers = "2", by = "draw" }')
SNAKE = 'arrange = "snake"'
BLOCKS = 'blocks = [{ key = "x", title = "X" }]'

REFUSED = [
    ("cut-32", [(ROUNDS, ROUNDS.replace("1-5", "1-4"))], "stages.main.rounds", "rounds_missing"),
    ("cut-32", [(ROUNDS, ROUNDS.replace("1-5", "1-6"))], "stages.main.rounds", "rounds_beyond"),
    ("cut-32", [(ROUNDS, ROUNDS.replace("1-5", "5-1"))], "stages.main.rounds.0.numbers", "no_numbers"),
    ("cut-32", [(ROUNDS, TWICE)], "stages.main.rounds", "rounds_twice"),
    ("cut-32", [(', of = "main"', "")], "stages.sixteen.rounds.0.by", "standing_too_early"),
    ("cut-32", [(', of = "main"', ', of = "semi"')], "stages.sixteen.rounds.0.of", "of_not_earlier"),
    ("cut-32", [(ROUNDS, ROUNDS.replace("}", ', of = "main" }'))], "stages.main.rounds.0.of", "of_not_standing"),
    ("cut-32", [(ROUNDS, ROUNDS.replace("}", ", weights = {} }"))], "stages.main.rounds.0.weights", "of_not_standing"),
    ("cut-32", [(ROUNDS, ROUNDS.replace("}", ", band = 8 }"))], "stages.main.rounds.0.band", "of_not_standing"),
    ("cut-32", [(ROUNDS, ROUNDS.replace("}", f", {SNAKE} }}"))], "stages.main.rounds.0.arrange", "of_not_standing"),
    ("cut-32", [(', of = "main"', ', of = "main", band = 6')], "stages.sixteen.rounds.0.band", "band_tables"),
    ("cut-32", [('seating = "rounds"', 'seating = "stay"')], "stages.main.rounds", "rounds_not_here"),
    ("cut-32", [("hanchan = 5\n", "")], "stages.main.rounds", "rounds_without_hanchan"),
    ("cut-32", [("count = 2", "count = 3")], "stages.semi.tables.count", "seats_and_entrants"),
    ("cut-32", [("count = 2", "count = 2, size = 3")], "stages.semi.tables.size", "other_table_size"),
    ("cut-32", [(SNAKE, "")], "stages.semi.arrange", "arranged_without_arrange"),
    ("cut-32", [("\ntables =", "\n# tables =")], "stages.semi.tables", "arranged_without_tables"),
    ("cut-32", [(SNAKE, f"{SNAKE}\n{BLOCKS}")], "stages.semi.blocks", "blocks_in_arranged"),
    ("wrc-224", [("count = 4", "count = 4, size = 3")], "stages.four.tables.size", "crossed_size"),
    ("cut-32", [(SNAKE, 'arrange = "crossed"')], "stages.semi.arrange", "crossed_sources"),
    ("cut-32", [('assignment = "arranged"', 'assignment = "seeded"')], "stages.semi.tables", "not_arranged"),
    ("cut-32", [('key = "semi", count', 'key = "main", count')], "stages.semi.tables.key", "block_key_of_stage"),
    ("cut-32", [("seed:*", "main#*")], "stages.main.blocks.main.entrants.0.from", "no_rest"),
    ("cut-32", [("seed:*", "seed:1-99999")], "stages.main.blocks.main.entrants.0.from", "beyond_largest"),
    ("wrc-224", [("least = 64", "least = 16")], "stages.eight.entrants.0.from", "cut_beyond_least"),
    ("wrc-224", [('odd = { by = "substitutes", points = "-15.0" }', "")], "entrants.most", "size_not_full"),
    (
        "swiss-40",
        [('by = "byes", points = "average"', 'by = "refuse"'), ("least = 16, most = 120", "least = 17, most = 19")],
        "entrants",
        "size_never_full",
    ),
    ("wrc-224", [("least = 64", "least = 600")], "entrants", "falling_bounds"),
    ("wrc-224", [("seed:*", "seed:1-80")], "entrants.most", "seeds_differ"),
    ("wrc-224", [("eight#1-2", "eight#1-3")], "stages.four.tables.count", "seats_and_entrants"),
    ("swiss-40", [('"places", "seed"', '"seed", "places"')], "tiebreak.then", "not_last"),
    ("swiss-40", [('"places", "seed"', '"age"')], "tiebreak.then.0", "one_of"),
    ("mleague-2019", [("least = 10", "least = 25")], "limits.0.least", "limit_too_high"),
    ("mleague-2019", [("most = 45", "most = 29")], "limits.0.most", "limit_too_low"),
    ("mleague-2019", [("most = 45", "most = 5")], "limits.0.least", "limit_falls"),
    ("mleague-2019", [("least = 10\nmost = 45", "")], "limits.0", "limit_empty"),
    ("mleague-2019", [('stage = "regular"\nleast', 'stage = "spring"\nleast')], "limits.0.stage", "no_stage"),
    ("mleague-2019", [('kind = "teams"', "")], "limits", "only_teams"),
    ("mleague-2019", [('kind = "teams"', "")], "team", "only_teams"),
    ("mleague-2019", [('key = "points"', 'key = "best-score"')], "awards.best-score.key", "award_key_twice"),
    ("company-halves", [('kind = "half", rounding = "towards_zero"', 'kind = "part", rounding = "up"')],
     "stages.second.carry_over", "of_part"),
    ("company-halves", [('kind = "half"', 'kind = "part", of = "3/2"')], "stages.second.carry_over.of", "no_share"),
    ("pyramid-points", [("A1#last:1/4", "A1#last")], "moves.0.from", "no_move"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "key", "code"), REFUSED, ids=[f"{r[0]} {r[3]} {r[2]}" for r in REFUSED])
def test_a_fault_is_reported_where_it_was_made(name: str, changes: list[tuple[str, str]], key: str, code: str) -> None:
    found = faults(name, *changes)
    assert (key, code) in [(each.key, each.code) for each in found]
    assert all(each.sentence and each.sentence % each.params == each.message for each in found), "for translation"


def test_a_fault_says_what_is_missing() -> None:
    (fault,) = faults("cut-32", (ROUNDS, ROUNDS.replace("1-5", "1-3")))
    assert fault.message == "together the rounds must be 1 to 5; missing: 4, 5"
    found = {each.code: each.message for each in faults("mleague-2019", ("least = 10", "least = 25"))}
    assert found["limit_too_high"] == (
        "4 members with at least 25 hanchan each need 100; the team plays 90 in this stage"
    )


def test_crossed_tables_come_from_two_or_a_multiple_of_four() -> None:
    text = TEXTS["wrc-224"]
    six = text.replace("main#1-32", "main#1-24").replace("count = 8", "count = 6").replace("count = 4", "count = 3")
    with pytest.raises(RulesetError) as refused:
        parse_format(six, "own")
    assert ("stages.four.arrange", "crossed_tables") in {(each.key, each.code) for each in refused.value.faults}


@pytest.mark.parametrize(("ranks", "is_crossed"), [("1-2", True), ("3-4", True), ("2-3", True), ("1", False)])
def test_two_ranks_of_each_table_are_crossed_also_those_below(ranks: str, is_crossed: bool) -> None:
    text = TEXTS["wrc-224"].replace("eight#1-2", f"eight#{ranks}")
    if not is_crossed:
        assert "crossed_sources" in {each.code for each in faults("wrc-224", ("eight#1-2", f"eight#{ranks}"))}
        return
    first, second = map(int, ranks.split("-"))
    found = close_roster(parse_format(text, "own"), 64)
    assert [str(source) for source in found.sources("four1")] == [
        f"eight1#{first}", f"eight5#{first}", f"eight4#{second}", f"eight8#{second}"
    ]  # fmt: skip


def test_a_table_of_a_union_is_not_told_that_it_is_no_number() -> None:
    keys = {each.key for each in faults("swiss-40", ("least = 16", 'least = "many"'))}
    assert keys == {"entrants.least"}


def test_a_roster_is_closed_with_any_number_that_fits() -> None:
    format_ = loaded("wrc-224")
    closed = close_roster(format_, 224)
    assert (closed.entrants, closed.seeds, closed.bounds, closed.is_closed) == (224, 224, None, True)
    assert [str(source) for source in closed.sources("eight1")] == ["main#1", "main#16", "main#17", "main#32"]
    assert [str(source) for source in closed.sources("four1")] == ["eight1#1", "eight5#1", "eight4#2", "eight8#2"]
    assert [str(source) for source in closed.sources("final")] == ["two1#1", "two1#2", "two2#1", "two2#2"]
    assert format_.bounds is not None
    assert [number in format_.bounds for number in (63, 64, 400, 401)] == [False, True, True, False]
    for wrong in (0, 63, 401):
        with pytest.raises(FaultsError, match="this format is for 64 to 400 entrants"):
            close_roster(format_, wrong)


def test_a_policy_may_refuse_numbers_that_fill_no_tables_and_says_how_many_are_missing() -> None:
    format_ = loaded("swiss-40", ('by = "byes", points = "average"', 'by = "refuse"'))
    assert close_roster(format_, 20).seeds == 20
    with pytest.raises(FaultsError, match="take 2 more or 2 fewer") as refused:
        close_roster(format_, 18)
    assert [each.code for each in refused.value.faults] == ["roster_not_full"]
    text = (
        TEXTS["swiss-40"].replace("{ least = 16, most = 120 }", "18").replace('"byes", points = "average"', '"refuse"')
    )
    with pytest.raises(RulesetError, match="take 2 more or 2 fewer"):
        parse_format(text, "own")


def test_the_smallest_roster_that_fills_every_stage_is_shown_before_closing() -> None:
    assert smallest_roster(loaded("swiss-40")).seeds == 16
    refusing = loaded("swiss-40", ('by = "byes", points = "average"', 'by = "refuse"'), ("least = 16", "least = 17"))
    assert smallest_roster(refusing).seeds == 20
    beyond = loaded("swiss-40", ('by = "byes", points = "average"', 'by = "refuse"'), ("most = 120", "most = 122"))
    assert smallest_roster(beyond).seeds == 16
    one = loaded("swiss-40", ("least = 16, most = 120", "least = 40, most = 40"))
    assert smallest_roster(one).seeds == 40


def test_from_no_entrants_on_the_smallest_roster_is_the_least_that_a_cut_leaves() -> None:
    format_ = loaded("wrc-224", ("least = 64", "least = 0"), ('odd = { by = "substitutes"', 'odd = { by = "refuse"'))
    assert smallest_roster(format_).seeds == 32


def test_the_rest_of_a_block_depends_on_its_size() -> None:
    changes = (("main#1-16", "main#13-*"), ("entrants = 32", "entrants = 28"))
    closed = close_roster(loaded("cut-32", *changes), 28)
    assert [str(source) for source in closed.sources("sixteen")] == [f"main#{rank}" for rank in range(13, 29)]
    assert closed.stage("sixteen").blocks[0].entrants[0].sources == "main#13-28"


def test_a_rest_of_one_entrant_is_written_out_as_a_rank() -> None:
    rest = 'main#1-15" }, { from = "main#32-*'
    closed = close_roster(loaded("cut-32", ("main#1-16", rest)), 32)
    assert [intake.sources for intake in closed.stage("sixteen").blocks[0].entrants] == ["main#1-15", "main#32"]


def test_tables_of_unreadable_entrants_are_told_that_alone() -> None:
    found = faults("cut-32", ("sixteen#1-8", "the best"))
    assert {(each.key, each.code) for each in found if each.key.startswith("stages.semi.")} == {
        ("stages.semi.entrants.0.from", "no_source")
    }


def test_a_series_and_a_ranking_are_read_by_the_same_loader_and_start_no_competition() -> None:
    series = parse_any_format(TEXTS["pyramid-points"], "own")
    assert isinstance(series, Series)
    assert [str(move.source) for move in series.moves] == ["A1#last:1/4", "A2#top:1/4", "A2#last:1/4", "B#top:1/4"]
    with pytest.raises(RulesetError, match="kind players or teams"):
        parse_format(TEXTS["pyramid-points"], "own")
    ranking = parse_any_format(RANKING, "own")
    assert isinstance(ranking, Ranking)
    assert ranking.versions[0].event.weight[1].steps == ((41, Fraction(1, 2)), (81, Fraction(1)))


RANKING = """
name = "mers"
kind = "ranking"
title = "European ranking"

[[versions]]
from = 2018-01-01
least_results = 2
listed = { decimals = 2, rounding = "half_even" }
combine = { by = "mean" }
parts = [{ take = { least = 5, then = "4/5", rounding = "up" }, fill = { to = 5, base = 0, weight = "1" } }]

[versions.event]
base = { kind = "linear", top = 1000, rounding = "nearest" }
weight = [{ by = "days", most = 3 }, { by = "players", steps = [[41, "1/2"], [81, "1"]] }]
age = [{ years = 1, factor = "1" }, { years = 2, factor = "1/2" }]
"""


def test_half_is_a_part_of_one_half() -> None:
    half = CarryOver.model_validate_json('{"kind": "half", "rounding": "up"}')
    part = CarryOver.model_validate_json('{"kind": "part", "of": "1/2", "rounding": "up"}')
    assert half.share == part.share == Fraction(1, 2)
    exact = CarryOver.model_validate({"kind": Carry.PART, "of": Fraction(1, 3), "rounding": CarryRounding.UP})
    assert exact.share == Fraction(1, 3)
