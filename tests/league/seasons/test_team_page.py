"""The page on which a team names its line-ups, through its link or as its captain."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Hanchan, HanchanSeat, LineUp, Membership, Role
from league.selectors.seasons.teams import teams_of
from league.services.seasons.line_ups import name_line_up, set_line_up_deadline
from league.services.seasons.team_links import make_team_link
from tests.factories import SYSTEM, seated, user
from tests.league.resting_teams import evening, hanchan_of, people_of, resting_teams

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> Hanchan:
    return hanchan_of(evening(resting_teams()))[0]


def link_page(game: Hanchan) -> str:
    """Return the address of the first team's page."""
    team = seated(game)[0]
    made = make_team_link(entrant=team, by=SYSTEM)
    return reverse("pages:team-link", args=[game.block.competition.slug, made.token])


def sent(game: Hanchan, player: object, **more: str) -> dict[str, object]:
    prefix = f"g{game.pk}-{seated(game)[0].pk}"
    typed = {"player": player, **more}
    return {"hanchan": game.pk, **{f"{prefix}-{name}": value for name, value in typed.items()}}


def test_a_team_names_its_member_through_its_link_without_an_account(client: Client, game: Hanchan) -> None:
    address, red = link_page(game), seated(game)[0]
    page = client.get(address)
    assert page.status_code == 200
    assert page["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    chosen = people_of(red)[1]
    answer = client.post(address, sent(game, chosen.pk))
    assert answer.status_code == 302
    assert LineUp.objects.standing().get(hanchan=game).player == chosen
    assert "Saved." in client.get(answer["Location"], headers={"accept-language": "en"}).content.decode()
    assert client.post(address, sent(game, "")).status_code == 302
    assert not LineUp.objects.standing().filter(hanchan=game).exists()


def test_a_warning_keeps_the_choice_and_is_accepted(client: Client, game: Hanchan) -> None:
    competition, red = game.block.competition, seated(game)[0]
    for number in range(3, 9):
        one = hanchan_of(evening(competition, numbers=(number,)))[0]
        name_line_up(
            hanchan=one, entrant=red, player=people_of(red)[number % 2], by=SYSTEM, accept={"cannot_reach_least"}
        )
    address = link_page(game)
    refused = client.post(address, sent(game, people_of(red)[0].pk), headers={"accept-language": "en"})
    assert refused.status_code == 422
    assert f'<option value="{people_of(red)[0].pk}" selected>' in refused.content.decode()
    assert "Name this member all the same" in refused.content.decode()
    assert client.post(address, sent(game, people_of(red)[0].pk, accept="cannot_reach_least")).status_code == 302


def test_a_secret_line_up_is_on_no_other_page(client: Client, game: Hanchan) -> None:
    red = seated(game)[0]
    due = timezone.now() + dt.timedelta(hours=1)
    set_line_up_deadline(table=game.table_session, due_at=due, are_secret=True, by=SYSTEM)
    address = link_page(game)
    client.post(address, sent(game, people_of(red)[0].pk))
    assert "赤1</option>" in client.get(address).content.decode()
    other = make_team_link(entrant=seated(game)[1], by=SYSTEM)
    slug = game.block.competition.slug
    addresses = [
        reverse("pages:team-link", args=[slug, other.token]),
        reverse("pages:hanchan", args=[slug, game.pk]),
        reverse("pages:table", args=[slug, game.table_session_id]),
        f"/api/v1/hanchan/{game.pk}/",
    ]
    for each in addresses:
        response = client.get(each)
        assert response.status_code == 200, each
        assert "赤1" not in response.content.decode(), each
    assert HanchanSeat.objects.get(hanchan=game, entrant=red).player == red.player


def test_a_captain_sees_the_page_logged_in_and_other_visitors_do_not(client: Client, game: Hanchan) -> None:
    competition = game.block.competition
    address = reverse("pages:line-ups", args=[competition.slug])
    assert client.get(address).status_code == 302
    captain = user("captain")
    client.force_login(captain)
    assert client.get(address).status_code == 404
    Membership.objects.create(competition=competition, user=captain, role=Role.CAPTAIN, team=teams_of(competition)[0])
    assert client.get(address).status_code == 200
    assert client.post(address, sent(game, people_of(seated(game)[0])[2].pk)).status_code == 302
    wrong = reverse("pages:team-link", args=[competition.slug, "x" * 30])
    assert client.get(wrong).status_code == 404
