"""The configuration of the service's one Django application."""

import gc
from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps

NEW_OBJECTS, YOUNG, OLD = 10_000, 20, 50
"""Thresholds of the garbage collector: new objects, then collections of the next younger generation."""


class LeagueConfig(AppConfig):
    """The application with competitions, results and standings, and the pages and APIs on top of them."""

    name = "league"
    verbose_name = "Jantaku"
    default_auto_field = "django.db.models.BigAutoField"
    default = True

    def ready(self) -> None:
        """Register the admin pages, the system checks, and the Celery tasks, which services send by name.

        Then collect garbage again, which `league` has disabled, but among new objects alone and rarely: with Python's
        thresholds a migration of all tables takes a fifth more CPU.
        """
        import_module("league.admin.registry")
        import_module("league.tasks")
        import_module("league.web.operations.checks")
        gc.freeze()
        gc.set_threshold(NEW_OBJECTS, YOUNG, OLD)
        gc.enable()


class OrganizersAdminConfig(admin_apps.AdminConfig):
    """Django's admin application with the organizers' site."""

    default = False
    default_site = "league.admin.site.OrganizersSite"
