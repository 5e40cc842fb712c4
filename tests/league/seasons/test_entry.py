"""Entry of results of a team league: each seat has a team and the member who sits."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Adjustment, Competition, Hanchan, LineUp, ResultSheet
from league.platform.errors import RuleViolationError
from league.selectors.seasons.teams import teams_of
from league.services.competitions.setup import enter_players
from league.services.seasons.line_ups import name_line_up
from tests import factories
from tests.factories import SYSTEM, seated
from tests.league.resting_teams import evening, hanchan_of, people_of, resting_teams

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> Hanchan:
    return hanchan_of(evening(resting_teams()))[0]


def typed(game: Hanchan, **more: Any) -> dict[str, Any]:
    """Return a typed sheet of the scheduled teams without members."""
    fields: dict[str, Any] = {"are_seats_known": "on", "corrects": "", **more}
    for index, (team, score) in enumerate(zip(seated(game), ("412", "301", "187", "100"), strict=True)):
        fields = {f"entrant_{index}": team.pk, f"score_{index}": score, **fields}
    return {"hanchan": game.pk, **{f"h{game.pk}-{name}": value for name, value in fields.items()}}


def test_the_member_of_each_seat_is_chosen_and_the_line_up_is_chosen_already(chief: Client, game: Hanchan) -> None:
    red, blue, green, yellow = seated(game)
    for team in (red, blue, green):
        name_line_up(hanchan=game, entrant=team, player=people_of(team)[1], by=SYSTEM)
    address = f"/admin/league/tablesession/{game.table_session_id}/entry/"
    page = chief.get(address)
    assert f'<option value="{people_of(red)[1].pk}" selected>赤2</option>' in page.content.decode()
    refused = chief.post(address, typed(game))
    assert refused.status_code == 422
    assert "Choose the member who sat for 黄." in refused.content.decode()
    chosen = people_of(yellow)[2]
    assert (
        chief.post(address, typed(game, substitute_3=chosen.pk, substitute_0=people_of(red)[0].pk)).status_code == 302
    )
    sheet = ResultSheet.objects.get(hanchan=game)
    assert (sheet.seats.get(seat=0).player, sheet.seats.get(seat=3).player) == (people_of(red)[0], chosen)
    assert LineUp.objects.standing().filter(hanchan=game).count() == 4


def test_the_match_night_offers_the_members_of_all_teams(chief: Client, game: Hanchan) -> None:
    competition: Competition = game.block.competition
    page = chief.get(reverse("admin:league_session_night", args=[game.table_session.session_id])).content.decode()
    assert all(f">{one.name}</option>" in page for team in teams_of(competition)[:4] for one in people_of(team))


def test_a_teams_penalty_may_also_be_its_members(chief: Client, game: Hanchan) -> None:
    red, blue, *_others = seated(game)
    address = reverse("admin:league_block_adjust", args=[game.block_id])
    posted = {"entrant": red.pk, "player": people_of(blue)[0].pk, "points": "▲20", "reason": "チョンボ"}
    refused = chief.post(address, posted)
    assert refused.status_code == 422
    posted["player"] = people_of(red)[0].pk
    look = chief.post(address, posted)
    assert chief.post(address, {**posted, "seen": look.context["seen"]}).status_code == 302
    assert Adjustment.objects.get(entrant=red).player == people_of(red)[0]


def test_people_and_teams_are_not_entered_in_one_competition(game: Hanchan) -> None:
    competition, team = game.block.competition, seated(game)[0]
    for where, player in ((competition, people_of(team)[0]), (factories.final_table(), team.player)):
        with pytest.raises(RuleViolationError) as error:
            enter_players(competition=where, players=[player], by=SYSTEM)
        assert error.value.findings[0].code == "wrong_kind_of_entrant"
