"""Who acts, through which door, and whether they may."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.utils.translation import gettext as _

from league.models import Competition, Door, Membership, Role, TableLink, TableSession
from league.services.errors import Finding, PermissionRefusedError


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


@dataclass(frozen=True, slots=True)
class Actor:
    """A user at a door, or whoever holds a table's link. With neither it is the service itself."""

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


def capabilities(
    user: User | AnonymousUser | AbstractBaseUser | None, competition: Competition
) -> frozenset[Capability]:
    """What the user may do in the competition; nothing for anonymous visitors."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return frozenset(Capability)
    role = Membership.objects.filter(competition=competition, user=user).values_list("role", flat=True).first()
    return CAN[role] if role else frozenset()


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
