"""Compute plans and ship the better ones: `python -m scripts.seating --players 16-64 --rounds 2-15 --moves 200000`.

For each size companies are searched under several cyclic symmetries: the larger the symmetry, the fewer choices and
the quicker each of them is judged. The best are given table numbers and compared with the plan shipped so far; the
better of the two stays. Equal arguments on equal data give equal plans, and a run with another seed can only improve
them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scoring.seating import catalogue
from scoring.seating.catalogue import FOUR, Shipped, lines_for, stated
from scoring.seating.draws import draw_order, stream
from scoring.seating.figures import Figures, bounds_of, figures_of
from scripts.seating.kernels import Kernels, compiled

PLANS = Path(catalogue.__file__).resolve().parent / "plans"
DESIGNS = Path(__file__).resolve().parent / "designs.txt"
KEPT = 2
"""Symmetries that go on to the long search."""
LONGER = 5
"""Factor of the long search to the first one."""
SEATED = 6
"""Companies that are given tables."""
LARGEST_TOGETHER = 100
"""Players up to whom companies and tables are also searched together; larger halls have tables enough."""
TRIES = 3
"""Searches for companies and tables together."""
ATTEMPTS = 300
"""Choices of rounds of a longer plan that are compared."""
MOST_CIRCLES = 64
"""Circles up to which a symmetry is tried: each choice takes the time of that many players to judge."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Companies with their symmetry, players, rounds, modulus and fixed players, and their figures without tables."""

    form: tuple[int, int, int, int]
    bases: tuple[bytes, ...]
    figures: Figures

    @property
    def key(self) -> tuple[int, ...]:
        """Return the counts that do not depend on table numbers, in the order of comparison."""
        squares, excess, *_tables, unlinked, least, pairs = self.figures.key
        return squares, excess, unlinked, least, pairs

    @property
    def is_optimal(self) -> bool:
        """Return whether no companies have fewer repeats or unlinked pairs, or more links."""
        figures, bounds = self.figures, bounds_of(self.form[0], self.form[1])
        is_linked = figures.least_links is None or (not figures.least_links and figures.unlinked == bounds.unlinked)
        return is_linked and (figures.squares, figures.excess) == (bounds.squares, bounds.excess)


def line_of(form: Sequence[int], bases: tuple[bytes, ...], tables: Sequence[bytes] = ()) -> Shipped:
    """Return a line without figures; without tables the companies stay in their order."""
    players, rounds, modulus, fixed = form
    order = tuple(tables) or (bytes(range(players // FOUR)),) * rounds
    return Shipped(players, rounds, modulus, fixed, bases, (), order, "")


def candidate(
    kernels: Kernels, form: tuple[int, int, int, int], moves: int, seed: int, start: bytes = b""
) -> Candidate:
    """Search companies under a symmetry."""
    bases = kernels.companies(form, moves, seed, start)
    return Candidate(form, bases, figures_of(line_of(form, bases).companies(), form[0]))


def forms(players: int, rounds: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the symmetries to try: the modulus divides the rounds, and each company has at most one fixed player."""
    for modulus in range(1, rounds + 1):
        if rounds % modulus or (players // modulus > MOST_CIRCLES and modulus < rounds):
            continue
        for fixed in sorted({players % modulus, players % modulus + modulus}):
            if fixed <= players // FOUR and (modulus > 1 or not fixed):
                yield players, rounds, modulus, fixed


def first_search(kernels: Kernels, players: int, rounds: int, moves: int, seed: int) -> Iterator[Candidate]:
    """Yield a candidate for each symmetry, up to one that no other can beat."""
    for form in forms(players, rounds):
        found = candidate(kernels, form, moves, seed)
        yield found
        if found.is_optimal:
            return


def best_line(kernels: Kernels, players: int, rounds: int, moves: int, seed: int) -> tuple[Shipped, Figures]:
    """Return the best plan of this run."""
    tried = sorted(first_search(kernels, players, rounds, moves, seed), key=lambda one: one.key)
    if not tried[0].is_optimal:
        tried += [candidate(kernels, one.form, moves * LONGER, seed + 1) for one in tried[:KEPT]]
        tried.sort(key=lambda one: one.key)
        # From the best the search goes on without a symmetry, which pairs the players of one circle more freely.
        tried.append(candidate(kernels, (players, rounds, 1, 0), moves, seed + 2, whole(tried[0])))
        tried += [*shorter(players, rounds, seed), *repeated(players, rounds, seed)]
        tried.sort(key=lambda one: one.key)
    # Visits to one table come before links, so that all companies without needless repeats are given tables.
    even = [one for one in tried if one.key[:2] == tried[0].key[:2]]
    found = min(
        (with_tables(kernels, one, moves, seed) for one in even[:SEATED]), key=lambda each: without_winds(each[1])
    )
    bounds = bounds_of(players, rounds)
    if players > LARGEST_TOGETHER or (found[1].table_most == bounds.table_most and not found[1].table_over):
        return found
    together = [together_at_tables(kernels, players, rounds, moves * LONGER, seed + each) for each in range(TRIES)]
    line = found[0]
    seated = b"".join(
        bytes(each[place]) for order, each in zip(line.tables, line.companies(), strict=True) for place in order
    )
    together.append(together_at_tables(kernels, players, rounds, moves * LONGER, seed, seated))
    return min([found, *together], key=lambda each: without_winds(each[1]))


def whole(found: Candidate) -> bytes:
    """Return all players of all rounds, one after the other."""
    return bytes(player for each in line_of(found.form, found.bases).companies() for one in each for player in one)


def shorter(players: int, rounds: int, seed: int) -> Iterator[Candidate]:
    """Yield companies of plans as long, and the choice of rounds of longer ones without repeats that links best."""
    for line in [*lines_for(players).values(), *designs_for(players)]:
        companies = line.companies()
        if line.rounds < rounds or (line.rounds > rounds and figures_of(companies, players).excess):
            continue
        draws = stream(seed)
        best = _chosen(line, range(rounds))
        taken = list(range(rounds))
        for _attempt in range(ATTEMPTS if rounds < line.rounds else 0):
            number, out = divmod(next(draws), rounds)
            others = [each for each in range(line.rounds) if each not in taken]
            now = [*taken[:out], others[number % len(others)], *taken[out + 1 :]]
            found = _chosen(line, now)
            if found.key <= best.key:
                best, taken = found, now
        yield best


def repeated(players: int, rounds: int, seed: int) -> Iterator[Candidate]:
    """Yield companies that play a design in which all meet once again, with other players in its places."""
    for line in designs_for(players):
        if (FOUR - 1) * line.rounds == players - 1 and line.rounds < rounds:
            companies = line.companies()
            for number in range(TRIES):
                order = draw_order(players, f"{seed}:{number}")
                again = tuple(tuple(tuple(order[one] for one in table) for table in each) for each in companies)
                kept = (companies + again * (rounds // line.rounds))[:rounds]
                bases = tuple(bytes(player for one in each for player in one) for each in kept)
                yield Candidate((players, rounds, 1, 0), bases, figures_of(kept, players))


def _chosen(line: Shipped, rounds: Sequence[int]) -> Candidate:
    """Return the companies of some rounds of a plan."""
    companies = line.companies()
    kept = tuple(companies[each] for each in rounds)
    bases = tuple(bytes(player for one in each for player in one) for each in kept)
    return Candidate((line.players, len(rounds), 1, 0), bases, figures_of(kept, line.players))


def designs_for(players: int) -> list[Shipped]:
    """Return the known designs for that many players, from the file beside this module."""
    found = []
    for text in DESIGNS.read_text(encoding="ascii").splitlines():
        if text and not text.startswith("#") and int((head := text.split("|")[0].split())[0]) == players:
            bases = [bytes(map(int, base.replace("=", "").split())) for base in text.split("|")[1:]]
            singles = ["=" in base for base in text.split("|")[1:]]
            turned = tuple(base for base, is_single in zip(bases, singles, strict=True) if not is_single)
            alone = tuple(base for base, is_single in zip(bases, singles, strict=True) if is_single)
            found.append(Shipped(players, int(head[1]), int(head[2]), int(head[3]), turned, alone, (), ""))
    return found


def with_tables(kernels: Kernels, found: Candidate, moves: int, seed: int) -> tuple[Shipped, Figures]:
    """Return a plan of these companies with table numbers."""
    line = line_of(found.form, found.bases)
    rounds = [bytes(player for one in each for player in one) for each in line.companies()]
    return complete(replace(line, tables=kernels.tables(rounds, moves * LONGER, seed)))


def together_at_tables(
    kernels: Kernels, players: int, rounds: int, moves: int, seed: int, start: bytes = b""
) -> tuple[Shipped, Figures]:
    """Return a plan whose companies and tables were searched together."""
    form = (players, rounds, 1, 0)
    return complete(line_of(form, kernels.companies(form, moves, seed, start, has_tables=True)))


def complete(line: Shipped) -> tuple[Shipped, Figures]:
    """Return a line with its figures."""
    schedule = tuple(
        tuple(each[place] for place in order) for order, each in zip(line.tables, line.companies(), strict=True)
    )
    figures = figures_of(schedule, line.players)
    return replace(line, figures=stated(figures)), figures


def keep_better(players: int, line: Shipped, figures: Figures) -> bool:
    """Write the line unless the plan shipped so far is as good; return whether it was written."""
    lines = lines_for(players)
    before = lines.get(line.rounds)
    if before is not None and key_of(before) <= without_winds(figures):
        return False
    lines[line.rounds] = line
    PLANS.mkdir(exist_ok=True)
    text = "".join(f"{lines[rounds]}\n" for rounds in sorted(lines))
    (PLANS / f"{players:03}.txt").write_text(text, encoding="ascii")
    return True


def key_of(line: Shipped) -> tuple[int, ...]:
    """Return what a shipped plan is compared by."""
    return without_winds(figures_of(line.schedule(), line.players))


def without_winds(figures: Figures) -> tuple[int, ...]:
    """Return the counts that plans are compared by before winds are assigned, which always is possible evenly."""
    return replace(figures, wind_off=0).key


def numbers(text: str) -> range:
    """Parse "8" or "8-16"."""
    first, _dash, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main() -> int:
    """Search the sizes asked for and print each figure line that is new."""
    parser = argparse.ArgumentParser(prog="scripts.seating", description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=numbers, default=numbers("8-240"))
    parser.add_argument("--rounds", type=numbers, default=numbers("2-15"))
    parser.add_argument("--moves", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kernels = compiled()
    for players in (count for count in asked.players if count % FOUR == 0):
        for rounds in asked.rounds:
            line, figures = best_line(kernels, players, rounds, asked.moves, asked.seed)
            if keep_better(players, line, figures):
                print(f"{players} x {rounds}: {line.figures} by {line.modulus} + {line.fixed}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
