"""Operations on a hanchan of which players are missing: an absence, and a walkover of the whole table."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from league.api.competitions.day_documents import NoShowInput, WalkoverInput
from league.api.competitions.writes import entrant_of, ranking_points
from league.api.idempotency import OPTIONAL_KEY
from league.api.results.documents import Submitted
from league.api.results.views import ChangingView, Done
from league.api.schema import describe_post
from league.selectors.access.actors import Actor, Capability
from league.services.competitions.arrivals import NoShowDecision, record_no_show
from league.services.results.walkovers import declare_walkover


@describe_post("record_no_show", NoShowInput, Submitted, headers=(OPTIONAL_KEY,))
class NoShowView(ChangingView):
    """Record that an entrant is absent from a hanchan; a house player takes the seat."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Record the absence, with the reason."""
        hanchan = self.changeable_hanchan(Capability.RULE)
        values = NoShowInput.check(request.data)
        entrant = entrant_of(self.reader.competition, values["entrant"])
        points = ranking_points(self.reader.competition, values["points"]) if "points" in values else None
        decides = points is not None or values["is_last"]

        def change(by: Actor) -> Done:
            record_no_show(
                block=hanchan.block,
                number=hanchan.number,
                entrant=entrant,
                by=by,
                reason=values["reason"],
                decision=NoShowDecision(points, is_last=values["is_last"]) if decides else None,
                accept=values["accept"],
            )
            return self.done(hanchan)

        return self.run_once(change)


@describe_post("declare_walkover", WalkoverInput, Submitted, headers=(OPTIONAL_KEY,))
class WalkoverView(ChangingView):
    """Declare that a table does not play; the players who are there get points."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Declare the walkover, with the reason."""
        hanchan = self.changeable_hanchan(Capability.MANAGE)
        values = WalkoverInput.check(request.data)
        points = ranking_points(self.reader.competition, values["points"]) if "points" in values else None

        def change(by: Actor) -> Done:
            declare_walkover(hanchan=hanchan, by=by, reason=values["reason"], points=points, accept=values["accept"])
            return self.done(hanchan)

        return self.run_once(change)
