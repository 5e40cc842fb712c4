"""Example request bodies of the operations of organizers."""

from __future__ import annotations

from collections.abc import Mapping

PEOPLE = [
    {"external_id": "m-104", "name": "青山 海", "kana": "あおやま かい", "romaji": "Kai Aoyama", "number": "104"},
    {"external_id": "m-211", "affiliation": "Harbour Club"},
]
ENTRIES = [{"external_id": "m-104", "affiliation": "Harbour Club"}, {"player": "31"}]
SCHEDULE = {"first_day": "2027-04-03", "every": 14, "starts_at": "13:00", "venue": "Harbour Club", "seed": "8214"}
RULES = {"options": {"tobi": True}, "accept": ["stages_change"]}
ROSTER = {"entrants": 40, "only_present": True}
FILLING = {"filling": "draw", "seed": "8214"}
MOVE = {"day": "2027-05-01", "moves_later": True}
TABLE = {
    "session": "4",
    "block": "A",
    "numbers": [1, 2],
    "entrants": ["7", "3", "12", "5"],
    "table": "1",
    "starts_at": "2027-04-03T13:00:00+09:00",
}

REQUESTS: Mapping[str, object] = {
    "create_competition": {"slug": "spring", "name": "春リーグ", "ruleset": "cinderella", "format": "cinderella"},
    "edit_competition": {"name": "春リーグ", "live_delay": 10},
    "set_competition_status": {"status": "published"},
    "move_competition": {"slug": "spring-2027"},
    "put_rules_in_force": RULES,
    "preview_rules": RULES,
    "close_roster": ROSTER,
    "preview_roster_closing": ROSTER,
    "add_house_players": {"count": 2},
    "fill_blocks": FILLING,
    "preview_block_filling": FILLING,
    "seed_block": {"entrants": ["7", "3", "12", "5"]},
    "upsert_people": {"people": PEOPLE},
    "preview_people": {"people": PEOPLE},
    "edit_person": {"name": "青山 海", "romaji": "Kai Aoyama", "number": "104"},
    "upsert_entrants": {"people": ENTRIES},
    "preview_entrants": {"people": ENTRIES},
    "edit_entrant": {"affiliation": "Harbour Club", "country": "JP"},
    "write_schedule": SCHEDULE,
    "preview_schedule": SCHEDULE,
    "improve_seating": SCHEDULE,
    "set_first_page": {"is_first_page": True},
    "remember_online_account": {"service": "tenhou", "text": "KaiAoyama"},
    "create_session": {"name": "開幕節", "name_en": "Opening"},
    "name_session": {"name": "開幕節", "name_en": "Opening"},
    "move_session": MOVE,
    "preview_session_move": MOVE,
    "draw_seats": {"seed": "8214", "rotates": True},
    "announce": {"text": "13:00 再開", "text_en": "We go on at 13:00."},
    "create_table_session": TABLE,
    "edit_table_session": {"starts_at": "2027-04-03T15:00:00+09:00", "venue": "Harbour Club"},
    "hold_table_back": {"until": "2027-04-10T20:00:00+09:00"},
    "seat_hanchan": {"entrants": ["7", "3", "12", "5"]},
    "admit_late": {"player": "31", "first": 3, "reason": "Train was late."},
    "admit_players": {"people": ENTRIES},
    "replan_rounds": {"first": 4, "leaving": ["7"], "lost": ["12"]},
    "preview_replanning": {"first": 4, "leaving": ["7"], "lost": ["12"]},
    "take_pairing_back": {"reason": "A result of the round before was corrected."},
    "swap_entrants": {"numbers": [3, 4], "one": "7", "other": "12"},
}
