"""The one place where a competition's version number is increased, and where `Change` rows are written."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from celery import current_app
from django.db import models, transaction
from django.db.models import F, Max

from league.models import Change, Competition, OrganizationChange, Parlour, Player
from league.platform.broker import send_task
from league.platform.replica import note_publication
from league.selectors.access.actors import Actor
from league.services.standings import debounce

RECOMPUTE = "league.tasks.recompute_competition"
"""The task's registered name: services send tasks by name, since tasks call services."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenChange:
    """Change number `n` of a competition: the number is taken, its facts are being written in the same transaction."""

    competition: Competition
    by: Actor
    n: int

    def record(
        self,
        kind: str,
        subject: models.Model,
        *,
        before: object = None,
        after: object = None,
        reason: str = "",
        is_public: bool = True,
    ) -> Change:
        """Write the change's row, and request new standings once the transaction has committed."""
        change = self.row(kind, subject, before=before, after=after, reason=reason, is_public=is_public)
        change.save(force_insert=True)
        ask_on_commit(self.competition)
        return change

    def row(
        self,
        kind: str,
        subject: models.Model,
        *,
        before: object = None,
        after: object = None,
        reason: str = "",
        is_public: bool = True,
    ) -> Change:
        """Return the change as an unsaved row."""
        return Change(
            competition=self.competition,
            n=self.n,
            kind=kind,
            before=before,
            after=after,
            reason=reason,
            is_public=is_public,
            **who_did_what_to(self.by, subject),
        )


def ask_on_commit(competition: Competition) -> None:
    """Request new standings of the competition once the transaction has committed; its row may have changed too."""
    note_publication()
    transaction.on_commit(partial(ask_for_standings, competition.pk), robust=True)


def open_changes(competition: Competition, by: Actor, count: int) -> list[OpenChange]:
    """Take the competition's next `count` version numbers, for changes that are written together."""
    rows = Competition.objects.filter(pk=competition.pk)
    rows.update(version=F("version") + count)
    # The UPDATE holds the row lock until commit, so the number read back cannot be taken twice.
    competition.version = rows.values_list("version", flat=True).get()
    numbers = range(competition.version - count + 1, competition.version + 1)
    return [OpenChange(competition, by, n) for n in numbers]


def record_together(competition: Competition, changes: Sequence[Change]) -> None:
    """Insert several changes of one competition, and request its new standings once."""
    Change.objects.bulk_create(changes)
    ask_on_commit(competition)


def open_change(competition: Competition, by: Actor) -> OpenChange:
    """Take the competition's next version number; other transactions wait for the next one until this one ends.

    The update locks the competition's row (PostgreSQL) or the database (SQLite), so that numbers follow the order
    of commits: a reader who sees change n sees every change before it.
    """
    return open_changes(competition, by, 1)[0]


def record_organization_change(
    kind: str, subject: models.Model, *, by: Actor, before: object = None, after: object = None, reason: str = ""
) -> OrganizationChange:
    """Record a change that belongs to no competition (of an account, a token, a player); it holds ids, never names."""
    note_publication()
    return OrganizationChange.objects.create(
        kind=kind, before=before, after=after, reason=reason, **who_did_what_to(by, subject)
    )


def who_did_what_to(by: Actor, subject: models.Model) -> dict[str, object]:
    """Return the columns of an audit row that identify actor, entry point and subject, by ids."""
    return {
        "actor": by.user,
        "credential": by.credential,
        "door": by.door,
        "request_id": by.request_id,
        "subject_type": type(subject).__name__.lower(),
        "subject_id": str(subject.pk),
    }


def after_last(rows: models.QuerySet[models.Model], column: str) -> int:
    """Return the number after the highest in use; the caller has locked the parent row, so no other writer takes it."""
    return int(rows.aggregate(last=Max(column))["last"] or 0) + 1


def lock(competition: Competition) -> None:
    """Lock the competition's row until the transaction ends, so that facts checked from here on stay true.

    On SQLite the immediate transaction has locked the whole database already.
    """
    Competition.objects.select_for_update().only("pk").get(pk=competition.pk)


def lock_player(player: Player) -> Player:
    """Lock a player's row until the transaction ends, and return it; before the rows of the player's competitions.

    The key stays free: a transaction that saves a result of this player has locked its competition, and refers to it.
    """
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def lock_house(competition: Competition) -> list[Competition]:
    """Lock a competition and, if it is a book of a parlour, the parlour and all its books.

    Return the rows as stored now, this competition first. The books of one house share their staff, the numbers and
    chairs of their guests, and the till.
    """
    if competition.parlour_id is None:
        return [Competition.objects.select_for_update().get(pk=competition.pk)]
    return sorted(lock_parlour_row(competition.parlour_id), key=lambda book: book.pk != competition.pk)


def lock_parlour_row(parlour_id: int) -> list[Competition]:
    """Lock a parlour and its books, in the order of ids, and return the books."""
    # The parlour's row comes first everywhere: two services that need several books cannot deadlock.
    Parlour.objects.select_for_update().only("pk").get(pk=parlour_id)
    return list(Competition.objects.select_for_update().filter(parlour=parlour_id).order_by("pk"))


def lock_parlours() -> None:
    """Lock the rows of all parlours, in the order of ids, but not their books."""
    list(Parlour.objects.select_for_update().only("pk").order_by("pk"))


def lock_players(players: Iterable[Player]) -> None:
    """Lock the rows of players as `lock_player` does, in the order of ids; before the rows of their competitions."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=[player.pk for player in players])
    list(rows.only("pk").order_by("pk"))


@contextmanager
def held(competition: Competition, players: Iterable[Player] = ()) -> Iterator[None]:
    """Keep others from changing the competition, so that what a page looks at first is what it then changes.

    `players` are those whom the page may enter: a merge locks its parlours, players and competitions in this order.
    """
    with transaction.atomic():
        if competition.parlour_id is not None:
            Parlour.objects.select_for_update().only("pk").get(pk=competition.parlour_id)
        lock_players(players)
        lock_house(competition)
        yield


def ask_for_standings(competition_id: int) -> None:
    """Send the task that recomputes the competition, one for a burst; if sending fails, the sweep publishes instead."""
    try:
        wait = debounce.seconds_to_wait(competition_id)
        if wait is None:
            return
        send = partial(send_task, current_app.tasks[RECOMPUTE], competition_id)
        if wait and debounce.ThisProcess.runs_later:
            debounce.run_later(send, wait)
        else:
            send(countdown=wait)
    # The facts are committed already: a broker that is away must not turn the save into an error.
    except Exception:
        logger.exception(
            "standings of competition %s could not be requested; the sweep will compute them", competition_id
        )
