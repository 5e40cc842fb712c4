"""Sentences for a player's conditions: a code, the places they apply to, and clauses; no condition is left out.

A sentence with more clauses than readers can take in points to the table instead. `SENTENCES` holds the
English; translations use the same codes and parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.conditions.clauses import Clauses, clauses_of
from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE
from scoring.conditions.needs import Needs, PlaceNeeds

MOST_CLAUSES = 6
"""A sentence with more clauses than this points to the table instead."""


class Says(StrEnum):
    """Statement of a sentence about a player's own place."""

    ENOUGH = "enough"
    """The place alone is sufficient."""
    OUT = "out"
    """With this place it is impossible."""
    NEEDS = "needs"
    """Exactly under these conditions."""
    SURE = "sure"
    """Under these conditions, regardless of other tables."""
    POSSIBLE = "possible"
    """Only under these conditions, and then it depends on the games at other tables."""
    DEPENDS = "depends"
    """It depends on the games at other tables."""
    ELSE = "else"
    """If the sufficient conditions are not met, it depends on the games at other tables."""
    TABLE = "table"
    """The conditions are in the table."""
    RULING = "ruling"
    """Where everything comes out tied, the organizer decides."""


MERGED = (Says.ENOUGH, Says.OUT, Says.DEPENDS, Says.TABLE)
"""Statements that are given once for several neighbouring places."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence about one or more own places."""

    says: Says
    places: tuple[int, ...]
    clauses: Clauses | None = None


SENTENCES: Mapping[str, str] = {
    "enough": "{places}: enough for {goal}.",
    "enough_elsewhere": "{places}: enough for {goal}, whatever happens at other tables.",
    "out": "{places}: out of reach.",
    "out_elsewhere": "{places}: out of reach, whatever happens at other tables.",
    "needs": "{places}: {clauses}.",
    "sure": "{places}: enough for {goal} whatever happens at other tables: {clauses}.",
    "possible": "{places}: depends on {elsewhere}; needed in any case: {clauses}.",
    "depends": "{places}: depends on {elsewhere}.",
    "else": "{places}: otherwise depends on {elsewhere}.",
    "table": "{places}: depends on the places and margins; the table has every case.",
    "table_elsewhere": "{places}: depends on {elsewhere}, on places and margins; the table has every case.",
    "ruling": "Where everything comes out level, the organizer decides; the table marks these cases.",
    "clause": "{when}: {formula}",
    "when": "if {placed}",
    "placed": "{rival} is {places}",
    "floating": "{counts} players float",
    "floating_one": "one player floats",
    "placed_both": "{first} and {second}",
    "ahead": "{margin} ahead of {rival} or more",
    "level": "level with {rival} or ahead",
    "behind": "at most {margin} behind {rival}",
    "ahead_there": "{margin} ahead or more",
    "level_there": "level or ahead",
    "behind_there": "at most {margin} behind",
    "score": "a final score of {score} or more",
    "in": "always enough",
    "open": "any margin",
    "not_sure": "not sure",
    "not_possible": "out of reach",
    "otherwise_out": "otherwise out of reach",
    "otherwise_in": "otherwise always enough",
    "otherwise_open": "otherwise any margin",
}
"""The English sentence, or part of one, for each code; `_there` is about the one rival whose place is named before."""


def sentences_of(needs: Needs) -> tuple[Sentence, ...]:
    """Return all sentences about a player's own places; neighbouring places with the same statement are merged."""
    merged: list[Sentence] = []
    for each in (sentence for place in needs.places for sentence in _of_place(place, has_others=bool(needs.hangs_on))):
        last = merged[-1] if merged else None
        if last is not None and each.says is last.says and each.says in MERGED:
            merged[-1] = replace(last, places=(*last.places, *each.places))
        else:
            merged.append(each)
    if not needs.hangs_on and any(case.sure != case.possible for place in needs.places for case in place.cases):
        merged.append(Sentence(Says.RULING, ()))
    return tuple(merged)


def _of_place(needs: PlaceNeeds, *, has_others: bool) -> Iterator[Sentence]:
    """Yield the sentences about one own place."""
    here = (needs.place,)
    if needs.is_sure:
        yield Sentence(Says.ENOUGH, here)
    elif needs.is_impossible:
        yield Sentence(Says.OUT, here)
    elif not has_others or all(case.sure == case.possible for case in needs.cases):
        yield _make_sentence(Says.NEEDS, here, clauses_of(needs.cases, lambda case: case.sure))
    else:
        yield from _with_others(needs, here)


def _with_others(needs: PlaceNeeds, here: tuple[int, ...]) -> Iterator[Sentence]:
    """Yield the sufficient conditions, regardless of other tables, and the necessary ones."""
    may_be_sure = any(case.sure != NEVER_TRUE for case in needs.cases)
    takes_something = any(case.possible != ALWAYS_TRUE for case in needs.cases)
    told = []
    if may_be_sure:
        told.append(_make_sentence(Says.SURE, here, clauses_of(needs.cases, lambda case: case.sure)))
    if takes_something:
        told.append(_make_sentence(Says.POSSIBLE, here, clauses_of(needs.cases, lambda case: case.possible)))
    yield from (each for each in told if each.says is not Says.TABLE)
    if any(each.says is Says.TABLE for each in told):
        yield Sentence(Says.TABLE, here)
    elif not takes_something:
        yield Sentence(Says.ELSE if may_be_sure else Says.DEPENDS, here)


def _make_sentence(says: Says, here: tuple[int, ...], clauses: Clauses) -> Sentence:
    """Return the sentence, or a pointer to the table where it would be too long."""
    return Sentence(says, here, clauses) if clauses.length <= MOST_CLAUSES else Sentence(Says.TABLE, here)
