"""Links of teams: the holder names the team's line-ups without an account, until the link is ended."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from league.models import Entrant, TeamLink
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.live.links import TOKEN_BYTES, digest_of
from league.services.results.sheets import lock_open
from league.services.seasons.teams import refuse_no_team


@dataclass(frozen=True, slots=True)
class NewTeamLink:
    """A new link with its token, which is shown once."""

    link: TeamLink
    token: str


@all_or_nothing
def make_team_link(*, entrant: Entrant, by: Actor) -> NewTeamLink:
    """Make a link through which a team names its line-ups; it ends the team's earlier links."""
    competition = entrant.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    refuse_no_team(entrant)
    live_team_links(entrant).update(ended_at=timezone.now())
    token = secrets.token_urlsafe(TOKEN_BYTES)
    # Only the digest: a leaked backup or database gives no working links away.
    return NewTeamLink(write_team_link(entrant, digest_of(token), by), token)


def write_team_link(entrant: Entrant, digest: str, by: Actor) -> TeamLink:
    """Return a new link with the digest of its token; the competition is locked."""
    change = open_change(entrant.competition, by)
    link = TeamLink.objects.create(entrant=entrant, digest=digest, made_by=by.user)
    change.record("team.link_made", link, after={"entrant": entrant.pk}, is_public=False)
    return link


@all_or_nothing
def end_team_links(*, entrant: Entrant, by: Actor) -> int:
    """End the team's links at once; return how many there were."""
    require(by, entrant.competition, Capability.MANAGE)
    lock(entrant.competition)
    ended: int = live_team_links(entrant).count()
    if ended:
        change = open_change(entrant.competition, by)
        live_team_links(entrant).update(ended_at=timezone.now())
        change.record("team.link_ended", entrant, before={"links": ended}, is_public=False)
    return ended


def live_team_links(entrant: Entrant) -> QuerySet[TeamLink]:
    """Return the team's links that work, newest first."""
    return TeamLink.objects.filter(entrant=entrant, ended_at=None)


def team_link_of(token: str) -> TeamLink | None:
    """Return the working link of a token, and note its use; None if there is none."""
    link = TeamLink.objects.select_related("entrant__competition", "entrant__player").filter(
        digest=digest_of(token), ended_at=None
    )
    found = link.first()
    if found is not None:
        TeamLink.objects.filter(pk=found.pk).update(used_at=timezone.now())
    return found
