"""Cache backends: Redis behind a circuit breaker in production, the process's own memory in embedded mode.

Everything in the cache can be computed again, so an operation that Redis does not answer returns the result of an
empty cache. After a failure the process does not contact Redis for a few seconds: with a frozen server every request
would otherwise wait for the timeout of each of its cache operations (12 to 14 s a page before there was a breaker).
Rate limits are not enforced while the breaker is open.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TypeVar

from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
T = TypeVar("T")
REST_SECONDS = 5.0
"""Seconds for which Redis is not contacted after a failure; then one thread tries again."""


class Breaker:
    """A circuit breaker that opens for `REST_SECONDS` after a failure and is closed by the next success."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_until = 0.0
        """A time on the monotonic clock; 0 while closed."""

    def lets_through(self) -> bool:
        """Return whether to try the operation.

        Once the time is over, one thread tries and the others go on without.
        """
        if not self._open_until:  # read without the lock: the usual case must cost nothing
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._open_until:
                return False
            # Stay open for the other threads while this one tries: with a frozen server only one of them waits for the
            # timeout.
            self._open_until = now + REST_SECONDS
            return True

    def close(self) -> None:
        """Close the circuit after a success."""
        self._open_until = 0.0

    def open(self) -> None:
        """Open the circuit after a failure."""
        self._open_until = time.monotonic() + REST_SECONDS


BREAKER = Breaker()
"""The breaker of this process, shared by the cache objects that Django makes for each thread."""


def run_or_default(answer: T, operation: Callable[[], T]) -> T:
    """Run a cache operation and return its result, or `answer` if Redis fails or the circuit is open."""
    if not BREAKER.lets_through():
        return answer
    try:
        found = operation()
    except RedisError as fault:
        BREAKER.open()
        logger.warning("the cache does not answer (%s); left alone for %s seconds", type(fault).__name__, REST_SECONDS)
        return answer
    BREAKER.close()
    return found


def with_default(operation: Callable[..., T], answer: T) -> Callable[..., T]:
    """Wrap an operation of Django's Redis cache so that it returns `answer` while Redis is unavailable."""

    @wraps(operation)
    def attempt(self: RedisCache, *arguments: object, **more: object) -> T:
        return run_or_default(answer, lambda: operation(self, *arguments, **more))

    return attempt


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache that behaves like an empty cache while Redis is unavailable."""

    add = with_default(RedisCache.add, answer=False)
    set = with_default(RedisCache.set, answer=None)
    touch = with_default(RedisCache.touch, answer=False)
    delete = with_default(RedisCache.delete, answer=False)
    has_key = with_default(RedisCache.has_key, answer=False)
    set_many = with_default(RedisCache.set_many, answer=[])
    delete_many = with_default(RedisCache.delete_many, answer=None)
    clear = with_default(RedisCache.clear, answer=None)

    def get(self, key: object, default: object = None, version: int | None = None) -> object:
        """Return the value of a key, or the default on a miss or while Redis is unavailable."""
        return run_or_default(default, lambda: RedisCache.get(self, key, default, version))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, object]:
        """Return the values of those keys that are stored; an empty dictionary while Redis is unavailable."""
        return run_or_default({}, lambda: RedisCache.get_many(self, keys, version))

    def incr(self, key: object, delta: int = 1, version: int | None = None) -> int:
        """Return the increased counter. Raise ValueError if the key does not exist or Redis is unavailable."""

        def counted() -> int | None:
            try:
                return RedisCache.incr(self, key, delta, version)
            except ValueError:  # Redis has answered: the key is not there
                return None

        # The ValueError of a missing key must not open the circuit, hence None inside the breaker.
        found = run_or_default(None, counted)
        if found is None:
            raise ValueError(key)
        return found


def increment_counter(key: str, seconds: int, more: int = 1) -> int | None:
    """Increase a counter that expires after `seconds` and return it, or None while Redis is unavailable."""
    # `add` writes nothing where the key exists, so the expiry is set by the first request of the window only.
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key, more)
    except ValueError:
        return None
