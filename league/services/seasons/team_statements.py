"""Statements of the organizers about a team."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Entrant
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.seasons.team_statements import CONFIRMED, both_sexes_of
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.seasons.teams import refuse_no_team


@all_or_nothing
def confirm_both_sexes(*, entrant: Entrant, by: Actor) -> None:
    """Record that women and men are among the team's members; stated twice, it is recorded once.

    Nothing is kept about a person, and the public does not see it. Refuse a team of a format that does not ask for it,
    and one without members.
    """
    competition = entrant.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    refuse_no_team(entrant)
    state = both_sexes_of(entrant)
    if state is None:
        raise refuse("not_asked_for", _("The format does not ask for women and men in a team: nothing to confirm."))
    if not entrant.members.filter(ended_n=None).exists():
        message = _("%(name)s has no members yet. Enter the members, then confirm.")
        raise refuse("no_members", message % {"name": entrant}, "/entrant")
    if state.statement is None:
        open_change(competition, by).record(CONFIRMED, entrant, is_public=False)
