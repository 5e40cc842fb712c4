"""Pages that pair a round of a block by the standing or by lot, and take a pairing back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, page_of
from league.forms.competitions.pairing import PairingForm
from league.forms.service import ReasonForm, ServiceForm
from league.models import Block, Pairing
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.selectors.competitions.block_rounds import games_of
from league.selectors.competitions.seating.pairing import PlannedPairing, planned_pairing
from league.selectors.competitions.seating.pairing_reasons import ExplainedTable, explained_plan
from league.selectors.competitions.seating.pairing_rounds import RoundState, round_states
from league.services.competitions.pairing import pair_round, take_pairing_back
from league.services.competitions.roster import add_house_players
from league.wording.competitions.pairings import BOUNDS, SEATED_BY, not_avoided, proof_of


@dataclass(frozen=True, slots=True)
class ListedRound:
    """A round of the block as the page lists it."""

    state: RoundState
    by: object
    """The way in which it is seated, in words."""
    public_url: str
    """The page of its pairing; empty without one."""


class PairView(ServiceView[Block, PairingForm]):
    """Pair a round: the page shows the tables with their reasons, and a button publishes exactly these."""

    form_class = PairingForm
    title = gettext_lazy("Pair a round")
    template = "admin/league/setting_up/pair.html"

    @cached_property
    def rounds(self) -> list[RoundState]:
        """The rounds of the block that have tables."""
        return round_states([self.row])[self.row.pk]

    @cached_property
    def number(self) -> int:
        """The round that the page is about: as asked for, else the next that is open; 0 without one."""
        asked = self.request.POST.get("number") or self.request.GET.get("round", "")
        if asked.isdecimal() and len(asked) < len("10000"):
            return int(asked)
        return next((state.number for state in self.rounds if state.is_open), 0)

    @override
    def find(self, request: HttpRequest) -> Block:
        found = super().find(request)
        return Block.objects.select_related("competition", "stage").get(pk=found.pk)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "add_house" in request.POST:
            return self.add_house_players()
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        try:
            # The preview is cached, so that the service finds it without another search under the lock.
            planned_pairing(self.row, self.number)
            pairing = pair_round(
                block=self.row,
                number=form.cleaned_data["number"],
                digest=form.cleaned_data["seen"],
                by=self.actor(),
                accept=form.accepted,
            )
        except ServiceError as error:
            form.take(error)
            if not form.errors and not form.warnings:
                form.add_error(None, str(error))
            return self.show(form)
        messages.success(request, _("Round %(number)s is paired and published.") % {"number": pairing.number})
        return HttpResponseRedirect(f"{page_of(self.row, 'pair')}?round={pairing.number}")

    def add_house_players(self) -> HttpResponse:
        """Enter the house players that the round lacks, and show its pairing."""
        _planned, why = self.planned()
        if missing := _house_players_missing(why):
            add_house_players(competition=self.competition(), count=missing, by=self.actor())
        return HttpResponseRedirect(f"{page_of(self.row, 'pair')}?round={self.number}")

    def planned(self) -> tuple[PlannedPairing | None, ServiceError | None]:
        """Return the pairing as it would be published now, or why there is none."""
        state = next((state for state in self.rounds if state.number == self.number), None)
        if not self.number or (state and state.pairing):
            return None, None
        try:
            return planned_pairing(self.row, self.number), None
        except ServiceError as error:
            return None, error

    @override
    def show(self, form: PairingForm, effect: object = None) -> HttpResponse:
        response = super().show(form, effect)
        if form.warnings and not form.errors:
            response.status_code = 422
        return response

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        planned, why = self.planned()
        slug = self.competition().slug
        yield (
            "rounds",
            [
                ListedRound(
                    state,
                    SEATED_BY[state.plan.by],
                    reverse("pages:pairing", args=[slug, self.row.key, state.number]) if state.pairing else "",
                )
                for state in self.rounds
                if state.plan
            ],
        )
        yield "number", self.number
        yield "this_round", next((state for state in self.rounds if state.number == self.number), None)
        yield "why_not", str(why or "")
        yield "house_missing", _house_players_missing(why)
        yield "planned", planned
        if planned:
            found = planned.found
            tables: list[ExplainedTable] = explained_plan(planned)
            yield "tables", tables
            yield (
                "questions",
                [(finding.code, finding.message, finding.code in form.accepted) for finding in planned.findings],
            )
            yield "bound", BOUNDS[found.bound_by]
            yield "proof", proof_of(found.cost, found.bound, is_optimal=found.is_optimal)
            yield "not_avoided", not_avoided({kind.value: count for kind, count in found.broken.items()})
            yield "missing", sum(game is None for game in planned.games)


def _house_players_missing(refused: ServiceError | None) -> int:
    """Return how many house players the round lacks, if that is why it cannot be paired; else 0."""
    findings = refused.findings if refused else ()
    return next((int(str(each.params["count"])) for each in findings if each.code == "house_players_missing"), 0)


class TakePairingBackView(ServiceView[Block, ReasonForm]):
    """Take the last pairing of a block back while none of its hanchan has begun."""

    form_class = ReasonForm
    title = gettext_lazy("Take a pairing back")
    explanation = gettext_lazy("The seats of the round are empty again; it can be paired again.")
    submit = gettext_lazy("Take the pairing back")
    is_grave = True

    @cached_property
    def pairing(self) -> Pairing:
        """The last pairing in force; raise Http404 without one."""
        found = Pairing.objects.standing().filter(block=self.row).select_related("block__competition", "block__stage")
        pairing: Pairing | None = found.order_by("-number").first()
        if pairing is None:
            raise Http404
        return pairing

    @override
    def notes(self) -> Iterable[object]:
        return [_("It concerns round %(number)s.") % {"number": self.pairing.number}]

    @override
    def perform(self, form: ReasonForm, by: Actor) -> str:
        number = self.pairing.number
        take_pairing_back(pairing=self.pairing, by=by, reason=form.cleaned_data["reason"])
        return _("The pairing of round %(number)s is taken back.") % {"number": number}

    @override
    def after(self, form: object) -> str:
        return page_of(self.row, "pair")


def may_be_taken_back(block: Block) -> bool:
    """Return whether a pairing of the block is in force and none of its hanchan has begun."""
    pairing = Pairing.objects.standing().filter(block=block).order_by("-number").first()
    if pairing is None:
        return False
    return not any(game.has_begun for game in games_of(block).get(pairing.number, {}).values())
