"""Base class for records parsed from outside input: strict types, unknown keys refused."""

from __future__ import annotations

from typing import ClassVar

from pydantic import ConfigDict


class Entered:
    """A record that may come from a client or a file; pydantic refuses unknown keys and converts no types."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(strict=True, extra="forbid")
