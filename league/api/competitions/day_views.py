"""Operations on the day of an event: check entrants in, and record who leaves."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from rest_framework.request import Request

from league.api.competitions.day_documents import EntrantState, LeaveInput, entrant_state
from league.api.competitions.writes import CompetitionWriteView
from league.api.writing import Checked, describe_write
from league.models import Departure
from league.selectors.access.actors import Actor, Capability
from league.selectors.access.readers import Reader
from league.services.competitions.arrivals import check_in, take_check_in_back
from league.services.competitions.departures import disqualify, withdraw


class EntrantView(CompetitionWriteView):
    """Base of the operations on one entrant of a competition."""

    def write(self, reader: Reader) -> EntrantState:
        """Return the entrant as it is now."""
        return entrant_state(reader, self.entrant_of_path())


@describe_write("check_in", None, EntrantState)
@describe_write("take_check_in_back", None, EntrantState, method="delete")
class CheckInView(EntrantView):
    """Record that an entrant has come; twice changes nothing. DELETE takes it back."""

    http_method_names = ["post", "delete", "options"]
    capability = Capability.SUBMIT

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Check the entrant in."""
        return self.record()

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Record that an entrant was checked in by mistake."""
        return self.record()

    def record(self) -> HttpResponse:
        """Check the permission and make the change; no body is read."""
        self.locate()
        return self.run_once(lambda by: self.change({}, by))

    def change(self, values: Checked, by: Actor) -> EntrantState:
        """Check the entrant in, or take that back."""
        record = take_check_in_back if self.request.method == "DELETE" else check_in
        record(entrant=self.entrant_of_path(), by=by)
        return self.write(self.reader)


class LeaveView(EntrantView):
    """Base of the operations by which an entrant leaves."""

    input_class = LeaveInput
    leave: Callable[..., Departure]

    def change(self, values: Checked, by: Actor) -> EntrantState:
        """Let the entrant leave, with the reason."""
        type(self).leave(entrant=self.entrant_of_path(), by=by, **values)
        return self.write(self.reader)


@describe_write("withdraw", LeaveInput, EntrantState)
class WithdrawView(LeaveView):
    """Withdraw an entrant: the results stay, and the rank follows from the format."""

    leave = staticmethod(withdraw)


@describe_write("disqualify", LeaveInput, EntrantState)
class DisqualifyView(LeaveView):
    """Disqualify an entrant: no rank, and passed over where places lead on."""

    leave = staticmethod(disqualify)
