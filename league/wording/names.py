"""What people and parts of a competition are called in the reader's language; models call themselves by it too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from league.wording.formatting import language_of
from scoring.ruleset import Title

TABLE = re.compile(r"(?:(?P<ja>\w{1,3}) ?卓|table (?P<en>\w{1,3}))", re.ASCII | re.IGNORECASE)
"""A table that is called by its number or letter alone."""


class Titled(Protocol):
    """A competition, stage, block or session."""

    name: str
    name_en: str


class Named(Protocol):
    """A player's names."""

    name: str
    name_kana: str
    name_romaji: str


class KeyedStage(Titled, Protocol):
    """A stage of a competition."""

    key: str


class KeyedBlock(Titled, Protocol):
    """A block of a stage."""

    key: str

    @property
    def stage(self) -> KeyedStage:
        """The block's stage."""


def title_of(row: Titled, language: str | None = None) -> str:
    """The English name for English readers where there is one, else the name as entered."""
    return row.name_en if row.name_en and language_of(language) == "en" else row.name


def title_in(title: Title, language: str | None = None) -> str:
    """A rule file's title, which has both languages."""
    return title.en if language_of(language) == "en" else title.ja


def table_name(label: str, language: str | None = None) -> str:
    """A table's label; one of a number or letter alone, as 1卓, in the reader's language, others as entered."""
    found = TABLE.fullmatch(unicodedata.normalize("NFKC", label.strip()))
    if found is None:
        return label
    said = found["ja"] or found["en"]
    return f"Table {said}" if language_of(language) == "en" else f"{said}卓"


def person_name(player: Named, language: str | None = None) -> str:
    """A player's name as entered; in roman letters for English readers where known."""
    return player.name_romaji if player.name_romaji and language_of(language) == "en" else player.name


def reading_of(player: Named, language: str | None = None) -> str:
    """What stands beside the name: the reading in Japanese, the name as written in English."""
    if language_of(language) == "ja":
        return player.name_kana or player.name_romaji
    return player.name if player.name_romaji else ""


@dataclass(frozen=True, slots=True)
class Names:
    """What blocks and stages are called, by their keys."""

    blocks: Mapping[str, str]
    stages: Mapping[str, str]

    def block(self, key: str) -> str:
        """A block's name."""
        return self.blocks.get(key, key)

    def stage(self, key: str) -> str:
        """A stage's name."""
        return self.stages.get(key, key)


def names_of(blocks: Iterable[KeyedBlock], language: str | None = None) -> Names:
    """The names of these blocks and of their stages; the stages must have been fetched along."""
    rows = list(blocks)
    stages: dict[str, KeyedStage] = {row.stage.key: row.stage for row in rows}
    return Names(
        blocks={row.key: title_of(row, language) for row in rows},
        stages={key: title_of(stage, language) for key, stage in stages.items()},
    )
