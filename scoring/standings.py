"""Rank entrants by their results, with the hanchan and the criterion that decided each pair of neighbours.

The one idea: ranking is splitting. All entrants start as one group; the total splits it, each hanchan from
the last one backwards splits tied groups, then the format's further criteria do, and the organizer's rulings split
groups that no rule separates. Entrants who are still together at the end share the rank.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, pairwise

from scoring.further import NOTHING_GIVEN, GivenOrders, split_further
from scoring.tiebreak import RULING, Entrant, Played, RankedPart, Row, TieBreak, deciding_step, go_back, order_by_id

__all__ = ["Decision", "Entrant", "Played", "Ranked", "Row", "Standings", "Withdrawal", "rank"]


class Withdrawal(StrEnum):
    """The rank of an entrant who left after playing; the results stay in every case."""

    KEPT = "kept"
    """The rank that the results give."""
    LAST = "last"
    """A rank behind every entrant who is still in; those who left are ordered by their results."""
    UNRANKED = "unranked"
    """No rank: listed after the others, whose ranks move up."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of a ranking."""

    entrant: Entrant
    position: int
    """1 to n without gaps; inside a shared rank in the order of the entrants' ids, which means nothing."""
    rank: int
    """The rank as published; entrants that no rule separates share it."""
    total: int
    places: tuple[int, ...]
    """Number of first places, second places, ..."""
    tied: bool
    """The rank is shared."""
    row: Row
    """The results and adjustments that make up the total."""
    is_ranked: bool = True
    """False for an entrant who left and has no rank; `rank` is then the position behind all others."""

    @property
    def played(self) -> int:
        """Return the number of hanchan that the entrant has played."""
        return len(self.row.played)

    @property
    def counted(self) -> int:
        """Return the number of hanchan that count, those not played included."""
        return self.row.counted


@dataclass(frozen=True, slots=True)
class Decision:
    """The criterion that puts one of two neighbours with equal totals above the other."""

    above: Entrant
    below: Entrant
    criterion: str
    """`points`, `place` or `score` of a hanchan, a further criterion, or `ruling`."""
    number: int | None
    """The hanchan that decided; for `places` the place that was counted; None for all others."""
    above_value: int
    """The value that was compared; for a ruling the position in it."""
    below_value: int
    above_ref: Hashable
    below_ref: Hashable
    clause: str | None


@dataclass(frozen=True, slots=True)
class Standings:
    """A whole ranking with its explanation."""

    ranked: tuple[Ranked, ...]
    decisions: tuple[Decision, ...] = ()
    unbroken: tuple[tuple[Entrant, ...], ...] = ()
    """Groups that share a rank because no rule separates them, best first."""


def rank(
    rows: Iterable[Row],
    tiebreak: TieBreak,
    rulings: Sequence[tuple[Entrant, ...]] = (),
    places: int = 4,
    *,
    given: GivenOrders = NOTHING_GIVEN,
    leaving: Mapping[Entrant, Withdrawal] | None = None,
) -> Standings:
    """Rank by total points; break ties hanchan by hanchan backwards, then by the further criteria of the format.

    A ruling names entrants from the best down and orders a group that no rule separates if it names all of it; of
    several the last one holds. Entrants still tied share the rank. `places` is the number of players at a table,
    `given` what further criteria need besides results; `leaving` says how each entrant who left ranks. The answer does
    not depend on the order of the rows. Raise ValueError if an entrant has two rows, two results for one hanchan, or a
    place that the table does not have.
    """
    # Ids break no tie: they only make the order of rows inside a shared rank reproducible.
    ordered = sorted(rows, key=lambda row: (-row.total, order_by_id(row)))
    _check(ordered, places)
    ways = leaving or {}
    rows_of: dict[Withdrawal, list[Row]] = {way: [] for way in Withdrawal}
    for row in ordered:
        rows_of[ways.get(row.entrant, Withdrawal.KEPT)].append(row)
    staying, last, unranked = (_parts(own, tiebreak, rulings, given) for own in rows_of.values())
    ranked = tuple(
        replace(each, rank=each.position, tied=False, is_ranked=False)
        if ways.get(each.entrant) is Withdrawal.UNRANKED
        else each
        for each in _ranked([*staying, *last, *unranked], places)
    )
    # The decisions between entrants without a rank explain nothing, so they are left out.
    return Standings(
        ranked=ranked,
        decisions=(*_decisions(staying, tiebreak), *_decisions(last, tiebreak)),
        unbroken=tuple(tuple(row.entrant for row in part.rows) for part in (*staying, *last) if len(part.rows) > 1),
    )


def _parts(
    rows: Sequence[Row], tiebreak: TieBreak, rulings: Sequence[tuple[Entrant, ...]], given: GivenOrders
) -> list[RankedPart]:
    """Split rows in the order of their totals into groups that share a rank."""
    levels = [tuple(level) for _, level in groupby(rows, key=lambda row: row.total)]
    return [part for level in levels for part in _split(level, tiebreak, rulings, given)]


def _split(
    level: tuple[Row, ...], tiebreak: TieBreak, rulings: Sequence[tuple[Entrant, ...]], given: GivenOrders
) -> Iterator[RankedPart]:
    """Split rows with equal totals by their hanchan, by further criteria, then by the last ruling naming a group."""
    parts = (
        part
        for compared in go_back(level, tiebreak.back_tracking)
        for part in split_further(compared, tiebreak.then, given)
    )
    for part in parts:
        members = {row.entrant for row in part.rows}
        # A later result may add an entrant to the tie; a ruling that does not name all of it no longer applies.
        ruling = next((names for names in reversed(rulings) if members <= set(names)), ())
        if not ruling:
            yield part
            continue
        first, *rest = sorted(part.rows, key=lambda row: ruling.index(row.entrant))
        yield replace(part, rows=(first,))
        yield from (RankedPart((row,), ruled=True) for row in rest)


def _ranked(parts: Sequence[RankedPart], places: int) -> Iterator[Ranked]:
    """Yield the rows with their positions; a shared rank is the best position of those who share it."""
    position = 0
    for part in parts:
        shared = position + 1
        for row in part.rows:
            position += 1
            yield Ranked(row.entrant, position, shared, row.total, _places(row, places), len(part.rows) > 1, row)


def _places(row: Row, places: int) -> tuple[int, ...]:
    """Return the number of times each place was reached, first to last."""
    reached = row.places()
    return tuple(reached.count(place) for place in range(1, places + 1))


def _decisions(parts: Sequence[RankedPart], tiebreak: TieBreak) -> Iterator[Decision]:
    """Yield a decision for each pair of neighbours with equal totals and different ranks."""
    ruled = 1
    for upper, lower in pairwise(parts):
        ruled = ruled + 1 if lower.ruled else 1
        above, below = upper.rows[-1], lower.rows[0]
        if lower.ruled:
            yield Decision(
                above.entrant, below.entrant, RULING, None, ruled - 1, ruled, None, None, tiebreak.clause_ruling
            )
        elif lower.further is not None:
            by = lower.further
            yield Decision(
                above.entrant, below.entrant, by.criterion, by.number, by.above_value, by.below_value, None, None, None
            )
        elif lower.number is not None:
            yield _decision_between(above, below, lower.number, tiebreak)


def _decision_between(above: Row, below: Row, number: int, tiebreak: TieBreak) -> Decision:
    """Return the decision between two rows: the first criterion in which the given hanchan differ."""
    better, worse = above.hanchan(number), below.hanchan(number)
    step = deciding_step(better, worse, tiebreak.back_tracking)
    is_last = number == max(above.numbers() & below.numbers())
    return Decision(
        above=above.entrant,
        below=below.entrant,
        criterion=step.by,
        number=number,
        above_value=getattr(better, step.by),
        below_value=getattr(worse, step.by),
        above_ref=better.ref,
        below_ref=worse.ref,
        clause=step.clause if is_last else step.clause_earlier or step.clause,
    )


def _check(rows: Sequence[Row], places: int) -> None:
    """Raise ValueError for impossible rows: an entrant twice, a hanchan twice, a place beyond the table."""
    for entrant, count in Counter(row.entrant for row in rows).items():
        if count > 1:
            raise ValueError(f"Entrant {entrant!r} stands {count} times among the rows; give each entrant one row.")
    possible = set(range(1, places + 1))
    for row in rows:
        if len(row.numbers() | {credit.number for credit in row.credits}) < row.counted:
            raise ValueError(f"Entrant {row.entrant!r} has two results for one hanchan; number them 1, 2, 3 ...")
        if not possible.issuperset(row.places()):
            raise ValueError(f"Entrant {row.entrant!r} has a place outside 1 to {places}, the places of a table.")
