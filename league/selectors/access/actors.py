"""Who acts, through which door, and whether they may."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import Competition, Door, Membership, Role, TableLink, TableSession, TokenGrant
from league.platform.errors import Finding, PermissionRefusedError


class Capability(StrEnum):
    """What somebody may do in a competition."""

    READ = "read"
    """See what is still held back from the public."""
    SUBMIT = "submit"
    """Hand in a result."""
    CONFIRM = "confirm"
    """Make a handed-in result count."""
    CORRECT = "correct"
    """Replace or void a result that counts."""
    RULE = "rule"
    """Decide what the rules leave open."""
    MANAGE = "manage"
    """Set up the competition: rules, entrants, schedule."""


LINKS_CAN: dict[str, frozenset[Capability]] = {
    TableLink.Kind.SCORER: frozenset({Capability.SUBMIT}),
    TableLink.Kind.PLAYER: frozenset(),
}
"""What whoever holds a link to a table may do, at that table alone."""

CAN: dict[str, frozenset[Capability]] = {
    Role.READER: frozenset({Capability.READ}),
    Role.REFEREE: frozenset({Capability.READ, Capability.RULE}),
    Role.SCORER: frozenset({Capability.READ, Capability.SUBMIT, Capability.CONFIRM}),
    Role.DIRECTOR: frozenset(Capability),
}

Somebody = User | AnonymousUser | AbstractBaseUser | None


@dataclass(frozen=True, slots=True)
class Actor:
    """A user at a door, or whoever holds a table's link. With neither it is the service itself.

    A user who came by a token with a grant carries it (`grant_of`): nothing below forgets it.
    """

    user: User | None
    door: Door
    credential: str = ""
    request_id: str = ""
    link: TableLink | None = None

    @property
    def is_system(self) -> bool:
        """The service itself: a command, an import or a task."""
        return self.user is None and self.link is None

    @classmethod
    def system(cls, door: Door = Door.COMMAND) -> Actor:
        """The service itself, for commands, imports and tasks."""
        return cls(user=None, door=door)


def limit(user: User, grant: TokenGrant) -> None:
    """From here on this user may do what the token is for, and no more."""
    user.token_grant = grant  # type: ignore[attr-defined]  # whoever holds the user holds its limits


def grant_of(user: Somebody) -> TokenGrant | None:
    """What the token is for that the user came by; None for a user who came in person."""
    return getattr(user, "token_grant", None)


def is_master(user: Somebody) -> bool:
    """A superuser in person: a token made for less is not one."""
    return isinstance(user, User) and user.is_active and user.is_superuser and grant_of(user) is None


def has_right(user: Somebody, right: str) -> bool:
    """A right for the whole service, such as `league.add_competition`; a token made for less carries none."""
    return isinstance(user, User) and grant_of(user) is None and user.has_perm(right)


def capabilities(user: Somebody, competition: Competition) -> frozenset[Capability]:
    """What the user may do in the competition; nothing for anonymous visitors."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    granted = granted_in(grant_of(user), competition.pk)
    if user.is_superuser or not granted:
        return granted
    own = Membership.objects.filter(competition=competition, user=user).order_by("pk")
    role = own.values_list("role", flat=True).first()
    return CAN[role] & granted if role else frozenset()


def granted_in(grant: TokenGrant | None, competition_id: int) -> frozenset[Capability]:
    """What a token leaves of its user's capabilities in a competition; everything without a grant."""
    if grant is None:
        return frozenset(Capability)
    if grant.competition_id not in (None, competition_id):
        return frozenset()
    return frozenset(Capability(scope) for scope in grant.scopes)


def competitions_where(user: Somebody, capability: Capability) -> QuerySet[Competition]:
    """The competitions in which the user may do this."""
    if not isinstance(user, User) or not user.is_active:
        return Competition.objects.none()
    rows = Competition.objects.all()
    grant = grant_of(user)
    if grant is not None:
        if capability not in granted_in(grant, grant.competition_id or 0):
            return Competition.objects.none()
        rows = rows.filter(pk=grant.competition_id) if grant.competition_id else rows
    if user.is_superuser:
        return rows
    roles = [role for role, can in CAN.items() if capability in can]
    return rows.filter(pk__in=Membership.objects.filter(user_id=user.pk, role__in=roles).values("competition"))


def link_capabilities(link: TableLink | None, table: TableSession | None) -> frozenset[Capability]:
    """What a link allows at a table: nothing at any other, nothing once it has ended."""
    if link is None or table is None or link.table_session_id != table.pk:
        return frozenset()
    is_alive = TableLink.objects.filter(pk=link.pk, ended_at=None).exists()
    return LINKS_CAN[link.kind] if is_alive else frozenset()


def require(
    actor: Actor, competition: Competition, capability: Capability, *, table: TableSession | None = None
) -> None:
    """Refuse unless the actor may do this in the competition, or by a link at this table."""
    if actor.is_system or capability in capabilities(actor.user, competition):
        return
    if capability in link_capabilities(actor.link, table):
        return
    message = _("You may not do this in “%(competition)s”. Ask its director for the right to: %(capability)s.") % {
        "competition": competition.name,
        "capability": capability_name(capability),
    }
    raise PermissionRefusedError(Finding("permission_refused", message, params={"capability": capability.value}))


def capability_name(capability: Capability) -> str:
    """The capability in the reader's language."""
    return {
        Capability.READ: _("read what is held back"),
        Capability.SUBMIT: _("hand in results"),
        Capability.CONFIRM: _("confirm results"),
        Capability.CORRECT: _("correct confirmed results"),
        Capability.RULE: _("give rulings"),
        Capability.MANAGE: _("manage the competition"),
    }[capability]
