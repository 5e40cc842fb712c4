"""The step of the set-up in which teams are entered, in place of players."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from typing_extensions import override

from league.admin.competitions.wizard import PlayersView
from league.forms.seasons.teams import TeamsForm
from league.models import Player
from league.selectors.competitions.roster import active_entrants
from league.selectors.seasons.pasted_teams import MatchedTeam, count_of, matched_teams, teams_text
from league.selectors.seasons.teams import is_team_league, members_on, team_rules
from league.services.competitions.wizard import Newcomer, seeded_blocks
from league.services.seasons.teams import NewTeam, enter_teams


class EntrantsView(PlayersView):
    """Roster step: teams with their members where the format is for teams, else players."""

    @property
    def is_for_teams(self) -> bool:
        """Return True if the entrants are teams."""
        return is_team_league(self.row)

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if not self.is_for_teams:
            return super().get(request, **kwargs)
        pasted = teams_text(self.proposed_by) if self.proposed_by else ""
        return self.show_teams(TeamsForm(initial={"pasted": pasted}), None)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the preview; if the user has seen it, enter the teams."""
        if not self.is_for_teams:
            return super().post(request, **kwargs)
        form = TeamsForm(request.POST)
        if not form.is_valid():
            return self.show_teams(form, None)
        teams = matched_teams(self.row, form.cleaned_data["pasted"])
        if "enter" not in request.POST or not form.is_seen:
            return self.show_teams(form, teams)
        if faults := [fault for team in teams for fault in team.faults]:
            form.add_error("pasted", faults)
            return self.show_teams(form, teams)
        has_captain = form.cleaned_data["has_captains"]
        new = [new_team(team, has_captain=has_captain) for team in teams]
        done = ngettext("%(count)s team entered.", "%(count)s teams entered.", len(new)) % {"count": len(new)}
        following = "set-up-blocks" if seeded_blocks(self.row) else "set-up-schedule"
        answer = self.do(
            form,
            lambda by: enter_teams(competition=self.row, teams=new, by=by, accept=form.accepted),
            done,
            following,
        )
        return answer or self.show_teams(form, teams)

    def show_teams(self, form: TeamsForm, teams: Sequence[MatchedTeam] | None) -> HttpResponse:
        """Render the form, and below it the teams as they are understood."""
        members = members_on(self.row, None)
        known, new = count_of(teams or ())
        return self.show_page(
            form,
            title=_("Teams"),
            teams=teams,
            before=self.proposed_by,
            known=known,
            new=new,
            rules=team_rules(self.row),
            places=sum(block.slots.count() for block in seeded_blocks(self.row)),
            entered=[(entrant, members.get(entrant.pk, ())) for entrant in active_entrants(self.row)],
        )

    @override
    def page_template(self) -> str:
        return "teams" if self.is_for_teams else self.page


def new_team(team: MatchedTeam, *, has_captain: bool) -> NewTeam:
    """Return a matched team as the service takes it."""
    people: list[Player | Newcomer] = [
        member.found[0] if member.found else Newcomer(name=member.text) for member in team.members
    ]
    return NewTeam(
        name=team.pasted.name,
        short_name=team.pasted.short_name,
        name_kana=team.pasted.name_kana,
        known=team.known,
        members=tuple(people),
        has_captain=has_captain and bool(people),
    )
