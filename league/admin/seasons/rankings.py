"""Admin of rankings: made from a file, their names and rules, and the competitions listed as their events."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, LeagueModelAdmin, M, ObjectLink, OfNoCompetitionView, ShownInline, page_of
from league.files.season_archive import pack_season
from league.forms.seasons.rankings import EventFactsForm, ListEventForm, NewRankingForm, RankingNamesForm, RulesFields
from league.forms.service import ReasonForm, ServiceForm
from league.models import Competition, EventListed, Ranking, RankingRevision
from league.models.ranking import EventResult
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.selectors.access.readers import visible_competitions
from league.selectors.seasons.rankings import may_write_rankings, rules_of_ranking
from league.services.exchange.season_archives import archive_of_ranking
from league.services.seasons.rankings import (
    change_event,
    change_rules,
    create_ranking,
    edit_ranking,
    list_event,
    unlist_event,
)
from league.web.table_files import ZIP, as_attachment
from league.wording.seasons.rankings import kind_text


class RankingsAdmin(LeagueModelAdmin[M]):
    """Base of the lists about rankings, for users allowed to write them."""

    competition_path = ""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return True for users allowed to write rankings."""
        return request.user.is_active and request.user.is_staff and may_write_rankings(request.user)

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Return True for users allowed to write rankings."""
        return self.has_module_permission(request)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirect to the log; raise PermissionDenied for users not allowed to see the row."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)


class RankingView(OfNoCompetitionView[M, F]):
    """Base of the pages about rankings, which belong to no competition."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff and may_write_rankings(request.user)

    def trail(self) -> Iterable[tuple[str, str]]:
        """Return the breadcrumbs: the list, and the row's own page."""
        listed = str(Ranking._meta.verbose_name_plural), reverse("admin:league_ranking_changelist")
        return [listed, (str(self.row), page_of(self.row))] if self.row.pk else [listed]


class NewView(RankingView[Ranking, NewRankingForm]):
    """A new ranking."""

    form_class = NewRankingForm
    title = gettext_lazy("New ranking")
    explanation = gettext_lazy("A ranking counts results of several competitions, by a file of rules.")

    @override
    def find(self, request: HttpRequest) -> Ranking:
        return Ranking()

    @override
    def subtitle(self) -> str:
        return ""

    @override
    def perform(self, form: NewRankingForm, by: Actor) -> str:
        self.row = create_ranking(**form.cleaned_data, by=by)
        return _("The ranking has been made. List the competitions that count.")


class EditRankingView(RankingView[Ranking, RankingNamesForm]):
    """The names of a ranking, and whether it is public."""

    form_class = RankingNamesForm
    title = gettext_lazy("Names and publication")

    @override
    def form_arguments(self) -> dict[str, object]:
        row = self.row
        return {"initial": {"name": row.name, "name_en": row.name_en, "is_public": row.is_public}}

    @override
    def perform(self, form: RankingNamesForm, by: Actor) -> str:
        edit_ranking(ranking=self.row, **form.cleaned_data, by=by)
        return _("Saved.")


class ArchiveRankingView(RankingView[Ranking, ServiceForm]):
    """The archive of a ranking with the competitions ever listed."""

    http_method_names = ["get", "head", "options"]

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        try:
            archive = archive_of_ranking(ranking=self.row, by=self.actor())
        except ServiceError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(page_of(self.row))
        return as_attachment(HttpResponse(pack_season(archive), content_type=ZIP), f"{self.row.slug}-archive.zip")


class ChangedRulesForm(RulesFields):
    """Other rules of a ranking, with the reason."""

    reason = ReasonForm.base_fields["reason"]


class RankingRulesView(RankingView[Ranking, ChangedRulesForm]):
    """Other rules for a ranking."""

    form_class = ChangedRulesForm
    title = gettext_lazy("Other rules")
    explanation = gettext_lazy("Every day of the past is then computed by the new file; its versions have dates.")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {"text": self.row.rules.text}}

    @override
    def perform(self, form: ChangedRulesForm, by: Actor) -> str:
        change_rules(ranking=self.row, **form.cleaned_data, by=by)
        return _("The ranking follows the new rules.")


class ListEventView(RankingView[Ranking, ListEventForm]):
    """A competition that counts for a ranking."""

    form_class = ListEventForm
    title = gettext_lazy("List a competition")
    explanation = gettext_lazy(
        "Its final places count once it has ended. For ratings and ranks by points each of its games counts."
    )

    @override
    def form_arguments(self) -> dict[str, object]:
        offered = visible_competitions(self.request.user).exclude(
            pk__in=self.row.events.filter(ended_at=None).values("competition")
        )
        if not rules_of_ranking(self.row).is_by_games:
            offered = offered.exclude(kind=Competition.Kind.OPEN)
        return {"offered": offered}

    @override
    def perform(self, form: ListEventForm, by: Actor) -> str:
        data = form.cleaned_data
        list_event(ranking=self.row, competition=data["competition"], facts=form.facts(), by=by, reason=data["reason"])
        return _("“%(competition)s” counts for this ranking.") % {"competition": data["competition"]}


class OfEventView(RankingView[EventListed, F]):
    """Base of the pages about an event that is listed."""

    @override
    def find(self, request: HttpRequest) -> EventListed:
        row = super().find(request)
        if row.ended_at is not None:
            raise Http404
        return row

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        listed = str(Ranking._meta.verbose_name_plural), reverse("admin:league_ranking_changelist")
        return [listed, (str(self.row.ranking), page_of(self.row.ranking))]

    @override
    def after(self, form: F) -> str:
        return page_of(self.row.ranking)


class ChangeEventView(OfEventView[EventFactsForm]):
    """Other facts of an event."""

    form_class = EventFactsForm
    title = gettext_lazy("Change an event")

    @override
    def form_arguments(self) -> dict[str, object]:
        row = self.row
        facts = {"days": row.days, "countries": row.countries, "needs_qualification": row.needs_qualification}
        return {"initial": {"day": row.day, **facts}}

    @override
    def perform(self, form: EventFactsForm, by: Actor) -> str:
        change_event(event=self.row, facts=form.facts(), by=by, reason=form.cleaned_data["reason"])
        return _("Saved.")


class UnlistView(OfEventView[ReasonForm]):
    """An event that counts no more."""

    form_class = ReasonForm
    title = gettext_lazy("Take an event out")
    submit = gettext_lazy("Take out")
    is_grave = True

    @override
    def perform(self, form: ReasonForm, by: Actor) -> str:
        unlist_event(event=self.row, by=by, reason=form.cleaned_data["reason"])
        return _("“%(competition)s” no longer counts for this ranking.") % {"competition": self.row.competition}


class EventInline(ShownInline[EventListed, Ranking]):
    """Show the events of a ranking."""

    model = EventListed
    fields = ["competition", "day", "days", "countries", "needs_qualification"]
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventListed]:
        """Leave out events that were taken out, and competitions that the user may not know of."""
        rows = super().get_queryset(request).filter(ended_at=None)
        return rows.filter(competition__in=visible_competitions(request.user)).select_related("ranking", "competition")


@admin.register(Ranking)
class RankingAdmin(RankingsAdmin[Ranking]):
    """List rankings; pages make and change them."""

    list_display = ["titled", "slug", "kind", "is_public"]
    fields = ["name", "name_en", "slug", "rules", "kind", "is_public"]
    readonly_fields = ["kind"]
    search_fields = ["name", "name_en", "slug"]
    list_select_related = ["rules"]
    inlines = [EventInline]
    views = [
        ("list", ListEventView),
        ("edit", EditRankingView),
        ("rules", RankingRulesView),
        ("archive", ArchiveRankingView),
    ]
    other_views = [("new/", "new", NewView)]

    @admin.display(description=gettext_lazy("kind"))
    def kind(self, row: Ranking) -> str:
        """Return the kind of the ranking's rules."""
        return kind_text(rules_of_ranking(row))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return True for users allowed to write rankings."""
        return self.has_module_permission(request)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Redirect to the page that makes a ranking."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(reverse("admin:league_ranking_new"))

    def links(self, request: HttpRequest, row: Ranking) -> Iterable[ObjectLink]:
        """Return the buttons above a ranking."""
        yield ObjectLink(_("List a competition"), page_of(row, "list"), is_main=True)
        yield ObjectLink(_("Names and publication"), page_of(row, "edit"))
        yield ObjectLink(_("Other rules"), page_of(row, "rules"), is_grave=True)
        hooks = reverse("admin:league_webhooksubscription_changelist")
        yield ObjectLink(_("Webhooks"), f"{hooks}?ranking__id__exact={row.pk}", group=_("Look at"))
        yield ObjectLink(_("New webhook"), f"{reverse('admin:league_webhooksubscription_add')}?ranking={row.pk}")
        yield ObjectLink(_("Archive with its competitions"), page_of(row, "archive"), group=_("Look at"))
        yield ObjectLink(_("Public page"), reverse("pages:ranking-across", args=[row.slug]))


@admin.register(EventListed)
class EventListedAdmin(RankingsAdmin[EventListed]):
    """List the events of rankings, those taken out among them."""

    list_display = ["ranking", "competition", "day", "days", "countries", "needs_qualification", "ended_at"]
    list_select_related = ["ranking", "competition"]
    fields = [
        *("ranking", "competition", "day", "days", "countries", "needs_qualification"),
        *("reason", "made_by", "made_at", "ended_by", "ended_at"),
    ]
    views = [("facts", ChangeEventView), ("unlist", UnlistView)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventListed]:
        """Leave out competitions that the user may not know of."""
        return super().get_queryset(request).filter(competition__in=visible_competitions(request.user))

    def links(self, request: HttpRequest, row: EventListed) -> Iterable[ObjectLink]:
        """Return the buttons above an event that is listed."""
        yield ObjectLink(str(row.ranking), page_of(row.ranking), group=_("Look at"))
        if row.ended_at is None:
            yield ObjectLink(_("Change an event"), page_of(row, "facts"))
            yield ObjectLink(_("Take an event out"), page_of(row, "unlist"), is_grave=True)


@admin.register(EventResult)
class EventResultAdmin(RankingsAdmin[EventResult]):
    """List the results copied from final tables."""

    list_display = ["event", "player", "place", "players"]
    list_select_related = ["event__ranking", "event__competition", "player"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventResult]:
        """Leave out competitions that the user may not know of."""
        return super().get_queryset(request).filter(event__competition__in=visible_competitions(request.user))


@admin.register(RankingRevision)
class RankingRevisionAdmin(RankingsAdmin[RankingRevision]):
    """List the texts of ranking files."""

    list_display = ["name", "number", "created_at"]
    fields = ["name", "number", "text", "sha256", "created_at"]
