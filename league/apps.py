"""The configuration of the service's one Django application."""

import gc
from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class LeagueConfig(AppConfig):
    """The application with competitions, results and standings, and the pages and APIs on top of them."""

    name = "league"
    verbose_name = "Jantaku"
    default_auto_field = "django.db.models.BigAutoField"
    default = True

    def ready(self) -> None:
        """Register the admin pages, the system checks, and the Celery tasks, which services send by name.

        Then collect garbage again, which `league` has disabled, but among new objects alone.
        """
        import_module("league.admin.registry")
        import_module("league.tasks")
        import_module("league.web.checks")
        gc.freeze()
        gc.enable()


class OrganizersAdminConfig(admin_apps.AdminConfig):
    """Django's admin application with the organizers' site."""

    default = False
    default_site = "league.admin.site.OrganizersSite"
