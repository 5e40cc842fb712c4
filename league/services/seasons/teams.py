"""Teams of a competition: entering them, their members by date, transfers, and captains.

A membership is a decision: it is never edited. A new end or captain ends the row and makes another one.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Competition, Entrant, LineUp, Player, SeatResult, TeamMember
from league.platform.errors import Finding, Level, conflict, raise_for, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.seasons.teams import day_of, is_team_league, memberships, team_rules
from league.services.access.changes import OpenChange, lock, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.setup import enter_players, lock_unmerged, new_player
from league.services.competitions.wizard import Newcomer, player_of

LAST = dt.date.max


@dataclass(frozen=True, kw_only=True, slots=True)
class NewTeam:
    """A team to enter with its members in order; the first one may be the captain."""

    name: str
    name_kana: str = ""
    name_romaji: str = ""
    short_name: str = ""
    mark_glyph: str = ""
    mark_colour: int | None = None
    known: Player | None = None
    """The team of an earlier season, whose names and mark stay as they are."""
    members: tuple[Player | Newcomer, ...] = ()
    has_captain: bool = False


@all_or_nothing
def enter_teams(
    *, competition: Competition, teams: Sequence[NewTeam], by: Actor, accept: Collection[str] = ()
) -> list[Entrant]:
    """Enter teams in this order with their members, and create teams and people who are not known yet.

    1. Refuse a competition whose format is for players, a team without a name, and a name or person used twice.
    2. Warn of teams with fewer or more members than the format says.
    """
    require(by, competition, Capability.MANAGE)
    lock_unmerged([team.known for team in teams if team.known])
    lock(competition)
    refuse_no_team_league(competition)
    if not teams:
        raise refuse("no_team_named", _("Name at least one team."), "/teams")
    raise_for([*_bad_names(competition, teams), *_odd_sizes(competition, teams)], accept)
    rows = [team.known or _new_team(team, by) for team in teams]
    entered = {entrant.player_id: entrant for entrant in enter_players(competition=competition, players=rows, by=by)}
    entrants = [entered[row.pk] for row in rows]
    for entrant, team in zip(entrants, teams, strict=True):
        if team.members:
            _add_members(entrant, team, by)
    return entrants


def refuse_no_team_league(competition: Competition) -> None:
    """Raise unless the competition is one of teams."""
    if not is_team_league(competition):
        message = _("This competition is one of players by its format. Choose a format for teams.")
        raise refuse("no_team_league", message)


def refuse_no_team(entrant: Entrant) -> None:
    """Raise unless the entrant is a team."""
    if not entrant.player.is_team:
        raise refuse("no_team", _("%(name)s is no team.") % {"name": entrant}, "/entrant")


def _bad_names(competition: Competition, teams: Sequence[NewTeam]) -> list[Finding]:
    """Return an error for each team without a name, or with one that is used already."""
    there = set(Entrant.objects.filter(competition=competition).values_list("player__name", flat=True))
    named = Counter(team.name.strip() for team in teams)
    found = []
    for index, team in enumerate(teams):
        name, pointer = team.name.strip(), f"/teams/{index}/name"
        if not name:
            found.append(Finding("name_needed", _("Please enter the team's name."), pointer))
        elif named[name] > 1 or name in there:
            message = _("The team “%(name)s” is named twice. Each team enters once.") % {"name": name}
            found.append(Finding("team_named_twice", message, pointer))
    return found


def _odd_sizes(competition: Competition, teams: Sequence[NewTeam]) -> list[Finding]:
    """Return a warning for each team whose number of members is not what the format says."""
    rules = team_rules(competition)
    if rules is None:
        return []
    least, most = rules.members.least, rules.members.most
    message = _("%(name)s has %(count)s members; the format says %(least)s to %(most)s.")
    return [
        Finding(
            "team_size",
            message % {"name": team.name, "count": len(team.members), "least": least, "most": most},
            f"/teams/{index}/members",
            Level.WARNING,
        )
        for index, team in enumerate(teams)
        if team.members and not least <= len(team.members) <= most
    ]


def _new_team(team: NewTeam, by: Actor) -> Player:
    return new_player(
        name=team.name.strip(),
        name_kana=team.name_kana,
        name_romaji=team.name_romaji,
        short_name=team.short_name,
        mark_glyph=team.mark_glyph,
        mark_colour=team.mark_colour,
        is_team=True,
        by=by,
    )


def _add_members(entrant: Entrant, team: NewTeam, by: Actor) -> None:
    """Add the members of a new team, from the first day on."""
    people = [_person(one, by) for one in team.members]
    change = open_change(entrant.competition, by)
    for order, player in enumerate(people):
        row = TeamMember(entrant=entrant, player=player, order=order, is_captain=team.has_captain and order == 0)
        _write(row, change)
    change.record("team.members_added", entrant, after={"players": [player.pk for player in people]})


def _person(person: Player | Newcomer, by: Actor) -> Player:
    if isinstance(person, Player):
        _refuse_no_person(person)
    return player_of(person, by)


def _refuse_no_person(player: Player) -> None:
    """Raise for a team, and for an entry that is merged or erased; a member erased later stays one."""
    if player.is_team or player.merged_into_id or player.erased_at:
        message = _("%(name)s is no person who can be a member. Choose another one.") % {"name": player}
        raise refuse("no_person", message, "/player")


def _write(row: TeamMember, change: OpenChange) -> TeamMember:
    """Save a membership after checking the days and that no other team has the person then."""
    competition, player = change.competition, row.player
    if row.since and row.until and row.since > row.until:
        raise refuse("days_reversed", _("The last day is before the first."), "/until")
    for other in memberships(competition).filter(player=player):
        if (row.since or dt.date.min) <= (other.until or LAST) and (other.since or dt.date.min) <= (row.until or LAST):
            if other.entrant_id == row.entrant_id:
                message = _("%(name)s is a member of %(team)s already.") % {"name": player, "team": other.entrant}
                raise conflict("member_already", message, "/player")
            message = _("%(name)s plays for %(team)s on some of these days. End that first, or make a transfer.")
            raise conflict("two_teams", message % {"name": player, "team": other.entrant}, "/player")
    row.made_n = change.n
    row.save(force_insert=True)
    return row


@all_or_nothing
def add_member(
    *,
    entrant: Entrant,
    player: Player | Newcomer,
    by: Actor,
    since: dt.date | None = None,
    until: dt.date | None = None,
    reason: str = "",
) -> TeamMember:
    """Let a person play for a team from the first to the last day given, both included; None leaves an end open.

    Refuse a team as a member, and a person who plays for another team of the competition on one of these days.
    """
    competition = entrant.competition
    require(by, competition, Capability.MANAGE)
    refuse_too_long(TeamMember, {"reason": reason})
    lock(competition)
    refuse_no_team(entrant)
    person = _person(player, by)
    change = open_change(competition, by)
    row = TeamMember(entrant=entrant, player=person, since=since, until=until, order=_next(entrant), reason=reason)
    _write(row, change)
    change.record("team.member_added", entrant, after=_said(row), reason=reason)
    return row


def _next(entrant: Entrant) -> int:
    newest = TeamMember.objects.filter(entrant=entrant).order_by("-order").first()
    return min(newest.order + 1, 32767) if newest else 0


def _said(row: TeamMember) -> dict[str, object]:
    """Return a membership as the log keeps it."""
    return {
        "entrant": row.entrant_id,
        "player": row.player_id,
        "since": row.since and row.since.isoformat(),
        "until": row.until and row.until.isoformat(),
        "is_captain": row.is_captain,
    }


def _standing(member: TeamMember) -> TeamMember:
    """Return the membership under the lock; raise ConflictError if it has been changed meanwhile."""
    lock(member.entrant.competition)
    rows = TeamMember.objects.standing().select_related("entrant__competition", "player")
    found: TeamMember | None = rows.filter(pk=member.pk).first()
    if found is None:
        raise conflict("membership_changed", _("This membership has been changed meanwhile. Reload the page."))
    return found


def _replace(row: TeamMember, change: OpenChange, **words: object) -> TeamMember:
    """End a membership's row and write another one with other words."""
    row.ended_n = change.n
    row.save(update_fields=["ended_n"])
    old = {"entrant": row.entrant, "player": row.player, "since": row.since, "until": row.until, "order": row.order}
    return _write(TeamMember(**{**old, "is_captain": row.is_captain, "reason": row.reason, **words}), change)


@all_or_nothing
def end_membership(*, member: TeamMember, until: dt.date | None, by: Actor, reason: str) -> TeamMember | None:
    """Let a membership end on a day; with None the row is taken back as an error, and None is returned.

    Refuse while the person has a result or is named in a line-up for the team on a day that would be lost.
    """
    require(by, member.entrant.competition, Capability.MANAGE)
    refuse_without_reason(reason)
    row = _standing(member)
    _refuse_losing(row, until)
    change, before = open_change(row.entrant.competition, by), _said(row)
    if until is None:
        row.ended_n = change.n
        row.save(update_fields=["ended_n"])
        change.record("team.member_taken_back", row.entrant, before=before, reason=reason)
        return None
    new = _replace(row, change, until=until, reason=reason)
    change.record("team.member_ended", row.entrant, before=before, after=_said(new), reason=reason)
    return new


def _refuse_losing(row: TeamMember, until: dt.date | None) -> None:
    """Raise ConflictError if the person sat or is named for the team on a day that would no longer be covered."""
    played = SeatResult.objects.filter(
        entrant=row.entrant, player=row.player, sheet__ended_n=None, sheet__hanchan__block__competition__isnull=False
    ).select_related("sheet__hanchan__table_session__session", "sheet__hanchan__table_session__competition")
    named = LineUp.objects.standing().filter(entrant=row.entrant, player=row.player)
    named = named.select_related("hanchan__table_session__session", "hanchan__table_session__competition")
    tables = [seat.sheet.hanchan.table_session for seat in played] + [one.hanchan.table_session for one in named]
    lost = []
    for table in tables:
        day = day_of(table)
        covers = day is None or ((row.since or dt.date.min) <= day <= (row.until or LAST))
        if covers and (until is None or (day is not None and day > until)):
            lost.append(table)
    if lost:
        message = ngettext(
            "%(name)s sat or is named for %(team)s in %(count)s hanchan after that: %(first)s. Choose a later day, or "
            "change the line-up first.",
            "%(name)s sat or is named for %(team)s in %(count)s hanchan after that, first %(first)s. Choose a later "
            "day, or change the line-ups first.",
            len(lost),
        )
        said = {"name": row.player, "team": row.entrant, "count": len(lost), "first": lost[0]}
        raise conflict("member_has_played", message % said, "/until")


@all_or_nothing
def transfer(*, member: TeamMember, to: Entrant, since: dt.date, by: Actor, reason: str) -> TeamMember:
    """Move a member to another team of the competition from a day on.

    The day before is the last for the old team, unless the membership has an earlier one.
    """
    competition = member.entrant.competition
    require(by, competition, Capability.MANAGE)
    refuse_without_reason(reason)
    row = _standing(member)
    _refuse_no_person(row.player)
    refuse_no_team(to)
    if to.competition_id != competition.pk or to.pk == row.entrant_id:
        raise refuse("other_team_needed", _("Choose another team of this competition."), "/to")
    if since == dt.date.min or (row.since is not None and since <= row.since):
        raise refuse("days_reversed", _("The transfer is before the first day for the present team."), "/since")
    last = min(since - dt.timedelta(days=1), row.until or LAST)
    _refuse_losing(row, last)
    change, before, kept = open_change(competition, by), _said(row), row.until
    _replace(row, change, until=last, reason=reason)
    new = _write(TeamMember(entrant=to, player=row.player, since=since, until=_after(since, kept), order=_next(to),
                            reason=reason), change)  # fmt: skip
    change.record("team.member_transferred", to, before=before, after=_said(new), reason=reason)
    return new


def _after(since: dt.date, until: dt.date | None) -> dt.date | None:
    return until if until is None or until >= since else None


@all_or_nothing
def make_captain(*, member: TeamMember, by: Actor) -> TeamMember:
    """Make a member the team's captain, in place of the present one."""
    require(by, member.entrant.competition, Capability.MANAGE)
    row = _standing(member)
    if row.is_captain:
        return row
    change = open_change(row.entrant.competition, by)
    for other in memberships(row.entrant.competition).filter(entrant=row.entrant, is_captain=True):
        _replace(other, change, is_captain=False)
    new = _replace(row, change, is_captain=True)
    change.record("team.captain_made", row.entrant, before={"player": None}, after={"player": row.player_id})
    return new
