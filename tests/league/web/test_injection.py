"""Test that user input stays text in spreadsheets, headers, log lines, calendars and redirect targets.

Mail is tested in tests/league/access/test_mails.py.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest
import structlog
from django.conf import settings
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Change, Competition, Door, Player, Role
from league.selectors.access.actors import Actor
from league.services.access import two_factor
from league.services.standings.publishing import publish_standings
from tests import factories

pytestmark = pytest.mark.django_db
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
FORMULA = 'HYPERLINK("https://evil.example/","x")'
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "javascript:alert(1)",
    "\r\nSet-Cookie: x=y",
)


@pytest.fixture(scope="module")
def season(shared_rows: None) -> Competition:
    """Play a table; tests rename its players."""
    competition = factories.final_table()
    factories.play(factories.table(competition.blocks.get(), numbers=(1,)).hanchan.get())
    publish_standings(competition.pk)
    return competition


def runs(text: object) -> bool:
    """Return whether a spreadsheet may read a cell as a formula; numbers are none."""
    said = str(text)
    return said.startswith(STARTS) and not said.lstrip("+-").replace(".", "", 1).isdecimal()


def files(client: Client) -> Iterator[tuple[str, list[list[Any]]]]:
    """Yield every file for spreadsheets as rows of cells."""
    for kind in ("standings", "results", "seats", "roster"):
        for language in ("ja", "en"):
            address = f"/c/final/{kind}.csv?lang={language}"
            yield address, list(csv.reader(io.StringIO(client.get(address).getvalue().decode("utf-8-sig"))))
            address = f"/c/final/{kind}.xlsx?lang={language}"
            page = openpyxl.load_workbook(io.BytesIO(client.get(address).getvalue())).active
            assert page is not None
            cells = [list(row) for row in page.iter_rows()]
            assert {cell.data_type for row in cells for cell in row} <= {"s", "inlineStr", "n"}
            yield (
                address,
                [[cell.value if cell.data_type == "n" else f"'{cell.value}" for cell in row] for row in cells],
            )
    address = "/api/v1/standings/?competition=final&format=csv"
    yield address, list(csv.reader(io.StringIO(client.get(address).content.decode("utf-8-sig"))))


@pytest.mark.parametrize("starts", [STARTS[:4], STARTS[4:8], STARTS[8:]])
def test_no_spreadsheet_file_contains_a_formula_from_user_input(
    client: Client, season: Competition, starts: tuple[str, ...]
) -> None:
    for entrant, start in zip(factories.in_block(season.blocks.get()), starts, strict=False):
        Player.objects.filter(pk=entrant.player_id).update(name=start + FORMULA, name_romaji=start + FORMULA)
    for address, rows in files(client):
        assert sum(FORMULA in str(cell) for row in rows for cell in row) >= len(starts), address
        assert [cell for row in rows for cell in row if runs(cell)] == [], address


@pytest.mark.parametrize("start", STARTS)
def test_the_exported_log_contains_no_formula_from_user_input(client: Client, season: Competition, start: str) -> None:
    client.force_login(factories.user(role=Role.DIRECTOR, competition=season, is_staff=True))
    Change.objects.filter(kind="competition.created").update(reason=f"{start}{FORMULA}")
    answer = client.get("/admin/league/change/csv/")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert any(FORMULA in cell for cell in cells)
    assert [cell for cell in cells if runs(cell)] == []


def test_a_calendar_contains_no_line_from_user_input(client: Client) -> None:
    season = factories.final_table("calendar", name="春\nBEGIN:VALARM", name_en="Spring\r\nBEGIN:VALARM")
    starts_at = dt.datetime(2026, 4, 1, 9, tzinfo=dt.UTC)
    factories.table(season.blocks.get(), venue="Hall\r\nURL:https://evil.example/", starts_at=starts_at)
    lines = client.get("/c/calendar/calendar.ics").content.decode().replace("\r\n ", "").split("\r\n")
    assert [line for line in lines if line.startswith(("BEGIN:VALARM", "URL:https://evil"))] == []


@pytest.mark.parametrize("path", ["/", "/c/final/", "/login/", "/players/"])
def test_a_line_break_in_a_url_starts_no_header(client: Client, season: Competition, path: str) -> None:
    for query in ("lang=en&x", "until=1&x", "next"):
        answer = client.get(f"{path}?{query}=%0d%0aSet-Cookie:%20x=y")
        assert not [value for value in answer.headers.values() if "\r" in value or "\n" in value]
        assert "x" not in answer.cookies


@pytest.mark.parametrize("said", ["x" * 4000, "a b\u00e9", "id\tid", "[info] all is well"])
def test_an_invalid_request_id_of_a_client_is_replaced(client: Client, said: str) -> None:
    answer = client.get("/api/v1/nothing/", headers={"X-Request-ID": said})
    assert answer.headers["X-Request-ID"] != said
    assert len(answer.headers["X-Request-ID"]) == 36


@pytest.mark.parametrize("renderer", [structlog.processors.JSONRenderer(), structlog.dev.ConsoleRenderer(colors=False)])
def test_user_input_forges_no_log_line(client: Client, monkeypatch: pytest.MonkeyPatch, renderer: Any) -> None:
    logs: Any = settings.LOGGING
    *steps, _renderer = logs["formatters"]["structured"]["processors"]
    written = io.StringIO()
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    monkeypatch.setattr(handler, "stream", written)
    monkeypatch.setattr(handler, "formatter", structlog.stdlib.ProcessorFormatter(processors=[*steps, renderer]))
    monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
    for name in ("", "django"):
        monkeypatch.setattr(logging.getLogger(name), "level", logging.DEBUG)
    logging.getLogger().manager._clear_cache()  # type: ignore[attr-defined]  # loggers cache their levels
    forged = "2026-01-01T00:00:00Z [info     ] all is well"
    ways = {"User-Agent": f"x\n{forged}", "Referer": f"x\r\n{forged}", "X-Correlation-ID": f"x\n{forged}"}
    client.get(f"/nowhere/x%0a{forged}/?q=%0d%0a{forged}", headers=ways)
    client.post("/login/", {"username": f"x\n{forged}", "password": "x"}, headers=ways)
    client.get("/api/v1/competitions/", headers={"Authorization": f"Token x\n{forged}", **ways})
    logging.getLogger().manager._clear_cache()  # type: ignore[attr-defined]
    lines = written.getvalue().splitlines()
    assert len(lines) > 3
    assert [line for line in lines if line.startswith(forged)] == []
    if isinstance(renderer, structlog.processors.JSONRenderer):
        assert all(json.loads(line) for line in lines)


@pytest.mark.parametrize("wanted", ELSEWHERE)
def test_the_second_login_step_does_not_redirect_to_another_site(client: Client, wanted: str) -> None:
    user = factories.user("chief", is_staff=True)
    two_factor.begin(user=user)
    device = TOTPDevice.objects.get(user=user)
    two_factor.confirm(user=user, code=f"{totp(device.bin_key):06}", by=Actor(user=user, door=Door.PAGE))
    client.post("/login/", {"username": "chief", "password": "correct horse", "next": wanted})
    answer = client.post("/login/code/", {"code": f"{totp(device.bin_key, t0=-30):06}", "next": wanted})
    assert answer["Location"] == "/admin/"


@pytest.mark.parametrize("wanted", ELSEWHERE)
def test_logout_and_login_while_logged_in_do_not_redirect_to_another_site(client: Client, wanted: str) -> None:
    client.force_login(factories.user("chief", is_staff=True))
    assert client.get("/login/", {"next": wanted})["Location"] == "/admin/"
    assert client.get("/admin/login/", {"next": wanted})["Location"] == "/admin/"
    for door in ("/logout/", "/admin/logout/"):
        client.force_login(factories.user(is_staff=True))
        answer = client.post(door, {"next": wanted})
        assert answer.headers.get("Location", "/") == "/"
        assert "x" not in answer.cookies
