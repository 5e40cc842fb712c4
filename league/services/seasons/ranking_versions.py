"""Versions of rankings: a new one whenever the public reads something else of an event, or the rules change.

Webhooks tell of versions, so what the public may not read never makes one.
"""

from __future__ import annotations

from django.db.models import F

from league.models import EventListed, Ranking
from league.selectors.seasons.game_lines import games_digest
from league.selectors.seasons.rankings import rules_of_ranking

UNKNOWN = "?"
"""The public digest of rows that were written before there was one."""


def public_digest(event: EventListed) -> str:
    """Return a digest of what the public reads of an event in its ranking; empty while nothing of it counts."""
    if not event.competition.is_readable_by_public:
        return ""
    return games_digest(event) if rules_of_ranking(event.ranking).is_by_games else event.digest


def note_public_change(event: EventListed, found: str) -> None:
    """Give the ranking a new version if what counts of an event has changed; the caller holds the ranking's lock."""
    before = event.public_digest
    if found == before:
        return
    # Rows of earlier releases have no digest yet: what they count is no news.
    is_first_look = before == UNKNOWN
    changed = {} if is_first_look else {"changed_n": next_version(event.ranking_id)}
    if found and (is_first_look or not before):
        changed["counted_n"] = changed.get("changed_n", 0)
    EventListed.objects.filter(pk=event.pk).update(public_digest=found, **changed)
    event.public_digest = found


def next_version(ranking_id: int) -> int:
    """Take the next version of a ranking whose row is locked."""
    rows = Ranking.objects.filter(pk=ranking_id)
    rows.update(version=F("version") + 1)
    return rows.values_list("version", flat=True).get()
