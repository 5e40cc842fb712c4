"""Test the cache on a real Redis that is running or frozen."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from redis import Redis

from league.platform.cache_backends import BREAKER, REST_SECONDS, increment_counter
from league.platform.environment import ROOT
from scripts.servers import redis
from tests.factories import final_table
from tests.league.competitions.test_pages import text_of


@pytest.fixture
def own_redis(settings: LazySettings) -> Iterator[str]:
    """Run a Redis server for one test, which may freeze it, as the service's cache."""
    with redis() as address:
        settings.CACHES = {
            "default": {
                "BACKEND": "league.platform.cache_backends.ForgivingRedisCache",
                "LOCATION": address,
                "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
            }
        }
        BREAKER.close()
        yield address
        BREAKER.close()


@contextmanager
def frozen(address: str) -> Iterator[None]:
    """Suspend the server: connections stay open without any response."""
    with Redis.from_url(address) as client:
        process = client.info("server")["process_id"]
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@pytest.mark.services
def test_counters_start_at_one_increase_and_expire(own_redis: str) -> None:
    assert [increment_counter("tries", 60), increment_counter("tries", 60, 5)] == [1, 6]
    with Redis.from_url(own_redis) as client:
        assert 0 < client.ttl(cache.make_key("tries")) <= 60


@pytest.mark.services
def test_values_are_found_together_last_for_their_time_and_are_deleted(own_redis: str) -> None:
    cache.set("page", ("text/html", b"<p>"), 60)
    cache.set("kept", [1, 2], None)
    assert not cache.add("page", "another")
    assert cache.get_many(["page", "missing", "kept"]) == {"page": ("text/html", b"<p>"), "kept": [1, 2]}
    with Redis.from_url(own_redis) as client:
        assert [client.ttl(cache.make_key(key)) > 0 for key in ("page", "kept")] == [True, False]
        cache.set("brief", "x", 0)
        assert client.pttl(cache.make_key("brief")) <= 1
    assert [cache.delete("page"), cache.delete("page"), "page" in cache] == [True, False, False]
    with pytest.raises(ValueError, match="page"):
        cache.incr("page")
    cache.clear()
    assert cache.get("kept", "nothing") == "nothing"


@pytest.mark.services
def test_a_frozen_redis_costs_one_timeout_and_is_not_used_until_it_answers_again(own_redis: str) -> None:
    cache.set("key", "value")
    with frozen(own_redis):
        begun = time.monotonic()
        assert cache.get("key", "default") == "default"
        waited = time.monotonic() - begun
        for _operation in range(200):
            assert cache.get("key") is None
            assert cache.get_many(["key"]) == {}
            assert not cache.add("other", 1)
            assert increment_counter("tries", 60) is None
        assert time.monotonic() - begun < waited + REST_SECONDS / 2
        cache.set("key", "lost")
    assert cache.get("key") is None, "the circuit breaker is still open"
    end = time.monotonic() + 4 * REST_SECONDS
    while cache.get("key") is None:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert cache.get("key") == "value"


@pytest.mark.services
@pytest.mark.django_db
def test_pages_are_served_while_redis_is_frozen(own_redis: str) -> None:
    final_table()
    visitor = Client(headers={"accept-language": "en"})
    with frozen(own_redis):
        text_of(visitor, "/c/final/")
        begun = time.monotonic()
        for _visit in range(5):
            text_of(visitor, "/c/final/")
        assert time.monotonic() - begun < REST_SECONDS, "no operation waits for the timeout again"


@pytest.mark.services
def test_of_many_threads_one_at_a_time_waits_for_a_frozen_redis(
    own_redis: str, caplog: pytest.LogCaptureFixture
) -> None:
    ended = threading.Event()

    def read() -> None:
        while not ended.wait(0.02):
            cache.get("key")

    def waits() -> int:
        return sum("the cache does not answer" in line for line in caplog.messages)

    cache.set("key", "value")
    threads = [threading.Thread(target=read) for _ in range(8)]
    with caplog.at_level(logging.WARNING), frozen(own_redis):
        for thread in threads:
            thread.start()
        end = time.monotonic() + 4 * REST_SECONDS
        while not waits() and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(1)  # the others that had begun before the first one failed
        first, begun = waits(), time.monotonic()
        time.sleep(1.2 * REST_SECONDS)
        ended.set()
        for thread in threads:
            thread.join()
        probes, passed = waits() - first, time.monotonic() - begun
    assert 1 <= first <= len(threads)
    assert 1 <= probes <= passed / REST_SECONDS + 1


SEND = """
import os, signal, sys, time
import django; django.setup()
from celery import current_app
from kombu.exceptions import OperationalError
from league.platform.broker import send_task
from league.web.operations import processes
processes.settle()
task = current_app.tasks["league.tasks.sweep"]
send_task(task)
os.kill(int(sys.argv[1]), signal.SIGSTOP)
for _message in range(3):
    begun = time.monotonic()
    try:
        send_task(task)
        said = "not sent"
    except OperationalError:
        said = "timeout"
    print(said, time.monotonic() - begun)
os.kill(int(sys.argv[1]), signal.SIGCONT)
"""


@pytest.mark.services
def test_a_task_for_a_frozen_redis_costs_one_timeout_and_the_next_are_left_to_the_sweep(
    own_redis: str, tmp_path: Path
) -> None:
    with Redis.from_url(own_redis) as client:
        process = client.info("server")["process_id"]
    variables = os.environ | {"REDIS_URL": own_redis, "DATA_DIR": str(tmp_path)}
    variables |= {"DJANGO_SETTINGS_MODULE": "league.settings"}
    command = [sys.executable, "-c", SEND, str(process)]
    sent = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    (first, seconds), *others = (line.rsplit(" ", 1) for line in sent.stdout.splitlines())
    assert first == "timeout", sent.stderr
    assert float(seconds) < 10, "with retries of 5 seconds each it was 15"
    assert [said for said, _seconds in others] == ["not sent"] * 2
