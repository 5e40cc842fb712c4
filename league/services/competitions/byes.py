"""Byes: the rounds that count for entrants who sit out because the entrants do not fill whole tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import floor

from league.models import Block, Credit, RulesInForce
from league.selectors.competitions.block_rounds import SeatedHanchan, games_of
from league.selectors.competitions.seating.pairing import active_entrants
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.services.access.changes import OpenChange
from scoring.format.policies import OddBy


def settle_byes(block: Block, change: OpenChange) -> None:
    """Write and end byes, so that exactly those have one who sit out a seated round of the block.

    In a round that has begun a bye ends only with a seat, and none is added: who was missing there has another reason.
    Those seated at a table that was cancelled or abandoned do not sit out; the organizer may declare a walkover.
    """
    _settle(block, rules_at(block.competition), change)


def settle_all_byes(change: OpenChange) -> None:
    """Settle the byes of every block of the competition, after an entrant has left or plays on."""
    rules = rules_at(change.competition)
    for block in Block.objects.filter(competition=change.competition).select_related("competition", "stage"):
        _settle(block, rules, change)


def _settle(block: Block, rules: RulesInForce, change: OpenChange) -> None:
    odd = format_of(rules).policies.odd
    if odd is None or odd.by is not OddBy.BYES:
        return
    scale = ruleset_of(rules).ranking_ledger.scale
    # A worth that is no whole unit of the ledger goes to the smaller number, as an average does.
    points = floor(odd.points * scale) if isinstance(odd.points, Fraction) else None
    active = {entrant.pk for entrant in active_entrants(block)}
    held = Credit.objects.standing().filter(block=block)
    credited = set(held.values_list("number", "entrant"))
    ended: list[int] = []
    added: list[Credit] = []
    byes = {(each.number, each.entrant_id): each.pk for each in held.filter(kind=Credit.Kind.BYE)}
    rounds = {number: list(games.values()) for number, games in games_of(block).items()}
    for number, games in rounds.items():
        seated = set(_seated(games))
        has_begun = any(game.has_begun for game in games)
        placed = {entrant for game in games for entrant in game.seats}
        resting = active - placed if _is_seated(games) else set()
        ended += [
            pk
            for (of_round, entrant), pk in byes.items()
            if of_round == number and (entrant in seated or not (has_begun or entrant in resting))
        ]
        if not has_begun:
            # The kind is the reason: a text would be in the language of the request that seats the round.
            new = [entrant for entrant in sorted(resting) if (number, entrant) not in credited]
            bye = {"block": block, "number": number, "kind": Credit.Kind.BYE, "points": points, "made_n": change.n}
            added += [Credit(entrant_id=entrant, **bye) for entrant in new]
    Credit.objects.filter(pk__in=ended).update(ended_n=change.n)
    Credit.objects.bulk_create(added)


def _is_seated(games: Iterable[SeatedHanchan]) -> bool:
    """Return whether it is known who plays at every table of a round, and there is one."""
    there = [game.seats for game in games if not game.is_off]
    return bool(there) and all(there)


def _seated(games: Iterable[SeatedHanchan]) -> Iterator[int]:
    """Yield the ids of the entrants with a seat at a table that is played."""
    return (entrant for game in games if not game.is_off for entrant in game.seats)
