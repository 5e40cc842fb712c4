"""Test the shipped nginx site in front of the service: cached responses, cache variants, and ages."""

from __future__ import annotations

import datetime as dt
import gzip
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPMessage, HTTPSConnection
from http.cookies import SimpleCookie
from threading import Thread
from typing import Any
from urllib.parse import urlencode
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from django.conf import LazySettings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from league.models import Role
from league.services.competitions.schedule import hold_back
from scripts.nginx import Proxy, nginx
from scripts.servers import LOCALHOST, UnavailableError, free_port
from tests import factories

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("production_names"),
]
HOST = "league.example.org"
MAX_AGE = 5.0
SLACK = 3.0
"""Seconds for a background update on a busy machine."""


class Quiet(WSGIRequestHandler):
    """Log no requests."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing."""


class Service:
    """The service on a local port; `stopped` interrupts it."""

    def __init__(self) -> None:
        self.port = free_port()
        self.application = get_wsgi_application()
        self.start()

    def answer(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        """Answer a request; for nginx, /rules/ expires after a second without stale-while-revalidate."""

        def started(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            expires = [("X-Accel-Expires", "1")] if environ["PATH_INFO"] == "/rules/" else []
            return start(status, expires + headers, *more)

        return self.application(environ, started)

    def start(self) -> None:
        """Serve in a thread."""
        self.server = make_server(LOCALHOST, self.port, self.answer, WSGIServer, Quiet)
        self.thread = Thread(target=self.run, args=(self.server,))
        self.thread.start()

    def run(self, server: WSGIServer) -> None:
        """Serve until stopped, then close the thread's database connections."""
        server.serve_forever(poll_interval=0.05)
        connections.close_all()

    def stop(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Refuse connections during the block."""
        self.stop()
        try:
            yield
        finally:
            self.start()


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; `cache` is empty if nginx bypassed its cache."""

    status: int
    headers: HTTPMessage
    text: str

    @property
    def cache(self) -> str:
        """Return nginx's cache status: HIT, MISS, STALE and so on."""
        return self.headers.get("X-Cache-Status", "")


@dataclass(frozen=True, slots=True)
class Site:
    """nginx in front of a service."""

    service: Service
    proxy: Proxy


@dataclass
class Visitor:
    """A browser with its cookies."""

    site: Site
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        """Send a GET request."""
        return self.ask("GET", path, headers)

    def post(self, path: str, **fields: str) -> Answer:
        """Submit a form."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Referer": f"https://{HOST}{path}"}
        return self.ask("POST", path, headers, urlencode(fields))

    def ask(self, method: str, path: str, headers: dict[str, str], body: str | None = None) -> Answer:
        """Send a request on a new connection with the visitor's cookies; store those of the response."""
        sent = {"Host": HOST, "Accept-Language": self.language, "Accept-Encoding": "gzip"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = HTTPSConnection(LOCALHOST, self.site.proxy.port, timeout=20, context=self.site.proxy.tls)
        try:
            connection.request(method, path, body, {name: value for name, value in sent.items() if value})
            found = connection.getresponse()
            content = found.read()
        finally:
            connection.close()
        for line in found.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        is_packed = content and found.headers.get("Content-Encoding") == "gzip"
        return Answer(found.status, found.headers, (gzip.decompress(content) if is_packed else content).decode())


@pytest.fixture(scope="module")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run one nginx for all tests here; each test has its own URLs, since the cache outlives its data."""
    service = Service()
    try:
        with nginx(tmp_path_factory.mktemp("nginx"), service.port) as proxy:
            yield Site(service, proxy)
    except UnavailableError as reason:
        pytest.skip(str(reason))
    finally:
        service.stop()


@pytest.fixture
def production_names(settings: LazySettings) -> None:
    """Use cookies, hosts and HTTPS as in production."""
    settings.ALLOWED_HOSTS = [HOST, "testserver"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = settings.LANGUAGE_COOKIE_SECURE = True


def wait_until(is_so: Callable[[], bool], most: float) -> None:
    """Poll until a condition holds; fail after `most` seconds."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < most
        time.sleep(0.25)


def test_the_second_anonymous_request_is_a_cache_hit_and_a_known_etag_gets_304(site: Site) -> None:
    factories.final_table("cached")
    reader = Visitor(site)
    first, second = reader.get("/c/cached/"), Visitor(site).get("/c/cached/")
    assert [first.cache, second.cache] == ["MISS", "HIT"]
    assert first.text == second.text
    etag = first.headers["ETag"]
    assert etag.startswith("W/")
    assert second.headers["ETag"] == etag
    known = reader.get("/c/cached/", If_None_Match=etag)
    assert [known.status, known.cache, known.text] == [304, "HIT", ""]
    assert reader.ask("HEAD", "/c/cached/", {}).cache == "HIT"
    plain = [reader.get("/c/cached/", Accept_Encoding=asked) for asked in ("", "gzip;q=0", "br")]
    assert [one.cache for one in plain] == ["MISS", "HIT", "HIT"]
    assert {one.text for one in plain} == {first.text}
    assert {one.headers["ETag"] for one in plain} == {etag.removeprefix("W/")}
    assert {"Cookie", "Accept-Language", "Accept-Encoding"} <= set(first.headers["Vary"].split(", "))


@pytest.mark.parametrize("path", ["/api/v1/standings/?competition=rest", "/api/v1/competitions/rest/bracket/"])
def test_api_responses_are_cached_for_clients_without_a_token(site: Site, path: str) -> None:
    competition = factories.final_table("rest")
    program = Visitor(site)
    answers = [program.get(path, Accept=accepted) for accepted in ("*/*", "application/json", "")]
    assert [answer.cache for answer in answers] == ["MISS", "HIT", "HIT"]
    assert {answer.text for answer in answers} == {answers[0].text}
    assert program.get(path, If_None_Match=answers[0].headers["ETag"]).status == 304
    token = AuthToken.objects.create(factories.user(role=Role.DIRECTOR, competition=competition))[1]
    own = program.get(path, Authorization=f"Token {token}")
    assert [own.status, own.cache, own.headers["Cache-Control"]] == [200, "", "private, no-cache"]
    assert program.get(path, Accept="text/csv").cache == ""


LANGUAGES = {
    "": True,
    "ja": True,
    "ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7": True,
    "en-GB": True,
    "en-US,en;q=0.9,ja;q=0.8": True,
    "fr-FR,fr;q=0.9,en;q=0.8": True,
    "fr": True,
    "de, *;q=0.5": True,
    "ko,ja;q=0.5": True,
    "ko,ja;q=0.5,*;q=0.1": True,
    "*,ja;q=0.5": True,
    "ko,en;q=0.5,ja;q=0.9": False,
    "ja;q=0.1,en": False,
    "*, en;q=0.5": False,
}
"""Values of Accept-Language, and whether nginx can determine the language that the service chooses."""


@pytest.mark.parametrize("cookie", ["", "en", "ja", "fr"])
def test_every_client_gets_the_language_that_the_service_would_choose(site: Site, cookie: str) -> None:
    cookies = {"jantaku_language": cookie} if cookie else {}
    direct = Client(secure=True)
    direct.cookies.load(cookies)
    for accepted, is_told in LANGUAGES.items():
        expected = direct.get("/players/", headers={"accept-language": accepted} if accepted else {})
        found = Visitor(site, accepted, cookies).get("/players/")
        assert found.headers["Content-Language"] == expected.headers["Content-Language"], accepted
        assert (found.cache != "") == (cookie in ("en", "ja") or (is_told and not cookie)), accepted
        by_program = direct.get("/api/v1/players/", headers={"accept-language": accepted} if accepted else {})
        read = Visitor(site, accepted, cookies).get("/api/v1/players/")
        assert read.headers["Content-Language"] == by_program.headers["Content-Language"], accepted


def test_the_cache_has_one_variant_per_language(site: Site) -> None:
    factories.final_table("variants")
    visitors = [Visitor(site, accepted) for accepted in ("ja", "ja-JP,en;q=0.1", "en", "en-US,en;q=0.9", "fr,en;q=0.1")]
    visitors += [Visitor(site, "ja", {"jantaku_language": "en"}), Visitor(site, "en", {"jantaku_language": "ja"})]
    answers = [visitor.get("/c/variants/") for visitor in visitors]
    assert [answer.cache for answer in answers] == ["MISS", "HIT", "MISS", "HIT", "HIT", "HIT", "HIT"]
    assert len({answer.text for answer in answers}) == 2


def test_a_search_engine_gets_the_language_in_the_address_without_a_redirect(site: Site) -> None:
    factories.final_table("found")
    for language in ("ja", "en"):
        answer = Visitor(site, "").get(f"/c/found/?lang={language}")
        assert [answer.status, answer.headers["Content-Language"]] == [200, language]


@pytest.mark.parametrize(
    ("path", "accepted", "cookies"),
    [
        ("/rules/cinderella/", "en,!", {}),
        ("/rules/cinderella/summary/", "ja", {"jantaku_language": "en; jantaku_language=ja"}),
    ],
)
def test_a_request_read_differently_by_nginx_and_the_service_fills_no_wrong_variant(
    site: Site, path: str, accepted: str, cookies: dict[str, str]
) -> None:
    assert Visitor(site, accepted, cookies).get(path).cache == "MISS"
    found = Visitor(site, "en").get(path)
    assert [found.cache, found.headers["Content-Language"]] == ["HIT", "en"]


def test_a_logged_in_client_neither_reads_nor_fills_the_cache(site: Site) -> None:
    competition = factories.final_table("own")
    held_back = factories.table(competition.blocks.get(), public_at=timezone.now() + dt.timedelta(days=1))
    factories.play(held_back.hanchan.get(round=1))
    factories.user("director", Role.DIRECTOR, competition)
    director = Visitor(site)
    form = director.get("/login/")
    assert [form.cache, form.headers["Set-Cookie"] is not None] == ["", True]
    again = director.get("/login/")
    token = again.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    signed_in = director.post("/login/", csrfmiddlewaretoken=token, username="director", password="correct horse")
    assert signed_in.status == 302
    director.cookies = {"__Host-sessionid": director.cookies["__Host-sessionid"]}
    own = director.get("/c/own/")
    assert [own.status, own.cache, own.headers["Cache-Control"]] == [200, "", "private, no-cache"]
    assert director.get("/c/own/", If_None_Match=own.headers["ETag"]).status == 304
    stranger = Visitor(site).get("/c/own/")
    assert stranger.cache == "MISS"
    assert "51.2" in own.text
    assert "51.2" not in stranger.text
    assert director.get("/c/own/").text == own.text


def test_personal_and_secret_pages_are_not_cached(site: Site) -> None:
    visitor = Visitor(site)
    for path in (
        "/login/",
        "/admin/login/",
        "/t/secret/",
        "/invitation/secret/",
        "/board/",
        "/p/none/board/",
        "/c/none/",
    ):
        for _time in range(2):
            answer = visitor.get(path)
            assert answer.cache in ("", "MISS"), path
            assert "no-store" in answer.headers["Cache-Control"], path
    assert [visitor.get(path).status for path in ("/metrics", "/health/ready")] == [404, 404]


def test_choosing_a_language_or_a_spoiler_guard_bypasses_the_cache(
    site: Site,
) -> None:
    competition = factories.final_table("guarded")
    shown = factories.table(competition.blocks.get())
    factories.play(shown.hanchan.get(round=1))
    public, guarded = Visitor(site), Visitor(site)
    page = public.get("/c/guarded/")
    for _time in range(2):
        chosen = guarded.get("/c/guarded/?until=0")
        assert [chosen.status, "until-guarded" in guarded.cookies] == [302, True]
        assert Visitor(site, "en").get("/c/guarded/?lang=ja").headers["Set-Cookie"]
    own = guarded.get("/c/guarded/")
    assert own.cache == ""
    assert "51.2" in page.text
    assert "51.2" not in own.text
    assert public.get("/c/guarded/").text == page.text


def test_the_chosen_player_passes_the_cache_below_me_alone(site: Site) -> None:
    factories.final_table("mine")
    plain, chosen = Visitor(site), Visitor(site, cookies={"me-mine": "mine-final1"})
    plain.get("/c/mine/")
    assert chosen.get("/c/mine/").cache == "HIT", "the page is the same for all"
    for path in ("/c/mine/me/", "/c/mine/me/card/"):
        for _time in range(2):
            assert "mine-final1" not in re.sub(r"<option.*?</option>", "", plain.get(path).text), path
            own = chosen.get(path)
            assert own.cache == ""
            assert "mine-final1" in re.sub(r"<option.*?</option>", "", own.text), path


def test_results_appear_within_the_maximum_age_and_not_before_an_embargo_ends(site: Site) -> None:
    competition = factories.league("embargo")
    secret = factories.table(competition.blocks.get(key="A"), public_at=timezone.now() + dt.timedelta(days=1))
    shown = factories.table(competition.blocks.get(key="B"))
    readers = Readers([Visitor(site, language) for language in ("en", "ja")])
    readers.open_all()
    before = readers.version()
    factories.play(secret.hanchan.get(round=1))
    factories.play(shown.hanchan.get(round=1))
    wait_until(lambda: readers.version() != before, 1 + SLACK)
    wait_until(lambda: readers.open_all() == {"B"}, MAX_AGE + SLACK)
    assert readers.seen == [set(), {"B"}]
    before = readers.version()
    hold_back(table_session=secret, until=None, by=factories.SYSTEM)
    wait_until(lambda: readers.version() != before, 1 + SLACK)
    wait_until(lambda: readers.open_all() == {"A", "B"}, MAX_AGE + SLACK)
    assert {"HIT", "STALE"} <= readers.statuses
    assert "EXPIRED" not in readers.statuses


@dataclass(frozen=True, slots=True)
class Readers:
    """Visitors who keep reading the pages of two blocks."""

    visitors: list[Visitor]
    seen: list[set[str]] = field(default_factory=list)
    """Each set of blocks with a result on their pages, in order."""
    statuses: set[str] = field(default_factory=set)

    def open_all(self) -> set[str]:
        """Open each block's page and document; return the blocks that show a result, "" among them if they differ."""
        answers = [
            (block, visitor.get(path.format(block)))
            for visitor in self.visitors
            for block in "AB"
            for path in ("/c/embargo/blocks/{}/", "/api/v1/standings/?competition=embargo&block={}")
        ]
        self.statuses.update(answer.cache for _block, answer in answers)
        with_result = [block for block, answer in answers if re.search(r"51\.2|512", answer.text)]
        blocks = set(with_result)
        if blocks not in self.seen:
            self.seen.append(blocks)
        return blocks if len(with_result) == len(blocks) * len(answers) / 2 else {""}

    def version(self) -> str:
        """Return the published version."""
        return self.visitors[0].get("/c/embargo/version/").text


def test_a_page_is_served_stale_while_the_service_is_down_and_its_version_is_not(site: Site) -> None:
    factories.final_table("away")
    visitor = Visitor(site)
    page, version = visitor.get("/rules/"), visitor.get("/c/away/version/")
    assert [page.cache, version.cache] == ["MISS", "MISS"]
    with site.service.stopped():
        time.sleep(2.1)
        stale = visitor.get("/rules/")
        assert [stale.status, stale.cache, stale.text] == [200, "STALE", page.text]
        assert visitor.get("/c/away/version/").status == 502
        assert visitor.get("/login/").status == 502
    assert visitor.get("/rules/").cache == "EXPIRED"
