"""The table of members and the awards of a team league."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Audience, Standing
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.seasons.members import awards_of, member_table
from league.services.competitions.schedule import hold_back
from tests.factories import SYSTEM
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db


def reader(made: TeamLeague) -> Reader:
    return public_reader_of(made.competition)


def test_the_members_of_each_team_add_up_to_its_total() -> None:
    made = team_league()
    rows = member_table(reader(made))
    totals = {row.entrant_id: row.total for row in Standing.objects.filter(audience=Audience.PUBLIC, played__gt=0)}
    assert totals == {team.pk: sum(row.total for row in rows if row.team == team) for team in made.teams}
    assert [row.rank for row in rows if row.games] == sorted(row.rank or 0 for row in rows if row.games)


def test_a_penalty_that_names_a_member_counts_for_the_member() -> None:
    made = team_league()
    row = next(row for row in member_table(reader(made)) if row.player == made.members[1][0])
    assert (row.adjustment, row.total) == (-200, row.points - 200)


def test_a_member_who_changed_teams_has_a_line_for_each() -> None:
    made = team_league()
    own = [row for row in member_table(reader(made)) if row.player == made.members[0][3]]
    assert {row.team for row in own} == {made.teams[0], made.teams[-1]}
    assert all(row.memberships for row in own)


def test_a_stage_without_a_hanchan_lists_the_members_without_a_rank() -> None:
    made = team_league(1)
    rows = member_table(reader(made), made.block("semi").stage)
    assert len(rows) == 26
    assert all(row.rank is None and row.average is None for row in rows)


def test_organizers_and_the_public_read_the_same_lines_in_few_queries() -> None:
    made = team_league()
    read = {}
    for audience in Audience:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            staff = Reader(made.competition, Audience.STAFF, made.competition.computed_version)
            rows = member_table(staff if audience == Audience.STAFF else reader(made))
        read[audience] = [(row.player.pk, row.team.pk, row.total, row.rank) for row in rows]
        assert len(queries) <= 12
    assert read[Audience.STAFF] == read[Audience.PUBLIC]


def test_the_spoiler_guard_hides_later_hanchan_of_members() -> None:
    made = team_league()
    guarded = Reader(made.competition, Audience.PUBLIC, made.competition.public_version, until=2)
    assert sum(len(row.games) for row in member_table(guarded)) == 16


def test_awards_have_a_minimum_and_are_open_until_the_stage_ends() -> None:
    made = team_league()
    points, last, best = awards_of(reader(made))
    rows = member_table(reader(made))
    assert points.ranking.lines[0].counted == max(row.total for row in rows)
    assert best.ranking.lines[0].counted == max(game.score for row in rows for game in row.games)
    assert all(line.hanchan >= 2 for line in last.ranking.lines)
    assert last.ranking.too_few
    assert not points.is_final


@pytest.mark.both_databases
def test_results_under_embargo_count_for_organizers_alone() -> None:
    made = team_league()
    coming = made.block("regular").hanchan.order_by("number").last()
    assert coming is not None
    before = [(row.player.pk, row.total) for row in member_table(reader(made))]
    hold_back(table_session=coming.table_session, until=timezone.now() + dt.timedelta(days=9), by=SYSTEM)
    made.play(coming)
    made.publish()
    assert [(row.player.pk, row.total) for row in member_table(reader(made))] == before
    staff = Reader(made.competition, Audience.STAFF, made.competition.computed_version)
    assert sum(len(row.games) for row in member_table(staff)) == 36
