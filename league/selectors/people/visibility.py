"""Visibility of people's names and of ledgers for an audience.

In a league all entrants play under their own names. At an open table the public sees only guests that opted in,
under the handles they chose, and of their results no chips, prizes or fees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.models import Competition, Entrant, Player, TeamMember
from league.selectors.access.readers import Reader, Visitor, visible_competitions
from scoring.ruleset import Ledger, Ruleset
from scoring.ruleset.ledgers import Unit


@dataclass(frozen=True, slots=True)
class VisibleNames:
    """The names of a person as an audience may see them."""

    name: str
    kana: str
    romaji: str
    affiliation: str = ""
    country: str = ""


def person_shown(reader: Reader, player: Player, entered: Entrant | None = None) -> VisibleNames | None:
    """Return the person as the reader's audience may see them, affiliation and country as entered; None if hidden."""
    if not reader.guards_guests:
        of_season = (entered.affiliation, entered.country) if entered else ()
        return VisibleNames(player.name, player.name_kana, player.name_romaji, *of_season)
    if player.is_public and player.handle:
        return VisibleNames(player.handle, "", "")
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
    if reader.guards_guests:
        return tuple(ledger for ledger in rules.ledgers if ledger.unit is Unit.LEAGUE_POINTS)
    return tuple(ledger for ledger in rules.ledgers if ledger.unit is not Unit.YEN)


def players_in(competitions: Iterable[int]) -> QuerySet[Player]:
    """Return the people and teams entered in these competitions, and the members of these teams."""
    ids = list(competitions)
    entered = Entrant.objects.filter(competition__in=ids).values("player")
    members = TeamMember.objects.standing().filter(entrant__competition__in=ids).values("player")
    return Player.objects.filter(Q(pk__in=entered) | Q(pk__in=members))


def listed_players() -> QuerySet[Player]:
    """Return the players whose pages search engines may list: those entered in a league that the public may read."""
    leagues = visible_competitions(None).filter(kind=Competition.Kind.LEAGUE)
    return players_in(leagues.values_list("pk", flat=True)).filter(merged_into=None, erased_at=None)


def kept_player(key: str, visitor: Visitor | None) -> Player | None:
    """Return the player into whom the entry with this key was merged; None unless seen by the visitor in a league."""
    leagues = visible_competitions(visitor).filter(kind=Competition.Kind.LEAGUE)
    return players_in(leagues.values_list("pk", flat=True)).filter(duplicates__key=key, erased_at=None).first()
