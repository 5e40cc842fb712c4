"""Archives of series and rankings: one ZIP file with the archives of their competitions, sealed as those are.

It contains the facts of the series or ranking, the outcome computed from them (moves, or lines with their sums), and
the archive of each competition. People and competitions are named by key and address, never by id.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from pydantic import AwareDatetime, Field, ValidationError

from league.files.archive import (
    DAMAGED,
    EXCLUDED,
    KIND,
    MANIFEST,
    VERSION,
    ArchiveRefusedError,
    canonical,
    digest,
    seal,
    unreadable,
    unseal,
)
from league.files.shape import Count, Key, Name, Number, PlayerTable, Short
from league.models import MoveDecision
from league.platform.storable import YEARS, is_storable, values_inside
from scoring.ruleset.base import Strict

Kind = Literal["competition", "series", "ranking"]
KINDS: Mapping[object, Kind] = {
    KIND: "competition",
    "jantaku-series-archive": "series",
    "jantaku-ranking-archive": "ranking",
}
OUTCOME = "outcome.json"
COMPETITION = re.compile(r"competitions/([-a-zA-Z0-9_]{1,64})\.zip")
Small = Annotated[int, Field(ge=1, le=999)]


class RulesText(Strict):
    """A text of rules that was in force, with the reason for the change to it."""

    text: str
    reason: str = ""


class Held(Strict):
    """A fact with its reason, the moment of its entry and, if it was taken back, of that."""

    reason: str = ""
    made_at: AwareDatetime
    ended_at: AwareDatetime | None = None


class TermTable(Strict):
    """A term with the addresses of its competitions by tier."""

    number: Number
    name: Name
    name_en: Short = ""
    competitions: dict[str, Key] = {}


class MoveTable(Held):
    """A decision on a move."""

    term: int
    player: Key
    kind: MoveDecision.Kind
    tier: Annotated[str, Field(max_length=32)] = ""


class BalanceTable(Held):
    """Promotion points from before the first term."""

    player: Key
    points: Count


class RosterTable(Held):
    """A roster of the next term as it was written: players by tier, and each player's move with its numbers."""

    term: int
    tiers: dict[str, tuple[Key, ...]]
    moves: tuple[dict[str, Any], ...]


class SeriesFile(Strict):
    """The facts of a series."""

    slug: Key
    name: Name
    name_en: str = ""
    is_public: bool = False
    rules: tuple[RulesText, ...] = Field(min_length=1)
    players: tuple[PlayerTable, ...] = ()
    terms: tuple[TermTable, ...] = ()
    decisions: tuple[MoveTable, ...] = ()
    balances: tuple[BalanceTable, ...] = ()
    rosters: tuple[RosterTable, ...] = ()


class EventTable(Held):
    """A competition that counts for a ranking, or once counted."""

    competition: Key
    day: dt.date
    days: Small = 1
    countries: Small = 1
    needs_qualification: bool = False


class RankingFile(Strict):
    """The facts of a ranking, and the day of which its outcome is."""

    slug: Key
    name: Name
    name_en: str = ""
    is_public: bool = False
    day: dt.date
    rules: tuple[RulesText, ...] = Field(min_length=1)
    events: tuple[EventTable, ...] = ()


SeasonFile = SeriesFile | RankingFile


@dataclass(frozen=True, slots=True)
class SeasonArchive:
    """The content of an archive of a series or a ranking; `competitions` are archives by address."""

    facts: SeasonFile
    outcome: str
    competitions: Mapping[str, bytes]

    @property
    def kind(self) -> Kind:
        """The kind of the archive."""
        return "series" if isinstance(self.facts, SeriesFile) else "ranking"

    @property
    def digest(self) -> str:
        """The digest of the outcome; two installations compare their outcomes by it."""
        return digest(self.outcome)


def pack_season(archive: SeasonArchive) -> bytes:
    """Return the archive as the bytes of a file; equal archives give equal bytes."""
    facts = canonical(archive.facts.model_dump(mode="json", exclude_defaults=True))
    parts = {
        f"{archive.kind}.json": facts.encode(),
        OUTCOME: archive.outcome.encode(),
        **{f"competitions/{slug}.zip": data for slug, data in sorted(archive.competitions.items())},
    }
    manifest = {
        "kind": next(name for name, kind in KINDS.items() if kind == archive.kind),
        "version": VERSION,
        archive.kind: {"slug": archive.facts.slug, "name": archive.facts.name},
        "parts": {name: len(part) for name, part in parts.items()},
        "not_inside": list(EXCLUDED),
    }
    return seal({MANIFEST: canonical(manifest).encode(), **parts})


def kind_of_archive(data: bytes) -> Kind:
    """Return the kind of an archive. Raise ArchiveRefusedError for anything else, and for a changed byte."""
    return _kind(_manifest(unseal(data, lambda _name: True)))


def unpack_season(data: bytes) -> SeasonArchive:
    """Return the archive of a series or a ranking. Raise ArchiveRefusedError if it is none, or cannot be read."""
    parts = unseal(
        data, lambda name: name in {MANIFEST, "series.json", "ranking.json", OUTCOME} or is_competition(name)
    )
    manifest = _manifest(parts)
    kind = _kind(manifest)
    if manifest.get("version") != VERSION:
        raise ArchiveRefusedError(_("This archive was made by a newer version of the product. Update first."))
    found = {match[1]: part for name, part in parts.items() if (match := COMPETITION.fullmatch(name))}
    try:
        facts = facts_in(parts[f"{kind}.json"], kind)
        outcome = parts[OUTCOME].decode()
    except DAMAGED as error:
        raise unreadable() from error
    if strange := sorted(found.keys() - _addresses(facts)):
        message = _("This archive has a part that belongs in none: %(name)s.")
        raise ArchiveRefusedError(message % {"name": f"competitions/{strange[0]}.zip"})
    return SeasonArchive(facts, outcome, found)


def facts_in(text: bytes, kind: Kind) -> SeasonFile:
    """Parse the facts of an archive. Raise ArchiveRefusedError with the first faults, each with its path."""
    try:
        shape = SeriesFile if kind == "series" else RankingFile
        facts: SeasonFile = shape.model_validate_json(text)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:5]]
        raise _faulty(kind, faults) from error
    if found := [*_unkept(facts), *_named_twice(facts)]:
        raise _faulty(kind, found[:5])
    return facts


def _faulty(kind: str, faults: list[str]) -> ArchiveRefusedError:
    message = _("The part %(name)s of this archive is faulty: %(faults)s.")
    return ArchiveRefusedError(message % {"name": f"{kind}.json", "faults": "; ".join(faults)})


def _unkept(facts: SeasonFile) -> Iterator[str]:
    """Yield each text with characters that cannot be kept, and each date out of reach, with its path."""
    for pointer, value in values_inside(facts.model_dump()):
        place = pointer.removeprefix("/").replace("/", ".")
        if isinstance(value, str) and not is_storable(value):
            yield f"{place}: {_('A text in it has characters that cannot be kept. Take them out.')}"
        elif isinstance(value, dt.date) and value.year not in YEARS:
            yield f"{place}: {_('A date in it is out of reach. Check the year.')}"


def _named_twice(facts: SeasonFile) -> Iterator[str]:
    """Yield each row that an archive can have only once, and has twice."""
    rows: dict[str, list[tuple[object, ...]]]
    if isinstance(facts, SeriesFile):
        rows = {
            "players": [(row.key,) for row in facts.players],
            "terms": [(row.number,) for row in facts.terms],
            "decisions": [(row.term, row.player) for row in facts.decisions if row.ended_at is None],
            "balances": [(row.player,) for row in facts.balances if row.ended_at is None],
            "rosters": [(row.term,) for row in facts.rosters if row.ended_at is None],
        }
    else:
        rows = {"events": [(row.competition,) for row in facts.events if row.ended_at is None]}
    for name, keys in rows.items():
        for key, times in Counter(keys).items():
            if times > 1:
                message = _("%(row)s is there more than once")
                yield f"{name}: {message % {'row': ', '.join(map(str, key))}}"


def _addresses(facts: SeasonFile) -> set[str]:
    """Return the addresses of the competitions that the facts name."""
    if isinstance(facts, SeriesFile):
        return {slug for term in facts.terms for slug in term.competitions.values()}
    return {row.competition for row in facts.events}


def is_competition(name: str) -> bool:
    """Return True for the name of a part that is the archive of a competition."""
    return COMPETITION.fullmatch(name) is not None


def _manifest(parts: Mapping[str, bytes]) -> dict[str, object]:
    try:
        manifest = json.loads(parts.get(MANIFEST, b"{}"))
    except (ValueError, RecursionError) as error:
        raise unreadable() from error
    return manifest if isinstance(manifest, dict) else {}


def _kind(manifest: Mapping[str, object]) -> Kind:
    kind = manifest.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ArchiveRefusedError(_("This is no archive of a competition, a series or a ranking."))
    return KINDS[kind]
