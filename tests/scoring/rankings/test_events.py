"""Rankings over events: agreement with the rule taken literally, days, ties, eligibility, and what an event costs."""

import datetime as dt
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets.rankings import load_ranking, parse_ranking, ranking_names, ranking_text
from scoring.format import Ranking
from scoring.rankings.events import Event, Reckoning, Result, Status, Sum, Total, Unranked
from scoring.rankings.what_if import what_if
from scoring.ruleset import FaultsError
from tests.fuzz.examples import times

MERS = load_ranking("mers")
SEASON = load_ranking("season-points")
DAY = dt.date(2026, 6, 30)
PEOPLE = st.lists(st.integers(1, 12), min_size=2, max_size=12, unique=True)


def event(key: int, order: Sequence[int], day: dt.date = DAY, **facts: Any) -> Event[int]:
    """An event in which these people came first, second, ..."""
    results = {person: Result(place) for place, person in enumerate(order, start=1)}
    return Event(key, day, facts.pop("players", len(order)), results, **facts)


@st.composite
def circuits(draw: st.DrawFn) -> list[Event[int]]:
    """Draw events over three years with every kind of weight."""
    found = []
    for key in range(draw(st.integers(0, 12))):
        order = draw(PEOPLE)
        day = DAY - dt.timedelta(days=draw(st.integers(-30, 900)))
        days, countries = draw(st.integers(1, 4)), draw(st.integers(1, 12))
        players = draw(st.sampled_from([len(order), 41, 81]))
        found.append(
            event(
                key,
                order,
                day,
                players=players,
                days=days,
                countries=countries,
                needs_qualification=draw(st.booleans()),
            )
        )
    return found


def literal(events: Sequence[Event[int]], person: int, day: dt.date) -> Fraction | None:
    """MERS as its page words it, with fractions throughout; None below two results."""
    results = []
    for each in events:
        if person not in each.results or each.day > day:
            continue
        year, half = (day.replace(year=day.year - years) for years in (1, 2))
        age = Fraction(1) if each.day >= year else Fraction(1, 2) if each.day >= half else Fraction(0)
        weight = Fraction(min(each.days, 3))
        weight += Fraction(1, 2) * ((each.players > 40) + (each.players > 80))
        weight += Fraction(1, 2) * ((each.countries > 5) + (each.countries > 9))
        weight += each.needs_qualification
        exact = Fraction(1000 * (each.players - each.results[person].place), each.players - 1)
        if age:
            results.append((Fraction(int(exact + Fraction(1, 2))), weight * age))
    if len(results) < 2:
        return None
    results.sort(reverse=True)
    k = len(results)

    def mean(best: list[tuple[Fraction, Fraction]], least: int) -> Fraction:
        filled = best + [(Fraction(0), Fraction(1))] * (least - len(best))
        return sum((base * weight for base, weight in filled), Fraction(0)) / sum(
            (weight for _base, weight in filled), Fraction(0)
        )

    a = mean(results[: 5 + ceil(Fraction(4, 5) * (k - 5)) if k > 5 else k], 5)
    return (a + mean(results[:4], 4)) / 2


@given(circuits())
def test_mers_agrees_with_its_rule_taken_literally(events: list[Event[int]]) -> None:
    found = Reckoning(MERS, events, DAY)
    for person in found.people:
        total, wanted = found.total(person), literal(events, person, DAY)
        assert bool(total.missing) == (wanted is None)
        if wanted is not None:
            assert total.exact == wanted
            assert total.listed == Fraction(round(wanted * 100), 100)


@given(circuits(), st.randoms(use_true_random=False))
def test_a_ranking_does_not_depend_on_the_order_of_events(events: list[Event[int]], random: Random) -> None:
    shuffled = list(events)
    random.shuffle(shuffled)
    for rules in (MERS, SEASON):
        first, second = Reckoning(rules, events, DAY), Reckoning(rules, shuffled, DAY)
        assert sorted(first.ranked(), key=repr) == sorted(second.ranked(), key=repr)
        assert all(first.sum_of(person) == second.sum_of(person) for person in first.people)


@given(circuits(), st.integers(-400, 30))
def test_a_day_knows_nothing_of_later_events(events: list[Event[int]], days: int) -> None:
    day = DAY + dt.timedelta(days=days)
    known = [each for each in events if each.day <= day]
    assert Reckoning(MERS, events, day).ranked() == Reckoning(MERS, known, day).ranked()


@given(circuits())
def test_the_sum_that_is_shown_gives_the_total(events: list[Event[int]]) -> None:
    for rules in (MERS, SEASON):
        found = Reckoning(rules, events, DAY)
        for person in found.people:
            shown = found.sum_of(person)
            assert shown.exact == found.total(person).exact
            products = {term.event: term.product for term in shown.terms}
            for part in shown.parts:
                # Fills are worth 0 in both files.
                assert part.sum == sum((products[key] for key in part.events), Fraction(0))
            taken = {key for part in shown.parts for key in part.events}
            assert taken == {term.event for term in shown.terms if term.status is Status.COUNTS}


@given(circuits(), PEOPLE, st.integers(0, 12))
def test_an_event_added_or_replaced_gives_what_reckoning_from_the_start_gives(
    events: list[Event[int]], order: list[int], key: int
) -> None:
    changed = Reckoning(MERS, events, DAY)
    changed.ranked()
    changed.put(event(key, order, DAY, players=60, days=2))
    fresh = [*(each for each in events if each.key != key), event(key, order, DAY, players=60, days=2)]
    assert sorted(changed.ranked(), key=repr) == sorted(Reckoning(MERS, fresh, DAY).ranked(), key=repr)
    changed.remove(key)
    assert sorted(changed.ranked(), key=repr) == sorted(Reckoning(MERS, fresh[:-1], DAY).ranked(), key=repr)


def test_an_event_costs_only_its_own_entrants(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [event(key, [1 + (key * 7 + at) % 400 for at in range(40)]) for key in range(60)]
    found = Reckoning(MERS, events, DAY)
    found.ranked()
    computed: list[int] = []
    whole = Reckoning._total

    def counting(self: Reckoning[int], person: int) -> Any:
        computed.append(person)
        return whole(self, person)

    monkeypatch.setattr(Reckoning, "_total", counting)
    found.put(event(99, [3, 5, 900, 901]))
    found.ranked()
    assert sorted(computed) == [3, 5, 900, 901]


def test_a_copy_is_changed_without_the_original() -> None:
    found = Reckoning(MERS, [event(1, [1, 2, 3]), event(2, [2, 1, 3])], DAY)
    before = found.ranked()
    other = found.copy()
    other.remove(1)
    other.put(event(3, [3, 2, 4]))
    assert other.ranked() == Reckoning(MERS, [event(2, [2, 1, 3]), event(3, [3, 2, 4])], DAY).ranked()
    assert found.ranked() == before


def test_results_fall_to_half_after_a_year_and_to_nothing_after_two() -> None:
    terms = (
        Reckoning(
            MERS,
            [
                event(1, [1, 2], dt.date(2025, 6, 30)),
                event(2, [1, 2], dt.date(2025, 6, 29)),
                event(3, [1, 2], dt.date(2024, 6, 29)),
            ],
            DAY,
        )
        .sum_of(1)
        .terms
    )
    assert [(term.event, term.factor, term.status) for term in terms] == [
        (1, 1, Status.COUNTS),
        (2, Fraction(1, 2), Status.COUNTS),
        (3, 0, Status.TOO_OLD),
    ]


def test_a_leap_day_counts_as_a_year_old_until_the_end_of_february() -> None:
    leap = [event(1, [1, 2], dt.date(2024, 2, 29))]
    assert Reckoning(SEASON, leap, dt.date(2025, 2, 28)).total(1).exact == 100
    assert Reckoning(SEASON, leap, dt.date(2025, 3, 1)).total(1).exact == 0


def test_on_a_leap_day_a_year_ago_is_the_end_of_february() -> None:
    events = [event(1, [1, 2], dt.date(2023, 2, 28)), event(2, [2, 1], dt.date(2023, 2, 27))]
    assert [Reckoning(SEASON, events, dt.date(2024, 2, 29)).total(person).exact for person in (1, 2)] == [100, 80]


def test_there_is_no_ranking_before_its_first_version() -> None:
    early = Reckoning(MERS, [event(1, [1, 2], dt.date(2017, 5, 1))], dt.date(2017, 12, 31))
    assert early.ranked() == []
    assert early.total(1) == Total(1, Fraction(0), Fraction(0), 0)
    assert early.sum_of(1) == Sum((), (), Fraction(0))


def changed(rules: Ranking, **update: object) -> Ranking:
    """The file with other values in its newest version."""
    version = rules.versions[-1].model_copy(update=update)
    return rules.model_copy(update={"versions": (version,)})


def test_level_places_share_the_better_worth_or_the_average_as_the_file_says() -> None:
    results = {1: Result(1), 2: Result(2, level=2), 3: Result(2, level=2), 4: Result(4)}
    level = Event(1, DAY, 4, results)
    assert [Reckoning(SEASON, [level], DAY).total(person).exact for person in (2, 3)] == [80, 80]
    average = parse_ranking(ranking_text("season-points").replace('ties = "better"', 'ties = "average"'), "own")
    assert [Reckoning(average, [level], DAY).total(person).exact for person in (1, 2, 3, 4)] == [100, 70, 70, 50]


def test_places_in_the_ranking_are_shared_and_those_who_miss_a_condition_have_none() -> None:
    text = ranking_text("season-points") + "\n[versions.eligible]\nwithin_years = 1\nleast_events = 2\nleast_days = 3\n"
    rules = parse_ranking(text, "own")
    events = [event(1, [1, 2, 3], days=2), event(2, [2, 1], days=1), event(3, [9], DAY - dt.timedelta(500), days=2)]
    lines = Reckoning(rules, events, DAY).ranked()
    assert [(line.total.person, line.place, line.is_shared) for line in lines] == [
        (1, 1, True),
        (2, 1, True),
        (3, None, False),
        (9, None, False),
    ]
    assert [(each.code, each.there, each.needed) for each in lines[2].total.missing] == [
        (Unranked.TOO_FEW_EVENTS, 1, 2),
        (Unranked.TOO_FEW_DAYS, 2, 3),
    ]


@pytest.mark.slow
@given(circuits(), st.integers(1, 12), st.integers(1, 12), st.integers(2, 12))
@settings(max_examples=times(20))
def test_the_place_needed_is_the_last_one_that_is_enough(
    events: list[Event[int]], person: int, rival: int, players: int
) -> None:
    if person == rival:
        return
    past = [each for each in events if each.day <= DAY]
    coming = Event[int](99, DAY + dt.timedelta(20), players, {}, days=2)
    found = what_if(MERS, past, person, rival, coming)

    def stands(results: Mapping[int, Result]) -> tuple[tuple[bool, Fraction], tuple[bool, Fraction]]:
        reckoned = Reckoning(MERS, [*past, Event(99, coming.day, players, results, days=2)], coming.day)
        mine, theirs = reckoned.total(person), reckoned.total(rival)
        return (not mine.missing, mine.listed), (not theirs.missing, theirs.listed)

    for place in range(1, players + 1):
        mine, theirs = stands({person: Result(place)})
        assert found.places[place - 1].is_above == (mine > theirs)
        others = [
            stands({person: Result(place), rival: Result(other)}) for other in range(1, players + 1) if other != place
        ]
        assert found.places[place - 1].is_above_in_any_case == all(
            own > other for own, other in [*others, (mine, theirs)]
        )


def test_the_place_needed_depends_on_whether_the_other_plays() -> None:
    coming = Event[int](9, DAY, 4, {})
    second = what_if(SEASON, [event(1, [3, 2])], 1, 2, coming)
    assert (second.needed, second.needed_in_any_case) == (1, None)
    newcomers = what_if(SEASON, [], 1, 2, coming)
    assert (newcomers.needed, newcomers.needed_in_any_case) == (4, 1)


def test_the_place_needed_is_not_one_that_only_a_mean_leaves_out() -> None:
    def past(key: int, months: int, players: int, mine: int, theirs: int, **facts: Any) -> Event[int]:
        results = {1: Result(mine), 2: Result(theirs)}
        return Event(key, DAY - dt.timedelta(days=30 * months), players, results, **facts)

    events = [
        past(0, 6, 100, 33, 61, countries=9),
        past(1, 13, 16, 13, 4),
        past(2, 2, 100, 18, 2, days=2, countries=7),
        past(3, 19, 16, 5, 11, days=3, countries=10),
    ]
    found = what_if(MERS, events, 1, 2, Event(9, DAY, 16, {}, days=3, countries=7))
    assert [each.place for each in found.places if not each.is_above] == [12, 13]
    assert (found.needed, found.needed_in_any_case) == (11, 2)


@pytest.mark.parametrize("name", ranking_names())
def test_every_rule_of_a_ranking_of_the_product_says_where_it_comes_from(name: str) -> None:
    rules = load_ranking(name)
    assert rules.name == name
    for version in rules.versions:
        assert all(
            each.note
            for each in (
                version,
                version.event,
                version.event.base,
                *version.event.weight,
                *version.event.age,
                *version.parts,
            )
        )
    for table in (rules.rating, rules.ladder):
        assert table is None or all(each.note for each in (table, *table.places))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("top = 1000, ", ""), "needs_top"),
        (("top = 1000", "top = 1000, table = [1]"), "worth_has_more"),
        (('"linear", top = 1000', '"table"'), "needs_table"),
        (('"players", steps = [[41, "1/2"], [81, "1"]]', '"players"'), "needs_steps"),
        (('[[41, "1/2"], [81, "1"]]', '[[81, "1/2"], [41, "1"]]'), "needs_steps"),
        (('by = "days", most = 3', 'by = "days", worth = "1"'), "term_has_more"),
        (('"qualification", worth = "1"', '"qualification"'), "needs_worth"),
        (("{ years = 1, factor", "{ years = 3, factor"), "ages_not_rising"),
        (("{ years = 1, factor", "{ years = 1, until_days = 3, factor"), "one_limit_of_age"),
        (('then = "4/5"', "then = 0.8"), "no_factor"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(change: tuple[str, str], code: str) -> None:
    text = ranking_text("mers")
    assert change[0] in text
    with pytest.raises(FaultsError) as refused:
        parse_ranking(text.replace(*change), "own")
    assert code in {each.code for each in refused.value.faults}


def test_a_ranking_is_of_one_kind_and_its_versions_are_in_order() -> None:
    with pytest.raises(FaultsError) as refused:
        parse_ranking('name = "x"\nkind = "ranking"\ntitle = "x"\n', "own")
    assert [each.code for each in refused.value.faults] == ["one_kind_of_ranking"]
    body = ranking_text("season-points")
    head, _, version = body.partition("[[versions]]")
    with pytest.raises(FaultsError) as refused:
        parse_ranking(f"{head}[[versions]]{version}\n[[versions]]{version}", "own")
    assert [each.code for each in refused.value.faults] == ["versions_not_rising"]
