"""Players' rates as one document: counts beside every figure."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from league.api.documents.common import Document, competition_ref, entrant, ref
from league.models import Entrant
from league.selectors.rates import PlayerRates, rates_of_entrants
from league.selectors.readers import Reader
from scoring.rates import Ratio

SHARE = Decimal("0.0001")
POINTS = Decimal("0.1")


def rates_document(reader: Reader) -> Document:
    """Everybody who played a logged hanchan, by number."""
    found = rates_of_entrants(reader)
    rows = Entrant.objects.filter(pk__in=found).select_related("player").order_by("number")
    return {
        "competition": competition_ref(reader.competition),
        "as_of": reader.version,
        "entrants": [entrant_rates(reader, row, found[row.pk]) for row in rows],
    }


def entrant_rates(reader: Reader, row: Entrant, found: PlayerRates) -> Document:
    """One entrant's figures."""
    rates = found.rates
    largest = {"points": rates.largest, "hanchan": ref(found.largest_in)} if rates.largest is not None else None
    return {
        **entrant(reader, row),
        "hanchan": found.hanchan,
        "by_substitutes": found.by_substitutes,
        "kyoku": rates.kyoku,
        "win": share(rates.wins),
        "deal_in": share(rates.deal_ins),
        "riichi": share(rates.riichi),
        "tsumo": share(rates.tsumo),
        "tenpai": share(rates.tenpai),
        "average_win": mean(rates.won),
        "average_deal_in": mean(rates.paid),
        "largest_hand": largest,
    }


def share(ratio: Ratio) -> Document:
    """How often, with what it was counted over."""
    return {"count": ratio.count, "of": ratio.of, "value": decimal(ratio, SHARE)}


def mean(ratio: Ratio) -> Document:
    """How much, with what it was summed over."""
    return {"total": ratio.count, "of": ratio.of, "value": decimal(ratio, POINTS)}


def decimal(ratio: Ratio, step: Decimal) -> str | None:
    """The value to a step, halves up; None over nothing."""
    return str((Decimal(ratio.count) / ratio.of).quantize(step, ROUND_HALF_UP)) if ratio.of else None
