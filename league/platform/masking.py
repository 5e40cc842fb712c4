"""Remove secrets (tokens and passwords in URLs and headers) from log lines and error reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping

HIDDEN = "[hidden]"
SECRET = re.compile(
    r"""
      (?P<path>(?:/|%2[Ff])(?:t|s|g|line-ups|invitation|invitations|reset)(?:/|%2[Ff]))[^/?%&\s"']{8,}  # secret links
    | (?P<parameter>[?&#](?:token|key|secret|password|code|signature)=)[^&#\s"']+
    | (?P<scheme>\b(?:Token|(?i:Bearer|Basic))\s+)[A-Za-z0-9._~+/=-]{8,}
    | (?P<link>\b(?i:Link)\s+)[A-Za-z0-9_-]{24,}                      # a table's link in the Authorization header
    | (?P<url>(?<=[a-z0-9+])://[^\s:/@]*:)[^\s@/]+(?=@)                # passwords of the database and the broker
    | (?P<own>\bjtk_)[A-Za-z0-9_-]+
    """,
    re.VERBOSE,
)


def mask_text(text: str) -> str:
    """Return a text in which everything that grants access is replaced by "[hidden]"."""
    return SECRET.sub(lambda found: next(part for part in found.groups() if part is not None) + HIDDEN, text)


def mask_value(value: object) -> object:
    """Mask every text inside a value of a log line, including nested mappings, lists and tuples."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return {key: mask_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(mask_value(inner) for inner in value)
    return value


def mask_secrets(_logger: object, _name: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Mask a log event. This structlog processor runs last, after message and traceback are text."""
    for key, value in event.items():
        event[key] = mask_value(value)
    return event


def mask_report(event: object, _hint: object) -> object:
    """Mask an event before it is sent to Sentry."""
    return mask_value(event)
