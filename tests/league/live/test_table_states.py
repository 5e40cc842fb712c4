"""Tests of the score sheet's document and the public pages in every state of a table."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client

from league.models import Competition, ResultSheet, Role, TableSession
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.league.table_states import (
    ANOTHER,
    STATES,
    TYPED,
    State,
    log_corrected_by_typing,
    scorer_of,
    typed,
    typed_counts,
    typed_waits,
    typed_waits_beside_finished_log,
)
from tests.league.tables import Device, Json, first

pytestmark = pytest.mark.django_db

FOR_THE_PUBLIC = (
    "not_begun",
    "running",
    "log_counts",
    "log_corrected_by_typing",
    "typed_waits",
    "typed_counts",
    "typed_over_running_log",
    "typed_over_a_log_and_taken_back",
    "voided_with_a_log",
    "abandoned",
    "abandoned_while_running",
    "cancelled",
    "closed",
    "held_back",
)


def document_of(state: State) -> Json:
    """Return the document that the scorer's device gets."""
    return state.device.document(**({"hanchan": state.asks_for.pk} if state.asks_for else {}))


@pytest.mark.parametrize("name", STATES)
def test_the_document_and_the_public_pages_respond_as_expected_in_every_state(name: str) -> None:
    state = STATES[name]()
    document = document_of(state)
    result = document["result"] or {}
    assert (document["phase"], result.get("state")) == (state.phase, state.result)
    assert (document["you"]["may_enter"], bool(document["locked"])) == (state.may_enter, state.is_locked)
    if state.phase == "typed":
        scores = [row["final_score_text"] for row in result["settlement"] or ()]
        assert (state.score in scores) if state.score else scores == []
    if name in FOR_THE_PUBLIC:
        public_pages_respond(state.table, HTTPStatus.NOT_FOUND if name == "held_back" else HTTPStatus.OK)


def public_pages_respond(table: TableSession, expected: HTTPStatus) -> None:
    """Open the page and the live documents of the table's first hanchan; staff may open them in every state."""
    competition, hanchan = table.competition, first(table)
    publish_standings(competition.pk)
    staff = Client()
    staff.force_login(factories.user("director", Role.DIRECTOR, competition))
    for part in ("", "now/"):
        address = f"/c/{competition.slug}/hanchan/{hanchan.pk}/live/{part}"
        assert (Client().get(address).status_code, staff.get(address).status_code) == (expected, HTTPStatus.OK)
    for path in (f"hanchan/{hanchan.pk}/live/", f"hanchan/{hanchan.pk}/log/"):
        assert Api().send("get", path).status_code == expected


def test_the_live_page_of_a_typed_result_shows_that_the_game_is_over_and_links_to_the_result() -> None:
    competition, hanchan = (table := typed_counts().table).competition, first(table)
    publish_standings(competition.pk)
    address = f"/c/{competition.slug}/hanchan/{hanchan.pk}/live/"
    page = Client().get(address, headers={"Accept-Language": "en"}).content.decode()
    assert TYPED in page
    assert "has not begun" not in page
    assert f'class="action" href="/c/{competition.slug}/hanchan/{hanchan.pk}/"' in page


def test_the_live_page_of_an_abandoned_hanchan_shows_that_it_is_not_played() -> None:
    competition, hanchan = (table := STATES["abandoned"]().table).competition, first(table)
    publish_standings(competition.pk)
    address = f"/c/{competition.slug}/hanchan/{hanchan.pk}/live/"
    page = Client().get(address, headers={"Accept-Language": "en"}).content.decode()
    assert "This hanchan is not played." in page


def test_a_player_confirms_the_typed_scores_and_not_those_of_the_log() -> None:
    scorer = scorer_of(confirmation=Competition.Confirmation.PLAYERS)
    scorer.send({"client_id": "s", "kind": "start", "payload": {}})
    typed(scorer, ANOTHER, by=Role.SCORER)
    player = Device.of_player(scorer.table, first(scorer.table).seats.get(seat=2).entrant)
    document = player.document(hanchan=first(scorer.table).pk)
    assert document["result"]["settlement"][2]["final_score"] == ANOTHER[2]
    assert document["you"]["may_approve"]
    body = {"sheet": document["submit"]["sheet"]["id"]}
    assert player.post("approve", **body).status_code == HTTPStatus.OK


@pytest.mark.both_databases
def test_a_player_may_approve_only_if_the_competition_asks_players() -> None:
    table = typed_waits().table
    document = Device.of_player(table, first(table).seats.get(seat=0).entrant).document()
    assert (document["result"]["state"], document["you"]["may_approve"]) == ("waiting", False)


def test_with_blind_entry_the_log_can_be_submitted_as_the_second_sheet() -> None:
    device = typed_waits_beside_finished_log().device
    document = device.document(hanchan=first(device.table).pk)
    assert (document["submit"]["state"], document["result"]["settlement"]) == ("ready", None)
    handed_in = device.post("submit", sequence=document["sequence"], accept=["extreme_score"])
    assert handed_in.status_code == HTTPStatus.OK
    assert ResultSheet.objects.filter(state=ResultSheet.State.SUBMITTED).count() == 2


def test_the_document_links_to_the_result_only_if_the_reader_can_open_it() -> None:
    state = typed_counts()
    publish_standings(state.table.competition_id)
    address = state.device.document()["hanchan"]["url"]
    assert Client().get(address).status_code == HTTPStatus.OK
    for name in ("held_back", "typed_under_superbingo"):
        device = STATES[name]().device
        assert device.document()["hanchan"]["url"] == ""
        boss = Device.of_user(device.table, factories.user(name, Role.DIRECTOR, device.table.competition))
        publish_standings(device.table.competition_id)
        assert boss.client.get(boss.document()["hanchan"]["url"]).status_code == HTTPStatus.OK


def test_a_request_in_another_language_gets_the_document_again() -> None:
    device = log_corrected_by_typing().device
    version = device.document()["version"]
    assert device.get(after=version).status_code == HTTPStatus.NO_CONTENT
    japanese = device.client.get(device.address("state"), {"after": version}, headers={"Accept-Language": "ja"})
    assert japanese.status_code == HTTPStatus.OK
