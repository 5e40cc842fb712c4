"""Provide fixtures and hooks for every test: real servers, a real worker, and no skipped tests in CI.

Databases: every test runs on SQLite; those marked `both_databases` run on PostgreSQL as well (`python -m
scripts.with_postgres pytest -m both_databases`). Mark a test for one of two reasons:

1. It sends a statement that no marked test sends. A new query needs one mark, at the cheapest test that runs it; tests
   of the same statements with other rules, roles or pages need none.
2. Its result depends on the database: locks, constraints, text search and the order of texts, JSON paths, values that
   no column holds, migrations, backups and archives. Tests with real transactions are marked automatically, but not
   those of a live server or of nginx: browsers, generated clients and a proxy cannot tell the databases apart.

The fixture `postgres_server` is for tests that need a server beside their database. A test that uses one of the server
fixtures gets its marker automatically.

A browser test that fails is run once more, since a starved machine can make a browser miss a key or a frame; the
summary counts such reruns. Where CI is set, a skipped test counts as a failure; only tests of published results may
lack their folder.
"""

import functools
import gc
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection, connections, transaction
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from kombu import pools
from redis import Redis
from xdist.remote import Producer

from league.celery import app
from league.platform import throttling
from league.platform.cache_backends import BREAKER
from league.selectors.access.etags import database_life
from scripts.servers import UnavailableError, postgresql, redis, started
from tests.fuzz.examples import times
from tests.migrated import MigratedDatabase
from tests.replayed import CONSTANT
from tests.scheduling import ModuleScheduling

hypothesis_settings.register_profile("default", deadline=None, max_examples=times(20))
hypothesis_settings.register_profile(
    "ci",
    hypothesis_settings.get_profile("default"),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("ci" if os.environ.get("CI") else "default")

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "admin_user", "admin_client", "django_user_model"}
MARKED_BY_FIXTURE = {
    "services": {"redis_server", "celery_worker"},
    "postgres": {"postgres_server"},
    "browser": {"chromium", "page"},
}
SERVED = {"live_server", "site"}
"""Fixtures of services that clients reach by HTTP alone."""
WORKER_SECONDS = 60
STACK_SLOTS = 2**17
gc.disable()  # until all tests are collected: loaded objects stay, and scanning them again takes 2 s


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Collect garbage among new objects only, also in the process that starts the workers."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Give each test one large chunk of Python's stack to call from.

    CPython 3.11 maps its stack in chunks of 16 KB and unmaps a chunk as soon as it is empty, so a loop whose calls
    cross the end of a chunk maps memory at each call. In tests/permissions the kernel spent 25 s of 110 s on that. The
    frame of `call` asks for 1 MB, which makes a chunk with room for every call below it; unused pages cost nothing.
    """
    test = pyfuncitem.obj

    def call(**arguments: Any) -> Any:
        return test(**arguments)

    call.__code__ = call.__code__.replace(co_stacksize=STACK_SLOTS)
    pyfuncitem.obj = functools.update_wrapper(call, test)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ModuleScheduling:
    """Run tests that share fixtures in one worker process, whatever `--dist` says."""
    return ModuleScheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their fixtures before `-m` selects."""
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if "shared_rows" in used:
            item.add_marker("django_db")
        django_db = item.get_closest_marker("django_db")
        if used & DATABASE_FIXTURES or django_db:
            item.add_marker("database")
        is_committed = "transactional_db" in used or (django_db and django_db.kwargs.get("transaction"))
        if is_committed and not used & SERVED:
            item.add_marker("both_databases")
        for marker, fixtures in MARKED_BY_FIXTURE.items():
            if used & fixtures:
                item.add_marker(marker)
                if marker == "browser":
                    item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test into a failure in CI, where everything must be installed."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and must_run(item):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"skipped where it must run: {reason}"
    return report


def must_run(item: pytest.Item) -> bool:
    """Return whether CI must run this test; published results lie in a folder outside the project."""
    if not os.environ.get("CI"):
        return False
    if item.get_closest_marker("real"):
        return bool(os.environ.get("REAL_DATA"))
    return True


@pytest.fixture(autouse=True)
def _english_and_uncounted() -> Iterator[None]:
    """Activate English for tests that name no language, and clear the rate-limit counters and the cache.

    A request's own language takes precedence.
    """
    throttling._counts.clear()
    cache.clear()
    with translation.override("en"):
        yield


def _delete_rows(case: TransactionTestCase) -> None:
    """Delete the rows of a transactional test, but no content types and permissions: their creation takes 50 ms."""
    for each in map(connections.__getitem__, case._databases_names(include_mirrors=False)):  # type: ignore[attr-defined]
        tables = set(each.introspection.django_table_names(only_existing=True, include_views=False)) - CONSTANT
        each.ops.execute_sql_flush(each.ops.sql_flush(no_style(), sorted(tables)))


TransactionTestCase._fixture_teardown = _delete_rows  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Keep the rows that fixtures of the module store with this one for all its tests, and delete them after the last.

    Each test's transaction nests in the one opened here, so its own writes are undone as always. Load a shared instance
    again where another test may have changed its attributes. Modules with transactional tests cannot use this.
    """
    with django_db_blocker.unblock(), translation.override("en"), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def mail_server(settings: LazySettings) -> None:
    """Let the service send mail; messages go to Django's outbox."""
    settings.SENDS_LETTERS = True


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of published results; skip the test without one."""
    folder = os.environ.get("REAL_DATA", "")
    if not folder:
        pytest.skip("REAL_DATA names no folder of published results")
    return Path(folder)


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a temporary folder that the worker processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Return the DATABASE_URL of a real PostgreSQL server; skip the test without one."""
    try:
        with postgresql() as address:
            yield address
    except UnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """Return the REDIS_URL of a real Redis server; skip the test without one."""
    try:
        with redis() as address:
            yield address
    except UnavailableError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def migrated_database(run_folder: Path) -> MigratedDatabase:
    """Return the test database after the migrations, which only one worker process runs."""
    return MigratedDatabase(run_folder)


@pytest.fixture(scope="session")
def django_db_keepdb(
    django_db_keepdb: bool, migrated_database: MigratedDatabase, django_db_modify_db_settings: None
) -> bool:
    """Return whether to use an existing test database: a copy of another worker's, or the one of `--reuse-db`."""
    return migrated_database.copy() or django_db_keepdb


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any, migrated_database: MigratedDatabase) -> None:
    """Read the creation time of the test database, which ETags contain, before any test counts queries."""
    with django_db_blocker.unblock():
        migrated_database.keep()
        database_life()


@pytest.fixture(scope="session")
def migrated_file(django_db_setup: None, migrated_database: MigratedDatabase) -> Path:
    """Return an SQLite file with all tables, as a start for a test's own service."""
    return migrated_database.file


@pytest.fixture(scope="session")
def worker_environment(redis_server: str, django_db_setup: None) -> dict[str, str]:
    """Return the environment for another process that shares the test's database and broker."""
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis_server,
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "INFO",
        "WEBHOOK_ALLOW_PRIVATE": "1",
    }


def database_url() -> str:
    """Return the URL of the test's own database."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    who = found["USER"] + (f":{found['PASSWORD']}" if found["PASSWORD"] else "")
    return f"postgres://{who}@{found['HOST']}:{found['PORT']}/{found['NAME']}"


@pytest.fixture(scope="session")
def _worker_process(worker_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Run one real worker process for all tests that need one, and return its log file."""
    log = tmp_path_factory.mktemp("worker") / "log"
    command = [sys.executable, "-m", "celery", "--app", "league", "--skip-checks", "worker", "--concurrency", "1"]
    with started(command, log, env=worker_environment) as process:
        with _broker(worker_environment["REDIS_URL"]):
            _wait_for_worker(process, log)
        yield log


@pytest.fixture
def worker_log(celery_worker: None, _worker_process: Path) -> Path:
    """Return the worker's log file."""
    return _worker_process


@pytest.fixture
def celery_worker(
    _worker_process: Path, redis_server: str, transactional_db: None, settings: LazySettings
) -> Iterator[None]:
    """Send this test's tasks through a real Redis to a real worker on the test's database."""
    settings.CACHES = {
        "default": {
            "BACKEND": "league.platform.cache_backends.ForgivingRedisCache",
            "LOCATION": redis_server,
            "KEY_PREFIX": "jantaku",
        },
    }
    with _broker(redis_server):
        yield
        _drain(redis_server)


@pytest.fixture
def unreachable_broker() -> Iterator[None]:
    """Use a broker that refuses every connection."""
    with _broker("redis://127.0.0.1:1/0"):
        yield


@contextmanager
def _broker(address: str) -> Iterator[None]:
    """Let the Celery app of this process send its tasks to a broker instead of running them eagerly."""
    before = {name: app.conf[name] for name in ("broker_url", "task_always_eager")}
    app.conf.update(broker_url=address, task_always_eager=False)
    _forget_connections()
    try:
        yield
    finally:
        app.conf.update(before)
        _forget_connections()
        BREAKER.close()


def _forget_connections() -> None:
    """Close the app's connections to its previous broker, so that it connects again."""
    pools.reset()
    app._pool = None  # type: ignore[attr-defined]
    app.amqp._producer_pool = None  # type: ignore[attr-defined]


def _wait_for_worker(process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a worker answers a ping."""
    end = time.monotonic() + WORKER_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if app.control.ping(timeout=1, limit=1):
            return
    pytest.fail(f"the worker does not answer:\n{log.read_text(errors='replace')[-3000:]}")


def _drain(address: str) -> None:
    """Wait until all sent tasks are done, so that the next test starts with empty queues."""
    with Redis.from_url(address) as client:
        end = time.monotonic() + WORKER_SECONDS
        while any(client.llen(name) for name in ("celery", "odds", "webhooks")) or client.hlen("unacked"):
            if time.monotonic() > end:
                pytest.fail("the worker still has tasks after a minute")
            time.sleep(0.05)
