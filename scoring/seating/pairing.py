"""Pair one round from the standing: four entrants to a table, each pairing with its cost, its bound and its reasons.

The one idea: the cost of a table is the sum of named terms over its six pairs. Fewest avoided pairs come first, kind by
kind in the order listed, then least cost. The answer is the least up to 24 entrants; beyond, a lower bound says how
far it can be from the least. Entrants are numbered from 0; chance is left to lots of a seed, so anyone can repeat it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from scoring.format.arranging import arrange
from scoring.format.rounds import Avoided, PairingRule, PairingWeights
from scoring.seating.assignment import assign
from scoring.seating.balance import Pair, Round, Table, meetings_of
from scoring.seating.draws import in_order_of_lots
from scoring.seating.pairing_search import BoundBy, Prices, find_tables
from scoring.seating.partition import SIZE, Ints, Tables, cost_of


@dataclass(frozen=True, slots=True)
class History:
    """Earlier rounds, as far as they matter for the next one."""

    met: Sequence[Sequence[int]]
    """Number of times each entrant has met each other entrant."""
    visits: Mapping[Pair, int]
    """Number of times an entrant has sat at a table, by (entrant, table); tables are numbered from 0."""
    starts: Mapping[Pair, int]
    """Number of times an entrant has started from a seat, by (entrant, seat)."""

    @classmethod
    def of(cls, played: Sequence[Round], entrants: int) -> History:
        """Return the history of these rounds; `entrants` is the number of all, also of those who do not play on."""
        seats = [(place, table) for each in played for place, table in enumerate(each)]
        visits = Counter((entrant, place) for place, table in seats for entrant in table)
        starts = Counter((entrant, seat) for _, table in seats for seat, entrant in enumerate(table))
        return cls(meetings_of(played, entrants), visits, starts)


@dataclass(frozen=True, slots=True)
class Origins:
    """Clubs and countries of entrants; those without one are left out."""

    clubs: Mapping[int, str]
    countries: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class PairTerms:
    """Terms of the cost of one pair at a table."""

    entrants: Pair
    apart: int
    """Difference of their order numbers."""
    met: int
    """Number of earlier meetings."""
    is_same_club: bool
    is_same_country: bool
    cost: int


@dataclass(frozen=True, slots=True)
class Company:
    """Four entrants who could sit together, and what that would cost."""

    entrants: Table
    cost: int
    avoided: int
    """Pairs among them that are to be avoided."""


@dataclass(frozen=True, slots=True)
class PairedTable:
    """One table of a pairing, with the reasons for it."""

    entrants: Table
    """In the order of their seats, the first dealer first."""
    terms: tuple[PairTerms, ...]
    """The six pairs, in the order of the round."""
    cost: int
    """Sum of the terms."""
    nearest: Company
    """The best four in a row of the order that include one of these entrants."""
    met: Mapping[int, tuple[int, ...]]
    """The opponents that each of the four has met before."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round: its tables in the order of their numbers, and how good they are."""

    order: tuple[int, ...]
    """The entrants in the order by which they were paired, level ones by lot."""
    tables: tuple[PairedTable, ...]
    cost: int
    """Sum of the costs of the tables."""
    bound: int
    """No pairing with as few avoided pairs costs less."""
    bound_by: BoundBy
    broken: Mapping[Avoided, int]
    """By kind to be avoided: pairs that sit together nevertheless, or entrants at a table they had before."""
    is_optimal: bool
    """True if no pairing has fewer avoided pairs, kind by kind, or as many and a lower cost."""

    @property
    def round(self) -> Round:
        """Return the entrants of each table."""
        return tuple(table.entrants for table in self.tables)


NOWHERE = Origins({}, {})
COST_ALONE = PairingRule()


def pair(
    standing: Sequence[Sequence[int]],
    history: History,
    rule: PairingRule = COST_ALONE,
    origins: Origins = NOWHERE,
    seed: str = "",
) -> Pairing:
    """Pair the entrants of a standing, given as groups of level entrants, the best first.

    Raise ValueError unless a multiple of four entrants is given, each once, and for bands that do not fill tables.
    """
    ranked = tuple(each for level in standing for each in in_order_of_lots(level, seed))
    if not ranked or len(ranked) % SIZE or len(set(ranked)) < len(ranked):
        raise ValueError(f"{len(ranked)} entrants do not fill tables of {SIZE}, each at one seat")
    order = arranged(ranked, rule)
    terms = _Terms.of(order, history, rule, origins)
    found = find_tables(terms.prices)
    cost = cost_of(terms.prices.cost, found.tables)
    broken = dict(zip(terms.avoided, terms.prices.broken(found.tables), strict=True))
    numbers = _table_numbers(order, found.tables, history, rule)
    return Pairing(
        order=order,
        tables=tuple(_explained(terms, found.tables[number], history, seed) for number in numbers),
        cost=cost,
        bound=found.bound,
        bound_by=found.bound_by,
        broken=broken | _tables_again(order, found.tables, numbers, history, rule),
        is_optimal=found.is_best,
    )


def arranged(order: tuple[int, ...], rule: PairingRule) -> tuple[int, ...]:
    """Return the order in which neighbours are to meet: each band of the standing spread as the rule arranges it."""
    band = rule.band or len(order)
    bands = [order[first : first + band] for first in range(0, len(order), band)]
    tables = [table for each in bands for table in arrange(each, len(each) // SIZE, rule.arrange)]
    return tuple(entrant for table in tables for entrant in table)


@dataclass(frozen=True, slots=True)
class _Terms:
    """Matrices over pairs of order numbers."""

    order: tuple[int, ...]
    met: Ints
    club: Ints
    country: Ints
    avoided: tuple[Avoided, ...]
    """Kinds of pairs to be avoided, as in the prices."""
    prices: Prices

    @classmethod
    def of(cls, order: tuple[int, ...], history: History, rule: PairingRule, origins: Origins) -> _Terms:
        weights = rule.weights or PairingWeights()
        places = np.arange(len(order), dtype=np.int64)
        met = np.array([[history.met[one][other] for other in order] for one in order], dtype=np.int64)
        club, country = _alike(order, origins.clubs), _alike(order, origins.countries)
        cost = weights.spread * (places[:, np.newaxis] - places) ** 2
        cost += weights.met * met + weights.club * club + weights.country * country
        kinds = {Avoided.MET: np.minimum(met, 1), Avoided.CLUB: club, Avoided.COUNTRY: country}
        avoided = tuple(kind for kind in dict.fromkeys(rule.avoid) if kind in kinds)
        prices = Prices(cost, weights.spread, [kinds[kind] for kind in avoided])
        return cls(order, met, club, country, avoided, prices)

    def pair(self, one: int, other: int) -> PairTerms:
        """Return the terms of the pair with these order numbers."""
        return PairTerms(
            entrants=(self.order[one], self.order[other]),
            apart=abs(one - other),
            met=int(self.met[one, other]),
            is_same_club=bool(self.club[one, other]),
            is_same_country=bool(self.country[one, other]),
            cost=int(self.prices.cost[one, other]),
        )

    def nearest(self, company: Table) -> Company:
        """Return the best four in a row that include one of the company."""
        last = len(self.order) - SIZE
        starts = sorted({start for place in company for start in range(max(0, place - SIZE + 1), min(place, last) + 1)})
        rows = [(tuple(range(start, start + SIZE)),) for start in starts]
        four = min(rows, key=self.prices.rank)
        broken, cost = self.prices.rank(four)
        return Company(tuple(self.order[place] for place in four[0]), cost, sum(broken))


def _alike(order: Sequence[int], names: Mapping[int, str]) -> Ints:
    """Return 1 for each pair of different entrants with the same name, by order numbers."""
    numbers = {name: number for number, name in enumerate(sorted(set(names.values())))}
    of = np.array([numbers[names[each]] if each in names else -1 - place for place, each in enumerate(order)])
    alike: Ints = (of[:, np.newaxis] == of).astype(np.int64)
    np.fill_diagonal(alike, 0)
    return alike


def _table_numbers(order: tuple[int, ...], companies: Tables, history: History, rule: PairingRule) -> Sequence[int]:
    """Return the company of each table: by rank, or so that companies return to the fewest tables."""
    if Avoided.TABLE not in rule.avoid and not (rule.weights and rule.weights.table):
        return range(len(companies))
    by_table = [
        [sum(history.visits.get((order[place], table), 0) for place in company) for company in companies]
        for table in range(len(companies))
    ]
    # Of the ways with as few visits, the one that moves tables least from the order of the standing.
    most = len(companies) ** 2 + 1
    return assign(
        [
            [visits * most + abs(table - number) for number, visits in enumerate(row)]
            for table, row in enumerate(by_table)
        ]
    )


def _tables_again(
    order: tuple[int, ...], companies: Tables, numbers: Sequence[int], history: History, rule: PairingRule
) -> dict[Avoided, int]:
    """Count the entrants at a table they had before, if tables are to be avoided."""
    if Avoided.TABLE not in rule.avoid:
        return {}
    seats = ((order[place], table) for table, number in enumerate(numbers) for place in companies[number])
    return {Avoided.TABLE: sum(history.visits.get(seat, 0) > 0 for seat in seats)}


def _explained(terms: _Terms, company: Table, history: History, seed: str) -> PairedTable:
    """Seat a company by least starts, level ways by lot, and give the reasons for it."""
    entrants = tuple(terms.order[place] for place in company)
    pairs = tuple(terms.pair(one, other) for one, other in combinations(company, 2))
    return PairedTable(
        entrants=min(
            permutations(in_order_of_lots(entrants, seed)),
            key=lambda seats: sum(history.starts.get((entrant, seat), 0) for seat, entrant in enumerate(seats)),
        ),
        terms=pairs,
        cost=sum(each.cost for each in pairs),
        nearest=terms.nearest(company),
        met={each: tuple(other for other, count in enumerate(history.met[each]) if count) for each in entrants},
    )
