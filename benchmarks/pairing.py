"""Rounds by standing against ranking-sliced Swiss over simulated events, and their cost beside optimum and bound.

An event has a round by lot, then four rounds by standing with `avoid = ["met"]`, and a cut to 16. A player's points are
the strength (standard deviation 12) and chance (standard deviation 30), made zero-sum at each table. Ranking-sliced:
1 to 4, 5 to 8 and so on; a player who has met one of the table changes with the next one down who has not.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from itertools import combinations

from scoring.format.rounds import Avoided, PairingRule
from scoring.seating.balance import Round, meetings_of
from scoring.seating.pairing import History, Pairing, pair
from scoring.seating.partition import SIZE

EVENTS = 500
"""Events of each size."""
SIZES = (40, 64)
ROUNDS, CUT = 5, 16
MOST_SECONDS = 5
"""CPU time within which a round of 200 is paired."""
AVOIDED = PairingRule(avoid=(Avoided.MET,))
Way = Callable[[Sequence[int], Sequence[Round]], Round]


def main() -> int:
    """Print the comparisons; return 1 if the pairing repeats more, keeps fewer of the strongest, or takes too long."""
    failed = False
    print(
        f"| players | way | strongest {CUT} in the cut | pairs met again per event | spread per table | CPU s/round |"
    )
    print("|--:|---|--:|--:|--:|--:|")
    for players in SIZES:
        ours, sliced = (run(players, name, way) for name, way in (("by standing", by_standing), ("sliced", by_slices)))
        failed |= ours[1] > sliced[1] or ours[0] < 0.99 * sliced[0]
    for players in (16, 20, 24, 28, 40, 64, 100, 200):
        failed |= rounds_of(players)
    return int(failed)


def run(players: int, name: str, way: Way) -> tuple[float, float]:
    """Play all events in one way; return the strongest in the cut and the pairs met again, per event."""
    kept = again = spread = 0
    began = time.process_time()
    for event in range(EVENTS):
        order, rounds, spreads = played(players, way, random.Random(f"{players}:{event}"))
        kept += sum(player < CUT for player in order[:CUT])
        met = meetings_of(rounds, players)
        again += sum(met[one][other] > 1 for one, other in combinations(range(players), 2))
        spread += sum(spreads)
    took = (time.process_time() - began) / EVENTS / (ROUNDS - 1)
    tables = EVENTS * (ROUNDS - 1) * (players // 4)
    print(f"| {players} | {name} | {kept / EVENTS:.3f} | {again / EVENTS:.3f} | {spread / tables:.1f} | {took:.2f} |")
    return kept / EVENTS, again / EVENTS


def played(players: int, way: Way, chance: random.Random) -> tuple[list[int], list[Round], list[int]]:
    """Play an event; return the final order, the rounds and the sum of squared differences of rank of each.

    Players are numbered by strength, the strongest 0.
    """
    strength = sorted((chance.gauss(0, 12) for _ in range(players)), reverse=True)
    luck = [[chance.gauss(0, 30) for _ in range(players)] for _ in range(ROUNDS)]
    drawn = chance.sample(range(players), players)
    points, spreads = [0.0] * players, []
    rounds: list[Round] = []
    for number in range(ROUNDS):
        order = sorted(drawn, key=lambda player: -points[player])
        tables = way(order, rounds) if rounds else sliced(order)
        rank = {player: place for place, player in enumerate(order)}
        if rounds:
            spreads.append(sum((rank[a] - rank[b]) ** 2 for table in tables for a, b in combinations(table, 2)))
        rounds.append(tables)
        for table in tables:
            won = [strength[player] + luck[number][player] for player in table]
            for player, each in zip(table, won, strict=True):
                points[player] += each - sum(won) / 4
    return sorted(range(players), key=lambda player: -points[player]), rounds, spreads


def sliced(order: Sequence[int]) -> Round:
    """Return 1 to 4, 5 to 8 and so on."""
    return tuple(tuple(order[first : first + 4]) for first in range(0, len(order), 4))


def by_standing(order: Sequence[int], rounds: Sequence[Round]) -> Round:
    """Pair a round at least cost."""
    return paired(order, rounds).round


def paired(order: Sequence[int], rounds: Sequence[Round]) -> Pairing:
    """Pair a round at least cost without repeats where possible."""
    return pair([[player] for player in order], History.of(rounds, len(order)), AVOIDED)


def by_slices(order: Sequence[int], rounds: Sequence[Round]) -> Round:
    """Fill table after table by rank, passing over those who have met a player there as long as others are left."""
    met = meetings_of(rounds, len(order))
    free, tables = list(order), []
    while free:
        table = [free.pop(0)]
        while len(table) < SIZE:
            table.append(next((p for p in free if not any(met[p][other] for other in table)), free[0]))
            free.remove(table[-1])
        tables.append(tuple(table))
    return tuple(tables)


def rounds_of(players: int) -> bool:
    """Pair eight rounds of an event; print costs, bounds, avoided pairs and time; return whether one took too long."""
    costs, bounds, again, proved, most = [], [], 0, 0, 0.0

    def measured(order: Sequence[int], rounds: Sequence[Round]) -> Round:
        nonlocal again, proved, most
        began = time.process_time()
        found = paired(order, rounds)
        most = max(most, time.process_time() - began)
        costs.append(found.cost)
        bounds.append(found.bound)
        again += found.broken[Avoided.MET]
        proved += found.is_optimal
        return found.round

    for event in range(2):
        played(players, measured, random.Random(f"{players}:{event}"))
    print(
        f"{players} players, {len(costs)} rounds: cost {sum(costs)}, at least {sum(bounds)} "
        f"({100 * sum(bounds) / sum(costs):.0f} %), {proved} proved to be of least cost, {again} pairs met again, "
        f"at most {most:.1f} s of CPU for a round"
    )
    return most > MOST_SECONDS
