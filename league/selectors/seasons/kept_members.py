"""Changes to teams in the drafts of a next term, kept in the log while its roster is taken back.

Members that were only carried over are not kept: they follow from the term before when the roster is written again.
Nothing is kept of people: their personal data stay out of the log.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from league.models import Change, Competition, Entrant, Player, TeamMember, Term

CARRIED_OVER = "members.carried_over"
"""The kind of the change that enters the members of the term before."""
TAKEN_OUT = "entrants.taken_out"
"""The kind of the change that takes a roster back."""
KEPT_MEMBERS = "kept_members"
"""The key of that change's snapshot with the kept members of its teams."""
KEPT_ENTRIES = "kept_entries"
"""The key of that change's snapshot with the club, country and links of each team."""
WORDS = ("affiliation", "country")


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """The fields of a team's entry in the draft that differed from the team's own, and the digests of its links."""

    words: Mapping[str, str]
    links: tuple[str, ...]


def entries_to_keep(entrants: QuerySet[Entrant]) -> dict[str, dict[str, object]]:
    """Return club, country and working links of each team, by the id of the team's player."""
    rows = entrants.filter(player__is_team=True).select_related("player").prefetch_related("team_links")
    return {
        str(row.player_id): {
            "words": {name: getattr(row, name) for name in WORDS if getattr(row, name) != getattr(row.player, name)},
            "links": [link.digest for link in row.team_links.all() if link.ended_at is None],
        }
        for row in rows
    }


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
    kept: dict[str, list[dict[str, Any]]] = _snapshots(following, KEPT_MEMBERS)
    people = _kept_ids({*map(int, kept), *(row["player"] for rows in kept.values() for row in rows)})
    return {
        people[int(team)]: [_member(row, people[row["player"]]) for row in rows if row["player"] in people]
        for team, rows in kept.items()
        if int(team) in people
    }


def kept_entries(following: Term | None) -> dict[int, KeptEntry]:
    """Return club, country and links kept when the roster of this term was taken back, by team."""
    kept: dict[str, dict[str, Any]] = _snapshots(following, KEPT_ENTRIES)
    teams = _kept_ids(set(map(int, kept)))
    return {
        teams[int(team)]: KeptEntry(stored["words"], tuple(stored["links"]))
        for team, stored in kept.items()
        if int(team) in teams
    }


def _snapshots(following: Term | None, key: str) -> dict[str, Any]:
    """Return what the changes that took the roster of this term back keep under a key, by team."""
    changes = Change.objects.filter(competition__term=following, kind=TAKEN_OUT).order_by("pk") if following else ()
    # A team that was in no roster since is in an earlier change.
    kept: dict[str, Any] = {}
    for change in changes:
        kept.update((change.before or {}).get(key, {}))
    return kept


def _kept_ids(ids: set[int]) -> dict[int, int]:
    """Return the id of the entry that each player counts for, by the player's own id."""
    return {player.pk: player.kept_id for player in Player.objects.filter(pk__in=ids).order_by()}


def _member(stored: Mapping[str, Any], player: int) -> TeamMember:
    days = {name: stored[name] and dt.date.fromisoformat(stored[name]) for name in ("since", "until")}
    words = {name: stored[name] for name in ("order", "is_captain", "reason")}
    return TeamMember(player_id=player, **days, **words)
