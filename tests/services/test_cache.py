"""Test the cache on a real Redis that is running or frozen."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from redis import Redis

from league.platform.cache_backends import BREAKER, REST_SECONDS, increment_counter
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
