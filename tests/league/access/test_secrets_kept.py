"""Tests that secrets are shown once and appear neither in the log, at any level, nor in the database."""

from __future__ import annotations

import base64
import io
import logging
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Competition, OrganizationChange, Role
from tests import factories

pytestmark = pytest.mark.django_db
FIRST, SECOND, THIRD, FOURTH, WRONG = (f"{which} secret words" for which in ("1st", "2nd", "3rd", "4th", "wrong"))
RECEIVER = "secret-of-the-receiver"
HOOK = f"https://hooks.example.org/in/{RECEIVER}?k={RECEIVER}"
KEPT_AS_IT_IS = {
    ("league.webhooksubscription", "url"),
    ("otp_totp.totpdevice", "key"),
    ("axes.accesslog", "path_info"),
}
"""Columns that must store the plain value: the webhook's URL, the TOTP key and the URL of an accepted invitation."""


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Yield everything the service logs at LOG_LEVEL=DEBUG, SQL included."""
    written = io.StringIO()
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    monkeypatch.setattr(handler, "stream", written)
    levels = {name: logging.getLogger(name).level for name in ("", "django")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.DEBUG)
    with CaptureQueriesContext(connection):
        yield written
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def season() -> Competition:
    return factories.final_table()


def english(name: str = "") -> Client:
    client = Client(headers={"accept-language": "en"})
    if name:
        client.post("/login/", {"username": name, "password": FIRST})
    return client


def places_of_secrets(secrets: dict[str, str]) -> list[str]:
    """Return each place in the database that contains a secret, without the columns that must."""
    return [
        f"{name} in {model._meta.label}.{column}"
        for model in apps.get_models()
        for row in model._default_manager.all().values()
        for column, value in row.items()
        for name, secret in secrets.items()
        if (model._meta.label_lower, column) not in KEPT_AS_IT_IS and secret in str(value)
    ]


Secrets = dict[str, str]


def sign_in_wrongly_and_rightly() -> Secrets:
    """Log in with a wrong and a right password, by the page and by REST."""
    english().post("/login/", {"username": "chief", "password": WRONG})
    basic = base64.b64encode(f"chief:{WRONG}".encode()).decode()
    english().post("/api/v1/auth/login/", headers={"Authorization": f"Basic {basic}"})
    typed = {"username": "chief", "password": FIRST}
    answer = english().post("/api/v1/auth/login/", typed, content_type="application/json")
    return {"token of signing in": answer.json()["token"]}


def make_and_use_a_token(client: Client, season: Competition) -> Secrets:
    typed = {"label": "overlay", "scopes": ["read"], "competition": season.pk, "days": 7}
    token = "jtk_" + client.post("/account/tokens/", typed).content.decode().split("<code>jtk_")[1].split("<")[0]
    used = english().get("/api/v1/competitions/", headers={"Authorization": f"Token {token}"})
    assert used.status_code == 200
    english().get(f"/api/v1/nowhere/?token={token}")
    return {"token": token}


def invite_and_accept(client: Client, season: Competition) -> Secrets:
    typed = {"action": "invite", "email": "hana@example.org", "role": "scorer", "language": "en"}
    client.post(f"/admin/league/membership/of/{season.pk}/", typed)
    (address,) = re.findall(r"/invitation/[\w-]{20,}/", str(mail.outbox[-1].body))
    guest = english()
    guest.get(address)
    accepted = guest.post(address, {"username": "hana", "password": SECOND, "again": SECOND})
    assert accepted.status_code == 302
    assert english().get(address).status_code == 410
    return {"invitation": address.strip("/").split("/")[-1]}


def make_a_webhook(client: Client, season: Competition) -> Secrets:
    page = f"{reverse('admin:league_webhooksubscription_add')}?competition={season.pk}"
    told = client.post(page, {"url": HOOK, "events": ["result.confirmed"], "audience": "staff"}).content.decode()
    return {"key of the webhook": re.findall(r"whsec_([\w+/=]+)", told)[0]}


def make_and_open_a_link(season: Competition, token: str) -> Secrets:
    links = f"/api/v1/table-sessions/{factories.table(season.blocks.get()).pk}/links/"
    bearer = {"Authorization": f"Token {token}"}
    made = english().post(links, {"kind": "scorer"}, content_type="application/json", headers=bearer)
    key = re.findall(r"/t/([\w-]{20,})/", made.content.decode())[0]
    assert english().get(f"/t/{key}/").status_code == 302
    return {"link": key}


def set_up_and_use_the_second_step(client: Client) -> Secrets:
    page = client.get("/account/code/").content.decode()
    device = TOTPDevice.objects.get()
    shown = client.post("/account/code/", {"code": f"{totp(device.bin_key):06}"}).content.decode()
    codes = re.findall(r"<li><code>([^<]+)</code>", shown)
    assert len(codes) == 10
    assert english("chief").post("/login/code/", {"code": codes[0]}).status_code == 302
    as_shown = re.findall(r"<code>([A-Z2-7 =]+)</code>", page)[0]
    keys = {"key of the app": device.key, "as shown": as_shown, "as typed": as_shown.replace(" ", "")}
    return keys | {f"recovery code {number}": code for number, code in enumerate(codes)}


def change_and_give_a_password(client: Client) -> None:
    own = client.post("/account/password/", {"old_password": FIRST, "new_password1": THIRD, "new_password2": THIRD})
    given = {"usable_password": "true", "password1": FOURTH, "password2": FOURTH}
    page = f"/admin/auth/user/{User.objects.get(username='chief').pk}/password/"
    assert (own.status_code, english("master").post(page, given).status_code) == (302, 302)


@pytest.mark.both_databases
def test_no_secret_appears_in_the_log_or_in_the_database(
    season: Competition, lines: io.StringIO, settings: LazySettings
) -> None:
    settings.SENDS_LETTERS = True
    people = (
        factories.user("chief", Role.DIRECTOR, season, is_staff=True),
        factories.user("master", is_staff=True, is_superuser=True),
    )
    for user in people:
        user.set_password(FIRST)
        user.save()
    secrets = {"first": FIRST, "second": SECOND, "third": THIRD, "fourth": FOURTH, "wrong": WRONG, "receiver": RECEIVER}
    secrets |= sign_in_wrongly_and_rightly()
    client = english("chief")
    secrets |= make_and_use_a_token(client, season)
    secrets |= invite_and_accept(client, season)
    secrets |= make_a_webhook(client, season)
    secrets |= make_and_open_a_link(season, secrets["token of signing in"])
    secrets |= set_up_and_use_the_second_step(client)
    change_and_give_a_password(client)

    log = lines.getvalue()
    assert "request_started" in log, "at this level the log names each request"
    assert [name for name, secret in secrets.items() if secret in log] == []
    assert places_of_secrets(secrets) == []
    assert OrganizationChange.objects.count() > 5
