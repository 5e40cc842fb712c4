"""The pages of a team league's members."""

from __future__ import annotations

import math

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Outcome, Role, SlotState, Standing
from tests.factories import final_table, user
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db


def page(made: TeamLeague, path: str, client: Client, status: int = 200) -> str:
    response = client.get(f"/c/{made.competition.slug}/{path}", headers={"accept-language": "en"})
    assert response.status_code == status, response.content[:300]
    return response.content.decode()


@pytest.mark.both_databases
def test_the_pages_of_members_show_names_totals_and_awards(client: Client) -> None:
    made = team_league()
    text = page(made, "members/", client)
    assert "Aoyama Akira" in text
    assert "Highest score" in text
    own = page(made, f"members/{made.members[0][0].key}/", client)
    assert "Captain" in own
    assert "Minato Libertas" in own
    assert "at least 2 hanchan" in page(made, "awards/", client)
    assert "No result yet." in page(made, "stages/semi/members/", client)
    page(made, "stages/no/members/", client, 404)
    page(made, "members/no-one/", client, 404)


def test_the_home_page_shows_fixtures_teams_race_and_individuals(client: Client) -> None:
    made = team_league()
    text = page(made, "", client)
    assert text.count("line-ups not announced") == 2
    assert "not announced</small>" in text
    assert text.count('<svg class="tb') == 8
    assert "The race" in text
    hanchan = made.block("regular").hanchan.order_by("-number")[1]
    made.name_members(hanchan)
    made.publish()


def test_pages_of_a_game_name_members_with_their_teams_and_no_substitute(client: Client) -> None:
    made = team_league()
    first = made.block("regular").hanchan.select_related("table_session__session").order_by("number").first()
    assert first is not None
    seats = [seat for sheet in first.sheets.all() for seat in sheet.seats.select_related("player", "entrant__player")]
    paths = (
        f"hanchan/{first.pk}/", f"tables/{first.table_session_id}/", f"sessions/{first.table_session.session.number}/",
        f"sessions/{first.table_session.session.number}/seats/", "sessions/", "projector/", "",
    )  # fmt: skip
    for path in paths:
        text = page(made, path, client)
        assert "substitute" not in text, path
    text = page(made, f"hanchan/{first.pk}/", client)
    assert all(seat.player.name_romaji in text and seat.entrant.player.name_romaji in text for seat in seats)
    coming = made.block("regular").hanchan.order_by("number").last()
    assert coming is not None
    assert page(made, f"hanchan/{coming.pk}/", client).count("not announced") == 4


def test_the_team_pages_list_members_with_their_days_and_totals(client: Client) -> None:
    made = team_league()
    text = page(made, "players/", client)
    assert "<h1" in text
    assert "until Sun 18 Oct 2026" in text
    assert "from Mon 19 Oct 2026" in text
    own = page(made, f"players/{made.teams[1].player.key}/", client)
    assert all(player.name_romaji in own for player in made.members[1])
    assert "adjusted" in own


def test_appearances_are_shown_with_the_range_still_possible(client: Client) -> None:
    made = team_league()
    text = page(made, "members/", client)
    assert "each member plays 2 to 8 hanchan" in text
    assert "short of the least" in text


def test_carried_points_show_both_numbers_and_the_rounding(client: Client) -> None:
    made = TeamLeague(hanchan=3)
    made.play_evenings(3)
    made.publish()
    standing = Standing.objects.filter(block=made.block("semi"), audience="public", carried__lt=0).first()
    assert standing is not None
    before = Standing.objects.get(block=made.block("regular"), audience="public", entrant=standing.entrant)
    assert standing.carried == math.ceil(before.total / 2)
    text = page(made, f"players/{standing.entrant.player.key}/", client)
    assert f"-{-before.total / 10:.1f} ÷ 2 = " in text
    assert f" → -{-standing.carried / 10:.1f}" in text


def test_the_champion_of_a_team_league_is_shown_with_its_members(client: Client) -> None:
    made = TeamLeague(hanchan=3)
    made.play_evenings(3)
    for key, size, count in (("semi", 6, 6), ("final", 4, 2)):
        made.publish()
        states = SlotState.objects.filter(slot__block=made.block(key), audience="staff").order_by("slot__number")
        teams = [state.entrant for state in states if state.entrant]
        assert len(teams) == size
        rounds = ((0, 1, 2, 3), (2, 3, 4, 5), (4, 5, 0, 1)) if key == "semi" else ((0, 1, 2, 3),)
        companies = [[teams[place] for place in rounds[number % len(rounds)]] for number in range(count)]
        for hanchan in made.schedule(key, companies=companies):
            made.play(hanchan)
    made.publish()
    winner = Outcome.objects.get(competition=made.competition, audience="public").champion
    assert winner is not None
    text = page(made, "champion/", client)
    own = made.members[[team.pk for team in made.teams].index(winner.pk)]
    assert all(player.name_romaji in text for player in own[:3])
    assert "decided" in page(made, "awards/", client)


def test_pages_of_a_team_league_cost_no_more_queries_with_more_hanchan(client: Client) -> None:
    few, many = TeamLeague("few"), TeamLeague("many")
    counted: dict[str, list[int]] = {}
    for made, evenings in ((few, 1), (many, 4)):
        made.play_evenings(evenings)
        made.schedule()
        made.publish()
        for path in ("", "members/", "awards/", "players/", f"members/{made.members[0][0].key}/"):
            with CaptureQueriesContext(connection) as queries:
                page(made, path, client)
            counted.setdefault(path.replace(made.competition.slug, ""), []).append(len(queries))
    assert {path: pair for path, pair in counted.items() if pair[1] > pair[0] + 1 or max(pair) > 26} == {}


@pytest.mark.both_databases
def test_the_pages_open_before_the_first_result_and_for_organizers(client: Client) -> None:
    made = TeamLeague()
    made.schedule()
    made.publish()
    paths = ("", "members/", "awards/", "players/", f"players/{made.teams[0].player.key}/", "me/", "champion/")
    opened = {path: client.get(f"/c/teams/{path}").status_code for path in paths}
    assert opened == {path: 404 if path == "champion/" else 200 for path in paths}
    client.force_login(user("chief", Role.DIRECTOR, made.competition))
    assert {path: client.get(f"/c/teams/{path}").status_code for path in paths} == opened


def test_a_league_of_players_has_no_pages_of_teams(client: Client) -> None:
    competition = final_table()
    paths = ("members/", "awards/", "stages/final/members/", "members/final-p1/")
    assert {client.get(f"/c/{competition.slug}/{path}").status_code for path in paths} == {404}
