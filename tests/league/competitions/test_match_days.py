"""Tests of match days: the session to run next, days in the competition's time zone, progress by stage."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone, translation

from league.models import Competition, Hanchan, Session
from league.selectors.competitions.match_days import match_days, next_match_days, stage_progress
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.results.rulings import close_block
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, final_table, league, play, session_on, table
from tests.league.paired_league import tournament

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


@pytest.mark.both_databases
def test_the_session_to_run_is_todays_else_the_next_else_the_first_unfinished_one() -> None:
    season = final_table()

    def chosen() -> list[Session]:
        return [day.session for day in next_match_days(Competition.objects.all())]

    assert chosen() == []
    undated = session_on(season, None, 1)
    assert chosen() == [undated]
    later = session_on(season, timezone.now() + 9 * DAY, 2)
    sooner = session_on(season, timezone.now() + 2 * DAY, 3)
    session_on(season, timezone.now() - 2 * DAY, 4)
    assert chosen() == [sooner]
    sooner.table_sessions.update(is_cancelled=True)
    assert chosen() == [later]


@pytest.mark.both_databases
def test_a_sessions_days_are_those_of_the_competitions_time_zone() -> None:
    season = final_table()
    block = season.blocks.get()
    table(block, numbers=(1,), starts_at=dt.datetime(2026, 3, 1, 20, 0, tzinfo=dt.UTC))
    table(block, numbers=(2,), starts_at=dt.datetime(2026, 3, 3, 3, 0, tzinfo=dt.UTC))
    with translation.override("ja"):
        (tokyo,) = match_days(season.sessions.select_related("competition"))
        assert tokyo.progress.days == "2026年3月2日(月) – 2026年3月3日(火)"
    Competition.objects.filter(pk=season.pk).update(time_zone="America/New_York")
    with translation.override("en"):
        (new_york,) = match_days(Session.objects.select_related("competition"))
        assert new_york.progress.days == "Sun 1 Mar 2026 – Mon 2 Mar 2026"
    assert (new_york.progress.tables, new_york.progress.planned, new_york.progress.done) == (2, 2, 0)


def test_a_stages_progress_counts_confirmed_hanchan_of_those_in_the_format() -> None:
    season = league("spring")
    block = season.blocks.get(key="A")
    play(table(block, numbers=(1, 2)).hanchan.get(round=1))
    found = {each.stage.key: (each.done, each.planned) for each in stage_progress(season, rules_at(season))}
    assert found["preliminary"] == (1, 32)
    assert found["final"] == (0, 4)


def test_byes_are_no_hanchan_to_play() -> None:
    block = tournament(10, '{ numbers = "1-3", by = "draw" }', odd='by = "byes", points = "average"', tables=2)
    found = {each.stage.key: each.planned for each in stage_progress(block.competition, rules_at(block.competition))}
    assert found["league"] == Hanchan.objects.filter(block=block).count() == 6
    publish_standings(block.competition_id)
    shown = Client(headers={"accept-language": "en"}).get("/c/open/").content.decode()
    assert "0 of all 7 hanchan played" in shown


def test_hanchan_of_a_block_closed_early_are_not_to_play() -> None:
    season = final_table()
    play(table(season.blocks.get(), numbers=(1,)).hanchan.get())
    close_block(block=season.blocks.get(), reason="time", by=SYSTEM)
    assert [(each.done, each.planned) for each in stage_progress(season, rules_at(season))] == [(1, 1)]
    publish_standings(season.pk)
    shown = Client(headers={"accept-language": "en"}).get("/c/final/").content.decode()
    assert "1 of all 1 hanchan played" in shown
