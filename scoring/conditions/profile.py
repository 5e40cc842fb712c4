"""Points of a hanchan under a ruleset, split into the part of the final score and the bonus of the place.

Where the bonuses depend on the number of floating players, each row of them has a profile of its own.

The one idea: nothing is calculated here that `settle` does not calculate. Games are made up in which every
arrangement of places occurs, scores near one another and far apart, with deposits left and without; the
points that their settlements give beyond the score must depend on the place alone. Where they do not, or
where the ruleset has a step that looks at more than places, margins of the scores are not sufficient to state
a player's needs, and the obstacle is named instead.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from scoring.hanchan_result import HanchanResult
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import DepositReceiver, PrizeTime, RoundingPolicy, Ties
from scoring.ruleset.uma import Row
from scoring.settlement import settle

FAR = 1_000
"""Gap between the made-up scores, in units of entry per player."""


class Obstacle(StrEnum):
    """Reason why margins of the scores alone do not determine a player's needs."""

    NO_SCORE = "no_score"
    """The ledger that ranks does not count scores."""
    PRIZES = "prizes"
    """Prizes from the table count in the ledger that ranks."""
    TOBI = "tobi"
    """A prize for making a player go out counts in the ledger that ranks."""
    SINKING_UMA = "sinking_uma"
    """A player who ends below a line pays the top."""
    FLOOR = "floor"
    """Scores below a floor are settled at the floor."""
    PLACE_PAYMENTS = "place_payments"
    """Places pay one another depending on one place reaching a line."""
    TOP_PAYMENT = "top_payment"
    """A sunk player pays the top."""
    ROUNDING = "rounding"
    """The rounding depends on the score."""
    UNEVEN = "uneven"
    """Players who share a place do not always get the same."""
    BYES = "byes"
    """A bye to come is worth the mean of hanchan still to be played, or it is open who sits out."""
    RULES_DIFFER = "rules_differ"
    """The tables of the block do not play by the same rules."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The places a player fills: a single one, or several shared with players tied on score."""

    first: int
    count: int = 1

    @property
    def last(self) -> int:
        """Return the worst of the places filled."""
        return self.first + self.count - 1

    @property
    def is_shared(self) -> bool:
        """Return whether other players are tied with the player."""
        return self.count > 1

    def is_parted(self, floating: int | None) -> bool:
        """Return whether some of the players would float and others not: impossible, as their scores are equal."""
        return floating is not None and self.first <= floating < self.last


@dataclass(frozen=True, slots=True)
class Profile:
    """Points in the ledger that ranks: `per_unit` for each unit of the final score, plus the bonus of the place."""

    players: int
    unit: int
    """Final scores are multiples of this."""
    total: int
    """Points at the table, deposits included."""
    per_unit: int
    """At the ledger's scale."""
    bonus: Mapping[Span, int]
    """Points of a place besides the score, the return score deducted; at the ledger's scale."""
    has_ties: bool
    """Players tied on score share their places."""
    gives_deposits: bool
    """Deposits left on the table are in the final scores of the top, or of those who share it."""
    odd: Mapping[Span, int] = field(default_factory=dict)
    """Points a seat may get beyond `bonus` at a shared place whose points do not divide; a missing place has none."""
    floating: tuple[int, ...] = ()
    """The numbers of floating players for which the bonuses hold; empty where they do not depend on it."""
    line: int | None = None
    """The lowest final score that floats, where the bonuses depend on the number of floating players."""
    cases: tuple[Profile, ...] = ()
    """A profile for each different row of bonuses; empty for one row, otherwise only the cases have a `bonus`."""

    @property
    def every(self) -> tuple[Profile, ...]:
        """Return the profiles that have bonuses: the cases, or this one alone."""
        return self.cases or (self,)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Return all places and shared places."""
        return tuple(sorted(self.every[0].bonus))

    def case(self, floating: int | None) -> Profile:
        """Return the profile with the bonuses that hold with this number of floating players."""
        return next((each for each in self.cases if floating in each.floating), self)

    def can_fill(self, *spans: Span) -> bool:
        """Return whether all these places can be filled with a number of floating players for which it holds."""
        return not self.floating or any(not any(span.is_parted(each) for span in spans) for each in self.floating)

    def points(self, span: Span, score: int) -> int:
        """Return the least points for a final score at this place, at the ledger's scale."""
        return self.bonus[span] + self.per_unit * (score // self.unit)

    def most(self, span: Span) -> int:
        """Return the largest bonus of this place, odd points included."""
        return self.bonus[span] + self.odd.get(span, 0)

    def table_sums(self) -> tuple[int, int]:
        """Return the least and the most points that all players of one game get together.

        This holds where all deposits are given to a player.
        """
        least = [sum(span.count * case.bonus[span] for span in spans) for case, _, spans in fillings(self)]
        most = [sum(span.count * case.most(span) for span in spans) for case, _, spans in fillings(self)]
        scores = self.per_unit * (self.total // self.unit)
        return scores + min(least), scores + max(most)


def compositions(table: Profile) -> Iterator[tuple[Span, ...]]:
    """Yield every way in which the places of a table can be filled, first to last."""
    for sizes in _sizes(table.players, has_ties=table.has_ties):
        yield _spans(sizes)


def fillings(table: Profile) -> Iterator[tuple[Profile, int | None, tuple[Span, ...]]]:
    """Yield every way to fill the places, with the number of floating players where the bonuses depend on it."""
    for case in table.every:
        for floating in case.floating or (None,):
            for spans in compositions(case):
                if not any(span.is_parted(floating) for span in spans):
                    yield case, floating, spans


# Every arrangement is settled several times per ruleset; rulesets are frozen, so the result is cached.
@lru_cache(maxsize=64)
def profile_of(rules: Ruleset) -> Profile | tuple[Obstacle, ...]:
    """Return the profile of these rules, or every obstacle to having one."""
    uma, numbers = rules.settlement.uma, defaultdict[Row, list[int]](list)
    if uma is None or uma.floating is None:
        return _profile_of_row(rules)
    for floating in range(rules.players + 1):
        numbers[uma.row(floating)].append(floating)
    cases = [(_profile_of_row(_with_row_of(rules, counts[0])), counts) for counts in numbers.values()]
    one = cases[0][0]
    if len(cases) == 1 or not isinstance(one, Profile):
        return one
    line = uma.floating.least(rules.entry.unit)
    found = [replace(case, floating=tuple(counts), line=line) for case, counts in cases if isinstance(case, Profile)]
    if len(found) < len(cases):
        return tuple(dict.fromkeys(each for case, _ in cases if not isinstance(case, Profile) for each in case))
    return replace(one, bonus={}, odd={}, line=line, cases=tuple(found))


def _with_row_of(rules: Ruleset, floating: int) -> Ruleset:
    """Return the rules with the bonuses of this number of floating players for every number of them."""
    data = rules.data()
    uma = data["settlement"]["uma"]
    uma["amounts"] = uma.pop("floating")["rows"].get(str(floating), uma["amounts"])
    # Options may set values of the table that is left out.
    return Ruleset.model_validate_json(json.dumps(data | {"options": {}}))


def _profile_of_row(rules: Ruleset) -> Profile | tuple[Obstacle, ...]:
    """Return the profile of rules with one row of bonuses, or every obstacle to having one."""
    unit_worth = worth_of_unit(rules)
    found = tuple(obstacles(rules, unit_worth))
    if found or unit_worth is None:
        return found
    per_unit = rules.ranking_ledger.stored(unit_worth)
    bonus = bonuses(rules, per_unit)
    if bonus is None:
        return (Obstacle.UNEVEN,)
    left = rules.settlement.kyoutaku
    return Profile(
        players=rules.players,
        unit=rules.entry.unit,
        total=rules.table_total,
        per_unit=per_unit,
        bonus={span: least for span, (least, _) in bonus.items()},
        odd={span: most - least for span, (least, most) in bonus.items() if most > least},
        has_ties=rules.settlement.placing.ties is Ties.SHARED,
        gives_deposits=left is not None and left.receiver is not DepositReceiver.NOBODY,
    )


def worth_of_unit(rules: Ruleset) -> Fraction | None:
    """Return the points of one unit of score in the ledger that ranks; None if scores do not count there."""
    conversion = rules.settlement.conversion
    if conversion is None or conversion.ledger != rules.ranking_ledger.key:
        return None
    return conversion.amount(rules.entry.unit)


def obstacles(rules: Ruleset, unit_worth: Fraction | None) -> Iterator[Obstacle]:
    """Yield every step of the ruleset that makes more than score and place count in the ledger that ranks."""
    steps, ranking = rules.settlement, rules.ranking_ledger
    prize, places, top = steps.tobi, steps.place_payments, steps.top_payment
    counts_scores = unit_worth is not None
    there = {
        Obstacle.NO_SCORE: not counts_scores,
        Obstacle.PRIZES: ranking.entered,
        Obstacle.TOBI: prize is not None and prize.ledger == ranking.key and prize.paid is PrizeTime.AT_SETTLEMENT,
        Obstacle.SINKING_UMA: counts_scores and steps.sinking_uma is not None,
        Obstacle.FLOOR: counts_scores and steps.floor is not None,
        Obstacle.PLACE_PAYMENTS: places is not None and places.ledger == ranking.key,
        Obstacle.TOP_PAYMENT: top is not None and top.ledger == ranking.key,
        Obstacle.ROUNDING: unit_worth is not None and _is_rounded(unit_worth, rules),
    }
    yield from (obstacle for obstacle, is_there in there.items() if is_there)


def _is_rounded(unit_worth: Fraction, rules: Ruleset) -> bool:
    """Return whether points of a score may be lost in rounding; unrounded, a ledger holds whole units of it."""
    rounding = rules.settlement.rounding
    if unit_worth <= 0:
        return True
    if rounding is None or rounding.policy is RoundingPolicy.EXACT:
        return False
    return (unit_worth / rounding.step).denominator != 1


def bonuses(rules: Ruleset, per_unit: int) -> Mapping[Span, tuple[int, int]] | None:
    """Return the least and the most bonus of each place; None if it depends on more than the place.

    At a shared place whose points do not divide, a seat may get one step of the rounding more than another.
    """
    found: dict[Span, tuple[int, int]] = {}
    for sizes in _sizes(rules.players, has_ties=rules.settlement.placing.ties is Ties.SHARED):
        for span, amount in _settled(sizes, rules, per_unit):
            least, most = found.get(span, (amount, amount))
            found[span] = min(least, amount), max(most, amount)
    step = _odd_step(rules)
    odd = {span: most - least for span, (least, most) in found.items() if most > least}
    return None if any(not span.is_shared or amount > step for span, amount in odd.items()) else found


def _odd_step(rules: Ruleset) -> int:
    """Return the most that seats sharing a place may differ by, at the scale of the ledger that ranks."""
    rounding = rules.settlement.rounding
    if rounding is None or rounding.policy is not RoundingPolicy.ODD_TO_FIRST_SEATS:
        return 0
    return int(rounding.step * rules.ranking_ledger.scale)


def _sizes(players: int, *, has_ties: bool) -> Iterator[tuple[int, ...]]:
    """Yield the number of tied players at each place, first to last, for every arrangement."""
    if not has_ties:
        yield (1,) * players
        return
    for first in range(1, players + 1):
        if first == players:
            yield (players,)
        else:
            yield from ((first, *rest) for rest in _sizes(players - first, has_ties=True))


def _spans(sizes: tuple[int, ...]) -> tuple[Span, ...]:
    """Return the places that groups of these sizes fill."""
    firsts = accumulate(sizes, initial=1)
    return tuple(Span(first, count) for first, count in zip(firsts, sizes, strict=False))


def _settled(sizes: tuple[int, ...], rules: Ruleset, per_unit: int) -> Iterator[tuple[Span, int]]:
    """Yield the bonus of each place in made-up, settled games of this arrangement."""
    unit, ranking = rules.entry.unit, rules.ranking_ledger.key
    left = rules.settlement.kyoutaku
    for kyoutaku in (0,) if left is None else (0, rules.players * left.unit):
        for levels in _levels(sizes, rules.setup.start - kyoutaku // rules.players, unit):
            by_place = [(span, level) for span, level in zip(_spans(sizes), levels, strict=True)]
            scores = [(span, level) for span, level in by_place for _ in range(span.count)]
            # Both seat orders, since rounding and ties may favour the seats near the first dealer.
            for seats in (scores, scores[::-1]):
                settled = settle(HanchanResult(tuple(score for _, score in seats), kyoutaku), rules)
                for seat, (span, _) in enumerate(seats):
                    yield span, settled.totals[ranking][seat] - per_unit * (settled.final_scores[seat] // unit)


def _levels(sizes: tuple[int, ...], mean: int, unit: int) -> Iterator[tuple[int, ...]]:
    """Yield falling scores by group with this mean.

    First all groups lie close together, then with a wide gap after each group but the last.
    """
    players = sum(sizes)
    before = tuple(accumulate(sizes, initial=0))
    # A group stands as high as players stand below it less those above it: over all seats that adds up to nothing.
    close = [players - before[group + 1] - before[group] for group in range(len(sizes))]
    yield tuple(mean + unit * each for each in close)
    for upper in before[1:-1]:
        gulf = [players - upper if before[group] < upper else -upper for group in range(len(sizes))]
        yield tuple(mean + unit * (each + FAR * far) for each, far in zip(close, gulf, strict=True))
