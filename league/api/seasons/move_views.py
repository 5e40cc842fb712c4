"""Views of the changes of moves after a term: decisions, and the roster that is written and taken back."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.fields import NothingInput, StrictSerializer
from league.api.seasons.series_documents import MovesDocument, moves_document
from league.api.seasons.writes import TermWriteView
from league.api.writing import Checked, describe_write
from league.models import MoveDecision, Player
from league.selectors.access.actors import Actor
from league.selectors.seasons.series_moves import full_moves
from league.services.seasons.moves import decide_move, take_move_decision_back
from league.services.seasons.next_rosters import preview_next_roster, undo_next_roster, write_next_roster
from league.web.problems import ProblemError, error


class MoveDecisionInput(StrictSerializer):
    """An exception to the moves after a term, for one player."""

    player = serializers.SlugField(max_length=64, help_text="The key of the player or team.")
    kind = serializers.ChoiceField([kind.value for kind in MoveDecision.Kind], help_text="The kind of exception.")
    tier = serializers.CharField(
        max_length=32, required=False, help_text="The tier's key, for those who return or are placed."
    )
    reason = serializers.CharField(max_length=2000, help_text="The reason, which is published.")


class TakeBackInput(StrictSerializer):
    """The reason for taking something back."""

    reason = serializers.CharField(max_length=2000, help_text="The reason.")


class NextRosterInput(StrictSerializer):
    """The roster of the next term, as its preview had it."""

    digest = serializers.RegexField(r"^[0-9a-f]{64}$", help_text="The digest of the preview.")
    reason = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, help_text="A note that is published with the roster."
    )


def player_named(key: str) -> Player:
    """Return the player or team of this key, erased ones too. Raise ProblemError for an unknown one."""
    player = Player.objects.filter(key=key, merged_into=None).first()
    if player is None:
        detail = _("There is no player or team “%(name)s”.") % {"name": key}
        raise ProblemError("invalid_request", errors=[error("no_such_player", detail, pointer="/player")])
    return player


@describe_write("decide_move", MoveDecisionInput, MovesDocument)
class DecisionsView(TermWriteView):
    """Decide on an exception to the moves, and return the moves that follow."""

    creates = True
    key_is_optional = True
    input_class = MoveDecisionInput

    def change(self, values: Checked, by: Actor) -> MovesDocument:
        """Decide."""
        decide_move(
            term=self.term,
            player=player_named(values["player"]),
            kind=MoveDecision.Kind(values["kind"]),
            tier=values.get("tier", ""),
            reason=values["reason"],
            by=by,
        )
        return moves_document(full_moves(self.term))


@describe_write("take_move_decision_back", TakeBackInput, MovesDocument)
class DecisionBackView(TermWriteView):
    """Take a decision on a move back, and return the moves that follow."""

    input_class = TakeBackInput

    def change(self, values: Checked, by: Actor) -> MovesDocument:
        """Take the decision back. Raise Http404 for an unknown id."""
        row = get_object_or_404(MoveDecision.objects.select_related("term"), term=self.term, pk=self.kwargs["pk"])
        take_move_decision_back(decision=row, reason=values["reason"], by=by)
        return moves_document(full_moves(self.term))


@describe_write("preview_next_roster", NothingInput, MovesDocument)
class RosterPreviewView(TermWriteView):
    """Return the moves and the roster as they would be written now, from all results. Nothing is written."""

    is_preview = True

    def change(self, values: Checked, by: Actor) -> MovesDocument:
        """Return the preview."""
        return moves_document(preview_next_roster(term=self.term, by=by))


@describe_write("write_next_roster", NextRosterInput, MovesDocument)
class RosterView(TermWriteView):
    """Write the roster of the next term as previewed; the competitions of the next term become drafts with entrants."""

    creates = True
    key_is_optional = True
    input_class = NextRosterInput

    def change(self, values: Checked, by: Actor) -> MovesDocument:
        """Write the roster."""
        write_next_roster(term=self.term, digest=values["digest"], reason=values.get("reason", ""), by=by)
        return moves_document(full_moves(self.term))


@describe_write("take_next_roster_back", TakeBackInput, MovesDocument)
class RosterBackView(TermWriteView):
    """Take the roster of the next term back, as long as none of its competitions has a result."""

    input_class = TakeBackInput

    def change(self, values: Checked, by: Actor) -> MovesDocument:
        """Take the roster back."""
        undo_next_roster(term=self.term, reason=values["reason"], by=by)
        return moves_document(full_moves(self.term))
