"""The one place where a competition's version goes up."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import models, transaction
from django.db.models import F

from league.models import Change, Competition
from league.services.actor import Actor

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenChange:
    """Change `n` of a competition, whose number is taken and whose facts are being written."""

    competition: Competition
    by: Actor
    n: int

    def record(
        self,
        kind: str,
        subject: models.Model,
        *,
        before: Any = None,
        after: Any = None,
        reason: str = "",
        is_public: bool = True,
    ) -> Change:
        """Write the change down, and ask for new standings once the transaction has committed."""
        change = Change.objects.create(
            competition=self.competition,
            n=self.n,
            kind=kind,
            actor=self.by.user,
            credential=self.by.credential,
            door=self.by.door,
            subject_type=type(subject).__name__.lower(),
            subject_id=str(subject.pk),
            before=before,
            after=after,
            reason=reason,
            is_public=is_public,
            request_id=self.by.request_id,
        )
        transaction.on_commit(partial(ask_for_standings, self.competition.pk), robust=True)
        return change


def open_change(competition: Competition, by: Actor) -> OpenChange:
    """Take the competition's next version number; until the transaction ends nobody else can take one.

    The update locks the competition's row (PostgreSQL) or the database (SQLite), so that numbers follow the
    order of commits: whoever sees change n sees every change before it.
    """
    Competition.objects.filter(pk=competition.pk).update(version=F("version") + 1)
    competition.refresh_from_db(fields=["version"])
    return OpenChange(competition, by, competition.version)


def lock(competition: Competition) -> None:
    """Let nobody else change the competition until the transaction ends: what is checked from here on stays true.

    On SQLite the transaction itself has locked everything already.
    """
    Competition.objects.select_for_update().only("pk").get(pk=competition.pk)


def ask_for_standings(competition_id: int) -> None:
    """Send the task that recomputes the competition; if that fails the sweep makes it good."""
    from league.tasks import recompute_competition

    try:
        recompute_competition.delay(competition_id)
    except Exception:
        logger.exception(
            "standings of competition %s could not be asked for; the sweep will compute them", competition_id
        )
