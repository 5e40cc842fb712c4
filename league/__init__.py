"""The service: the Django project and its one app. Rules live in `rulesets` and `scoring`."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
