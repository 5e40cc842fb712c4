"""Guards for every service: reject values that no column can store, and run in one transaction.

No service lists its fields for this. `all_or_nothing` walks through all arguments of a service and rejects texts,
numbers and dates that one of the two databases cannot store, each by its JSON pointer; `refuse_too_long` checks
texts against the columns of the same names, `refuse_strangers` checks rows against the competition they are used
in.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from math import isfinite
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from django.db import models, transaction
from django.utils.translation import gettext as _

from league.models import Block, Competition, Entrant
from league.platform.errors import Finding, RuleViolationError, refuse
from league.platform.storable import YEARS, is_storable, values_inside

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LARGEST_NUMBER = 2**31 - 1
"""The largest value of a 32-bit column on PostgreSQL; enforced on every database, so that both behave alike."""

P = ParamSpec("P")
R = TypeVar("R")


def all_or_nothing(service: Callable[P, R]) -> Callable[P, R]:
    """Run a service in one transaction; reject unstorable arguments first."""

    @wraps(service)
    def guarded(*args: P.args, **given: P.kwargs) -> R:
        # Before the transaction: on PostgreSQL a rejected value would abort it with an error that names no field.
        refuse_unkept(given)
        with transaction.atomic():
            return service(*args, **given)

    return guarded


def refuse_unkept(given: Mapping[str, object]) -> None:
    """Raise RuleViolationError for texts, numbers and dates that cannot be stored, all of them at once.

    Pointers start with the argument's name, or with the field where the argument is a plan or an entry (a
    dataclass).
    """
    found: list[Finding] = []
    for name, value in given.items():
        found += _unkept(value, "" if is_dataclass(value) else f"/{name}")
    if found:
        raise RuleViolationError(*found)


def _unkept(value: object, pointer: str) -> Iterator[Finding]:
    """Yield a finding for each unstorable value inside `value`.

    Rows and parsed files are skipped: they were checked where they came in.
    """
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


def refuse_too_long(model: type[models.Model], words: Mapping[str, object] | DataclassInstance) -> None:
    """Raise for texts, in a mapping or a dataclass, that are longer than the model's columns of the same names."""
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
    """Raise unless all rows belong to the competition; forms offer no others, but API clients may send a wrong id."""
    if any(row is not None and row.competition_id != competition.pk for row in rows):
        raise refuse(
            "of_another_competition", _("A block or a player named here is of another competition. Check the ids.")
        )
