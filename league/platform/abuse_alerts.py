"""What is refused, counted so that somebody hears when it becomes unusual: guessing, and knocking at every door.

Each refusal is a number for Prometheus. Where a minute brings more of a kind than any evening does, the log says so in
one line of that minute, from whichever process counts the last of them.
"""

from __future__ import annotations

import logging
import time

from django.http.response import HttpResponseBase
from prometheus_client import Counter

from league.platform.cache_backends import count

logger = logging.getLogger(__name__)

WINDOW = 60
UNUSUAL = {"sign_in": 60, "code": 20, "code_reused": 3, "not_known": 300, "forbidden": 300, "too_many": 600}
"""From so many of a kind in a minute on somebody should look."""
BY_STATUS = {401: "not_known", 403: "forbidden", 429: "too_many"}
REFUSED = Counter("jantaku_refused", "What was refused, by kind.", ["kind"])


def note_refused(kind: str) -> None:
    """Count one more of a kind; the one that makes a minute unusual is told of in the log."""
    REFUSED.labels(kind).inc()
    key = f"refused:{kind}:{int(time.time() // WINDOW)}"
    if count(key, 2 * WINDOW) == UNUSUAL[kind]:
        logger.error("unusual: %s refusals of the kind %s within a minute", UNUSUAL[kind], kind)


def note_answer(response: HttpResponseBase) -> None:
    """Count an answer that refuses."""
    kind = BY_STATUS.get(response.status_code)
    if kind is not None:
        note_refused(kind)
