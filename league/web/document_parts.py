"""Shared parts of many documents: ids, moments, amounts, people, bilingual texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal, TypedDict, TypeVar, overload
from zoneinfo import ZoneInfo

from django.utils.translation import override
from pydantic import Field

from league.models import Competition, Departure, Entrant, Standing
from league.selectors.access.readers import Reader
from league.selectors.people.visibility import person_shown
from league.web.documents import Amount, AsOf, Document, Ref, Values
from league.wording.messages import line_name
from scoring.ruleset import Ledger
from scoring.ruleset.ledgers import Unit, points_text

K = TypeVar("K")
LANGUAGES = ("ja", "en")
Slug = Annotated[
    str, Field(description="The competition's name in addresses.", json_schema_extra={"pattern": "^[-a-zA-Z0-9_]+$"})
]


class InBoth(Document):
    """A text in Japanese and English."""

    ja: str = Field(description="The Japanese text.")
    en: str = Field(description="The English text; empty where there is none.")


class CompetitionRef(Document):
    """A reference to a competition inside another document."""

    id: Ref = Field(description="The competition's id.")
    slug: Slug
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")


class OfCompetition(Document):
    """Base of documents of one competition at one published version."""

    competition: CompetitionRef
    as_of: AsOf


class NamedKey(Document):
    """A reference to a stage or a block inside another document."""

    id: Ref = Field(description="The id of the stage or block.")
    key: str = Field(description="Its key, unique in the competition.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")


class SessionRef(Document):
    """A reference to a session inside another document."""

    id: Ref = Field(description="The session's id.")
    number: int = Field(description="The session's number in the competition, from 1.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")


class EntrantDocument(Document):
    """An entrant; all fields are null if the public may not know the person."""

    entrant: Ref | None = Field(description="The entrant's id.")
    key: str | None = Field(description="The player's key, the same in every competition.")
    name: str | None = Field(description="The name, or the handle of a guest.")
    kana: str | None = Field(description="The reading of the name in kana.")
    romaji: str | None = Field(description="The name in Latin letters.")
    affiliation: str | None = Field(description="The affiliation as of that season.")
    country: str | None = Field(description="The country or region as of that season.")
    is_team: bool | None = Field(description="A team, whose members sit for it.")


class OfSeat(Document):
    """Base that puts the seat before the other fields."""

    seat: int = Field(description="The seat, 0 for the first dealer.")


class LedgerDocument(Document):
    """A ledger: the unit and scale of its totals."""

    key: str = Field(description="The ledger's key in the ruleset.")
    unit: Unit = Field(description="The unit it counts.")
    scale: int = Field(description="Steps in one unit: 10 where amounts have one decimal.")
    label: InBoth


class LineDocument(Document):
    """One itemised amount of a settlement."""

    ledger: str = Field(description="The ledger's key.")
    amount: Amount = Field(description="The amount, exact.")
    cause: str = Field(description="The key of the reason for the line, such as uma.")
    label: InBoth = Field(description="The reason in words.")
    clause: str = Field(description="The clause of the rule book; empty where it names none.")
    params: Values = Field(description="The figures the amount was computed from.")


def ref(pk: int | None) -> str | None:
    """Return the id of a row as a string for clients, or None."""
    return None if pk is None else str(pk)


@overload
def moment(at: dt.datetime, competition: Competition) -> str: ...


@overload
def moment(at: dt.datetime | None, competition: Competition) -> str | None: ...


def moment(at: dt.datetime | None, competition: Competition) -> str | None:
    """Return a moment in the competition's time zone in ISO 8601, or None."""
    return None if at is None else at.astimezone(ZoneInfo(competition.time_zone)).isoformat(timespec="seconds")


def both(say: Callable[[str], str]) -> InBoth:
    """Return a text in both languages; `say` is called once for each."""
    return labels([""], lambda _key, language: say(language))[""]


def labels(keys: Iterable[K], say: Callable[[K, str], str]) -> Mapping[K, InBoth]:
    """Return the text of each key in both languages.

    Switching the language takes longer than rendering most texts, so it is switched once for each language, not for
    each key.
    """
    every = dict.fromkeys(keys)
    texts = {}
    for language in LANGUAGES:
        with override(language):
            texts[language] = [str(say(key, language)) for key in every]
    return {key: InBoth(ja=ja, en=en) for key, ja, en in zip(every, texts["ja"], texts["en"], strict=True)}


@lru_cache(maxsize=64)
def cause_label(cause: str, floating: int | None) -> InBoth:
    """Return the cause of a settlement line in both languages, with the number of floating players if it decided.

    Cached, because the same few causes recur on every sheet.
    """
    return both(lambda _language: line_name(cause, {"floating": floating}))


def line_floating(params: Mapping[str, object]) -> int | None:
    """Return the number of floating players that decided over a settlement line, None if none did."""
    floating = params.get("floating")
    return floating if isinstance(floating, int) else None


def exact(amount: str, ledger: Ledger) -> str:
    """Return a settlement's exact amount: a finite decimal if there is one, else a fraction such as 20/3."""
    return exact_number(Fraction(amount), ledger.scale)


def exact_number(value: Fraction | int, scale: int = 1) -> str:
    """Return a finite decimal, with at least the decimals of the scale, if there is one, else a fraction."""
    while (value * scale).denominator != 1:
        if (value * scale).denominator % 2 and (value * scale).denominator % 5:
            return str(value)
        scale *= 10
    return points_text((value * scale).numerator, scale)


class NameFields(TypedDict):
    """The names in an `EntrantDocument`."""

    name: str | None
    kana: str | None
    romaji: str | None
    affiliation: str | None
    country: str | None


class EntrantFields(NameFields):
    """The fields of an `EntrantDocument`."""

    entrant: str | None
    key: str | None
    is_team: bool | None


NAMES: NameFields = {"name": None, "kana": None, "romaji": None, "affiliation": None, "country": None}


def person(reader: Reader, row: Entrant) -> NameFields:
    """Return a person's names as this audience may see them; nulls for a person hidden from it."""
    shown = person_shown(reader, row.player, row)
    if shown is None:
        return NAMES
    return {
        "name": shown.name,
        "kana": shown.kana,
        "romaji": shown.romaji,
        "affiliation": shown.affiliation,
        "country": shown.country,
    }


EntrantStatus = Annotated[
    Literal["playing", "withdrawn", "disqualified"],
    Field(description="Withdrawn or disqualified: plays no more; the rank follows from the format."),
]


def status_of(row: Standing) -> Literal["playing", "withdrawn", "disqualified"]:
    """Return whether the entrant of a row still takes part."""
    if row.status == Departure.Kind.DISQUALIFIED:
        return "disqualified"
    return "withdrawn" if row.status else "playing"


def entrant(reader: Reader, row: Entrant) -> EntrantFields:
    """Return the fields of an `EntrantDocument`: id, key and names; all null for a hidden person."""
    names = person(reader, row)
    if names is NAMES:
        return {"entrant": None, "key": None, **names, "is_team": None}
    return {"entrant": str(row.pk), "key": row.player.key, **names, "is_team": row.player.is_team}
