"""Views of changes of teams: entering them, members by date, the captain, links, fixtures and deadlines."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from league.api.competitions.writes import CompetitionWriteView, player_of
from league.api.fields import NothingInput
from league.api.schema import describe_get
from league.api.seasons.team_change_documents import (
    AddedFixturesDocument,
    AddMemberInput,
    EndMembershipInput,
    EnterTeamsInput,
    FixturePlanDocument,
    FixturesInput,
    FixturesPreviewInput,
    LineUpDeadlineDocument,
    LineUpDeadlineInput,
    TeamLinkDocument,
    TeamMembersDocument,
    TransferInput,
    fixture_plan,
    line_up_deadline,
    team_members,
)
from league.api.seasons.teams_views import TeamsView
from league.api.writing import Checked, describe_write
from league.models import Entrant, Player, TableSession, TeamMember
from league.platform.errors import refuse
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor
from league.selectors.access.readers import Reader
from league.selectors.seasons.pasted_fixtures import planned_fixtures
from league.services.competitions.wizard import Newcomer
from league.services.seasons.fixtures import add_fixtures
from league.services.seasons.line_ups import set_line_up_deadline
from league.services.seasons.team_links import end_team_links, make_team_link
from league.services.seasons.team_statements import confirm_both_sexes
from league.services.seasons.teams import NewTeam, add_member, end_membership, enter_teams, make_captain, transfer
from league.web.documents import Document


class TeamChangeView(CompetitionWriteView):
    """Base of the changes of teams; each returns all memberships that hold."""

    def write(self, reader: Reader) -> Document:
        """Return the memberships."""
        return team_members(reader.competition)

    def person(self, values: Checked, pointer: str = "") -> Player | Newcomer:
        """Return a known player, or a new person by name."""
        if values.get("player"):
            return player_of(values["player"], f"{pointer}/player")
        if not values.get("name", "").strip():
            message = _("Name a known player by id, or give the name of a new person.")
            raise refuse("name_needed", message, f"{pointer}/name")
        return Newcomer(name=values["name"], name_kana=values["kana"], name_romaji=values["romaji"])

    def membership(self) -> TeamMember:
        """Return the membership of the path. Raise Http404 for an unknown id."""
        rows = TeamMember.objects.select_related("entrant__competition", "entrant__player", "player")
        found: TeamMember = get_object_or_404(rows, entrant__competition=self.competition, pk=self.kwargs["pk"])
        return found

    def team_of_path(self) -> Entrant:
        """Return the team whose key is in the path. Raise Http404 for an unknown one."""
        rows = Entrant.objects.filter(competition=self.competition, player__is_team=True)
        return get_object_or_404(rows.select_related("player", "competition"), player__key=self.kwargs["key"])


@describe_write("enter_teams", EnterTeamsInput, TeamMembersDocument)
class EnterTeamsView(TeamsView, TeamChangeView):
    """List the teams with their members by date, and their totals. A POST enters teams with their members."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    http_method_names = ["get", "head", "post", "options"]
    creates = True
    input_class = EnterTeamsInput

    def open(self, **path: object) -> None:
        """Find the competition. Raise Http404 for one of players."""
        TeamsView.open(self, **path)

    def etag(self) -> str:
        """Return an ETag made of the published version."""
        return TeamsView.etag(self)

    def change(self, values: Checked, by: Actor) -> TeamMembersDocument:
        """Enter the teams."""
        teams = [self.new_team(each, f"/teams/{index}") for index, each in enumerate(values["teams"])]
        enter_teams(competition=self.competition, teams=teams, by=by, accept=values["accept"])
        return team_members(self.competition)

    def new_team(self, values: Checked, pointer: str) -> NewTeam:
        """Return a team to be entered."""
        people = enumerate(values["members"])
        return NewTeam(
            name=values["name"],
            name_kana=values["kana"],
            name_romaji=values["romaji"],
            short_name=values["short_name"],
            mark_glyph=values["mark_glyph"],
            mark_colour=values["mark_colour"],
            known=player_of(values["known"], f"{pointer}/known") if "known" in values else None,
            members=tuple(self.person(each, f"{pointer}/members/{index}") for index, each in people),
            has_captain=values["has_captain"],
        )


@describe_get("list_memberships", TeamMembersDocument, refusals=(403,))
@describe_write("add_member", AddMemberInput, TeamMembersDocument, match=True)
class MembershipsView(TeamChangeView):
    """List the memberships as the organizers keep them. A POST lets a person play for a team."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    input_class = AddMemberInput

    def change(self, values: Checked, by: Actor) -> Document:
        """Add the member."""
        add_member(
            entrant=self.entrant(values["team"], "/team"),
            player=self.person(values),
            since=values.get("since"),
            until=values.get("until"),
            reason=values["reason"],
            by=by,
        )
        return self.write(self.reader)


@describe_write("end_membership", EndMembershipInput, TeamMembersDocument, match=True)
class EndMembershipView(TeamChangeView):
    """Let a membership end on a day, or take it back as an error, with the reason."""

    input_class = EndMembershipInput

    def change(self, values: Checked, by: Actor) -> Document:
        """End the membership."""
        end_membership(member=self.membership(), until=values["until"], by=by, reason=values["reason"])
        return self.write(self.reader)


@describe_write("transfer_member", TransferInput, TeamMembersDocument, match=True)
class TransferView(TeamChangeView):
    """Move a member to another team from a day on, with the reason."""

    input_class = TransferInput

    def change(self, values: Checked, by: Actor) -> Document:
        """Move the member."""
        transfer(
            member=self.membership(),
            to=self.entrant(values["to"], "/to"),
            since=values["since"],
            by=by,
            reason=values["reason"],
        )
        return self.write(self.reader)


@describe_write("make_captain", NothingInput, TeamMembersDocument, match=True)
class CaptainView(TeamChangeView):
    """Make a member the team's captain, in place of the present one."""

    def change(self, values: Checked, by: Actor) -> Document:
        """Make the member captain."""
        make_captain(member=self.membership(), by=by)
        return self.write(self.reader)


@describe_write("make_team_link", NothingInput, TeamLinkDocument)
@describe_write("end_team_links", None, None, method="delete")
class TeamLinksView(TeamChangeView):
    """Make a link under which a team names its line-ups; one made before ends. A DELETE ends it without another."""

    http_method_names = ["post", "delete", "options"]
    creates = True
    returns_secret = True

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """End the team's link."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> Document | None:
        """Make the link, or end it."""
        team = self.team_of_path()
        if self.request.method == "DELETE":
            end_team_links(entrant=team, by=by)
            return None
        made = make_team_link(entrant=team, by=by)
        return TeamLinkDocument(
            url=absolute_url("pages:team-link", self.competition.slug, made.token, request=self.request)
        )


@describe_write("confirm_both_sexes", NothingInput, TeamMembersDocument)
class BothSexesView(TeamChangeView):
    """State that women and men are among a team's members, where the format asks for it; nothing else is kept."""

    def change(self, values: Checked, by: Actor) -> Document:
        """Record the statement."""
        confirm_both_sexes(entrant=self.team_of_path(), by=by)
        return self.write(self.reader)


class PastedFixturesView(TeamChangeView):
    """Base of pasted fixtures of a block."""

    def change(self, values: Checked, by: Actor) -> Document:
        """Schedule the fixtures."""
        rows = add_fixtures(block=self.block_of_path(), text=values["text"], digest=values["digest"], by=by)
        return AddedFixturesDocument(table_sessions=[str(row.pk) for row in rows])


@describe_write("add_fixtures", FixturesInput, AddedFixturesDocument)
class AddFixturesView(PastedFixturesView):
    """Schedule pasted fixtures of a block as they were previewed."""

    creates = True
    input_class = FixturesInput


@describe_write("preview_add_fixtures", FixturesPreviewInput, FixturePlanDocument)
class FixturesPreviewView(PastedFixturesView):
    """Return pasted fixtures as they would be scheduled, with every fault. Nothing is written."""

    is_preview = True
    input_class = FixturesPreviewInput

    def change(self, values: Checked, by: Actor) -> Document:
        """Return the plan."""
        return fixture_plan(planned_fixtures(self.block_of_path(), values["text"]), self.competition)


@describe_write("set_line_up_deadline", LineUpDeadlineInput, LineUpDeadlineDocument, method="put", match=True)
class LineUpDeadlineView(CompetitionWriteView):
    """Set the deadline of the line-ups of a table, and whether they are secret until then."""

    http_method_names = ["put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Set the deadline."""
        self.find(slug=self.kwargs["slug"])
        if not self.reader.may_know(self.table()):
            raise Http404
        return self.make_change(LineUpDeadlineInput)

    def table(self) -> TableSession:
        """Return the table of the path. Raise Http404 for an unknown id."""
        rows = TableSession.objects.select_related("competition", "session")
        return get_object_or_404(rows, competition=self.competition, pk=self.kwargs["pk"])

    def write(self, reader: Reader) -> Document:
        """Return the deadline."""
        return line_up_deadline(self.table())

    def change(self, values: Checked, by: Actor) -> Document:
        """Set the deadline."""
        set_line_up_deadline(table=self.table(), due_at=values["due_at"], are_secret=values["are_secret"], by=by)
        return self.write(self.reader)
