"""REST resource of an open table's ranking."""

from __future__ import annotations

from typing import Any

import pytest

from league.models import Audience, Competition, Player, Role
from league.services.standings.publishing import publish_standings
from tests.api.client import Api
from tests.factories import entrants, league, play, table, user

pytestmark = pytest.mark.django_db


@pytest.fixture
def parlour() -> Competition:
    """Return an open table with a public ranking, six guests and two games."""
    made = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN, audience=Audience.PUBLIC)
    people = entrants(made, 6)
    for four in (people[:4], people[2:]):
        play(table(made.blocks.get(), four, numbers=(1,)).hanchan.get())
    publish_standings(made.pk)
    return made


def clerk(parlour: Competition) -> Api:
    return Api(user(role=Role.SCORER, competition=parlour))


def test_a_row_gives_the_number_of_games_and_the_results_of_a_player(parlour: Competition) -> None:
    page = clerk(parlour).get("ranking/", competition="parlour")
    first = page["rows"][0]
    assert (page["count"], page["after"]) == (6, None)
    assert (first["rank"], first["name"], first["games"], first["places"]) == (1, "P1", 1, [1, 0, 0, 0])
    assert (first["points"], first["average_place"], first["first_rate"]) == ("51.2", "1.00", "100.00")
    assert first["totals"]["points"] == "51.2"


def test_cursor_pagination_returns_the_whole_ranking(parlour: Competition) -> None:
    api = clerk(parlour)
    found: list[tuple[int, str]] = []
    after: dict[str, Any] = {}
    while True:
        page = api.get("ranking/", competition="parlour", page_size=2, order="games", **after)
        found += [(row["rank"], row["key"]) for row in page["rows"]]
        if page["after"] is None:
            break
        after = {"after": page["after"]}
    whole = api.get("ranking/", competition="parlour", order="games")
    assert found == [(row["rank"], row["key"]) for row in whole["rows"]]


@pytest.mark.both_databases
def test_the_ranking_is_filtered_by_date(parlour: Competition) -> None:
    assert clerk(parlour).get("ranking/", competition="parlour", since="2030-01-01")["rows"] == []


def test_the_public_sees_the_handles_of_players_who_opted_in_and_no_busts(parlour: Competition) -> None:
    Player.objects.filter(name="P1").update(is_public=True, handle="Night Owl")
    (row,) = Api().get("ranking/", competition="parlour")["rows"]
    assert (row["name"], row["busts"]) == ("Night Owl", None)


def test_an_invalid_cursor_is_refused_at_its_parameter(parlour: Competition) -> None:
    problem = clerk(parlour).get("ranking/", 400, competition="parlour", after="nonsense")
    assert [(each["code"], each["pointer"]) for each in problem["errors"]] == [("stale_cursor", "/after")]


def test_a_span_that_ends_before_it_begins_is_refused_at_its_end(parlour: Competition) -> None:
    problem = clerk(parlour).get("ranking/", 400, competition="parlour", since="2026-03-02", until="2026-03-01")
    assert [(each["pointer"], each["detail"]) for each in problem["errors"]] == [
        ("/until", "The last day, 2026-03-01, is before the first, 2026-03-02.")
    ]
    clerk(parlour).get("ranking/", competition="parlour", since="2026-03-01", until="2026-03-01")


def test_a_league_has_no_ranking(parlour: Competition) -> None:
    league("spring")
    assert Api().get("ranking/", 404, competition="spring")["code"] == "not_found"
