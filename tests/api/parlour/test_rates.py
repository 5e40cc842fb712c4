"""REST resource of the players' rates (win rate, deal-in rate and so on)."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from league.models import Competition, Hanchan, Role, TableSession
from league.services.competitions.schedule import hold_back
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.league.tables import DEALER_TSUMO, DRAW, RIICHI, RON, first, followed

pytestmark = pytest.mark.django_db
RATES = "competitions/final/rates/"


@pytest.fixture
def hanchan(table: TableSession) -> Hanchan:
    """Return the first hanchan, followed to its end: a ron, a draw, a tsumo."""
    row = first(table)
    followed(row, RIICHI, RON, DRAW, DEALER_TSUMO)
    return row


def test_every_rate_comes_with_its_count_and_denominator(hanchan: Hanchan) -> None:
    found = Api().get(RATES)["entrants"]
    assert [each["name"] for each in found] == ["final1", "final2", "final3", "final4"]
    second = found[1]
    assert (second["hanchan"], second["kyoku"], second["by_substitutes"]) == (1, 3, 0)
    assert second["win"] == second["riichi"] == {"count": 1, "of": 3, "value": "0.3333"}
    assert second["tenpai"] == {"count": 0, "of": 1, "value": "0.0000"}
    assert second["average_win"] == {"total": 5200, "of": 1, "value": "5200.0"}
    assert second["average_deal_in"] == {"total": 0, "of": 0, "value": None}
    assert second["largest_hand"] == {"points": 5200, "hanchan": str(hanchan.pk)}
    assert found[2]["largest_hand"] is None
    assert found[3]["deal_in"]["count"] == 1


def test_hanchan_without_a_log_count_in_no_rate(table: TableSession) -> None:
    factories.play(first(table))
    publish_standings(table.competition_id)
    assert Api().get(RATES)["entrants"] == []


def test_a_table_under_embargo_changes_neither_the_public_rates_nor_their_etag(hanchan: Hanchan) -> None:
    session = hanchan.table_session
    hold_back(table_session=session, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    publish_standings(session.competition_id)
    tag = Api().send("get", RATES).headers["ETag"]
    assert Api().get(RATES)["entrants"] == []
    followed(session.hanchan.get(round=2), RON)
    assert Api().send("get", RATES).headers["ETag"] == tag
    assert Api().get(RATES)["entrants"] == []


def test_the_rates_of_an_open_table_are_visible_to_its_staff_only() -> None:
    parlour = factories.league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    people = factories.entrants(parlour, 4)
    followed(factories.table(parlour.blocks.get(), people, numbers=(1,)).hanchan.get(), RON)
    path = f"competitions/{parlour.slug}/rates/"
    assert Api().get(path)["entrants"] == []
    house = Api(factories.user("boss", Role.DIRECTOR, parlour))
    assert [each["kyoku"] for each in house.get(path)["entrants"]] == [1, 1, 1, 1]
