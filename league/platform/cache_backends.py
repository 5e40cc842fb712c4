"""Cache backends: Redis behind a circuit breaker in production, the process's own memory in embedded mode.

Everything in the cache can be computed again, so an operation that Redis does not answer returns the result of an
empty cache. After a failure the process does not contact Redis for a few seconds: with a frozen server every request
would otherwise wait for the timeout of each of its cache operations (12 to 14 s a page before there was a breaker).
Rate limits are not enforced while the breaker is open.

The operations are our own, because Django's backend makes a client of Redis for each: that takes 580 of the 720
function calls of reading a page, and 0.2 of 0.3 ms.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.redis import RedisSerializer
from redis import Redis
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


class ForgivingRedisCache(BaseCache):
    """A cache in Redis that behaves like an empty cache while Redis is unavailable."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Connect to the server at this URL when it is first used; `OPTIONS` are those of its connections."""
        super().__init__(params)
        self.client: Any = Redis.from_url(server, **params.get("OPTIONS", {}))  # untyped: it returns bytes, never text
        self.serializer = RedisSerializer()

    def add(self, key: str, value: object, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store a value under a key that does not exist, and return True; return False if it does."""
        stored, lifetime = self.stored_key(key, version), self.lifetime(timeout)
        written = self.serializer.dumps(value)
        return bool(run_or_default(None, lambda: self.client.set(stored, written, px=lifetime, nx=True)))

    def get(self, key: str, default: object = None, version: int | None = None) -> Any:
        """Return the value of a key, or the default on a miss or while Redis is unavailable."""
        stored = self.stored_key(key, version)
        found = run_or_default(None, lambda: self.client.get(stored))
        return default if found is None else self.serializer.loads(found)

    def set(self, key: str, value: object, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store a value."""
        stored, lifetime = self.stored_key(key, version), self.lifetime(timeout)
        written = self.serializer.dumps(value)
        run_or_default(None, lambda: self.client.set(stored, written, px=lifetime))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Delete a key; return False if it does not exist."""
        stored = self.stored_key(key, version)
        return bool(run_or_default(0, lambda: self.client.delete(stored)))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """Return the values of those keys that are stored; an empty dictionary while Redis is unavailable."""
        stored = {key: self.stored_key(key, version) for key in keys}
        found: list[bytes | None] = run_or_default([], lambda: self.client.mget(stored.values())) if stored else []
        return {key: self.serializer.loads(one) for key, one in zip(stored, found, strict=False) if one is not None}

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Return the increased counter. Raise ValueError if the key does not exist or Redis is unavailable."""
        stored = self.stored_key(key, version)
        # Redis makes a counter that does not exist, without an end.
        found: int | None = run_or_default(
            None, lambda: self.client.incr(stored, delta) if self.client.exists(stored) else None
        )
        if found is None:
            raise ValueError(key)
        return found

    def clear(self) -> None:
        """Delete everything in the database."""
        run_or_default(None, self.client.flushdb)

    def stored_key(self, key: str, version: int | None) -> str:
        """Return the key in Redis, with the prefix and the version."""
        return self.make_and_validate_key(key, version=version)

    def lifetime(self, timeout: float | None) -> int | None:
        """Return the milliseconds for which a value is kept, of a timeout of no seconds one; None for no end."""
        wanted = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if wanted is None else max(1, int(wanted * 1000))


def increment_counter(key: str, seconds: int, more: int = 1) -> int | None:
    """Increase a counter that expires after `seconds` and return it, or None while Redis is unavailable."""
    # `add` writes nothing where the key exists, so the expiry is set by the first request of the window only.
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key, more)
    except ValueError:
        return None
