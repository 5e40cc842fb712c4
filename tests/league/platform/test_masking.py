"""Test that credentials are masked in log lines, and the ids of requests."""

from __future__ import annotations

import io
import logging

import pytest
from django.conf import settings
from django.test import Client

from league.platform.masking import HIDDEN, mask_text, mask_value


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("GET /t/Zk3vN8xQrT6wYz1bC5dF/ 200", f"GET /t/{HIDDEN}/ 200"),
        ("GET /s/12:Zk3vN8xQrT6wYz1bC5dF/ 200", f"GET /s/{HIDDEN}/ 200"),
        ("/invitation/Zk3vN8xQrT6wYz1bC5dF/?next=/c/", f"/invitation/{HIDDEN}/?next=/c/"),
        (
            "GET /login/?next=/invitation/Zk3vN8xQrT6wYz1bC5dF/&a=1",
            f"GET /login/?next=/invitation/{HIDDEN}/&a=1",
        ),
        (
            "GET /login/?next=%2Finvitation%2fZk3vN8xQrT6wYz1bC5dF%2F&a=1",
            f"GET /login/?next=%2Finvitation%2f{HIDDEN}%2F&a=1",
        ),
        ("Authorization: Link Zk3vN8xQrT6wYz1bC5dFZk3vN8xQrT6w", f"Authorization: Link {HIDDEN}"),
        ("a link with-words-between", "a link with-words-between"),
        ("/overlay/?token=abc&lang=ja", f"/overlay/?token={HIDDEN}&lang=ja"),
        ("Authorization: Token jtk_0123456789abcdef", f"Authorization: Token {HIDDEN}"),
        ("authorization: bearer 0123456789abcdef", f"authorization: bearer {HIDDEN}"),
        ("authorization: basic bWlrYTpzZWNyZXQ=", f"authorization: basic {HIDDEN}"),
        ("no such token: jtk_0123456789", f"no such token: jtk_{HIDDEN}"),
        ("postgres://jantaku:secret-word@db/jantaku", f"postgres://jantaku:{HIDDEN}@db/jantaku"),
        ("redis://:secret-word@redis:6379/0", f"redis://:{HIDDEN}@redis:6379/0"),
        ("GET /c/spring-league-of-2026/tables/ 200", "GET /c/spring-league-of-2026/tables/ 200"),
        ("/api/v1/hanchan/12/results/?key_of=3", "/api/v1/hanchan/12/results/?key_of=3"),
    ],
)
def test_secrets_are_masked_and_other_text_is_kept(said: str, kept: str) -> None:
    assert mask_text(said) == kept


def test_secrets_are_masked_at_every_depth_of_a_value() -> None:
    event = {"request": {"headers": [("authorization", "Bearer 0123456789abcdef")]}, "status": 200}
    assert mask_value(event) == {"request": {"headers": [("authorization", f"Bearer {HIDDEN}")]}, "status": 200}


@pytest.mark.django_db
def test_a_secret_link_appears_in_no_log_line_of_its_request(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = io.StringIO()
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    monkeypatch.setattr(handler, "stream", lines)
    response = Client(raise_request_exception=False).get("/t/Zk3vN8xQrT6wYz1bC5dF-unknown/")
    assert response.status_code == 404
    assert "Zk3vN8xQrT6wYz1bC5dF" not in lines.getvalue()
    assert HIDDEN in lines.getvalue()


def test_every_response_has_its_own_request_id() -> None:
    told = {Client().get("/api/problems/").headers["X-Request-ID"] for _ in range(3)}
    assert len(told) == 3
    order = [name.rsplit(".", 1)[-1] for name in settings.MIDDLEWARE]
    assert order[:2] == ["SafeHeaders", "Probes"]
    assert order.index("Probes") < order.index("RequestIds")


def test_a_problem_document_contains_the_request_id_of_the_header() -> None:
    response = Client().get("/api/v1/nothing/")
    assert response.json()["request_id"] == response.headers["X-Request-ID"]
