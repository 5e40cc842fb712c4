"""Operations on a hanchan of which players are missing: an absence, and a walkover of the whole table."""

from __future__ import annotations

from fractions import Fraction

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.competitions.day_documents import NoShowInput, WalkoverInput
from league.api.competitions.writes import entrant_of
from league.api.idempotency import OPTIONAL_KEY
from league.api.results.documents import Submitted
from league.api.results.views import ChangingView, Done
from league.api.schema import describe_post
from league.models import Competition, Hanchan
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.competitions.arrivals import NoShowDecision, record_no_show
from league.services.results.walkovers import declare_walkover


class AbsenceView(ChangingView):
    """Base of the operations on a hanchan that is not played as scheduled."""

    http_method_names = ["post", "options"]

    def done(self, hanchan: Hanchan) -> Done:
        """Return the hanchan after the change."""
        return Done(hanchan, None, Competition.objects.get(pk=self.reader.competition.pk).version)

    def points(self, text: str | None) -> int | None:
        """Return an amount at the ranking ledger's scale. Raise RuleViolationError if it has too many decimals."""
        if text is None:
            return None
        try:
            return ruleset_of(rules_at(self.reader.competition)).ranking_ledger.stored(Fraction(text))
        except ValueError as fine:
            message = _("“%(text)s” has more decimals than this is counted in.") % {"text": text}
            raise refuse("too_fine", message, "/points") from fine


@describe_post("record_no_show", NoShowInput, Submitted, headers=(OPTIONAL_KEY,))
class NoShowView(AbsenceView):
    """Record that an entrant is absent from a hanchan; a house player takes the seat."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Record the absence, with the reason."""
        hanchan = self.hanchan()
        self.require_capability(Capability.RULE)
        values = NoShowInput.check(request.data)
        entrant = entrant_of(self.reader.competition, values["entrant"])
        points = self.points(values.get("points"))
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

        return self.run_once(change, 200)


@describe_post("declare_walkover", WalkoverInput, Submitted, headers=(OPTIONAL_KEY,))
class WalkoverView(AbsenceView):
    """Declare that a table does not play; the players who are there get points."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Declare the walkover, with the reason."""
        hanchan = self.hanchan()
        self.require_capability(Capability.MANAGE)
        values = WalkoverInput.check(request.data)
        points = self.points(values.get("points"))

        def change(by: Actor) -> Done:
            declare_walkover(hanchan=hanchan, by=by, reason=values["reason"], points=points, accept=values["accept"])
            return self.done(hanchan)

        return self.run_once(change, 200)
