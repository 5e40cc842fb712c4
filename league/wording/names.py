"""Names of people and of parts of a competition in the reader's language; models use them for `__str__` too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from django.utils.translation import gettext

from league.wording.formatting import language_of
from rulesets.clauses import Text
from rulesets.normalization import normalize
from scoring.ruleset import Title

K = TypeVar("K", bound=Hashable)
TABLE = re.compile(r"(?:(?P<ja>\w{1,3}) ?卓|table (?P<en>\w{1,3}))", re.ASCII | re.IGNORECASE)
"""A table label that consists of a number or letter alone, such as "1卓" or "table A"."""


class Titled(Protocol):
    """A row with a name and an optional English name: a competition, stage, block or session."""

    name: str
    name_en: str


class Named(Protocol):
    """The names of a person or team; only a team has a short one."""

    name: str
    name_kana: str
    name_romaji: str
    short_name: str
    is_team: bool


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
    """Return the English name for English readers if there is one, else the name as entered."""
    return row.name_en if row.name_en and language_of(language) == "en" else row.name


def book_name(book: Titled, house: Titled) -> str:
    """Return the name of a parlour's book without the name of the house in front."""
    return title_of(book).removeprefix(title_of(house)).strip() or title_of(book)


def title_in(title: Title | Text, language: str | None = None) -> str:
    """Return a title or text of a rule file, which has both languages, in the reader's."""
    return title.en if language_of(language) == "en" else title.ja


def table_name(label: str, language: str | None = None) -> str:
    """Return a table's label in the reader's language if it is a number or letter alone, as in 1卓, else as entered."""
    # NFKC turns full-width digits and letters, common in Japanese input, into ASCII.
    found = TABLE.fullmatch(normalize("NFKC", label.strip()))
    if found is None:
        return label
    said = found["ja"] or found["en"]
    return f"Table {said}" if language_of(language) == "en" else f"{said}卓"


class NumberedHanchan(Protocol):
    """A hanchan: the n-th round of its session."""

    round: int


def round_name(game: NumberedHanchan) -> str:
    """Return the name of a hanchan within its session: 3回戦, or hanchan 3."""
    return gettext("Hanchan %(number)s") % {"number": game.round}


class Seated(Protocol):
    """A table session with the names of its session and block."""

    table: str

    @property
    def session(self) -> Titled:
        """The session it is played in."""

    @property
    def block(self) -> Titled:
        """The block it counts for."""


def table_title(table: Seated) -> str:
    """Return the names of session, block and table; the session's is left out where it equals the block's."""
    return _table_title(table, table.block)


def _table_title(table: Seated, of: Titled) -> str:
    session, block = title_of(table.session), title_of(of)
    return " ".join(part for part in (session if session != block else "", block, table_name(table.table)) if part)


class SeatedGame(NumberedHanchan, Protocol):
    """A hanchan with its table session."""

    @property
    def table_session(self) -> Seated:
        """The table session."""

    @property
    def block(self) -> Titled:
        """The block it counts for."""


def game_name(game: SeatedGame) -> str:
    """Return the full name of a hanchan: 第2節 A卓 1卓 3回戦."""
    return f"{_table_title(game.table_session, game.block)} {round_name(game)}"


def person_name(player: Named, language: str | None = None) -> str:
    """Return a player's name as entered, or in roman letters for English readers if known."""
    return player.name_romaji if player.name_romaji and language_of(language) == "en" else player.name


class Sits(Protocol):
    """A seat: the entrant it counts for, and the person who sits."""

    @property
    def entrant(self) -> EntryOf:
        """The entrant."""

    @property
    def player(self) -> Named:
        """The person, or the team while its member is not announced."""

    @property
    def player_id(self) -> int:
        """Id of the person or team."""

    @property
    def is_substitute(self) -> bool:
        """True if another person sits for a person."""


class EntryOf(Protocol):
    """An entrant with the person or team entered."""

    @property
    def player(self) -> Named:
        """The person or team."""

    @property
    def player_id(self) -> int:
        """Its id."""


def sitter_name(seat: Sits) -> str:
    """Return the name of a seat: the player's, "member (team)" for a team, "player (substitute)" with a substitute."""
    own = person_name(seat.entrant.player)
    if seat.player_id == seat.entrant.player_id:
        return own
    sits = person_name(seat.player)
    return f"{own} ({sits})" if seat.is_substitute else f"{sits} ({family_name(seat.entrant.player)})"


class Affiliated(Protocol):
    """An entrant's club and country, as entered for the season."""

    affiliation: str
    country: str


class HoldsRole(Protocol):
    """A member of staff, or an invitation to become one."""

    @property
    def team(self) -> EntryOf | None:
        """The team of a captain."""

    def get_role_display(self) -> str:
        """Return the role's name."""


def role_title(holder: HoldsRole) -> str:
    """Return a role as text, that of a captain with the team."""
    role = holder.get_role_display()
    if holder.team is None:
        return role
    return gettext("%(role)s of %(team)s") % {"role": role, "team": person_name(holder.team.player)}


def club_text(entrant: Affiliated) -> str:
    """Return an entrant's club, or the country where no club is given; empty without either."""
    return entrant.affiliation or entrant.country


def family_name(player: Named, language: str | None = None) -> str:
    """Return the family name, which stands first, of a name with a blank; else the whole name.

    A name in Latin letters alone stays whole: which of its parts is the family name differs. A team has a short name of
    its own; English readers are told it only if they can read it.
    """
    if player.is_team:
        is_read = player.short_name and (language_of(language) == "ja" or player.short_name.isascii())
        return player.short_name if is_read else person_name(player, language)
    parts = player.name.split()
    shown = person_name(player, language)
    is_known = len(parts) == len(shown.split()) > 1 and not player.name.isascii()
    return shown.split()[0] if is_known else shown


def short_names(people: Mapping[K, Named], language: str | None = None) -> dict[K, str]:
    """Return the family names of these people; the whole names of those who share one."""
    short = {key: family_name(player, language) for key, player in people.items()}
    shared = Counter(short.values())
    return {key: name if shared[name] == 1 else person_name(people[key], language) for key, name in short.items()}


def reading_of(player: Named, language: str | None = None) -> str:
    """Return the text shown beside a player's name: the kana reading in Japanese, the Japanese name in English."""
    if language_of(language) == "ja":
        return player.name_kana or player.name_romaji
    return player.name if player.name_romaji else ""


@dataclass(frozen=True, slots=True)
class Names:
    """Display names of blocks and stages, by their keys."""

    blocks: Mapping[str, str]
    stages: Mapping[str, str]
    tiers: Mapping[str, str] = field(default_factory=dict)
    """Of the tiers of a series and the competitions beside them; empty outside a series."""

    def block(self, key: str) -> str:
        """Return a block's name, or its key if it has none here."""
        return self.blocks.get(key, key)

    def stage(self, key: str) -> str:
        """Return a stage's name, or its key if it has none here."""
        return self.stages.get(key, key)

    def tier(self, key: str) -> str:
        """Return the name of a tier of the series, or its key if it has none here."""
        return self.tiers.get(key, key)


def names_of(
    blocks: Iterable[KeyedBlock], language: str | None = None, tiers: Mapping[str, str] | None = None
) -> Names:
    """Return the names of these blocks and of their stages; fetch the stages with `select_related`.

    `tiers` are the names of the tiers that ranks of the competition may lead to.
    """
    rows = list(blocks)
    stages: dict[str, KeyedStage] = {row.stage.key: row.stage for row in rows}
    return Names(
        blocks={row.key: title_of(row, language) for row in rows},
        stages={key: title_of(stage, language) for key, stage in stages.items()},
        tiers=tiers or {},
    )
