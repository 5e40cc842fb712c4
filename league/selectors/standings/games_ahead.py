"""Hanchan that each entrant of a block still plays: byes and departures taken into account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.standings.facts import Facts, id_of
from league.selectors.standings.leaving import behind, by_round, byes_to_come, latest_round
from scoring.credits import worth_of
from scoring.format.policies import OddBy
from scoring.standings import Ranked
from scoring.tiebreak import Credit, CreditKind, Row


@dataclass(frozen=True, slots=True)
class GamesAhead:
    """The hanchan left to each entrant of a block, and what byes add to the rows."""

    left: Mapping[int, int]
    rows: Mapping[int, Row]
    """The rows of entrants with byes to come or of open worth: with all byes of known worth, and no others."""
    open_byes: Mapping[int, int]
    """By entrant: the number of byes whose worth depends on results to come."""
    is_open_who_sits_out: bool
    fills_tables: bool
    """True if no bye is to come, none has left, and no house player takes part."""

    @classmethod
    def of(cls, facts: Facts, key: str, lines: Sequence[Ranked], awaited: Sequence[PlayedHanchan]) -> GamesAhead:
        """Return what the entrants of a block have ahead of them, the hanchan without a result given."""
        planned = facts.league_format.stage_of[key].hanchan or 0
        scheduled = Counter(seat.entrant_id for each in awaited for seat in each.planned)
        left: dict[int, int] = {}
        rows: dict[int, Row] = {}
        open_byes: dict[int, int] = {}
        is_open = _is_open_who_sits_out(facts, key, lines, awaited)
        byes = 0
        # Where the format has no policy for withdrawals, a substitute may still play all that is left.
        gone = {id_of(line.entrant) for line in lines} & behind(facts, key)
        for line in lines:
            entrant = id_of(line.entrant)
            coming = byes_to_come(facts, key, entrant)
            byes += len(coming)
            left[entrant] = max(planned - line.counted - len(coming), 0)
            if entrant in gone:
                # Those who left play no more, except in hanchan where a substitute sits for them.
                left[entrant] = min(left[entrant], scheduled[entrant])
            own = by_round(facts, key, line.row.played)
            of_open_worth = set(_of_open_worth(facts, key, line, own)) if left[entrant] else set()
            if of_open_worth:
                open_byes[entrant] = len(of_open_worth)
            if coming or of_open_worth:
                worth = (Credit(each.number, each.kind, worth_of(each, own), each.place) for each in coming)
                known = (each for each in (*line.row.credits, *worth) if each.number not in of_open_worth)
                rows[entrant] = replace(line.row, credits=tuple(known))
        return cls(left, rows, open_byes, is_open, not (is_open or byes or open_byes or gone or facts.house))

    @property
    def has_open_byes(self) -> bool:
        """Return True if what byes bring depends on results, or if it is open who sits out."""
        return self.is_open_who_sits_out or bool(self.open_byes)


def _of_open_worth(facts: Facts, key: str, line: Ranked, own: Mapping[int, int]) -> Iterator[int]:
    """Yield the numbers of an entrant's byes that count the mean of earlier hanchan, of which one has no result yet."""
    counted = {*own, *(credit.number for credit in line.row.credits)}
    for each in facts.credits.get(key, {}).get(id_of(line.entrant), ()):
        is_mean = each.kind is CreditKind.BYE and each.points is None and each.number not in own
        if is_mean and any(number not in counted for number in range(1, each.number)):
            yield each.number


def _is_open_who_sits_out(facts: Facts, key: str, lines: Sequence[Ranked], awaited: Sequence[PlayedHanchan]) -> bool:
    """Return True if a round to come has byes and its tables are not seated yet."""
    odd = facts.league_format.policies.odd
    staying = sum(line.entrant not in facts.leaving for line in lines)
    if odd is None or odd.by is not OddBy.BYES or not staying % facts.players:
        return False
    planned = facts.league_format.stage_of[key].hanchan or 0
    seated = {each.hanchan.number for each in awaited if each.planned}
    return any(number not in seated for number in range(latest_round(facts, key) + 1, planned + 1))
