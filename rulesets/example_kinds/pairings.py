"""Worked examples of rounds fed by the standing: pairings of least cost, byes, and bounds of plans."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rulesets.example_kinds.formats import SCALE, FormatContext, Points, compare
from rulesets.example_kinds.shape import Example, Mismatch
from scoring.format.policies import OddBy
from scoring.format.rounds import PairingRule, PairingWeights
from scoring.ruleset.base import Amount, Strict
from scoring.seating.byes import average_worth, byes
from scoring.seating.figures import bounds_of, figures_of
from scoring.seating.pairing import History, Origins, pair
from scoring.seating.pairing_search import MOST_EXACT, NEIGHBOURS
from scoring.seating.winds import with_winds


class ExpectedPairing(Strict):
    """The least cost, a bound that no pairing is below, and the tables where only one pairing has that cost."""

    cost: int
    bound: int
    tables: tuple[tuple[str, ...], ...] = ()


class PairingExample(Example):
    """Ranked entrants with their earlier meetings -> the pairing of least cost."""

    ranked: tuple[str, ...]
    met: tuple[tuple[str, str, int], ...]
    """Two entrants, and how often they have met."""
    clubs: dict[str, str] = {}
    weights: PairingWeights
    expect: ExpectedPairing


def pairing_differences(example: PairingExample, context: FormatContext) -> Iterator[Mismatch]:
    """Pair the round; beyond the sizes that are solved exactly the cost is held to the bounds alone."""
    del context
    number = {name: index for index, name in enumerate(example.ranked)}
    met = [[0] * len(number) for _ in number]
    for one, other, count in example.met:
        met[number[one]][number[other]] = met[number[other]][number[one]] = count
    clubs = {number[name]: club for name, club in example.clubs.items()}
    rule = PairingRule(weights=example.weights)
    found = pair([[each] for each in number.values()], History(met, {}, {}), rule, Origins(clubs, {}))
    expect = example.expect
    if len(number) <= MOST_EXACT:
        yield from compare("cost", expect.cost, found.cost)
    elif found.cost < expect.cost:
        yield Mismatch("cost", f"at least {expect.cost}", found.cost)
    yield from compare("bound", expect.bound, NEIGHBOURS * example.weights.spread * (len(number) // 4))
    if not expect.bound <= found.bound <= found.cost:
        yield Mismatch("bound", f"{expect.bound} to {found.cost}", found.bound)
    if expect.tables:
        tables = sorted(tuple(sorted(example.ranked[each] for each in table)) for table in found.round)
        yield from compare("tables", sorted(expect.tables), tables)


class ExpectedBye(Strict):
    """The entrants who sit out, in any order, the worth of a bye, and the number of house players."""

    sit_out: tuple[str, ...]
    worth: Points = {}
    substitutes: int = 0


class ByeExample(Example):
    """Ranked entrants who may not fill whole tables -> who sits out."""

    ranked: tuple[str, ...]
    had_bye: tuple[str, ...]
    points: dict[str, tuple[Amount, ...]] = {}
    policy: OddBy
    expect: ExpectedBye


def bye_differences(example: ByeExample, context: FormatContext) -> Iterator[Mismatch]:
    """Let entrants sit out, and compare them and the worth of each bye."""
    del context
    number: Mapping[str, int] = {name: index for index, name in enumerate(example.ranked)}
    had = {number[name]: example.had_bye.count(name) for name in example.had_bye}
    found = byes([[each] for each in number.values()], had, example.policy)
    names = sorted(example.ranked[each] for each in found.sit_out)
    yield from compare("sit_out", sorted(example.expect.sit_out), names)
    yield from compare("substitutes", example.expect.substitutes, found.substitutes)
    worth = {
        name: Fraction(average_worth([int(won * SCALE) for won in example.points.get(name, ())]), SCALE)
        for name in names
    }
    yield from compare("worth", dict(sorted(example.expect.worth.items())), worth)


class ExpectedBounds(Strict):
    """Bounds on the figures of a plan."""

    excess: int
    table_most: int
    wind_off: int
    ind_at_most: int | None = None


class BoundsExample(Example):
    """Players and rounds -> what counting allows."""

    players: int
    rounds: int
    expect: ExpectedBounds


def bounds_differences(example: BoundsExample, context: FormatContext) -> Iterator[Mismatch]:
    """Count the bounds; the one on winds is reached whatever the tables are, so by the same tables again and again."""
    del context
    bounds = bounds_of(example.players, example.rounds)
    expect = example.expect
    yield from compare("excess", expect.excess, bounds.excess)
    yield from compare("table_most", expect.table_most, bounds.table_most)
    tables = tuple(tuple(range(first, first + 4)) for first in range(0, example.players, 4))
    wind_off = figures_of(with_winds((tables,) * example.rounds, 4), example.players).wind_off
    yield from compare("wind_off", expect.wind_off, wind_off)
    if expect.ind_at_most is not None:
        yield from compare("ind_at_most", expect.ind_at_most, bounds.least_links)
