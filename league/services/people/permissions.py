"""Who looks after people, whom all competitions share."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Competition
from league.platform.errors import Finding, PermissionRefusedError
from league.selectors.access.actors import Actor, Capability, Somebody, competitions_where, has_right, is_master


def may_look_after_people(user: Somebody) -> bool:
    """Whoever directs a competition, may set one up, or may change players everywhere."""
    return (
        is_master(user)
        or competitions_where(user, Capability.MANAGE).exists()
        or has_right(user, "league.add_competition")
        or has_right(user, "league.change_player")
    )


def may_add_people(user: Somebody) -> bool:
    """Whoever looks after them, and at a parlour's counter whoever enters games: a new guest cannot wait."""
    at_counters = competitions_where(user, Capability.SUBMIT).filter(kind=Competition.Kind.OPEN)
    return may_look_after_people(user) or at_counters.exists()


def refuse_strangers(by: Actor) -> None:
    """Refuse to change what is known of people, but for those who look after them."""
    if not (by.is_system or may_look_after_people(by.user)):
        message = _("Only the director of a competition may change what is known of players.")
        raise PermissionRefusedError(Finding("permission_refused", message))


def refuse_adding(by: Actor) -> None:
    """Refuse new people from those who neither look after them nor stand at a counter."""
    if not (by.is_system or may_add_people(by.user)):
        message = _("Only directors, and scorers at an open table, may add players.")
        raise PermissionRefusedError(Finding("permission_refused", message))
