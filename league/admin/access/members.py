"""Staff of a competition: members with roles, invitations and API tokens, on one page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from typing_extensions import override

from league.admin.base import LeagueModelAdmin, M, ObjectLink, ServiceView, actor_of, may, own_competitions
from league.admin.lists import RelatedFilter
from league.forms.fields import field_of
from league.forms.seasons.teams import TeamField
from league.forms.service import ServiceForm
from league.models import Competition, Entrant, Invitation, Membership, Role, TokenGrant
from league.platform.errors import ServiceError
from league.platform.site_url import site_url
from league.selectors.access.actors import ROLE_CAPABILITIES, Actor, Capability, capability_name
from league.selectors.seasons.teams import teams_of
from league.services.access.invitations import NewInvitation, invite, waiting, withdraw_invitation
from league.services.access.memberships import add_member, change_role, remove_member
from league.services.access.tokens import revoke_token, tokens_of_competition


class RoleForm(ServiceForm):
    """Base of the forms that give a role: a captain's is for one team, where the competition has teams."""

    def __init__(self, *args: Any, competition: Competition, **options: Any) -> None:
        super().__init__(*args, **options)
        teams = Entrant.objects.filter(competition=competition, player__is_team=True).select_related("player")
        if teams:
            self.fields["team"] = TeamField(
                queryset=teams.order_by("number"), required=False, label=_("Team"), help_text=_("Of a captain.")
            )
        else:
            field_of(self, "role", forms.ChoiceField).choices = [
                choice for choice in Role.choices if choice[0] != Role.CAPTAIN
            ]


class MemberForm(RoleForm):
    """Add a user by full username or e-mail address. No list is offered, so that accounts stay private."""

    user = forms.CharField(label=gettext_lazy("Name to sign in with, or e-mail address"), max_length=254)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.SCORER)

    def clean_user(self) -> User:
        """Return the active account with this username or, failing that, e-mail address."""
        said = self.cleaned_data["user"].strip()
        named = User.objects.filter(is_active=True, username__iexact=said)
        found = list(named or User.objects.filter(is_active=True, email__iexact=said).exclude(email="")[:2])
        if len(found) != 1:
            raise forms.ValidationError(_("No account has this name. Invite them by e-mail instead."))
        return found[0]


class InvitationForm(RoleForm):
    """Invite a person by e-mail."""

    email = forms.EmailField(label=gettext_lazy("E-mail address"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.SCORER)
    language = forms.ChoiceField(
        label=gettext_lazy("Language of the letter"), choices=(("ja", "日本語"), ("en", "English"))
    )


class StaffView(ServiceView[Competition, ServiceForm]):
    """Manage the staff of a competition. Each form on the page calls one service."""

    title = gettext_lazy("Staff")

    def find(self, request: HttpRequest) -> Competition:
        """Return the competition if the user directs it; raise Http404 otherwise."""
        found = own_competitions(request, Capability.MANAGE).filter(pk=self.kwargs["pk"]).first()
        if found is None:
            raise Http404
        return found

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the page."""
        return self.page()

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Run the action named by the button that was pressed."""
        actions: dict[str, Callable[[Actor], HttpResponse]] = {
            "add": self.add,
            "invite": self.invite,
            "role": self.role,
            "remove": self.remove,
            "withdraw": self.withdraw,
            "revoke": self.revoke,
        }
        action = actions.get(request.POST.get("action", ""))
        if action is None:
            raise Http404
        try:
            return action(actor_of(request))
        except ServiceError as error:
            for finding in error.findings:
                messages.error(request, finding.message)
            return self.page(status=422)

    def add(self, by: Actor) -> HttpResponse:
        """Add an existing user as a member."""
        form = MemberForm(self.request.POST, competition=self.row)
        if not form.is_valid():
            return self.page(member=form, status=422)
        user, role = form.cleaned_data["user"], Role(form.cleaned_data["role"])
        try:
            add_member(competition=self.row, user=user, role=role, team=form.cleaned_data.get("team"), by=by)
        except ServiceError as error:
            form.take(error)
            return self.page(member=form, status=422)
        return self.done(_("%(user)s works here now: %(role)s.") % {"user": user.get_username(), "role": role.label})

    def invite(self, by: Actor) -> HttpResponse:
        """Send an invitation. The response shows its link, which is not stored."""
        form = InvitationForm(self.request.POST, competition=self.row)
        if not form.is_valid():
            return self.page(invitation=form, status=422)
        typed = {**form.cleaned_data, "role": Role(form.cleaned_data["role"])}
        try:
            made = invite(competition=self.row, by=by, site=site_url(self.request), **typed)
        except ServiceError as error:
            form.take(error)
            return self.page(invitation=form, status=422)
        return self.page(made=made)

    def role(self, by: Actor) -> HttpResponse:
        """Change a member's role."""
        member = self.posted_row(self.members(), "member")
        wanted = self.request.POST.get("role", "")
        if wanted not in Role.values:
            raise Http404
        teams = teams_of(self.row) if wanted == Role.CAPTAIN else ()
        posted = self.request.POST.get("team", "")
        team = next((one for one in teams if str(one.pk) == posted), None)
        change_role(member=member, role=Role(wanted), team=team, by=by)
        return self.done(_("%(user)s: %(role)s.") % {"user": member.user.get_username(), "role": Role(wanted).label})

    def remove(self, by: Actor) -> HttpResponse:
        """Remove a member."""
        member = self.posted_row(self.members(), "member")
        remove_member(member=member, by=by)
        return self.done(_("%(user)s works here no more.") % {"user": member.user.get_username()})

    def withdraw(self, by: Actor) -> HttpResponse:
        """Withdraw an invitation, whose link then stops working."""
        withdraw_invitation(invitation=self.posted_row(waiting(self.row), "invitation"), by=by)
        return self.done(_("The invitation has been withdrawn."))

    def revoke(self, by: Actor) -> HttpResponse:
        """Revoke a token made for this competition."""
        revoke_token(row=self.posted_row(tokens_of_competition(self.row), "token").token, by=by)
        return self.done(_("The token has been revoked."))

    def posted_row(self, rows: QuerySet[M], name: str) -> M:
        """Return the row whose id the form posted under this name; raise Http404 if it is not among the rows."""
        pk = self.request.POST.get(name, "")
        found = rows.filter(pk=int(pk)).first() if pk.isdecimal() else None
        if found is None:
            raise Http404
        return found

    def done(self, said: str) -> HttpResponse:
        """Show a message and redirect to the page; to the start page if the user is no longer a director here."""
        messages.success(self.request, said)
        # The roles were cached before this change, which may have removed the user's own.
        self.request.__dict__.pop("roles_by_competition", None)
        is_still = may(self.request, Capability.MANAGE, self.row.pk)
        return HttpResponseRedirect(staff_page(self.row) if is_still else reverse("admin:index"))

    def members(self) -> QuerySet[Membership]:
        """Return the members of the competition, directors first."""
        return (
            Membership.objects.filter(competition=self.row)
            .select_related("user", "competition", "team__player")
            .order_by("role", "user__username")
        )

    def page(
        self,
        *,
        member: MemberForm | None = None,
        invitation: InvitationForm | None = None,
        made: NewInvitation | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """Render the page; forms with errors replace the empty ones."""
        now = timezone.now()
        return self.render_page(
            "staff",
            status,
            members=self.members(),
            roles=[
                (role, _(", ").join(capability_name(each) for each in Capability if each in ROLE_CAPABILITIES[role]))
                for role in Role
            ],
            teams=teams_of(self.row),
            member_form=member or MemberForm(auto_id="member_%s", competition=self.row),
            invitation_form=invitation
            or InvitationForm(
                auto_id="invitation_%s", initial={"language": translation.get_language()}, competition=self.row
            ),
            made=made,
            waiting=waiting(self.row),
            tokens=[(grant, scopes_text(grant), is_over(grant, now)) for grant in tokens_of_competition(self.row)],
        )


def scopes_text(grant: TokenGrant) -> str:
    """Return the capabilities of a token in words."""
    return _(", ").join(capability_name(Capability(scope)) for scope in grant.scopes)


def is_over(grant: TokenGrant, now: object) -> bool:
    """Return True if the token has expired."""
    return grant.token.expiry is not None and grant.token.expiry < now


def staff_page(competition: Competition) -> str:
    """Return the address of a competition's staff page."""
    return reverse("admin:league_membership_staff", args=[competition.pk])


class OfStaff(LeagueModelAdmin[M]):
    """Base of lists over all competitions the user directs. Changes are made on the competition's staff page."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return rows of the competitions the user directs."""
        return super().get_queryset(request).filter(competition__in=own_competitions(request, Capability.MANAGE))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return True for directors."""
        return may(request, Capability.MANAGE)

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Return True for directors of the row's competition."""
        return may(request, Capability.MANAGE, self.competition_id(obj) if obj else None)

    @override
    def links(self, request: HttpRequest, row: M) -> Iterable[ObjectLink]:
        if competition := self.competition_of(row):
            yield ObjectLink(_("Staff of the competition"), staff_page(competition), is_main=True)


@admin.register(Membership)
class MembershipAdmin(OfStaff[Membership]):
    """List members with their roles."""

    list_display = ["user", "competition", "role"]
    list_filter = ["role", ("competition", RelatedFilter)]
    list_select_related = ["user", "competition"]
    search_fields = ["user__username", "user__last_name"]
    other_views = [("of/<int:pk>/", "staff", StaffView)]


@admin.register(Invitation)
class InvitationAdmin(OfStaff[Invitation]):
    """List invitations. Their links are shown once and not stored."""

    list_display = ["email", "competition", "role", "made_at", "expires_at", "accepted_at", "taken_back_at"]
    list_filter = ["role", ("competition", RelatedFilter)]
    list_select_related = ["competition"]
    search_fields = ["email"]
    fields = [
        "competition",
        "email",
        "role",
        "language",
        "made_by",
        "made_at",
        "expires_at",
        "accepted_at",
        "taken_back_at",
    ]
    readonly_fields = ["taken_back_at"]
    ordering = ["-made_at"]

    def name_of(self, row: Invitation) -> str:
        """Return the address that was invited."""
        return row.email

    @admin.display(description=pgettext_lazy("invitation", "withdrawn at"), ordering="withdrawn_at")
    def taken_back_at(self, row: Invitation) -> dt.datetime | None:
        """Return the time when the invitation was withdrawn."""
        return row.withdrawn_at


@admin.register(TokenGrant)
class TokenGrantAdmin(OfStaff[TokenGrant]):
    """List API tokens that are limited to one competition."""

    list_display = ["label", "competition", "maker", "may_do", "expires_at", "used_at"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition", "token__user"]
    search_fields = ["label", "token__user__username"]
    fields = ["label", "competition", "maker", "may_do", "expires_at", "used_at"]
    readonly_fields = ["maker", "may_do", "expires_at"]

    @admin.display(description=gettext_lazy("made by"))
    def maker(self, row: TokenGrant) -> str:
        """Return the user whose rights the token carries."""
        return str(row.token.user)

    @admin.display(description=gettext_lazy("allowed to"))
    def may_do(self, row: TokenGrant) -> str:
        """Return the token's capabilities in words."""
        return scopes_text(row)

    @admin.display(description=gettext_lazy("good until"), ordering="token__expiry")
    def expires_at(self, row: TokenGrant) -> object:
        """Return the time when the token expires."""
        return row.token.expiry
