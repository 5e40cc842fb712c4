"""The organizers' statement that women and men play in a team: private, of the present members, and asked for."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Change, FormatRevision, Role, TeamMember
from league.platform.errors import ServiceError
from league.selectors.access.readers import public_reader_of
from league.selectors.seasons.team_statements import both_sexes_of, unconfirmed_teams
from league.services.competitions.setup import new_player
from league.services.rulebooks.revisions import keep
from league.services.seasons.team_statements import confirm_both_sexes
from league.services.seasons.teams import add_member, end_membership, make_captain
from tests.factories import SYSTEM, user
from tests.league.team_league import TeamLeague, team_format

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> TeamLeague:
    """Return a league whose format asks for women and men in every team."""
    text = team_format().replace("[team]\n", "[team]\nboth_sexes = true\n")
    return TeamLeague(league_format=keep(FormatRevision, "small-team-league", text))


@pytest.mark.both_databases
def test_a_statement_holds_until_the_team_has_other_members(made: TeamLeague) -> None:
    team = made.teams[1]
    assert unconfirmed_teams(made.competition) == made.teams
    confirm_both_sexes(entrant=team, by=SYSTEM)
    assert team not in unconfirmed_teams(made.competition)
    make_captain(member=TeamMember.objects.standing().get(player=made.members[1][1]), by=SYSTEM)
    assert team not in unconfirmed_teams(made.competition), "the same people"
    added = add_member(entrant=team, player=new_player(name="新人", by=SYSTEM), by=SYSTEM)
    assert team in unconfirmed_teams(made.competition)
    end_membership(member=added, until=None, by=SYSTEM, reason="誤り")
    assert team not in unconfirmed_teams(made.competition), "an error that was taken back changes nothing"


def test_stated_twice_it_is_recorded_once_and_the_public_reads_nothing_of_it(made: TeamLeague) -> None:
    for _time in range(2):
        confirm_both_sexes(entrant=made.teams[0], by=SYSTEM)
    made.publish()
    (change,) = Change.objects.filter(kind="team.both_sexes_confirmed")
    assert (change.is_public, change.before, change.after) == (False, None, None)
    assert not public_reader_of(made.competition).changes().filter(pk=change.pk).exists()


def test_the_page_of_the_team_warns_asks_and_says_who_confirmed(made: TeamLeague) -> None:
    chief, client = (
        user("chief", Role.DIRECTOR, made.competition, is_staff=True),
        Client(headers={"accept-language": "en"}),
    )
    client.force_login(chief)
    address = reverse("admin:league_entrant_team", args=[made.teams[0].pk])
    desk = reverse("admin:league_competition_change", args=[made.competition.pk])
    assert "The format asks for women and men in every team." in client.get(address).content.decode()
    assert "Women and men in the team not confirmed:" in client.get(desk).content.decode()
    assert client.post(address, {"action": "both-sexes"}).status_code == 302
    assert "confirmed by chief" in client.get(address).content.decode()
    assert len(unconfirmed_teams(made.competition)) == 7


def test_a_format_that_asks_for_nothing_shows_and_takes_no_statement() -> None:
    made = TeamLeague()
    assert (both_sexes_of(made.teams[0]), unconfirmed_teams(made.competition)) == (None, [])
    with pytest.raises(ServiceError) as refused:
        confirm_both_sexes(entrant=made.teams[0], by=SYSTEM)
    assert refused.value.findings[0].code == "not_asked_for"


def test_only_those_who_manage_the_competition_may_state_it(made: TeamLeague) -> None:
    client = Client()
    client.force_login(user("scorer", Role.SCORER, made.competition, is_staff=True))
    answer = client.post(reverse("admin:league_entrant_team", args=[made.teams[0].pk]), {"action": "both-sexes"})
    assert answer.status_code == 403
    assert not Change.objects.filter(kind="team.both_sexes_confirmed").exists()
