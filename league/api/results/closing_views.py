"""Views of decisions about blocks and stages as a whole: ending a block early, drawing a stage."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from rest_framework import serializers

from league.api.results.decision_documents import DecisionMade, DecisionPreview, ReasonedInput
from league.api.results.decision_views import DecisionView, reasoned
from league.api.writing import Checked, describe_write
from league.models import Stage
from league.models.rulings import Decided
from league.selectors.access.actors import Actor
from league.services.results.rulings import close_block, draw_stage

LONGEST_SEED = 64


class DrawStageInput(ReasonedInput):
    """A draw of a stage."""

    seed = serializers.CharField(
        max_length=LONGEST_SEED, help_text="Anything that all players can check: the draw can be repeated from it."
    )


@describe_write("close_block", ReasonedInput, DecisionMade)
class CloseBlockView(DecisionView):
    """End a block before all its hanchan are played: its standing is final, and its other tables are called off."""

    input_class = ReasonedInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Close the block."""
        return close_block(block=self.block_of_path(), **reasoned(values, by))


@describe_write("preview_close_block", ReasonedInput, DecisionPreview)
class CloseBlockPreviewView(CloseBlockView):
    """Return the slots that ending a block would change. Nothing is written."""

    is_preview = True


@describe_write("draw_stage", DrawStageInput, DecisionMade)
class DrawStageView(DecisionView):
    """Draw which entrants of a stage play in which block; another draw replaces the one before."""

    input_class = DrawStageInput

    def decide(self, values: Checked, by: Actor) -> Decided:
        """Draw the stage."""
        rows = Stage.objects.select_related("competition").filter(competition=self.competition)
        return draw_stage(
            stage=get_object_or_404(rows, key=self.kwargs["key"]), seed=values["seed"], **reasoned(values, by)
        )


@describe_write("preview_draw_stage", DrawStageInput, DecisionPreview)
class DrawStagePreviewView(DrawStageView):
    """Return the slots that a draw from this seed would fill. Nothing is written."""

    is_preview = True
