"""Cache backends: Redis behind a circuit breaker in production, the process's own memory in embedded mode.

Everything in the cache can be computed again, so an operation that Redis does not answer gives what an empty cache
would. After a failure the process leaves Redis alone for a few seconds: with a frozen server every request would
otherwise wait for the timeout of each of its cache operations (12 to 14 s a page before there was a breaker). Rate
limits pause for as long.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
T = TypeVar("T")
REST_SECONDS = 5.0
"""After a failure Redis is left alone for this time, then one thread tries again."""


class Breaker:
    """A circuit breaker: open for a while after a failure, then closed again by the first success."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_until = 0.0
        """A time on the monotonic clock; 0 while closed."""

    def lets_through(self) -> bool:
        """Return whether to try; of the threads that ask once the time is over, one tries and the others go on."""
        if not self._open_until:  # read without the lock: the usual case must cost nothing
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._open_until:
                return False
            self._open_until = now + REST_SECONDS
            return True

    def close(self) -> None:
        """Note a success."""
        self._open_until = 0.0

    def open(self) -> None:
        """Note a failure."""
        self._open_until = time.monotonic() + REST_SECONDS


BREAKER = Breaker()
"""One for the process: Django makes a cache object for each thread."""


def or_else(answer: T, operation: Callable[[], T]) -> T:
    """Return what a cache operation returns, or `answer` where Redis does not answer or is left alone."""
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


def forgiving(operation: Callable[..., T], answer: T) -> Callable[..., T]:
    """Wrap an operation of Django's cache so that it gives `answer` while Redis is away."""

    @wraps(operation)
    def attempt(self: RedisCache, *arguments: Any, **more: Any) -> T:
        return or_else(answer, lambda: operation(self, *arguments, **more))

    return attempt


class ForgivingRedisCache(RedisCache):
    """Redis as Django's cache, with the answers of an empty cache while it is away."""

    add = forgiving(RedisCache.add, answer=False)
    set = forgiving(RedisCache.set, answer=None)
    touch = forgiving(RedisCache.touch, answer=False)
    delete = forgiving(RedisCache.delete, answer=False)
    has_key = forgiving(RedisCache.has_key, answer=False)
    set_many = forgiving(RedisCache.set_many, answer=[])
    delete_many = forgiving(RedisCache.delete_many, answer=None)
    clear = forgiving(RedisCache.clear, answer=None)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return a value; the default on a miss, or while Redis is away."""
        return or_else(default, lambda: RedisCache.get(self, key, default, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        """Return the values of the keys that are stored; none while Redis is away."""
        return or_else({}, lambda: RedisCache.get_many(self, keys, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Return the new count. Raise ValueError where there is none to count on."""

        def counted() -> int | None:
            try:
                return RedisCache.incr(self, key, delta, version)
            except ValueError:  # Redis has answered: the key is not there
                return None

        found = or_else(None, counted)
        if found is None:
            raise ValueError(key)
        return found


def count(key: str, seconds: int, more: int = 1) -> int | None:
    """Increase a counter that expires after `seconds`; return it, or None while Redis is away."""
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key, more)
    except ValueError:
        return None
