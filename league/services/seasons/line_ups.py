"""Name the member who sits for a team in a hanchan: by the organizers, the captain, or through the team's link."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Entrant, Hanchan, LineUp, Membership, Player, Role, TableSession, TeamLink
from league.platform.errors import Finding, Level, conflict, forbid, raise_for, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.seasons.line_ups import LineUpCheck, is_due, keeps_secret, standing_line_ups
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.results.sheets import lock_hanchan, refuse_abandoned, refuse_closed
from league.services.results.substitutes import refuse_played
from league.services.seasons.line_up_rows import announce, put_line_ups
from league.services.seasons.teams import refuse_no_team
from league.wording.formatting import moment_text


def is_for_team(by: Actor, entrant: Entrant) -> bool:
    """Return True if the actor names line-ups for this one team: through its link, or as its captain."""
    if by.team_link is not None:
        # Read again from the database: the link may have ended after the request loaded it.
        return TeamLink.objects.filter(pk=by.team_link.pk, entrant=entrant, ended_at=None).exists()
    rows = Membership.objects.filter(competition=entrant.competition_id, user=by.user, role=Role.CAPTAIN)
    return by.user is not None and rows.filter(team=entrant).exists()


def is_captain(by: Actor, competition_id: int) -> bool:
    """Return True if the actor's role in the competition is a captain's."""
    if by.user is None or by.user.is_superuser:
        return False
    return Membership.objects.filter(competition=competition_id, user=by.user, role=Role.CAPTAIN).exists()


def require_team(by: Actor, entrant: Entrant) -> bool:
    """Raise unless the actor may name line-ups for the team; return True for organizers, who may for all teams."""
    if by.team_link is None:
        require(by, entrant.competition, Capability.LINE_UP)
        if by.is_system or not is_captain(by, entrant.competition_id):
            return True
    if not is_for_team(by, entrant):
        message = _(
            "You may name line-ups for your own team alone. If this link has ended, ask the organizers for one."
        )
        raise forbid(message, capability="line_up")
    return False


@all_or_nothing
def name_line_up(
    *,
    hanchan: Hanchan,
    entrant: Entrant,
    player: Player,
    by: Actor,
    reason: str = "",
    accept: Collection[str] = (),
) -> LineUp:
    """Name the member who sits for a team in a hanchan, in place of the one named before.

    1. Refuse actors without the right, a team without a seat there, and a hanchan with a result or abandoned; a team
       that has left names no member itself.
    2. After the first deal only the organizers name a member, with a reason; after the deadline a team is refused
       and the organizers accept the warning.
    3. Refuse a person who is no member on that day, and one above the limit; warn if another member could then no
       longer reach the least.
    4. Before a deadline with secrecy the line-up stays secret; otherwise the seat shows the member at once.
    """
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    is_organizer = require_team(by, entrant)
    refuse_too_long(LineUp, {"reason": reason})
    refuse_closed(competition)
    _refuse_unseated(hanchan, entrant)
    refuse_played(hanchan)
    refuse_abandoned(hanchan, by)
    _refuse_left(entrant, is_organizer=is_organizer)
    _refuse_begun(hanchan, is_organizer=is_organizer, reason=reason)
    held = standing_line_ups([hanchan]).get((hanchan.pk, entrant.pk))
    if held is not None and held.player_id == player.pk:
        return held
    table = hanchan.table_session
    raise_for([*_late(table, is_organizer=is_organizer), *LineUpCheck.of(hanchan).findings(entrant, player)], accept)
    if LineUp.objects.standing().filter(hanchan=hanchan, player=player).exclude(entrant=entrant).exists():
        raise refuse("twice_at_table", _("%(name)s sits at this table for another team.") % {"name": player}, "/player")
    is_secret = keeps_secret(table)
    change = open_change(competition, by)
    sitting = {(hanchan.pk, entrant.pk): player.pk}
    [row] = put_line_ups(sitting, {hanchan.pk: change.n}, by, reason=reason, is_secret=is_secret)
    change.record(
        "line_up.named",
        hanchan,
        before=_told(held) if held else None,
        after={**_told(row), **({"accepted": sorted(accept)} if accept else {})},
        reason=reason,
        is_public=not is_secret and table.is_released,
    )
    return row


def _told(row: LineUp) -> dict[str, object]:
    """Return a line-up as the log keeps it: all staff read the log, so that a secret member is in the row alone."""
    return {"entrant": row.entrant_id} if row.is_secret else {"entrant": row.entrant_id, "player": row.player_id}


def _refuse_unseated(hanchan: Hanchan, entrant: Entrant) -> None:
    refuse_no_team(entrant)
    if not hanchan.seats.filter(entrant=entrant).exists():
        raise refuse("not_at_table", _("%(name)s does not sit in this hanchan.") % {"name": entrant}, "/entrant")


def _refuse_left(entrant: Entrant, *, is_organizer: bool) -> None:
    """Raise if the team has left the competition, unless an organizer names its member."""
    if not is_organizer and Entrant.objects.filter(pk=entrant.pk).exclude(withdrawn_at=None).exists():
        message = _("%(team)s has left the competition. Only the organizers can change who sits.")
        raise conflict("team_has_left", message % {"team": entrant})


def _refuse_begun(hanchan: Hanchan, *, is_organizer: bool, reason: str) -> None:
    """Raise after the first deal, unless an organizer gives a reason."""
    if hanchan.started_at is None:
        return
    if not is_organizer:
        raise conflict("line_up_after_start", _("This hanchan has begun. Only the organizers can change who sits."))
    refuse_without_reason(reason)


def _late(table: TableSession, *, is_organizer: bool) -> list[Finding]:
    """Return a warning for the organizers, an error for the team, if the deadline has passed."""
    if table.line_ups_due_at is None or not is_due(table):
        return []
    at = moment_text(timezone.localtime(table.line_ups_due_at))
    if is_organizer:
        message = _("Line-ups were to be named until %(at)s. Accept it if it counts nevertheless.") % {"at": at}
        return [Finding("line_up_late", message, "/player", Level.WARNING)]
    message = _("Line-ups were to be named until %(at)s. Ask the organizers, who can still name a member.")
    return [Finding("line_up_late", message % {"at": at}, "/player")]


@all_or_nothing
def take_line_up_back(*, hanchan: Hanchan, entrant: Entrant, by: Actor, reason: str = "") -> None:
    """Take a team's line-up back, so that no member is named; the same rights and times hold as for naming one."""
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    is_organizer = require_team(by, entrant)
    refuse_closed(competition)
    refuse_played(hanchan)
    refuse_abandoned(hanchan, by)
    _refuse_left(entrant, is_organizer=is_organizer)
    _refuse_begun(hanchan, is_organizer=is_organizer, reason=reason)
    table = hanchan.table_session
    if not is_organizer:
        raise_for(_late(table, is_organizer=False), ())
    held = standing_line_ups([hanchan]).get((hanchan.pk, entrant.pk))
    if held is None:
        return
    change, was_secret = open_change(competition, by), held.is_secret
    held.ended_n = change.n
    held.save(update_fields=["ended_n"])
    hanchan.seats.filter(entrant=entrant).update(player=entrant.player_id)
    change.record(
        "line_up.taken_back",
        hanchan,
        before=_told(held),
        reason=reason,
        is_public=not was_secret and table.is_released,
    )


@all_or_nothing
def announce_line_ups(table: TableSession, by: Actor) -> int:
    """Show the secret line-ups of a table on its seats once its deadline has passed; return their number."""
    lock(table.competition)
    table.refresh_from_db(fields=["line_ups_due_at", "is_released"])
    secret = LineUp.objects.standing().filter(hanchan__table_session=table, is_secret=True)
    rows = list(secret.order_by("hanchan__round", "entrant__number"))
    if not rows or keeps_secret(table):
        return 0
    change = open_change(table.competition, by)
    announce(rows)
    change.record(
        "line_up.announced",
        table,
        after={"line_ups": [[row.hanchan_id, row.entrant_id, row.player_id] for row in rows]},
        is_public=table.is_released,
    )
    return len(rows)


@all_or_nothing
def set_line_up_deadline(*, table: TableSession, due_at: dt.datetime | None, are_secret: bool, by: Actor) -> None:
    """Set until when the teams of a table name their line-ups, and whether these are secret until then.

    Without a deadline nothing can be secret. Line-ups that are secret and no longer should be are announced.
    """
    competition = table.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    if are_secret and due_at is None:
        raise refuse("deadline_needed", _("Line-ups are secret until a deadline: enter one."), "/due_at")
    table.refresh_from_db(fields=["line_ups_due_at", "line_ups_are_secret", "is_released"])
    before = {"due_at": table.line_ups_due_at, "are_secret": table.line_ups_are_secret}
    after = {"due_at": due_at, "are_secret": are_secret}
    if before == after:
        return
    change = open_change(competition, by)
    table.line_ups_due_at, table.line_ups_are_secret = due_at, are_secret
    table.save(update_fields=["line_ups_due_at", "line_ups_are_secret"])
    change.record("line_up.deadline_set", table, before=_said(before), after=_said(after), is_public=table.is_released)
    announce_line_ups(table, by)


def _said(words: Mapping[str, object]) -> dict[str, object]:
    return {name: value.isoformat() if isinstance(value, dt.datetime) else value for name, value in words.items()}
