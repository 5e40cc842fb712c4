"""Pages that plan the remaining rounds of a block again, and restore the earlier plan; both show first what moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import ServiceView, page_of
from league.forms.competitions.replanning import ReplanForm
from league.forms.service import ServiceForm
from league.models import Block
from league.platform.errors import ServiceError
from league.selectors.competitions.block_rounds import BlockRounds, block_rounds
from league.selectors.competitions.seating.replanning import (
    ReplanPlan,
    Restoring,
    candidates_of,
    planned_again,
    restoring,
)
from league.services.competitions.replanning import replan_rounds, restore_plan
from league.wording.names import round_name, table_name, title_of
from scoring.seating.replan import Aim

TITLES: Mapping[Aim, object] = {
    Aim.FEW_MOVES: gettext_lazy("Few moves"),
    Aim.BEST_PLAN: gettext_lazy("Best plan"),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan to choose, with its title."""

    aim: Aim
    title: object
    plan: ReplanPlan


class ReplanView(ServiceView[Block, ReplanForm]):
    """Plan the remaining rounds again: the first POST shows two plans, the second one saves one of them."""

    title = gettext_lazy("Plan the remaining rounds again")
    template = "admin/league/setting_up/replan.html"

    @cached_property
    def rounds(self) -> BlockRounds:
        """The rounds of the block."""
        return block_rounds(self.row)

    @override
    def form(self, data: object = None) -> ReplanForm:
        # The pages by which a player leaves or joins lead here with the player chosen.
        chosen = {name: self.request.GET.getlist(name) for name in ("leaving", "joining")}
        return ReplanForm(data, rounds=self.rounds, candidates=candidates_of(self.rounds), chosen=chosen)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        try:
            offers = self.offers(form)
            chosen = next((offer for offer in offers if offer.aim == request.POST.get("save")), None)
            if chosen is None or request.POST.get(f"seen_{chosen.aim}") != chosen.plan.digest:
                return self.show(form, offers)
            plan = replan_rounds(block=self.row, wish=form.wish(chosen.aim), digest=chosen.plan.digest, by=self.actor())
        except ServiceError as error:
            form.take(error)
            return self.show(form)
        count = len(plan.changed)
        done = ngettext("%(count)s hanchan is planned again.", "%(count)s hanchan are planned again.", count)
        messages.success(request, done % {"count": count})
        return HttpResponseRedirect(self.after(form))

    def offers(self, form: ReplanForm) -> list[Offer]:
        """Return both plans that meet the wish."""
        return [Offer(aim, title, planned_again(self.row, form.wish(aim))) for aim, title in TITLES.items()]

    @override
    def after(self, form: object) -> str:
        return page_of(self.row, "balance")

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        yield "competition", self.competition()
        yield "open_turns", self.rounds.open_turns
        yield "offers", effect
        yield "has_changed", any(name.startswith("seen_") for name in self.request.POST) and "save" in self.request.POST


class RestorePlanView(ServiceView[Block, ServiceForm]):
    """Undo the last replanning while none of its hanchan has begun."""

    title = gettext_lazy("Restore the earlier plan")
    explanation = gettext_lazy(
        "The hanchan that were planned again return to the players and seats that they had before."
    )
    submit = gettext_lazy("Restore the earlier plan")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        try:
            return self.show(self.form(), restoring(self.row))
        except ServiceError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(page_of(self.row, "balance"))

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        form = self.form(request.POST)
        try:
            restore_plan(block=self.row, digest=request.POST.get("seen", ""), by=self.actor())
        except ServiceError as error:
            form.is_valid()
            form.take(error)
            return self.show(form, self.found())
        messages.success(request, _("The earlier plan is in force again."))
        return HttpResponseRedirect(page_of(self.row, "balance"))

    def found(self) -> Restoring | None:
        """Return what would be restored now; None if nothing can be."""
        try:
            return restoring(self.row)
        except ServiceError:
            return None

    @override
    def notes(self) -> Iterable[object]:
        found, tables = self.found(), defaultdict[str, list[str]](list)
        for hanchan, _now, _then in found.games if found else ():
            round_ = f"{title_of(hanchan.table_session.session)} {round_name(hanchan)}"
            tables[round_].append(table_name(hanchan.table_session.table) or "–")
        return [f"{round_}: {_(', ').join(names)}" for round_, names in tables.items()]

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        if isinstance(effect, Restoring):
            yield "seen", effect.digest
        # The generic list of ranks that change is not about seats.
        yield "effect", None
