"""The people of an imported file, by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from django.utils.translation import gettext as _

from league.files.finding import FileFinding
from league.files.reading import CompetitionFile, Path


@dataclass(frozen=True, slots=True)
class People:
    """The keys of the people of a file; a person whose own entry is faulty is included."""

    person_keys: frozenset[str]
    entrants: frozenset[str]
    teams: frozenset[str]

    def find_unknown(self, path: Path, key: str, *, is_entrant: bool = True) -> Iterator[FileFinding]:
        """Yield a finding if the key belongs to no person of the file, or to a non-entrant."""
        if key not in self.person_keys:
            close = get_close_matches(key, sorted(self.person_keys), n=1)
            hint = _("; did you mean %(key)s?") % {"key": close[0]} if close else ""
            yield FileFinding(path, key, _("no player of the file has this key") + hint)
        elif is_entrant and key not in self.entrants:
            yield FileFinding(path, key, _("this player is no entrant (is_entrant = false)"))

    def find_all_unknown(self, path: Path, keys: Iterable[str]) -> Iterator[FileFinding]:
        """Yield such findings for every key of a list."""
        for number, key in enumerate(keys):
            yield from self.find_unknown((*path, number), key)


def people_of(file: CompetitionFile) -> People:
    """Return the people of a file. Faulty entries are included, so that one fault is reported once."""
    raw = file.data.get("players", []) if isinstance(file.data, dict) else []
    listed = raw if isinstance(raw, list) else []
    rows = [row for row in listed if isinstance(row, dict) and isinstance(row.get("key"), str)]
    return People(
        frozenset(row["key"] for row in rows),
        frozenset(row["key"] for row in rows if row.get("is_entrant", True) is not False),
        frozenset(row["key"] for row in rows if row.get("is_team") is True),
    )
