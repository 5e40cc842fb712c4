"""Base classes of the admin: permissions by role in a competition, read-only lists, and forms that call one service.

Permissions come from the roles in each competition, not from Django's permission table. Facts are read-only here;
each change is a page of its own (`ServiceView`) that calls one service and shows its errors at the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar, cast
from urllib.parse import urlencode, urlsplit

import structlog
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import URLPattern, path, resolve, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View
from typing_extensions import override

from league.admin.lists import CountedPages, ids_matching
from league.forms.service import ServiceForm
from league.models import (
    Block,
    Competition,
    Door,
    Entrant,
    Membership,
    RulesInForce,
    Session,
)
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.selectors.access.actors import ROLE_CAPABILITIES, Actor, Capability
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.results.sheets import refuse_closed
from league.web.access.visitors import user_of
from league.wording.names import person_name, title_of

M = TypeVar("M", bound=Model)

P = TypeVar("P", bound=Model)

F = TypeVar("F", bound=ServiceForm)

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[M]
    """ModelAdmin that accepts a type parameter at run time."""
    Inline = admin.TabularInline[M, P]
    """TabularInline that accepts a type parameter at run time."""
    from django_stubs_ext import StrOrPromise
else:

    class Typed:
        """Let Django's admin classes be subscripted at run time, as the type stubs have them."""

        def __class_getitem__(cls, _rows: object) -> type[Typed]:
            return cls

    class Admin(Typed, admin.ModelAdmin):
        """A list and a page of rows."""

    class Inline(Typed, admin.TabularInline):
        """Rows on the page of the row they belong to."""


class OfSession(Protocol):
    """A row of a session."""

    @property
    def session(self) -> Session:
        """The session."""


class OfBlock(Protocol):
    """A row of a block."""

    @property
    def block(self) -> Block:
        """The block."""


class OfEntrant(Protocol):
    """A row of an entrant, if it has one."""

    @property
    def entrant(self) -> Entrant | None:
        """The entrant."""


LOOKED_AT = ("_changelist", "_change", "_history", "_revisions", "_balance")


def heading_of(link: ObjectLink) -> str:
    """Return the heading of a link: "Look at" for lists and pages that only show something, "Do" for the others."""
    view = resolve(urlsplit(link.url).path).view_name
    return _("Look at") if view.startswith("pages:") or view.endswith(LOOKED_AT) else _("Do")


@dataclass(frozen=True, slots=True)
class ObjectLink:
    """A button above an object."""

    label: str
    url: str
    is_main: bool = False
    group: str = ""
    """The heading of the button; empty: chosen by `heading_of`."""
    is_grave: bool = False
    """True if the action is visible to the public at once, or hard to undo."""


def actor_of(request: HttpRequest) -> Actor:
    """Return the user as an Actor of the admin, with the request's id for the log."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return Actor(user=user_of(request), door=Door.ADMIN, request_id=str(request_id))


def roles_of(request: HttpRequest) -> dict[int, str]:
    """Return the user's roles by competition id, cached on the request."""
    kept: dict[int, str] | None = request.__dict__.get("roles_by_competition")
    if kept is None:
        rows = Membership.objects.filter(user=user_of(request)).values_list("competition", "role")
        kept = request.__dict__["roles_by_competition"] = dict(rows)
    return kept


def may(request: HttpRequest, capability: Capability, competition: int | None = None) -> bool:
    """Return True if the user has the capability in the competition or, without one, in any competition."""
    user = request.user
    if not (user.is_active and user.is_staff):
        return False
    if user.is_superuser:
        return True
    roles = roles_of(request)
    if competition is None:
        return any(capability in ROLE_CAPABILITIES[role] for role in roles.values())
    return competition in roles and capability in ROLE_CAPABILITIES[roles[competition]]


def may_set_up(request: HttpRequest) -> bool:
    """Return True if the user may create competitions."""
    return request.user.has_perm("league.add_competition")


def own_competitions(request: HttpRequest, capability: Capability = Capability.READ) -> QuerySet[Competition]:
    """Return the competitions in which the user has the capability."""
    if request.user.is_superuser:
        return Competition.objects.all()
    ids = [pk for pk, role in roles_of(request).items() if capability in ROLE_CAPABILITIES[role]]
    return Competition.objects.filter(pk__in=ids)


class LookupById(Admin[M]):
    """Admin that ignores an empty `_to_field` parameter, for which Django would look up a field without a name."""

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> M | None:
        """Return the row, or None."""
        return super().get_object(request, object_id, from_field or None)


class LeagueModelAdmin(LookupById[M]):
    """Read-only list and page of rows of the user's competitions. Buttons lead to the pages that change them."""

    competition_path: ClassVar[str] = "competition"
    """Lookup path from a row to its competition; empty if the model belongs to none."""
    found_through: ClassVar[Mapping[str, type[Model]]] = {}
    """Paths to related models whose names are searched besides `search_fields`."""
    views: ClassVar[Sequence[tuple[str, type[View]]]] = ()
    """The pages of a row, as pairs of URL name and view class; the name is also the last part of the address."""
    other_views: ClassVar[Sequence[tuple[str, str, type[View]]]] = ()
    """Pages at other addresses, as triples of address, URL name and view class."""
    adding: ClassVar[Capability | None] = None
    """The capability needed to add a row; None if rows cannot be added here."""
    change_form_template = "admin/league/change_form.html"
    list_per_page = 50
    paginator = CountedPages
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    @admin.display(description=gettext_lazy("competition"))
    def in_competition(self, row: M) -> str:
        """Return the competition's name in the user's language. Lists must select it with the rows."""
        competition = self.competition_of(row)
        return title_of(competition) if competition else self.get_empty_value_display()

    @admin.display(description=gettext_lazy("session"))
    def in_session(self, row: OfSession) -> str:
        """Return the session's name in the user's language."""
        return title_of(row.session)

    @admin.display(description=gettext_lazy("block"))
    def in_block(self, row: OfBlock) -> str:
        """Return the block's name in the user's language."""
        return title_of(row.block)

    @admin.display(description=gettext_lazy("player"))
    def of_entrant(self, row: OfEntrant) -> str:
        """Return the name of the entrant's player."""
        return person_name(row.entrant.player) if row.entrant else "–"

    @admin.display(description=gettext_lazy("name"))
    def titled(self, row: object) -> str:
        """Return the row's name in the user's language."""
        return str(row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return the rows of the user's own competitions."""
        rows = super().get_queryset(request)
        if request.user.is_superuser or not self.competition_path:
            return rows
        return rows.filter(**{f"{self.competition_path}__in": own_competitions(request)})

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Return the search columns and paths; Django shows the search box if there are any."""
        return [*super().get_search_fields(request), *self.found_through]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        """Search the row's own columns, and the names of the related rows of `found_through`."""
        if not (self.found_through and search_term.strip()):
            return super().get_search_results(request, queryset, search_term)
        own = list(self.search_fields)
        return queryset.filter(pk__in=ids_matching(self.model, own, self.found_through, search_term)), False

    def competition_of(self, row: Model) -> Competition | None:
        """Return the competition that a row belongs to, or None."""
        found: object = row
        for step in self.competition_path.split("__") if self.competition_path else ():
            found = getattr(found, step)
        return found if isinstance(found, Competition) else None

    def competition_id(self, row: Model) -> int | None:
        """Return the id of the competition that a row belongs to, or None."""
        competition = self.competition_of(row)
        return competition.pk if competition else None

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return True if the user works for a competition or may create one."""
        return may(request, Capability.READ) or (request.user.is_staff and may_set_up(request))

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Return True for the staff of the row's competition."""
        return may(request, Capability.READ, self.competition_id(obj) if obj else None)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return True if a service adds rows of this model and the user may call it."""
        return self.adding is not None and may(request, self.adding)

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Return False: facts are not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Return False: facts are not deleted."""
        return False

    def links(self, request: HttpRequest, row: M) -> Iterable[ObjectLink]:
        """Return the buttons above the page of a row."""
        return ()

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of services before Django's own addresses, whose last pattern matches anything."""
        views = [*self.other_views, *((f"<int:pk>/{name}/", name, view) for name, view in self.views)]
        own = [
            path(
                route,
                self.admin_site.admin_view(view.as_view(model_admin=self)),
                name=f"league_{self.opts.model_name}_{name}",
            )
            for route, name, view in views
        ]
        # Django's last pattern, <path:object_id>/, would swallow addresses that come after it.
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show the page of a row with its buttons."""
        row = self.get_object(request, object_id)
        context = self.page_context(request, row) if row is not None else {}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def name_of(self, row: M) -> str:
        """Return the heading of a row's page."""
        return str(row)

    def page_context(self, request: HttpRequest, row: M) -> dict[str, object]:
        """Return the row's name, its breadcrumbs, and its buttons grouped by heading, with the history last."""
        history = ObjectLink(_("History"), reverse(f"admin:league_{self.opts.model_name}_history", args=[row.pk]))
        groups: dict[str, list[ObjectLink]] = {}
        for link in [*self.links(request, row), history]:
            groups.setdefault(link.group or heading_of(link), []).append(link)
        ordered = sorted(groups.items(), key=lambda each: each[0] != _("Do"))
        name = self.name_of(row)
        return {"desk_links": ordered, "desk_trail": self.trail_to(row), "desk_name": name, "subtitle": name}

    def trail_to(self, row: M) -> list[tuple[str, str]]:
        """Return the breadcrumbs: the row's competition, if any, and the list the row is in."""
        listed = str(self.opts.verbose_name_plural), reverse(f"admin:league_{self.opts.model_name}_changelist")
        competition = self.competition_id(row)
        if competition is None or isinstance(row, Competition):
            return [listed]
        named = Competition.objects.get(pk=competition)
        return [(str(named), page_of(named)), (listed[0], f"{listed[1]}?{self.narrowed(competition)}")]

    def narrowed(self, competition: int) -> str:
        """Return the query string that filters the list by a competition."""
        return urlencode({f"{self.competition_path}__id__exact": competition})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirect to the change log, filtered by the row."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        subject = self.subject(row)
        query = urlencode({"subject_type": subject._meta.model_name, "subject_id": subject.pk})
        return HttpResponseRedirect(f"{reverse('admin:league_change_changelist')}?{query}")

    def subject(self, row: M) -> Model:
        """Return the object under which the log records changes of a row."""
        return row


class ShownInline(Inline[M, P]):
    """Read-only inline, visible to all users who see the page of its parent row."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: P | None = None) -> bool:
        """Return True: the permission for the page is enough."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: P | None = None) -> bool:
        """Return False: rows are not added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: P | None = None) -> bool:
        """Return False: rows are not changed here."""
        return False


def show(view: type[View], model_admin: LeagueModelAdmin[M], request: HttpRequest) -> HttpResponse:
    """Respond with a service view at an address that belongs to Django's admin, such as `add/`."""
    return cast(
        "HttpResponse", view.as_view(model_admin=model_admin)(request)
    )  # the stubs let a view return any HttpResponseBase


def page_of(row: Model, name: str = "change") -> str:
    """Return the address of a row's page, or of one of the pages that change it."""
    return reverse(f"admin:league_{row._meta.model_name}_{name}", args=[row.pk])


RULES_OF_BLOCK = Prefetch(
    "block__competition__rules_in_force",
    RulesInForce.objects.select_related("ruleset").order_by("effective_from"),
)


def ranking_scale(competition: Competition) -> int:
    """Return the scale of the ranking ledger. Lists prefetch `RULES_OF_BLOCK`, so that no row costs a query."""
    return ruleset_of(list(competition.rules_in_force.all())[-1]).ranking_ledger.scale


def public_page(competition: Competition) -> str:
    """Return the address of the competition's public page."""
    return reverse("pages:home", args=[competition.slug])


class PageView(View, Generic[M]):
    """A page of an admin."""

    model_admin: LeagueModelAdmin[M] = cast("LeagueModelAdmin[M]", None)
    """The admin at whose address the page is."""
    title: StrOrPromise = ""

    def is_allowed(self, request: HttpRequest) -> bool:
        """Return True if the user may open the page."""
        return True

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Raise PermissionDenied unless the user may open the page."""
        if not self.is_allowed(request):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def trail(self) -> Iterable[tuple[str, str]]:
        """Return the breadcrumbs as pairs of name and address."""
        return ()

    def frame(self) -> dict[str, object]:
        """Return the template variables that all pages share."""
        return {
            **self.model_admin.admin_site.each_context(self.request),
            "title": self.title,
            "trail": list(self.trail()),
            "opts": self.model_admin.opts,
        }

    def render_page(self, template: str, status: int = 200, **context: object) -> HttpResponse:
        """Render a template of the folder `admin/league` with the shared template variables."""
        return render(self.request, f"admin/league/{template}.html", {**self.frame(), **context}, status=status)


class ServiceView(PageView[M], Generic[M, F]):
    """A page with one form that calls one service.

    An error is shown at the field its pointer names. A warning is shown with a checkbox, and its code is sent to the
    service as accepted once it is ticked.
    """

    form_class: type[F] = cast("type[F]", ServiceForm)
    """By default a form without fields, for a page that asks nothing but to confirm."""
    capability: Capability = Capability.MANAGE
    explanation: StrOrPromise = ""
    submit: StrOrPromise = ""
    is_grave: bool = False
    """True if the submit button is red, since the action is hard to undo or public at once."""
    needs_open: bool = False
    """True if the service refuses a closed competition: the page says so before anything is typed."""
    template: str = "admin/league/service_form.html"

    row: M

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Find the row among those visible to the user; raise PermissionDenied without the capability."""
        self.row = self.find(request)
        return super().dispatch(request, *args, **kwargs)

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return may(request, self.capability, self.competition().pk)

    def find(self, request: HttpRequest) -> M:
        """Return the row of the page; raise Http404 if it is not visible to the user."""
        row = self.model_admin.get_queryset(request).filter(pk=self.kwargs["pk"]).first()
        if row is None:
            raise Http404
        return row

    def competition(self) -> Competition:
        """Return the competition in which the service acts: the row itself, or the one that the row belongs to."""
        found = self.row if isinstance(self.row, Competition) else self.model_admin.competition_of(self.row)
        if found is None:
            raise Http404
        return found

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponseBase:
        """Show the empty form."""
        return self.show(self.form())

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Call the service and redirect, or show its errors in the form."""
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
        """Return the actor of the change."""
        return actor_of(self.request)

    def form(self, data: object = None) -> F:
        """Return the page's form, bound to `data` if given."""
        return self.form_class(data, **self.form_arguments())

    def form_arguments(self) -> dict[str, object]:
        """Return further arguments of the form class."""
        return {}

    def perform(self, form: F, by: Actor) -> str:
        """Call the service and return the success message."""
        raise NotImplementedError

    def after(self, form: F) -> str:
        """Return the address to redirect to after success."""
        return page_of(self.row)

    def subtitle(self) -> str:
        """Return the name of the row that the page is about."""
        return str(self.row)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        rows: tuple[Model, ...] = (self.competition(), self.row)
        # The row may be the competition itself, which is then named once.
        return [(str(row), page_of(row)) for row in dict.fromkeys(rows)]

    def notes(self) -> Iterable[object]:
        """Return further sentences above the form."""
        return ()

    def more_context(self, form: F, effect: object = None) -> Iterable[tuple[str, object]]:
        """Return further template variables of the page."""
        return ()

    def closed_notice(self) -> Iterable[tuple[str, object]]:
        """Yield the template variables that replace the form in a closed competition, if its service refuses that."""
        try:
            if self.needs_open:
                refuse_closed(self.competition())
        except ServiceError as error:
            yield "refused", str(error)
            if may(self.request, Capability.MANAGE, self.competition().pk):
                yield "instead", [ObjectLink(_("Open again..."), page_of(self.competition(), "publish"))]

    @override
    def frame(self) -> dict[str, object]:
        return {**super().frame(), "subtitle": self.subtitle()}

    def show(self, form: F, effect: object = None) -> HttpResponse:
        """Render the page; the status is 422 if the form has errors."""
        context = {
            **self.frame(),
            "explanation": self.explanation,
            "notes": list(self.notes()),
            "form": form,
            "submit": self.submit or _("Save"),
            "is_grave": self.is_grave,
            **dict(self.more_context(form, effect)),
            **({} if form.is_bound else dict(self.closed_notice())),
        }
        return render(self.request, self.template, context, status=200 if not form.errors else 422)


class OfNoCompetitionView(ServiceView[M, F]):
    """A page about a row that belongs to no competition; without the permission it does not tell if the row exists."""

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not self.is_allowed(request):
            raise PermissionDenied
        self.row = self.find(request)
        return super(PageView, self).dispatch(request, *args, **kwargs)
