"""Instances of models from SQL statements, for the few statements that nearly every request runs.

To write such a statement and to convert its rows, the ORM takes 800 function calls for a competition and 2,300 for the
16 players of a league, more than the rest of an unchanged response. Through a cursor it takes 130 and 650.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TypeVar

from django.db.models import DateTimeField, Model
from django.utils import timezone

from league.platform.replica import connection_to_read

M = TypeVar("M", bound=Model)


def read_instances(model: type[M], statement: str, parameters: Sequence[str | int]) -> Iterator[M]:
    """Yield the instances in the rows of a statement that selects all their columns; others become attributes."""
    connection = connection_to_read()
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        selected = {column[0]: place for place, column in enumerate(cursor.description)}
        rows = cursor.fetchall()
    fields = model._meta.concrete_fields
    names = [field.attname for field in fields]
    moments = [place for place, field in enumerate(fields) if isinstance(field, DateTimeField)]
    pick = itemgetter(*[selected[name] for name in names])
    others = [(name, place) for name, place in selected.items() if name not in names]
    for row in rows:
        values = list(pick(row))
        for place in moments:
            # A cursor of SQLite returns moments without their zone, UTC.
            if values[place] is not None and timezone.is_naive(values[place]):
                values[place] = timezone.make_aware(values[place], dt.UTC)
        found = model.from_db(connection.alias, names, values)
        for name, place in others:
            setattr(found, name, row[place])
        yield found
