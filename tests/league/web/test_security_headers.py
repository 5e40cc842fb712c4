"""Test security headers, redirects, CSRF, cookies and passwords."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings
from django_otp.plugins.otp_static.models import StaticDevice

from league.models import Role
from league.platform.environment import ROOT
from league.services.access import two_factor
from tests.environments import read
from tests.factories import final_table, user
from tests.league.platform.test_environment import PRODUCTION, SECRET

pytestmark = pytest.mark.django_db
OLD_SECRET = SECRET[::-1] + SECRET
ANSWERS = (
    "/", "/nowhere/", "/api/v1/", "/api/v1/nowhere/", "/c/nowhere/", "/login/", "/admin/", "/admin/login/", "/account/",
    "/health/live", "/metrics", "/players/?lang=en", "/static/league/jantaku.css", "/t/nobody-knows-this/",
)  # fmt: skip


@pytest.mark.parametrize("path", ANSWERS)
def test_every_response_has_the_security_headers(path: str) -> None:
    answer = Client(raise_request_exception=False).get(path)
    answer.close()
    headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert re.search(r"default-src '(self|none)'", policy)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == ("strict-origin" if path == "/login/" else "same-origin")
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Cache-Control"]


def test_an_error_page_reveals_no_internals_and_has_the_same_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any) -> None:
        raise RuntimeError("the password of the database is swordfish")

    monkeypatch.setattr("league.views.people.players.render", broken)
    answer = Client(raise_request_exception=False).get("/players/")
    assert answer.status_code == 500
    assert b"swordfish" not in answer.content
    assert b"Traceback" not in answer.content
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/account/", "/account/tokens/", "/account/password/", "/admin/", "/board/"])
def test_personal_pages_are_not_stored_in_caches(path: str) -> None:
    client = Client()
    client.force_login(user("mine", Role.DIRECTOR, final_table(), is_staff=True), "league.web.sign_in.AccountBackend")
    answer = client.get(path)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]


def test_only_widgets_may_be_framed() -> None:
    competition = final_table()
    framed = Client().get(f"/embed/{competition.slug}/standings/")
    page = Client().get(f"/c/{competition.slug}/")
    assert "X-Frame-Options" not in framed.headers
    assert "frame-ancestors 'self'" in framed.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example/c/x/", "/\\evil.example/"])
@pytest.mark.parametrize("query", ["lang=en", "until=1", "lang=en&next=//evil.example"])
def test_no_url_redirects_to_another_site(path: str, query: str) -> None:
    answer = Client().get("/", PATH_INFO=path, QUERY_STRING=query)
    assert not re.match(r"(https?:)?[/\\]{2}", answer.headers.get("Location", "/"))


@pytest.mark.parametrize("door", ["/login/", "/admin/login/"])
@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_login_does_not_redirect_to_another_site(door: str, wanted: str) -> None:
    who = user("here", is_staff=True)
    answer = Client().post(f"{door}?next={wanted}", {"username": who.username, "password": "correct horse"})
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/")
    assert not answer.headers["Location"].startswith("//")


def test_an_unknown_host_header_is_refused() -> None:
    assert Client(headers={"Host": "evil.example"}).get("/").status_code == 400


def test_a_form_without_a_csrf_token_gets_our_own_error_page() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/login/", {"username": "a", "password": "b"})
    assert answer.status_code == 403
    assert b"<style" not in answer.content
    assert "reason" not in answer.content.decode().lower()


def test_every_post_form_has_a_csrf_token() -> None:
    forms = re.compile(r"<form[^>]*method=[\"']?post[^>]*>(?:(?!</form>).)*", re.IGNORECASE | re.DOTALL)
    bare = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for form in forms.findall(path.read_text(encoding="utf-8"))
        if "csrf_token" not in form and "fields" not in form
    ]
    assert not bare


def test_login_rotates_the_session_and_its_cookie_is_httponly_and_lax() -> None:
    who, client = user("who"), Client()
    client.get("/login/")
    client.cookies[settings.SESSION_COOKIE_NAME] = "fixed-by-somebody-else"
    answer = client.post("/login/", {"username": who.username, "password": "correct horse"})
    session = answer.cookies[settings.SESSION_COOKIE_NAME]
    assert session.value != "fixed-by-somebody-else"
    assert session["httponly"]
    assert session["samesite"] == "Lax"


def test_a_wrong_username_and_a_wrong_password_get_the_same_response() -> None:
    user("known")
    pages = []
    for name in ("known", "unknown"):
        page = Client().post("/login/", {"username": name, "password": "wrong wrong wrong"})
        text = re.sub(r'csrfmiddlewaretoken" value="\w+"', "", page.content.decode()).replace(name, "")
        pages.append((page.status_code, text))
    assert pages[0] == pages[1]


@pytest.mark.parametrize("chosen", ["elevenchars", "x" * 129 + "yz", "password1234", "ひみつのかっぱ"])
def test_a_short_overlong_or_common_password_is_refused(chosen: str) -> None:
    client = Client()
    client.force_login(user("changes"), "league.web.sign_in.AccountBackend")
    typed = {"old_password": "correct horse", "new_password1": chosen, "new_password2": chosen}
    assert client.post("/account/password/", typed).status_code != 302


@pytest.mark.parametrize(
    "chosen",
    [
        "123456789012",
        "098765432109",
        "１２３４５６７８９０１２",
        "abcdefghijklm",
        "aaaaaaaaaaaaa",
        "AbcabcabcabcA",
        "258025802580258",
    ],
)
def test_a_sequence_or_repetition_is_refused_as_a_password_with_the_reason(chosen: str) -> None:
    client = Client()
    client.force_login(user("changes"), "league.web.sign_in.AccountBackend")
    typed = {"old_password": "correct horse", "new_password1": chosen, "new_password2": chosen}
    answer = client.post("/account/password/", typed, headers={"Accept-Language": "en"})
    assert answer.status_code != 302
    assert "a sequence or a repetition, such as 123456789012; choose" in answer.content.decode()


@pytest.mark.parametrize(
    "chosen", ["four words in a row", "🀄🀅🀆 and some more", "9" * 5 + "1742058836", "y" * 40 + "z" * 60]
)
def test_a_password_may_contain_any_characters(chosen: str) -> None:
    client = Client()
    client.force_login(user("changes"), "league.web.sign_in.AccountBackend")
    typed = {"old_password": "correct horse", "new_password1": chosen, "new_password2": chosen}
    assert client.post("/account/password/", typed).status_code == 302


def test_changing_a_password_needs_the_old_one_in_the_admin_too() -> None:
    who, client = user("changes", is_staff=True), Client()
    client.force_login(who, "league.web.sign_in.AccountBackend")
    assert client.get("/admin/password_change/").headers["Location"] == "/account/password/"
    typed = {"old_password": "not it", "new_password1": "a much longer one", "new_password2": "a much longer one"}
    client.post("/account/password/", typed)
    client.post("/admin/password_change/", typed)
    assert User.objects.get(pk=who.pk).check_password("correct horse")


def test_a_line_break_in_a_request_starts_no_new_log_line() -> None:
    logs: Any = settings.LOGGING
    *steps, _renderer = logs["formatters"]["structured"]["processors"]
    formatter = structlog.stdlib.ProcessorFormatter(processors=[*steps, structlog.processors.JSONRenderer()])
    record = logging.LogRecord("x", logging.WARNING, "", 0, "not found: %s", ("/a\n2026 [info] all is well",), None)
    line = formatter.format(record)
    assert "\n" not in line
    assert json.loads(line)["event"] == "not found: /a\n2026 [info] all is well"


@pytest.mark.both_databases
def test_earlier_secret_keys_keep_sessions_and_recovery_codes_valid(tmp_path: Path) -> None:
    found = read(PRODUCTION | {"DATA_DIR": str(tmp_path), "SECRET_KEY_FALLBACKS": f"{OLD_SECRET} {SECRET}{SECRET}x"})
    assert found.secret_key_fallbacks == (OLD_SECRET, f"{SECRET}{SECRET}x")
    who = user("keeps")
    with override_settings(SECRET_KEY=OLD_SECRET):
        client = Client()
        client.force_login(who, "league.web.sign_in.AccountBackend")
        code, another, *_more = two_factor._new_codes(who)
    StaticDevice.objects.filter(user=who).update(confirmed=True)
    with override_settings(SECRET_KEY=SECRET, SECRET_KEY_FALLBACKS=[OLD_SECRET]):
        assert client.get("/account/").status_code == 200
        assert two_factor.check(user=who, code=code).device is not None
    with override_settings(SECRET_KEY=SECRET, SECRET_KEY_FALLBACKS=[]):
        assert two_factor.check(user=who, code=another).device is None


@pytest.mark.parametrize("given", ["short", f"{OLD_SECRET} short", " ".join([OLD_SECRET] * 4), "x" * 60])
def test_invalid_earlier_secret_keys_are_refused_and_not_shown(tmp_path: Path, given: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        read(PRODUCTION | {"DATA_DIR": str(tmp_path), "SECRET_KEY_FALLBACKS": given})
    assert "SECRET_KEY_FALLBACKS is (hidden)" in str(refusal.value)
    assert given not in str(refusal.value)


def test_debug_pages_are_refused_in_production(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="DEBUG is '1'"):
        read(PRODUCTION | {"DATA_DIR": str(tmp_path), "DEBUG": "1"})
