"""Small parts of many documents: ids, moments, amounts, people, texts in both languages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import override

from league.messages import cause_name
from league.models import Block, Competition, Entrant, Player, Stage
from league.selectors.people import person_shown
from league.selectors.readers import Reader
from scoring.ruleset import Ledger

LANGUAGES = ("ja", "en")
Document = dict[str, Any]


def ref(pk: int | None) -> str | None:
    """The id of a row as clients see it."""
    return None if pk is None else str(pk)


def moment(at: dt.datetime | None, competition: Competition) -> str | None:
    """A moment in the competition's time zone, in ISO 8601."""
    return None if at is None else at.astimezone(ZoneInfo(competition.time_zone)).isoformat(timespec="seconds")


def both(say: Callable[[str], str]) -> dict[str, str]:
    """A text in both languages; `say` is asked once in each."""
    texts = {}
    for language in LANGUAGES:
        with override(language):
            texts[language] = str(say(language))
    return texts


@lru_cache(maxsize=64)
def cause_label(cause: str) -> Mapping[str, str]:
    """Why a line of a settlement is there, in both languages; the same words on every line of every sheet."""
    return both(lambda _language: cause_name(cause))


def exact(amount: str, ledger: Ledger) -> str:
    """A settlement's exact amount: a decimal where one ends, else a fraction such as 20/3."""
    value = Fraction(amount)
    scale = ledger.scale
    while (value * scale).denominator != 1:
        if (value * scale).denominator % 2 and (value * scale).denominator % 5:
            return str(value)
        scale *= 10
    return ledger.model_copy(update={"scale": scale}).text((value * scale).numerator)


def competition_ref(competition: Competition) -> Document:
    """A competition where another document speaks of it."""
    return {
        "id": ref(competition.pk),
        "slug": competition.slug,
        "name": competition.name,
        "name_en": competition.name_en,
    }


def stage_ref(stage: Stage) -> Document:
    """A stage where another document speaks of it."""
    return {"id": ref(stage.pk), "key": stage.key, "name": stage.name, "name_en": stage.name_en}


def block_ref(block: Block) -> Document:
    """A block where another document speaks of it."""
    return {"id": ref(block.pk), "key": block.key, "name": block.name, "name_en": block.name_en}


def person(reader: Reader, player: Player, affiliation: str = "") -> Document:
    """A person's names as this audience may see them; nulls for somebody it may not."""
    shown = person_shown(reader, player, affiliation)
    return {
        "name": shown.name if shown else None,
        "kana": shown.kana if shown else None,
        "romaji": shown.romaji if shown else None,
        "affiliation": shown.affiliation if shown else None,
    }


def entrant(reader: Reader, row: Entrant) -> Document:
    """An entrant by id, key and names."""
    shown = person_shown(reader, row.player, row.affiliation)
    return {
        "entrant": ref(row.pk) if shown else None,
        "key": row.player.key if shown else None,
        **person(reader, row.player, row.affiliation),
    }
