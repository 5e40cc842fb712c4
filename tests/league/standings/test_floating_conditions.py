"""Conditions on pages and over the API, and the result page, under an uma by the number of floating players."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from league.models import Hanchan, RulesetRevision
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from rulesets import loader
from tests import factories

pytestmark = pytest.mark.django_db
TAG = re.compile(r"<[^>]*>")
PLAIN = "[settlement.uma]\namounts = [30, 10, -10, -30]"
FLOATING = """[settlement.uma.floating]
line = 25000
at_line = "floats"
rows.1 = [12, -1, -3, -8]
rows.3 = [8, 3, 1, -12]
clauses = ["ML-002"]

[settlement.uma]
amounts = [8, 4, -4, -8]"""


@pytest.fixture(name="last")
def _last() -> Hanchan:
    """Return the last hanchan of a table whose first ones are played, by rules with an uma by floating players."""
    text = loader.text_of("mleague").replace('name = "mleague"', 'name = "floating"', 1)
    rules = keep(RulesetRevision, "floating", text.replace(PLAIN, FLOATING, 1))
    competition = factories.final_table(ruleset=rules)
    table = factories.table(competition.blocks.get())
    *played, last = table.hanchan.order_by("number")
    for each in played:
        factories.play(each, (27_000, 26_000, 24_000, 23_000), accept={"same_result_twice"})
    publish_standings(competition.pk)
    return last


def text_of(path: str, language: str) -> str:
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == 200, path
    return " ".join(TAG.sub(" ", response.content.decode()).split())


def test_the_sheet_of_the_table_lists_every_place_for_each_row(last: Hanchan) -> None:
    path = f"/c/final/tables/{last.table_session_id}/conditions/"
    page = text_of(path, "en")
    assert "2nd (one player floats)" in page
    assert "2nd (0 or 2 or 4 players float)" in page
    assert "2着（浮きが1人）" in text_of(path, "ja")


def test_the_api_names_the_numbers_of_floating_players_of_each_margin(last: Hanchan) -> None:
    answer = Client().get("/api/v1/competitions/final/conditions/").json()
    players = answer["blocks"][0]["players"]
    cells = [cell for player in players for rival in player["rivals"] for cell in rival["cells"]]
    assert {tuple(cell["floating"]) for cell in cells} == {(0, 2, 4), (1,), (3,)}
    assert {tuple(cell["rival_floating"]) for cell in cells} == {()}
    assert last.number > 1


def test_the_page_of_a_result_says_how_many_float(last: Hanchan) -> None:
    first = last.table_session.hanchan.order_by("number").first()
    assert first is not None
    page = text_of(f"/c/final/hanchan/{first.pk}/", "en")
    assert "uma, 2 floating" in page
    assert "ウマ（浮き2人）" in text_of(f"/c/final/hanchan/{first.pk}/", "ja")
