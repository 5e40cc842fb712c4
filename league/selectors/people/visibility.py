"""Visibility of people's names and of ledgers for an audience.

In a league all entrants play under their own names. At an open table the public sees only guests that opted in,
under the handles they chose, and of their results no chips, prizes or fees.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from league.models import Competition, Entrant, Player
from league.selectors.access.readers import Reader, visible_competitions
from scoring.ruleset import Ledger, Ruleset
from scoring.ruleset.ledgers import Unit


@dataclass(frozen=True, slots=True)
class VisibleNames:
    """The names of a person as an audience may see them."""

    name: str
    kana: str
    romaji: str
    affiliation: str


def person_shown(reader: Reader, player: Player, affiliation: str = "") -> VisibleNames | None:
    """Return the person as the reader's audience may see them; None if hidden."""
    if not guards_guests(reader):
        return VisibleNames(player.name, player.name_kana, player.name_romaji, affiliation)
    if player.is_public and player.handle:
        return VisibleNames(player.handle, "", "", "")
    return None


def hide_behind_handle(player: Player) -> bool:
    """Return True if the player opted in under a handle, and replace the names on the instance by it."""
    if not (player.is_public and player.handle):
        return False
    # Changes the instance in memory so that no template can show the real name; never save it.
    player.name, player.name_kana, player.name_romaji = player.handle, "", ""
    # A chosen character is usually the first of the name.
    player.mark_glyph = player.picture = ""
    return True


def ledgers_shown(reader: Reader, rules: Ruleset) -> tuple[Ledger, ...]:
    """Return the ledgers visible to the reader's audience; fees in yen and guests' prizes are for staff only."""
    if reader.is_staff:
        return rules.ledgers
    if guards_guests(reader):
        return tuple(ledger for ledger in rules.ledgers if ledger.unit is Unit.LEAGUE_POINTS)
    return tuple(ledger for ledger in rules.ledgers if ledger.unit is not Unit.YEN)


def guards_guests(reader: Reader) -> bool:
    """Return True if the reader sees an open table from outside."""
    return reader.competition.kind == Competition.Kind.OPEN and not reader.is_staff


def listed_players() -> QuerySet[Player]:
    """Return the players whose pages search engines may list: those entered in a league that the public may read."""
    leagues = visible_competitions(None).filter(kind=Competition.Kind.LEAGUE)
    entered = Entrant.objects.filter(competition__in=leagues).values("player")
    return Player.objects.filter(pk__in=entered, merged_into=None, erased_at=None)
