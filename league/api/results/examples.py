"""Example request bodies of decisions, of the changes of a hanchan, and of teams and staff."""

from __future__ import annotations

from collections.abc import Mapping

TIE = {"scope": "A", "order": ["7", "3"], "reason": "Decided by a draw in front of both."}
ADJUSTED = {"entrant": "7", "points": "-20.0", "reason": "Late three times."}
PASSED = {"entrant": "7", "reason": "Cannot play in the final."}
FILLED = {"source": "po2#3", "reason": "The second of playoff 2 has left."}
SWAPPED = {"block": "B", "slot": 2, "reason": "Both asked for the other day."}
FIXTURES = "2026-10-05 19:00\t1\tA\tB\tC\tD"
CLOSED = {"reason": "The hall is closed on the last day.", "accept": ["later_stage_begun"]}
DRAWN = {"seed": "8214", "reason": "Drawn in front of all players."}
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
    "close_block": CLOSED,
    "preview_close_block": CLOSED,
    "draw_stage": DRAWN,
    "preview_draw_stage": DRAWN,
    "take_decision_back": BACK,
    "preview_take_decision_back": BACK,
    "enter_teams": {"teams": [{"name": "浅間ファルコンズ", "members": [{"player": "31"}, {"name": "湯川 みなと"}]}]},
    "add_member": {"team": "7", "player": "52", "since": "2026-12-01"},
    "end_membership": {"until": "2026-12-31", "reason": "Has left the team."},
    "transfer_member": {"to": "3", "since": "2027-01-01", "reason": "Changed teams in the winter."},
    "submit_log": {"sequence": 214},
    "make_scorer_links": {"ends_earlier": True},
    "add_fixtures": {"text": FIXTURES, "digest": "0f1e2d3c4b5a6978"},
    "preview_add_fixtures": {"text": FIXTURES},
    "set_line_up_deadline": {"due_at": "2026-12-05T18:00:00+09:00", "are_secret": True},
    "add_staff": {"user": "mika", "role": "scorer"},
    "change_role": {"role": "referee"},
    "invite_staff": {"email": "aoi@example.org", "role": "scorer", "language": "en"},
    "name_substitute": {"entrant": "7", "player": "31", "reason": "Ill tonight."},
    "revert_result": {"reason": "The correction was wrong."},
    "abandon_hanchan": {"reason": "The hall had to be closed."},
    "resume_hanchan": {"reason": "The table plays on tomorrow."},
}
