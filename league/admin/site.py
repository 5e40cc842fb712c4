"""The organizers' admin site: Django's admin with a start page that lists pending tasks.

Django creates the site on first use, before any model is registered: modules imported here must register none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from league.admin.operations import demo, search
from league.admin.operations.navigation import tasks_of
from league.admin.operations.start import start_page
from league.web.two_step_login import TwoStepLoginView

GROUPS = (
    ("season", _("Season"), ("Competition", "Entrant", "Stage", "Block", "Slot")),
    ("play", _("Match days"), ("Session", "TableSession", "Hanchan")),
    ("results", _("Results"), ("ResultSheet", "SeatResult", "TableEvent")),
    ("decisions", _("Decisions"), ("Ruling", "Adjustment", "Override", "Draw")),
    ("tables", _("Standings and ladder"), ("Standing", "SlotState", "Outcome", "Tally")),
    ("parlour", _("Parlour"), ("Sitting", "WaitingGuest", "DayClose")),
    ("people", _("People"), ("Player", "Membership", "Invitation", "TokenGrant")),
    ("rules", _("Rules"), ("RulesInForce", "RulesetRevision", "FormatRevision")),
    ("log", _("Log"), ("Change", "OrganizationChange")),
    ("programs", _("Other programs"), ("WebhookSubscription", "WebhookDelivery")),
)

OTHERS = {"axes": _("Signing in")}
"""What applications without a name of their own are called."""

SECRET = frozenset({"knox", "otp_static", "otp_totp"})
"""Applications whose rows are keys, or stand for them."""


class OrganizersSite(AdminSite):
    """The desk. Nothing is ever deleted in bulk."""

    site_title = "Jantaku"
    site_header = "Jantaku"
    index_title = _("What needs doing")
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        self.disable_action("delete_selected")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Lists that would show secrets there are not."""
        models = model_or_iterable if isinstance(model_or_iterable, Iterable) else [model_or_iterable]
        wanted = [model for model in models if model._meta.app_label not in SECRET]
        super().register(wanted, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The desk's own page to sign in, by the same two steps as everywhere."""
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
        return cast("HttpResponse", never_cache(view)(request))

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """What every page of the desk shows: the tasks in its header."""
        signed_in = self.has_permission(request)
        return {**super().each_context(request), "desk_tasks": tasks_of(request) if signed_in else []}

    def get_urls(self) -> list[Any]:
        """The search, all lists, and the demonstration, before Django's own addresses."""
        pages = (("search", search.search), ("lists", self.lists), ("demo", demo.demo))
        own = [path(f"{name}/", self.admin_view(page), name=f"desk_{name}") for name, page in pages]
        return [*own, *super().get_urls()]

    def password_change(self, *_request: Any, **_context: Any) -> HttpResponse:  # type: ignore[override]  # no page
        """One page for everybody's own password: it writes a line in the log, and asks what becomes of tokens."""
        return HttpResponseRedirect(reverse("pages:password"))

    def lists(self, request: HttpRequest) -> TemplateResponse:
        """Every list there is, for whoever looks for a row and knows its kind."""
        context = {**self.each_context(request), "title": _("All lists"), "app_list": self.get_app_list(request)}
        return TemplateResponse(request, "admin/lists.html", context)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The start page."""
        return super().index(request, {**start_page(request), **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The models of the league in groups that follow an organizer's work; users and the like after them."""
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


def groups_of(app: dict[str, Any]) -> list[dict[str, Any]]:
    """The application's models as several groups, in our order; a group without models is left out."""
    by_name = {model["object_name"]: model for model in app["models"]}
    groups = []
    for key, name, models in GROUPS:
        found = [by_name[model] for model in models if model in by_name]
        if found:
            groups.append({**app, "app_label": f"league-{key}", "name": name, "models": found})
    return groups
