"""Example request bodies of changes of series and rankings."""

from __future__ import annotations

from collections.abc import Mapping

SERIES = """name = "two-tiers"
kind = "series"
title = "Two tiers"
moves = [{ from = "A#last:1", to = "B" }, { from = "B#1", to = "A" }]

[[tiers]]
key = "A"
title = "League A"
size = { least = 16, most = 16 }
format = "cinderella"

[[tiers]]
key = "B"
title = "League B"
size = { least = 16, most = 16 }
format = "cinderella"
"""
REVISED = {"text": SERIES, "reason": "As the members decided."}
RANKING_RULES = {"rules": "mers", "reason": "As the board decided."}

REQUESTS: Mapping[str, object] = {
    "create_series": {
        "slug": "club",
        "name": "クラブリーグ",
        "name_en": "Club league",
        "text": SERIES,
        "first_term": 3,
    },
    "edit_series": {"name": "クラブリーグ", "is_public": True},
    "revise_series_rules": REVISED,
    "preview_series_rules": REVISED,
    "add_term": {"number": 2},
    "create_tiers": {"ruleset": "cinderella", "entrants": {"B": 24}},
    "attach_competition": {"competition": "spring"},
    "detach_competition": {"reason": "It belongs to the term before."},
    "decide_newcomer": {"name": "青山 海", "tier": "B", "reason": "Joined the club."},
    "set_opening_balance": {"player": "p-8f3k2m9x", "points": 2, "reason": "From the books of 2025."},
    "edit_ranking": {"name": "年間ランキング", "is_public": True},
    "change_ranking_rules": RANKING_RULES,
    "preview_ranking_rules": RANKING_RULES,
    "change_ranking_event": {"day": "2026-06-30", "days": 2, "countries": 7, "reason": "One more country."},
}
