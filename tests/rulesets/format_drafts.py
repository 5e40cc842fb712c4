"""Drafts of formats as organizers build them: random sequences of the builder's operations."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from rulesets.format_builder import continuations, edits, rounds, teams
from rulesets.format_builder.checking import problems
from rulesets.format_builder.editing import stage_named
from rulesets.format_builder.offers import offers
from rulesets.format_builder.picks import Draft, Spread, entry_of
from scoring.format import Arrangement, Carry, CarryRounding, Seating
from scoring.format.team import AwardBy

Steps = st.lists(st.tuples(st.integers(0, 27), st.integers(0, 1_000), st.integers(0, 1_000)), max_size=14)
"""Each step as the number of an operation and two numbers that choose its arguments."""


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Draw a draft, with faults or without."""
    draft = edits.new_draft("built", draw(st.integers(3, 40)), draw(st.sampled_from((3, 4, 4))))
    for operation, one, other in draw(Steps):
        draft = stepped(draft, operation, one, other)
    return draft


@st.composite
def sound_drafts(draw: st.DrawFn) -> Draft:
    """Draw the last draft without faults on the way of some operations."""
    draft = edits.new_draft("built", draw(st.integers(4, 40)), draw(st.sampled_from((3, 4, 4))))
    sound = draft
    for operation, one, other in draw(Steps):
        draft = stepped(draft, operation, one, other)
        if not problems(draft):
            sound = draft
    return sound


def stepped(draft: Draft, operation: int, one: int, other: int) -> Draft:
    """Return the draft after the operation with this number; two numbers choose its stage and its arguments."""
    key: str = draft["stages"][one % len(draft["stages"])]["key"]
    return OPERATIONS[operation % len(OPERATIONS)](draft, key, other)


def _sized(draft: Draft, key: str, number: int) -> Draft:
    sizes = entry_of(draft, stage_named(draft, key)).sizes
    return edits.set_sizes(draft, key, [max(1, size + (number >> at) % 3 - 1) for at, size in enumerate(sizes)])


def _played(draft: Draft, key: str, number: int) -> Draft:
    return edits.set_play(draft, key, number % 9 or None, number % 4 or None, list(Seating)[number % 3].value)


def _picked(draft: Draft, key: str, number: int) -> Draft:
    on_offer = [offer for offer in offers(draft, key) if not offer.is_used]
    return edits.add_pick(draft, key, on_offer[number % len(on_offer)].pick.text) if on_offer else draft


def _ranked(draft: Draft, key: str, number: int) -> Draft:
    picks = entry_of(draft, stage_named(draft, key)).picks
    return edits.set_ranks(draft, key, [(1 + number % 4, 1 + number % 7)] * len(picks))


def _carried(draft: Draft, key: str, number: int) -> Draft:
    return edits.set_carry(draft, key, list(Carry)[number % 4].value, list(CarryRounding)[number % 3].value)


def _opened(draft: Draft, _key: str, number: int) -> Draft:
    return edits.set_players(draft, 3 + number % 40, 3 + number % 97)


def _seated(draft: Draft, key: str, number: int) -> Draft:
    return rounds.remove_part(draft, key, number % 3) if number % 4 == 0 else rounds.add_part(draft, key)


def _odd(draft: Draft, _key: str, number: int) -> Draft:
    by = (None, "byes", "substitutes", "refuse")[number % 4]
    return rounds.set_policies(draft, {"odd": {"by": by} if by else None})


def _onward(draft: Draft, key: str, number: int) -> Draft:
    count = 8 << number % 4
    ways = (continuations.cut, continuations.knock_out, continuations.double_elimination)
    if number % 5 > 2:
        return (continuations.final, continuations.consolation)[number % 2](draft, key)
    return ways[number % 5](draft, key, count)


def _limited(draft: Draft, key: str, number: int) -> Draft:
    if not teams.is_for_teams(draft):
        return draft
    return teams.set_limit(draft, key, number % 4 or None, number % 7 or None, "規約" if number % 2 else "")


def _awarded(draft: Draft, key: str, number: int) -> Draft:
    added = {"stage": key, "by": list(AwardBy)[number % 4].value, "least_hanchan": number % 3 or None}
    return teams.set_awards(draft, [*draft.get("awards", ())[number % 2 :], added])


OPERATIONS: tuple[Callable[[Draft, str, int], Draft], ...] = (
    lambda draft, _key, _number: edits.add_stage(draft),
    lambda draft, _key, _number: edits.add_stage(draft),
    lambda draft, _key, _number: edits.add_stage(draft),
    lambda draft, key, _number: edits.remove_stage(draft, key),
    lambda draft, key, number: edits.move_stage(draft, key, number % 3 - 1),
    lambda draft, _key, number: edits.set_players(draft, 3 + number % 40),
    lambda draft, key, number: edits.set_blocks(draft, key, 1 + number % 5),
    lambda draft, key, number: edits.set_blocks(draft, key, 1 + number % 3),
    _sized,
    lambda draft, key, number: edits.set_spread(draft, key, list(Spread)[number % 3]),
    _played,
    _picked,
    _picked,
    lambda draft, key, number: edits.remove_pick(draft, key, number % 3),
    _ranked,
    _carried,
    lambda draft, _key, number: edits.set_table(draft, 3 + number % 2),
    lambda draft, key, number: edits.move_pick(draft, key, number % 3, 1 - 2 * (number % 2)),
    _opened,
    lambda draft, key, number: edits.set_places(draft, key, is_tables=number % 3 > 0),
    lambda draft, key, number: edits.set_arrange(draft, key, list(Arrangement)[number % 4]),
    _seated,
    _odd,
    _onward,
    _onward,
    lambda draft, _key, number: teams.set_kind(draft, "players" if number % 3 == 0 else "teams"),
    _limited,
    _awarded,
)
