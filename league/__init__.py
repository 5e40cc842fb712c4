"""The Django project and its one application; the rules of the game live in `rulesets` and `scoring`."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
