"""The actor behind a request, and its permissions: roles, token grants and table links decide what it may do.

Every service takes an `Actor` and calls `require` before it writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import Competition, Door, Membership, Role, TableLink, TableSession, TeamLink, TokenGrant
from league.platform.errors import forbid
from league.wording.names import title_of


class Capability(StrEnum):
    """A permission that a user can have within one competition."""

    READ = "read"
    """See results that are held back from the public."""
    SUBMIT = "submit"
    """Submit a result."""
    CONFIRM = "confirm"
    """Confirm a submitted result, so that it counts."""
    CORRECT = "correct"
    """Replace or void a result that counts."""
    RULE = "rule"
    """Give rulings where the rules leave a decision open."""
    LINE_UP = "line_up"
    """Name the members who sit for a team: a captain for one team, a director for all."""
    MANAGE = "manage"
    """Set up the competition: rules, entrants, schedule."""


LINK_CAPABILITIES: dict[str, frozenset[Capability]] = {
    TableLink.Kind.SCORER: frozenset({Capability.SUBMIT}),
    TableLink.Kind.PLAYER: frozenset(),
}
"""Capabilities that a table's link gives, by the kind of link, at that table alone."""

ROLE_CAPABILITIES: dict[str, frozenset[Capability]] = {
    Role.READER: frozenset({Capability.READ}),
    Role.REFEREE: frozenset({Capability.READ, Capability.RULE}),
    Role.SCORER: frozenset({Capability.READ, Capability.SUBMIT, Capability.CONFIRM}),
    Role.CAPTAIN: frozenset({Capability.LINE_UP}),
    Role.DIRECTOR: frozenset(Capability),
}

GRANT_ATTRIBUTE = "token_grant"
"""The attribute with which a token's grant travels on the user object into every service."""

AnyUser = User | AnonymousUser | AbstractBaseUser | None


@dataclass(frozen=True, slots=True)
class Actor:
    """A user with the entry point used (`door`), or the holder of a link; without these, the service itself.

    A user authenticated by a restricted token carries its grant (`grant_of`), and every check below respects it.
    """

    user: User | None
    door: Door
    credential: str = ""
    request_id: str = ""
    link: TableLink | None = None
    team_link: TeamLink | None = None

    @property
    def is_system(self) -> bool:
        """True for the service itself: a command, an import or a task."""
        return self.user is None and self.link is None and self.team_link is None

    @classmethod
    def system(cls, door: Door = Door.COMMAND) -> Actor:
        """Return the actor that stands for the service itself, for commands, imports and tasks."""
        return cls(user=None, door=door)


def restrict_to_grant(user: User, grant: TokenGrant) -> None:
    """Restrict this user object to the permissions of its token's grant."""
    setattr(user, GRANT_ATTRIBUTE, grant)


def restrict_to_scopes(user: User, competition: Competition, scopes: Sequence[str] | None) -> None:
    """Restrict this user object as a token's grant did when work was begun; None restricts nothing."""
    if scopes is not None:
        restrict_to_grant(user, TokenGrant(competition=competition, scopes=list(scopes)))


def grant_of(user: AnyUser) -> TokenGrant | None:
    """Return the grant of the restricted token that authenticated the user.

    None for a user with a session, or with a token that has the same permissions as its user.
    """
    return getattr(user, GRANT_ATTRIBUTE, None)


def is_master(user: AnyUser) -> bool:
    """Return True for an active superuser without a token's grant."""
    return isinstance(user, User) and user.is_active and user.is_superuser and grant_of(user) is None


def has_right(user: AnyUser, right: str) -> bool:
    """Return True if the user has a service-wide permission such as `league.add_competition`.

    A restricted token has none.
    """
    return isinstance(user, User) and grant_of(user) is None and user.has_perm(right)


def capabilities(user: AnyUser, competition: Competition) -> frozenset[Capability]:
    """Return the user's capabilities in the competition; the empty set for anonymous and inactive users."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    granted = granted_in(grant_of(user), competition.pk)
    # A superuser's token is limited as well: `granted` is all capabilities only without a grant.
    if user.is_superuser or not granted:
        return granted
    own = Membership.objects.filter(competition=competition, user=user).order_by("pk")
    role = own.values_list("role", flat=True).first()
    return ROLE_CAPABILITIES[role] & granted if role else frozenset()


def granted_in(grant: TokenGrant | None, competition_id: int) -> frozenset[Capability]:
    """Return the capabilities that a token's grant allows in a competition; all of them if there is no grant."""
    if grant is None:
        return frozenset(Capability)
    if grant.competition_id not in (None, competition_id):
        return frozenset()
    return frozenset(Capability(scope) for scope in grant.scopes)


def competitions_where(user: AnyUser, capability: Capability) -> QuerySet[Competition]:
    """Return the competitions in which the user has this capability."""
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
    roles = [role for role, can in ROLE_CAPABILITIES.items() if capability in can]
    return rows.filter(pk__in=Membership.objects.filter(user_id=user.pk, role__in=roles).values("competition"))


def link_capabilities(link: TableLink | None, table: TableSession | None) -> frozenset[Capability]:
    """Return the capabilities of a link at a table: none at any other table, none once the link has ended."""
    if link is None or table is None or link.table_session_id != table.pk:
        return frozenset()
    # Read again from the database: the link may have ended after the request loaded it.
    is_alive = TableLink.objects.filter(pk=link.pk, ended_at=None).exists()
    return LINK_CAPABILITIES[link.kind] if is_alive else frozenset()


def require(
    actor: Actor, competition: Competition, capability: Capability, *, table: TableSession | None = None
) -> None:
    """Raise PermissionRefusedError unless the actor has the capability in the competition, or by link at this table."""
    if actor.is_system or capability in capabilities(actor.user, competition):
        return
    if capability in link_capabilities(actor.link, table):
        return
    message = _("You may not do this in “%(competition)s”. Ask its director for the right to: %(capability)s.") % {
        "competition": title_of(competition),
        "capability": capability_name(capability),
    }
    raise forbid(message, capability=capability.value)


def capability_name(capability: Capability) -> str:
    """Return the name of the capability in the active language."""
    return {
        Capability.READ: _("read what is held back"),
        Capability.SUBMIT: _("hand in results"),
        Capability.CONFIRM: _("confirm results"),
        Capability.CORRECT: _("correct confirmed results"),
        Capability.RULE: _("give rulings"),
        Capability.LINE_UP: _("name line-ups"),
        Capability.MANAGE: _("manage the competition"),
    }[capability]
