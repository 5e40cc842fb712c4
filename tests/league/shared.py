"""Load rows again that a module's tests share, without what another test has left on the instance."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model

R = TypeVar("R", bound=Model)


def fresh(row: R) -> R:
    """Return a new instance of a row."""
    return type(row)._default_manager.get(pk=row.pk)
