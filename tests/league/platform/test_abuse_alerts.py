"""Test that refused requests are counted and that an unusual number is logged once a minute."""

from __future__ import annotations

import logging

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from prometheus_client import REGISTRY

from league.platform import abuse_alerts
from league.platform.abuse_alerts import UNUSUAL
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _few_are_unusual(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(abuse_alerts, "UNUSUAL", dict.fromkeys(abuse_alerts.UNUSUAL, 3))


def counted(kind: str) -> float:
    return REGISTRY.get_sample_value("jantaku_refused_total", {"kind": kind}) or 0


def logged_alerts(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "league.platform.abuse_alerts"]


def test_every_kind_has_a_series_before_its_first_refusal() -> None:
    assert None not in [REGISTRY.get_sample_value("jantaku_refused_total", {"kind": kind}) for kind in UNUSUAL]


def test_wrong_passwords_are_counted_and_an_unusual_number_is_logged_once(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    before = counted("sign_in")
    with (
        time_machine.travel("2026-05-01 12:00:10", tick=False),
        caplog.at_level(logging.ERROR, "league.platform.abuse_alerts"),
    ):
        for number in range(5):
            client.post("/login/", {"username": f"name{number}", "password": "guessed"})
    assert counted("sign_in") == before + 5
    assert logged_alerts(caplog) == ["unusual: 3 refusals of the kind sign_in within a minute"]


def test_wrong_codes_are_counted(client: Client) -> None:
    user = factories.user("hana")
    TOTPDevice.objects.create(user=user, name="app", confirmed=True)
    client.post("/login/", {"username": "hana", "password": "correct horse"})
    before = counted("code")
    client.post("/login/code/", {"code": "000000"})
    assert counted("code") == before + 1


@pytest.mark.parametrize(
    ("kind", "address"), [("not_known", "/api/v1/webhooks/?competition=spring"), ("forbidden", "/login/")]
)
def test_refusing_responses_are_counted_by_kind(kind: str, address: str) -> None:
    client = Client(enforce_csrf_checks=True)
    before = counted(kind)
    answer = client.post(address) if kind == "forbidden" else client.get(address)
    assert answer.status_code in (401, 403)
    assert counted(kind) == before + 1


def test_a_missing_page_counts_as_no_refusal(client: Client) -> None:
    before = {kind: counted(kind) for kind in abuse_alerts.UNUSUAL}
    assert client.get("/c/nowhere/").status_code == 404
    assert {kind: counted(kind) for kind in abuse_alerts.UNUSUAL} == before
