"""Permissions to manage players, who are shared by all competitions."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Competition
from league.platform.errors import forbid
from league.selectors.access.actors import Actor, AnyUser, Capability, competitions_where, has_right, is_master


def may_look_after_people(user: AnyUser) -> bool:
    """Return True for users who direct a competition, may create one, or may change players everywhere."""
    return (
        is_master(user)
        or competitions_where(user, Capability.MANAGE).exists()
        or has_right(user, "league.add_competition")
        or has_right(user, "league.change_player")
    )


def may_add_people(user: AnyUser) -> bool:
    """Return True for users who manage players, and for those who enter games at an open table's counter.

    A new guest at the counter cannot wait for a director.
    """
    at_counters = competitions_where(user, Capability.SUBMIT).filter(kind=Competition.Kind.OPEN)
    return may_look_after_people(user) or at_counters.exists()


def refuse_strangers(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may manage players."""
    if not (by.is_system or may_look_after_people(by.user)):
        raise forbid(_("Only the director of a competition may change what is known of players."))


def refuse_adding(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may manage players or work at a counter."""
    if not (by.is_system or may_add_people(by.user)):
        raise forbid(_("Only directors, and scorers at an open table, may add players."))
