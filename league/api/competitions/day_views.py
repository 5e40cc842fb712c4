"""Operations on the day of an event: check entrants in, and record who leaves."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.competitions.day_documents import EntrantState, LeaveInput, LeaveValues, entrant_state
from league.api.schema import COMMON_STATUSES, LANGUAGE, describe_post, problems
from league.api.throttles import ReadThrottle, WriteThrottle
from league.models import Departure, Entrant
from league.selectors.access.actors import Capability, require
from league.selectors.access.readers import Reader
from league.services.competitions.arrivals import check_in, take_check_in_back
from league.services.competitions.departures import disqualify, withdraw

NO_LONGER = extend_schema(
    operation_id="take_check_in_back",
    description="Record that an entrant was checked in by mistake.",
    parameters=[LANGUAGE],
    request=None,
    responses={(200, "application/json"): EntrantState, **problems(*COMMON_STATUSES, 403, 404, 409, 422)},
)


class EntrantView(CompetitionView):
    """Base of the operations on one entrant of a competition."""

    http_method_names = ["post", "options"]
    throttle_classes = [ReadThrottle, WriteThrottle]
    capability = Capability.MANAGE

    def find_entrant(self) -> Entrant:
        """Return the entrant. Raise Http404 for an unknown one, PermissionRefusedError without the capability."""
        self.find(slug=self.kwargs["slug"])
        require(actor_of(self.request), self.reader.competition, self.capability)
        rows = Entrant.objects.filter(competition=self.reader.competition, merged_into=None)
        return get_object_or_404(rows.select_related("player", "competition"), pk=self.kwargs["pk"])

    def write(self, reader: Reader) -> EntrantState:
        """Return the entrant as it is now."""
        row = Entrant.objects.select_related("player").get(pk=self.kwargs["pk"])
        return entrant_state(reader, row)

    def state(self) -> HttpResponse:
        """Return the response with the entrant after the change."""
        return Response(self.write(self.reader), status=HTTPStatus.OK)


@describe_post("check_in", None, EntrantState)
@extend_schema_view(delete=NO_LONGER)
class CheckInView(EntrantView):
    """Record that an entrant has come; twice changes nothing. DELETE takes it back."""

    http_method_names = ["post", "delete", "options"]
    capability = Capability.SUBMIT

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Check the entrant in."""
        check_in(entrant=self.find_entrant(), by=actor_of(request))
        return self.state()

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take the check-in back."""
        take_check_in_back(entrant=self.find_entrant(), by=actor_of(request))
        return self.state()


class LeaveView(EntrantView):
    """Base of the operations by which an entrant leaves."""

    leave: Callable[..., Departure]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Let the entrant leave, with the reason."""
        entrant = self.find_entrant()
        values: LeaveValues = LeaveInput.check(request.data).validated_data
        type(self).leave(
            entrant=entrant, by=actor_of(request), reason=values["reason"], accept=values.get("accept", ())
        )
        return self.state()


@describe_post("withdraw", LeaveInput, EntrantState)
class WithdrawView(LeaveView):
    """Withdraw an entrant: the results stay, and the rank follows from the format."""

    leave = staticmethod(withdraw)


@describe_post("disqualify", LeaveInput, EntrantState)
class DisqualifyView(LeaveView):
    """Disqualify an entrant: no rank, and passed over where places lead on."""

    leave = staticmethod(disqualify)
