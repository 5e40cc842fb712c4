"""Teams of a competition and their members by date.

Services and staff pages read them as they are now; pages and documents of a reader as of the version that it reads.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping

from django.db.models import Q, QuerySet

from league.models import Competition, Entrant, Player, TableSession, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.parlour.board import business_day
from league.selectors.rulebooks.rules_in_force import format_of_revision, is_of_teams, rules_at
from scoring.format.team import TeamRules


def is_team_league(competition: Competition) -> bool:
    """Return True if the entrants of the competition are teams, by the format in force."""
    return is_of_teams(rules_at(competition))


def team_rules(competition: Competition) -> TeamRules | None:
    """Return what the format in force says of teams, if it says anything."""
    return format_of_revision(rules_at(competition).format).team


def teams_of(competition: Competition) -> list[Entrant]:
    """Return the teams of the competition by number."""
    rows = Entrant.objects.filter(competition=competition, player__is_team=True, merged_into=None)
    return list(rows.select_related("player").order_by("number"))


def teams_without_members(competition: Competition) -> list[Entrant]:
    """Return the teams that have never had a member, without those that have left."""
    known = {row.entrant_id for row in memberships(competition)}
    return [team for team in teams_of(competition) if team.withdrawn_at is None and team.pk not in known]


def day_of(table: TableSession) -> dt.date | None:
    """Return the day of a table that decides who is a member: the session's, else that of the start, else None."""
    return table.session.day or (business_day(table.competition, table.starts_at) if table.starts_at else None)


def _on(rows: QuerySet[TeamMember], day: dt.date | None) -> QuerySet[TeamMember]:
    """Return the memberships that hold on a day; on an unknown day all that have not been taken back."""
    if day is None:
        return rows
    return rows.filter(Q(since=None) | Q(since__lte=day), Q(until=None) | Q(until__gte=day))


def memberships(competition: Competition, day: dt.date | None = None) -> QuerySet[TeamMember]:
    """Return the memberships of the competition that hold on the day, or ever, team by team in their order."""
    rows = TeamMember.objects.standing().filter(entrant__competition=competition)
    return _on(rows.select_related("player", "entrant__player"), day).order_by("entrant__number", "order", "pk")


def holds_on(row: TeamMember, day: dt.date | None) -> bool:
    """Return True if the membership holds on the day; on an unknown day every one does."""
    return day is None or (row.since or dt.date.min) <= day <= (row.until or dt.date.max)


def memberships_seen_by(*readers: Reader, **of: object) -> list[TeamMember]:
    """Return the memberships as of what each reader may know of its competition, in one query.

    A membership made later is not among them; one ended or replaced later is, with its days as they were.
    """
    until = {reader.competition.pk: reader.known_until() for reader in readers}
    rows = TeamMember.objects.filter(entrant__competition__in=until, **of).select_related("player", "entrant__player")
    return [
        row
        for row in rows.order_by("entrant__competition", "entrant__number", "order", "made_n", "pk")
        if row.made_n <= (last := until[row.entrant.competition_id]) and (row.ended_n is None or row.ended_n > last)
    ]


def members_on(competition: Competition, day: dt.date | None) -> Mapping[int, list[Player]]:
    """Return the members by the team's entrant id, each once; on an unknown day all who ever are."""
    found: defaultdict[int, dict[int, Player]] = defaultdict(dict)
    for row in memberships(competition, day):
        found[row.entrant_id].setdefault(row.player_id, row.player)
    return {entrant: list(people.values()) for entrant, people in found.items()}


def members_of(entrant: Entrant) -> list[TeamMember]:
    """Return all memberships of a team that have not been taken back, in their order."""
    return list(memberships(entrant.competition).filter(entrant=entrant))
