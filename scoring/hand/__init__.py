"""Score a winning hand under any ruleset: `score(hand, situation, rules)` turns tiles into points.

The package covers notation, shapes, yaku, fu, dora, limits, payments and prizes. Every answer lists its lines with
their clauses, and a hand that may not be won comes back with the reason. One engine serves all rule books: they
differ in data alone.
"""

from scoring.hand.answer import HandValue
from scoring.hand.book import wall_of
from scoring.hand.engine import score
from scoring.hand.laid_out import HandPart, parts_of
from scoring.hand.melds import MeldKind
from scoring.hand.notation import Hand, Meld
from scoring.hand.problems import HandProblem, InvalidHandError
from scoring.hand.reading import Form
from scoring.hand.records import (
    DoraLine,
    Extra,
    FuLine,
    FuReason,
    Notice,
    NoWin,
    NoWinReason,
    Payer,
    Payment,
    PaymentCause,
    YakuLine,
)
from scoring.hand.situation import Liability, RiichiKind, Robbed, Situation
from scoring.hand.tiles import NotationError, Tile, parse_tiles, tiles_text
from scoring.ruleset.play import NoHandsError
from scoring.value import By

__all__ = [
    "By",
    "DoraLine",
    "Extra",
    "Form",
    "FuLine",
    "FuReason",
    "Hand",
    "HandPart",
    "HandProblem",
    "HandValue",
    "InvalidHandError",
    "Liability",
    "Meld",
    "MeldKind",
    "NoHandsError",
    "NoWin",
    "NoWinReason",
    "NotationError",
    "Notice",
    "Payer",
    "Payment",
    "PaymentCause",
    "RiichiKind",
    "Robbed",
    "Situation",
    "Tile",
    "YakuLine",
    "parse_tiles",
    "parts_of",
    "score",
    "tiles_text",
    "wall_of",
]
