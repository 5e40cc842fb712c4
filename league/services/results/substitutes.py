"""Substitutes: another player sits for an entrant in one hanchan.

The points stay the entrant's; the substitute's name is shown beside them.
"""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from league.models import Entrant, Hanchan, HanchanSeat, Player, ResultSheet
from league.platform.errors import Finding, Level, conflict, raise_for, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.results.sheets import lock_hanchan, refuse_closed


@all_or_nothing
def name_substitute(
    *,
    hanchan: Hanchan,
    entrant: Entrant,
    player: Player | None,
    by: Actor,
    reason: str,
    accept: Collection[str] = (),
) -> HanchanSeat:
    """Let a player sit for an entrant in this hanchan; without a player the entrant sits again.

    1. Refuse actors without the right to submit results, and a hanchan with a result, which is corrected with its
       sheet.
    2. Refuse an entrant without a seat there, and a player who sits there already.
    3. Refuse a team, whose members are named as its line-up.
    4. A substitute who also plays as an entrant of the competition must be accepted.
    """
    hanchan = lock_hanchan(hanchan)
    competition = hanchan.block.competition
    require(by, competition, Capability.SUBMIT)
    refuse_closed(competition)
    if entrant.player.is_team:
        message = _("A member sits for %(name)s: name one as the line-up. No other person can stand in for a team.")
        raise refuse("team_has_members", message % {"name": entrant}, "/entrant")
    refuse_without_reason(reason)
    refuse_played(hanchan)
    seat = hanchan.seats.select_related("entrant").filter(entrant=entrant).first()
    if seat is None:
        raise refuse("not_at_table", _("%(name)s does not sit in this hanchan.") % {"name": entrant}, "/entrant")
    sits = player or entrant.player
    if hanchan.seats.exclude(pk=seat.pk).filter(player=sits).exists():
        raise refuse("sits_there", _("%(name)s sits at this table already.") % {"name": sits}, "/player")
    if player is not None and player.pk != entrant.player_id:
        raise_for(_plays_here(hanchan, player), accept)
    before = seat.player_id
    if before == sits.pk:
        return seat
    change = open_change(competition, by)
    seat.player = sits
    seat.save(update_fields=["player"])
    change.record(
        "hanchan.substituted",
        hanchan,
        before={"entrant": entrant.pk, "player": before},
        after={"entrant": entrant.pk, "player": sits.pk},
        reason=reason,
        is_public=hanchan.table_session.is_released,
    )
    return seat


def refuse_played(hanchan: Hanchan) -> None:
    """Raise ConflictError if the hanchan has a sheet that counts or waits: its players are corrected with the sheet."""
    states = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    if ResultSheet.objects.filter(hanchan=hanchan, state__in=states).exists():
        raise conflict(
            "hanchan_entered", _("The result of this hanchan is in. Who sat is corrected there, with the sheet.")
        )


def _plays_here(hanchan: Hanchan, player: Player) -> list[Finding]:
    """Return a warning if the substitute is an entrant of the competition too; organizers may accept it."""
    if not Entrant.objects.filter(competition=hanchan.block.competition_id, player=player).exists():
        return []
    message = _("%(name)s plays in this competition too. If the organizers agree, accept it.") % {"name": player}
    return [Finding("substitute_plays_here", message, "/player", Level.WARNING)]
