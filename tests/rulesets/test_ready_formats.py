"""Every ready format played to its end by the engine alone, with invented results."""

import hashlib
from collections.abc import Iterator, Sequence

import pytest

from rulesets.formats import format_names, load_format
from scoring.format import Assignment, Bounds, EntrantKind, Format, close_roster
from scoring.format.numbers import format_numbers
from scoring.stages import BlockStandings, Certainty, Resolution, is_complete, resolve
from scoring.standings import Entrant, Played, Row, rank

LIMITED = [name for name in format_names() if load_format(name).entrants]
"""The formats with a number of players or bounds for it, which play to an end."""
ODD = 21
"""Players of a format of open size who fill no whole tables, if its bounds allow them."""


def closed(name: str) -> Format:
    """Return a ready format for its number of entrants; one of open size for `ODD`, or the bound next to it."""
    format_ = load_format(name)
    bounds = format_.bounds
    return close_roster(format_, min(max(bounds.least, ODD), bounds.most)) if bounds else format_


def invented(format_: Format, block: str, entrants: Sequence[Entrant], carried: Sequence[int]) -> BlockStandings:
    """Return the standings of a block in which every hanchan gave each entrant other points, in a varied order."""
    rows = []
    for entrant, start in zip(entrants, carried, strict=True):
        played = []
        for number in range(1, (format_.stage_of[block].hanchan or 0) + 1):
            order = sorted(entrants, key=lambda each: hashlib.sha256(f"{block}:{number}:{each}".encode()).digest())
            place = order.index(entrant)
            # The points of a hanchan sum to zero over the block.
            points = 10 * (len(order) - 1 - 2 * place)
            played.append(Played(number, points, place % 4 + 1, 25_000 + 100 * points))
        rows.append(Row(entrant, tuple(played), start))
    standings = rank(rows, format_.tiebreak)
    return BlockStandings(standings, is_complete(format_, block, standings))


def played_stages(format_: Format) -> Iterator[Resolution]:
    """Yield the resolution before each stage, in which the stage's slots have their entrants, and at the end."""
    seeds: dict[int, Entrant] = {number: f"p{number}" for number in range(1, format_.seeds + 1)}
    blocks: dict[str, BlockStandings] = {}
    draws: dict[str, dict[str, list[int]]] = {}
    for stage in format_.stages:
        if stage.assignment is Assignment.DRAWN:
            numbers = iter(range(1, len(format_.pool(stage.key)) + 1))
            draws[stage.key] = {block.key: [next(numbers) for _ in range(block.size or 0)] for block in stage.blocks}
        before = resolve(format_, blocks, seeds, draws)
        yield before
        for block in stage.blocks:
            slots = before.slots[block.key]
            blocks[block.key] = invented(
                format_, block.key, [slot.entrant for slot in slots], [slot.carried or 0 for slot in slots]
            )
    yield resolve(format_, blocks, seeds, draws)


@pytest.mark.parametrize("name", LIMITED)
def test_a_ready_format_played_to_its_end_has_a_champion(name: str) -> None:
    format_ = closed(name)
    *before, end = played_stages(format_)
    for stage, state in zip(format_.stages, before, strict=True):
        slots = [slot for block in stage.blocks for slot in state.slots[block.key]]
        assert {slot.state for slot in slots} == {Certainty.CERTAIN}
        assert len({slot.entrant for slot in slots}) == len(slots)
    assert end.awaiting == ()
    assert end.champion is not None
    assert format_.champion is not None
    assert end.champion.state is Certainty.CERTAIN
    assert end.champion.entrant in {slot.entrant for slot in end.slots[format_.champion.block]}


def test_the_ready_formats_are_for_four_to_240_players() -> None:
    formats = [load_format(name) for name in LIMITED]
    entrants = [each.entrants for each in formats if each.kind is EntrantKind.PLAYERS]
    assert {each for each in entrants if isinstance(each, int)} == {4, 8, 9, 12, 16, 20, 24, 32}
    assert {(each.least, each.most) for each in entrants if isinstance(each, Bounds)} == {
        (8, 32),
        (16, 120),
        (16, 224),
        (64, 240),
    }


def test_the_ready_formats_for_teams_are_for_four_to_twelve() -> None:
    formats = [load_format(name) for name in LIMITED]
    teams = {each.name: each.entrants for each in formats if each.kind is EntrantKind.TEAMS}
    assert teams == {
        "mleague-2018": 7,
        "mleague-2019": 8,
        "mleague-2022": 8,
        "mleague-2025": 10,
        "team-league": Bounds(least=4, most=12),
    }


@pytest.mark.parametrize("teams", [4, 5, 7, 9, 12])
def test_every_team_of_a_team_league_plays_equally_often_however_few_fill_the_tables(teams: int) -> None:
    numbers = format_numbers(load_format("team-league"), teams)
    assert [(stage.hanchan_in_row, stage.games) for stage in numbers.stages] == [(1, 6 * teams), (1, 4)]


def meetings(format_: Format) -> list[tuple[str, str]]:
    """Return the pairs of sources of each table of four, by name of a block and rank."""
    return [
        (str(one), str(other))
        for block in format_.blocks
        for sources in [format_.sources(block)]
        if len(sources) == 4
        for place, one in enumerate(sources)
        for other in sources[place + 1 :]
    ]


@pytest.mark.parametrize("name", ["knockout-32", "cut-open", "world-style"])
def test_those_who_go_on_from_one_table_are_apart_until_the_final(name: str) -> None:
    format_ = closed(name)
    assert format_.champion is not None
    again = [pair for pair in meetings(format_) if len({source.rpartition("#")[0] for source in pair}) == 1]
    finals = {str(source) for source in format_.sources(format_.champion.block)}
    assert [pair for pair in again if set(pair) - finals and pair[0].rpartition("#")[0] not in {"main", ""}] == []


def test_in_the_double_elimination_two_lower_halves_of_a_table_put_a_player_out() -> None:
    format_ = load_format("double-elimination-16")
    sources = {
        str(source) for stage in format_.stages for block in stage.blocks for source in format_.sources(block.key)
    }
    for stage in format_.stages:
        for block in stage.blocks:
            lower = {f"{block.key}#3", f"{block.key}#4"}
            # The losers of the winners' side play on; those of the losers' side and of the final do not.
            assert lower & sources == (lower if stage.key.startswith("w") else set())
    *_, end = played_stages(format_)
    assert end.champion is not None


def test_a_ready_format_says_in_both_languages_what_it_is_for() -> None:
    for name in LIMITED:
        format_ = load_format(name)
        assert format_.title.ja != format_.title.en, name
        assert format_.note or format_.clauses, name


def test_the_cut_of_32_halves_the_points_once_and_then_starts_from_zero() -> None:
    format_ = load_format("cut-32")
    _main, sixteen, semifinal, final, end = played_stages(format_)
    carried = {slot.carried for slot in sixteen.slots["sixteen"]}
    assert len(carried) > 1
    assert [slot.source for slot in semifinal.slots["sf1"]] == ["sixteen#1", "sixteen#4", "sixteen#5", "sixteen#8"]
    assert {slot.carried for slot in (*semifinal.slots["sf1"], *final.slots["final"])} == {0}
    assert end.champion is not None


def test_the_company_league_gives_the_lower_half_one_seat_in_the_final() -> None:
    format_ = load_format("company-16")
    assert [str(source) for source in format_.sources("final")] == ["upper#1", "upper#2", "upper#3", "lower#1"]
    assert [str(stage.carry_over.rounding) for stage in format_.stages[1:]] == ["towards_zero"] * 2
