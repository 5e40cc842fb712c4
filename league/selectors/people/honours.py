"""Awards (表彰) that a player has won over all competitions that the visitor may read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.core.cache import cache

from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.people.careers import Career
from league.selectors.rulebooks.rules_in_force import format_of, remember_rules, rules_of
from league.selectors.seasons.members import awards_of
from scoring.format.team import Award

KEPT_SECONDS = 24 * 3600

Holders = tuple[tuple[str, frozenset[int]], ...]
"""Each award that is decided by its key, with the ids of the players who won it."""


@dataclass(frozen=True, slots=True)
class AwardWon:
    """An award of a competition that the player has won, alone or level with others."""

    reader: Reader
    award: Award
    is_shared: bool


def awards_won(career: Career) -> tuple[AwardWon, ...]:
    """Return the awards that the player has won, those of the newest competition first."""
    return tuple(_won(career))


def _won(career: Career) -> Iterator[AwardWon]:
    remember_rules(career.readers)
    for reader in career.readers:
        known = {award.key: award for award in format_of(rules_of(reader)).awards}
        for key, holders in _holders(reader) if known else ():
            if career.player.pk in holders:
                yield AwardWon(reader, known[key], is_shared=len(holders) > 1)


def _holders(reader: Reader) -> Holders:
    """Return the winners of a competition's decided awards, kept until its next published version."""
    key = f"awards:{etag_of(reader, 'awards')}"
    kept: Holders | None = cache.get(key)
    if kept is None:
        kept = tuple(
            (each.award.key, frozenset(each.person(holder).player.pk for holder in each.ranking.holders))
            for each in awards_of(reader)
            if each.is_final
        )
        cache.set(key, kept, KEPT_SECONDS)
    return kept
