"""Pages on which people decide: ties, points, who advances, draws; and take a decision back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, page_of
from league.forms.decisions import AdjustmentForm, DrawForm, ForEntrantForm, OverrideForm, TieForm
from league.forms.service import ReasonForm, ServiceForm
from league.messages import source_label
from league.models import Competition, Entrant
from league.names import names_of
from league.selectors.rules import rules_at, ruleset_of
from league.services.actor import Actor, Capability
from league.services.rulings import adjust_points, draw_stage, override_slot, pass_over, rule_on_tie, take_back


def entrants_of(competition: Competition) -> list[Entrant]:
    """Everybody entered, by number."""
    return list(competition.entrants.select_related("player").order_by("number"))


class RuleView(ServiceView):
    """Tied entrants are put in order."""

    capability = Capability.RULE
    title = gettext_lazy("Rule on a tie")
    explanation = gettext_lazy("No result separates these players. Put them in order, best first.")
    submit = gettext_lazy("Give the ruling")
    scope = ""
    tied: list[Entrant]

    def find(self, request: HttpRequest, **kwargs: Any) -> Competition:
        """The competition; the address names the ranking and the tied entrants."""
        found: Competition = super().find(request, **kwargs)
        self.scope = request.GET.get("scope", "")
        ids = [int(text) for text in request.GET.getlist("entrant") if text.isascii() and text.isdigit()]
        known = found.entrants.select_related("player").in_bulk(ids)
        self.tied = [known[pk] for pk in ids if pk in known]
        if not self.scope or not self.tied:
            raise Http404
        return found

    @override
    def notes(self) -> Iterable[Any]:
        names = names_of(self.row.blocks.select_related("stage"))
        return [_("Ranking: %(where)s") % {"where": names.block(self.scope)}]

    @override
    def form(self, data: Any = None) -> ServiceForm:
        return TieForm(data, tied=self.tied)

    @override
    def perform(self, form: Any, by: Actor) -> str:
        rule_on_tie(
            competition=self.row, scope=self.scope, order=form.order(), by=by, reason=form.cleaned_data["reason"]
        )
        return _("The ruling is given; the standings follow.")


class AdjustView(ServiceView):
    """Points given or taken outside a hanchan."""

    capability = Capability.RULE
    title = gettext_lazy("Adjust points")
    explanation = gettext_lazy("Points given or taken outside a hanchan; they stand in the table as an adjustment.")

    @override
    def form(self, data: Any = None) -> ServiceForm:
        ledger = ruleset_of(rules_at(self.row.competition)).ranking_ledger
        return AdjustmentForm(data, ledger=ledger, entrants=entrants_of(self.row.competition))

    @override
    def perform(self, form: Any, by: Actor) -> str:
        adjust_points(
            block=self.row,
            entrant=form.chosen(),
            points=form.cleaned_data["points"],
            by=by,
            reason=form.cleaned_data["reason"],
        )
        return _("The points are adjusted; the standings follow.")


class PassOverView(ServiceView):
    """Somebody does not go on."""

    title = gettext_lazy("Pass somebody over")
    explanation = gettext_lazy("The player keeps the rank here but does not go on; whoever is next goes up.")

    @override
    def form(self, data: Any = None) -> ServiceForm:
        return ForEntrantForm(data, entrants=entrants_of(self.row.competition))

    @override
    def perform(self, form: Any, by: Actor) -> str:
        entrant = form.chosen()
        pass_over(block=self.row, entrant=entrant, by=by, reason=form.cleaned_data["reason"])
        return _("%(name)s is passed over; the ladder follows.") % {"name": entrant}


class OverrideView(ServiceView):
    """A slot is filled from elsewhere."""

    title = gettext_lazy("Fill from elsewhere")

    @override
    def competition(self) -> Competition:
        found: Competition = self.row.block.competition
        return found

    @override
    def notes(self) -> Iterable[Any]:
        names = names_of(self.competition().blocks.select_related("stage"))
        said = f"{source_label(self.row.source, names)} ({self.row.source})"
        return [_("So far: %(source)s") % {"source": said}]

    @override
    def form(self, data: Any = None) -> ServiceForm:
        return OverrideForm(data, entrants=entrants_of(self.competition()))

    @override
    def perform(self, form: Any, by: Actor) -> str:
        entrant = form.chosen()
        override_slot(
            slot=self.row,
            source="ruling" if entrant else form.cleaned_data["source"],
            entrant=entrant,
            by=by,
            reason=form.cleaned_data["reason"],
        )
        return _("%(slot)s is filled from elsewhere; the ladder follows.") % {"slot": self.row}


class DrawView(ServiceView):
    """A drawn stage's entrants are spread over its blocks."""

    form_class = DrawForm
    title = gettext_lazy("Draw")
    explanation = gettext_lazy("The draw follows from the seed alone, so that everybody can repeat it.")
    submit = gettext_lazy("Draw")

    @override
    def perform(self, form: Any, by: Actor) -> str:
        draw_stage(stage=self.row, by=by, seed=form.cleaned_data["seed"], reason=form.cleaned_data["reason"])
        return _("%(stage)s is drawn.") % {"stage": self.row}


class TakeBackView(ServiceView):
    """A decision no longer holds; its row stays."""

    form_class = ReasonForm
    title = gettext_lazy("Take back")
    explanation = gettext_lazy("The decision no longer holds from then on. It stays in the log.")
    submit = gettext_lazy("Take back")
    is_grave = True

    def competition(self) -> Competition:
        """The competition decided in."""
        row = self.row
        for step in ("competition", "block", "stage"):
            if hasattr(row, step):
                found = getattr(row, step)
                return found if isinstance(found, Competition) else found.competition
        raise Http404

    @override
    def perform(self, form: Any, by: Actor) -> str:
        take_back(decision=self.row, competition=self.competition(), by=by, reason=form.cleaned_data["reason"])
        return _("Taken back; the standings follow.")

    @override
    def after(self, form: Any) -> str:
        return page_of(self.row)
