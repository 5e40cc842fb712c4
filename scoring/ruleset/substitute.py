"""The account of a chair filled by a substitute (補欠): a flat amount, whatever the score."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Amount, Ruled
from scoring.ruleset.ledgers import LedgerKey


class FlatPart(StrEnum):
    """The part of a substitute's account that the flat amount replaces."""

    RESULT = "result"
    """The whole result of the game."""
    UMA = "uma"
    """The bonuses of the place, uma and oka; the score itself counts."""


class SubstituteAccount(Ruled):
    """A flat account for a substitute, who has no rank; the others settle on the real scores and keep their places."""

    ledger: LedgerKey
    amount: Amount
    replaces: FlatPart
