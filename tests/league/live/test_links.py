"""Tests of links to a table: their permissions, their pages and their end."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from league.models import Change, Competition, Hanchan, Role, TableLink, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor, Capability, require
from league.services.live.links import end_link, make_link
from league.services.live.log import append_events
from league.services.results.results import void_hanchan
from tests import factories
from tests.league.tables import DRAW, RIICHI, RON, Device, begun, entered, event, final_table, finish, first

pytestmark = pytest.mark.django_db

SCORER, PLAYER = TableLink.Kind.SCORER, TableLink.Kind.PLAYER


def holder(table: TableSession) -> Actor:
    """Return an actor with a scorer link."""
    return Actor(user=None, door=factories.SYSTEM.door, link=made(table))


def made(table: TableSession) -> TableLink:
    return make_link(table_session=table, kind=SCORER, by=factories.SYSTEM).link


def test_only_a_digest_of_the_token_is_stored(table: TableSession) -> None:
    new = make_link(table_session=table, kind=SCORER, by=factories.SYSTEM)
    assert len(new.link.digest) == 64
    assert new.token not in json.dumps([*TableLink.objects.values(), *Change.objects.values()], default=str)


def test_creating_and_ending_a_link_records_changes_that_are_not_public(table: TableSession) -> None:
    link = made(table)
    end_link(link=link, by=factories.SYSTEM)
    end_link(link=link, by=factories.SYSTEM)
    rows = Change.objects.filter(kind__startswith="table_link").order_by("n")
    assert [(row.kind, row.is_public) for row in rows] == [("table_link.made", False), ("table_link.ended", False)]


def test_creating_a_link_requires_the_submit_capability(table: TableSession) -> None:
    reader = factories.user("reader", Role.READER, table.competition)
    with pytest.raises(PermissionRefusedError):
        make_link(table_session=table, kind=SCORER, by=factories.actor(reader))
    scorer = factories.user("scorer", Role.SCORER, table.competition)
    assert make_link(table_session=table, kind=SCORER, by=factories.actor(scorer)).link.made_by == scorer


def test_a_player_link_needs_an_entrant_seated_at_the_table(table: TableSession) -> None:
    stranger = factories.entrants(table.competition, 1, prefix="X")[0]
    for kind, entrant in ((PLAYER, stranger), (PLAYER, None), (SCORER, stranger)):
        with pytest.raises(RuleViolationError):
            make_link(table_session=table, kind=kind, entrant=entrant, by=factories.SYSTEM)


def test_a_new_player_link_replaces_the_previous_one(table: TableSession) -> None:
    who = factories.seated(first(table))[0]
    for _time in range(2):
        make_link(table_session=table, kind=PLAYER, entrant=who, by=factories.SYSTEM)
    assert TableLink.objects.filter(ended_at=None).count() == 1


def test_a_link_allows_submitting_at_its_own_table_only(table: TableSession) -> None:
    other = factories.table(table.block)
    by = holder(table)
    require(by, table.competition, Capability.SUBMIT, table=table)
    for capability, at in ((Capability.SUBMIT, other), (Capability.SUBMIT, None), (Capability.CORRECT, table)):
        with pytest.raises(PermissionRefusedError):
            require(by, table.competition, capability, table=at)


def test_an_ended_link_allows_nothing(table: TableSession) -> None:
    by, hanchan = holder(table), begun(table)
    append_events(hanchan=hanchan, events=entered(RIICHI), after=1, by=by)
    assert by.link is not None
    end_link(link=by.link, by=factories.SYSTEM)
    with pytest.raises(PermissionRefusedError):
        append_events(hanchan=hanchan, events=entered(DRAW), after=2, by=by)


def test_a_player_link_cannot_write_to_the_log(table: TableSession) -> None:
    who = factories.seated(begun(table))[0]
    device = Device.of_player(table, who)
    assert device.document()["you"] == {
        "kind": "player",
        "entrant": who.pk,
        "seat": 0,
        "may_enter": False,
        "may_submit": False,
        "may_approve": False,
    }
    assert device.enter(RIICHI).status_code == 403


def test_the_change_log_records_the_digest_of_the_link(table: TableSession) -> None:
    device = Device.of_scorer(table)
    device.send({"client_id": "s", "kind": "start", "payload": {}})
    change = Change.objects.get(kind="hanchan.started")
    assert (change.actor, change.door) == (None, "table")
    assert change.credential == f"link:{TableLink.objects.get().digest[:12]}"
    assert first(table).events.get().link == TableLink.objects.get()


def test_links_end_with_the_last_result_of_their_table(table: TableSession) -> None:
    link = made(table)
    finish(table, but=1)
    assert TableLink.objects.get(pk=link.pk).ended_at is None
    factories.play(table.hanchan.get(round=4), (40000, 31300, 18700, 10000))
    assert TableLink.objects.get(pk=link.pk).ended_at is not None
    with pytest.raises(ConflictError):
        made(table)


def test_voiding_a_result_does_not_revive_links_but_allows_new_ones(table: TableSession) -> None:
    link = made(table)
    finish(table)
    void_hanchan(hanchan=first(table), by=factories.SYSTEM, reason="the wrong table")
    link.refresh_from_db()
    assert link.ended_at is not None
    assert made(table).ended_at is None


def test_opening_a_link_starts_a_new_session_and_redirects_to_the_score_sheet(table: TableSession) -> None:
    new = make_link(table_session=table, kind=SCORER, by=factories.SYSTEM)
    client = Client()
    client.session.save()
    client.get("/")
    response = client.get(f"/t/{new.token}/")
    assert (response.status_code, response.headers["Location"]) == (302, f"/tables/{table.pk}/sheet/")
    assert client.get(f"/tables/{table.pk}/sheet/state/").status_code == 200
    assert TableLink.objects.get().used_at is not None
    again = client.session.session_key
    client.get(f"/t/{new.token}/")
    assert client.session.session_key != again


def test_a_player_link_redirects_to_the_confirmation_page(table: TableSession) -> None:
    who = factories.seated(first(table))[1]
    new = make_link(table_session=table, kind=PLAYER, entrant=who, by=factories.SYSTEM)
    assert Client().get(f"/t/{new.token}/").headers["Location"] == f"/tables/{table.pk}/confirm/"


def test_an_unknown_link_answers_404_and_an_ended_link_410(table: TableSession) -> None:
    new = make_link(table_session=table, kind=SCORER, by=factories.SYSTEM)
    device = Device.by_token(table, new.token)
    end_link(link=new.link, by=factories.SYSTEM)
    assert Client().get("/t/nonsense/").status_code == 404
    gone = Client().get(f"/t/{new.token}/", headers={"Accept-Language": "en"})
    assert gone.status_code == 410
    assert "This link has ended" in gone.content.decode()
    refused = device.get()
    assert refused.status_code == 403
    assert json.loads(refused.content)["errors"][0]["code"] == "link_ended"
    page = device.client.get(f"/tables/{table.pk}/sheet/", headers={"Accept-Language": "en"})
    assert (page.status_code, page.headers["Cache-Control"]) == (410, "private, no-store")
    assert "This link has ended" in page.content.decode()


@pytest.mark.both_databases
def test_a_link_ended_by_hand_stays_ended_when_its_table_is_done(table: TableSession) -> None:
    lost = make_link(table_session=table, kind=SCORER, by=factories.SYSTEM)
    device, kept = Device.by_token(table, lost.token), Device.of_scorer(table)
    finish(table, but=1)
    end_link(link=lost.link, by=factories.SYSTEM)
    factories.play(table.hanchan.get(round=4), (40000, 31300, 18700, 10000))
    assert (kept.get().status_code, device.get().status_code) == (200, 403)
    headers = {"Authorization": f"Link {lost.token}"}
    assert Client().get(f"/api/v1/hanchan/{first(table).pk}/log/", headers=headers).status_code == 401
    void_hanchan(hanchan=first(table), by=factories.SYSTEM, reason="the wrong table")
    factories.play(first(table), (40500, 30800, 18700, 10000))
    assert (kept.get().status_code, device.get().status_code) == (200, 403)


def test_without_a_link_to_the_table_its_score_sheet_answers_404(table: TableSession) -> None:
    assert Device(table).get().status_code == 404
    assert Device(final_table(slug="other"), Device.of_scorer(table).client).get().status_code == 404


def test_a_scorer_can_still_read_the_finished_table_but_not_write(table: TableSession) -> None:
    device = Device.of_scorer(table)
    finish(table)
    document = device.document()
    assert document["phase"] == "typed"
    assert document["you"]["may_enter"] is False
    assert device.enter(RIICHI, after=0).status_code == 403


def test_a_repeated_request_succeeds_after_the_link_ended_with_the_last_result(table: TableSession) -> None:
    finish(table, but=1)
    last = table.hanchan.get(round=4)
    device = Device.of_scorer(table)
    start = {"client_id": "s", "kind": "start", "payload": {}}
    entry = {"client_id": "e", "kind": "entry", "payload": {"entry": RON}}
    sent = {"hanchan": last.pk, "after": 0, "events": [start, entry]}
    assert device.post("events", **sent).status_code == 200
    result = {"hanchan": last.pk, "sequence": 2, "ended_by_time": True}
    assert device.post("submit", **result).status_code == 200
    assert TableLink.objects.get().ended_at is not None
    assert device.post("events", **sent).status_code == 200
    assert device.post("submit", **result).status_code == 200
    more = {"client_id": "m", "kind": "entry", "payload": {"entry": DRAW}}
    assert device.post("events", **sent | {"after": 2, "events": [more]}).status_code == 403
    assert (last.events.count(), last.sheets.count()) == (2, 1)


def test_one_device_can_hold_links_to_several_tables(table: TableSession) -> None:
    other = final_table(slug="other")
    device = Device.of_scorer(table)
    token = make_link(table_session=other, kind=SCORER, by=factories.SYSTEM).token
    device.client.get(f"/t/{token}/")
    assert device.get().status_code == 200
    assert Device(other, device.client).get().status_code == 200


def test_a_link_holder_is_not_treated_as_the_system_actor(table: TableSession) -> None:
    by = holder(table)
    assert not by.is_system
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    hanchan = begun(table)
    sheet = factories.play(hanchan, by=by, accept=("score_sheet_in_progress",))
    assert sheet.state == "submitted"
    assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.RUNNING
    append_events(hanchan=hanchan, events=[event("entry", entry=RIICHI)], after=1, by=by)
