"""The shared cache, which nobody has to wait for: while Redis is away everything is a miss.

What stands in the cache can always be made again, so losing it costs time and nothing else. Counts of requests
(`api.throttles`) pause for as long.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
Operation = Callable[..., Any]


def or_else(*, answer: object) -> Callable[[Operation], Operation]:
    """Let a cache operation answer what an empty cache would, where Redis does not answer."""

    def forgiving(operation: Operation) -> Operation:
        @wraps(operation)
        def attempt(self: Any, *arguments: Any) -> Any:
            try:
                return operation(self, *arguments)
            except RedisError as fault:
                logger.warning("the cache does not answer (%s)", type(fault).__name__)
                return answer

        return attempt

    return forgiving


NOTHING = object()


class ForgivingClient(RedisCacheClient):
    """Django's client, with the answers of an empty cache for each operation."""

    add = or_else(answer=False)(RedisCacheClient.add)
    set = or_else(answer=None)(RedisCacheClient.set)
    touch = or_else(answer=False)(RedisCacheClient.touch)
    delete = or_else(answer=False)(RedisCacheClient.delete)
    get_many = or_else(answer={})(RedisCacheClient.get_many)
    has_key = or_else(answer=False)(RedisCacheClient.has_key)
    set_many = or_else(answer=None)(RedisCacheClient.set_many)
    delete_many = or_else(answer=None)(RedisCacheClient.delete_many)
    clear = or_else(answer=False)(RedisCacheClient.clear)
    _get = or_else(answer=NOTHING)(RedisCacheClient.get)
    _incr = or_else(answer=None)(RedisCacheClient.incr)

    @or_else(answer=None)
    def count(self, key: Any, seconds: int, more: int) -> int | None:
        """So many more, in one step; what is counted for the first time is forgotten after so long. None while away."""
        client = self.get_client(key, write=True)
        found = int(client.incr(key, more))
        if found == more:
            client.expire(key, seconds)
        return found

    def get(self, key: Any, default: Any) -> Any:
        """What is kept; the default where nothing is, or Redis is away."""
        found = self._get(key, default)
        return default if found is NOTHING else found

    def incr(self, key: Any, delta: int) -> int:
        """The new count. ValueError where there is none to count on."""
        found: int | None = self._incr(key, delta)
        if found is None:
            raise ValueError(key)
        return found


class ForgivingRedisCache(RedisCache):
    """Redis as Django's cache."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = ForgivingClient

    def count(self, key: str, seconds: int, more: int) -> int | None:
        """How often the key was counted by now, these times included; None while nothing can be counted."""
        found: int | None = cast("Any", self._cache).count(self.make_and_validate_key(key), seconds, more)
        return found


class CountingMemoryCache(LocMemCache):
    """Django's cache within the process, which counts in one step as well."""

    def count(self, key: str, seconds: int, more: int) -> int:
        """How often the key was counted by now, these times included."""
        self.add(key, 0, seconds)
        return int(self.incr(key, more))
