"""Views of the chairs of a sitting: guests sit down, leave, change chairs, and are stood in for."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _

from league.api.parlour.sitting_documents import SittingDocument
from league.api.parlour.sitting_inputs import (
    HousePlayerInput,
    JoinInput,
    LastGameInput,
    LeaveChairInput,
    MoveInput,
    StandInInput,
    SwapInput,
)
from league.api.parlour.sitting_views import SittingWriteView
from league.api.writing import Checked, describe_write
from league.models import SittingSeat
from league.platform.errors import conflict
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import running
from league.services.parlour.chairs import move_guest, swap_guests
from league.services.parlour.sittings import join, leave, mark_last_game, set_house, set_stand_in


class ChairView(SittingWriteView):
    """Base of the changes of one chair that is taken."""

    def seat(self) -> SittingSeat:
        """Return the guest's seat on the chair of the path."""
        return self.seat_at(self.kwargs["pk"], self.kwargs["chair"])

    def seat_at(self, sitting: int, chair: int) -> SittingSeat:
        """Return the seat on a chair. Raise Http404 for an unknown chair, ConflictError for an empty one."""
        table = running(self.sitting(sitting))
        if not 0 <= chair < len(table.chairs):
            raise Http404
        seat = table.chairs[chair]
        if seat is None:
            message = _("No guest sits on chair %(chair)s of table %(table)s.") % {"chair": chair, "table": table.table}
            raise conflict("chair_empty", message)
        # The row with its sitting and book, as the services read them.
        rows = SittingSeat.objects.select_related("sitting__table_session__competition", "entrant__player")
        return rows.get(pk=seat.pk)


@describe_write("join_sitting", JoinInput, SittingDocument, match=True)
class SittingSeatsView(SittingWriteView):
    """Seat a guest on an empty chair; the guest leaves the waiting list."""

    creates = True
    input_class = JoinInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Seat the guest."""
        sitting = self.sitting(self.kwargs["pk"])
        guest = self.guest(sitting.table_session.competition, values, by)
        join(sitting=sitting, seat=values["chair"], guest=guest, by=by, at=values.get("at"))
        return self.build()


@describe_write("leave_chair", LeaveChairInput, SittingDocument, match=True)
class LeaveChairView(ChairView):
    """Free a chair; what the guest owes stays due until the guest settles up."""

    input_class = LeaveChairInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Free the chair."""
        leave(seat=self.seat(), by=by, at=values.get("at"))
        return self.build()


@describe_write("mark_last_game", LastGameInput, SittingDocument, match=True)
class ChairLastGameView(ChairView):
    """Mark that a guest leaves after the current game, or remove the mark."""

    input_class = LastGameInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Set or remove the mark."""
        mark_last_game(seat=self.seat(), by=by, is_last=values["is_last"])
        return self.build()


@describe_write("set_stand_in", StandInInput, SittingDocument, match=True)
class StandInView(ChairView):
    """Let a player stand in for a guest, or end that; the results stay the guest's."""

    input_class = StandInInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Set the stand-in."""
        player = None if values["player"] is None else self.player(values["player"])
        set_stand_in(seat=self.seat(), player=player, by=by, stays=values["stays"])
        return self.build()


@describe_write("set_house_player", HousePlayerInput, SittingDocument, match=True)
class HousePlayerView(ChairView):
    """Mark that a person plays for the house, or for themselves."""

    input_class = HousePlayerInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Set or remove the mark."""
        set_house(seat=self.seat(), by=by, is_house=values["is_house"])
        return self.build()


@describe_write("swap_guests", SwapInput, SittingDocument, match=True)
class SwapChairsView(ChairView):
    """Let two guests change chairs, at one table or between two."""

    input_class = SwapInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Swap the guests."""
        other = self.seat_at(values.get("sitting") or self.kwargs["pk"], values["chair"])
        swap_guests(one=self.seat(), other=other, by=by, at=values.get("at"))
        return self.build()


@describe_write("move_guest", MoveInput, SittingDocument, match=True)
class MoveView(ChairView):
    """Move a guest to an empty chair of this or another table."""

    input_class = MoveInput

    def change(self, values: Checked, by: Actor) -> SittingDocument:
        """Move the guest."""
        to = self.sitting(values.get("sitting") or self.kwargs["pk"])
        move_guest(seat=self.seat(), sitting=to, chair=values["chair"], by=by, at=values.get("at"))
        return self.build()
