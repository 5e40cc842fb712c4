"""Members of teams in the drafts of a next term, kept in the log while its roster is taken back.

Members that were only carried over are not kept: they follow from the term before when the roster is written again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from league.models import Change, Competition, Entrant, Player, TeamMember, Term

CARRIED_OVER = "members.carried_over"
"""The kind of the change that enters the members of the term before."""
TAKEN_OUT = "entrants.taken_out"
"""The kind of the change that takes a roster back."""
KEPT_MEMBERS = "kept_members"
"""The key of that change's snapshot with the kept members of its teams."""


def members_to_keep(competition: Competition, entrants: QuerySet[Entrant]) -> dict[str, list[dict[str, object]]]:
    """Return the members of each team that was changed since they were carried over, by the id of the team's player."""
    rows = TeamMember.objects.filter(entrant__in=entrants).select_related("entrant").order_by("order", "pk")
    carried = set(Change.objects.filter(competition=competition, kind=CARRIED_OVER).values_list("n", flat=True))
    changed = [row for row in rows if row.ended_n is not None or row.made_n not in carried]
    found: dict[str, list[dict[str, object]]] = {str(row.entrant.player_id): [] for row in changed}
    for row in rows:
        team = str(row.entrant.player_id)
        if row.ended_n is None and team in found:
            found[team].append(
                {
                    "player": row.player_id,
                    "since": row.since and row.since.isoformat(),
                    "until": row.until and row.until.isoformat(),
                    "order": row.order,
                    "is_captain": row.is_captain,
                    "reason": row.reason,
                }
            )
    return found


def kept_members(following: Term | None) -> dict[int, list[TeamMember]]:
    """Return the members kept when the roster of this term was taken back, by team; unsaved and of no entrant."""
    changes = Change.objects.filter(competition__term=following, kind=TAKEN_OUT).order_by("pk") if following else ()
    # A team that was in no roster since is in an earlier change.
    kept: dict[str, list[dict[str, Any]]] = {}
    for change in changes:
        kept.update((change.before or {}).get(KEPT_MEMBERS, {}))
    ids = {*map(int, kept), *(row["player"] for rows in kept.values() for row in rows)}
    people = {player.pk: player.kept_id for player in Player.objects.filter(pk__in=ids).order_by()}
    return {
        people[int(team)]: [_member(row, people[row["player"]]) for row in rows if row["player"] in people]
        for team, rows in kept.items()
        if int(team) in people
    }


def _member(stored: Mapping[str, Any], player: int) -> TeamMember:
    days = {name: stored[name] and dt.date.fromisoformat(stored[name]) for name in ("since", "until")}
    words = {name: stored[name] for name in ("order", "is_captain", "reason")}
    return TeamMember(player_id=player, **days, **words)
