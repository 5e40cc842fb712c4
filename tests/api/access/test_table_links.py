"""Links to a table over REST: they open their own table with the rights of its pages, and nothing else."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.http import HttpResponse
from django.utils import timezone

from league.models import Change, Competition, Door, Hanchan, ResultSheet, TableEvent, TableLink, TableSession
from league.services.competitions.schedule import hold_back
from league.services.live.links import end_link, make_link
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api, Json
from tests.league.tables import RIICHI, RON, begun, entered, final_table, write

pytestmark = pytest.mark.django_db


def api_with(token: str) -> Api:
    api = Api()
    api.headers["Authorization"] = f"Link {token}"
    return api


def scorer_of(table: TableSession) -> Api:
    return api_with(make_link(table_session=table, kind=TableLink.Kind.SCORER, by=factories.SYSTEM).token)


def player_of(table: TableSession) -> Api:
    entrant = table.hanchan.get(round=1).seats.earliest("seat").entrant
    made = make_link(table_session=table, kind=TableLink.Kind.PLAYER, entrant=entrant, by=factories.SYSTEM)
    return api_with(made.token)


def log(hanchan: Hanchan) -> str:
    return f"hanchan/{hanchan.pk}/log/"


def riichi(after: int) -> Json:
    return {"after": after, "events": [{"client_id": "r1", "kind": "entry", "payload": {"entry": RIICHI}}]}


def detail_of(response: HttpResponse) -> str:
    return str(json.loads(response.content)["detail"])


@pytest.mark.both_databases
def test_a_scorers_link_keeps_the_log_and_submits_its_result(table: TableSession, hanchan: Hanchan) -> None:
    scorer = scorer_of(table)
    seen = scorer.get(log(hanchan))["sequence"]
    sequence = scorer.post(log(hanchan), riichi(seen))["sequence"]
    body = {"sequence": sequence, "ended_by_time": True}
    sheet = scorer.post(f"{log(hanchan)}submit/", body)["sheet"]
    assert sheet["state"] == "confirmed"
    assert scorer.post(f"{log(hanchan)}submit/", body)["sheet"]["revision"] == sheet["revision"]
    link = TableLink.objects.get()
    assert TableEvent.objects.get(client_id="r1").link == link
    change = Change.objects.filter(kind="result.confirmed").latest("n")
    assert (change.door, change.credential, change.actor) == (Door.API, f"link:{link.digest[:12]}", None)
    assert link.used_at is not None


def test_a_players_link_reads_the_log_and_changes_nothing(table: TableSession, hanchan: Hanchan) -> None:
    player = player_of(table)
    seen = player.get(log(hanchan))["sequence"]
    assert player.change(log(hanchan), riichi(seen)).status_code == 403
    submit = {"sequence": seen, "ended_by_time": True}
    assert player.change(f"{log(hanchan)}submit/", submit).status_code == 403
    assert (hanchan.events.count(), ResultSheet.objects.count()) == (seen, 0)


def test_a_link_reads_its_own_table_under_embargo_and_no_other() -> None:
    table = final_table(hanchan=6)
    hanchan, other = begun(table), factories.table(table.block, numbers=(5, 6))
    for held in (table, other):
        hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    publish_standings(table.competition_id)
    assert Api().send("get", log(hanchan)).status_code == 404
    for api in (scorer_of(table), player_of(table)):
        assert api.get(log(hanchan))["hanchan"] == str(hanchan.pk)
        assert api.send("get", log(other.hanchan.get(round=5))).status_code == 404


def test_a_link_reads_its_own_table_without_the_publics_delay(table: TableSession, hanchan: Hanchan) -> None:
    Competition.objects.filter(pk=table.competition_id).update(live_delay=10)
    newest = write(hanchan, *entered(RON))
    assert scorer_of(table).get(log(hanchan))["sequence"] == newest
    assert Api().get(log(hanchan))["sequence"] < newest


def test_a_link_to_another_table_reads_what_the_public_reads_and_writes_nothing(
    table: TableSession, hanchan: Hanchan
) -> None:
    stranger = scorer_of(final_table(slug="elsewhere"))
    assert stranger.get(log(hanchan))["entries"] == []
    assert stranger.change(log(hanchan), riichi(1)).status_code == 403
    assert stranger.change(f"{log(hanchan)}submit/", {"sequence": 1}).status_code == 403
    assert stranger.change(f"table-sessions/{table.pk}/referee-call/", {}).status_code == 404


@pytest.mark.both_databases
def test_any_link_calls_a_referee_to_its_table_and_takes_the_call_back(table: TableSession) -> None:
    path = f"table-sessions/{table.pk}/referee-call/"
    for api in (scorer_of(table), player_of(table)):
        assert api.post(path, {"about": "chombo?"}, 201)["about"] == "chombo?"
        assert api.send("delete", path).status_code == 200
    links = {f"link:{link.digest[:12]}" for link in TableLink.objects.all()}
    assert {change.credential for change in Change.objects.filter(kind="referee.called")} == links


def test_a_revoked_link_is_refused_and_one_of_a_finished_table_still_reads(
    table: TableSession, hanchan: Hanchan
) -> None:
    scorer = scorer_of(table)
    body = riichi(scorer.get(log(hanchan))["sequence"])
    scorer.post(log(hanchan), body)
    end_link(link=TableLink.objects.get(), by=factories.SYSTEM)
    refused = scorer.send("get", log(hanchan))
    assert (refused.status_code, detail_of(refused)) == (
        401,
        "This link has ended. Ask the organizers for a new one.",
    )
    Hanchan.objects.filter(table_session=table).update(state=Hanchan.State.ABANDONED)
    # Sent again after a lost response, the events are those that were accepted.
    assert scorer.post(log(hanchan), body)["entries"]
    assert scorer.change(log(hanchan), riichi(0) | {"events": [{"client_id": "r2", "kind": "undo"}]}).status_code == 403


def test_a_token_that_is_no_links_is_refused(hanchan: Hanchan) -> None:
    for token in ("", "short", "x" * 32, "\N{MAHJONG TILE EAST WIND}".encode().decode("latin-1")):
        assert api_with(token).send("get", log(hanchan)).status_code == 401, token


def test_other_operations_refuse_a_link_and_say_where_it_is_accepted(table: TableSession, hanchan: Hanchan) -> None:
    scorer = scorer_of(table)
    for method, path in (
        ("get", f"hanchan/{hanchan.pk}/"),
        ("post", f"hanchan/{hanchan.pk}/results/"),
        ("post", f"{log(hanchan)}import/"),
        ("get", "competitions/"),
    ):
        refused = scorer.send(method, path, None if method == "get" else {})
        assert (path, refused.status_code) == (path, 401)
        assert "not accepted here" in detail_of(refused)


def test_with_blind_entry_the_table_gets_its_own_waiting_sheet(table: TableSession, hanchan: Hanchan) -> None:
    Competition.objects.filter(pk=table.competition_id).update(confirmation=Competition.Confirmation.BLIND)
    sequence = write(hanchan, *entered(RON))
    body = {"sequence": sequence, "ended_by_time": True}
    assert scorer_of(table).post(f"{log(hanchan)}submit/", body)["sheet"]["state"] == "submitted"


def test_an_idempotency_key_of_a_link_is_not_stored(table: TableSession, hanchan: Hanchan) -> None:
    scorer, sequence = scorer_of(table), write(hanchan, *entered(RON))
    body = {"sequence": sequence, "ended_by_time": True}
    for _time in range(2):
        answer = scorer.change(f"{log(hanchan)}submit/", body, key="k")
        assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (200, False)
    assert ResultSheet.objects.count() == 1
