"""Reports of faults to Sentry, where an operator has set SENTRY_DSN. No personal data, no secrets.

What is sent: where in the code it failed, the address asked for without its parameters, the id under which the logs
tell the rest, and which code and which kind of installation it was.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import ignore_logger
from structlog.contextvars import get_contextvars

from league.platform.masking import mask_report

PACKAGES = ("scoring", "rulesets", "league", "templates")
KEPT_OF_REQUEST = ("method", "url")
TOLD_ELSEWHERE = ("django_structlog.middlewares.request", "django_structlog.celery.receivers", "celery.app.trace",
                  "django.security.DisallowedHost")  # fmt: skip
"""Loggers whose lines repeat a fault that is reported by itself, or tell of a visitor's mistake."""
QUOTED = re.compile(r"""(["'])(?P<value>.*?)\1""")
A_NAME_IN_CODE = re.compile(r"[a-z0-9]+(?:[_.][a-z0-9]+)+")
CONTEXT = ("request_id", "task", "task_id")


def start_reporting(dsn: str, root: Path, environment: str) -> None:
    """Report what fails. Without bodies of requests, cookies, addresses of visitors, or the values of variables."""
    if not dsn:
        return
    sentry_sdk.init(
        dsn=dsn,
        release=release_of(root),
        environment=environment,
        integrations=[DjangoIntegration(), CeleryIntegration()],
        default_integrations=True,
        auto_enabling_integrations=False,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        traces_sample_rate=0.0,
        before_send=without_people,
        max_breadcrumbs=0,
    )
    for name in TOLD_ELSEWHERE:
        ignore_logger(name)


def release_of(root: Path) -> str:
    """A name for exactly this code, the same on every machine that runs it."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*")):
            if file.suffix in (".py", ".toml", ".html"):
                digest.update(f"{file.relative_to(root)} {file.stat().st_size} ".encode())
                digest.update(file.read_bytes())
    return f"jantaku@{digest.hexdigest()[:12]}"


def without_people(event: Any, _hint: Any) -> Any:
    """A report that tells of no person, gives no access, and leads to the lines of the log."""
    event.pop("user", None)
    event.pop("extra", None)
    for fault in event.get("exception", {}).get("values", []):
        fault["value"] = without_values(fault.get("value") or "")
    request = event.get("request", {})
    event["request"] = {name: request[name] for name in KEPT_OF_REQUEST if name in request}
    context = get_contextvars()
    event["tags"] = {**event.get("tags", {}), **{name: str(context[name]) for name in CONTEXT if name in context}}
    return mask_report(event, _hint)


def without_values(message: str) -> str:
    """What a fault says of itself without the values it quotes: they may be somebody's name.

    A database adds the row it stumbled upon from the second line on.
    """
    first = message.partition("\n")[0]
    return QUOTED.sub(lambda found: found[0] if A_NAME_IN_CODE.fullmatch(found["value"]) else "'…'", first)
