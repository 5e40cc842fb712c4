"""A competition as everybody may know it, found by its slug as cheaply as it can be.

The one idea: almost every request is an anonymous one for a page or document of one competition, and most of the price
of an unchanged answer is building the query that finds it. So that query is built once, by the selectors whose rules it
follows, and afterwards only run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Model, QuerySet

from league.models import Audience, Competition
from league.selectors.odds import with_forecast_marks
from league.selectors.readers import Reader, visible_competitions

SLUG = "any competition's slug"
"""Stands for the slug in the query that is kept; no slug has spaces."""

Convert = Callable[[Any], Any]
Row = tuple[Any, ...]
Known = dict[str, tuple[float, Row]]
MOST_KNOWN = 1_000
_rows: Known = {}


@dataclass(frozen=True, slots=True)
class KeptQuery:
    """A query for one row, as text; the columns and then the annotations of the row, and how each is read."""

    sql: str
    values: tuple[Any, ...]
    model: type[Model]
    columns: tuple[str, ...]
    annotations: tuple[str, ...]
    converters: tuple[tuple[int, Sequence[Any], Any], ...]

    def row(self, slug: str) -> Row | None:
        """The row of this slug as the database has it; None where there is none."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [slug if value == SLUG else value for value in self.values])
            found: Row | None = cursor.fetchone()
        return found

    def instance(self, found: Row) -> Any:
        """The row as the ORM would make it."""
        row = list(found)
        for place, converters, expression in self.converters:
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        made = self.model.from_db("default", self.columns, row[: len(self.columns)])
        for name, value in zip(self.annotations, row[len(self.columns) :], strict=True):
            setattr(made, name, value)
        return made


def public_row(slug: str) -> Row | None:
    """All that an answer about the competition depends on; None where the public knows of no such competition.

    What was read a fraction of a second ago is not read again: many ask for the same at once.
    """
    return read_lately(_rows, slug, _query(connection.vendor).row)


def reader_of_row(row: Row) -> Reader:
    """The competition of this row as the public reads it."""
    competition: Competition = _query(connection.vendor).instance(row)
    return Reader(competition, Audience.PUBLIC, competition.public_version)


def public_reader(slug: str) -> Reader | None:
    """The competition of this slug as the public reads it; None where the public knows of no such competition."""
    row = public_row(slug)
    return None if row is None else reader_of_row(row)


def read_lately(known: Known, slug: str, read: Callable[[str], Row | None]) -> Row | None:
    """What this process read of the slug less than `KNOWN_SECONDS` ago, else what it reads now."""
    now = time.time()
    found = known.get(slug)
    if found is not None and 0 <= now - found[0] < settings.KNOWN_SECONDS:
        return found[1]
    row = read(slug)
    if row is not None:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[slug] = now, row
    return row


@cache
def _query(_vendor: str) -> KeptQuery:
    rows: QuerySet[Any] = with_forecast_marks(visible_competitions(None).filter(slug=SLUG)).order_by()
    compiler = rows.query.get_compiler(connection=connection)
    sql, values = compiler.as_sql()
    selected = [expression for expression, _sql, _alias in compiler.select]
    annotations = tuple(rows.query.annotation_select)
    columns = tuple(field.target.attname for field in selected[: len(selected) - len(annotations)])
    converters = tuple(
        (place, converters, expression) for place, (converters, expression) in compiler.get_converters(selected).items()
    )
    return KeptQuery(sql, tuple(values), rows.model, columns, annotations, converters)
