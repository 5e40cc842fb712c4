"""Players and teams of series: found by name, and their way through the terms."""

from __future__ import annotations

from league.models import Player
from league.selectors.people.search import folded


def people_named(text: str) -> list[Player]:
    """Return the players or teams with this key, or else with exactly this name or reading, in any spelling.

    Those whose data was erased are among them, under the names that pages show: they may have to leave a series.
    """
    known = Player.objects.filter(merged_into=None)
    by_key = known.filter(key=text).first()
    if by_key is not None:
        return [by_key]
    wanted = folded(text)
    names = known.values_list("pk", "name", "name_kana", "name_romaji")
    # Compared in Python: the two databases fold neither kana nor capitals alike.
    found = [pk for pk, *named in names if wanted and wanted in map(folded, named)]
    return list(known.filter(pk__in=found).order_by("pk"))
