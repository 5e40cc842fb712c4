"""The one Django app of the service."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Competitions, results, standings and the doors to them."""

    name = "league"
    verbose_name = "Jantaku"
    default_auto_field = "django.db.models.BigAutoField"
