"""The organizers' statement that women and men play in a team, where the format asks for both.

No data of a person are kept: the statement is a change of the team, known to the staff alone. It holds as long as the
team has the members that it had then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from league.models import Change, Competition, Entrant, TeamMember
from league.selectors.seasons.teams import team_rules, teams_of

CONFIRMED = "team.both_sexes_confirmed"
"""The kind of the change by which the organizers state it."""


@dataclass(frozen=True, slots=True)
class BothSexes:
    """A team of a format that asks for women and men, and the newest statement about its present members, if any."""

    team: Entrant
    statement: Change | None


def both_sexes_of(entrant: Entrant) -> BothSexes | None:
    """Return the state of a team; None where the format asks for nothing."""
    rules = team_rules(entrant.competition)
    return _states(entrant.competition, [entrant])[0] if rules is not None and rules.both_sexes else None


def unconfirmed_teams(competition: Competition) -> list[Entrant]:
    """Return the teams without a statement about their present members; none where the format asks for nothing."""
    rules = team_rules(competition)
    if rules is None or not rules.both_sexes:
        return []
    return [each.team for each in _states(competition, teams_of(competition)) if each.statement is None]


def _states(competition: Competition, teams: Iterable[Entrant]) -> list[BothSexes]:
    found = list(teams)
    ids = [str(team.pk) for team in found]
    changes = Change.objects.filter(
        competition=competition, kind=CONFIRMED, subject_type="entrant", subject_id__in=ids
    ).select_related("actor")
    newest = {change.subject_id: change for change in changes.order_by("n")}
    members: dict[int, list[TeamMember]] = {team.pk: [] for team in found}
    for row in TeamMember.objects.filter(entrant__in=found):
        members[row.entrant_id].append(row)
    return [BothSexes(team, _if_current(newest.get(str(team.pk)), members[team.pk])) for team in found]


def _if_current(change: Change | None, rows: Iterable[TeamMember]) -> Change | None:
    """Return the statement if the team has the same people as then."""
    if change is None:
        return None
    own = list(rows)
    now = {row.player_id for row in own if row.ended_n is None}
    then = {row.player_id for row in own if row.made_n <= change.n and (row.ended_n is None or row.ended_n > change.n)}
    return change if now == then else None
