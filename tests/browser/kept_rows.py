"""Rows from which several browser tests start: stored once per process, then copied back in milliseconds.

The tests commit, so that the live server sees their rows, and the database is emptied after each.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from league.models import Competition

T = TypeVar("T")
_kept: dict[str, tuple[sqlite3.Connection, Any]] = {}


def kept(name: str, build: Callable[[], T]) -> T:
    """Store rows in an empty database by `build` once; later calls copy them back and return the same value."""
    assert not Competition.objects.exists()
    assert not get_user_model().objects.exists()
    if connection.vendor != "sqlite":
        return build()
    connection.ensure_connection()
    if name not in _kept:
        made, copy = build(), sqlite3.connect(":memory:")
        connection.connection.backup(copy)
        _kept[name] = copy, made
    else:
        _kept[name][0].backup(connection.connection)
        ContentType.objects.clear_cache()
    value: T = deepcopy(_kept[name][1])
    return value
