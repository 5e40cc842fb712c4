"""A visitor as a member of a team, and what a member's page says of now, next and penalties."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from league.models import Hanchan, TeamMember
from league.selectors.access.readers import public_reader_of
from league.selectors.people.mine import mine_of, present_membership
from league.services.seasons.line_ups import name_line_up
from tests.api.client import Api
from tests.factories import SYSTEM
from tests.league.team_league import MOVES_ON, TeamLeague, team_league

pytestmark = pytest.mark.django_db
ME = "/c/teams/me/"


def visitor() -> Client:
    return Client(headers={"accept-language": "en"})


def body(path: str, client: Client | None = None) -> str:
    answer = (client or visitor()).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def coming(made: TeamLeague) -> Hanchan:
    """Return the next hanchan of the first team."""
    return Hanchan.objects.filter(seats__entrant=made.teams[0], state=Hanchan.State.SCHEDULED).order_by("number")[0]


def test_a_member_is_chosen_kept_and_shown_with_the_team() -> None:
    made, client = team_league(), visitor()
    member = made.members[1][1]
    asked = body(ME, client)
    assert "Which team do you support, or which member are you?" in asked
    assert f'<option value="{member.key}">{member.name_romaji}</option>' in asked
    assert f'<optgroup label="Members of {made.teams[1].player.name_romaji}">' in asked
    looked_at = body(f"{ME}?player={member.key}", client)
    assert "This is me: keep it on this device" in looked_at
    assert client.post(ME, {"player": member.key}).headers["Location"] == ME
    page = body(ME, client)
    assert "keep it on this device" not in page
    assert "Now and next" in page
    assert made.teams[1].player.name_romaji in page
    card = body(f"{ME}card/", client)
    assert f'data-key="{made.teams[1].player.key}" data-member="{member.key}"' in card
    assert f'data-number="{made.teams[1].number}"' in card
    assert "played;" in card


def test_a_team_can_still_be_chosen_and_an_unknown_person_is_asked_again() -> None:
    made, client = team_league(), visitor()
    team = made.teams[2].player
    client.post(ME, {"player": team.key})
    assert f'data-key="{team.key}"' in body(f"{ME}card/", client)
    answer = client.post(ME, {"player": "teams-nobody"})
    assert answer.status_code == 422
    assert "There is no such team or member here." in answer.content.decode()


def test_who_changed_teams_follows_the_team_of_the_day() -> None:
    made = team_league()
    moved = made.members[0][3]
    rows = list(TeamMember.objects.standing().filter(player=moved).order_by("pk"))
    days = (MOVES_ON - dt.timedelta(days=1), MOVES_ON, MOVES_ON + dt.timedelta(days=900))
    assert [present_membership(rows, day).entrant for day in days] == [made.teams[0], made.teams[-1], made.teams[-1]]
    ended = TeamMember(entrant=made.teams[0], until=days[0])
    assert present_membership([ended], days[2]) is ended
    assert present_membership(rows[1:], days[0]).entrant == made.teams[-1], "one to come is better than none"


def test_a_member_of_a_later_version_cannot_be_chosen_yet() -> None:
    made = team_league()
    member = made.members[1][1]
    TeamMember.objects.filter(player=member).update(made_n=made.competition.public_version + 1)
    assert mine_of(public_reader_of(made.competition), member.key) is None


def test_the_page_of_a_member_names_the_coming_hanchan_once_the_line_up_is_public() -> None:
    made = team_league()
    member, hanchan = made.members[0][1], coming(made)
    path = f"/c/teams/members/{member.key}/"
    before = body(path)
    assert f'href="/c/teams/tables/{hanchan.table_session_id}/"' in before
    assert "line-up not announced" in before
    name_line_up(hanchan=hanchan, entrant=made.teams[0], player=member, by=SYSTEM)
    made.publish()
    assert f"{member.name_romaji} plays" in body(path)
    assert f"{member.name_romaji} plays" in body(f"/c/teams/members/{made.members[0][0].key}/")


def test_a_penalty_that_names_a_member_is_listed_with_its_reason_where_the_points_are_added_up() -> None:
    made = team_league()
    named, other = made.members[1][0], made.members[1][1]
    page = body(f"/c/teams/members/{named.key}/")
    assert "adjusted: チョンボ" in page
    assert "チョンボ" not in body(f"/c/teams/members/{other.key}/")
    (row,) = (each for each in Api().get("competitions/teams/members/")["rows"] if each["player_key"] == named.key)
    assert [(each["points"], each["reason"]) for each in row["penalties"]] == [("-20.0", "チョンボ")]
    career = body(f"/players/{named.key}/")
    assert f'href="/c/teams/members/{named.key}/"' in career
    assert "penalties that name its member" in career


def test_a_penalty_of_a_member_who_has_not_played_is_on_the_page_too() -> None:
    made = TeamLeague()
    made.schedule()
    made.penalize(1, 2)
    made.publish()
    page = body(f"/c/teams/members/{made.members[1][2].key}/")
    assert "adjusted: チョンボ" in page
    assert page.count("20.0</td>") == 2, "the penalty, and the sum that it is alone"
