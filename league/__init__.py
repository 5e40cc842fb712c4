"""The Django project and its one application; the rules of the game live in `rulesets` and `scoring`."""

import gc

# Loaded objects stay. Scanning them again and again takes a third of a start; `LeagueConfig.ready` ends it.
gc.disable()

from league.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
