"""REST resources of a league of teams: teams, totals with their carry, individuals, awards and fixtures."""

from __future__ import annotations

import datetime as dt
import json
from fractions import Fraction

import pytest
from django.http import HttpResponse
from django.utils import timezone
from knox.models import AuthToken

from league.models import Hanchan, HanchanSeat, LineUp, Membership, Role, TableSession, TeamMember, TokenGrant
from league.services.results.rulings import close_block
from tests.api.client import Api
from tests.factories import SYSTEM, user
from tests.factories import league as league_of_players
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> TeamLeague:
    """Return a league with two evenings played and one scheduled."""
    return team_league(2)


def test_a_team_tells_its_members_by_date_and_what_its_total_is_made_of(league: TeamLeague) -> None:
    found = Api().get("competitions/teams/teams/")
    assert [team["name"] for team in found["teams"]] == [entrant.player.name for entrant in league.teams]
    second = found["teams"][1]
    assert (second["short_name"], second["glyph"], second["colour"]) == ("浅間", "隼", 1)
    (total,) = second["totals"]
    parts = [Fraction(total[key]) for key in ("hanchan", "adjustment")]
    assert Fraction(total["total"]) == sum(parts)
    assert (total["carry"], total["adjustment"]) == (None, "-20.0")
    (penalty,) = total["penalties"]
    assert (penalty["points"], penalty["player"]) == ("-20.0", str(league.members[1][0].pk))
    assert (penalty["cause"], penalty["cause_name"]) == ("", None)
    moved = [row for row in found["teams"][0]["members"] if row["until"]]
    assert [row["player_name"] for row in moved] == [league.members[0][3].name]
    assert [row["is_captain"] for row in second["members"]] == [True, False, False]
    one = Api().get(f"competitions/teams/teams/{second['key']}/")
    assert {key: one[key] for key in second} == second
    assert Api().send("get", "competitions/teams/teams/none/").status_code == 404


def test_the_sum_of_individuals_and_team_penalties_is_the_sum_of_teams(league: TeamLeague) -> None:
    members = Api().get("competitions/teams/members/")
    teams = Api().get("competitions/teams/teams/")["teams"]
    total = sum(Fraction(team["totals"][0]["total"]) for team in teams)
    assert sum(Fraction(row["total"]) for row in members["rows"]) == total
    award = members["awards"][0]
    assert (award["key"], award["final"]) == ("points", False)
    assert award["ranking"][0]["rank"] == 1
    assert Api().get("competitions/teams/members/", stage="final")["rows"][0]["played"] == 0


def test_fixtures_tell_the_members_announced_and_no_secret_one(league: TeamLeague) -> None:
    seat = HanchanSeat.objects.filter(hanchan__state="scheduled").select_related("hanchan", "entrant").first()
    assert seat is not None
    member = TeamMember.objects.filter(entrant=seat.entrant).earliest("order").player
    TableSession.objects.filter(hanchan=seat.hanchan).update(
        line_ups_due_at=timezone.now() + dt.timedelta(hours=1), line_ups_are_secret=True
    )
    LineUp.objects.create(
        hanchan=seat.hanchan, entrant=seat.entrant, player=member, is_secret=True, made_n=league.competition.version
    )
    found = Api().get("competitions/teams/fixtures/", page_size=200)["results"]
    coming = next(row for row in found if row["hanchan"] == str(seat.hanchan_id))
    assert [each["line_up"] for each in coming["seats"]] == [None] * 4
    assert coming["line_ups_are_secret"] is True
    assert all(each["line_up"] for each in found[0]["seats"])
    assert {row["block"]["key"] for row in found} == {"regular"}
    own = Api().get("competitions/teams/fixtures/", team=str(seat.entrant_id), page_size=200)
    assert 0 < own["count"] < len(found)


def test_a_carry_tells_the_total_the_part_and_the_rounding() -> None:
    league = TeamLeague()
    league.play_evenings(2)
    close_block(block=league.block("regular"), by=SYSTEM, reason="台風")
    league.publish()
    found = Api().get("competitions/teams/teams/")["teams"]
    carries = [total["carry"] for team in found for total in team["totals"] if total["block"]["key"] == "semi"]
    for carry in filter(None, carries):
        assert Fraction(carry["exact"]) == Fraction(carry["total"]) * Fraction(carry["part"])
        assert carry["rounding"] == "up"
        assert 0 <= Fraction(carry["rounded"]) - Fraction(carry["exact"]) < Fraction(1, 10)
    assert any(carries)


def test_a_league_of_players_has_no_teams() -> None:
    league_of_players("plain")
    for name in ("teams", "members", "fixtures"):
        assert Api().send("get", f"competitions/plain/{name}/").status_code == 404
    assert Api(user("someone")).send("get", "competitions/plain/teams/").status_code == 404


def captain_of(league: TeamLeague, team: int) -> Api:
    """Return a client of the team's captain."""
    made = user(f"captain{team}")
    Membership.objects.create(competition=league.competition, user=made, role=Role.CAPTAIN, team=league.teams[team])
    return Api(made)


def coming(league: TeamLeague, team: int) -> str:
    """Return the path of a line-up still to be named for a team."""
    entrant = league.teams[team]
    hanchan = Hanchan.objects.filter(state="scheduled", seats__entrant=entrant).earliest("number")
    return f"hanchan/{hanchan.pk}/line-ups/{entrant.player.key}/"


def test_a_captain_names_and_takes_back_the_own_line_up_alone(league: TeamLeague) -> None:
    team = HanchanSeat.objects.filter(hanchan__state="scheduled").order_by("hanchan", "seat")[0].entrant
    own = league.teams.index(team)
    other = next(number for number in range(8) if number != own)
    path, captain = coming(league, own), captain_of(league, own)
    member, second = league.members[own][:2]
    first = captain.send("get", path)
    assert captain.get(path)["line_up"] is None
    named = captain.send("put", path, {"player": str(member.pk)}, {"If-Match": first.headers["ETag"]})
    assert named.status_code == 200, named.content.decode()
    assert json.loads(named.content)["line_up"]["player"] == str(member.pk)
    assert captain.send("put", path, {"player": str(member.pk)}).headers["ETag"] == named.headers["ETag"]
    assert Api().get(path)["line_up"]["player"] == str(member.pk)
    stale = captain.send("put", path, {"player": str(second.pk)}, {"If-Match": first.headers["ETag"]})
    assert (stale.status_code, json.loads(stale.content)["code"]) == (412, "stale_revision")
    stranger = league.members[other][0]
    refused = captain.send("put", path, {"player": str(stranger.pk)})
    assert (refused.status_code, json.loads(refused.content)["errors"][0]["code"]) == (422, "not_a_member")
    unknown = json.loads(captain.send("put", path, {"player": "999999"}).content)["errors"][0]
    assert (unknown["code"], unknown["pointer"]) == ("unknown_player", "/player")
    for client in (captain_of(league, other), Api(user("someone"))):
        assert client.send("put", path, {"player": str(second.pk)}).status_code == 403
        assert client.send("delete", path).status_code == 403
    assert Api().send("put", path, {"player": str(second.pk)}).status_code == 401
    gone = captain.send("delete", path, None, {"If-Match": named.headers["ETag"]})
    assert gone.status_code == 204, gone.content.decode()
    assert captain.send("delete", path).status_code == 204
    assert Api().get(path)["line_up"] is None


def test_a_secret_line_up_is_told_to_its_team_and_the_organizers_alone(league: TeamLeague) -> None:
    hanchan = Hanchan.objects.filter(state="scheduled").earliest("number")
    TableSession.objects.filter(hanchan=hanchan).update(
        line_ups_due_at=timezone.now() + dt.timedelta(hours=1), line_ups_are_secret=True
    )
    numbers = [league.teams.index(seat.entrant) for seat in hanchan.seats.order_by("seat").select_related("entrant")]
    own, other = numbers[:2]
    path, captain = coming(league, own), captain_of(league, own)
    strangers = Api(), Api(user("scorer", Role.SCORER, league.competition)), captain_of(league, other)
    paths = path, f"hanchan/{hanchan.pk}/", "competitions/teams/fixtures/", "competitions/teams/teams/"
    before = {(number, each): client.send("get", each) for number, client in enumerate(strangers) for each in paths}
    named = captain.send("put", path, {"player": str(league.members[own][0].pk)})
    assert json.loads(named.content)["is_secret"] is True
    league.publish()
    assert captain.get(path)["line_up"]["player"] == str(league.members[own][0].pk)
    director = Api(user("director", Role.DIRECTOR, league.competition))
    assert director.get(path)["is_secret"] is True
    for (number, each), answer in before.items():
        again = strangers[number].send("get", each)
        assert without_version(again) == without_version(answer), each
        # For the staff the version moves with every change, and tells no more than that.
        if number != 1:
            assert again.content == answer.content, each
            assert again.headers["ETag"] == answer.headers["ETag"], each


def without_version(answer: HttpResponse) -> dict[str, object]:
    """Return a document without the version that was read, and its moment."""
    return {key: value for key, value in json.loads(answer.content).items() if key not in ("as_of", "updated_at")}


def test_a_token_for_line_ups_names_them_and_does_nothing_else(league: TeamLeague) -> None:
    team = HanchanSeat.objects.filter(hanchan__state="scheduled").order_by("hanchan", "seat")[0].entrant
    own = league.teams.index(team)
    path = coming(league, own)
    captain = captain_of(league, own)
    token = AuthToken.objects.get(user__username=f"captain{own}")
    TokenGrant.objects.create(token=token, label="line-ups", scopes=["line_up"], competition=league.competition)
    member = league.members[own][0]
    assert captain.send("put", path, {"player": str(member.pk)}).status_code == 200
    hanchan = path.partition("/line-ups")[0]
    assert captain.change(f"{hanchan}/results/", {"seats": []}).status_code == 403
    TokenGrant.objects.update(scopes=["read"])
    assert captain.send("put", path, {"player": str(league.members[own][1].pk)}).status_code == 403
