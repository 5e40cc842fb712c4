"""What people and programs hand over is strict: nothing unknown, nothing converted."""

from __future__ import annotations

from typing import ClassVar

from pydantic import ConfigDict


class Entered:
    """A record that may come from outside; keys it does not know are refused when it is read."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(strict=True, extra="forbid")
