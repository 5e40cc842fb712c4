"""Example request bodies for every operation that takes one, shown in the OpenAPI document and its page.

Ids and keys are invented. The tests validate each example against its operation's schema, and send those that need no
permission.
"""

from __future__ import annotations

from collections.abc import Mapping

from league.api.enums import ApiDescription
from league.api.organizing import examples as organizing
from league.api.parlour import examples as parlour
from league.api.results import examples as decisions
from league.api.seasons import examples as seasons

SEATS = [
    {"entrant": "7", "score": 41200},
    {"entrant": "3", "score": 30100, "player": "31"},
    {"entrant": "12", "score": 18700, "chonbo": 1},
    {"entrant": "5", "score": 9000},
]
HAND = {
    "concealed": "234m067m34p678s99s",
    "win": "2p",
    "by": "ron",
    "seat_wind": "S",
    "riichi": "riichi",
    "dora_indicators": "8s",
}
FORMAT = """name = "evening"
title = "Evening"
players = 4
entrants = 4

[tiebreak]

[[stages]]
key = "only"
title = "Only stage"
hanchan = 4
seating = "stay"
assignment = "seeded"
carry_over = { kind = "none" }

[[stages.blocks]]
key = "only"
title = "Only stage"
entrants = [{ from = "seed:1-4" }]
"""
RON = {"type": "ron", "loser": 3, "wins": [{"seat": 0, "value": {"han": 3, "fu": 40}}]}

REQUESTS: Mapping[str, object] = {
    **organizing.REQUESTS,
    **parlour.REQUESTS,
    **decisions.REQUESTS,
    **seasons.REQUESTS,
    "login": {"username": "mika", "password": "a long one that is hard to guess", "otp": "492039"},
    "submit_result": {"seats": SEATS, "kyoutaku": 1000},
    "preview_result": {"seats": SEATS, "kyoutaku": 1000},
    "confirm_result": {"accept": ["extreme_score"]},
    "reject_result": {"reason": "Two scores were exchanged."},
    "void_hanchan": {"reason": "Played with the wrong opponents."},
    "record_no_show": {"entrant": "7", "reason": "Not there ten minutes after the start.", "points": "-30"},
    "declare_walkover": {"reason": "The table lost its power.", "points": "5.0"},
    "withdraw": {"reason": "Had to leave."},
    "disqualify": {"reason": "Used a phone at the table."},
    "name_line_up": {"player": "31", "accept": ["cannot_reach_least"]},
    "append_to_log": {
        "after": 17,
        "events": [
            {"client_id": "3f9c2b1e-5d0a-4f7b-9b1c-0a4f6c1d2e3f", "kind": "entry", "payload": {"entry": RON}},
        ],
    },
    "import_log": {"seats": ["7", "3", "12", "5"], "entries": [RON]},
    "set_clock": {"minutes": 60, "extends": False},
    "call_referee": {"about": "手牌が倒れた"},
    "make_table_link": {"kind": "player", "entrant": "7"},
    "try_results_out": {"results": [{"hanchan": "41", "scores": [41200, 30100, 18700, 9000], "kyoutaku": 1000}]},
    "score_hand": HAND,
    "compare_hand": HAND,
    "flip_tulip": {"hand": "123456p456789s22z", "by": "ron", "riichi": "riichi", "flips": ["3s", "1z"]},
    "check_format": {"toml": FORMAT},
    "make_ranking": {"slug": "circuit", "name": "年間ランキング", "name_en": "Circuit", "rules": "mers"},
    "list_ranking_event": {"competition": "spring", "day": "2026-06-30", "days": 2, "countries": 6},
    "keep_format": {"toml": FORMAT},
    "try_format": {"seed": 7, "scenario": "level"},
    "bring_online_games": {"logs": [{"name": "game.json", "text": "{…}"}]},
    "import_online_games": {
        "games": [{"number": 1, "seats": [{"seat": 0, "entrant": "1"}], "hanchan": "1", "leave_out": False}],
        "accept": ["online_points_differ"],
    },
    "publish_pairing": {"digest": "3f" * 32, "accept": ["results_missing"]},
    "decide_move": {"player": "p-8f3k2m9x", "kind": "declined", "reason": "Moves abroad."},
    "take_move_decision_back": {"reason": "Stays after all."},
    "write_next_roster": {"digest": "3f" * 32, "reason": "As the board decided."},
    "take_next_roster_back": {"reason": "A result was corrected."},
    "make_webhook": {
        "competition": "spring",
        "url": "https://club.example/hooks/jantaku",
        "events": ["result.confirmed", "standings.published"],
    },
    "change_webhook": {"events": ["result.confirmed", "result.corrected", "result.voided"]},
}
"""Maps an operation id to an example of its request body."""


def with_examples(result: ApiDescription, **_arguments: object) -> ApiDescription:
    """Return the OpenAPI document with an example for every request body."""
    for operations in result["paths"].values():
        for operation in operations.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                content["example"] = REQUESTS[operation["operationId"]]
    return result
