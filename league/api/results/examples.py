"""Example request bodies of decisions and of the changes of a hanchan."""

from __future__ import annotations

from collections.abc import Mapping

TIE = {"scope": "A", "order": ["7", "3"], "reason": "Decided by a draw in front of both."}
ADJUSTED = {"entrant": "7", "points": "-20.0", "reason": "Late three times."}
PASSED = {"entrant": "7", "reason": "Cannot play in the final."}
FILLED = {"source": "po2#3", "reason": "The second of playoff 2 has left."}
SWAPPED = {"block": "B", "slot": 2, "reason": "Both asked for the other day."}
BACK = {"reason": "The note was about another player."}

REQUESTS: Mapping[str, object] = {
    "rule_on_tie": TIE,
    "preview_rule_on_tie": TIE,
    "adjust_points": ADJUSTED,
    "preview_adjust_points": ADJUSTED,
    "pass_over_entrant": PASSED,
    "preview_pass_over_entrant": PASSED,
    "override_slot": FILLED,
    "preview_override_slot": FILLED,
    "swap_slots": SWAPPED,
    "preview_swap_slots": SWAPPED,
    "take_decision_back": BACK,
    "preview_take_decision_back": BACK,
    "name_substitute": {"entrant": "7", "player": "31", "reason": "Ill tonight."},
    "revert_result": {"reason": "The correction was wrong."},
    "abandon_hanchan": {"reason": "The hall had to be closed."},
    "resume_hanchan": {"reason": "The table plays on tomorrow."},
}
