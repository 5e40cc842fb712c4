"""Seats of hanchan: the one way to replace them, with what depends on who sits where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import F

from league.models import Entrant, Hanchan, HanchanSeat
from league.selectors.access.actors import Actor
from league.services.access.changes import OpenChange
from league.services.live.links import move_links
from league.services.seasons.line_up_rows import end_line_ups_of_others

Games = Sequence[tuple[Hanchan, Sequence[Entrant]]]
"""Hanchan of one competition with their entrants, in the order of seats."""


def is_any_known(hanchan: Sequence[Hanchan]) -> bool:
    """Return True if the public sees the seats of one of these hanchan, so that a change of them changes its pages."""
    return not hanchan or any(each.table_session.is_released for each in hanchan)


def write_seats(games: Games, change: OpenChange, by: Actor) -> None:
    """Seat exactly these entrants; the caller has locked the competition and settles its byes.

    1. A substitute named before follows the entrant within the round of a block. A team keeps the member who is named
       for it in the same hanchan.
    2. Line-ups of teams that no longer sit in a hanchan end.
    3. Players' links follow them to their tables.
    """
    hanchan = [game for game, _entrants in games]
    seats = list(_seats(games))
    HanchanSeat.objects.filter(hanchan__in=hanchan).delete()
    HanchanSeat.objects.bulk_create(seats)
    end_line_ups_of_others(hanchan, {(seat.hanchan_id, seat.entrant_id) for seat in seats}, change.n)
    move_links(hanchan, by)


def _seats(games: Games) -> Iterator[HanchanSeat]:
    """Yield the seats to be written; one who sits for oneself at a table is no substitute there."""
    blocks, numbers = {game.block_id for game, _entrants in games}, {game.number for game, _entrants in games}
    others = HanchanSeat.objects.filter(hanchan__block__in=blocks, hanchan__number__in=numbers)
    rows = others.exclude(player=F("entrant__player")).order_by("pk").select_related("hanchan", "entrant__player")
    members = {(row.hanchan_id, row.entrant_id): row.player_id for row in rows}
    substitutes = {
        (row.hanchan.block_id, row.hanchan.number, row.entrant_id): row.player_id
        for row in rows
        if not row.entrant.player.is_team
    }
    for game, entrants in games:
        own = {entrant.player_id for entrant in entrants}
        for seat, entrant in enumerate(entrants):
            place = (game.block_id, game.number, entrant.pk)
            named = members.get((game.pk, entrant.pk), substitutes.get(place))
            player = entrant.player_id if named is None or named in own else named
            yield HanchanSeat(hanchan=game, seat=seat, entrant=entrant, player_id=player)
