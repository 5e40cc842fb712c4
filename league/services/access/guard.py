"""What every service does with what it is handed: nothing that no column holds gets in, and all is written or nothing.

The one idea: nobody lists fields. `all_or_nothing` walks through whatever a service was called with, and refuses
texts, numbers and moments that one of the two databases would stumble over, by the place where they stand;
`refuse_too_long` holds words against the columns of the same names that they are meant for, `refuse_strangers` rows
against the competition they are named in.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from math import isfinite
from typing import Any, ParamSpec, TypeVar

from django.db import models, transaction
from django.utils.translation import gettext as _

from league.models import Block, Competition, Entrant
from league.platform.errors import Finding, RuleViolationError, refuse
from league.platform.storable import is_storable, values_inside

LARGEST_NUMBER = 2**31 - 1
"""The columns of points, counts and numbers are this wide, on PostgreSQL and hence everywhere."""
YEARS = range(1900, 9000)
"""Beyond them a moment may have no other in another time zone, or some days later."""

P = ParamSpec("P")
R = TypeVar("R")


def all_or_nothing(service: Callable[P, R]) -> Callable[P, R]:
    """A service that writes all or nothing, and is not even asked with what cannot be kept."""

    @wraps(service)
    def guarded(*args: P.args, **given: P.kwargs) -> R:
        refuse_unkept(given)
        with transaction.atomic():
            return service(*args, **given)

    return guarded


def refuse_unkept(given: Mapping[str, Any]) -> None:
    """Refuse texts, numbers and moments that cannot be kept, all of them at once.

    Places are named as services name them: by the argument, or by the field where the argument is a plan or an entry.
    """
    found: list[Finding] = []
    for name, value in given.items():
        found += _unkept(value, "" if is_dataclass(value) else f"/{name}")
    if found:
        raise RuleViolationError(*found)


def _unkept(value: Any, pointer: str) -> Iterator[Finding]:
    """Yield what no column holds, in this value or inside it; rows and parsed files were checked where they came in."""
    for place, inner in values_inside(value):
        if isinstance(inner, str) and not is_storable(inner):
            message = _("A text in it has characters that cannot be kept. Take them out.")
            yield Finding("unstorable_text", message, pointer + place)
        elif (isinstance(inner, int) and abs(inner) > LARGEST_NUMBER) or (
            isinstance(inner, float) and not isfinite(inner)
        ):
            yield Finding("number_too_large", _("A number in it is larger than any that is kept."), pointer + place)
        elif isinstance(inner, dt.date) and inner.year not in YEARS:
            message = _("A date in it is out of reach. Check the year.")
            yield Finding("date_out_of_reach", message, pointer + place)


def refuse_too_long(model: type[models.Model], words: Any) -> None:
    """Refuse words, by name or in a plan, that are longer than the columns of these names."""
    by_name = words if isinstance(words, Mapping) else {each.name: getattr(words, each.name) for each in fields(words)}
    columns = {column.name: column.max_length for column in model._meta.concrete_fields if column.max_length}
    found = [
        Finding("too_long", _("At most %(most)s characters.") % {"most": columns[name]}, f"/{name}")
        for name, text in by_name.items()
        if name in columns and isinstance(text, str) and len(text.strip()) > columns[name]
    ]
    if found:
        raise RuleViolationError(*found)


def refuse_strangers(competition: Competition, *rows: Block | Entrant | None) -> None:
    """What is written down together is of one competition; forms offer nothing else, programs may mistake an id."""
    if any(row is not None and row.competition_id != competition.pk for row in rows):
        raise refuse(
            "of_another_competition", _("A block or a player named here is of another competition. Check the ids.")
        )
