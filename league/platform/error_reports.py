"""Error reports to Sentry, where an operator has set SENTRY_DSN; they contain no personal data and no secrets.

A report has the place in the code, the URL without its parameters, the request id under which the logs have the rest,
and the version of the code and kind of installation.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from structlog.contextvars import get_contextvars

from league.platform.masking import mask_report

PACKAGES = ("scoring", "rulesets", "league", "templates")
KEPT_OF_REQUEST = ("method", "url")
TOLD_ELSEWHERE = ("django_structlog.middlewares.request", "django_structlog.celery.receivers", "celery.app.trace",
                  "django.security.DisallowedHost")  # fmt: skip
"""Loggers whose lines repeat an error that is reported by itself, or describe a mistake of the visitor."""
QUOTED = re.compile(r"""(["'])(?P<value>.*?)\1""")
"""A quoted value in an error message."""
A_NAME_IN_CODE = re.compile(r"[a-z0-9]+(?:[_.][a-z0-9]+)+")
"""A quoted text that is an identifier of the code, such as a module's or column's name, and may be kept."""
CONTEXT = ("request_id", "task", "task_id")


def start_reporting(dsn: str, root: Path, environment: str) -> None:
    """Start Sentry without request bodies, cookies, visitors' addresses or values of variables.

    Do nothing without a DSN.
    """
    if not dsn:
        return
    # Loading the SDK takes every process 0.15 s, and few installations report errors.
    import sentry_sdk  # noqa: PLC0415
    from sentry_sdk.integrations.celery import CeleryIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.logging import ignore_logger  # noqa: PLC0415

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
        before_send=strip_personal_data,
        max_breadcrumbs=0,
    )
    for name in TOLD_ELSEWHERE:
        ignore_logger(name)


def release_of(root: Path) -> str:
    """Return a name for exactly this code, a digest of its files that is the same on every machine."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*")):
            if file.suffix in (".py", ".toml", ".html"):
                digest.update(f"{file.relative_to(root)} {file.stat().st_size} ".encode())
                digest.update(file.read_bytes())
    return f"jantaku@{digest.hexdigest()[:12]}"


def strip_personal_data(event: Any, _hint: Any) -> Any:
    """Remove personal data and secrets from a report and tag it with the request id; Sentry's `before_send` hook."""
    event.pop("user", None)
    event.pop("extra", None)
    for fault in event.get("exception", {}).get("values", []):
        fault["value"] = strip_quoted_values(fault.get("value") or "")
    request = event.get("request", {})
    event["request"] = {name: request[name] for name in KEPT_OF_REQUEST if name in request}
    context = get_contextvars()
    event["tags"] = {**event.get("tags", {}), **{name: str(context[name]) for name in CONTEXT if name in context}}
    return mask_report(event, _hint)


def strip_quoted_values(message: str) -> str:
    """Return an error message without the values it quotes, which may be people's names.

    Only the first line is kept: a database adds the offending row from the second line on.
    """
    first = message.partition("\n")[0]
    return QUOTED.sub(lambda found: found[0] if A_NAME_IN_CODE.fullmatch(found["value"]) else "'…'", first)
