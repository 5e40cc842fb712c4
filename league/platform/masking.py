"""What is secret does not get into a log, however it came into a message: tokens in addresses and in headers."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from typing import Any

HIDDEN = "[hidden]"
SECRET = re.compile(
    r"""
      (?P<path>(?:/|%2[Ff])(?:t|invitation|invitations|reset)(?:/|%2[Ff]))[^/?%&\s"']{8,}  # links that are keys
    | (?P<parameter>[?&#](?:token|key|secret|password|code|signature)=)[^&#\s"']+
    | (?P<scheme>\b(?:Token|(?i:Bearer|Basic))\s+)[A-Za-z0-9._~+/=-]{8,}
    | (?P<url>(?<=[a-z0-9+])://[^\s:/@]*:)[^\s@/]+(?=@)                # passwords of the database and the broker
    | (?P<own>\bjtk_)[A-Za-z0-9_-]+
    """,
    re.VERBOSE,
)


def masked(text: str) -> str:
    """The text without what gives access."""
    return SECRET.sub(lambda found: next(part for part in found.groups() if part is not None) + HIDDEN, text)


def masked_value(value: Any) -> Any:
    """The same for everything a log line may hold."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {key: masked_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(masked_value(inner) for inner in value)
    return value


def mask_secrets(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A step of every log line's way, after its message and its traceback have been written out."""
    for key, value in event.items():
        event[key] = masked_value(value)
    return event


def mask_report(event: Any, _hint: Any) -> Any:
    """The same for what is reported to Sentry."""
    return masked_value(event)
