"""Entrants who left and hanchan that count without having been played, as far as they decide a block's standings.

An entrant who has finished a block before leaving keeps its rank there; so does one who has played in a later stage,
whose place in it nothing takes back silently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from league.models import Departure
from league.selectors.standings.facts import Facts, id_of
from scoring.credits import GivenCredit, annul, settle_credits
from scoring.format import Format
from scoring.format.policies import Declined
from scoring.stages import PassOver
from scoring.standings import Played, Standings, Withdrawal
from scoring.tiebreak import Credit, CreditKind

Results = Mapping[int, tuple[Played, ...]]
"""The hanchan of each entrant in a block."""
Credits = Mapping[int, tuple[Credit, ...]]
"""The hanchan of a block that count for each entrant without a result."""


def credits_by_block(rows: Iterable[Sequence[Any]]) -> Mapping[str, Mapping[int, tuple[GivenCredit, ...]]]:
    """Group credits by block and entrant: rows of the block's key, the entrant's id, number, kind, points and place."""
    found: defaultdict[str, defaultdict[int, list[GivenCredit]]] = defaultdict(lambda: defaultdict(list))
    for key, entrant, number, kind, points, place in rows:
        found[key][entrant].append(GivenCredit(number, CreditKind(kind), points, place))
    return {key: {entrant: tuple(own) for entrant, own in block.items()} for key, block in found.items()}


def withdrawal_policy(league_format: Format) -> Withdrawal:
    """Return how a format ranks entrants who withdrew; one that says nothing leaves them the rank of their results."""
    if "withdrawal" not in league_format.policies.model_fields_set:
        return Withdrawal.KEPT
    return Withdrawal.LAST if league_format.policies.withdrawal.ranked else Withdrawal.UNRANKED


def ways_out(facts: Facts, key: str) -> Mapping[int, Withdrawal]:
    """Return how each entrant who left ranks in a block."""
    if not facts.leaving:
        return {}
    policy, hanchan = withdrawal_policy(facts.league_format), facts.league_format.stage_of[key].hanchan
    later, latest, given = playing_later(facts, key), latest_round(facts, key), facts.credits.get(key, {})
    found = {}
    for entrant, kind in facts.leaving.items():
        own = by_round(facts, key, facts.played.get(key, {}).get(entrant, ()))
        counted = len(own) + len(settle_credits(given.get(entrant, ()), own, latest))
        is_done = entrant in later or (hanchan is not None and counted >= hanchan)
        way = Withdrawal.KEPT if is_done else policy
        found[entrant] = Withdrawal.UNRANKED if kind == Departure.Kind.DISQUALIFIED else way
    return found


def behind(facts: Facts, key: str) -> frozenset[int]:
    """Return the entrants who left before they finished a block, where the format says how those rank."""
    return frozenset(entrant for entrant, way in ways_out(facts, key).items() if way is not Withdrawal.KEPT)


def playing_later(facts: Facts, key: str) -> frozenset[int]:
    """Return the entrants who have a result or a credit in a stage after that of the block."""
    stages = facts.league_format.stages
    later = stages[stages.index(facts.league_format.stage_of[key]) + 1 :]
    found: set[int] = set()
    for block in (block.key for stage in later for block in stage.blocks):
        found |= {entrant for entrant, own in facts.played.get(block, {}).items() if own}
        found |= facts.credits.get(block, {}).keys()
    return frozenset(found)


def counted_in(facts: Facts, key: str, *, with_byes_to_come: bool = False) -> tuple[Results, Credits]:
    """Return the results of a block that count, and what hanchan count for entrants without a result in them.

    Where the format annuls the hanchan of those who withdrew, these count 0 for the others. `with_byes_to_come` adds
    the byes of rounds that are seated and have no result yet, at their worth as of now.
    """
    played, given = facts.played.get(key, {}), facts.credits.get(key, {})
    leaving: set[int] = set()
    if facts.leaving and facts.league_format.policies.withdrawal.results == "annul":
        leaving = {who for who in behind(facts, key) if facts.leaving[who] == Departure.Kind.WITHDRAWN}
    if not given and not leaving:
        return played, {}
    kept, zeros = annul(played, leaving)
    hanchan = facts.league_format.stage_of[key].hanchan
    latest = hanchan or 0 if with_byes_to_come else latest_round(facts, key)
    not_played = {}
    for entrant in {**given, **zeros}:
        own = kept.get(entrant, ())
        decided = (*given.get(entrant, ()), *zeros.get(entrant, ()))
        settled = settle_credits(decided, by_round(facts, key, own), latest)
        not_played[entrant] = tuple(_numbered_apart(settled, own))
    return kept, not_played


def byes_to_come(facts: Facts, key: str, entrant: int) -> tuple[GivenCredit, ...]:
    """Return the byes of an entrant that are decided and do not count yet."""
    latest, given = latest_round(facts, key), facts.credits.get(key, {}).get(entrant, ())
    return tuple(each for each in given if each.kind is CreditKind.BYE and each.number > latest)


def latest_round(facts: Facts, key: str) -> int:
    """Return the largest number of a hanchan of the block that has a result; 0 if there is none."""
    played = facts.played.get(key, {}).values()
    return max((number for own in played for number in by_round(facts, key, own)), default=0)


def by_round(facts: Facts, key: str, played: Sequence[Played]) -> Mapping[int, int]:
    """Return the points of an entrant's results by the numbers that the block gives to the hanchan."""
    rounds = facts.rounds.get(key)
    return {rounds.place[game.ref][0] if rounds else game.number: game.points for game in played}


def _numbered_apart(settled: Iterable[Credit], played: Sequence[Played]) -> Iterator[Credit]:
    """Give each credit a number of its own: in a block with rests the entrant's own numbers are not the block's."""
    taken = {game.number for game in played}
    for credit in settled:
        number = credit.number
        while number in taken:
            number += 1
        taken.add(number)
        yield replace(credit, number=number)


def passed_over(facts: Facts, known: Mapping[str, Standings]) -> Iterator[PassOver]:
    """Yield the entrants who left and take no place after the blocks ranked so far, so that the next move up.

    One who keeps a rank takes no place either, unless already in a later stage or the format leaves the places of
    those who decline empty; where it has no policy for withdrawals, the organizer passes over.
    """
    if not facts.leaving:
        return
    champion = facts.league_format.champion
    moves_up = (
        withdrawal_policy(facts.league_format) is not Withdrawal.KEPT
        and facts.league_format.policies.declined is Declined.NEXT
    )
    for key, standings in known.items():
        ways, later = ways_out(facts, key), playing_later(facts, key)
        leads_on = moves_up and (champion is None or champion.block != key)
        for each in standings.ranked:
            way = ways.get(id_of(each.entrant))
            if way is not None and (way is not Withdrawal.KEPT or (leads_on and each.entrant not in later)):
                yield PassOver(key, each.entrant, "")
