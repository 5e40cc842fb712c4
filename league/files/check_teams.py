"""Checks of the teams of an imported file: their members, and the days on which they belong to a team."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator

from django.utils.translation import gettext as _

from league.files.finding import FileFinding
from league.files.people import People
from league.files.shape import FileDocument, MemberTable


def member_faults(document: FileDocument, people: People) -> Iterator[FileFinding]:
    """Yield the faults of members: unknown keys, days in the wrong order, and two teams on one day."""
    teams = {row.key for row in document.players if row.is_team}
    before: defaultdict[str, list[MemberTable]] = defaultdict(list)
    for number, row in enumerate(document.members):
        yield from people.find_unknown(("members", number, "team"), row.team)
        yield from people.find_unknown(("members", number, "player"), row.player, is_entrant=False)
        if row.team in people.entrants and row.team not in teams:
            yield FileFinding(("members", number, "team"), row.team, _("this player is no team (is_team = true)"))
        if row.player in teams:
            yield FileFinding(("members", number, "player"), row.player, _("a team is no member of a team"))
        if row.since and row.until and row.since > row.until:
            yield FileFinding(("members", number, "until"), str(row.until), _("the last day is before the first"))
        if any(overlap(row, other) for other in before[row.player]):
            message = _("this person belongs to two teams on one day; end the first membership before the second")
            yield FileFinding(("members", number), row.player, message)
        before[row.player].append(row)


def overlap(row: MemberTable, other: MemberTable) -> bool:
    """Return True if two memberships share a day."""
    first, last = dt.date.min, dt.date.max
    return max(row.since or first, other.since or first) <= min(row.until or last, other.until or last)
