"""Admin of a term: one line for each player with the move and its reason, decisions, and the next roster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import LeagueModelAdmin, show
from league.admin.seasons.series import (
    AddTermView,
    ArchiveSeriesView,
    AttachView,
    DetachView,
    EditSeriesView,
    NewView,
    OpeningView,
    SeriesListView,
    SeriesPage,
    SeriesRulesView,
    TermFormView,
    TiersView,
    term_page,
)
from league.forms.seasons.series import DecisionForm, WriteForm
from league.forms.service import ReasonForm
from league.models import MoveDecision, Series
from league.platform.errors import Finding
from league.selectors.access.actors import Actor
from league.selectors.seasons.kept_members import kept_members
from league.selectors.seasons.series_duties import replacement_duties
from league.selectors.seasons.series_faults import fault_findings
from league.selectors.seasons.series_moves import TermMoves, TierRoster, full_moves, term_after
from league.selectors.seasons.series_rules import may_add_series, may_change_series, rules_of_series, tiers_of_teams
from league.services.seasons.moves import decide_move, decide_newcomer, take_move_decision_back
from league.services.seasons.next_rosters import undo_next_roster, write_next_roster
from league.web.seasons.series_lines import MoveLine, move_lines, tier_moves
from league.wording.names import person_name
from league.wording.rulebooks.format_fit import span_text
from league.wording.seasons.series_moves import tier_title

LONGEST_ID = 18


@dataclass(frozen=True, slots=True)
class NextTier:
    """A tier of the next term with its players in the order of their seeds."""

    roster: TierRoster
    title: str
    lines: tuple[MoveLine, ...]

    @property
    def allowed(self) -> str:
        """Return the numbers of players or teams that the rules allow."""
        size = self.roster.tier.size
        return span_text(size.least, size.most)


def next_tiers(found: TermMoves) -> list[NextTier]:
    """Return the tiers of the next term."""
    return [NextTier(tier, tier_title(tier.tier), tuple(move_lines(found, tier.moves))) for tier in found.tiers]


class TermPage(TermFormView[ReasonForm]):
    """A term: its tiers with one line for each player, the decisions, and the way to the next roster."""

    form_class = ReasonForm

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        found = full_moves(self.term)
        decided = {move.decision.pk for move in found.moves if move.decision is not None}
        rows = self.term.decisions.filter(ended_at=None).exclude(pk__in=decided).select_related("player")
        return self.page(
            "term",
            title=str(self.term),
            trail=super().trail()[:-1],
            term=self.term,
            found=found,
            tiers=tier_moves((*found.tables.tiers, *found.tables.outside), move_lines(found, found.moves)),
            newcomers=move_lines(found, found.newcomers),
            faults=fault_findings(found),
            unused=rows,
            duties=replacement_duties(found.tables, request.user),
            following=term_after(self.term),
        )

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return HttpResponseRedirect(term_page(self.term))


class DecideView(TermFormView[DecisionForm]):
    """Decide on an exception for one player."""

    form_class = DecisionForm
    title = gettext_lazy("Decide on a move")
    explanation = gettext_lazy(
        "The rules make the moves. A decision is an exception for one player or team; it is shown with its reason."
    )
    submit = gettext_lazy("Decide")

    @override
    def form(self, *args: object, **kwargs: object) -> DecisionForm:
        tiers = [(tier.key, tier_title(tier)) for tier in rules_of_series(self.own()).tiers]
        return DecisionForm(*args, tiers=tiers, **kwargs)

    @override
    def initial(self) -> dict[str, object]:
        kinds = {kind.value for kind in MoveDecision.Kind}
        kind = self.request.GET.get("kind", "")
        return {"who": self.request.GET.get("player", "")[:100], "kind": kind if kind in kinds else None}

    @override
    def perform(self, form: DecisionForm, by: Actor) -> tuple[str, str]:
        typed = form.cleaned_data
        kind, reason, tier = MoveDecision.Kind(typed["kind"]), typed["reason"], typed["tier"]
        if typed["is_new"]:
            row = decide_newcomer(term=self.term, name=typed["who"], tier=tier, reason=reason, by=by)
        elif form.player is None:
            raise Http404
        else:
            row = decide_move(term=self.term, player=form.player, kind=kind, tier=tier, reason=reason, by=by)
        said = {"player": person_name(row.player), "decision": row.get_kind_display()}
        return term_page(self.term), _("%(player)s: %(decision)s.") % said


class TakeBackTermDecisionView(TermFormView[ReasonForm]):
    """Take a decision on a move back."""

    form_class = ReasonForm
    title = gettext_lazy("Take the decision back")
    submit = gettext_lazy("Take back")

    def decision(self) -> MoveDecision:
        """Return the decision of the page; raise Http404 if it is of another term or ended."""
        rows = MoveDecision.objects.filter(term=self.term, ended_at=None).select_related("player", "term")
        return get_object_or_404(rows, pk=self.kwargs["decision"])

    @override
    def perform(self, form: ReasonForm, by: Actor) -> tuple[str, str]:
        take_move_decision_back(decision=self.decision(), reason=form.cleaned_data["reason"], by=by)
        return term_page(self.term), _("The decision has been taken back.")

    @override
    def more_context(self, form: ReasonForm) -> dict[str, object]:
        row = self.decision()
        return {"subtitle": f"{person_name(row.player)}: {row.get_kind_display()}"}


class NextRosterView(TermFormView[WriteForm]):
    """The roster of the next term, previewed and written."""

    form_class = WriteForm
    title = gettext_lazy("Roster of the next term")
    submit = gettext_lazy("Write the roster")
    template = "roster"

    @override
    def perform(self, form: WriteForm, by: Actor) -> tuple[str, str]:
        typed = form.cleaned_data
        write_next_roster(term=self.term, digest=typed["digest"], reason=typed["reason"], by=by)
        url = reverse("admin:league_series_term", args=[self.term.series_id, self.term.number + 1])
        return url, _("The roster has been written, and the competitions of the next term are drafts.")

    @override
    def more_context(self, form: WriteForm) -> dict[str, object]:
        found = full_moves(self.term)
        faults: list[Finding] = fault_findings(found)
        return {
            "term": self.term,
            "found": found,
            "tiers": next_tiers(found),
            "faults": faults,
            "running": [tier_title(table.tier) for table in found.tables.running],
            "going": move_lines(found, [move for move in found.moves if not move.movement.seat]),
            "digest": found.digest,
            "teams": tiers_of_teams(found.rules),
            "kept": [] if found.written else _teams_kept(found),
        }


def _teams_kept(found: TermMoves) -> list[str]:
    """Return the names of the teams that have their members from the drafts of a roster taken back."""
    kept = kept_members(term_after(found.term))
    return [person_name(move.player) for tier in found.tiers for move in tier.moves if move.player.pk in kept]


class UndoView(TermFormView[ReasonForm]):
    """Take the roster of the next term back."""

    form_class = ReasonForm
    title = gettext_lazy("Take the roster of the next term back")
    explanation = gettext_lazy(
        "The competitions of the next term become drafts without entrants. It can be written again at any time: teams "
        "get back then what was changed in the drafts: members, club, country and link. Captains lose their role, and "
        "a club or country entered there for a person is lost."
    )
    submit = gettext_lazy("Take it back")
    is_grave = True

    @override
    def perform(self, form: ReasonForm, by: Actor) -> tuple[str, str]:
        undo_next_roster(term=self.term, reason=form.cleaned_data["reason"], by=by)
        return term_page(self.term), _("The roster has been taken back.")


TERM = "<int:pk>/terms/<int:number>/"


@admin.register(Series)
class SeriesAdmin(LeagueModelAdmin[Series]):
    """Pages of series for users allowed to change them."""

    competition_path = ""
    views = [("archive", ArchiveSeriesView), ("edit", EditSeriesView), ("rules", SeriesRulesView)]
    other_views = [
        ("new/", "new", NewView),
        ("<int:pk>/terms/add/", "add_term", AddTermView),
        ("<int:pk>/opening-points/", "opening", OpeningView),
        (TERM, "term", TermPage),
        (f"{TERM}tiers/", "tiers", TiersView),
        (f"{TERM}tiers/<slug:tier>/", "attach", AttachView),
        (f"{TERM}tiers/<slug:tier>/out/", "detach", DetachView),
        (f"{TERM}decide/", "decide", DecideView),
        (f"{TERM}decisions/<int:decision>/back/", "take_back", TakeBackTermDecisionView),
        (f"{TERM}roster/", "roster", NextRosterView),
        (f"{TERM}roster/back/", "undo", UndoView),
    ]

    @override
    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_staff and (may_change_series(request.user) or may_add_series(request.user))

    @override
    def has_view_permission(self, request: HttpRequest, obj: Series | None = None) -> bool:
        return self.has_module_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Show the list."""
        return show(SeriesListView, self, request)

    @override
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        if request.method not in {"GET", "HEAD"}:
            raise PermissionDenied
        if not object_id.isdecimal() or len(object_id) > LONGEST_ID:
            raise Http404
        view = SeriesPage.as_view(model_admin=self)
        return cast("HttpResponse", view(request, pk=int(object_id)))  # as `show` does

    @override
    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirect to the log of changes outside competitions, filtered by the series."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        query = urlencode({"subject_type": "series", "subject_id": object_id})
        return HttpResponseRedirect(f"{reverse('admin:league_organizationchange_changelist')}?{query}")
