"""Seats of absent entrants: a house player sits down, and the entrant gets the seat back if that was a mistake."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, Q
from django.utils.translation import gettext as _

from league.models import Block, Change, Credit, Entrant, Hanchan, HanchanSeat, Player, ResultSheet
from league.platform.errors import conflict

NO_SHOW = "entrant.no_show"
"""The kind of the change with the seat that a house player has taken."""


def open_seat(block: Block, number: int, entrant: Entrant) -> HanchanSeat | None:
    """Return the entrant's seat in a round of the block, or None; seats of hanchan called off do not count."""
    seats = HanchanSeat.objects.filter(hanchan__block=block, hanchan__number=number, entrant=entrant)
    on = seats.exclude(hanchan__state=Hanchan.State.ABANDONED).exclude(hanchan__table_session__is_cancelled=True)
    return on.select_related("hanchan__table_session__session", "hanchan__block").first()


def free_house_player(seat: HanchanSeat) -> Entrant:
    """Return the first house player of the competition who sits nowhere in the round of a seat.

    Raise ConflictError if there is none.
    """
    hanchan = seat.hanchan
    same = Q(hanchan__block=hanchan.block, hanchan__number=hanchan.number) | Q(
        hanchan__table_session__session=hanchan.table_session.session_id, hanchan__round=hanchan.round
    )
    on = HanchanSeat.objects.filter(same).exclude(hanchan__state=Hanchan.State.ABANDONED)
    sitting = on.exclude(hanchan__table_session__is_cancelled=True).values("player")
    house = Entrant.objects.filter(competition=hanchan.block.competition_id, is_house=True, withdrawn_at=None)
    found = house.exclude(player__in=sitting).select_related("player").order_by("number").first()
    if found is None:
        raise conflict(
            "no_house_player",
            _("No house player is free in this round. Add one, or let the table not play."),
            "/entrant",
        )
    return found


def no_shows_of(entrants: Iterable[Entrant]) -> dict[int, int]:
    """Return how often entrants were absent, by id: credits for it, and seats that a house player has taken."""
    ids = [one.pk for one in entrants]
    credited = Credit.objects.standing().filter(kind=Credit.Kind.NO_SHOW, entrant__in=ids)
    replaced = HanchanSeat.objects.filter(
        entrant__in=ids,
        entrant__is_house=False,
        player__entrants__competition=F("entrant__competition"),
        player__entrants__is_house=True,
    )
    found: dict[int, int] = {}
    for rows in (credited, replaced):
        for pk in rows.order_by().values_list("entrant", flat=True):
            found[pk] = found.get(pk, 0) + 1
    return found


def give_seat_back(credit: Credit) -> None:
    """Seat the entrant of an absence taken back again.

    Not if the hanchan has a result, or the house player or the entrant another seat in the round by now.
    """
    change = Change.objects.filter(
        competition=credit.block.competition_id, kind=NO_SHOW, subject_type="credit", subject_id=str(credit.pk)
    ).first()
    taken = (change.after or {}).get("seat") if change else None
    if taken is None:
        return
    entered = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    seats = HanchanSeat.objects.filter(hanchan=taken["hanchan"], entrant=taken["house"])
    has_result = ResultSheet.objects.filter(hanchan=taken["hanchan"], state__in=entered).exists()
    if not has_result and open_seat(credit.block, credit.number, credit.entrant) is None:
        player = Player.objects.get(pk=taken["player"])
        seats.update(entrant=credit.entrant_id, player=player.kept_id)
