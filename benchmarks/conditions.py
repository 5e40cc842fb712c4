"""Stated conditions beside what settlement and ranking give, on random endings of random blocks.

`BENCH_CONDITIONS` endings (default 50,000), drawn from `BENCH_SEED`: several rulesets and tie-breaks, one to three
tables in their last hanchan, players who have finished, adjustments that bring totals close, endings with ties, with
deposits left, and endings that meet a stated margin exactly or miss it by one step. For every player the cells, the
conditions case by case, their clauses, and the statements "certain" and "impossible" are compared. Returns 1 if
anything differs.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rulesets.formats import load_format
from rulesets.loader import load
from scoring.conditions import (
    ALWAYS_TRUE,
    BlockSituation,
    Cell,
    Clauses,
    Formula,
    LastTable,
    Needs,
    PlaceArrangement,
    Span,
    Word,
    clauses_of,
    hanchan_range,
    needs_of,
    profile_of,
    proof,
)
from scoring.placement import groups
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, settle
from scoring.standings import Played, Row, rank
from scoring.tiebreak import TOTAL_ONLY, Entrant, TieBreak

ENDINGS = 50_000
ENDINGS_PER_BLOCK = 1_000
MOST_TARGETS = 4
SEED = 20261120
SPREADS = (0, 10, 400, 1000, 1000)
"""Distance of totals from zero before the last hanchan, in tenths of a point; places shift them by some 600."""
ROUNDS = 6
LEVEL, ON_THE_LINE, OVER_FINISHED = 0.3, 0.6, 0.5
"""Probabilities of tied scores, of scores put on a margin, and of a margin over a finished player."""
RULESETS = ("cinderella", "cinderella", "cinderella", "mleague", "tenhou4", "tenhou3", "banchi4")
FORMATS = ("cinderella", "cinderella-2018")
OTHER_TIEBREAKS = (
    TOTAL_ONLY,
    TieBreak.model_validate({"back_tracking": ({"by": "place"}, {"by": "score"})}, strict=False),
)


Told = Mapping[tuple[frozenset[tuple[Entrant, int]], tuple[int, ...]], tuple[PlaceArrangement, Clauses, Clauses]]
"""The case of each arrangement and row of bonuses, with the clauses of its sufficient and necessary conditions."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block before its last hanchan, with its ruleset."""

    rules: Ruleset
    situation: BlockSituation


@dataclass(frozen=True, slots=True)
class Ending:
    """The last hanchan of every table, and the ranking that follows."""

    spans: Mapping[Entrant, Span]
    scores: Mapping[Entrant, int]
    """Final scores, with deposits given out."""
    inside: Mapping[tuple[Entrant, int], bool | None]
    """True if the entrant is among the first n; None if only a ruling can decide."""
    floating: Mapping[Entrant, int | None]
    """The number of floating players at each entrant's table; None where nothing depends on it."""
    totals_level: bool
    """True if some entrants end with the same total."""


def main() -> int:
    """Compare the endings and print the number of differences."""
    wanted = int(os.environ.get("BENCH_CONDITIONS", ENDINGS))
    dice = random.Random(int(os.environ.get("BENCH_SEED", SEED)))
    begun, compared, wrong = time.perf_counter(), Counter[str](), []
    while compared["endings"] < wanted:
        block = some_block(dice)
        stated = Stated(dice, block.situation)
        for _ in range(min(ENDINGS_PER_BLOCK, wanted - compared["endings"])):
            ending = some_ending(dice, block)
            compared["endings"] += 1
            compared["answers"] += len(ending.inside)
            compared["proofs"] += len(stated.proofs)
            compared["rulings"] += sum(each is None for each in ending.inside.values())
            compared["with totals level"] += ending.totals_level
            compared["with players level"] += any(span.is_shared for span in ending.spans.values())
            wrong += [(block, ending, fault) for fault in stated.faults(ending)]
    print(f"{', '.join(f'{count:,} {what}' for what, count in compared.items())}, {time.perf_counter() - begun:.0f} s")
    print(f"{len(wrong)} mismatches")
    for block, ending, fault in wrong[:5]:
        print(fault, ending, block.situation, sep="\n")
    return 1 if wrong else 0


@cache
def tiebreaks() -> tuple[TieBreak, ...]:
    """Return the tie-breaks of both league formats, and some that no format uses yet."""
    return (*(load_format(name).tiebreak for name in FORMATS), *OTHER_TIEBREAKS)


def some_block(dice: random.Random, rules: Ruleset | None = None) -> Block:
    """Return a random block with one to three tables in their last hanchan and some finished players.

    Without `rules` it is played by one of `RULESETS`.
    """
    rules = rules or load(dice.choice(RULESETS))
    tiebreak = dice.choice((*tiebreaks()[:2] * 3, *tiebreaks()))
    playing, done = dice.choice((1, 1, 1, 1, 2, 2, 3)), dice.choice((0, 0, 1, 1, 2))
    before = dice.choice((0, 0, 1, 2, 3, 7))
    tables = [tuple(range(n * rules.players, (n + 1) * rules.players)) for n in range(playing + done)]
    spread = dice.choice(SPREADS)
    rows: dict[Entrant, Row] = {}
    for number, seats in enumerate(tables):
        hanchan = before + (number >= playing)
        games = [played(dice, rules, seats, n) for n in range(1, hanchan + 1)]
        for seat, entrant in enumerate(seats):
            own = tuple(game[seat] for game in games)
            row = Row(entrant, own, adjustment=0)
            rows[entrant] = replace(row, adjustment=dice.randint(-spread, spread) - row.total)
    return Block(
        rules,
        BlockSituation(
            rows=rows,
            left={entrant: int(n < playing) for n, seats in enumerate(tables) for entrant in seats},
            tables=tuple(LastTable(seats, before + 1) for seats in tables[:playing]),
            profile=profile_of(rules),
            tiebreak=tiebreak,
            players=rules.players,
            per_hanchan=hanchan_range(rules),
            deducts=False,
        ),
    )


def played(dice: random.Random, rules: Ruleset, seats: Sequence[int], number: int) -> tuple[Played, ...]:
    """Return a random game as it counts for each seat."""
    scores, kyoutaku = some_scores(dice, rules)
    settled = settle(HanchanResult(scores, kyoutaku), rules)
    points = settled.totals[rules.ranking_ledger.key]
    return tuple(
        Played(number, points[seat], settled.places[seat], settled.final_scores[seat]) for seat in range(len(seats))
    )


def some_scores(dice: random.Random, rules: Ruleset) -> tuple[tuple[int, ...], int]:
    """Return random raw scores and deposits: far apart or close, sometimes tied."""
    unit, players = rules.entry.unit, rules.players
    left = rules.settlement.kyoutaku
    kyoutaku = 0 if left is None else left.unit * dice.choice((0, 0, 0, 1, 2, 4))
    spread, step = dice.choice((2, 5, 100, 400)), dice.choice((1, 1, 10))
    scores = [rules.setup.start + unit * step * dice.randint(-spread, spread) for _ in range(players)]
    if dice.random() < LEVEL:
        one, other = dice.sample(range(players), 2)
        scores[one] = scores[other]
    return balanced(dice, scores, rules.table_total - kyoutaku, unit), kyoutaku


def balanced(dice: random.Random, scores: list[int], total: int, unit: int) -> tuple[int, ...]:
    """Return the scores, all shifted alike and then one seat's, so that they add up to the table's total."""
    missing = total - sum(scores)
    shift = missing // (len(scores) * unit) * unit
    shifted = [score + shift for score in scores]
    shifted[dice.randrange(len(scores))] += total - sum(shifted)
    return tuple(shifted)


def some_ending(dice: random.Random, block: Block) -> Ending:
    """Return a random last hanchan of every table; in most of them one game lies on a margin of the conditions."""
    situation, rules = block.situation, block.rules
    games = [some_scores(dice, rules) for _ in situation.tables]
    if dice.random() < ON_THE_LINE:
        number = dice.randrange(len(games))
        games[number] = on_the_line(dice, block, number, games[number])
    return ended(block, games)


def on_the_line(
    dice: random.Random, block: Block, number: int, game: tuple[tuple[int, ...], int]
) -> tuple[tuple[int, ...], int]:
    """Return the game with one pair's margin, or one own score, put exactly on its condition, or a step beside.

    Moving scores may move places, for which other margins hold: a few rounds are tried until nothing moves.
    """
    (scores, kyoutaku), situation = game, block.situation
    seats = dice.sample(range(len(scores)), len(scores))
    over = dice.choice(situation.finished) if situation.finished and dice.random() < OVER_FINISHED else None
    aside = block.rules.entry.unit * dice.choice((-1, 0, 0, 1))
    for _ in range(ROUNDS):
        moved = _moved(block, number, scores, (seats, kyoutaku, over, aside))
        if moved == scores:
            break
        scores = moved
    return scores, kyoutaku


def _moved(
    block: Block, number: int, scores: tuple[int, ...], how: tuple[Sequence[int], int, Entrant | None, int]
) -> tuple[int, ...]:
    """Return the scores with the first seat put on its line; the other seats absorb the difference in equal parts."""
    (one, other, *free), kyoutaku, over, aside = how
    entrants, unit = block.situation.tables[number].entrants, block.rules.entry.unit
    spans, raw = spans_of(scores, block.rules), list(scores)
    deposits = kyoutaku if spans[one] == Span(1) else 0
    case = block.situation.worth.case(floating_at(block.rules, scores))
    if over is None:
        duel = block.situation.duel(entrants[one], entrants[other], case)
        raw[one] = raw[other] + duel.cell(spans[one], spans[other]).least
        deposits -= kyoutaku if spans[other] == Span(1) else 0
    else:
        raw[one] = block.situation.against_finished(entrants[one], over, case)[spans[one]].least
        free = [other, *free]
    raw[one] += aside - (deposits if block.situation.worth.gives_deposits else 0)
    for left, seat in enumerate(free):
        missing = block.rules.table_total - kyoutaku - sum(raw)
        raw[seat] += missing // (unit * (len(free) - left)) * unit
    return tuple(raw)


def floating_at(rules: Ruleset, scores: Sequence[int]) -> int | None:
    """Return the number of floating players; None where the bonuses do not depend on it."""
    return None if rules.settlement.uma is None else rules.settlement.uma.floating_count(scores)


def spans_of(scores: Sequence[int], rules: Ruleset) -> tuple[Span, ...]:
    """Return the places each seat fills."""
    found: dict[int, Span] = {}
    first = 1
    for group in groups(scores, rules.settlement.placing.ties):
        found |= dict.fromkeys(group, Span(first, len(group)))
        first += len(group)
    return tuple(found[seat] for seat in range(len(scores)))


def ended(block: Block, games: Sequence[tuple[tuple[int, ...], int]]) -> Ending:
    """Settle the games and rank the entrants: the truth that the conditions are compared with."""
    rows = dict(block.situation.rows)
    spans: dict[Entrant, Span] = {}
    finals: dict[Entrant, int] = {}
    floating: dict[Entrant, int | None] = {}
    for table, (scores, kyoutaku) in zip(block.situation.tables, games, strict=True):
        settled = settle(HanchanResult(scores, kyoutaku), block.rules)
        points = settled.totals[block.rules.ranking_ledger.key]
        for seat, entrant in enumerate(table.entrants):
            last = Played(table.number, points[seat], settled.places[seat], settled.final_scores[seat])
            rows[entrant] = replace(rows[entrant], played=(*rows[entrant].played, last))
            finals[entrant] = settled.final_scores[seat]
        floating |= dict.fromkeys(table.entrants, floating_at(block.rules, scores))
        spans |= dict(zip(table.entrants, spans_of(scores, block.rules), strict=True))
    ranked = rank(rows.values(), block.situation.tiebreak, places=block.rules.players).ranked
    shared = Counter(each.rank for each in ranked)
    inside: dict[tuple[Entrant, int], bool | None] = {}
    for each in ranked:
        for target in range(1, len(ranked)):
            worst = each.rank + shared[each.rank] - 1
            answer = None if each.rank <= target < worst else worst <= target
            inside[each.entrant, target] = answer
    return Ending(spans, finals, inside, floating, len({each.total for each in ranked}) < len(ranked))


class Stated:
    """All statements of the conditions about a block."""

    def __init__(self, dice: random.Random, situation: BlockSituation) -> None:
        self.situation = situation
        targets = range(1, len(situation.rows))
        self.targets = sorted(dice.sample(targets, min(len(targets), MOST_TARGETS)))
        self.needs = [needs_of(situation, who, target) for who in situation.table_of for target in self.targets]
        self.told: dict[Entrant, list[tuple[Needs, list[Told]]]] = {who: [] for who in situation.table_of}
        for needs in self.needs:
            self.told[needs.entrant].append((needs, list(self.of_places(needs))))
        self.proofs = {
            (who, target): proved
            for who in situation.rows
            for target in self.targets
            if (proved := proof(situation, who, target)) is not Word.OPEN
        }

    def of_places(self, needs: Needs) -> Iterator[Told]:
        """Yield for each own place the case of every arrangement of rivals with its clauses."""
        for place in needs.places:
            sure = clauses_of(place.cases, lambda case: case.sure)
            possible = clauses_of(place.cases, lambda case: case.possible)
            yield {(frozenset(case.rivals), case.floating): (case, sure, possible) for case in place.cases}

    def faults(self, ending: Ending) -> Iterator[str]:
        """Yield every statement that the ending contradicts."""
        for (entrant, target), proved in self.proofs.items():
            answer = ending.inside[entrant, target]
            if answer is not (proved is Word.CERTAIN):
                yield f"{entrant} is {proved} for {target}, but {answer}"
        for table in self.situation.tables:
            is_level = any(ending.spans[each].is_shared for each in table.entrants)
            for entrant in table.entrants:
                yield from self.wrong_cells(entrant, ending)
                if not is_level:
                    yield from self.wrong_needs(entrant, table.entrants, ending)

    def wrong_cells(self, entrant: Entrant, ending: Ending) -> Iterator[str]:
        """Yield contradictions when rivals behind are counted by the cells alone."""
        cells = list(self.cells(entrant, ending))
        answers = [cell.is_ahead(margin) for cell, margin in cells]
        if any(cell.by_seat and answer is None for (cell, _), answer in zip(cells, answers, strict=True)):
            return  # The seats give the odd points of a shared place: no margin says who has them.
        behind, level = answers.count(True), answers.count(None)
        for target in self.targets:
            needed = len(self.situation.rows) - target
            stated = True if behind >= needed else (None if behind + level >= needed else False)
            if stated is not ending.inside[entrant, target]:
                yield f"cells: {entrant} in {target}: {stated}, but {ending.inside[entrant, target]}"

    def cells(self, entrant: Entrant, ending: Ending) -> Iterator[tuple[Cell, int]]:
        """Yield for each rival the cell of the two players' places, and the margin that the ending has there."""
        own, score = ending.spans[entrant], ending.scores[entrant]
        case = self.situation.worth.case(ending.floating[entrant])
        for rival in self.situation.rows:
            if rival == entrant:
                continue
            if rival in self.situation.table_of:
                duel = self.situation.duel(entrant, rival, case, self.situation.worth.case(ending.floating[rival]))
                yield duel.cell(own, ending.spans[rival]), score - ending.scores[rival]
            else:
                yield self.situation.against_finished(entrant, rival, case)[own], score

    def wrong_needs(self, entrant: Entrant, table: Sequence[Entrant], ending: Ending) -> Iterator[str]:
        """Yield contradictions of the conditions of the case that occurred, and of the clauses that tell it."""
        places = frozenset((each, ending.spans[each].first) for each in table if each != entrant)
        floating = self.situation.worth.case(ending.floating[entrant]).floating
        for needs, cases in self.told[entrant]:
            case, *told = cases[ending.spans[entrant].first - 1][places, floating]
            sure, possible = holds(case.sure, entrant, ending), holds(case.possible, entrant, ending)
            answer = ending.inside[entrant, needs.target]
            if (sure and answer is not True) or (not possible and answer is not False):
                yield f"needs: {entrant} in {needs.target}: sure {sure}, possible {possible}, but {answer}"
            if not needs.hangs_on and (sure is not (answer is True) or possible is (answer is False)):
                yield f"needs of one table: {entrant} in {needs.target}: {sure}, {possible}, but {answer}"
            for clauses, formula in zip(told, (sure, possible), strict=True):
                if formula is not all(holds(each, entrant, ending) for each in clauses.asked(case.rivals, floating)):
                    yield f"clauses: {entrant} in {needs.target}: not {formula} in {clauses}"


def holds(formula: Formula, entrant: Entrant, ending: Ending) -> bool:
    """Return True if any of the formula's alternatives holds."""
    if formula == ALWAYS_TRUE:
        return True
    own = ending.scores[entrant]
    return any(
        all(own - (0 if each.rival is None else ending.scores[each.rival]) >= each.least for each in way)
        for way in formula
    )


if __name__ == "__main__":
    sys.exit(main())
