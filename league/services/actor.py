"""Who acts, through which door, and whether they may."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.utils.translation import gettext as _

from league.models import Competition, Door, Membership, Role
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


CAN: dict[str, frozenset[Capability]] = {
    Role.READER: frozenset({Capability.READ}),
    Role.REFEREE: frozenset({Capability.READ, Capability.RULE}),
    Role.SCORER: frozenset({Capability.READ, Capability.SUBMIT, Capability.CONFIRM}),
    Role.DIRECTOR: frozenset(Capability),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody at a door. Without a user it is the service itself (a command or a task)."""

    user: User | None
    door: Door
    credential: str = ""
    request_id: str = ""

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


def require(actor: Actor, competition: Competition, capability: Capability) -> None:
    """Refuse unless the actor may do this in the competition."""
    if actor.user is None or capability in capabilities(actor.user, competition):
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
