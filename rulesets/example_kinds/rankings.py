"""Worked examples of rankings: worths of places, weights of events, totals, ratings, and ranks by points.

They run on the rankings of the product: MERS, Tenhou's rating, the ladder of a house.
"""

import datetime as dt
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, cast

from rulesets.example_kinds.formats import FormatContext, compare
from rulesets.example_kinds.shape import Example, Mismatch
from rulesets.rankings import load_ranking
from scoring.format.ranking import Base, EventWorth, Listed, RankingVersion, WeightTerm, WorthRounding
from scoring.rankings.events import Event, Reckoning, Result, base_of, weight_of
from scoring.rankings.games import Game, worth_of_places
from scoring.rankings.ladder import climb
from scoring.rankings.ratings import change_of
from scoring.rankings.rounding import rounded
from scoring.ruleset.base import Amount, Strict

if TYPE_CHECKING:
    from scoring.format.ranking import Ladder, Rating

DAY = dt.date(2026, 1, 1)
ENOUGH_GAMES = 400
HUNDREDTH = Fraction(1, 100)
FOUR_DECIMALS = Listed(decimals=4, rounding=WorthRounding.NEAREST)


def mers() -> RankingVersion:
    """Return the newest version of MERS."""
    return load_ranking("mers").versions[-1]


class ExpectedBase(Strict):
    """The worth of a place."""

    base: int


class BaseRankExample(Example):
    """A place and the number of players -> its worth under MERS."""

    players: int
    place: int
    expect: ExpectedBase


def base_rank_differences(example: BaseRankExample, context: FormatContext) -> Iterator[Mismatch]:
    """Compare the rounded worth of the place."""
    del context
    found = base_of(mers().event.base, Result(example.place), example.players)
    yield from compare("base", Fraction(example.expect.base), found)


class ExpectedWeight(Strict):
    """The weight of an event."""

    weight: Amount


class WeightExample(Example):
    """An event -> its weight under MERS."""

    days: int
    players: int
    countries: int
    qualification: bool
    expect: ExpectedWeight


def weight_differences(example: WeightExample, context: FormatContext) -> Iterator[Mismatch]:
    """Compare the sum of the terms."""
    del context
    event = Event[str](1, DAY, example.players, {}, example.days, example.countries, example.qualification)
    yield from compare("weight", example.expect.weight, weight_of(mers().event, event))


class GivenResult(Strict):
    """A base and the weight of its event."""

    weight: Amount
    base: int


class ExpectedMers(Strict):
    """The two means and the total, with two decimals."""

    a: Amount
    b: Amount
    ranking: Amount


class MersExample(Example):
    """Bases and weights -> the total under MERS."""

    results: tuple[GivenResult, ...]
    expect: ExpectedMers


def mers_differences(example: MersExample, context: FormatContext) -> Iterator[Mismatch]:
    """Reckon with the parts of MERS, on events that have these bases and weights."""
    del context
    numbered = list(enumerate(example.results, start=1))
    # The n-th event has n players, and the steps give that number the wanted weight.
    steps = tuple((number, each.weight) for number, each in numbered)
    worth = EventWorth(base=Base(kind="points"), weight=(WeightTerm(by="players", steps=steps),))
    version = mers()
    ranking = load_ranking("mers").model_copy(update={"versions": (version.model_copy(update={"event": worth}),)})
    events = [Event(number, DAY, number, {"P1": Result(1, points=Fraction(each.base))}) for number, each in numbered]
    found = Reckoning(ranking, events, DAY)
    a, b = (rounded(part.value, version.listed) for part in found.sum_of("P1").parts)
    yield from compare("a", example.expect.a, a)
    yield from compare("b", example.expect.b, b)
    yield from compare("ranking", example.expect.ranking, found.total("P1").listed)


class ExpectedRating(Strict):
    """The change with four decimals, and the rating printed afterwards."""

    change: Amount
    printed_after: Amount


class TenhouRExample(Example):
    """Ratings at a table and the place of one seat -> the change of its rating."""

    games: Literal["400+"]
    """Games played before, beyond which the coefficient is constant."""
    rates: tuple[Amount, ...]
    seat: int
    place: int
    expect: ExpectedRating


def tenhou_r_differences(example: TenhouRExample, context: FormatContext) -> Iterator[Mismatch]:
    """Compare the change at four decimals, and the new rating within the hundredth that logs print."""
    del context
    rules = cast("Rating", load_ranking("tenhou-r").rating)  # its file has one
    # The other places do not matter for this seat, as long as each is there once.
    others = [place for place in range(1, len(example.rates) + 1) if place != example.place]
    others.insert(example.seat, example.place)
    game = Game(1, 1, DAY, (), tuple(enumerate(others)))
    worth = worth_of_places(rules.places, game, rules.ties) or {}
    own = example.rates[example.seat]
    mean = sum(example.rates, Fraction(0)) / len(example.rates)
    *_terms, change = change_of(rules, own, worth[example.place], mean, ENOUGH_GAMES)
    yield from compare("change", example.expect.change, rounded(change, FOUR_DECIMALS))
    if abs(own + change - example.expect.printed_after) > HUNDREDTH:
        yield Mismatch("printed_after", example.expect.printed_after, own + change)


class ExpectedRank(Strict):
    """A rank, and the points in it."""

    rank: str
    pt: int


class TenhouDanExample(Example):
    """Places in the order of play, from the lowest rank -> rank and points. The house ladder has this room's table."""

    room: Literal["ippan"]
    length: Literal["hanchan"]
    places: tuple[int, ...]
    expect: ExpectedRank


def tenhou_dan_differences(example: TenhouDanExample, context: FormatContext) -> Iterator[Mismatch]:
    """Play the games against other people each time, and compare rank and points."""
    del context
    rules = cast("Ladder", load_ranking("house-dan").ladder)  # its file has one
    games = [
        Game(number, 1, DAY, (number,), (("P1", place), *((f"{number}/{at}", at) for at in range(1, 5) if at != place)))
        for number, place in enumerate(example.places)
    ]
    last = climb(rules, games)["P1"][-1]
    yield from compare("rank", example.expect.rank, rules.ranks[last.rank].key)
    yield from compare("pt", Fraction(example.expect.pt), last.after)


class ExpectedTotals(Strict):
    """Totals, and groups of level people from the first place on."""

    totals: dict[str, Amount]
    order: tuple[tuple[str, ...], ...]


class SeasonPointsExample(Example):
    """Points by event -> totals of the best ones, and the order."""

    best: int
    events: dict[str, tuple[Amount, ...]]
    expect: ExpectedTotals


def season_points_differences(example: SeasonPointsExample, context: FormatContext) -> Iterator[Mismatch]:
    """Reckon as the season's points table does, with these points for places and this number of events."""
    del context
    season = load_ranking("season-points")
    version = season.versions[-1]
    part = version.parts[0].model_copy(
        update={"take": version.parts[0].take.model_copy(update={"least": example.best})}
    )
    worth = EventWorth(base=Base(kind="points"))
    changed = version.model_copy(update={"event": worth, "parts": (part,)})
    rounds = max(map(len, example.events.values()))
    events = [
        Event(
            number,
            DAY,
            len(example.events),
            {name: Result(1, points=won[number]) for name, won in example.events.items() if number < len(won)},
        )
        for number in range(rounds)
    ]
    ranked = Reckoning(season.model_copy(update={"versions": (changed,)}), events, DAY).ranked()
    totals = {line.total.person: line.total.listed for line in ranked}
    yield from compare("totals", dict(sorted(example.expect.totals.items())), dict(sorted(totals.items())))
    groups: dict[int | None, list[str]] = {}
    for line in ranked:
        groups.setdefault(line.place, []).append(line.total.person)
    yield from compare("order", [list(group) for group in example.expect.order], [sorted(g) for g in groups.values()])
