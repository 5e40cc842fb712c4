"""Tests of importing a log file: all faults at once, the upload kept in the form, all or nothing written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.models import Hanchan, Role, TableEvent, TableSession
from league.platform.errors import RuleViolationError
from league.selectors.live.log import log_of
from league.services.live.log_files import log_in
from tests import factories
from tests.league.tables import DRAW, RIICHI, RON, Json, first, followed

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(table: TableSession) -> Hanchan:
    """Return a hanchan without a log."""
    return table.hanchan.get(round=2)


@pytest.fixture
def desk(table: TableSession) -> Client:
    """Return an English admin client of a scorer."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("scorer", Role.SCORER, table.competition, is_staff=True))
    return client


def exported(table: TableSession) -> Json:
    """Return the downloaded log of the first hanchan."""
    followed(first(table), RIICHI, RON, DRAW)
    found: Json = Client().get(f"/api/v1/hanchan/{first(table).pk}/log/").json()
    return found


def sent(client: Client, hanchan: Hanchan, content: Any, **fields: Any) -> Any:
    """Upload a file in the admin."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    file = SimpleUploadedFile("log.json", data, "application/json")
    return client.post(f"/admin/league/hanchan/{hanchan.pk}/log/", {"file": file, "text": "", **fields})


def faults(answer: Any) -> list[str]:
    """Return all error messages of the form."""
    assert answer.status_code == 422
    form = answer.context["form"]
    return [message for messages in form.errors.values() for message in messages]


def test_a_log_downloaded_from_one_hanchan_can_be_imported_into_another(
    desk: Client, table: TableSession, second: Hanchan
) -> None:
    data = exported(table)
    answer = sent(desk, second, data)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/tables/{table.pk}/sheet/?hanchan={second.pk}"
    assert log_of(second).writing.entries == log_of(first(table)).writing.entries
    assert log_of(second).state == log_of(first(table)).state


def test_all_faults_are_reported_with_their_entries_and_nothing_is_written(desk: Client, second: Hanchan) -> None:
    impossible = {"type": "ron", "loser": 1, "wins": [{"seat": 1, "value": {"han": 3, "fu": 40}}]}
    answer = sent(desk, second, {"entries": [RIICHI, RIICHI, impossible, RON]})
    found = faults(answer)
    assert len(found) == 2
    assert found[0].startswith("Entry 2 (seat): ")
    assert found[1].startswith("Entry 3 (")
    assert TableEvent.objects.count() == 0


def test_unreadable_entries_and_options_are_reported_together(desk: Client, second: Hanchan) -> None:
    entries = [{"type": "rob"}, {"type": "draw", "tenpai": "all"}, RON, {"type": "riichi", "seat": 10**9}]
    found = faults(sent(desk, second, {"entries": entries, "options": {"no_such": True}}))
    assert [text.partition(":")[0] for text in found if text.startswith("Entry")] == [
        "Entry 1 (type)",
        "Entry 2 (tenpai)",
        "Entry 4 (seat)",
    ]
    assert any("no_such" in text for text in found)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"entries": [', "line 1, column 14"),
        (b"[]", "A log is an object"),
        (b"{}", "A log has"),
        (b'{"entries": [1]}', "Entry 1: An entry is an object"),
        (b'{"entries": [], "extra": 1}', "extra"),
        (b'{"entries": [], "format": "other"}', "another format: other"),
        (b'{"entries": [], "options": []}', "Options are an object"),
        (b'{"entries": [], "seats": ["a"]}', "seats"),
        (b'{"entries": [], "kyoku": [{"changes": [1.5]}]}', "kyoku"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b'{"entries": ' + b"[" * 100_000, "This is not JSON"),
    ],
)
def test_a_file_that_is_not_a_log_is_rejected_with_a_reason(
    desk: Client, second: Hanchan, content: bytes, said: str
) -> None:
    found = faults(sent(desk, second, content))
    assert any(said in text for text in found), found


def test_a_form_without_a_log_asks_for_one(desk: Client, second: Hanchan) -> None:
    answer = desk.post(f"/admin/league/hanchan/{second.pk}/log/", {"text": " "})
    assert faults(answer) == ["Choose a file or paste a log."]


def test_the_form_keeps_the_content_of_a_rejected_file_for_editing(desk: Client, second: Hanchan) -> None:
    answer = sent(desk, second, {"entries": [RIICHI, RIICHI]}, seat_0="")
    text = answer.context["form"]["text"].value()
    assert json.loads(text) == {"entries": [RIICHI, RIICHI]}
    mended = json.dumps({"entries": json.loads(text)["entries"][:1]})
    again = desk.post(f"/admin/league/hanchan/{second.pk}/log/", {"text": mended})
    assert again.status_code == 302
    assert len(log_of(second).writing.entries) == 1


def test_kyoku_whose_payments_differ_under_these_rules_are_reported(
    desk: Client, table: TableSession, second: Hanchan
) -> None:
    data = exported(table)
    data["kyoku"][0]["changes"] = [0, 7700, 0, -7700]
    data["kyoku"].append({"changes": [0, 0, 0, 0]})
    assert faults(sent(desk, second, data)) == [
        "Hand 1: the log says 0 / 7,700 / 0 / -7,700, by these rules it is 0 / 5,200 / 0 / -5,200.",
        "Hand 3: the log says 0 / 0 / 0 / 0, by these rules it is nothing.",
    ]


def test_players_of_another_installation_are_not_matched_by_id(
    desk: Client, table: TableSession, second: Hanchan
) -> None:
    data = exported(table)
    for seat in data["seats"]:
        seat["key"], seat["name"] = f"elsewhere-{seat['seat']}", f"Guest {seat['seat']}"
    found = faults(sent(desk, second, data))
    assert found == [
        f"The log seats Guest {seat}, who is not at this table. Choose who sat where." for seat in range(4)
    ]
    people = [seat.entrant_id for seat in second.seats.order_by("seat")]
    chosen = {f"seat_{place}": str(entrant) for place, entrant in enumerate(reversed(people))}
    assert sent(desk, second, data, **chosen).status_code == 302
    assert [seat.entrant_id for seat in second.seats.order_by("seat")] == people[::-1]


def test_a_hanchan_with_a_log_accepts_no_import(desk: Client, table: TableSession, second: Hanchan) -> None:
    data = exported(table)
    assert faults(sent(desk, first(table), data))[0].startswith("This hanchan has a log already.")
    page = desk.get(f"/admin/league/hanchan/{first(table).pk}/change/").content.decode()
    assert "Import a log" not in page
    assert "Import a log" in desk.get(f"/admin/league/hanchan/{second.pk}/change/").content.decode()


@pytest.mark.both_databases
def test_a_reader_cannot_import_logs(table: TableSession, second: Hanchan) -> None:
    reader = Client()
    reader.force_login(factories.user("reader", Role.READER, table.competition, is_staff=True))
    assert reader.get(f"/admin/league/hanchan/{second.pk}/log/").status_code == 403


def test_seats_in_a_log_file_are_optional_numbers() -> None:
    assert log_in('{"entries": [], "seats": [4, "3", 2, 1]}').seats == [4, 3, 2, 1]
    assert log_in('{"entries": []}').seats is None
    with pytest.raises(RuleViolationError):
        log_in('{"entries": [], "seats": [true, 3, 2, 1]}')
