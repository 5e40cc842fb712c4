"""Rounds fed by the standing: least cost against brute force, what is avoided, bounds, seats, and the reasons given."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.format.arranging import Arrangement, arrange
from scoring.format.rounds import Avoided, PairingRule, PairingWeights
from scoring.seating.assignment import assign
from scoring.seating.balance import Round, Schedule
from scoring.seating.pairing import History, Origins, Pairing, pair
from scoring.seating.pairing_search import BoundBy
from tests.fuzz.examples import times

KINDS = (Avoided.MET, Avoided.CLUB, Avoided.COUNTRY)
Key = tuple[tuple[int, ...], int]


def in_rank(entrants: int) -> list[list[int]]:
    return [[each] for each in range(entrants)]


def played(entrants: int, rounds: int, seed: int, *, near: float = 0.3) -> Schedule:
    """Return rounds of entrants who mostly meet others of about their rank."""
    chance = random.Random(seed)
    orders = [sorted(range(entrants), key=lambda each: each + chance.gauss(0, near * entrants)) for _ in range(rounds)]
    return tuple(tuple(tuple(order[first : first + 4]) for first in range(0, entrants, 4)) for order in orders)


def names_of(entrants: int, seed: int) -> Origins:
    chance = random.Random(seed)
    clubs = {each: chance.choice("ABCDE") for each in range(entrants) if chance.random() < 0.8}
    return Origins(clubs, {each: chance.choice("JF") for each in range(entrants) if chance.random() < 0.3})


def key_of_table(table: Sequence[int], history: History, rule: PairingRule, origins: Origins) -> Key:
    """Count avoided pairs by kind, and the cost, straight from the rule; entrants are in order of rank."""
    weights = rule.weights or PairingWeights()
    broken = dict.fromkeys(rule.avoid, 0)
    cost = 0
    for one, other in combinations(table, 2):
        met = history.met[one][other]
        club = one in origins.clubs and origins.clubs[one] == origins.clubs.get(other)
        country = one in origins.countries and origins.countries[one] == origins.countries.get(other)
        cost += weights.spread * (one - other) ** 2
        cost += weights.met * met + weights.club * club + weights.country * country
        for kind, count in ((Avoided.MET, met > 0), (Avoided.CLUB, club), (Avoided.COUNTRY, country)):
            if kind in broken:
                broken[kind] += count
    return tuple(broken.values()), cost


def added(one: Key, other: Key) -> Key:
    return tuple(a + b for a, b in zip(one[0], other[0], strict=True)), one[1] + other[1]


def least(entrants: int, history: History, rule: PairingRule, origins: Origins) -> Key:
    """Try every partition, each set of entrants once."""
    # One number for the key: a digit of this base for the cost and for each kind.
    base = 10**9
    tables: dict[int, list[tuple[int, int]]] = {}
    for four in combinations(range(entrants), 4):
        broken, cost = key_of_table(four, history, rule, origins)
        key = reduce(lambda total, digit: total * base + digit, (*broken, cost))
        tables.setdefault(four[0], []).append((sum(1 << each for each in four), key))

    @cache
    def of(taken: int) -> int:
        first = next((each for each in range(entrants) if not taken >> each & 1), None)
        if first is None:
            return 0
        return min(key + of(taken | table) for table, key in tables[first] if not taken & table)

    digits = [of(0) // base**place % base for place in range(len(rule.avoid), -1, -1)]
    return tuple(digits[:-1]), digits[-1]


def found_key(pairing: Pairing, rule: PairingRule) -> Key:
    return tuple(pairing.broken[kind] for kind in rule.avoid), pairing.cost


@st.composite
def rules(draw: st.DrawFn) -> PairingRule:
    weight = st.sampled_from([0, 1, 30, 60, 1000])
    weights = PairingWeights(
        spread=draw(st.sampled_from([0, 1, 1, 1, 3])), met=draw(weight), club=draw(weight), country=draw(weight)
    )
    avoid = draw(st.lists(st.sampled_from(KINDS), unique=True))
    return PairingRule(avoid=tuple(avoid), weights=draw(st.sampled_from([weights, None])))


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [4, 8, 12, 16])
@settings(max_examples=times(5), deadline=None)
@given(rule=rules(), rounds=st.integers(0, 6), seed=st.integers(0, 99))
def test_no_partition_has_fewer_avoided_pairs_or_as_many_and_a_lower_cost(
    entrants: int, rule: PairingRule, rounds: int, seed: int
) -> None:
    history, origins = History.of(played(entrants, rounds, seed), entrants), names_of(entrants, seed)
    pairing = pair(in_rank(entrants), history, rule, origins)
    assert found_key(pairing, rule) == least(entrants, history, rule, origins)
    assert (pairing.is_optimal, pairing.bound_by, pairing.bound) == (True, BoundBy.OPTIMUM, pairing.cost)


def exchanges(round_: Round) -> Iterator[tuple[Sequence[int], ...]]:
    """Yield the two tables that change, before and after, for every exchange of two entrants."""
    for one, other in combinations(round_, 2):
        for here in range(4):
            for there in range(4):
                first, second = list(one), list(other)
                first[here], second[there] = second[there], first[here]
                yield one, other, first, second


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "rounds", "avoid"),
    [(24, 8, ()), (28, 4, (Avoided.MET, Avoided.CLUB)), (44, 6, ())],
)
def test_a_larger_pairing_seats_all_once_is_no_cheaper_than_its_bound_and_gains_by_no_exchange(
    entrants: int, rounds: int, avoid: tuple[Avoided, ...]
) -> None:
    rule = PairingRule(avoid=avoid)
    history, origins = History.of(played(entrants, rounds, entrants), entrants), names_of(entrants, rounds)
    pairing = pair(in_rank(entrants), history, rule, origins)
    assert sorted(each for table in pairing.round for each in table) == list(range(entrants))
    assert 20 * (entrants // 4) <= pairing.bound <= pairing.cost
    assert pairing.is_optimal <= (pairing.bound == pairing.cost)
    keys = [key_of_table(table, history, rule, origins) for table in pairing.round]
    assert (tuple(sum(column) for column in zip(*(key[0] for key in keys), strict=True)), sum(k[1] for k in keys)) == (
        found_key(pairing, rule)
    )
    if pairing.is_optimal:
        for *before, first, second in exchanges(pairing.round):
            now = added(*(key_of_table(table, history, rule, origins) for table in before))
            then = added(*(key_of_table(table, history, rule, origins) for table in (first, second)))
            assert now <= then


def test_a_round_without_history_is_straight_by_rank_and_proved_to_be_the_cheapest() -> None:
    pairing = pair(in_rank(60), History.of((), 60))
    assert {frozenset(table) for table in pairing.round} == set(map(frozenset, arrange(range(60), 15, STRAIGHT)))
    assert (pairing.cost, pairing.bound, pairing.is_optimal) == (300, 300, True)


STRAIGHT, SNAKE = Arrangement.STRAIGHT, Arrangement.SNAKE


@pytest.mark.slow
def test_a_pairing_of_28_in_rounds_by_rank_is_proved_to_be_the_cheapest_round_after_round() -> None:
    rounds: list[Round] = []
    for _ in range(5):
        pairing = pair(in_rank(28), History.of(rounds, 28), PairingRule(avoid=(Avoided.MET,)))
        assert pairing.broken == {Avoided.MET: 0}
        assert pairing.is_optimal
        rounds.append(pairing.round)


def test_if_all_have_met_as_few_pairs_as_possible_meet_again() -> None:
    meetings = [[int(one != other) for other in range(28)] for one in range(28)]
    rule = PairingRule(avoid=(Avoided.CLUB, Avoided.MET))
    pairing = pair(in_rank(28), History(meetings, {}, {}), rule, Origins(dict.fromkeys(range(0, 28, 4), "A"), {}))
    assert pairing.broken == {Avoided.CLUB: 0, Avoided.MET: 42}
    assert pairing.bound <= pairing.cost


@pytest.mark.slow
def test_a_club_too_large_to_be_kept_apart_meets_as_seldom_as_possible() -> None:
    # Eight of 28 entrants, every third one, at seven tables: one pair at least.
    origins = Origins(dict.fromkeys(range(0, 24, 3), "A"), {})
    pairing = pair(in_rank(28), History.of((), 28), PairingRule(avoid=(Avoided.CLUB,)), origins)
    assert pairing.broken == {Avoided.CLUB: 1}
    assert pairing.bound <= pairing.cost


@pytest.mark.slow
def test_a_club_that_leads_a_large_field_is_kept_apart_by_exchanges_beyond_the_reach_of_near_tables() -> None:
    # The first 20 of 80 are of one club: those who sit with them come from everywhere else.
    origins = Origins(dict.fromkeys(range(20), "A"), {})
    pairing = pair(in_rank(80), History.of((), 80), PairingRule(avoid=(Avoided.CLUB,)), origins)
    assert pairing.broken == {Avoided.CLUB: 0}
    assert pairing.bound <= pairing.cost


@pytest.mark.slow
def test_two_hundred_entrants_after_seven_rounds_are_paired_without_a_repeat() -> None:
    history = History.of(played(200, 7, 1, near=0.04), 200)
    pairing = pair(in_rank(200), history, PairingRule(avoid=(Avoided.MET,)))
    assert pairing.broken == {Avoided.MET: 0}
    assert pairing.bound_by is BoundBy.SHARES
    assert 2 * pairing.cost <= 3 * pairing.bound


@settings(max_examples=times(10), deadline=None)
@given(seed=st.text("01é座", max_size=4), order=st.permutations(range(8)))
def test_the_lots_of_the_seed_alone_order_level_entrants(seed: str, order: list[int]) -> None:
    history = History.of((), 12)
    listed = pair([order, [8, 9, 10, 11]], history, seed=seed)
    assert listed == pair([list(range(8)), [8, 9, 10, 11]], history, seed=seed)
    assert set(listed.order[8:]) == {8, 9, 10, 11}


def test_another_seed_draws_another_round() -> None:
    """A round by draw is a round by a standing in which all are level."""
    rounds = {pair([range(24)], History.of((), 24), seed=str(number)).round for number in range(5)}
    assert len(rounds) == 5


@pytest.mark.parametrize(("band", "how"), [(None, SNAKE), (8, SNAKE), (16, SNAKE), (16, STRAIGHT)])
def test_bands_of_the_standing_are_arranged_among_themselves(band: int | None, how: Arrangement) -> None:
    rule = PairingRule.model_validate({"arrange": how, "band": band})
    pairing = pair(in_rank(40), History.of((), 40), rule)
    wanted = [
        frozenset(table)
        for first in range(0, 40, band or 40)
        for table in arrange(range(first, min(first + (band or 40), 40)), min(band or 40, 40 - first) // 4, how)
    ]
    assert [frozenset(table) for table in pairing.round] == wanted


@pytest.mark.parametrize("standing", [[], [[0, 1, 2]], [[0], [1, 1, 2]], [[0, 1, 2, 3, 4, 5]]])
def test_entrants_who_do_not_fill_tables_are_refused(standing: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="do not fill tables"):
        pair(standing, History.of((), 6))


def test_sums_beyond_64_bits_are_refused() -> None:
    weights = PairingWeights(spread=1000, met=1000, club=1000, country=1000)
    with pytest.raises(ValueError, match="too many"):
        pair(in_rank(1200), History.of((), 1200), PairingRule(avoid=KINDS, weights=weights))


@settings(max_examples=times(20), deadline=None)
@given(
    costs=st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_an_assignment_costs_no_more_than_any_permutation(costs: list[list[int]]) -> None:
    found = assign(costs)
    assert sorted(found) == list(range(len(costs)))
    every = permutations(range(len(costs)))
    assert sum(costs[row][column] for row, column in enumerate(found)) == min(
        sum(costs[row][column] for row, column in enumerate(columns)) for columns in every
    )


@pytest.mark.parametrize("rule", [PairingRule(avoid=(Avoided.TABLE,)), PairingRule(weights=PairingWeights(table=1))])
def test_companies_go_to_the_tables_they_have_visited_least(rule: PairingRule) -> None:
    rounds = played(16, 3, 2)
    history = History.of(rounds, 16)
    pairing = pair(in_rank(16), history, rule)

    def visits(companies: Sequence[Sequence[int]]) -> int:
        return sum(history.visits.get((each, table), 0) for table, four in enumerate(companies) for each in four)

    assert visits(pairing.round) == min(map(visits, permutations(pairing.round)))
    by_rank = pair(in_rank(16), history).round
    assert visits(pairing.round) < visits(by_rank)
    if rule.avoid:
        seats = [(each, table) for table, four in enumerate(pairing.round) for each in four]
        assert pairing.broken == {Avoided.TABLE: sum(history.visits.get(seat, 0) > 0 for seat in seats)}


def test_seats_at_a_table_go_to_those_who_have_started_there_least() -> None:
    history = History.of(played(16, 6, 3), 16)
    for table in pair(in_rank(16), history, seed="s").round:
        starts = [
            sum(history.starts.get((each, seat), 0) for seat, each in enumerate(order)) for order in permutations(table)
        ]
        assert sum(history.starts.get((each, seat), 0) for seat, each in enumerate(table)) == min(starts)


def test_each_table_says_what_its_pairs_cost_whom_they_met_and_what_their_neighbours_would_have_cost() -> None:
    rounds = (((0, 1, 2, 3), (4, 5, 6, 7)),)
    origins = Origins({0: "A", 4: "A", 1: "B", 5: "C"}, {0: "JP", 5: "JP"})
    rule = PairingRule(avoid=(Avoided.MET,), weights=PairingWeights(country=7))
    pairing = pair(in_rank(8), History.of(rounds, 8), rule, origins)
    table = next(table for table in pairing.tables if 0 in table.entrants)
    assert pairing.broken == {Avoided.MET: 4}
    assert table.cost == sum(terms.cost for terms in table.terms)
    assert pairing.cost == sum(each.cost for each in pairing.tables)
    for terms in table.terms:
        one, other = terms.entrants
        assert (terms.apart, terms.met) == (other - one, int(one // 4 == other // 4))
        assert terms.is_same_club == ({one, other} == {0, 4})
        assert terms.is_same_country == ({one, other} == {0, 5})
        assert terms.cost == (terms.apart**2 + 60 * terms.met + 30 * terms.is_same_club + 7 * terms.is_same_country)
    assert table.met[0] == (1, 2, 3)
    # Two of the first four and two of the others: 2 3 4 5 have met least, two pairs of them.
    assert (table.nearest.entrants, table.nearest.avoided, table.nearest.cost) == ((2, 3, 4, 5), 2, 20 + 2 * 60)
