"""Views of decisions: rulings on ties, adjustments, who advances; each with a preview, and taken back with a reason."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import TypedDict

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.competitions.writes import CompetitionWriteView, ranking_points
from league.api.fields import StrictSerializer
from league.api.results.decision_documents import (
    KINDS,
    AdjustmentInput,
    DecisionMade,
    DecisionPreview,
    DecisionsDocument,
    EntrantDecisionInput,
    OverrideInput,
    ReasonedInput,
    SwapSlotsInput,
    TieInput,
    decision_document,
    decision_preview,
    decisions_of,
    decisions_of_kind,
)
from league.api.results.documents import Effects
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import Competition, Player, Slot
from league.models.rulings import Decided
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.results.preview import preview_change
from league.services.results.rulings import (
    adjust_points,
    override_slot,
    pass_over,
    rule_on_tie,
    swap_slots,
    take_back,
)
from scoring.ruleset import Ledger


class Reasoned(TypedDict):
    """The arguments of every decision: its actor, the reason, and the warnings that are accepted."""

    by: Actor
    reason: str
    accept: Collection[str]


def reasoned(values: Checked, by: Actor) -> Reasoned:
    """Return actor, reason and accepted warnings of a decision as arguments of its service."""
    return {"by": by, "reason": values["reason"], "accept": values["accept"]}


class DecisionView(CompetitionWriteView):
    """Base of decisions; a preview makes the decision and rolls it back."""

    creates = True

    def ledger(self) -> Ledger:
        """Return the ledger that ranks."""
        return ruleset_of(rules_at(self.competition)).ranking_ledger

    def write(self, reader: Reader) -> DecisionsDocument:
        """Return all decisions that hold."""
        ledger = self.ledger()
        rows = [decision_document(row, reader.competition, ledger) for row in decisions_of(reader.competition)]
        return DecisionsDocument(results=rows)

    def make_change(self, input_class: type[StrictSerializer]) -> HttpResponse:
        """Make the decision, or return what it would change."""
        if not self.is_preview:
            return super().make_change(input_class)
        self.locate()
        by = actor_of(self.request)
        values: Checked = input_class.check(self.request.data or {})
        effect = preview_change(competition=self.competition, act=lambda: self.decide(values, by))
        return Response(decision_preview(effect, self.ledger()))

    def change(self, values: Checked, by: Actor) -> DecisionMade:
        """Make the decision and return it."""
        made = self.decide(values, by)
        version = Competition.objects.values_list("version", flat=True).get(pk=self.competition.pk)
        shown = None if made is None else decision_document(made, self.competition, self.ledger())
        return DecisionMade(decision=shown, effects=Effects(version=version, is_published=False))

    @abstractmethod
    def decide(self, values: Checked, by: Actor) -> Decided | None:
        """Make the decision through its service; None if it ended one."""


@describe_get("list_decisions", DecisionsDocument, refusals=(403,))
class DecisionsView(DecisionView):
    """List the decisions of organizers that hold: rulings, adjustments, who advances, closings, draws, absences."""

    http_method_names = ["get", "head", "options"]

    def decide(self, values: Checked, by: Actor) -> None:
        """Decide nothing: this address is read only."""


@describe_write("rule_on_tie", TieInput, DecisionMade)
class TieView(DecisionView):
    """Rule on a tie: put the entrants that no result separates in order, with the reason."""

    capability = Capability.RULE
    input_class = TieInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Give the ruling."""
        return rule_on_tie(
            competition=self.competition,
            scope=values["scope"],
            order=[self.entrant(pk, f"/order/{index}") for index, pk in enumerate(values["order"])],
            **reasoned(values, by),
        )


@describe_write("preview_rule_on_tie", TieInput, DecisionPreview)
class TiePreviewView(TieView):
    """Return the ranks and slots that a ruling on a tie would change. Nothing is written."""

    is_preview = True


@describe_write("adjust_points", AdjustmentInput, DecisionMade)
class AdjustmentView(DecisionView):
    """Give or take points outside a hanchan, such as a penalty that the rules list, with the reason."""

    capability = Capability.RULE
    input_class = AdjustmentInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Adjust the points."""
        points = ranking_points(self.competition, values["points"])
        return adjust_points(
            block=self.block_of_path(),
            entrant=self.entrant(values["entrant"]),
            points=points,
            member=self.member(values.get("player")),
            cause=values["cause"],
            **reasoned(values, by),
        )

    def member(self, pk: int | None) -> Player | None:
        """Return the player of this id; raise RuleViolationError for an unknown one."""
        if pk is None:
            return None
        player = Player.objects.filter(pk=pk).first()
        if player is None:
            raise refuse("unknown_player", _("There is no such player."), "/player")
        return player


@describe_write("preview_adjust_points", AdjustmentInput, DecisionPreview)
class AdjustmentPreviewView(AdjustmentView):
    """Return the ranks and slots that an adjustment would change. Nothing is written."""

    is_preview = True


@describe_write("pass_over_entrant", EntrantDecisionInput, DecisionMade)
class PassOverView(DecisionView):
    """Keep an entrant of a block from advancing; the next in rank go up."""

    input_class = EntrantDecisionInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Pass the entrant over."""
        return pass_over(
            block=self.block_of_path(),
            entrant=self.entrant(values["entrant"]),
            **reasoned(values, by),
        )


@describe_write("preview_pass_over_entrant", EntrantDecisionInput, DecisionPreview)
class PassOverPreviewView(PassOverView):
    """Return the slots that passing an entrant over would change. Nothing is written."""

    is_preview = True


class SlotDecisionView(DecisionView):
    """Base of decisions about a slot of a block."""

    def slot(self) -> Slot:
        """Return the slot of the path. Raise Http404 for an unknown number."""
        rows = Slot.objects.select_related("block__competition").filter(block=self.block_of_path())
        return get_object_or_404(rows, number=self.kwargs["number"])


@describe_write("override_slot", OverrideInput, DecisionMade)
class OverrideView(SlotDecisionView):
    """Fill a slot from another source, or with an entrant by id."""

    input_class = OverrideInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Fill the slot."""
        if ("source" in values) == ("entrant" in values):
            raise refuse("source_or_entrant", _("Name either a source or an entrant."), "/source")
        return override_slot(
            slot=self.slot(),
            source=values.get("source", "ruling"),
            entrant=self.entrant(values["entrant"]) if "entrant" in values else None,
            **reasoned(values, by),
        )


@describe_write("preview_override_slot", OverrideInput, DecisionPreview)
class OverridePreviewView(OverrideView):
    """Return the slots that another source would change. Nothing is written."""

    is_preview = True


@describe_write("swap_slots", SwapSlotsInput, DecisionMade)
class SwapSlotsView(SlotDecisionView):
    """Exchange two slots: each is filled from where the other was filled from."""

    input_class = SwapSlotsInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Exchange the slots."""
        rows = Slot.objects.select_related("block__competition").filter(block__competition=self.competition)
        other = rows.filter(block__key=values["block"], number=values["slot"]).first()
        if other is None:
            raise refuse("unknown_slot", _("There is no such slot in this competition."), "/slot")
        first, _second = swap_slots(first=self.slot(), second=other, **reasoned(values, by))
        return first


@describe_write("preview_swap_slots", SwapSlotsInput, DecisionPreview)
class SwapSlotsPreviewView(SwapSlotsView):
    """Return the slots that an exchange would change. Nothing is written."""

    is_preview = True


@describe_write("take_decision_back", ReasonedInput, DecisionMade)
class TakeBackView(DecisionView):
    """Take a decision back, with the reason; its row stays in the log."""

    creates = False
    input_class = ReasonedInput

    def decide(self, values: Checked, by: Actor) -> None:
        """Take the decision back."""
        kind = KINDS.get(self.kwargs["decision_kind"])
        if kind is None:
            raise Http404
        row = get_object_or_404(decisions_of_kind(kind, self.competition), pk=self.kwargs["pk"])
        take_back(
            decision=row,
            competition=self.competition,
            **reasoned(values, by),
        )


@describe_write("preview_take_decision_back", ReasonedInput, DecisionPreview)
class TakeBackPreviewView(TakeBackView):
    """Return the ranks and slots that taking a decision back would change. Nothing is written."""

    is_preview = True
