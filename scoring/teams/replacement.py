"""Teams that must replace members, since they have missed a stage too many seasons in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.format.team import Replacement
from scoring.tiebreak import Entrant


@dataclass(frozen=True, slots=True)
class TeamSeason:
    """One season: the teams that took part, those that reached the stage of the rule, and those with new members."""

    teams: frozenset[Entrant]
    reached: frozenset[Entrant]
    renewed: frozenset[Entrant] = frozenset()
    """Teams that had replaced members before this season; their count starts with it."""


@dataclass(frozen=True, slots=True)
class ReplacementDue:
    """A team that must replace members before the next season."""

    team: Entrant
    missed: int
    """Number of seasons in a row in which it has missed the stage with the same members."""
    least: int
    """Number of members to replace."""


def replacement(seasons: Sequence[TeamSeason], rule: Replacement) -> tuple[ReplacementDue, ...]:
    """Return the teams of the last season that the rule asks to replace members, sorted; seasons oldest first."""
    if not seasons:
        return ()
    missed = {team: _missed(seasons, team) for team in sorted(seasons[-1].teams, key=str)}
    return tuple(
        ReplacementDue(team, count, rule.least) for team, count in missed.items() if count >= rule.missed_in_a_row
    )


def _missed(seasons: Sequence[TeamSeason], team: Entrant) -> int:
    """Return how many of the last seasons in a row a team has missed the stage with the same members."""
    count = 0
    for season in reversed(seasons):
        if team not in season.teams or team in season.reached:
            break
        count += 1
        if team in season.renewed:
            break
    return count
