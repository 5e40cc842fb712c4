"""Trials with invented results, and the numbers of a format."""

from __future__ import annotations

from collections import Counter
from itertools import cycle, groupby, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.format_toml import format_toml
from rulesets.formats import format_names, load_format, parse_format
from scoring.format import Format
from scoring.format.numbers import format_numbers
from scoring.format.trial import Scenario, Trial, trial
from scoring.resolution import Certainty
from tests.fuzz.examples import ASKED

FORMATS = format_names()
CARRIES = (
    {"kind": "none"},
    {"kind": "half", "rounding": "up"},
    {"kind": "half", "rounding": "towards_zero"},
    {"kind": "full"},
)


@st.composite
def formats(draw: st.DrawFn) -> Format:
    """Draw a format of one to four stages, with ranks, best of ranks, drawn tables and carried points."""
    players, width = draw(st.sampled_from([3, 4])), draw(st.integers(1, 3))
    size = players * draw(st.integers(1, 3))
    # Of each earlier block: the ranks that no later stage has taken yet.
    free = {f"s0-{n}": list(range(1, size + 1)) for n in range(width)}
    seeds = [f"seed:{n * size + 1}-{(n + 1) * size}" for n in range(width)]
    stages = [stage(draw, 0, [[{"from": seed}] for seed in seeds], {"kind": "none"})]
    if width > 1 and draw(st.booleans()):
        best = list(range(1, min(width, players) + 1))
        rank = size
        free = {block: ranks[:-1] for block, ranks in free.items()}
        compared = [{"from": f"best:s0#{rank}/{n}"} for n in best]
    else:
        compared = []
    for number in range(1, draw(st.integers(1, 4))):
        ready = [f"{block}#{rank}" for block, ranks in free.items() for rank in ranks]
        taken = draw(st.permutations(ready))[: players * draw(st.integers(1, 2))]
        entrants, compared = [*compared, *({"from": source} for source in taken)], []
        entrants = entrants[: len(entrants) // players * players]
        if not entrants:
            break
        for source in entrants:
            block, _mark, rank_text = source["from"].partition("#")
            if block in free:
                free[block].remove(int(rank_text))
        is_drawn = len(entrants) == 2 * players and draw(st.booleans())
        stages.append(stage(draw, number, [entrants], draw(st.sampled_from(CARRIES)), players if is_drawn else 0))
        names = [f"s{number}-0", f"s{number}-1"] if is_drawn else [f"s{number}-0"]
        free |= {name: list(range(1, len(entrants) // len(names) + 1)) for name in names}
    last = stages[-1]["blocks"][-1]["key"]
    data = {
        "name": "drawn", "title": "Drawn", "players": players, "entrants": width * size, "stages": stages,
        "tiebreak": {"back_tracking": [{"by": "points"}, {"by": "place"}] if draw(st.booleans()) else []},
        "champion": {"block": last},
    }  # fmt: skip
    return parse_format(format_toml(data), "drawn.toml")


def stage(
    draw: st.DrawFn, number: int, blocks: list[list[dict[str, str]]], carry: dict[str, str], drawn: int = 0
) -> dict[str, Any]:
    """Return a stage's table: these entrants for each block, or the only ones drawn into two blocks of a size."""
    named: list[dict[str, Any]] = [
        {"key": f"s{number}-{n}", "title": "B", "entrants": each} for n, each in enumerate(blocks)
    ]
    if drawn:
        named = [{"key": f"s{number}-{n}", "title": "B", "size": drawn} for n in range(2)]
    sessions = draw(st.integers(1, 2))
    return {
        "key": f"s{number}", "title": "S", "hanchan": sessions * draw(st.integers(1, 2)), "sessions": sessions,
        "seating": draw(st.sampled_from(["stay", "rounds"])), "assignment": "drawn" if drawn else "seeded",
        "carry_over": carry, "blocks": named, **({"entrants": blocks[0]} if drawn else {}),
    }  # fmt: skip


def block_format(entrants: int, hanchan: int, more: str = "", players: str = "players = 4") -> Format:
    return parse_format(
        f"""name = "one"
title = "One"
{players}
entrants = {entrants}
[tiebreak]
[[stages]]
key = "one"
title = "One"
hanchan = {hanchan}
seating = "rounds"
assignment = "seeded"
carry_over = {{ kind = "none" }}
[[stages.blocks]]
key = "one"
title = "One"
entrants = [{{ from = "seed:1-{entrants}" }}]
{more}""",
        "one.toml",
    )


OPEN: dict[str, Any] = {
    "name": "open",
    "title": "Open",
    "players": 4,
    "entrants": 8,
    "tiebreak": {},
    "stages": [
        {
            "key": "s",
            "title": "S",
            "seating": "rounds",
            "assignment": "seeded",
            "carry_over": {"kind": "none"},
            "blocks": [{"key": "s", "title": "S", "entrants": [{"from": "seed:1-8"}]}],
        }
    ],
}
"""A league of eight for any number of hanchan."""


def check(format_: Format, found: Trial) -> None:
    """Check that a trial is a whole, exact season of the format."""
    assert [block.block for block in found.blocks] == list(format_.blocks)
    for block in found.blocks:
        hanchan = format_.stage_of[block.block].hanchan
        for game in block.games:
            assert sum(game.points) == 0
            assert sum(game.scores) == 25_000 * len(game.entrants)
            assert len(set(game.entrants)) == len(game.entrants)
        for line in block.standings.ranked:
            own = [game for game in block.games if line.entrant in game.entrants]
            assert hanchan is None or len(own) == hanchan
            points = sum(game.points[game.entrants.index(line.row.entrant)] for game in own)
            assert line.total == line.row.carried + points
        for _, games in groupby(block.games, key=lambda game: game.round):
            tables = {game.entrants for game in games}
            seated = [entrant for table in tables for entrant in table]
            assert len(set(seated)) == len(seated)
    slots = [slot for row in found.resolution.slots.values() for slot in row]
    assert all(slot.state is Certainty.CERTAIN for slot in slots)
    assert found.resolution.awaiting == ()
    assert (found.champion is None) == (format_.champion is None)


@pytest.mark.parametrize(
    ("name", "scenario"), [*product(FORMATS, Scenario)] if ASKED else [*zip(FORMATS, cycle(Scenario))]
)
def test_every_format_of_the_product_can_be_played_to_its_end_with_its_numbers_of_games(
    name: str, scenario: Scenario
) -> None:
    format_ = load_format(name)
    found = trial(format_, 3, scenario)
    check(format_, found)
    numbers = format_numbers(format_)
    counted = [block.games for stage in numbers.stages for block in stage.blocks]
    played = [len(block.games) for block in found.blocks]
    assert [games for games in counted if games is not None] == [
        games for count, games in zip(counted, played, strict=True) if count is not None
    ]


@pytest.mark.slow
@given(formats(), st.integers(0, 2**31), st.sampled_from(Scenario))
def test_any_valid_format_can_be_played_to_its_end(format_: Format, seed: int, scenario: Scenario) -> None:
    found = trial(format_, seed, scenario)
    check(format_, found)
    assert found == trial(format_, seed, scenario)
    numbers = format_numbers(format_)
    assert numbers.games == sum(len(block.games) for block in found.blocks)
    played: Counter[int] = Counter(
        entrant for block in found.blocks for game in block.games for entrant in game.entrants
    )
    assert numbers.least_hanchan is not None
    assert numbers.most_hanchan is not None
    assert numbers.least_hanchan <= min(played.values()) <= max(played.values()) <= numbers.most_hanchan


def test_other_seeds_give_other_results() -> None:
    champions = {trial(load_format("cinderella"), seed).champion for seed in range(7)}
    assert len(champions) > 3


def test_the_favourite_wins_every_table() -> None:
    found = trial(load_format("cinderella"), 1, Scenario.FAVOURITES)
    games = [game for block in found.blocks for game in block.games]
    assert all(game.entrants == tuple(sorted(game.entrants)) for game in games)
    assert all(game.places == tuple(sorted(game.places)) for game in games)
    assert found.champion == 1


def test_level_results_leave_every_border_to_a_ruling() -> None:
    found = trial(load_format("cinderella-2018"), 1, Scenario.LEVEL)
    assert [tie.scope for tie in found.rulings] == [
        "A", "B", "C", "best:preliminary#5", "po1", "po2", "sf1", "sf2", "final",
    ]  # fmt: skip
    assert all(set(game.points) == {0} for block in found.blocks for game in block.games)


@pytest.mark.parametrize(("entrants", "hanchan"), [(10, 6), (12, 5), (5, 4), (30, 10), (7, 8)])
def test_entrants_rest_in_turn_where_the_tables_are_full(entrants: int, hanchan: int) -> None:
    format_ = block_format(entrants, hanchan)
    check(format_, trial(format_, 2))


@pytest.mark.parametrize(("entrants", "hanchan"), [(2, 3), (7, 5), (9, 1)])
def test_a_rest_that_fills_no_table_plays_with_fewer(entrants: int, hanchan: int) -> None:
    """A format that leaves the players at a table to the ruleset is not checked for whole tables."""
    format_ = block_format(entrants, hanchan, players="")
    check(format_, trial(format_, 2))


def test_points_of_a_table_with_more_digits_are_carried_exactly() -> None:
    more = """
[[stages]]
key = "two"
title = "Two"
hanchan = 1
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "table", points = ["0.25", 0, 0, "-0.25"] }
[[stages.blocks]]
key = "two"
title = "Two"
entrants = [{ from = "one#1-4" }]
[champion]
block = "two"
"""
    format_ = block_format(8, 2, more)
    found = trial(format_, 1)
    check(format_, found)
    assert found.scale == 100
    assert sorted(line.row.carried for line in found.blocks[1].standings.ranked) == [-25, 0, 0, 25]


def test_numbers_of_a_format_follow_an_entrant_through_its_stages() -> None:
    numbers = format_numbers(load_format("cinderella"))
    assert (numbers.entrants, numbers.games, numbers.tables, numbers.sessions) == (16, 48, 4, 6)
    assert (numbers.least_hanchan, numbers.most_hanchan) == (8, 24)
    first = numbers.stages[0]
    assert (first.hanchan, first.hanchan_in_row, first.rounds, first.games, first.resting) == (8, 4, 2, 32, 0)


def test_tables_that_stay_together_for_any_number_of_hanchan_have_none_in_a_row() -> None:
    text = format_toml({**OPEN, "stages": [{**OPEN["stages"][0], "seating": "stay"}]})
    (stage,) = format_numbers(parse_format(text, "open.toml")).stages
    assert (stage.entrants, stage.tables, stage.hanchan_in_row, stage.games) == (8, 2, None, None)


def test_numbers_count_who_rests() -> None:
    (stage,) = format_numbers(block_format(10, 6)).stages
    assert (stage.tables, stage.resting, stage.games, stage.rounds) == (2, 2, 15, 8)


def test_numbers_that_a_format_leaves_open_are_unknown() -> None:
    numbers = format_numbers(load_format("open-play"))
    assert (numbers.games, numbers.tables, numbers.most_hanchan, numbers.stages[0].rounds) == (None, None, None, None)


@pytest.mark.parametrize(("odd", "tables", "resting"), [("byes", 2, 2), ("substitutes", 3, 0)])
def test_a_format_with_bounds_is_played_with_the_number_asked_for(odd: str, tables: int, resting: int) -> None:
    data = format_toml(
        {
            "name": "open", "title": "Open", "players": 4, "entrants": {"least": 8, "most": 40},
            "policies": {"odd": {"by": odd}}, "tiebreak": {},
            "stages": [
                {
                    "key": "s", "title": "S", "hanchan": 5, "seating": "rounds", "assignment": "seeded",
                    "carry_over": {"kind": "none"},
                    "blocks": [{"key": "s", "title": "S", "entrants": [{"from": "seed:*"}]}],
                }
            ],
        }
    )  # fmt: skip
    format_ = parse_format(data, "open.toml")
    assert format_numbers(format_).entrants == 8
    (stage,) = format_numbers(format_, 10).stages
    assert (stage.tables, stage.resting, stage.rounds, stage.games) == (tables, resting, 5, 5 * tables)
    (block,) = trial(format_, 1, entrants=10).blocks
    assert len(block.standings.ranked) == 10
    assert len(block.games) == 5 * tables
    hanchan = {line.played for line in block.standings.ranked}
    assert hanchan == ({5} if odd == "substitutes" else {4})
    with pytest.raises(ValueError, match="8 to 40 entrants"):
        trial(format_, 1, entrants=41)
