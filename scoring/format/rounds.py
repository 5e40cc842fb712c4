"""Rounds of a stage that is seated afresh for every hanchan, and the ways in which they are seated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from scoring.format.parts import Cited, Key
from scoring.ruleset.base import Count, SentenceError, Strict

SENTENCES: Mapping[str, str] = {
    "no_numbers": "'%(text)s' names no rounds; allowed are 3 and 3-5, counted from 1",
}
"""A sentence for a text that names no rounds."""

_NUMBERS = re.compile(r"(?P<first>[1-9]\d{0,3})(?:-(?P<last>[1-9]\d{0,3}))?")


class SeatedBy(StrEnum):
    """Way in which a round is seated."""

    PLAN = "plan"
    """Before the first round, so that entrants meet as evenly as possible."""
    STANDING = "standing"
    """By the standing after the round before: neighbours in the standing meet."""
    DRAW = "draw"
    """By lot."""


class Avoided(StrEnum):
    """Property of a table that is avoided where a pairing without it exists."""

    MET = "met"
    """Two entrants have met before."""
    CLUB = "club"
    """Two entrants are of one club."""
    COUNTRY = "country"
    """Two entrants are of one country."""
    TABLE = "table"
    """An entrant has sat at the table before."""


class PairingWeights(Strict):
    """Cost of each property of a table in a pairing, as whole numbers; the pairing of least cost is taken."""

    spread: Count = 1
    """For each pair: times the square of the difference of their positions in the standing."""
    met: Count = 60
    """For each pair: times the number of their earlier meetings."""
    club: Count = 30
    """For each pair of one club."""
    country: Count = 0
    """For each pair of one country."""
    table: Count = 0
    """For each entrant who has sat at the table before."""


class RoundPlan(Cited):
    """Some rounds of a stage, and the way in which they are seated."""

    numbers: str
    """One number, or a range such as 3-5."""
    by: SeatedBy
    of: Key | None = None
    """For `standing`: the stage whose standing seats the round; None: this one."""
    avoid: tuple[Avoided, ...] = ()
    weights: PairingWeights | None = None
    """For `standing`; None: the default weights."""

    def rounds(self) -> range:
        """Return the numbers of the rounds; raise SentenceError if the text names none."""
        match = _NUMBERS.fullmatch(self.numbers)
        first = int(match["first"]) if match else 1
        last = int(match["last"] or first) if match else 0
        if first > last:
            raise SentenceError(SENTENCES, "no_numbers", text=self.numbers)
        return range(first, last + 1)
