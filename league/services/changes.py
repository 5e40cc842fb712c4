"""The one place where a competition's version goes up."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from django.db import models, transaction
from django.db.models import F

from league.models import Change, Competition
from league.services.actor import Actor

logger = logging.getLogger(__name__)


def next_version(competition: Competition) -> int:
    """Take the competition's next version number; until the transaction ends nobody else can take one.

    The update locks the competition's row (PostgreSQL) or the database (SQLite), so that numbers follow the
    order of commits: whoever sees change n sees every change before it.
    """
    Competition.objects.filter(pk=competition.pk).update(version=F("version") + 1)
    competition.refresh_from_db(fields=["version"])
    return competition.version


def record_change(
    *,
    competition: Competition,
    n: int,
    kind: str,
    by: Actor,
    subject: models.Model,
    before: Any = None,
    after: Any = None,
    reason: str = "",
    is_public: bool = True,
) -> Change:
    """Write change `n`, and ask for new standings once the transaction has committed."""
    change = Change.objects.create(
        competition=competition,
        n=n,
        kind=kind,
        actor=by.user,
        credential=by.credential,
        door=by.door,
        subject_type=subject._meta.model_name or "",
        subject_id=str(subject.pk),
        before=before,
        after=after,
        reason=reason,
        is_public=is_public,
        request_id=by.request_id,
    )
    transaction.on_commit(partial(ask_for_standings, competition.pk), robust=True)
    return change


def ask_for_standings(competition_id: int) -> None:
    """Send the task that recomputes the competition; if that fails the sweep makes it good."""
    from league.tasks import recompute_competition

    try:
        recompute_competition.delay(competition_id)
    except Exception:
        logger.exception(
            "standings of competition %s could not be asked for; the sweep will compute them", competition_id
        )
