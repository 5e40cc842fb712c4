"""Views of the staff of a competition: members with their roles, and invitations by e-mail."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.access.staff_documents import (
    InvitationInput,
    MadeInvitation,
    RoleInput,
    StaffDocument,
    StaffInput,
    invitation_document,
    staff_document,
)
from league.api.competitions.writes import CompetitionWriteView
from league.api.fields import NothingInput
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import Entrant, Invitation, Membership, Role
from league.platform.errors import refuse
from league.platform.site_url import site_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.access.readers import Reader
from league.services.access.invitations import invite, withdraw_invitation
from league.services.access.memberships import add_member, change_role, remove_member
from league.web.documents import Document


class StaffChangeView(CompetitionWriteView):
    """Base of the changes of the staff; each returns the staff after it."""

    reads = Capability.MANAGE

    def write(self, reader: Reader) -> StaffDocument:
        """Return the staff."""
        return staff_document(reader.competition)

    def team(self, values: Checked) -> Entrant | None:
        """Return the team of a captain's role."""
        return self.entrant(values["team"], "/team") if values.get("team") else None

    def member(self) -> Membership:
        """Return the member of the path. Raise Http404 for an unknown id."""
        rows = Membership.objects.select_related("user", "competition", "team")
        return get_object_or_404(rows, competition=self.competition, pk=self.kwargs["pk"])


@describe_get("list_staff", StaffDocument, refusals=(403,))
@describe_write("add_staff", StaffInput, StaffDocument, match=True)
class StaffView(StaffChangeView):
    """List the staff with their roles, and the invitations that wait. A POST gives an account a role."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    input_class = StaffInput

    def change(self, values: Checked, by: Actor) -> Document:
        """Give the role."""
        add_member(
            competition=self.competition,
            user=self.account(values["user"].strip()),
            role=Role(values["role"]),
            team=self.team(values),
            by=by,
        )
        return self.write(self.reader)

    def account(self, said: str) -> User:
        """Return the active account with this user name or, failing that, e-mail address."""
        active = User.objects.filter(is_active=True)
        named = active.filter(username__iexact=said)
        found = list(named[:2] or active.filter(email__iexact=said).exclude(email="")[:2])
        if len(found) != 1:
            raise refuse("unknown_user", _("No account has this name. Invite them by e-mail instead."), "/user")
        return found[0]


@describe_write("change_role", RoleInput, StaffDocument, method="put", match=True)
@describe_write("remove_staff", None, StaffDocument, method="delete", match=True)
class StaffMemberView(StaffChangeView):
    """Change a member's role. A DELETE ends the member's work for the competition."""

    http_method_names = ["put", "delete", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Change the role."""
        return self.make_change(RoleInput)

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Remove the member."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> Document:
        """Change the role, or remove the member."""
        member = self.member()
        if self.request.method == "DELETE":
            remove_member(member=member, by=by)
        else:
            change_role(member=member, role=Role(values["role"]), team=self.team(values), by=by)
        return self.write(self.reader)


@describe_write("invite_staff", InvitationInput, MadeInvitation)
class InvitationsView(StaffChangeView):
    """Invite a person by e-mail; the response shows the address to accept it, which is not stored."""

    creates = True
    returns_secret = True
    input_class = InvitationInput

    def change(self, values: Checked, by: Actor) -> Document:
        """Invite the person."""
        made = invite(
            competition=self.competition,
            email=values["email"],
            role=Role(values["role"]),
            language=values["language"],
            by=by,
            site=site_url(self.request),
            team=self.team(values),
        )
        return MadeInvitation(invitation=invitation_document(made.invitation), url=made.address, is_sent=made.is_sent)


@describe_write("withdraw_invitation", None, StaffDocument, method="delete")
class InvitationView(StaffChangeView):
    """Withdraw an invitation, whose address then works no more; return the staff after it."""

    http_method_names = ["delete", "options"]

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Withdraw the invitation."""
        return self.make_change(NothingInput)

    def change(self, values: Checked, by: Actor) -> Document:
        """Withdraw the invitation."""
        rows = Invitation.objects.select_related("competition").filter(competition=self.competition)
        withdraw_invitation(invitation=get_object_or_404(rows, pk=self.kwargs["pk"]), by=by)
        return self.write(self.reader)
