"""The sentences of a tulip's remarks."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.tulip.records import Remark

SENTENCES: Mapping[str, str] = {
    "no_start": "The win followed no riichi and is no yakuman: nothing is flipped.",
    "fixed_prize": "This yaku brings its fixed prize from all players, and nothing else: nothing is flipped.",
    "counts_as_completed": "This yaku counts as a completed tulip; nothing is flipped.",
    "start_riichi": "Won after riichi: the wall is flipped.",
    "start_yakuman": "A real yakuman: the wall is flipped, with riichi or without.",
    "mode_normal": "A normal tulip: of each stack the upper tile is flipped.",
    "mode_kakuhen": "{count} × {tile} in the hand: kakuhen, both tiles of each stack are flipped.",
    "mode_top": "{count} × {tile} and {other_count} × {other_tile} in the hand: 16R, both tiles of each stack are "
    "flipped, and everything counts {times} times at the end.",
    "guarantee_ippatsu": "Ippatsu: {count} fall guarantee.",
    "guarantee_limit": "A hand of {limit} or more: {count} fall guarantee.",
    "guarantee_pocchi": "A pocchi drawn after riichi: {count} fall guarantee.",
    "aside_joins": "{tile}, laid aside, counts as {stands_for}.",
    "indicator_joins": "{tile}, an indicator, is taken in and counts as {stands_for}.",
    "nothing_to_flip": "No stack with its upper tile is left: completed, {chips} chips.",
    "matches": "Matches: {count}.",
    "no_match": "No match.",
    "promoted_to_kakuhen": "{count} matches on one flip: kakuhen. The lower tile of this stack stays down; from the "
    "next stack on both are flipped.",
    "promoted_to_top": "{count} matches on one flip: 16R. Everything counts {times} times at the end.",
    "top_already": "{count} matches on one flip; there is nothing above 16R.",
    "bonus_joins": "{tile} matched and is taken in; it counts as {stands_for}.",
    "bonus_stays_out": "{tile} matched nothing and is not taken in.",
    "rush_joins": "Rush: {tile} is taken in.",
    "guarantee_used": "The stack matched nothing: a fall guarantee is used, {left} left.",
    "missed": "The stack matched nothing: the tulip is over.",
    "completed": "The last stack: completed, {chips} chips.",
}
"""The English sentence of each code; translations use the same codes and parameters."""


def sentence(remark: Remark) -> str:
    """Return a remark in English."""
    return SENTENCES[remark.code].format_map(remark.params)
