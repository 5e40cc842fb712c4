"""Example request bodies of the operations of parlours."""

from __future__ import annotations

from collections.abc import Mapping

WORDS = {"name": "灯火", "name_en": "Lantern", "day_starts_at": "10:00", "is_public": False}
GAME = {"scores": [62000, 33000, 10000], "carried": {"chips": ["4", "-1", "-3"]}}
RECORDED = {**GAME, "round": 3, "first_dealer": 1, "players": ["31", "35", "12"]}
CORRECTED = {**GAME, "round": 3, "reason": "Two chips were counted twice."}
SETTLED = {"expected": 1800}
CLOSED = {"accept": ["guests_unsettled"]}

REQUESTS: Mapping[str, object] = {
    "set_up_parlour": {
        "slug": "lantern",
        **WORDS,
        "books": [{"ruleset": "banchi3", "tariff": {"per_game": 400, "top": 200}}],
        "tables": [{"name": "1", "usual_book": 0}],
    },
    "edit_parlour": WORDS,
    "add_book": {"ruleset": "kansai3"},
    "add_house_table": {"name": "7", "usual_book": "lantern-banchi3"},
    "edit_house_table": {"name": "8", "usual_book": None},
    "set_tariff": {"from_day": "2026-12-01", "per_game": 500, "top": 200, "stamps_for_a_free_game": 10},
    "open_sitting": {"table": "1", "people": [{"player": "31"}, {"player": "35"}, {"player": "12", "is_house": True}]},
    "close_sitting": {"accept": ["chips_not_counted"]},
    "enter_sitting_chips": {"ledger": "chips", "amounts": [{"player": "31", "amount": "4"}]},
    "start_followed_game": {"first_dealer": 0},
    "confirm_followed_game": {},
    "abandon_followed_game": {"reason": "The power failed."},
    "join_sitting": {"chair": 2, "player": "47"},
    "leave_chair": {},
    "mark_last_game": {"is_last": True},
    "set_stand_in": {"player": "52", "stays": False},
    "set_house_player": {"is_house": True},
    "swap_guests": {"chair": 2},
    "move_guest": {"sitting": "18", "chair": 0},
    "record_game": RECORDED,
    "preview_game": RECORDED,
    "correct_last_game": CORRECTED,
    "preview_game_correction": CORRECTED,
    "take_back_last_game": {"reason": "Entered at the wrong table."},
    "enter_guest": {"name": "湯川 みなと", "kana": "ゆかわ みなと", "number": "108"},
    "merge_guests": {"duplicate": "47", "keep": "31", "reason": "Entered twice."},
    "add_waiting": {"player": "47", "party": 2, "wish": "By the window"},
    "seat_waiting": {"sitting": "18", "chair": 2},
    "settle_bill": SETTLED,
    "preview_settle_bill": SETTLED,
    "set_guest_terms": {"rate": "student", "stamps": 3},
    "add_extra": {"label": "Tea", "money": 300},
    "pay_account": {"money": 1800},
    "cancel_statement": {"reason": "The wrong guest."},
    "close_day": CLOSED,
    "preview_close_day": CLOSED,
    "reopen_day": {"reason": "A game was forgotten."},
}
