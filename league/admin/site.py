"""The organizers' admin: Django's admin as our own site, with a start page that lists the work to be done.

The site is defined apart from `league.admin`, because Django creates the site before it imports the modules that
register models with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, TypedDict, TypeVar, cast

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from typing_extensions import override

from league.admin.operations import demo, search
from league.admin.operations.navigation import tasks_of
from league.admin.operations.start import start_page
from league.platform.version import version
from league.web.access.two_step_login import TwoStepLoginView
from league.web.access.visitors import tell_unsaved

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

M = TypeVar("M", bound=Model)
V = TypeVar("V", bound=Callable[..., HttpResponseBase])

GROUPS = (
    ("season", _("Season"), ("Competition", "Entrant", "Stage", "Block", "Slot", "TeamMember")),
    ("across", _("Across competitions"), ("Series", "Ranking", "EventListed", "EventResult")),
    ("play", _("Match days"), ("Session", "TableSession", "Hanchan", "LineUp")),
    ("results", _("Results"), ("ResultSheet", "SeatResult", "TableEvent")),
    ("decisions", _("Decisions"), ("Ruling", "Adjustment", "Override", "Closing", "Draw")),
    ("tables", _("Standings and ladder"), ("Standing", "SlotState", "Outcome", "Tally")),
    ("parlour", _("Parlour"), ("Sitting", "WaitingGuest", "DayClose", "Statement", "Payment", "TillClose")),
    ("people", _("People"), ("Player", "Membership", "Invitation", "TokenGrant")),
    ("rules", _("Rules"), ("RulesInForce", "RulesetRevision", "FormatRevision", "RankingRevision")),
    ("log", _("Log"), ("Change", "OrganizationChange")),
    ("programs", _("Other programs"), ("WebhookSubscription", "WebhookDelivery")),
)
"""The groups of the admin's list of models, in the order of an organizer's work: key, title, model names."""

OTHERS = {"axes": _("Signing in")}
"""Titles of installed applications that have no translated name of their own."""

SECRET = frozenset({"knox", "otp_static", "otp_totp"})
"""Labels of applications whose rows are secrets, such as tokens and second factors; the admin never lists them."""


class ListedModel(TypedDict):
    """A model in Django's list of an application's models, by the key that is read here."""

    object_name: str


class ListedApp(TypedDict):
    """An application in Django's list of applications, by the keys that are read or replaced here."""

    app_label: str
    name: StrOrPromise
    models: list[ListedModel]


class OrganizersSite(AdminSite):
    """The organizers' admin, an admin site without bulk deletion."""

    site_title = "Jantaku"
    site_header = "Jantaku"
    index_title = _("What needs doing")
    enable_nav_sidebar = False
    empty_value_display = "–"

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # Rows are history: a correction adds a revision, and no list may delete rows in bulk.
        self.disable_action("delete_selected")

    def register(
        self,
        model_or_iterable: type[M] | Iterable[type[M]],
        admin_class: type[ModelAdmin[M]] | None = None,
        **options: object,
    ) -> None:
        """Register models with the site, leaving out those of applications that hold secrets."""
        models = [model_or_iterable] if isinstance(model_or_iterable, type) else model_or_iterable
        wanted = [model for model in models if model._meta.app_label not in SECRET]
        super().register(wanted, admin_class, **options)

    @override
    def admin_view(self, view: V, cacheable: bool = False) -> V:
        """Wrap a view as Django does; the sign-in page also says that a form sent without a session was not saved."""
        checked = super().admin_view(view, cacheable)

        @wraps(checked)
        def page(request: HttpRequest, *args: object, **keys: object) -> HttpResponseBase:
            response = checked(request, *args, **keys)
            is_sent_away = isinstance(response, HttpResponseRedirect) and not request.user.is_authenticated
            if request.method == "POST" and is_sent_away and request.path != reverse("admin:logout"):
                tell_unsaved(request)
            return response

        return cast("V", page)

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Return the admin's sign-in page, which uses the same two-step sign-in view as the public site."""
        index = reverse("admin:index", current_app=self.name)
        if self.has_permission(request) and request.method == "GET":
            return HttpResponseRedirect(index)
        context = {
            **self.each_context(request),
            "title": _("Sign in"),
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            **(extra_context or {}),
        }
        view = TwoStepLoginView.as_view(
            extra_context=context,
            authentication_form=AdminAuthenticationForm,
            template_name="admin/login.html",
            next_page=index,
        )
        return cast("HttpResponse", never_cache(view)(request))  # the stubs let a view return any HttpResponseBase

    def each_context(self, request: HttpRequest) -> dict[str, object]:
        """Return the template context of every page of the admin. Its header links to the tasks of signed-in staff."""
        signed_in = self.has_permission(request)
        # Not Django's own: it lists all models for the sidebar, which is a third of a page's time and not shown here.
        return {
            "site_title": self.site_title,
            "site_header": self.site_header,
            "site_url": request.META["SCRIPT_NAME"] or self.site_url,
            "has_permission": signed_in,
            "is_popup": False,
            "is_nav_sidebar_enabled": self.enable_nav_sidebar,
            "log_entries": self.get_log_entries(request),
            "desk_tasks": tasks_of(request) if signed_in else [],
        }

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Return the admin's URL patterns, preceded by the admin's search, list of all models and demo pages."""
        pages = (("search", search.search), ("lists", self.lists), ("demo", demo.demo))
        own = [path(f"{name}/", self.admin_view(page), name=f"desk_{name}") for name, page in pages]
        # Ours come first: the admin ends with a catch-all pattern.
        return [*own, *super().get_urls()]

    def password_change(self, *_: object, **_k: object) -> HttpResponse:  # type: ignore[override]  # stubs: no redirect
        """Redirect to the site's own password page.

        That page writes a log entry and asks whether to revoke the user's tokens, which Django's page would not.
        """
        return HttpResponseRedirect(reverse("pages:password"))

    def lists(self, request: HttpRequest) -> TemplateResponse:
        """Render the page that links to the list of every model, for users who know which kind of row they look for."""
        context = {
            **self.each_context(request),
            "title": _("All lists"),
            "app_list": self.get_app_list(request),
            "version": version(),
        }
        return TemplateResponse(request, "admin/lists.html", context)

    def index(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> TemplateResponse:
        """Render the start page, which lists the work that is waiting to be done."""
        return super().index(request, {**start_page(request), **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[object]:
        """Return the registered models: the league's in the groups of `GROUPS`, then the other applications'."""
        apps = super().get_app_list(request, app_label)
        ours = [group for app in apps if app["app_label"] == "league" for group in groups_of(app)]
        return [
            *ours,
            *(
                app | {"name": OTHERS.get(app["app_label"], app["name"])}
                for app in apps
                if app["app_label"] != "league"
            ),
        ]


def groups_of(app: ListedApp) -> list[ListedApp]:
    """Split an application's models into the groups of `GROUPS`, in that order; leave out empty groups."""
    by_name = {model["object_name"]: model for model in app["models"]}
    groups: list[ListedApp] = []
    for key, name, models in GROUPS:
        found = [by_name[model] for model in models if model in by_name]
        if found:
            groups.append({**app, "app_label": f"league-{key}", "name": name, "models": found})
    return groups
