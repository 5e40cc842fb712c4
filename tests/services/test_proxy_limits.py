"""Test slow clients and limits per address on the shipped nginx site in front of gunicorn with its shipped file."""

from __future__ import annotations

import json
import os
import shutil
import ssl
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from league.web.problem_documents import ProblemDocument
from league.web.problems import KINDS
from scripts.nginx import CLIENT, nginx
from scripts.servers import GUNICORN, LOCALHOST, UnavailableError, free_port, started, wait_for_port
from scripts.slow_clients import number_open, received_until_closed, slow_clients

pytestmark = [pytest.mark.services, pytest.mark.django_db]
HOST = "league.example.org"
SLOW = 300
LAST_DEADLINE = 60
"""Seconds within which even a busy machine has closed a connection whose deadline is 10 or 15 seconds."""
JSON = "application/json"
LANGUAGES = ("en", "ja")
MOST_WRITES = 5000
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """nginx in front of gunicorn."""

    port: int
    tls: ssl.SSLContext

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request on a connection of its own."""
        sent = {"Host": HOST, "Accept-Language": "en"} | {
            name.replace("_", "-"): text for name, text in headers.items()
        }
        with closing(HTTPSConnection(LOCALHOST, self.port, timeout=30, context=self.tls)) as connection:
            connection.request(method, path, body, sent)
            found = connection.getresponse()
            return Answer(found.status, dict(found.headers), found.read().decode())

    def announce(self, path: str, megabytes: int, **headers: str) -> Answer:
        """Send the head alone of a request with a body of this size."""
        return self.ask("POST", path, None, Content_Length=str(megabytes * MEGABYTE), **headers)


@pytest.fixture(scope="module")
def gunicorn(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run gunicorn for all tests here; yield its port."""
    folder = tmp_path_factory.mktemp("gunicorn")
    port, log = free_port(), folder.with_name("gunicorn.log")
    shutil.copy(migrated_file, folder)
    variables = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    variables |= {"DATA_DIR": str(folder), "PORT": str(port), "DEMO": "0", "DAILY_BACKUPS": "0", "TRUSTED_PROXIES": "1"}
    variables |= {"ALLOWED_HOSTS": HOST, "DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONWARNINGS": "ignore"}
    with started(GUNICORN, log, env=variables) as process:
        wait_for_port(port, process, log)
        yield port


@pytest.fixture
def site(gunicorn: int, tmp_path: Path) -> Iterator[Site]:
    """Run an nginx for each test, so that its counters start at zero."""
    try:
        with nginx(tmp_path, gunicorn) as proxy:
            yield Site(proxy.port, proxy.tls)
    except UnavailableError as reason:
        pytest.skip(str(reason))


def test_pages_and_writes_are_answered_while_300_slow_clients_are_connected_and_nginx_ends_those(site: Site) -> None:
    site.ask("GET", "/login/")
    with slow_clients(SLOW, site.port, site.tls) as slow:
        answers = [site.ask("GET", "/login/").status for _visit in range(4)]
        answers += [site.ask("POST", "/api/v1/hanchan/1/results/", b"{}", Content_Type=JSON).status]
        assert answers == [200, 200, 200, 200, 401]
        assert number_open(slow) == SLOW
        said = set(received_until_closed(slow, LAST_DEADLINE))
    assert all(text == b"" or text.startswith(b"HTTP/1.1 408 ") for text in said)


def test_writes_of_one_address_have_a_burst_of_400_and_reading_goes_on_afterwards(site: Site) -> None:
    path = "/api/v1/hanchan/1/results/"
    passed, refused = until_refused(site, path)
    assert passed >= 400
    for language in LANGUAGES:
        assert_is_problem(refused[language], "too_many_requests", path, language)
        assert refused[language].headers["Retry-After"] == "30"
    assert site.ask("GET", "/login/").status == 200


def test_passwords_of_one_address_have_a_burst_of_100_and_codes_and_other_writes_go_on_afterwards(site: Site) -> None:
    passed, refused = until_refused(site, "/login/")
    assert passed >= 100
    for language in LANGUAGES:
        with translation.override(language):
            assert (
                translation.gettext("Too many attempts from here. Wait a minute and try again.")
                in refused[language].text
            )
        assert refused[language].headers["Content-Type"] == "text/html; charset=utf-8"
    assert "X-Request-ID" in site.ask("POST", "/login/code/", b"{}", Content_Type=JSON).headers
    assert site.ask("POST", "/api/v1/hanchan/1/results/", b"{}", Content_Type=JSON).status == 401


def test_ipv6_addresses_of_one_64_network_are_counted_together_and_mapped_ipv4_addresses_apart(site: Site) -> None:
    def status(address: str) -> int:
        return site.ask("POST", "/login/", b"{}", **{"Content_Type": JSON, CLIENT: address}).status

    for number in range(MOST_WRITES):
        if status(f"2001:db8:a0a:7c0d::{number:x}") == 429:
            break
    assert 100 <= number < MOST_WRITES - 1
    assert 429 not in {status(each) for each in ("2001:db8:a0a:7c0e::1", "192.0.2.1")}
    assert {status(f"::ffff:192.0.2.{number}") for number in range(1, 200)} & {429} == set()


def until_refused(site: Site, path: str) -> tuple[int, dict[str, Answer]]:
    """Write until the proxy refuses; return the number of writes let through, and its refusals by language."""
    passed, refused = 0, dict[str, Answer]()
    with closing(HTTPSConnection(LOCALHOST, site.port, timeout=30, context=site.tls)) as connection:
        while len(refused) < len(LANGUAGES):
            language = LANGUAGES[len(refused)]
            connection.request("POST", path, b"{}", {"Host": HOST, "Content-Type": JSON, "Accept-Language": language})
            found = connection.getresponse()
            answer = Answer(found.status, dict(found.headers), found.read().decode())
            # Responses of the service have a request id. On a slow machine the allowance grows between two requests.
            if "X-Request-ID" in answer.headers:
                passed += 1
            else:
                assert answer.status == 429
                refused[language] = answer
            assert passed < MOST_WRITES
    return passed, refused


def test_bodies_above_the_limit_of_their_address_are_refused_in_the_clients_language(site: Site) -> None:
    for path in ("/api/v1/auth/login/", "/api/v1/competitions/none/results/"):
        for language in LANGUAGES:
            refused = site.announce(path, 4, Content_Type=JSON, Accept_Language=language)
            assert_is_problem(refused, "request_too_large", path, language)
    for language in LANGUAGES:
        page = site.announce("/login/", 4, Accept_Language=language)
        with translation.override(language):
            assert str(KINDS["request_too_large"].title) in page.text
        assert [page.status, page.headers["Content-Type"]] == [413, "text/html; charset=utf-8"]
    assert site.announce("/tables/1/photo/1/", 25).status == 413
    assert site.announce("/admin/league/competition/archive/", 70).status == 413


def test_files_as_large_as_the_service_takes_reach_it(site: Site) -> None:
    for path, megabytes in (
        ("/tables/1/photo/1/", 11),
        ("/admin/league/hanchan/1/photos/", 11),
        ("/admin/league/competition/archive/", 64),
    ):
        answer = site.ask("POST", path, bytes(megabytes * MEGABYTE), Content_Type="application/octet-stream")
        assert answer.status in (302, 403, 404), path
        assert answer.headers["X-Request-ID"], path


def assert_is_problem(answer: Answer, code: str, path: str, language: str) -> None:
    """Assert that the proxy's refusal is the document that the service would send."""
    kind = KINDS[code]
    with translation.override(language):
        expected: dict[str, Any] = {"title": str(kind.title), "detail": str(kind.advice)}
    expected |= {"type": kind.type, "status": kind.status, "code": code, "instance": path}
    assert json.loads(answer.text) == expected | {"errors": [], "request_id": ""}
    assert set(json.loads(answer.text)) == set(ProblemDocument.model_fields)
    assert [answer.status, answer.headers["Content-Type"]] == [kind.status, "application/problem+json"]
    assert answer.headers["Cache-Control"] == "no-store"
