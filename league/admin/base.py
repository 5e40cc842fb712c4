"""What all pages of the desk share: who may see what, and how a form becomes a call of one service.

Permissions come from the roles in each competition, not from Django's own permission table. Facts are read-only
here; each change is a page of its own (`ServiceView`) that calls one service and shows its refusals at the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast
from urllib.parse import urlencode, urlsplit

import structlog
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, resolve, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from league.admin.lists import CountedPages, found
from league.forms.service import ServiceForm
from league.models import (
    Competition,
    Door,
    Membership,
    RulesInForce,
)
from league.platform.errors import ServiceError
from league.selectors.access.actors import CAN, Actor, Capability
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.names import person_name, title_of

M = TypeVar("M", bound=Model)

P = TypeVar("P", bound=Model)

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[M]
    Inline = admin.TabularInline[M, P]
else:

    class Typed:
        """Django's classes take the type of their rows only when types are checked."""

        def __class_getitem__(cls, _rows: object) -> type[Typed]:
            return cls

    class Admin(Typed, admin.ModelAdmin):
        """A list and a page of rows."""

    class Inline(Typed, admin.TabularInline):
        """Rows on the page of the row they belong to."""


LOOKED_AT = ("_changelist", "_change", "_history", "_revisions", "_balance")


def heading_of(link: Link) -> str:
    """Lists and pages that only show something are looked at; the others do something."""
    view = resolve(urlsplit(link.url).path).view_name
    return _("Look at") if view.startswith("pages:") or view.endswith(LOOKED_AT) else _("Do")


@dataclass(frozen=True, slots=True)
class Link:
    """A button above an object."""

    label: str
    url: str
    is_main: bool = False
    group: str = ""
    """The heading it stands under; empty: where one looks."""
    is_grave: bool = False
    """What it leads to is seen by everybody, or hard to undo."""


def actor_of(request: HttpRequest) -> Actor:
    """The person at the desk, with the request's id for the log."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return Actor(user=cast("User", request.user), door=Door.ADMIN, request_id=str(request_id))


def roles_of(request: HttpRequest) -> dict[int, str]:
    """The user's role by competition, read once for each request."""
    kept: dict[str, Any] = request.__dict__
    if "roles_at_the_desk" not in kept:
        rows = Membership.objects.filter(user=cast("User", request.user)).values_list("competition", "role")
        kept["roles_at_the_desk"] = dict(rows)
    return cast("dict[int, str]", kept["roles_at_the_desk"])


def may(request: HttpRequest, capability: Capability, competition: int | None = None) -> bool:
    """May the user do this in the competition, or, without one, in any of them?"""
    user = request.user
    if not (user.is_active and user.is_staff):
        return False
    if user.is_superuser:
        return True
    roles = roles_of(request)
    if competition is None:
        return any(capability in CAN[role] for role in roles.values())
    return competition in roles and capability in CAN[roles[competition]]


def may_set_up(request: HttpRequest) -> bool:
    """May the user start a new competition?"""
    return cast("User", request.user).has_perm("league.add_competition")


def own_competitions(request: HttpRequest, capability: Capability = Capability.READ) -> QuerySet[Competition]:
    """The competitions in which the user may do this."""
    if request.user.is_superuser:
        return Competition.objects.all()
    ids = [pk for pk, role in roles_of(request).items() if capability in CAN[role]]
    return Competition.objects.filter(pk__in=ids)


class Found:
    """Rows are found by their id: a `_to_field` that names no field, as anybody may write into an address, is none."""

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row, or None."""
        return super().get_object(request, object_id, from_field or None)  # type: ignore[misc]  # of the admin beside it


class DeskAdmin(Found, Admin[M]):
    """A list and a page to read, of the competitions the user works for; buttons lead to what may be done."""

    competition_path: ClassVar[str] = "competition"
    """The way to the competition as a lookup; empty where a model belongs to none."""
    found_through: ClassVar[Mapping[str, type[Model]]] = {}
    """The ways to what rows are searched by besides their own `search_fields`: players, sessions, blocks."""
    adding: ClassVar[Capability | None] = None
    """What one must be able to do to add one here."""
    change_form_template = "admin/league/change_form.html"
    list_per_page = 50
    paginator = CountedPages
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    @admin.display(description=gettext_lazy("competition"))
    def in_competition(self, row: Any) -> str:
        """The competition by its name in the reader's language; lists fetch it along."""
        for step in self.competition_path.split("__"):
            row = getattr(row, step)
        return title_of(row)

    @admin.display(description=gettext_lazy("session"))
    def in_session(self, row: Any) -> str:
        """The session by its name in the reader's language."""
        return title_of(row.session)

    @admin.display(description=gettext_lazy("block"))
    def in_block(self, row: Any) -> str:
        """The block by its name in the reader's language."""
        return title_of(row.block)

    @admin.display(description=gettext_lazy("player"))
    def of_entrant(self, row: Any) -> str:
        """The entrant's player by name."""
        return person_name(row.entrant.player) if row.entrant else "–"

    @admin.display(description=gettext_lazy("name"))
    def titled(self, row: Any) -> str:
        """What the row is called in the reader's language."""
        return str(row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Rows of the user's own competitions."""
        rows = super().get_queryset(request)
        if request.user.is_superuser or not self.competition_path:
            return rows
        return rows.filter(**{f"{self.competition_path}__in": own_competitions(request)})

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Its own columns and what it is found through; the list shows a search where there is any."""
        return [*super().get_search_fields(request), *self.found_through]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        """Rows in whose own columns it stands, or that belong to what is called so."""
        if not (self.found_through and search_term.strip()):
            return super().get_search_results(request, queryset, search_term)
        own = list(self.search_fields)
        return queryset.filter(pk__in=found(self.model, own, self.found_through, search_term)), False

    def competition_id(self, row: Model) -> int | None:
        """The competition a row belongs to."""
        found: Any = row
        for step in self.competition_path.split("__") if self.competition_path else ():
            found = getattr(found, step)
        return found.pk if isinstance(found, Competition) else None

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Anybody who works for a competition, or may start one, sees the lists."""
        return may(request, Capability.READ) or (request.user.is_staff and may_set_up(request))

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """The staff of its competition may read a row."""
        return may(request, Capability.READ, self.competition_id(obj) if obj else None)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only where a service adds."""
        return self.adding is not None and may(request, self.adding)

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Facts are not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Facts are not deleted."""
        return False

    def links(self, request: HttpRequest, row: M) -> Iterable[Link]:
        """The buttons above a row's page."""
        return ()

    def views(self) -> Sequence[tuple[str, type[ServiceView]]]:
        """The pages that change a row: each one's name, and the view."""
        return ()

    def get_urls(self) -> list[URLPattern]:
        """The pages of services, before Django's own addresses."""
        own = [
            path(
                f"<int:pk>/{name}/",
                self.admin_site.admin_view(view.as_view(desk=self)),
                name=f"league_{self.opts.model_name}_{name}",
            )
            for name, view in self.views()
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of a row, with its buttons."""
        row = self.get_object(request, object_id)
        context = self.page_context(request, row) if row is not None else {}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def page_context(self, request: HttpRequest, row: M) -> dict[str, Any]:
        """Its name, what leads to it, and its buttons by heading; its history is where one looks, too."""
        history = Link(_("History"), reverse(f"admin:league_{self.opts.model_name}_history", args=[row.pk]))
        groups: dict[str, list[Link]] = {}
        for link in [*self.links(request, row), history]:
            groups.setdefault(link.group or heading_of(link), []).append(link)
        ordered = sorted(groups.items(), key=lambda each: each[0] != _("Do"))
        return {"desk_links": ordered, "desk_trail": self.trail_to(row), "desk_name": str(row)}

    def trail_to(self, row: M) -> list[tuple[str, str]]:
        """The list a row stands in; of what belongs to a competition, the competition first."""
        listed = str(self.opts.verbose_name_plural), reverse(f"admin:league_{self.opts.model_name}_changelist")
        competition = self.competition_id(row)
        if competition is None or isinstance(row, Competition):
            return [listed]
        named = Competition.objects.get(pk=competition)
        return [(str(named), page_of(named)), (listed[0], f"{listed[1]}?{self.narrowed(competition)}")]

    def narrowed(self, competition: int) -> str:
        """The query that narrows the list to a competition."""
        return urlencode({f"{self.competition_path}__id__exact": competition})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What happened to a row stands in the log of changes."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        subject = self.subject(row)
        query = urlencode({"subject_type": subject._meta.model_name, "subject_id": subject.pk})
        return HttpResponseRedirect(f"{reverse('admin:league_change_changelist')}?{query}")

    def subject(self, row: M) -> Model:
        """What the log writes a row's changes down under."""
        return row


class ShownInline(Inline[M, P]):
    """Rows that are only shown, to whoever may see the row they belong to."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: P | None = None) -> bool:
        """The page's own permission is enough."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: P | None = None) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: P | None = None) -> bool:
        """Nothing is changed here."""
        return False


def show(view: type[ServiceView], desk: DeskAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Answer with the page of a view that Django's own address leads to."""
    return cast("HttpResponse", view.as_view(desk=desk)(request))


def page_of(row: Model, name: str = "change") -> str:
    """The address of a row's page, or of one of the pages that change it."""
    return reverse(f"admin:league_{row._meta.model_name}_{name}", args=[row.pk])


RULES_OF_BLOCK = Prefetch(
    "block__competition__rules_in_force",
    RulesInForce.objects.select_related("ruleset").order_by("effective_from"),
)


def ranking_scale(competition: Competition) -> int:
    """The scale of the ledger that ranks; lists fetch `RULES_OF_BLOCK` along, so that each row asks nothing."""
    return ruleset_of(list(competition.rules_in_force.all())[-1]).ranking_ledger.scale


def public_page(competition: Competition) -> str:
    """The competition's public page."""
    return reverse("pages:home", args=[competition.slug])


class ServiceView(View):
    """A page with one form that calls one service.

    A refusal is shown at the field it points to; a warning asks for a tick and is sent along as accepted.
    """

    desk: DeskAdmin[Any] | None = None
    form_class: type[ServiceForm] = ServiceForm
    capability: Capability = Capability.MANAGE
    title: Any = ""
    explanation: Any = ""
    submit: Any = ""
    is_grave: bool = False
    """The button is shown in red: what it does is seen by everybody."""

    row: Any = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Find the row among those the user may see, and refuse who may not do this."""
        self.row = self.find(request, **kwargs)
        if not may(request, self.capability, self.competition().pk):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def find(self, request: HttpRequest, **kwargs: Any) -> Any:
        """The row the page is about."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        row = self.desk.get_queryset(request).filter(pk=kwargs["pk"]).first()
        if row is None:
            raise Http404
        return row

    def competition(self) -> Competition:
        """The competition in which the service acts."""
        row = self.row
        return cast("Competition", row if isinstance(row, Competition) else row.competition)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """The empty form."""
        return self.show(self.form())

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Call the service; show what it refuses."""
        form = self.form(request.POST)
        if form.is_valid():
            try:
                done = self.perform(form, self.actor())
            except ServiceError as error:
                form.take(error)
            else:
                messages.success(request, done)
                return HttpResponseRedirect(self.after(form))
        return self.show(form)

    def actor(self) -> Actor:
        """Who does it."""
        return actor_of(self.request)

    def form(self, data: Any = None) -> ServiceForm:
        """The page's form."""
        return self.form_class(data, **self.form_arguments())

    def form_arguments(self) -> dict[str, Any]:
        """What the form must know."""
        return {}

    def perform(self, form: Any, by: Actor) -> str:
        """Call the service; say in a sentence what was done."""
        raise NotImplementedError

    def after(self, form: Any) -> str:
        """Where to go once it is done."""
        return page_of(self.row)

    def trail(self) -> Iterable[tuple[str, str]]:
        """What leads here: names and addresses."""
        rows = (self.competition(), self.row)
        return [(str(row), page_of(row)) for row in dict.fromkeys(rows)]

    def notes(self) -> Iterable[Any]:
        """Further sentences above the form."""
        return ()

    def more_context(self, form: ServiceForm, effect: Any = None) -> Iterable[tuple[str, Any]]:
        """What else the page shows."""
        return ()

    def show(self, form: ServiceForm, effect: Any = None) -> HttpResponse:
        """The page."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        context = {
            **self.desk.admin_site.each_context(self.request),
            "title": self.title,
            "subtitle": str(self.row) if self.row is not None else "",
            "explanation": self.explanation,
            "notes": list(self.notes()),
            "trail": list(self.trail()),
            "form": form,
            "submit": self.submit or _("Save"),
            "is_grave": self.is_grave,
            "opts": self.desk.opts,
            **dict(self.more_context(form, effect)),
        }
        return render(self.request, "admin/league/service_form.html", context, status=200 if not form.errors else 422)
