"""Games that staff played for the house (本走): those of a stay at the table that is marked so."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence

from django.db.models import Min

from league.models import Hanchan, SittingSeat


def house_games(tables: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs of hanchan and person that played for the house, by the ids of table sessions.

    A game belongs to the stay during which its result was first entered. One entered outside all stays of a person,
    such as from paper, is the house's if any of them is.
    """
    marked = SittingSeat.objects.filter(sitting__table_session__in=tables, is_house=True)
    rows = SittingSeat.objects.filter(sitting__in=marked.values("sitting")).select_related("entrant__player", "sitting")
    stays: defaultdict[int, defaultdict[int, list[SittingSeat]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        stays[row.sitting.table_session_id][row.entrant.player.kept_id].append(row)
    games = Hanchan.objects.filter(table_session__in=list(stays)).annotate(entered_at=Min("sheets__entered_at"))
    return {
        (hanchan, person)
        for hanchan, table, at in games.values_list("pk", "table_session", "entered_at")
        for person, own in stays[table].items()
        if _is_for_the_house(own, at)
    }


def _is_for_the_house(own: Sequence[SittingSeat], entered_at: dt.datetime | None) -> bool:
    """Return True if the stay in which a game was entered is marked; outside all stays, if any of them is."""
    during = [row for row in own if entered_at and row.joined_at <= entered_at <= (row.left_at or entered_at)]
    return any(row.is_house for row in during or own)
