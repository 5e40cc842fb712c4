"""Validation of a format's number of entrants: every number within its bounds must fill every stage.

The one idea: a block's size is a linear function of the number of entrants, so the least and the greatest number
show every fault but tables that are not full, and those recur with every further table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.ruleset.base import Fault, fault

if TYPE_CHECKING:
    from scoring.format.model import Format
    from scoring.format.parts import Bounds
    from scoring.format.stage import Stage

ROSTER_NOT_FULL = "roster_not_full"

SENTENCES: Mapping[str, str] = {
    "roster_not_full": "%(size)s entrants with %(turns)s turns each do not fill tables of %(players)s; "
    "take %(more)s more or %(fewer)s fewer, or say in policies.odd what happens",
    "size_not_full": "with %(size)s entrants, block %(block)s does not fill its tables; "
    "say in policies.odd what happens then (substitutes, byes or refuse), or allow one number only",
    "size_never_full": "no number from %(least)s to %(most)s fills every stage; allow others, or change policies.odd",
    "cut_beyond_least": "with %(least)s entrants, the least allowed, there are fewer ranks than that; "
    "raise entrants.least or take fewer",
}
"""A sentence for each fault: what is allowed instead of the value found."""


def open_roster_faults(
    format_: Format, bounds: Bounds, faults_of: Callable[[Format], Iterator[Fault]]
) -> Iterator[Fault]:
    """Yield the faults of a format with bounds; `faults_of` yields those of a format with a fixed number."""
    least, most = format_.of_size(bounds.least), format_.of_size(bounds.most)
    growing = {block for block in format_.blocks if least.size(block) != most.size(block)}
    at_least = [_of_bound(each, "least") for each in faults_of(least) if bounds.least]
    at_most = [_of_bound(each, "most") for each in faults_of(most)]
    always = {(each.key, each.code) for each in at_most}
    found: dict[tuple[str, str, str], Fault] = {}
    for each in [*at_most, *(_of_cut(each, bounds.least, always) for each in at_least)]:
        # Tables that depend on the number of entrants are judged over all numbers below.
        if each.code not in {"tables_not_full", ROSTER_NOT_FULL} or each.key.rpartition(".")[2] not in growing:
            found.setdefault((each.key, each.code, str(each.value)), each)
    yield from found.values()
    if format_.policies.odd is None:
        yield from _not_full(format_, bounds, growing)
    elif at_most and not found:
        yield from _never_full(format_, bounds, faults_of)


def _of_bound(found: Fault, bound: str) -> Fault:
    """Return a fault of the number of entrants as one of the bound that was tried."""
    return replace(found, key=f"entrants.{bound}") if found.key == "entrants" else found


def _of_cut(found: Fault, least: int, always: set[tuple[str, str]]) -> Fault:
    """Return ranks that only the least number of entrants lacks as a cut that is too large for it."""
    if found.code not in {"rank_beyond", "falling_range"} or (found.key, found.code) in always:
        return found
    return fault(SENTENCES, found.key, found.value, "cut_beyond_least", least=least)


def _not_full(format_: Format, bounds: Bounds, growing: set[str]) -> Iterator[Fault]:
    """Yield a fault for each block that some allowed number of entrants leaves with a table that is not full."""
    players = format_.players or 1
    # Sizes are linear in the number of entrants, so what fits recurs with every further table.
    numbers = range(max(bounds.least, 1), min(bounds.most, bounds.least + players) + 1)
    for block in format_.blocks:
        stage = format_.stage_of[block]
        for number in numbers if block in growing else ():
            size = format_.of_size(number).size(block)
            if size is not None and missing(format_, stage, size):
                yield fault(SENTENCES, "entrants.most", bounds.most, "size_not_full", size=number, block=block)
                break


def _never_full(format_: Format, bounds: Bounds, faults_of: Callable[[Format], Iterator[Fault]]) -> Iterator[Fault]:
    """Yield a fault if every allowed number is refused; the greatest ones fit if any does."""
    numbers = range(max(bounds.least, 1, bounds.most + 1 - (format_.players or 1)), bounds.most + 1)
    if all(any(faults_of(format_.of_size(number))) for number in numbers):
        yield fault(SENTENCES, "entrants", None, "size_never_full", least=bounds.least, most=bounds.most)


def turns(stage: Stage) -> int:
    """Return how often tables are formed from all entrants of a stage while their numbers must add up to full ones."""
    # Every round seats all players. A table that stays together is formed once per session, others for every hanchan.
    if stage.rounds:
        return 1
    return (stage.sessions if stage.seating == "stay" else None) or stage.hanchan or 0


def missing(format_: Format, stage: Stage, size: int) -> int:
    """Return how many further entrants a block of this size needs for full tables; 0 if none.

    In rounds a policy may fill the tables, or seat as many as there are places for.
    """
    players = format_.players or 1
    odd = format_.policies.odd
    if stage.seating == "rounds" and odd is not None and odd.by != "refuse":
        return 0
    return next(more for more in range(players) if (size + more) * turns(stage) % players == 0)
