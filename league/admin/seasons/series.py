"""Admin of series: their rules and terms, who moves after a term, and the roster of the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, PageView, actor_of, own_competitions
from league.files.season_archive import pack_season
from league.forms.seasons.series import (
    AttachForm,
    NewSeriesForm,
    OpeningForm,
    ReviseForm,
    SeriesWordsForm,
    TermForm,
    TiersForm,
)
from league.forms.service import ReasonForm
from league.models import Competition, Series, Term
from league.platform.errors import ConflictError, ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.catalogue import rulesets_for
from league.selectors.seasons.series_rules import may_add_series, may_change_series, rules_of_series, tiers_of_teams
from league.services.exchange.season_archives import archive_of_series
from league.services.seasons.moves import set_opening_balance
from league.services.seasons.series import (
    SeriesPlan,
    SeriesWords,
    add_term,
    attach_competition,
    create_series,
    create_tiers,
    detach_competition,
    edit_series,
    named_place,
    revise_rules,
)
from league.web.seasons.series_cards import ready_series, series_card
from league.web.table_files import ZIP, as_attachment
from league.wording.names import title_in
from league.wording.seasons.series_moves import tier_title

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LISTED = "admin:league_series_changelist"


def series_page(series: Series) -> str:
    """Return the address of a series' page."""
    return reverse("admin:league_series_change", args=[series.pk])


def term_page(term: Term) -> str:
    """Return the address of a term's page."""
    return reverse("admin:league_series_term", args=[term.series_id, term.number])


class SeriesView(PageView[Series]):
    """Base of the pages about series, for users allowed to change series."""

    series: Series | None = None

    def may(self, request: HttpRequest) -> bool:
        """Return True if the user may open the page."""
        return may_change_series(request.user)

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Raise PermissionDenied without the permission, Http404 for an unknown series or term."""
        if not (request.user.is_active and request.user.is_staff and self.may(request)):
            raise PermissionDenied
        if "pk" in kwargs:
            self.series = get_object_or_404(Series.objects.select_related("rules"), pk=kwargs["pk"])
        return super().dispatch(request, *args, **kwargs)

    def own(self) -> Series:
        """Return the series of the page."""
        if self.series is None:
            raise Http404
        return self.series

    @override
    def trail(self) -> list[tuple[str, str]]:
        listed = [(_("Series"), reverse(LISTED))]
        return [*listed, (str(self.series), series_page(self.series))] if self.series else listed

    def page(self, template: str, status: int = 200, **context: object) -> HttpResponse:
        """Render a template of seasons."""
        return self.render_page(f"seasons/{template}", status, series=self.series, **context)


class SeriesFormView(SeriesView, Generic[F]):
    """A page with one form that calls one service; errors stand at their fields, and nothing typed is lost."""

    form_class: type[F]
    explanation: StrOrPromise = ""
    submit: StrOrPromise = ""
    is_grave: ClassVar[bool] = False
    template: ClassVar[str] = "form"

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the form."""
        return self.show_form(self.form(initial=self.initial()))

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Call the service and go on to the page that shows the effect; show errors in the form."""
        form = self.form(request.POST, request.FILES, initial=self.initial())
        if not form.is_valid():
            return self.show_form(form, 422)
        try:
            url, done = self.perform(form, actor_of(request))
        except ServiceError as error:
            form.take(error)
            return self.show_form(form, 409 if isinstance(error, ConflictError) else 422)
        messages.success(request, done)
        return HttpResponseRedirect(url)

    def form(self, *args: object, **kwargs: object) -> F:
        """Return the form of the page."""
        return self.form_class(*args, **kwargs)

    def initial(self) -> dict[str, object]:
        """Return the values that the empty form shows."""
        return {}

    def perform(self, form: F, by: Actor) -> tuple[str, str]:
        """Call the service; return the address to go to and the success message."""
        raise NotImplementedError

    def more_context(self, form: F) -> dict[str, object]:
        """Return further template variables of the page."""
        return {}

    def show_form(self, form: F, status: int = 200) -> HttpResponse:
        """Render the page."""
        return self.page(
            self.template,
            status,
            title=self.title,
            explanation=self.explanation,
            form=form,
            submit=self.submit or _("Save"),
            is_grave=self.is_grave,
            **self.more_context(form),
        )


class SeriesListView(SeriesView):
    """All series with their terms."""

    @override
    def may(self, request: HttpRequest) -> bool:
        return may_change_series(request.user) or may_add_series(request.user)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the list."""
        rows = Series.objects.select_related("rules").prefetch_related("terms")
        return self.page(
            "list",
            title=_("Series"),
            trail=[],
            rows=[(series, series_card(rules_of_series(series)), list(series.terms.all())[::-1]) for series in rows],
            may_add=may_add_series(request.user),
        )


class NewView(SeriesFormView[NewSeriesForm]):
    """A new series, from a ready one or from a text."""

    form_class = NewSeriesForm
    title = gettext_lazy("New series")
    submit = gettext_lazy("Create the series")
    template = "new"

    @override
    def may(self, request: HttpRequest) -> bool:
        return may_add_series(request.user)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "from" not in request.POST:
            return super().post(request, **kwargs)
        text = next((ready.text for ready in ready_series() if ready.name == request.POST["from"]), "")
        return self.show_form(self.form(initial={**request.POST.dict(), "text": text}))

    @override
    def perform(self, form: NewSeriesForm, by: Actor) -> tuple[str, str]:
        typed = form.cleaned_data
        plan = SeriesPlan(
            slug=typed["slug"],
            name=typed["name"],
            name_en=typed["name_en"],
            text=typed["text"],
            first_term=typed["first_term"],
            is_public=typed["is_public"],
        )
        series = create_series(plan=plan, by=by)
        return series_page(series), _("The series has been created.")

    @override
    def more_context(self, form: NewSeriesForm) -> dict[str, object]:
        return {"ready": ready_series()}


class SeriesPage(SeriesView):
    """A series: its tiers and moves in sentences, its terms, promotion points brought along."""

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the series."""
        series = self.own()
        balances = series.opening_balances.filter(ended_at=None).exclude(points=0).select_related("player")
        return self.page(
            "series",
            title=str(series),
            trail=[(_("Series"), reverse(LISTED))],
            card=series_card(rules_of_series(series)),
            terms=list(series.terms.prefetch_related("competitions").order_by("-number")),
            balances=balances,
            text=series.rules.text,
        )


class ArchiveSeriesView(SeriesView):
    """The archive of a series with its competitions."""

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Download the archive, or go back with the reason for which there is none."""
        series = self.own()
        try:
            archive = archive_of_series(series=series, by=actor_of(request))
        except ServiceError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(series_page(series))
        return as_attachment(HttpResponse(pack_season(archive), content_type=ZIP), f"{series.slug}-archive.zip")


class EditSeriesView(SeriesFormView[SeriesWordsForm]):
    """Names of a series, and its readers."""

    form_class = SeriesWordsForm
    title = gettext_lazy("Names and readers")

    @override
    def initial(self) -> dict[str, object]:
        series = self.own()
        return {"name": series.name, "name_en": series.name_en, "is_public": series.is_public}

    @override
    def perform(self, form: SeriesWordsForm, by: Actor) -> tuple[str, str]:
        series = edit_series(series=self.own(), words=SeriesWords(**form.cleaned_data), by=by)
        return series_page(series), _("Saved.")


class SeriesRulesView(SeriesFormView[ReviseForm]):
    """Other rules for a series."""

    form_class = ReviseForm
    title = gettext_lazy("Change the rules of the series")
    explanation = gettext_lazy("Rosters that are written stay as they were decided.")

    @override
    def initial(self) -> dict[str, object]:
        return {"text": self.own().rules.text}

    @override
    def perform(self, form: ReviseForm, by: Actor) -> tuple[str, str]:
        typed = form.cleaned_data
        revise_rules(series=self.own(), text=typed["text"], reason=typed["reason"], by=by)
        return series_page(self.own()), _("The rules have been changed.")


class AddTermView(SeriesFormView[TermForm]):
    """A further term of a series."""

    form_class = TermForm
    title = gettext_lazy("Add a term")
    explanation = gettext_lazy(
        "Usually the roster that is written after a term makes the next one. Add a term here to keep an earlier one."
    )

    @override
    def perform(self, form: TermForm, by: Actor) -> tuple[str, str]:
        term = add_term(series=self.own(), number=form.cleaned_data["number"], by=by)
        return term_page(term), _("The term has been added.")


class OpeningView(SeriesFormView[OpeningForm]):
    """Promotion points brought into the first term."""

    form_class = OpeningForm
    title = gettext_lazy("Promotion points from before the first term")
    explanation = gettext_lazy("0 takes the points away.")

    @override
    def perform(self, form: OpeningForm, by: Actor) -> tuple[str, str]:
        typed = form.cleaned_data
        if form.player is None:
            raise Http404
        set_opening_balance(
            series=self.own(), player=form.player, points=typed["points"], reason=typed["reason"], by=by
        )
        return series_page(self.own()), _("Saved.")


class TermFormView(SeriesFormView[F]):
    """Base of the pages of one term."""

    term: Term

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if may_change_series(request.user):
            rows = Term.objects.select_related("series__rules")
            self.term = get_object_or_404(rows, series=self.kwargs["pk"], number=self.kwargs["number"])
        return super().dispatch(request, *args, **kwargs)

    @override
    def trail(self) -> list[tuple[str, str]]:
        return [*super().trail(), (str(self.term), term_page(self.term))]


class TiersView(TermFormView[TiersForm]):
    """Drafts for the tiers of a term that have no competition yet."""

    form_class = TiersForm
    title = gettext_lazy("Create the competitions of the tiers")
    explanation = gettext_lazy("Each is a draft with the format of its tier. Enter those who play there.")

    @override
    def form(self, *args: object, **kwargs: object) -> TiersForm:
        there = set(self.term.competitions.values_list("tier", flat=True))
        rules = rules_of_series(self.own())
        teams = tiers_of_teams(rules)
        missing = [(tier, tier_title(tier), tier.key in teams) for tier in rules.tiers if tier.key not in there]
        books = [(book.name, title_in(book.value.title)) for book in rulesets_for(self.request.user).books()]
        return TiersForm(*args, rulesets=books, tiers=missing, **kwargs)

    @override
    def perform(self, form: TiersForm, by: Actor) -> tuple[str, str]:
        made = create_tiers(term=self.term, ruleset=form.cleaned_data["ruleset"], entrants=form.entrants, by=by)
        names = _(", ").join(map(str, made))
        return term_page(self.term), _("Created: %(competitions)s.") % {"competitions": names}


class AttachView(TermFormView[AttachForm]):
    """An existing competition as a tier."""

    form_class = AttachForm
    title = gettext_lazy("Choose the competition of a tier")

    @override
    def form(self, *args: object, **kwargs: object) -> AttachForm:
        rows = own_competitions(self.request, Capability.MANAGE)
        return AttachForm(*args, competitions=rows.filter(kind=Competition.Kind.LEAGUE, term=None), **kwargs)

    @override
    def perform(self, form: AttachForm, by: Actor) -> tuple[str, str]:
        attach_competition(
            term=self.term, tier=self.kwargs["tier"], competition=form.cleaned_data["competition"], by=by
        )
        return term_page(self.term), _("The competition is now tier %(tier)s.") % {"tier": self.kwargs["tier"]}

    @override
    def more_context(self, form: AttachForm) -> dict[str, object]:
        return {"subtitle": tier_title(named_place(self.term, self.kwargs["tier"]))}


class DetachView(TermFormView[ReasonForm]):
    """Take a competition out of its term."""

    form_class = ReasonForm
    title = gettext_lazy("Take the competition out of the series")
    explanation = gettext_lazy("The competition itself stays as it is.")
    submit = gettext_lazy("Take it out")

    @override
    def perform(self, form: ReasonForm, by: Actor) -> tuple[str, str]:
        row = get_object_or_404(Competition, term=self.term, tier=self.kwargs["tier"])
        detach_competition(competition=row, reason=form.cleaned_data["reason"], by=by)
        return term_page(self.term), _("The competition belongs to no series any more.")
