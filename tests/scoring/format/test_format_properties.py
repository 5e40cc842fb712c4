"""Properties of every valid format: it can be closed, and played to a champion or to a ruling that is requested."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.formats import parse_any_format, parse_format
from scoring.format import Format, close_roster, write_out
from scoring.format.description import describe
from scoring.resolution import Certainty
from scoring.sources import Drawn
from tests.fuzz.examples import tried
from tests.scoring.format.format_cases import format_text, play


@pytest.mark.slow
@given(st.integers(0, 10**9))
@tried(25, least=2000)
def test_a_format_is_played_to_a_champion_or_to_a_ruling(seed: int) -> None:
    random = Random(seed)
    text = format_text(random)
    raw = parse_any_format(text, "random")
    assert isinstance(raw, Format), text
    number = random.randrange(raw.bounds.least, raw.bounds.most + 1, 4) if raw.bounds else raw.seeds
    closed = close_roster(raw, number)
    assert closed.is_closed
    assert write_out(closed) is closed
    seeds = [str(source) for block in closed.blocks for source in closed.sources(block) if str(source)[:5] == "seed:"]
    assert sorted(seeds) == sorted(f"seed:{n}" for n in range(1, number + 1)), "every seed has one slot"
    for stage in closed.stages:
        sources = [source for block in stage.blocks for source in closed.sources(block.key)]
        assert sources, "no stage without a source"
        if not any(isinstance(source, Drawn) for source in sources):
            assert len(set(sources)) == len(sources)
    played = play(closed, random)
    resolution = played.resolution
    assert resolution is not None
    assert resolution.champion is not None
    is_over = resolution.champion.state is Certainty.CERTAIN
    assert is_over or resolution.awaiting, text
    assert not is_over or set(played.standings) == set(closed.blocks)
    if {"seed", "lot"} & set(closed.tiebreak.then):
        assert is_over, "seeds and lots leave no tie to rule on"
    assert len(describe(raw)) >= len(raw.stages) + 2


@given(st.integers(0, 10**9))
@tried(15, least=2000)
def test_a_closed_roster_is_the_same_as_a_file_with_this_number(seed: int) -> None:
    raw = parse_any_format(format_text(Random(seed)), "random")
    assert isinstance(raw, Format)
    if raw.bounds is None:
        return
    text = format_text(Random(seed)).replace(f"{{ least = {raw.bounds.least}, most = {raw.bounds.most} }}", "NUMBER")
    for number in range(raw.bounds.least, raw.bounds.most + 1, 4):
        assert parse_format(text.replace("NUMBER", str(number)), "random") == close_roster(raw, number)
