"""Teams pasted as text: each with its members below it or beside it, and the known people whose names they are.

A line without a blank in front is a team: name, short name and reading, separated by slashes. Its members follow
after a colon, in further cells of a spreadsheet, or on indented lines of their own.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Player
from league.selectors.competitions.roster import active_entrants
from league.selectors.seasons.teams import memberships

MOST_TEAMS = 100
MOST_MEMBERS = 50
LONGEST_NAME = 100
LONGEST_SHORT = 20
_BETWEEN = re.compile(r"[,、，;；\t]+")
_PARTS = re.compile(r"[/／]")
_KEY = re.compile(r"(?P<name>.*?)[(（](?P<key>[-\w]+)[)）]")


@dataclass
class PastedTeam:
    """A team as it was pasted."""

    line: int
    name: str
    short_name: str = ""
    name_kana: str = ""
    members: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MatchedMember:
    """A member as named, with the known people who are called so."""

    text: str
    found: tuple[Player, ...]

    @property
    def fault(self) -> str:
        """The question to settle in the text; empty if there is none."""
        if len(self.found) > 1:
            keys = ", ".join(f"{one.name} ({one.key})" for one in self.found[:5])
            return _("Several people are called so. Write one of: %(keys)s") % {"keys": keys}
        if len(self.text) > LONGEST_NAME:
            return _("This name is too long.")
        return ""


@dataclass(frozen=True, slots=True)
class MatchedTeam:
    """A team as pasted, with the team of an earlier season of that name, and its members."""

    pasted: PastedTeam
    known: Player | None
    is_entered: bool
    members: tuple[MatchedMember, ...]

    @property
    def fault(self) -> str:
        """The first fault of the team's own line; empty if there is none."""
        if self.is_entered:
            return _("This team is entered already.")
        if len(self.pasted.name) > LONGEST_NAME or len(self.pasted.name_kana) > LONGEST_NAME:
            return _("This name is too long.")
        if len(self.pasted.short_name) > LONGEST_SHORT:
            return _("A short name has at most %(most)s characters.") % {"most": LONGEST_SHORT}
        return ""

    @property
    def faults(self) -> list[str]:
        """All faults, each with the name it is about."""
        own = [f"{self.pasted.name}: {self.fault}"] if self.fault else []
        return own + [f"{one.text}: {one.fault}" for one in self.members if one.fault]


def teams_text(competition: Competition) -> str:
    """Return the teams that have not withdrawn as a text to paste, with their present members, the captain first."""
    present = memberships(competition).filter(until=None).order_by("-is_captain", "order", "pk")
    members: defaultdict[int, list[str]] = defaultdict(list)
    for row in present:
        members[row.entrant_id].append(f"  {row.player.name} ({row.player.key})")
    lines: list[str] = []
    for entrant in active_entrants(competition):
        team = entrant.player
        lines += [f"{team.name} / {team.short_name} / {team.name_kana}".rstrip(" /"), *members[entrant.pk]]
    return "\n".join(lines)


def digest_of(text: str) -> str:
    """Return a digest of the pasted text."""
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:16]


def pasted_teams(text: str) -> list[PastedTeam]:
    """Return the teams of a pasted text; members before the first team become teams without members."""
    found: list[PastedTeam] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if line[0].isspace() and found:
            found[-1].members += _names(line)
            continue
        head, *cells = line.strip().split("\t")
        if not cells:
            head, _colon, rest = head.replace("：", ":").partition(":")
            cells = [rest]
        name, short, kana = (*map(str.strip, _PARTS.split(head)), "", "", "")[:3]
        found.append(PastedTeam(number, name, short, kana, [one for cell in cells for one in _names(cell)]))
    return found


def _names(text: str) -> list[str]:
    return [name for part in _BETWEEN.split(text) if (name := " ".join(part.split()))]


def matched_teams(competition: Competition, text: str) -> list[MatchedTeam]:
    """Return the pasted teams with the known teams and people of these names."""
    pasted = pasted_teams(text)
    people = _people({name for team in pasted for name in team.members})
    rows = Player.objects.filter(is_team=True, merged_into=None, erased_at=None)
    known: defaultdict[str, list[Player]] = defaultdict(list)
    for row in rows.filter(name__in={team.name for team in pasted}):
        known[row.name].append(row)
    entered = set(Entrant.objects.filter(competition=competition).values_list("player__name", flat=True))
    return [
        MatchedTeam(
            team,
            known[team.name][0] if len(known[team.name]) == 1 else None,
            team.name in entered,
            tuple(MatchedMember(*people[name]) for name in team.members),
        )
        for team in pasted
    ]


def _people(names: Iterable[str]) -> Mapping[str, tuple[str, tuple[Player, ...]]]:
    """Return for each text the name in it and the people it may mean: by the key in brackets, else by the name."""
    keys = {name: found for name in names if (found := _KEY.fullmatch(name.strip()))}
    rows = Player.objects.filter(is_team=False, merged_into=None, erased_at=None)
    by_key = {row.key: row for row in rows.filter(key__in={found["key"] for found in keys.values()})}
    by_name: defaultdict[str, list[Player]] = defaultdict(list)
    for row in rows.filter(name__in=set(names)).order_by("pk"):
        by_name[row.name].append(row)
    return {
        name: (keys[name]["name"].strip(), (by_key[keys[name]["key"]],))
        if name in keys and keys[name]["key"] in by_key
        else (name, tuple(by_name[name]))
        for name in names
    }


def count_of(teams: Sequence[MatchedTeam]) -> tuple[int, int]:
    """Return the numbers of people who are known already and who are new."""
    members = [one for team in teams for one in team.members]
    known = sum(1 for one in members if len(one.found) == 1)
    return known, sum(1 for one in members if not one.found)
