"""Documents and request bodies of the staff of a competition: members with their roles, and invitations."""

from __future__ import annotations

from pydantic import Field
from rest_framework import serializers

from league.api.fields import IdField, StrictSerializer
from league.models import Competition, Invitation, Membership, Role
from league.services.access.invitations import waiting
from league.web.document_parts import moment, ref
from league.web.documents import Document, Moment, Ref


class StaffMember(Document):
    """A user who works for the competition."""

    id: Ref = Field(description="The id of the role.")
    user: str = Field(description="The user name.")
    role: Role = Field(description="The role.")
    team: Ref | None = Field(description="The entrant id of a captain's team; null for other roles.")


class InvitationDocument(Document):
    """An invitation that waits to be accepted."""

    id: Ref = Field(description="The invitation's id.")
    email: str = Field(description="The address it was sent to.")
    role: Role = Field(description="The role it gives.")
    team: Ref | None = Field(description="The entrant id of a captain's team; null for other roles.")
    expires_at: Moment = Field(description="The moment from which it is worthless.")


class StaffDocument(Document):
    """The staff of a competition."""

    members: list[StaffMember] = Field(description="The members by user name.")
    invitations: list[InvitationDocument] = Field(description="The invitations that wait, newest first.")


class MadeInvitation(Document):
    """An invitation that was made. Its address is shown once."""

    invitation: InvitationDocument
    url: str = Field(description="The address to accept it, which works once.")
    is_sent: bool = Field(description="A letter with it was sent.")


class RoleInput(StrictSerializer):
    """A role; a captain's is for one team."""

    role = serializers.ChoiceField(Role.choices, help_text="The role.")
    team = IdField(required=False, help_text="The entrant id of a captain's team.")


class StaffInput(RoleInput):
    """A user who shall work for the competition."""

    user = serializers.CharField(max_length=254, help_text="The user name, or the e-mail address of an account.")


class InvitationInput(RoleInput):
    """A person to be invited by e-mail."""

    email = serializers.EmailField(max_length=254, help_text="The e-mail address.")
    language = serializers.ChoiceField(["ja", "en"], default="ja", help_text="The language of the letter.")


def staff_member(row: Membership) -> StaffMember:
    """Return a member of the staff."""
    return StaffMember(id=str(row.pk), user=row.user.get_username(), role=Role(row.role), team=ref(row.team_id))


def invitation_document(row: Invitation) -> InvitationDocument:
    """Return an invitation without its address, of which only the digest is kept."""
    return InvitationDocument(
        id=str(row.pk),
        email=row.email,
        role=Role(row.role),
        team=ref(row.team_id),
        expires_at=moment(row.expires_at, row.competition),
    )


def staff_document(competition: Competition) -> StaffDocument:
    """Return the staff of a competition, and the invitations that wait."""
    rows = Membership.objects.filter(competition=competition).select_related("user").order_by("user__username")
    return StaffDocument(
        members=[staff_member(row) for row in rows],
        invitations=[invitation_document(row) for row in waiting(competition).select_related("competition")],
    )
