"""Merge two player entries of one person in leagues: the entrant stays and becomes the kept player's.

In a league the entrant scores: results, places, rulings and draws refer to the entrant's id and need no change.
Only the player behind the entrant, and in each seat, is replaced.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Competition, Entrant, HanchanSeat, Player, SeatResult
from league.platform.errors import refuse
from league.selectors.access.actors import Actor
from league.services.access.changes import open_change
from league.services.people.pictures import record_edited_player


def leagues_of(player: Player) -> list[Competition]:
    """Return the leagues that a player entered or sat in, also as a substitute."""
    ids = {
        *Entrant.objects.filter(player=player).values_list("competition", flat=True),
        *SeatResult.objects.filter(player=player).values_list("block__competition", flat=True),
        *HanchanSeat.objects.filter(player=player).values_list("hanchan__block__competition", flat=True),
    }
    return list(Competition.objects.filter(pk__in=ids, kind=Competition.Kind.LEAGUE).order_by("pk"))


def refuse_both_in_league(duplicate: Player, keep: Player) -> None:
    """Raise if both players entered one league, or sat in one game.

    Two places in a league cannot become one: each has its own results and its own way through the stages.
    """
    names = {"one": duplicate, "other": keep}
    own = Entrant.objects.filter(player=duplicate, competition__kind=Competition.Kind.LEAGUE).values("competition")
    both = Entrant.objects.filter(player=keep, competition__in=own).select_related("competition").first()
    if both is not None:
        message = _(
            "%(one)s and %(other)s both entered “%(competition)s”. Withdraw one of them there, or leave the entries as "
            "they are: two places in one league cannot be made one."
        )
        raise refuse("both_entered", message % {**names, "competition": both.competition}, "/duplicate")
    games = HanchanSeat.objects.filter(player=duplicate).values("hanchan")
    met = HanchanSeat.objects.filter(player=keep, hanchan__in=games).select_related("hanchan").first()
    sheets = SeatResult.objects.filter(player=duplicate).values("sheet")
    sat = SeatResult.objects.filter(player=keep, sheet__in=sheets).select_related("sheet__hanchan").first()
    if met is not None or sat is not None:
        number = met.hanchan.number if met is not None else sat.sheet.hanchan.number if sat is not None else 0
        message = _("%(one)s and %(other)s sat in one game (number %(game)s): they are two people.")
        raise refuse("two_people", message % {**names, "game": number}, "/duplicate")


def move_in_league(competition: Competition, duplicate: Player, keep: Player, by: Actor, reason: str) -> None:
    """Assign the duplicate's entrant and every seat in this league to the kept player; the log keeps both ids."""
    change = open_change(competition, by)
    entrants = list(Entrant.objects.filter(competition=competition, player=duplicate).values_list("pk", flat=True))
    Entrant.objects.filter(pk__in=entrants).update(player=keep)
    seats = HanchanSeat.objects.filter(hanchan__block__competition=competition, player=duplicate)
    results = SeatResult.objects.filter(block__competition=competition, player=duplicate)
    change.record(
        "players.merged",
        keep,
        reason=reason,
        before={"player": duplicate.pk, "entrants": entrants},
        after={"player": keep.pk, "seats": seats.update(player=keep), "results": results.update(player=keep)},
    )


def takes_picture(duplicate: Player, keep: Player) -> bool:
    """Return True if the kept player will show the duplicate's picture."""
    return bool(duplicate.picture and not keep.picture)


def move_pictures(duplicate: Player, keep: Player, by: Actor) -> None:
    """Give the duplicate's pictures to the kept player, who shows the duplicate's if they have none."""
    known = list(keep.pictures.values_list("sha256", flat=True))
    duplicate.pictures.exclude(sha256__in=known).update(player=keep)
    if takes_picture(duplicate, keep):
        keep.picture = duplicate.picture
        keep.save(update_fields=["picture"])
        record_edited_player(keep, ["picture"], by)
    Player.objects.filter(pk=duplicate.pk).update(picture="")
