"""Tests of the promises in docs/security.md that no other test file covers."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from PIL import Image
from structlog.processors import JSONRenderer
from structlog.stdlib import ProcessorFormatter

from league.models import OrganizationChange, Player, Role
from league.platform.environment import ROOT
from league.platform.errors import RuleViolationError
from league.services.access import two_factor
from league.services.results.photos import MOST_PHOTOS, attach_photo
from tests import factories
from tests.league.platform.test_environment import PRODUCTION
from tests.league.web.test_security_headers import ANSWERS

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"


def in_production(expression: str) -> object:
    """Return an expression's value under the production settings."""
    code = f"import json; from league import settings; print(json.dumps({expression}))"
    environment = {"PATH": os.environ["PATH"], **PRODUCTION}
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(said.stdout)


def test_production_uses_host_only_cookies_and_https_only() -> None:
    names = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE")
    more = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_SSL_REDIRECT", "LANGUAGE_COOKIE_SECURE")
    found = in_production(f"[getattr(settings, name) for name in {(*names, *more)!r}]")
    assert found == ["__Host-sessionid", "__Host-csrftoken", True, True, 365 * 24 * 60 * 60, True, True, True]


def test_passwords_are_hashed_by_pbkdf2_with_own_salts_and_a_million_iterations() -> None:
    assert in_production("hasattr(settings, 'PASSWORD_HASHERS')") is False, "Django's own list, PBKDF2 first"
    hasher = PBKDF2PasswordHasher()
    kept = [hasher.decode(hasher.encode("the same password", hasher.salt(), iterations=1)) for _person in range(2)]
    assert hasher.iterations >= 1_000_000
    assert kept[0]["salt"] != kept[1]["salt"]
    assert kept[0]["hash"] != kept[1]["hash"]
    assert hasher.salt_entropy >= 128


def test_five_wrong_passwords_lock_the_pair_of_user_name_and_ip_address(client: Client) -> None:
    factories.user("known")
    factories.user("another")
    for _time in range(5):
        client.post("/login/", {"username": "known", "password": "wrong wrong wrong"})
    for address in ("/login/", "/admin/login/"):
        locked = client.post(address, {"username": "known", "password": PASSWORD}, headers={"accept-language": "ja"})
        assert locked.status_code == 429
        assert "15分待ってから" in locked.content.decode()
        assert 'value="known"' in locked.content.decode()
    assert client.get("/account/").status_code == 302
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert elsewhere.post("/login/", {"username": "known", "password": PASSWORD}).status_code == 302
    assert client.post("/login/", {"username": "another", "password": PASSWORD}).status_code == 302


@pytest.mark.both_databases
def test_logging_out_deletes_the_session() -> None:
    client, thief = Client(), Client()
    factories.user("known")
    client.post("/login/", {"username": "known", "password": PASSWORD})
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    assert thief.get("/account/").status_code == 200
    client.post("/logout/")
    assert not Session.objects.exists()
    assert thief.get("/account/").status_code == 302


@pytest.mark.parametrize(("steps", "is_good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_an_app_code_is_valid_for_one_time_step_before_and_after(steps: int, is_good: bool) -> None:
    user = factories.user("known")
    key = two_factor.begin(user=user).bin_key
    TOTPDevice.objects.update(confirmed=True)
    with time_machine.travel(1_790_000_010, tick=False):
        found = two_factor.check(user=user, code=f"{totp(key, t0=-30 * steps):06}")
    assert (found.device is not None) is is_good


@pytest.mark.parametrize("page", ["/login/", "/admin/login/", "/account/password/"])
def test_every_password_field_has_an_autocomplete_hint(page: str) -> None:
    client = Client()
    if page.startswith("/account/"):
        client.force_login(factories.user())
    text = client.get(page).content.decode()
    fields = re.findall(r"<input[^>]*type=\"password\"[^>]*>", text)
    assert fields
    assert [field for field in fields if not re.search(r'autocomplete="(current|new)-password"', field)] == []
    assert "onpaste" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/static/", "/static/league/", "/static/../manage.py", "/static/%2e%2e/manage.py", "/.git/config", "/.env",
        "/var/jantaku.sqlite3", "/manage.py", "/static/league/..%2f..%2fsettings.py", "/admin/static/",
    ],
)  # fmt: skip
def test_no_folder_is_listed_and_no_private_file_is_served(path: str) -> None:
    client = Client()
    client.force_login(factories.user(is_superuser=True, is_staff=True))
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ANSWERS)
def test_every_response_has_a_content_type_with_a_charset(path: str) -> None:
    answer = Client().get(path)
    answer.close()
    kind = answer.headers["Content-Type"]
    if answer.status_code not in (301, 302):
        assert re.fullmatch(r"text/[a-z]+; charset=.?utf-8.?|application/(problem\+)?json(; charset=utf-8)?", kind)


@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PATCH", "CONNECT", "ANYTHING"])
@pytest.mark.parametrize("path", ["/", "/c/final/", "/players/", "/account/", "/api/v1/competitions/"])
def test_unused_http_methods_are_refused(path: str, method: str) -> None:
    factories.final_table()
    client = Client()
    if path == "/account/":
        client.force_login(factories.user())
    answer = client.generic(method, path)
    assert answer.status_code in (401, 403, 405)
    assert answer.status_code == 405 or path.startswith("/api/")


def picture(width: int) -> io.BytesIO:
    drawn = io.BytesIO()
    Image.new("RGB", (width, 20)).save(drawn, "JPEG")
    drawn.seek(0)
    return drawn


def test_the_number_of_photos_of_a_hanchan_is_limited() -> None:
    competition = factories.final_table()
    scorer = factories.actor(factories.user(role=Role.SCORER, competition=competition))
    hanchan = factories.table(competition.blocks.get()).hanchan.get(round=1)
    for number in range(MOST_PHOTOS):
        attach_photo(hanchan=hanchan, file=picture(20 + number), by=scorer)
    with pytest.raises(RuleViolationError, match=str(MOST_PHOTOS)):
        attach_photo(hanchan=hanchan, file=picture(10), by=scorer)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Iterator[io.StringIO]:
    """Yield the service's log in the production format."""
    logs: Any = settings.LOGGING
    *steps, _renderer = logs["formatters"]["structured"]["processors"]
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    written = io.StringIO()
    monkeypatch.setattr(handler, "stream", written)
    monkeypatch.setattr(handler, "formatter", ProcessorFormatter(processors=[*steps, JSONRenderer()]))
    cache.clear()
    yield written
    cache.clear()


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/competitions/?page=0", 400), ("/api/v1/webhooks/?competition=final", 401), ("/nowhere/", 404),
     ("/admin/auth/user/", 403), ("/players/?q=x", 429)],
)  # fmt: skip
def test_every_refusal_is_logged_with_its_request_id(
    log: io.StringIO, settings: LazySettings, path: str, status: int
) -> None:
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "search": 0}
    client = Client()
    if status == 403:
        client.force_login(factories.user(role=Role.DIRECTOR, competition=factories.final_table(), is_staff=True))
    answer = client.get(path)
    assert answer.status_code == status
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert answer.headers["X-Request-ID"] in [line.get("request_id") for line in lines]


@pytest.mark.both_databases
def test_each_export_of_personal_data_is_logged(client: Client) -> None:
    master = factories.user("master", is_superuser=True, is_staff=True)
    client.force_login(master)
    factories.final_table()
    who = Player.objects.first()
    assert who is not None
    assert client.get(f"/admin/league/player/{who.pk}/data/").status_code == 200
    assert client.get(f"/admin/auth/user/{master.pk}/data/").status_code == 200
    lines = OrganizationChange.objects.filter(kind__endswith=".handed_out").order_by("pk")
    assert [(line.kind, line.subject_id, line.actor) for line in lines] == [
        ("player.handed_out", str(who.pk), master),
        ("account.handed_out", str(master.pk), master),
    ]
    assert who.name not in str(list(lines.values()))
