"""What open pages ask again and again, as cheaply as it can be told.

The one idea: a thousand watchers ask for the same row, and most of such an answer's price is building its query. So the
query is built once, by the selectors whose rules it follows, and afterwards only run.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from league.selectors.everybody import Known, Row, read_lately
from league.selectors.odds import with_odds_marks
from league.selectors.readers import visible_competitions

SLUG = "any competition's slug"
"""Stands for the slug in the query that is kept; no slug has spaces."""


_marks: Known = {}


class Marks(NamedTuple):
    """What an open page compares with what it shows."""

    version: int
    odds: str


def marks_for_everybody(slug: str) -> Marks | None:
    """The published version and the mark of its odds; None where the public knows of no such competition."""
    row = read_lately(_marks, slug, _read)
    return Marks(*row) if row else None


def _read(slug: str) -> Row | None:
    query, values = _query(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(query, [slug if value == SLUG else value for value in values])
        row: Row | None = cursor.fetchone()
    return row


@cache
def _query(_vendor: str) -> tuple[str, tuple[Any, ...]]:
    rows: QuerySet[Any] = with_odds_marks(visible_competitions(None).filter(slug=SLUG)).order_by()
    query, values = rows.values_list("public_version", "public_odds").query.sql_with_params()
    return query, tuple(values)
