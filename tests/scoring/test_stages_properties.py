"""Properties of every ladder: independence of the order of results, names, and stable certain slots."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stages import BlockStandings, Certainty, Resolution, is_complete, resolve
from scoring.standings import Played, Row, rank
from tests.fuzz.examples import times
from tests.scoring.tables import CINDERELLA, names

SEEDS = dict(enumerate([*names("A"), *names("B")], start=1))
Fact = tuple[str, str, Played]
"""Block, entrant, hanchan."""


@st.composite
def seasons(draw: st.DrawFn) -> list[Fact]:
    """Draw the results of both preliminary blocks from few values, so that ties are common."""
    results = st.sampled_from([(-300, 3, 10000), (-300, 4, 20000), (0, 2, 30000), (600, 1, 50000)])
    return [
        (letter, name, Played(number, *draw(results)))
        for letter in "AB"
        for name in names(letter)
        for number in range(1, 9)
    ]


def standings(facts: Sequence[Fact]) -> Iterator[tuple[str, BlockStandings]]:
    """Yield the standings of both blocks from the facts in their order of arrival."""
    for letter in "AB":
        rows = [
            Row(name, tuple(played for block, who, played in facts if (block, who) == (letter, name)))
            for name in dict.fromkeys([who for block, who, _ in facts if block == letter] + list(names(letter)))
        ]
        ranking = rank(rows, CINDERELLA.tiebreak)
        yield letter, BlockStandings(ranking, is_complete(CINDERELLA, letter, ranking))


def ladder(facts: Sequence[Fact], seeds: Mapping[int, str] | None = None) -> Resolution:
    return resolve(CINDERELLA, dict(standings(facts)), seeds or SEEDS)


@given(seasons(), st.randoms(use_true_random=False))
@settings(max_examples=times(15))
def test_the_ladder_does_not_depend_on_the_order_of_results(facts: list[Fact], random: Random) -> None:
    shuffled = list(facts)
    random.shuffle(shuffled)
    one, other = ladder(shuffled), ladder(facts)
    assert (one.slots, one.awaiting, one.advance) == (other.slots, other.awaiting, other.advance)


@pytest.mark.slow
@given(seasons(), st.randoms(use_true_random=False))
@settings(max_examples=times(10))
def test_a_certain_slot_does_not_change_with_further_results(facts: list[Fact], random: Random) -> None:
    arriving = list(facts)
    random.shuffle(arriving)
    certain: dict[tuple[str, int], object] = {}
    for count in range(0, len(arriving) + 1, 16):
        for row in ladder(arriving[:count]).slots.values():
            for slot in row:
                if slot.state is Certainty.CERTAIN:
                    assert certain.setdefault((slot.block, slot.number), slot.entrant) == slot.entrant
                else:
                    assert (slot.block, slot.number) not in certain


@given(seasons(), st.permutations(range(8)))
@settings(max_examples=times(15))
def test_renaming_entrants_changes_no_state(facts: list[Fact], order: list[int]) -> None:
    renamed = {name: names(name[0])[order[int(name[1]) - 1]] for name in SEEDS.values()}
    other = ladder([(block, renamed[name], played) for block, name, played in facts])
    one = ladder(facts)
    for block in ("po1", "po2", "po3", "final"):
        assert [slot.state for slot in one.slots[block]] == [slot.state for slot in other.slots[block]]
    assert [(each.scope, each.ranks, each.places) for each in one.awaiting] == [
        (each.scope, each.ranks, each.places) for each in other.awaiting
    ]
    assert [{renamed[str(name)] for name in each.entrants} for each in one.awaiting] == [
        set(each.entrants) for each in other.awaiting
    ]


@given(seasons())
@settings(max_examples=times(15))
def test_every_slot_is_filled_or_awaits_a_listed_ruling(facts: list[Fact]) -> None:
    resolution = ladder(facts)
    waiting = {slot for each in resolution.awaiting for slot in each.slots}
    for block in ("po1", "po2", "po3", "final"):
        for slot in resolution.slots[block]:
            fed_by_preliminary = slot.source[0] in "AB"
            assert (slot.entrant is None) == (not fed_by_preliminary or (block, slot.number) in waiting)
            assert ((block, slot.number) in waiting) == (slot.state is Certainty.RULING)
