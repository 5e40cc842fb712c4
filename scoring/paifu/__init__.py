"""Logs of games played online (牌譜): neutral records, their checks, and what our engine makes of them.

`to_json` and `from_json` store a log. `entries_of` turns a hand into the entries of a score sheet, `compare` sets our
result beside the log's, `compare_alone` for one hand by itself.
"""

from scoring.paifu.checks import check_paifu
from scoring.paifu.circumstances import situation_of, value_of
from scoring.paifu.compare import Difference, compare, compare_alone
from scoring.paifu.entries import entries_of, entries_of_game, outcome_of, play_alone, state_before
from scoring.paifu.positions import Ending, TablePosition, ending_of, positions_of
from scoring.paifu.problems import PaifuError, Position
from scoring.paifu.records import (
    Paifu,
    PaifuDraw,
    PaifuKyoku,
    PaifuPlayer,
    PaifuSource,
    PaifuStep,
    PaifuWin,
    PaifuYaku,
    StepKind,
)
from scoring.paifu.stored import from_json, to_json
from scoring.paifu.table import PaifuTable

__all__ = [
    "Difference",
    "Ending",
    "Paifu",
    "PaifuDraw",
    "PaifuError",
    "PaifuKyoku",
    "PaifuPlayer",
    "PaifuSource",
    "PaifuStep",
    "PaifuTable",
    "PaifuWin",
    "PaifuYaku",
    "Position",
    "StepKind",
    "TablePosition",
    "check_paifu",
    "compare",
    "compare_alone",
    "ending_of",
    "entries_of",
    "entries_of_game",
    "from_json",
    "outcome_of",
    "play_alone",
    "positions_of",
    "situation_of",
    "state_before",
    "to_json",
    "value_of",
]
