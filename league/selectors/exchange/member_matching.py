"""Matching of the cells of a team league's results: the member who sat, and the team of that member on that day."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.models import Competition, Entrant, TeamMember
from league.selectors.exchange.row_matching import MOST_SHOWN, EntrantIndex, NotFoundError, name_of_cell
from league.selectors.seasons.teams import holds_on, memberships


@dataclass
class MemberIndex:
    """The members of all teams by the texts that may name them: key, name, reading, Latin letters."""

    teams: EntrantIndex
    named: Mapping[str, Sequence[TeamMember]] = field(default_factory=dict)

    @classmethod
    def of(cls, competition: Competition, teams: EntrantIndex) -> MemberIndex:
        """Load the members of a competition."""
        named: defaultdict[str, list[TeamMember]] = defaultdict(list)
        for row in memberships(competition):
            person = row.player
            texts = {person.key, person.name, person.name_kana, person.name_romaji} - {""}
            for text in {name_of_cell(each) for each in texts}:
                named[text].append(row)
        return cls(teams, named)

    def sits(self, seat: int, team: str, player: str, day: dt.date | None) -> tuple[Entrant, int | None]:
        """Return the team of a seat, counted from 1, and the id of its member; None if only the team is named.

        The team follows from the membership on the day; where the day is unknown, from all memberships. Raise
        NotFoundError if no name matches, or if the member or the team is not certain.
        """
        entrant = self.teams.entrant(f"team{seat}", team) if team else None
        key = f"player{seat}"
        named = self.named.get(name_of_cell(player), ()) if player else ()
        if not named and (entrant is None or player):
            found = self.teams.entrant(key, player)
            if entrant is not None and found != entrant:
                message = _("No member of %(team)s is called so.") % {"team": entrant.player.name}
                raise NotFoundError(key, message)
            return found, None
        if not named:
            assert entrant is not None  # noqa: S101 - a seat with neither team nor player is not looked up
            return entrant, None
        exact = [row for row in named if row.player.key == player.strip()]
        row = self._certain(key, exact or named, entrant, day)
        return self.teams.entrants[row.entrant_id], row.player_id

    def _certain(self, key: str, rows: Sequence[TeamMember], team: Entrant | None, day: dt.date | None) -> TeamMember:
        """Return the one membership that fits the team and the day; raise NotFoundError if none or several do."""
        own = [row for row in rows if team is None or row.entrant_id == team.pk]
        fits = [row for row in own if holds_on(row, day)]
        name = rows[0].player.name
        if not fits and team is not None:
            message = _("%(name)s is no member of %(team)s%(on)s.")
            raise NotFoundError(key, message % {"name": name, "team": team.player.name, "on": _on(day)})
        if not fits:
            raise NotFoundError(key, _("%(name)s plays for no team%(on)s.") % {"name": name, "on": _on(day)})
        if len({row.player_id for row in fits}) > 1:
            keys = ", ".join(list(dict.fromkeys(row.player.key for row in fits))[:MOST_SHOWN])
            raise NotFoundError(key, _("Several players are called so; write the key: %(keys)s.") % {"keys": keys})
        teams = {row.entrant_id: row for row in fits}
        if len(teams) > 1:
            names = ", ".join(row.entrant.player.name for row in teams.values())
            message = _("%(name)s has played for several teams: %(teams)s. Name the team, or the day.")
            raise NotFoundError(key, message % {"name": name, "teams": names})
        return fits[0]


def _on(day: dt.date | None) -> str:
    return "" if day is None else _(" on %(day)s") % {"day": day.isoformat()}
