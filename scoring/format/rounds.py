"""Rounds of a stage that is seated afresh for every hanchan, and the ways in which they are seated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from scoring.format.arranging import Arrangement
from scoring.format.parts import Cited, Key
from scoring.ruleset.base import SentenceError, Strict

SENTENCES: Mapping[str, str] = {
    "no_numbers": "'%(text)s' names no rounds; allowed are 3 and 3-5, counted from 1",
}
"""A sentence for a text that names no rounds."""

_NUMBERS = re.compile(r"(?P<first>[1-9]\d{0,3})(?:-(?P<last>[1-9]\d{0,3}))?")


PAIRED_SIZE = 4
"""Entrants at a table of a round that is paired."""


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


Weight = Annotated[int, Field(ge=0, le=1000)]
"""Only the ratio of weights matters. The limit keeps sums of costs within 64 bits."""


class PairingWeights(Strict):
    """Cost of each property of a table in a pairing, as whole numbers; the pairing of least cost is taken."""

    spread: Weight = 1
    """For each pair: times the square of the difference of their positions in the standing."""
    met: Weight = 60
    """For each pair: times the number of their earlier meetings."""
    club: Weight = 30
    """For each pair of one club."""
    country: Weight = 0
    """For each pair of one country."""
    table: Weight = 0
    """For each entrant who has sat at the table before."""


class PairingRule(Strict):
    """Rule by which a round is paired."""

    avoid: tuple[Avoided, ...] = ()
    """The first kind matters most."""
    weights: PairingWeights | None = None
    """None: the default weights."""
    arrange: Literal[Arrangement.STRAIGHT, Arrangement.SNAKE] = Arrangement.STRAIGHT
    """The tables that a round without history has: neighbours in the standing, or the standing down and up again."""
    band: Annotated[int, Field(ge=4)] | None = None
    """Entrants of the standing who are arranged among themselves, the best first; None: all together."""


class RoundPlan(Cited, PairingRule):
    """Some rounds of a stage, and the way in which they are seated.

    Rounds by standing and by draw are paired by the rule; in a draw all entrants are level.
    """

    numbers: str
    """One number, or a range such as 3-5."""
    by: SeatedBy
    of: Key | None = None
    """For `standing`: the stage whose standing seats the round; None: this one."""

    def rounds(self) -> range:
        """Return the numbers of the rounds; raise SentenceError if the text names none."""
        match = _NUMBERS.fullmatch(self.numbers)
        first = int(match["first"]) if match else 1
        last = int(match["last"] or first) if match else 0
        if first > last:
            raise SentenceError(SENTENCES, "no_numbers", text=self.numbers)
        return range(first, last + 1)
