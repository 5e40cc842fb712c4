"""Members of teams as of the version that a reader may read: not later changes, and not those behind the guard."""

from __future__ import annotations

import datetime as dt

import pytest

from league.models import Audience, Player, TeamMember
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.exchange.team_export import members_sheet
from league.selectors.people.careers import career_of, entries_of_career, members_by_season
from league.selectors.seasons.line_ups import appearances_of
from league.selectors.seasons.members import member_table
from league.selectors.seasons.teams import memberships_seen_by
from league.services.competitions.setup import new_player
from league.services.seasons.teams import add_member, end_membership, transfer
from tests.api.client import Api
from tests.factories import SYSTEM
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db
LAST = dt.date(2027, 3, 31)


def newcomer(made: TeamLeague) -> Player:
    """Add a member to the second team after the last published version."""
    person = new_player(name="新田 そら", by=SYSTEM)
    add_member(entrant=made.teams[1], player=person, by=SYSTEM)
    return person


def names_everywhere(made: TeamLeague) -> list[bool]:
    """Return for each thing that the public reads whether it has the newcomer."""
    made.competition.refresh_from_db()
    reader = public_reader_of(made.competition)
    team = made.teams[1].player
    career = career_of(team, entries_of_career(team, None))
    document = Api().get("competitions/teams/teams/")
    return [
        "新田 そら" in {row.player.name for row in member_table(reader)},
        "新田 そら"
        in {person.name for person in appearances_of(reader, made.block("regular").stage)[1].people.values()},
        "新田 そら" in {player.name for season in members_by_season(career) for player, _row, _count in season.members},
        "新田 そら" in str(members_sheet(reader).rows),
        "新田 そら" in str(document),
    ]


def test_a_new_member_appears_with_the_version_that_has_them() -> None:
    made = team_league()
    newcomer(made)
    assert names_everywhere(made) == [False] * 5
    made.publish()
    assert names_everywhere(made) == [True] * 5


@pytest.mark.both_databases
def test_a_transfer_that_is_not_published_leaves_the_member_in_the_old_team_without_a_last_day() -> None:
    made = team_league(1)
    mover = made.members[1][2]
    row = TeamMember.objects.standing().get(player=mover)
    transfer(member=row, to=made.teams[2], since=LAST, by=SYSTEM, reason="移籍")
    made.competition.refresh_from_db()
    seen = memberships_seen_by(public_reader_of(made.competition), player=mover)
    assert [(each.entrant, each.until) for each in seen] == [(made.teams[1], None)]
    made.publish()
    seen = memberships_seen_by(public_reader_of(made.competition), player=mover)
    assert [(each.entrant, each.until) for each in seen] == [
        (made.teams[1], LAST - dt.timedelta(days=1)),
        (made.teams[2], None),
    ]


def test_a_transfer_of_a_member_who_has_left_keeps_the_last_day_for_the_old_team() -> None:
    made = team_league()
    row = TeamMember.objects.standing().get(player=made.members[1][2])
    left = end_membership(member=row, until=LAST, by=SYSTEM, reason="退団")
    assert left is not None
    since = LAST + dt.timedelta(days=30)
    transfer(member=left, to=made.teams[2], since=since, by=SYSTEM, reason="移籍")
    rows = TeamMember.objects.standing().filter(player=row.player).order_by("since")
    assert {(each.entrant, each.since, each.until) for each in rows} == {
        (made.teams[1], None, LAST),
        (made.teams[2], since, None),
    }


@pytest.mark.both_databases
def test_the_spoiler_guard_shows_members_as_before_the_first_result_behind_it() -> None:
    made = team_league(2)
    newcomer(made)
    leaver = made.members[3][2]
    end_membership(member=TeamMember.objects.standing().get(player=leaver), until=LAST, by=SYSTEM, reason="退団")
    made.publish()
    guarded = Reader(made.competition, Audience.PUBLIC, made.competition.public_version, until=1)
    open_to_all = public_reader_of(made.competition)
    read = [{each.player.name: each.until for each in memberships_seen_by(reader)} for reader in (guarded, open_to_all)]
    assert ["新田 そら" in each for each in read] == [False, True]
    assert [each[leaver.name] for each in read] == [None, LAST]
