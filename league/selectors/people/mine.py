"""The player who a visitor says to be ("me"): an entrant, or a member of a team with the team of the day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from league.models import Entrant, Player, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.parlour.board import business_day
from league.selectors.people.player_records import entrant_of
from league.selectors.seasons.members import has_teams
from league.selectors.seasons.teams import holds_on, memberships_seen_by


@dataclass(frozen=True, slots=True)
class Mine:
    """The entrant whom the visitor follows, and the member of that team who the visitor is, if any."""

    entrant: Entrant
    member: Player | None = None

    @property
    def player(self) -> Player:
        """Return the member, or else the player entered."""
        return self.member or self.entrant.player


def mine_of(reader: Reader, key: str) -> Mine | None:
    """Return the entrant or member whose player has this key; None without one, or at an open table.

    A member who has changed teams follows the team of today, before or between two the last one.
    """
    if reader.guards_guests:
        return None
    entrant = entrant_of(reader, key)
    if entrant is not None:
        return Mine(entrant)
    rows = memberships_seen_by(reader, player__key=key) if has_teams(reader) else []
    if not rows:
        return None
    row = present_membership(rows, business_day(reader.competition, timezone.now()))
    return Mine(row.entrant, row.player)


def present_membership(rows: Sequence[TeamMember], day: dt.date) -> TeamMember:
    """Return the membership that holds on a day; without one the last to begin by then, else the first to come."""
    begun = [row for row in rows if (row.since or dt.date.min) <= day]
    holding = [row for row in begun if holds_on(row, day)]
    if holding or begun:
        return max(holding or begun, key=lambda row: row.since or dt.date.min)
    return min(rows, key=lambda row: row.since or dt.date.min)


def teams_with_members(reader: Reader) -> list[tuple[Entrant, list[Player]]]:
    """Return the teams with their members by team number, for the choice; a member is listed with each team once."""
    found: dict[int, tuple[Entrant, dict[int, Player]]] = {}
    for row in memberships_seen_by(reader):
        found.setdefault(row.entrant_id, (row.entrant, {}))[1].setdefault(row.player_id, row.player)
    return [(entrant, list(people.values())) for entrant, people in found.values()]
