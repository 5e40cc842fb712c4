"""Tests of players approving the result of a followed table, or objecting to it."""

from __future__ import annotations

import json

import pytest

from league.models import Change, Competition, Hanchan, ResultSheet, Role, TableSession
from tests import factories
from tests.league.tables import BUSTED, Device, begun, code_of, final_table, first, phones

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked() -> TableSession:
    """Return a table whose result is submitted and waits for the players' confirmation."""
    table = final_table(ruleset="banchi4")
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    begun(table)
    scorer = Device.of_scorer(table)
    sequence = json.loads(scorer.enter(BUSTED).content)["sequence"]
    answer = json.loads(scorer.post("submit", sequence=sequence, accept=["extreme_score"]).content)
    assert (answer["phase"], answer["submit"]["state"]) == ("waiting", "waiting")
    return table


def test_a_result_counts_once_all_four_players_have_approved_it(asked: TableSession) -> None:
    sheet = ResultSheet.objects.get()
    hanchan = first(asked).pk
    *earlier, last = phones(asked)
    for phone in earlier:
        answer = json.loads(phone.post("approve", hanchan=hanchan, sheet=sheet.pk).content)
        assert answer["submit"]["state"] == "waiting"
    approvals = last.document(hanchan=hanchan)["submit"]["approvals"]
    assert [each["approved"] for each in approvals] == [True, True, True, False]
    done = json.loads(last.post("approve", hanchan=hanchan, sheet=sheet.pk).content)
    assert done["submit"]["state"] == "confirmed"
    assert first(asked).state == Hanchan.State.FINISHED
    kinds = list(Change.objects.order_by("n").values_list("kind", flat=True))
    assert kinds[-5:-1].count("result.approved") == 3
    assert kinds[-1] == "result.confirmed"


def test_a_typed_result_that_all_players_approve_ends_as_typed_and_leaves_no_older_sheet_waiting() -> None:
    table = final_table()
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    hanchan = first(table)
    devices = phones(table)
    ann, ben = (
        factories.actor(factories.user(name, Role.SCORER, hanchan.block.competition)) for name in ("ann", "ben")
    )
    factories.play(hanchan, by=ann)
    newest = factories.play(hanchan, by=ben, state=Hanchan.State.ENDED_BY_TIME)
    for phone in devices:
        assert phone.post("approve", hanchan=hanchan.pk, sheet=newest.pk).status_code == 200
    assert first(table).state == Hanchan.State.ENDED_BY_TIME
    assert list(hanchan.sheets.order_by("revision").values_list("state", flat=True)) == ["superseded", "confirmed"]


def test_approving_twice_stores_one_approval(asked: TableSession) -> None:
    phone, sheet = phones(asked)[0], ResultSheet.objects.get()
    for _time in range(2):
        assert phone.post("approve", hanchan=first(asked).pk, sheet=sheet.pk).status_code == 200
    assert sheet.approvals.count() == 1


@pytest.mark.both_databases
def test_one_objection_with_a_reason_returns_the_result_to_the_scorer(asked: TableSession) -> None:
    phone, sheet, hanchan = phones(asked)[1], ResultSheet.objects.get(), first(asked).pk
    assert phone.post("object", hanchan=hanchan, sheet=sheet.pk, reason=" ").status_code == 422
    answer = json.loads(phone.post("object", hanchan=hanchan, sheet=sheet.pk, reason="That was a haneman").content)
    assert answer["submit"]["state"] == "rejected"
    assert answer["submit"]["sheet"]["reason"] == "That was a haneman"
    late = phones(asked)[0].post("approve", hanchan=hanchan, sheet=sheet.pk)
    assert (late.status_code, code_of(late)) == (409, "sheet_not_waiting")
    scorer = Device.of_scorer(asked)
    edit = {"client_id": "e", "kind": "edit", "payload": {"number": 0, "entry": {**BUSTED, "loser": 2}}}
    sequence = json.loads(scorer.send(edit).content)["sequence"]
    again = json.loads(scorer.post("submit", sequence=sequence, accept=["extreme_score"]).content)
    assert again["submit"]["sheet"]["revision"] == 2
    assert [each["approved"] for each in again["submit"]["approvals"]] == [False] * 4


def test_approvals_are_void_once_a_changed_log_is_submitted_again(
    asked: TableSession,
) -> None:
    old, hanchan = ResultSheet.objects.get(), first(asked).pk
    holders = phones(asked)
    holders[0].post("approve", hanchan=hanchan, sheet=old.pk)
    scorer = Device.of_scorer(asked)
    edit = {"client_id": "e", "kind": "edit", "payload": {"number": 0, "entry": {**BUSTED, "loser": 2}}}
    changed = json.loads(scorer.send(edit).content)
    assert (changed["phase"], changed["submit"]["state"]) == ("over", "changed")
    scorer.post("submit", sequence=changed["sequence"], accept=["extreme_score"])
    assert ResultSheet.objects.get(pk=old.pk).state == ResultSheet.State.SUPERSEDED
    assert holders[1].post("approve", hanchan=hanchan, sheet=old.pk).status_code == 409


def test_only_players_of_the_table_can_approve_and_only_if_the_competition_asks_them(asked: TableSession) -> None:
    sheet, hanchan = ResultSheet.objects.get(), first(asked).pk
    staff = Device.of_user(asked, factories.user("boss", Role.DIRECTOR, asked.competition))
    for device in (staff, Device.of_scorer(asked)):
        assert device.post("approve", hanchan=hanchan, sheet=sheet.pk).status_code == 403
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    refused = phones(asked)[0].post("approve", hanchan=hanchan, sheet=sheet.pk)
    assert code_of(refused) == "players_not_asked"
    assert phones(asked)[0].post("approve", hanchan=hanchan, sheet=999).status_code == 404
