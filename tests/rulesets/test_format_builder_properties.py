"""Properties of every format that the builder can make."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given

from rulesets.format_builder.checking import drawn, problems, read_draft, sketch_of
from rulesets.format_builder.edits import add_pick
from rulesets.format_builder.offers import offers
from rulesets.format_builder.picks import Draft, entry_of, write_entry
from rulesets.format_toml import format_toml
from rulesets.formats import parse_format
from scoring.format.trial import Scenario, trial
from scoring.resolution import Certainty
from tests.fuzz.examples import tried
from tests.rulesets.format_drafts import drafts, sound_drafts


@pytest.mark.slow
@given(sound_drafts())
@tried(20, least=2000)
def test_a_format_that_can_be_kept_is_played_to_its_end(draft: Draft) -> None:
    league_format = parse_format(format_toml(draft), "built.toml")
    for scenario in (Scenario.USUAL, Scenario.LEVEL):
        played = trial(league_format, 1, scenario)
        slots = [slot for row in played.resolution.slots.values() for slot in row]
        assert all(slot.state is Certainty.CERTAIN and slot.entrant is not None for slot in slots)
        assert not played.resolution.awaiting
        assert (played.champion is not None) == (league_format.champion is not None)


@pytest.mark.slow
@given(drafts())
@tried(30)
def test_a_draft_can_always_be_drawn_checked_and_written(draft: Draft) -> None:
    sketch = drawn(draft)
    assert all(len(sketch.sources(block)) >= 0 for block in sketch.blocks)
    text = format_toml(draft)
    assert read_draft(text) == draft
    assert bool(problems(draft)) == bool(_refused(text))


def _refused(text: str) -> str:
    try:
        parse_format(text, "built.toml")
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.slow
@given(drafts())
@tried(30)
def test_who_comes_into_a_stage_is_read_as_it_is_written(draft: Draft) -> None:
    again = deepcopy(draft)
    for stage in again["stages"]:
        write_entry(again, stage, entry_of(again, stage))
    assert sketch_of(again) == sketch_of(draft)


@pytest.mark.slow
@given(drafts())
@tried(20)
def test_what_is_on_offer_and_unused_never_makes_an_entrant_play_twice(draft: Draft) -> None:
    last = draft["stages"][-1]["key"]
    seating = {"used_twice", "compared_too", "rank_beyond", "not_earlier", "unknown_block", "best_beyond"}
    # A stage whose places and entrants differ offers ranks that no player holds yet.
    if {problem.fault.code for problem in problems(draft)} & (seating | {"nobody_comes", "places_differ"}):
        return
    for offer in offers(draft, last)[:12]:
        if not offer.is_used:
            after = add_pick(draft, last, offer.pick.text)
            assert not {problem.fault.code for problem in problems(after)} & seating, offer
