"""Searches for a more even seating in the background: begun, carried on in small steps, stopped, used, forgotten."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.management.embedded import improve_seatings
from league.models import Change, Competition, Role, SeatingSearch
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.competitions.seating.plans import SchedulePlan, Wishes, planned_schedule
from league.selectors.competitions.seating.searches import BlockSearch, step_of_row
from league.services.competitions import seating_searches
from league.services.competitions.seating import write_schedule
from league.services.competitions.seating_searches import (
    LOST_AFTER,
    continue_search,
    improve_seating,
    searches_to_continue,
    stop_searches,
)
from league.services.competitions.setup import CompetitionPlan
from league.services.competitions.wizard import set_up_league
from league.services.operations.sweep import sweep
from league.tasks import improve_seating as task
from scoring.format import Seating
from scoring.seating import seating
from scoring.seating.balance import Schedule
from scoring.seating.improving import step_of
from tests.factories import SYSTEM, actor, entrants, user
from tests.league.competitions.test_wizard import CALENDAR, wishes

pytestmark = pytest.mark.django_db
State = SeatingSearch.State
LATE = wishes(hanchan=6, sessions=1, seating=Seating.ROUNDS, absent={number: frozenset({1}) for number in (1, 2, 3, 4)})
"""The first hanchan is played without four of the players, for which no plan is known."""


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search have two steps, each of them a chunk of its own."""
    monkeypatch.setattr(seating_searches, "STEPS", 2)
    monkeypatch.setattr(seating_searches, "CHUNK_SECONDS", 0)


def league(people: int = 32) -> Competition:
    """Return a draft of one block whose number of hanchan is open."""
    plan = CompetitionPlan(slug="autumn", name="秋リーグ", ruleset="cinderella", league_format="open-play")
    made = set_up_league(plan=plan, calendar=CALENDAR, by=SYSTEM)
    entrants(made, people)
    return made


def begun(competition: Competition, wished: Wishes = LATE) -> SeatingSearch:
    """Begin the search of a league with one block."""
    [search] = improve_seating(competition=competition, wishes=wished, by=SYSTEM)
    return search


def state_of(search: SeatingSearch) -> tuple[str, int]:
    search.refresh_from_db()
    return search.state, search.done


def key(plan: SchedulePlan) -> tuple[int, ...]:
    return plan.evenness[0].figures.key


def test_a_search_goes_on_in_chunks_and_its_seating_is_planned_once_it_has_ended() -> None:
    made = league()
    before = planned_schedule(made, LATE)
    search = begun(made)
    assert state_of(search) == (State.WAITING, 0)
    task(search.pk, 0)
    assert state_of(search) == (State.WAITING, 1)
    assert planned_schedule(made, LATE).digest == before.digest
    while state_of(search)[0] == State.WAITING:
        improve_seatings()
    assert state_of(search) == (State.DONE, 2)
    after = planned_schedule(made, LATE)
    assert key(after) == key_of_best(search) <= key(before)
    write_schedule(competition=made, wishes=LATE, digest=after.digest, by=SYSTEM)
    assert made.sessions.get().table_sessions.count() == 7 + 5 * 8


def test_a_better_seating_replaces_the_one_planned_at_once() -> None:
    search = begun(league())
    good, poor = seating(16, 5), (seating(16, 5)[0],) * 5
    found = BlockSearch(search.competition.blocks.get(), 16, {}, step_of(poor, 16), search, step_of(good, 16))
    one, other, *rest = good[4]
    now: Schedule = (*good[:4], ((other[0], *one[1:]), (one[0], *other[1:]), *rest))
    assert step_of(now, 16).key > step_of(good, 16).key
    assert found.improved(now) == now, "the search goes on"
    search.state = State.DONE
    assert step_of(found.improved(now), 16).key == step_of(good, 16).key


def test_players_stay_away_from_the_rounds_they_miss() -> None:
    made = league()
    search = begun(made)
    improve_seatings()
    improve_seatings()
    assert state_of(search) == (State.DONE, 2)
    [session] = planned_schedule(made, LATE).sessions
    first = [entrant.number for table in session.tables if table.numbers == (1,) for entrant in table.seats[0]]
    assert sorted(first) == list(range(5, 33))


@pytest.mark.both_databases
def test_a_stopped_search_keeps_what_it_has_found_and_can_go_on() -> None:
    made = league()
    search = begun(made)
    improve_seatings()
    assert stop_searches(competition=made, by=SYSTEM) == 1
    assert state_of(search) == (State.STOPPED, 1)
    assert searches_to_continue() == []
    assert key(planned_schedule(made, LATE)) == key_of_best(search)
    assert begun(made) == search
    assert state_of(search) == (State.WAITING, 1)
    assert search.total == 3
    assert list(Change.objects.filter(kind__startswith="seating_search.").values_list("kind", "is_public")) == [
        ("seating_search.begun", False), ("seating_search.stopped", False), ("seating_search.begun", False),
    ]  # fmt: skip
    assert stop_searches(competition=made, by=SYSTEM) == 1
    assert stop_searches(competition=made, by=SYSTEM) == 0


def key_of_best(search: SeatingSearch) -> tuple[int, ...]:
    from_row = step_of_row(search)
    return from_row.figures.key


@pytest.mark.both_databases
def test_a_late_message_and_a_second_worker_do_nothing() -> None:
    search = begun(league())
    assert continue_search(search.pk, 1) is None
    SeatingSearch.objects.update(state=State.RUNNING, touched_at=timezone.now())
    assert continue_search(search.pk, 0) is None
    assert searches_to_continue() == []
    assert state_of(search) == (State.RUNNING, 0)


@pytest.mark.both_databases
def test_the_search_of_a_lost_worker_is_taken_over() -> None:
    search = begun(league())
    SeatingSearch.objects.update(state=State.RUNNING, touched_at=timezone.now() - 2 * LOST_AFTER)
    assert searches_to_continue() == [(search.pk, 0)]
    assert continue_search(search.pk, 0) == (search.pk, 1)


def test_a_search_without_progress_for_a_week_is_deleted_by_the_sweep() -> None:
    begun(league())
    sweep()
    assert SeatingSearch.objects.count() == 1
    SeatingSearch.objects.update(touched_at=timezone.now() - dt.timedelta(days=8))
    sweep()
    assert not SeatingSearch.objects.exists()


def test_what_is_proved_the_best_or_searched_already_is_not_searched() -> None:
    made = league(8)
    perfect = wishes(hanchan=4, sessions=1, seating=Seating.STAY)
    with pytest.raises(ConflictError, match="nothing to search"):
        improve_seating(competition=made, wishes=perfect, by=SYSTEM)


def test_a_search_that_goes_on_is_not_begun_twice() -> None:
    made = league()
    begun(made)
    with pytest.raises(ConflictError):
        begun(made)


def test_only_managers_begin_and_stop_a_search_and_only_of_what_can_be_scheduled() -> None:
    made = league()
    scorer = actor(user("scorer", Role.SCORER, made))
    with pytest.raises(PermissionRefusedError):
        improve_seating(competition=made, wishes=LATE, by=scorer)
    with pytest.raises(PermissionRefusedError):
        stop_searches(competition=made, by=scorer)
    with pytest.raises(RuleViolationError):
        improve_seating(competition=made, wishes=wishes(), by=SYSTEM)


def test_the_schedule_page_begins_shows_and_stops_a_search(chief: Client) -> None:
    made = league()
    page = reverse("admin:league_competition_set-up-schedule", args=[made.pk])
    typed: dict[str, Any] = {
        "hanchan": "6", "sessions": "1", "first_day": "2027-01-09", "every": "7", "starts_at": "12:00", "venue": "灯火",
        "days": "session", "minutes": "60", "seating": "rounds", "absent": "1: 1\n2: 1\n3: 1\n4: 1", "seed": "spring",
    }  # fmt: skip
    shown = chief.post(page, {**typed, "look": "1"})
    assert "Improve in the background" in shown.content.decode()
    answer = chief.post(page, {**typed, "improve": "1"})
    assert answer.status_code == 302
    waiting = chief.get(answer["Location"]).content.decode()
    assert "0 of 2 steps, waiting" in waiting
    assert "searches.js" in waiting
    improve_seatings()
    part = chief.get(f"{answer['Location']}&searches=1").content.decode()
    assert "1 of 2 steps, waiting" in part
    assert "<html" not in part
    assert chief.post(page, {**typed, "stop": "1"})["Location"] == answer["Location"]
    shown = chief.get(answer["Location"])
    assert "1 of 2 steps, stopped" in shown.content.decode()
    assert "searches.js" not in shown.content.decode()
    assert key(shown.context["plan"]) == key_of_best(SeatingSearch.objects.get())
