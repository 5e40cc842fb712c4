"""Requirements of each player in the running hand, cached for visitors that may see them during the hanchan.

The document is computed once for each state of the log, audience, version and language, since clients poll for
it.
"""

from __future__ import annotations

from django.core.cache import cache
from django.utils.translation import get_language

from league.selectors.access.readers import Reader
from league.selectors.live.last_kyoku import last_kyoku_document
from league.selectors.live.log import TableLog

KEPT_SECONDS = 120


def advice_of(log: TableLog, reader: Reader) -> dict[str, object] | None:
    """Return the document for the running hand; None while no hand is played."""
    if not log.is_followed or log.state.is_over:
        return None
    # Everything the document depends on is part of the key, so an entry never needs to be invalidated.
    parts = (log.hanchan.pk, log.sequence, log.rules.digest[:16], reader.audience, reader.version, get_language())
    key = "advice:" + ":".join(map(str, parts))
    found: dict[str, object] | None = cache.get(key)
    if found is None:
        found = last_kyoku_document(log.hanchan, log.state, log.rules, reader)
        cache.set(key, found, KEPT_SECONDS)
    return found
