"""Look for values in the database that a column of some database could not hold.

SQLite stores texts of any length and whole numbers of 64 bits in every column, PostgreSQL refuses them. The conditions
need the lookup `length` of texts to be registered.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any

from django.apps import apps
from django.db import connection, models

RANGES = {
    "PositiveSmallIntegerField": (0, 2**15 - 1), "SmallIntegerField": (-(2**15), 2**15 - 1),
    "PositiveIntegerField": (0, 2**31 - 1), "IntegerField": (-(2**31), 2**31 - 1),
    "PositiveBigIntegerField": (0, 2**63 - 1), "BigIntegerField": (-(2**63), 2**63 - 1),
    "BigAutoField": (0, 2**63 - 1), "AutoField": (0, 2**31 - 1),
}  # fmt: skip


def unstorable_columns() -> list[str]:
    """Return the columns that hold values which some database could not store."""
    found = []
    with connection.cursor() as cursor:
        for model, wrong in UNSTORABLE.items():
            cursor.execute(*unstorable_rows(model))
            if cursor.fetchone():
                rows = model._default_manager.order_by()
                found += [f"{model.__name__}.{name}" for name, each in wrong.items() if rows.filter(each).exists()]
    return found


@cache
def unstorable_rows(model: type[models.Model]) -> tuple[str, tuple[Any, ...]]:
    """Return the statement that selects a row with such values, built once: that takes longer than to run it."""
    rows = model._default_manager.order_by().filter(reduce(or_, UNSTORABLE[model].values()))
    return rows.values("pk")[:1].query.sql_with_params()


def conditions_of(model: type[models.Model]) -> dict[str, models.Q]:
    """Return the conditions of values that some database could not store, by column."""
    wrong = {}
    for column in model._meta.concrete_fields:
        name = column.attname
        if isinstance(column, models.CharField) and column.max_length:
            wrong[name] = models.Q(**{f"{name}__length__gt": column.max_length})
        elif isinstance(column, models.IntegerField):
            least, most = RANGES[column.get_internal_type()]
            wrong[name] = models.Q(**{f"{name}__lt": least}) | models.Q(**{f"{name}__gt": most})
    return wrong


UNSTORABLE = {model: wrong for model in apps.get_app_config("league").get_models() if (wrong := conditions_of(model))}
