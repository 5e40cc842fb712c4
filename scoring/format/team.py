"""Rules of team leagues: members, limits on how often a member plays, and awards."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from scoring.format.parts import Bounds, Cited, Key, Name
from scoring.ruleset.base import Count, Positive


class Replacement(Cited):
    """Members that a team must replace after failing to reach a stage several seasons in a row."""

    stage: Key
    missed_in_a_row: Positive
    """Number of seasons in a row in which the team did not reach the stage."""
    least: Positive
    """Number of members to replace."""


class TeamRules(Cited):
    """Composition of the teams."""

    members: Bounds
    both_sexes: bool = False
    """Each team has members of both sexes."""
    replace: Replacement | None = None


class Limit(Cited):
    """Bounds on the number of hanchan that each member of a team plays in a stage."""

    who: Literal["player"]
    stage: Key
    least: Count | None = None
    most: Positive | None = None


class AwardBy(StrEnum):
    """Figure by which an award is given."""

    TOTAL = "total"
    """Total points."""
    FOURTHS_SHARE = "fourths_share"
    """The smallest share of fourth places."""
    BEST_SCORE = "best_score"
    """The highest final score of one hanchan."""
    AVERAGE = "average"
    """Points per hanchan."""


class Award(Cited):
    """An award to a player."""

    key: Key
    title: Name | None = None
    stage: Key
    by: AwardBy
    least_hanchan: Positive | None = None
    """Number of hanchan below which a player does not compete for it."""
