"""Moments of games and tables as documents."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, TypedDict

from pydantic import Field

from league.models import Competition
from league.selectors.competitions.moments import GameMoments
from league.web.document_parts import moment
from league.web.documents import Document, Moment

Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""A date in the competition's time zone."""


class Times(Document):
    """Base of documents of a hanchan or a table with what has happened to it so far."""

    started_at: Moment | None = Field(
        description="The first entry of its score sheet; null where only results are entered. Of a table: its first "
        "hanchan."
    )
    finished_at: Moment | None = Field(
        description="The confirmation of its result; a later correction does not move it. Null without a result. Of a "
        "table: its last hanchan, once all have a result."
    )
    published_at: Moment | None = Field(
        description="The moment from which the public may know the result that counts: its confirmation, or that of "
        "its correction, or the release of a table that was held back. Null until then. Of a table: its last hanchan, "
        "once all are public."
    )


class TimesFields(TypedDict):
    """The fields of `Times`."""

    started_at: str | None
    finished_at: str | None
    published_at: str | None


def times(found: GameMoments, competition: Competition) -> TimesFields:
    """Return the fields of `Times`."""
    return {
        "started_at": moment(found.started_at, competition),
        "finished_at": moment(found.finished_at, competition),
        "published_at": moment(found.published_at, competition),
    }


def day(value: dt.date | None) -> str | None:
    """Return a date as clients read it, or None."""
    return None if value is None else value.isoformat()
