"""What each player needs in the hand that is played, for those who may be told while the hanchan is on.

The document is worked out once for each state of the log, audience and language, and kept for a while: it is asked for
at every poll.
"""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.utils.translation import get_language

from league.selectors.access.readers import Reader
from league.selectors.live.last_kyoku import last_kyoku_document
from league.selectors.live.log import TableLog

KEPT_SECONDS = 120


def advice_of(log: TableLog, reader: Reader) -> dict[str, Any] | None:
    """The document for the hand at the table; None while none is played."""
    if not log.is_followed or log.state.is_over:
        return None
    parts = (log.hanchan.pk, log.sequence, log.rules.digest[:16], reader.audience, reader.version, get_language())
    key = "advice:" + ":".join(map(str, parts))
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = last_kyoku_document(log.hanchan, log.state, log.rules, reader)
        cache.set(key, found, KEPT_SECONDS)
    return found
