"""The tulip: after a win the stacks of the wall are flipped, and tiles that match the hand bring chips.

`open_tulip` examines a win and returns the state before the first flip; `flip` is one step of the machine; `replay`
folds a log of flipped tiles, so that undo is a shorter log; `over_wall` takes the whole wall at once. The chips are
ruleset data, and every answer gives its reasons, with clauses.
"""

from scoring.tulip.beginning import open_tulip
from scoring.tulip.machine import Flipped, LoggedTile, Tulip, flip, matches, over_wall, replay
from scoring.tulip.problems import InvalidTulipError, TulipProblem
from scoring.tulip.records import (
    BaseLine,
    ChipPayers,
    Flip,
    FlipEnd,
    FlipMode,
    PayoutLine,
    Remark,
    StackLevel,
    Start,
    TulipState,
    Wall,
    WallPlace,
    Won,
)
from scoring.tulip.remarks import sentence
from scoring.tulip.view import NoTulipError, declares_tulip
from scoring.tulip.wins import prizes_of, won_of

__all__ = [
    "BaseLine",
    "ChipPayers",
    "Flip",
    "FlipEnd",
    "FlipMode",
    "Flipped",
    "InvalidTulipError",
    "LoggedTile",
    "NoTulipError",
    "PayoutLine",
    "Remark",
    "StackLevel",
    "Start",
    "Tulip",
    "TulipProblem",
    "TulipState",
    "Wall",
    "WallPlace",
    "Won",
    "declares_tulip",
    "flip",
    "matches",
    "open_tulip",
    "over_wall",
    "prizes_of",
    "replay",
    "sentence",
    "won_of",
]
