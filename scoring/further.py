"""Criteria for entrants whom neither the total nor going back separates: a small function for each, named in formats.

The one idea: a criterion gives each of the level entrants a value, of which the greater is better, or does not apply
to them at all; then the next criterion is asked. Every value is stated with the decision.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.seating.draws import lot as lot_of
from scoring.tiebreak import ComparedFurther, Entrant, Further, Played, RankedPart, Row, by_value

Values = Mapping[Entrant, tuple[int, ...]]
"""For each entrant the values compared, in their order; the greater is better."""


@dataclass(frozen=True, slots=True)
class GivenOrders:
    """What results do not tell: an earlier order, the seeds, and the published seed of the lot."""

    prior: Sequence[Entrant] = ()
    """An earlier order, such as last year's, best first; empty if there is none."""
    seeds: Mapping[Entrant, int] = field(default_factory=dict)
    """The number of each entrant's seed."""
    lot: str | None = None
    """Text from which lots follow by `scoring.seating.draws.lot`, with the number of the seed."""


NOTHING_GIVEN = GivenOrders()


def places(level: Sequence[Row], given: GivenOrders) -> Values | None:
    """Count first places, then second places, and so on."""
    del given
    counts = {row.entrant: Counter(row.places()) for row in level}
    last = max((place for count in counts.values() for place in count), default=0)
    return {entrant: tuple(count[place] for place in range(1, last + 1)) for entrant, count in counts.items()}


def best_score(level: Sequence[Row], given: GivenOrders) -> Values | None:
    """Compare the best final score of one hanchan; not before all have played."""
    del given
    if not all(row.played for row in level):
        return None
    return {row.entrant: (max(played.score for played in row.played),) for row in level}


def head_to_head(level: Sequence[Row], given: GivenOrders) -> Values | None:
    """Add up the points of the hanchan in which all of them sat at one table; not if there was none."""
    del given
    shared = frozenset.intersection(*(frozenset(played.ref for played in row.played) for row in level)) - {None}

    def won(played: Sequence[Played]) -> int:
        return sum(each.points for each in played if each.ref in shared)

    return {row.entrant: (won(row.played),) for row in level} if shared else None


def prior(level: Sequence[Row], given: GivenOrders) -> Values | None:
    """Compare the places in the earlier order; not if one of them has none."""
    found = {entrant: place for place, entrant in enumerate(given.prior, start=1)}
    return _lowest_first(level, found)


def seed(level: Sequence[Row], given: GivenOrders) -> Values | None:
    """Compare the numbers of the seeds; not if one of them has none."""
    return _lowest_first(level, given.seeds)


def lot(level: Sequence[Row], given: GivenOrders) -> Values | None:
    """Compare the lots of the seeds' numbers; not without a published seed of the lot."""
    if given.lot is None:
        return None
    text = given.lot
    return _lowest_first(level, {who: int(lot_of(text, number)[:DIGITS], 16) for who, number in given.seeds.items()})


DIGITS = 12
"""Hexadecimal digits of a lot that are compared: enough that no two are equal, and exact in every JSON reader."""


def _lowest_first(level: Sequence[Row], numbers: Mapping[Entrant, int]) -> Values | None:
    if any(row.entrant not in numbers for row in level):
        return None
    return {row.entrant: (-numbers[row.entrant],) for row in level}


_CRITERIA: Mapping[Further, Callable[[Sequence[Row], GivenOrders], Values | None]] = {
    Further(function.__name__): function for function in (places, best_score, head_to_head, prior, seed, lot)
}


def split_further(part: RankedPart, criteria: Sequence[Further], given: GivenOrders) -> Iterator[RankedPart]:
    """Split rows that are still level by the first criterion that separates them, then each group further."""
    for index, criterion in enumerate(criteria if len(part.rows) > 1 else ()):
        values = _CRITERIA[criterion](part.rows, given)
        if values is None or len(set(values.values())) == 1:
            continue
        groups = by_value(part.rows, values)
        for number, rows in enumerate(groups):
            # The criterion that decided is asked again: a smaller group may have other hanchan in common.
            first, *rest = split_further(RankedPart(rows), criteria[index:], given)
            if number:
                above, below = (values[group[0].entrant] for group in (groups[number - 1], rows))
                yield replace(first, further=_compared(criterion, above, below))
            else:
                yield replace(first, number=part.number)
            yield from rest
        return
    yield part


def _compared(criterion: Further, above: tuple[int, ...], below: tuple[int, ...]) -> ComparedFurther:
    """Return the first values in which two groups differ, as people read them."""
    index = next(index for index, pair in enumerate(zip(above, below, strict=True)) if pair[0] != pair[1])
    sign = -1 if criterion in _LOWEST_FIRST else 1
    number = index + 1 if criterion is Further.PLACES else None
    return ComparedFurther(criterion, number, sign * above[index], sign * below[index])


_LOWEST_FIRST = frozenset({Further.PRIOR, Further.SEED, Further.LOT})
"""Criteria in which the smaller number is better."""
