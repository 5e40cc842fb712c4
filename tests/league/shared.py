"""Load rows again that a module's tests share, without what another test has left on the instance."""

from __future__ import annotations

from copy import copy
from typing import Protocol, TypeVar

from django.db.models import Model

from league.models import Competition


class Played(Protocol):
    """A competition that has been played to some point."""

    competition: Competition


R = TypeVar("R", bound=Model)
P = TypeVar("P", bound=Played)


def fresh(row: R) -> R:
    """Return a new instance of a row."""
    return type(row)._default_manager.get(pk=row.pk)


def fresh_season(played: P) -> P:
    """Return a copy of a played season with a new instance of its competition."""
    again = copy(played)
    again.competition = fresh(played.competition)
    return again
