"""One document from one published version, though standings may be published while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from league.models import Audience, Competition
from league.selectors.readers import Reader

Found = TypeVar("Found")
ATTEMPTS = 3


def read_steadily(reader: Reader, read: Callable[[Reader], Found]) -> Found:
    """What `read` finds; read anew if another version was published meanwhile.

    Versions are published seldom compared with reading; after a few attempts the newest one read is taken.
    """
    for _attempt in range(ATTEMPTS - 1):
        found = read(reader)
        version = published_version(reader)
        if version == reader.version:
            return found
        reader = replace(reader, version=version)
    return read(reader)


def published_version(reader: Reader) -> int:
    """The version now published for the reader's audience."""
    column = "computed_version" if reader.audience == Audience.STAFF else "public_version"
    version: int = Competition.objects.values_list(column, flat=True).get(pk=reader.competition.pk)
    return version
