"""Tests of `manage.py serve`: first start, kept data, shutdown, and clear startup errors."""

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from league.management import embedded
from league.management.commands.serve import announcement
from league.platform.environment import ROOT
from league.services.competitions.first_page import set_first_page
from league.settings import PUBLISHED_APART_SECONDS
from league.web.access.shared_links import qr_code
from scripts.fault_clients import UNUSUAL
from scripts.servers import LOCALHOST, START_SECONDS, free_port, started, wait_for_port
from scripts.slow_clients import HALF_A_HEAD, KINDS, number_open, received_until_closed, slow_clients
from tests import factories

SERVE = (str(ROOT / "manage.py"), "serve")
SCORES = (41_200, 30_100, 18_700, 10_000)
SLOW = 300
LAST_DEADLINE = 60
"""Seconds within which even a busy machine has closed a connection whose deadline is 10 seconds."""


def variables_of(folder: Path, port: int) -> dict[str, str]:
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return base | {"DATA_DIR": str(folder), "PORT": str(port), "DEMO": "0", "PYTHONWARNINGS": "ignore"}


@dataclass(frozen=True, slots=True)
class Service:
    """A running service: its first process, its port, and its log file."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path


@contextmanager
def service(folder: Path, *arguments: str, **more: str) -> Iterator[Service]:
    """Run a service with additional environment variables."""
    port = free_port()
    log = folder.with_name(f"{folder.name}.{port}.log")
    command = [sys.executable, *(arguments or SERVE)]
    with started(command, log, env=variables_of(folder, port) | more, how=signal.SIGINT) as process:
        wait_for_port(port, process, log)
        yield Service(process, port, log)


def get(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection(LOCALHOST, port, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def stop_under_load(running: Service) -> None:
    """Assert that Ctrl-C under load ends the service at once and leaves no process behind."""
    stopped, served = threading.Event(), threading.Semaphore(0)

    def visit() -> None:
        while not stopped.wait(0.01):  # without a pause, retries after the shutdown would only load the machine
            with suppress(OSError, HTTPException):
                assert get(running.port, "/static/admin/css/base.css")[0] == 200
                served.release()

    visitors = [threading.Thread(target=visit) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    for _answer in range(20):
        served.acquire()
    os.killpg(running.process.pid, signal.SIGINT)
    assert running.process.wait(timeout=20) == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(running.process.pid, 0)
    stopped.set()
    for visitor in visitors:
        visitor.join(timeout=20)


def stop_during_a_request(running: Service) -> None:
    """Assert that a request in progress gets its response when the service is terminated."""
    wrong = base64.b64encode(b"admin:not the password").decode()
    with closing(HTTPConnection(LOCALHOST, running.port, timeout=20)) as connection:
        logged = running.log.stat().st_size
        connection.request("POST", "/api/v1/auth/login/", headers={"Authorization": f"Basic {wrong}"})
        end = time.monotonic() + 20
        while b"request_started" not in running.log.read_bytes()[logged:]:
            assert time.monotonic() < end
            time.sleep(0.01)
        running.process.terminate()  # while the password is being hashed
        assert connection.getresponse().status == 401
        assert running.process.wait(timeout=20) == 0


PREPARE = """
import json, os, sys
from types import SimpleNamespace
from scripts.faults import prepare
work, tokens = prepare(SimpleNamespace(env=dict(os.environ), database="sqlite"), 8, competitions=1)
print(json.dumps({"jobs": list(work.queue)[:8], "token": tokens[0]}))
from django.core.management import execute_from_command_line
execute_from_command_line([*sys.argv, "serve"])
"""
"""Code that creates a competition, prints the hanchan to play and a token, and then serves."""


@dataclass(frozen=True, slots=True)
class First:
    """A data folder after the first start, and what that start printed."""

    folder: Path
    port: int
    said: str


@dataclass(frozen=True, slots=True)
class Prepared(Service):
    """A service with a competition, its data folder, the results to submit, and a token."""

    folder: Path
    jobs: list[dict[str, Any]]
    token: str


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> First:
    """Start a service without data and stop it under load; return what it left."""
    folder = tmp_path_factory.mktemp("served") / "var"
    with service(folder) as running:
        assert get(running.port, "/admin/login/")[0] == 200
        said = running.log.read_text()
        stop_under_load(running)
    return First(folder, running.port, said)


@pytest.fixture(scope="module")
def running(first: First) -> Iterator[Prepared]:
    """Start once more with these data, reachable on all interfaces, for the tests that start none; the folder was open.

    In the end it is terminated during a request, which must get its response.
    """
    first.folder.chmod(0o755)
    (first.folder / "jantaku.sqlite3").chmod(0o644)
    own = {"DJANGO_SETTINGS_MODULE": "league.settings", "HOST": "0.0.0.0", "LOG_LEVEL": "DEBUG"}
    with service(first.folder, "-c", PREPARE, PYTHONPATH=str(ROOT), **own) as second:
        found = json.loads(next(line for line in second.log.read_text().splitlines() if line.startswith('{"jobs"')))
        yield Prepared(second.process, second.port, second.log, first.folder, **found)
        stop_during_a_request(second)


def test_a_first_start_serves_pages_until_ctrl_c_and_a_second_start_keeps_the_login(
    first: First, running: Prepared
) -> None:
    assert f"http://127.0.0.1:{first.port}/" in first.said
    password = re.search(r"password +(\S+)", first.said)
    assert password
    assert password[1] in running.log.read_text()


def submit_result(port: int, token: str, job: dict[str, Any]) -> dict[str, Any]:
    """Submit a result by REST and return its effects."""
    seats = [{"entrant": entrant, "score": score} for entrant, score in zip(job["entrants"], SCORES, strict=True)]
    headers = {"Authorization": f"Token {token}", "Idempotency-Key": f"hanchan-{job['hanchan']}"}
    connection = HTTPConnection(LOCALHOST, port, timeout=60)
    try:
        body = json.dumps({"seats": seats, "accept": [*UNUSUAL, "same_result_twice"]})
        connection.request(
            "POST", f"/api/v1/hanchan/{job['hanchan']}/results/", body, headers | {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        said = answer.read().decode()
        assert answer.status == 201, said
        effects: dict[str, Any] = json.loads(said)["effects"]
        return effects
    finally:
        connection.close()


def test_results_submitted_together_are_published_together_after_their_responses(running: Prepared) -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        effects = list(pool.map(lambda job: submit_result(running.port, running.token, job), running.jobs))
    # On a slow machine the interval passes between any two results, so that each is published at once.
    is_burst = time.monotonic() - began < len(effects) * PUBLISHED_APART_SECONDS / 2
    assert not is_burst or [effect for effect in effects if not effect["is_published"]]
    newest = max(effect["version"] for effect in effects)
    end = time.monotonic() + 60
    while version_for_staff(running) < newest:
        assert time.monotonic() < end
        time.sleep(0.1)


def version_for_staff(running: Prepared) -> int:
    """Return the published version as staff counts it; the public's leaves out changes that the public may not know."""
    url = f"http://{LOCALHOST}:{running.port}/api/v1/standings/?competition=cup0"
    request = Request(url, headers={"Authorization": f"Token {running.token}"})
    with build_opener().open(request, timeout=30) as answer:
        return int(json.load(answer)["as_of"])


def signed_in(site: str, folder: Path) -> OpenerDirector:
    """Return a browser that is logged in with the first account."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    post_form(browser, f"{site}/login/", username="admin", password=(folder / "admin_password").read_text().strip())
    return browser


def post_form(browser: OpenerDirector, url: str, **fields: str) -> str:
    """Post a page's form with these fields and return the response."""
    page = browser.open(url, timeout=30).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token, page
    data = urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
    answer: str = browser.open(Request(url, data), timeout=30).read().decode()  # noqa: S310 - http, to the service
    return answer


def test_the_qr_code_of_a_table_uses_the_host_of_the_organizers_request(running: Prepared) -> None:
    site = f"http://127.0.0.2:{running.port}"
    browser = signed_in(site, running.folder)
    tables = browser.open(f"{site}/admin/league/tablesession/", timeout=30).read().decode()
    table = re.search(r"/admin/league/tablesession/\d+/", tables)
    assert table
    page = post_form(browser, f"{site}{table[0]}links/", action="scorer")
    link = re.search(r'class="address"><a href="([^"]+)"', page)
    assert link
    assert link[1].startswith(f"{site}/t/")
    assert qr_code(link[1]) in page
    assert "/sheet/" in build_opener(HTTPCookieProcessor(CookieJar())).open(link[1], timeout=30).geturl()
    assert f":{running.port}/\n               or   http://127.0.0.1:{running.port}/" in running.log.read_text()


def test_a_head_request_gets_no_body_so_that_its_connection_serves_the_next_request(running: Prepared) -> None:
    with closing(HTTPConnection(LOCALHOST, running.port, timeout=60)) as connection:
        for method in ("HEAD", "GET", "HEAD", "GET"):
            connection.request(method, "/api/v1/")
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200
            assert (int(answer.headers["Content-Length"]) > 0, bool(body)) == (True, method == "GET")


def test_requests_are_answered_while_300_slow_clients_are_connected_and_the_service_ends_those(
    running: Prepared,
) -> None:
    get(running.port, "/admin/login/")
    with slow_clients(SLOW, running.port) as slow:
        for _visit in range(4):
            assert get(running.port, "/admin/login/")[0] == 200
        assert number_open(slow) == SLOW
        end, trickling = time.monotonic() + LAST_DEADLINE, slow[KINDS.index(HALF_A_HEAD)]
        with suppress(ConnectionError):
            while number_open([trickling]):
                assert time.monotonic() < end, "a byte now and then keeps the connection"
                trickling.sendall(b"e")
                time.sleep(0.5)
        received_until_closed(slow, LAST_DEADLINE)


def test_a_taken_port_is_reported_with_an_alternative(settings: LazySettings) -> None:
    with socket.socket() as holder:
        holder.bind((LOCALHOST, 0))
        holder.listen()
        port: int = holder.getsockname()[1]
        settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"host": LOCALHOST, "port": port})
        with pytest.raises(CommandError, match=rf"Port {port} is taken\. .* make run PORT={port + 1}$"):
            call_command("serve")


def test_a_second_service_on_the_same_data_is_refused(running: Prepared) -> None:
    answer = refused_start(running.folder)
    assert "Another service uses the data in " in answer
    assert "set DATA_DIR to another folder" in answer


def refused_start(folder: Path) -> str:
    """Assert that a service cannot start with these data, and return its only message."""
    variables = variables_of(folder, free_port())
    answer = subprocess.run(
        [sys.executable, *SERVE], env=variables, capture_output=True, text=True, check=False, timeout=START_SECONDS
    )
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr
    return answer.stderr


def test_a_damaged_database_is_refused_with_the_way_to_a_restore(tmp_path: Path) -> None:
    (tmp_path / "jantaku.sqlite3").write_bytes(b"SQLite format 3\0" + b"damaged " * 2000)
    answer = refused_start(tmp_path)
    assert "jantaku.sqlite3 is damaged" in answer
    assert "manage.py restore FILE" in answer


def test_the_database_in_a_folder_made_beforehand_is_readable_by_its_owner_alone(running: Prepared) -> None:
    modes = {file.name: file.stat().st_mode & 0o077 for file in running.folder.iterdir()}
    assert modes["jantaku.sqlite3"] == 0
    assert set(modes.values()) == {0}


def test_a_data_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be used" in refused_start(tmp_path / "file" / "var")


@pytest.fixture
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Return a separate data folder for the test."""
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.mark.django_db
def test_a_changed_password_is_no_longer_printed(folder: Path, settings: LazySettings) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"demo": False})
    first = embedded.prepare()
    assert first.password
    admin = get_user_model().objects.get(username=first.name)
    admin.set_password("chosen by the organizer")
    admin.save()
    assert embedded.prepare() == embedded.Login("admin", None)


@pytest.mark.django_db
def test_no_account_is_created_if_a_superuser_exists(folder: Path) -> None:
    get_user_model().objects.create_superuser(username="director", password="right-and-long-enough")
    assert embedded.prepare().password is None
    assert get_user_model().objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.django_db
def test_the_demo_is_loaded_at_the_first_start_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    monkeypatch.setattr(embedded, "call_command", lambda name, **options: called.append(name))
    monkeypatch.setattr(embedded, "get_commands", lambda: {embedded.DEMO_COMMAND: "league"})
    embedded.prepare()
    embedded.prepare()
    assert called == ["migrate", embedded.DEMO_COMMAND, "migrate"]


def test_the_ticker_continues_after_a_failed_sweep(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SWEEP_SECONDS = 0.01
    stopped = threading.Event()
    sweeps: list[int] = []

    def sweep() -> None:
        sweeps.append(len(sweeps))
        if len(sweeps) == 1:
            msg = "the first one fails"
            raise OSError(msg)
        stopped.set()

    monkeypatch.setattr("league.services.operations.sweep.sweep", sweep)
    embedded.start_ticker(stopped).join(timeout=20)
    assert sweeps == [0, 1]


@pytest.mark.django_db
def test_the_list_of_all_competitions_is_named_once_another_page_is_the_first() -> None:
    login = embedded.Login("director", "")
    assert "/competitions/" not in announcement(login)
    set_first_page(competition=factories.league(), is_first=True, by=factories.SYSTEM)
    assert announcement(login).strip().splitlines()[1].endswith("/competitions/")
