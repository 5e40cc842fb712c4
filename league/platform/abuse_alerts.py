"""Count refused requests and log an error when they become unusually many, as when passwords are guessed.

Each refusal increases a Prometheus counter. If the refusals of one kind within a minute reach a threshold, one log
line says so, written by the process that counts the decisive one.
"""

from __future__ import annotations

import logging
import time

from django.http.response import HttpResponseBase
from prometheus_client import Counter

from league.platform.cache_backends import increment_counter

logger = logging.getLogger(__name__)

WINDOW = 60
"""Seconds of the window in which refusals are counted."""
UNUSUAL = {"sign_in": 60, "code": 20, "code_reused": 3, "not_known": 300, "forbidden": 300, "too_many": 600}
"""Refusals of each kind within one minute from which on an operator should look."""
BY_STATUS = {401: "not_known", 403: "forbidden", 429: "too_many"}
"""The kind of refusal of each counted response status."""
REFUSED = Counter("jantaku_refused", "What was refused, by kind.", ["kind"])
for _kind in UNUSUAL:  # from 0 on: `increase` of a series that begins at 1 misses the first refusal
    REFUSED.labels(_kind)


def note_refused(kind: str) -> None:
    """Count one refusal of a kind; log an error when the count of this minute reaches its threshold."""
    REFUSED.labels(kind).inc()
    key = f"refused:{kind}:{int(time.time() // WINDOW)}"
    # Equal, not greater: of all processes only the one that counts the threshold itself writes the line.
    if increment_counter(key, 2 * WINDOW) == UNUSUAL[kind]:
        logger.error("unusual: %s refusals of the kind %s within a minute", UNUSUAL[kind], kind)


def note_answer(response: HttpResponseBase) -> None:
    """Count a response if its status is a refusal."""
    kind = BY_STATUS.get(response.status_code)
    if kind is not None:
        note_refused(kind)
