"""Merge two player entries of one person in leagues: the entrant stays and becomes the kept player's.

In a league the entrant scores: results, places, rulings and draws refer to the entrant's id and need no change.
Only the player behind the entrant is replaced, in each seat, and in what refers to people: memberships, line-ups,
penalties of a team's member, decisions of series, results in rankings.
"""

from __future__ import annotations

from itertools import product

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    Adjustment,
    Competition,
    Entrant,
    EventResult,
    HanchanSeat,
    LineUp,
    MoveDecision,
    OpeningBalance,
    Player,
    SeatResult,
    Series,
    TeamMember,
    Term,
)
from league.platform.errors import refuse
from league.selectors.access.actors import Actor
from league.services.access.changes import open_change
from league.services.people.pictures import record_edited_player


def refuse_both_in_league(duplicate: Player, keep: Player) -> None:
    """Raise if both players entered one league, or sat in one game.

    Two places in a league cannot become one: each has its own results and its own way through the stages.
    """
    names = {"one": duplicate, "other": keep}
    if duplicate.is_team != keep.is_team:
        raise refuse("team_and_person", _("%(one)s and %(other)s are a team and a person.") % names, "/duplicate")
    refuse_in_two_teams(duplicate, keep)
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


def refuse_in_two_teams(duplicate: Player, keep: Player) -> None:
    """Raise if one person would be in two teams of a competition on one day, or twice at a table.

    A person entered for themselves plays for no team of the same competition either.
    """
    names = {"one": duplicate, "other": keep}
    rows = [
        TeamMember.objects.standing().filter(player=player).select_related("entrant__competition")
        for player in (duplicate, keep)
    ]
    for own, other in product(*rows):
        is_same = own.entrant.competition_id == other.entrant.competition_id
        if is_same and own.entrant_id != other.entrant_id and own.overlaps(other):
            message = _(
                "%(one)s and %(other)s would be one person in two teams of “%(competition)s” on one day. End one "
                "membership first."
            )
            raise refuse("two_teams", message % {**names, "competition": own.entrant.competition}, "/duplicate")
    for one, members in zip((keep, duplicate), rows, strict=True):
        entered = Entrant.objects.filter(player=one, competition__in=members.values("entrant__competition"))
        both = entered.select_related("competition").first()
        if both is not None:
            message = _(
                "One of %(one)s and %(other)s is entered in “%(competition)s”, the other is a member of a team there: "
                "a person plays alone or for a team."
            )
            raise refuse("two_teams", message % {**names, "competition": both.competition}, "/duplicate")
    games = LineUp.objects.standing().filter(player=duplicate).values("hanchan")
    met = LineUp.objects.standing().filter(player=keep, hanchan__in=games).select_related("hanchan").first()
    if met is not None:
        message = _("%(one)s and %(other)s are named for one game (number %(game)s): they are two people.")
        raise refuse("two_people", message % {**names, "game": met.hanchan.number}, "/duplicate")


def refuse_both_decided(duplicate: Player, keep: Player) -> None:
    """Raise if both have a decision after one term, or an opening balance in one series: only one can hold."""
    decided = MoveDecision.objects.filter(player=duplicate, ended_at=None).values("term")
    balances = OpeningBalance.objects.filter(player=duplicate, ended_at=None).values("series")
    if (
        MoveDecision.objects.filter(player=keep, ended_at=None, term__in=decided).exists()
        or OpeningBalance.objects.filter(player=keep, ended_at=None, series__in=balances).exists()
    ):
        message = _("A decision of a series holds for both %(one)s and %(other)s. End one of the two first.")
        raise refuse("both_decided", message % {"one": duplicate, "other": keep}, "/duplicate")


def terms_joined(duplicate: Player, keep: Player) -> list[Term]:
    """Return the terms whose ranks may lead elsewhere once both are one person, by decisions, points or rosters."""
    entered = Q(terms__competitions__entrants__player=duplicate)
    decided = Q(terms__decisions__player=duplicate) | Q(opening_balances__player=duplicate)
    series = Series.objects.filter(entered | decided)
    own = Q(decisions__player=duplicate) | Q(competitions__entrants__player__in=[duplicate, keep])
    return list(Term.objects.filter(own, series__in=series.values("pk")).distinct().order_by("pk"))


def move_in_series(duplicate: Player, keep: Player) -> None:
    """Assign decisions of series and results in rankings to the kept player."""
    for model in (MoveDecision, OpeningBalance):
        model.objects.filter(player=duplicate).update(player=keep)
    # Where both have a result in an event, that event is computed again from its final table.
    known = EventResult.objects.filter(player=keep).values_list("event", flat=True)
    EventResult.objects.filter(player=duplicate).exclude(event__in=list(known)).update(player=keep)


def join_memberships(competition: Competition, duplicate: Player, keep: Player, made_n: int) -> int:
    """Make the duplicate's memberships the kept player's, and return their number.

    Two that overlap in one team become one from the first to the last day of both.
    """
    mine = list(TeamMember.objects.standing().filter(entrant__competition=competition, player=keep))
    moved = TeamMember.objects.filter(entrant__competition=competition, player=duplicate)
    for row in moved.standing():
        other = next((each for each in mine if each.entrant_id == row.entrant_id and each.overlaps(row)), None)
        if other is None:
            continue
        TeamMember.objects.filter(pk__in=[row.pk, other.pk]).update(ended_n=made_n)
        mine.remove(other)
        mine.append(
            TeamMember.objects.create(
                entrant=other.entrant,
                player=keep,
                since=None if None in (row.since, other.since) else min(row.since, other.since),
                until=None if None in (row.until, other.until) else max(row.until, other.until),
                order=min(row.order, other.order),
                is_captain=row.is_captain or other.is_captain,
                reason=other.reason,
                made_n=made_n,
            )
        )
    return moved.update(player=keep)


def move_seats(competition: Competition, duplicate: Player, keep: Player, by: Actor, reason: str) -> None:
    """Assign the duplicate's entrant and every seat in this competition to the kept player; the log keeps both ids."""
    change = open_change(competition, by)
    entrants = list(Entrant.objects.filter(competition=competition, player=duplicate).values_list("pk", flat=True))
    Entrant.objects.filter(pk__in=entrants).update(player=keep)
    seats = HanchanSeat.objects.filter(hanchan__block__competition=competition, player=duplicate)
    results = SeatResult.objects.filter(block__competition=competition, player=duplicate)
    recorded = change.record(
        "players.merged",
        keep,
        reason=reason,
        before={"player": duplicate.pk, "entrants": entrants},
        after={"player": keep.pk, "seats": seats.update(player=keep), "results": results.update(player=keep)},
    )
    join_memberships(competition, duplicate, keep, recorded.n)
    LineUp.objects.filter(entrant__competition=competition, player=duplicate).update(player=keep)
    Adjustment.objects.filter(block__competition=competition, player=duplicate).update(player=keep)


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
