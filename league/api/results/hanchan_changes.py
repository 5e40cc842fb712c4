"""Changes of a hanchan besides its result: substitutes, earlier revisions, and hanchan that are not played."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from league.api.competitions.writes import entrant_of, player_of
from league.api.fields import AcceptField, IdField, StrictSerializer
from league.api.idempotency import OPTIONAL_KEY
from league.api.results.documents import Submitted
from league.api.results.views import IF_MATCH, ChangingView, Done
from league.api.schema import describe_post
from league.selectors.access.actors import Actor, Capability
from league.services.results.corrections import revert_result
from league.services.results.results import abandon_hanchan, resume_hanchan
from league.services.results.sheets import right_to_correct
from league.services.results.substitutes import name_substitute


class SubstituteInput(StrictSerializer):
    """A player who sits for an entrant in this hanchan."""

    entrant = IdField(help_text="The entrant's id.")
    player = IdField(allow_null=True, help_text="The player's id; null when the entrant sits again.")
    reason = serializers.CharField(max_length=1000, help_text="Kept with the change.")
    accept = AcceptField()


class HanchanReasonInput(StrictSerializer):
    """A change of a hanchan with its reason, which is published."""

    reason = serializers.CharField(max_length=1000, help_text="Published with the change.")
    accept = AcceptField()


class AbandonInput(StrictSerializer):
    """A hanchan that is not played to its end."""

    reason = serializers.CharField(max_length=1000, help_text="Published with the change.")


@describe_post("name_substitute", SubstituteInput, Submitted, headers=(OPTIONAL_KEY,))
class SubstituteView(ChangingView):
    """Let a player sit for an entrant in this hanchan; the points stay the entrant's."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Name the substitute, or let the entrant sit again."""
        hanchan = self.changeable_hanchan(Capability.SUBMIT)
        values = SubstituteInput.check(request.data)
        entrant = entrant_of(self.reader.competition, values["entrant"])
        player = None if values["player"] is None else player_of(values["player"])

        def change(by: Actor) -> Done:
            name_substitute(hanchan=hanchan, by=by, **{**values, "entrant": entrant, "player": player})
            return self.done(hanchan)

        return self.run_once(change)


@describe_post("revert_result", HanchanReasonInput, Submitted, headers=(OPTIONAL_KEY, IF_MATCH))
class RevertView(ChangingView):
    """Submit an earlier revision again as the newest; If-Match names the revision that counts now."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Revert to the revision, with the reason."""
        hanchan = self.changeable_hanchan(Capability.CORRECT)
        values = HanchanReasonInput.check(request.data)
        corrects = self.corrected_revision()

        def change(by: Actor) -> Done:
            sheet = revert_result(hanchan=hanchan, revision=self.kwargs["revision"], corrects=corrects, by=by, **values)
            return Done(hanchan, sheet, sheet.confirmed_n or sheet.entered_n)

        return self.run_once(change)


@describe_post("abandon_hanchan", AbandonInput, Submitted, headers=(OPTIONAL_KEY,))
class AbandonView(ChangingView):
    """Mark a hanchan without a result as abandoned, with the reason."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Abandon the hanchan."""
        hanchan = self.hanchan()
        self.require_capability(right_to_correct(hanchan))
        values = AbandonInput.check(request.data)

        def change(by: Actor) -> Done:
            abandon_hanchan(hanchan=hanchan, by=by, **values)
            return self.done(hanchan)

        return self.run_once(change)


@describe_post("resume_hanchan", HanchanReasonInput, Submitted, headers=(OPTIONAL_KEY,))
class ResumeView(ChangingView):
    """Undo abandoning a hanchan, with the reason: it is played, or goes on from its log."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Resume the hanchan."""
        hanchan = self.changeable_hanchan(Capability.CORRECT)
        values = HanchanReasonInput.check(request.data)

        def change(by: Actor) -> Done:
            resume_hanchan(hanchan=hanchan, by=by, **values)
            return self.done(hanchan)

        return self.run_once(change)
