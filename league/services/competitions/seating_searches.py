"""Improve planned seatings in the background: begin, go on by small steps, stop, and forget old searches."""

from __future__ import annotations

import datetime as dt
from functools import partial
from time import monotonic

from celery import current_app
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition, SeatingSearch
from league.platform.broker import send_or_leave
from league.platform.errors import Finding, RuleViolationError, conflict
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.seating.plans import Wishes, planned_schedule
from league.selectors.competitions.seating.searches import constraints_of, is_proved_best, rows_of, step_of_row
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.wizard import refuse_bad_seed, refuse_odd_rhythm
from scoring.seating.improving import improving

STEPS = 100
"""Steps of a search; each takes from half a second to two seconds."""
CHUNK_SECONDS = 3
"""Duration after which a worker saves what it has found and lets other work go first."""
LOST_AFTER = dt.timedelta(minutes=2)
"""Silence after which a chunk counts as lost with its worker."""
KEPT = dt.timedelta(days=7)
IMPROVE = "league.tasks.improve_seating"
"""The task's registered name: services send tasks by name, since tasks call services."""
MESSAGE_SECONDS = 60
"""Expiry of a message to go on; while a search waits, the sweep sends another."""

State = SeatingSearch.State


@all_or_nothing
def improve_seating(*, competition: Competition, wishes: Wishes, by: Actor) -> list[SeatingSearch]:
    """Begin a search for each block whose planned seating is not proved to be the best; return the searches.

    A search that has ended goes on from the best seating it has found.
    """
    require(by, competition, Capability.MANAGE)
    refuse_bad_seed(wishes.seed)
    refuse_odd_rhythm(wishes.calendar)
    lock(competition)
    plan = planned_schedule(competition, wishes)
    if plan.faults:
        raise RuleViolationError(*(Finding("cannot_be_scheduled", fault) for fault in plan.faults))
    begun: list[SeatingSearch] = []
    for search in plan.searches:
        if search.is_improvable and not (search.row and search.row.is_pending):
            row, is_new = SeatingSearch.objects.get_or_create(
                competition=competition,
                key=search.key,
                defaults={
                    "players": search.players,
                    "apart": rows_of(search.apart),
                    "start": search.start.schedule,
                    "best": search.start.schedule,
                    "total": STEPS,
                },
            )
            if not is_new:
                row.state, row.total, row.touched_at = State.WAITING, row.done + STEPS, timezone.now()
                row.save(update_fields=["state", "total", "touched_at"])
            begun.append(row)
    if not begun:
        message = _("There is nothing to search: a search goes on, or each seating is proved to be the best.")
        raise conflict("nothing_to_improve", message)
    change = open_change(competition, by)
    after = {"seed": wishes.seed, "searches": [row.key[:16] for row in begun], "steps": STEPS}
    change.record("seating_search.begun", competition, after=after, is_public=False)
    for row in begun:
        transaction.on_commit(partial(ask_to_continue, row.pk, row.done), robust=True)
    return begun


@all_or_nothing
def stop_searches(*, competition: Competition, by: Actor) -> int:
    """Stop the searches of a competition and keep what they have found; return the number of those that went on."""
    require(by, competition, Capability.MANAGE)
    lock(competition)
    stopped = _pending().filter(competition=competition).update(state=State.STOPPED)
    if stopped:
        open_change(competition, by).record(
            "seating_search.stopped", competition, after={"searches": stopped}, is_public=False
        )
    return stopped


def continue_search(search_id: int, done: int) -> tuple[int, int] | None:
    """Search for a few seconds and save the best; return the search with its steps if it is to go on.

    Do nothing if the search has gone on since `done` steps, was stopped, or is in another worker's hands.
    """
    now = timezone.now()
    # Conditional UPDATE: of several workers exactly one goes on.
    if not _free(now).filter(pk=search_id, done=done).update(state=State.RUNNING, touched_at=now):
        return None
    row = SeatingSearch.objects.get(pk=search_id)
    best, until, is_over = step_of_row(row), monotonic() + CHUNK_SECONDS, True
    steps = improving(
        best.schedule, row.players, constraints_of(row), seed=int(row.key[:8], 16), steps=row.total, done=row.done
    )
    for best in steps:
        is_over = best.done == row.total or is_proved_best(best)
        if is_over or monotonic() > until:
            break
    saved = SeatingSearch.objects.filter(pk=search_id, state=State.RUNNING, touched_at=now).update(
        best=best.schedule,
        done=best.done,
        state=State.DONE if is_over else State.WAITING,
        touched_at=timezone.now(),
    )
    return (search_id, best.done) if saved and not is_over else None


def searches_to_continue() -> list[tuple[int, int]]:
    """Return each search that waits, or whose worker was lost, with the number of steps done."""
    return list(_free(timezone.now()).order_by("touched_at").values_list("pk", "done"))


def ask_to_continue(search_id: int, done: int) -> None:
    """Send the task that goes on with a search, or leave it to the sweep."""
    name = f"the task of seating search {search_id}"
    send_or_leave(current_app.tasks[IMPROVE], search_id, done, expires=MESSAGE_SECONDS, name=name)


def forget_old_searches() -> None:
    """Delete searches without progress for a week."""
    SeatingSearch.objects.filter(touched_at__lt=timezone.now() - KEPT).delete()


def _pending() -> QuerySet[SeatingSearch]:
    return SeatingSearch.objects.filter(state__in=(State.WAITING, State.RUNNING))


def _free(now: dt.datetime) -> QuerySet[SeatingSearch]:
    return SeatingSearch.objects.filter(
        Q(state=State.WAITING) | Q(state=State.RUNNING, touched_at__lt=now - LOST_AFTER), done__lt=F("total")
    )
