"""The organizers' desk: Django's admin under our name, with a start page that says what needs doing.

It stands apart from `league.admin` because Django creates the site before it looks for what to register on it.
"""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

GROUPS = (
    ("season", _("Season"), ("Competition", "Membership", "Entrant", "Stage", "Block", "Slot")),
    ("play", _("Match days"), ("Session", "TableSession", "Hanchan")),
    ("results", _("Results"), ("ResultSheet", "SeatResult", "TableEvent")),
    ("decisions", _("Decisions"), ("Ruling", "Adjustment", "Override", "Draw")),
    ("tables", _("Standings and ladder"), ("Standing", "SlotState", "Outcome", "Tally")),
    ("parlour", _("Parlour"), ("Sitting", "WaitingGuest", "DayClose")),
    ("people", _("People"), ("Player",)),
    ("rules", _("Rules"), ("RulesInForce", "RulesetRevision", "FormatRevision")),
    ("log", _("Log"), ("Change",)),
)


class DeskConfig(AdminConfig):
    """Django's admin application, with our site in it."""

    default_site = "league.admin_site.DeskSite"


class DeskSite(AdminSite):
    """The desk. Nothing is ever deleted in bulk."""

    site_title = "Jantaku"
    site_header = "Jantaku"
    index_title = _("What needs doing")

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        self.disable_action("delete_selected")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The start page."""
        from league.admin.start import start_page

        return super().index(request, {**start_page(request), **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The models of the league in groups that follow an organizer's work; users and the like after them."""
        apps = super().get_app_list(request, app_label)
        ours = [group for app in apps if app["app_label"] == "league" for group in groups_of(app)]
        return [*ours, *(app for app in apps if app["app_label"] != "league")]


def groups_of(app: dict[str, Any]) -> list[dict[str, Any]]:
    """The application's models as several groups, in our order; a group without models is left out."""
    by_name = {model["object_name"]: model for model in app["models"]}
    groups = []
    for key, name, models in GROUPS:
        found = [by_name[model] for model in models if model in by_name]
        if found:
            groups.append({**app, "app_label": f"league-{key}", "name": name, "models": found})
    return groups
