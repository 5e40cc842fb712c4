"""Pages of a team: its members by date, transfers and captains, its link, and its coming hanchan."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from typing_extensions import override

from league.admin.base import F, LeagueModelAdmin, ObjectLink, ServiceView, actor_of, may, page_of
from league.admin.lists import RelatedFilter
from league.forms.seasons.teams import EndMemberForm, MemberForm, TransferForm
from league.forms.service import ServiceForm
from league.models import Entrant, LineUp, TeamMember
from league.platform.errors import ServiceError
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability, competitions_where
from league.selectors.seasons.line_ups import games_of_team, lines_of_team
from league.selectors.seasons.team_statements import both_sexes_of
from league.selectors.seasons.teams import members_of
from league.services.seasons.team_links import end_team_links, live_team_links, make_team_link
from league.services.seasons.team_statements import confirm_both_sexes
from league.services.seasons.teams import add_member, end_membership, make_captain, transfer
from league.wording.names import person_name


class TeamView(ServiceView[Entrant, ServiceForm]):
    """Show a team: members, link, coming hanchan; make and end its link, and confirm that women and men are in it."""

    title = gettext_lazy("Team")

    def find(self, request: HttpRequest) -> Entrant:
        """Return the team; raise Http404 for an entrant who is a player."""
        row = super().find(request)
        if not row.player.is_team:
            raise Http404
        return row

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the team."""
        return self.page()

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Make a link and show it once, or end the links that work."""
        by, action = actor_of(request), request.POST.get("action", "")
        try:
            if action == "link":
                made = make_team_link(entrant=self.row, by=by)
                address = absolute_url("pages:team-link", self.row.competition.slug, made.token, request=request)
                return self.page(address)
            if action == "end-link":
                end_team_links(entrant=self.row, by=by)
                messages.success(request, _("The link has ended."))
            if action == "both-sexes":
                confirm_both_sexes(entrant=self.row, by=by)
                messages.success(request, _("Confirmed for the present members."))
        except ServiceError as error:
            for finding in error.findings:
                messages.error(request, finding.message)
        return HttpResponseRedirect(page_of(self.row, "team"))

    def page(self, address: str = "") -> HttpResponse:
        """Render the page, with the address of a link that was just made."""
        games = games_of_team(self.row)
        stages = dict.fromkeys(game.hanchan.block.stage for game in games)
        return self.render_page(
            "seasons/team",
            title=_("Team"),
            team=self.row,
            members=members_of(self.row),
            both_sexes=both_sexes_of(self.row),
            games=games,
            lines=[line for stage in stages if (line := lines_of_team(self.row, stage))],
            address=address,
            live=live_team_links(self.row).first(),
        )


class AddMemberView(ServiceView[Entrant, MemberForm]):
    """Add a member to a team."""

    form_class = MemberForm
    title = gettext_lazy("New member")
    explanation = gettext_lazy("Without dates the person is a member for the whole season.")

    @override
    def perform(self, form: MemberForm, by: Actor) -> str:
        member = add_member(entrant=self.row, by=by, **form.cleaned_data)
        return _("%(name)s plays for %(team)s.") % {"name": member.player, "team": self.row}

    @override
    def after(self, form: object) -> str:
        return page_of(self.row, "team")


class OfMemberView(ServiceView[TeamMember, F]):
    """Base of the pages that change a membership."""

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [
            (str(self.competition()), page_of(self.competition())),
            (str(self.row.entrant), page_of(self.row.entrant, "team")),
        ]

    @override
    def after(self, form: object) -> str:
        return page_of(self.row.entrant, "team")


class EndMemberView(OfMemberView[EndMemberForm]):
    """End a membership on a day, or take it back."""

    form_class = EndMemberForm
    title = gettext_lazy("End a membership")

    @override
    def perform(self, form: EndMemberForm, by: Actor) -> str:
        end_membership(member=self.row, until=form.cleaned_data["until"], reason=form.cleaned_data["reason"], by=by)
        return _("Saved.")


class TransferView(OfMemberView[TransferForm]):
    """Move a member to another team."""

    title = gettext_lazy("Transfer")

    @override
    def form(self, data: object = None) -> TransferForm:
        return TransferForm(data, member_of=self.row.entrant)

    @override
    def perform(self, form: TransferForm, by: Actor) -> str:
        row = transfer(member=self.row, by=by, **form.cleaned_data)
        return _("%(name)s plays for %(team)s.") % {"name": row.player, "team": row.entrant}


class CaptainView(OfMemberView[ServiceForm]):
    """Make a member the captain."""

    title = gettext_lazy("Make captain")
    explanation = gettext_lazy("In place of the present captain. An account gets the captain's role on the staff page.")

    @override
    def perform(self, form: object, by: Actor) -> str:
        make_captain(member=self.row, by=by)
        return _("Saved.")


@admin.register(TeamMember)
class TeamMemberAdmin(LeagueModelAdmin[TeamMember]):
    """List the members of teams by date."""

    competition_path = "entrant__competition"
    list_display = ["person", "of_entrant", "since", "until", "is_captain", "holds"]
    list_filter = [("entrant__competition", RelatedFilter)]
    list_select_related = ["player", "entrant__player", "entrant__competition"]
    search_fields = ["player__name", "player__name_romaji", "entrant__player__name"]
    fields = ["person", "of_entrant", "since", "until", "is_captain", "reason", "at", "holds"]
    readonly_fields = ["person", "of_entrant", "holds"]
    ordering = ["entrant", "order", "made_n"]
    views = [("end", EndMemberView), ("transfer", TransferView), ("captain", CaptainView)]

    @admin.display(description=gettext_lazy("member"))
    def person(self, row: TeamMember) -> str:
        """Return the member's name."""
        return person_name(row.player)

    @admin.display(description=gettext_lazy("holds"), boolean=True)
    def holds(self, row: TeamMember) -> bool:
        """Return True if the row has not been replaced or taken back."""
        return row.ended_n is None

    @override
    def links(self, request: HttpRequest, row: TeamMember) -> Iterable[ObjectLink]:
        if row.ended_n is None and may(request, Capability.MANAGE, row.entrant.competition_id):
            yield ObjectLink(_("Team"), page_of(row.entrant, "team"), is_main=True)
            yield ObjectLink(_("Transfer..."), page_of(row, "transfer"))
            yield ObjectLink(_("End..."), page_of(row, "end"))
            if not row.is_captain:
                yield ObjectLink(_("Make captain"), page_of(row, "captain"))


@admin.register(LineUp)
class LineUpAdmin(LeagueModelAdmin[LineUp]):
    """List line-ups, with those that were replaced."""

    competition_path = "entrant__competition"
    list_display = ["person", "of_entrant", "hanchan", "is_secret", "named_by", "holds"]
    list_filter = [("entrant__competition", RelatedFilter), "is_secret"]
    list_select_related = [
        "player",
        "entrant__player",
        "entrant__competition",
        "hanchan__table_session__session",
        "hanchan__table_session__block",
        "named_by",
    ]
    search_fields = ["player__name", "player__name_romaji", "entrant__player__name"]
    fields = ["person", "of_entrant", "hanchan", "is_secret", "named_by", "reason", "at", "holds"]
    readonly_fields = ["person", "of_entrant", "holds"]
    ordering = ["-made_n", "-pk"]

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[LineUp]:
        """Return the rows of the user's own competitions; secret ones only to those who manage the competition."""
        managed = competitions_where(request.user, Capability.MANAGE)
        return super().get_queryset(request).filter(Q(is_secret=False) | Q(entrant__competition__in=managed))

    @admin.display(description=pgettext_lazy("of a team", "member"))
    def person(self, row: LineUp) -> str:
        """Return the member's name."""
        return person_name(row.player)

    @admin.display(description=gettext_lazy("holds"), boolean=True)
    def holds(self, row: LineUp) -> bool:
        """Return True if the line-up has not been replaced or taken back."""
        return row.ended_n is None
