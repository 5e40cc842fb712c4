"""What the builder proposes: titles, numbers of hanchan, and who goes on to the next stage.

Titles are proposed in both languages. A title that still is a proposal follows the draft's changes; one that was
typed stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, filterfalse
from math import ceil

from rulesets.format_builder.picks import Draft, Pick, PickKind, Spread, blocks_in, blocks_of, entry_of, table_of

Words = dict[str, str]
"""A title in the two languages of the service."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_BLOCKS = len(LETTERS)

WHOLE: Words = {"ja": "リーグ戦", "en": "League"}
FIRST: Words = {"ja": "予選", "en": "Preliminary"}
FINAL: Words = {"ja": "決勝", "en": "Final"}
BEFORE_FINAL: tuple[Words, ...] = (
    {"ja": "準決勝", "en": "Semifinal"},
    {"ja": "準々決勝", "en": "Quarterfinal"},
)
"""Titles of the last stages before the final, the nearest first."""


def format_title(players: int, most: int | None = None, *, is_for_teams: bool = False) -> Words:
    """Return the title proposed for a format of this many players or teams, or of up to `most`."""
    if is_for_teams:
        numbers = (f"{players}", f"{players}") if most is None else (f"{players}〜{most}", f"{players} to {most}")
        return {"ja": f"{numbers[0]}チームのリーグ", "en": f"League of {numbers[1]} teams"}
    if most is not None:
        return {"ja": f"{players}〜{most}人リーグ", "en": f"League of {players} to {most}"}
    return {"ja": f"{players}人リーグ", "en": f"League of {players}"}


def proposed_title(draft: Draft) -> object:
    """Return the title proposed for the number of entrants that a draft is for."""
    entrants, is_for_teams = draft.get("entrants") or 0, draft.get("kind") == "teams"
    if isinstance(entrants, dict):
        return format_title(entrants["least"], entrants["most"], is_for_teams=is_for_teams)
    return format_title(entrants, is_for_teams=is_for_teams)


def _numbered(number: int) -> Words:
    return {"ja": f"第{number}ステージ", "en": f"Stage {number}"}


def block_title(stage_title: object, number: int, *, is_first: bool) -> Words:
    """Return the title proposed for a stage's block with this number from 0: 予選 has Aブロック, 準決勝 has 準決勝A."""
    letter = LETTERS[number]
    if is_first:
        return {"ja": f"{letter}ブロック", "en": f"Block {letter}"}
    ja, en = in_two(stage_title)
    return {"ja": f"{ja}{letter}", "en": f"{en} {letter}"}


def tables_key(stage: str) -> str:
    """Return the key of the tables of a stage, which with their numbers is no key of another stage."""
    return f"{stage}-"


def tables_title(stage_title: object) -> Words:
    """Return the title proposed for the tables of a stage, with {n} in the place of their number."""
    ja, en = in_two(stage_title)
    return {"ja": f"{ja}{' ' if ja[-1:].isdigit() else ''}{{n}}卓", "en": f"{en} table {{n}}"}


def in_two(title: object) -> tuple[str, str]:
    """Return a title in Japanese and English; a text alone stands for both."""
    if isinstance(title, dict):
        return str(title.get("ja", "")), str(title.get("en", ""))
    return str(title), str(title)


def stage_titles(draft: Draft) -> list[Words]:
    """Return the title proposed for each stage, by its place before the final."""
    stages = draft["stages"]
    if len(stages) == 1:
        return [WHOLE]
    last = stages[-1]
    is_final = len(blocks_in(last)) == 1 and sum(entry_of(draft, last).sizes) <= table_of(draft)
    ways = _ways_to_last(draft)
    titles = []
    for number, way in enumerate(ways):
        before = (len(stages) - 1 - number if way is None else way) + (not is_final)
        if number == 0:
            titles.append(FIRST)
        elif before == 0:
            titles.append(FINAL)
        else:
            titles.append(BEFORE_FINAL[before - 1] if before <= len(BEFORE_FINAL) else _numbered(number + 1))
    return titles


def _ways_to_last(draft: Draft) -> list[int | None]:
    """Return for each stage the most stages from it to the last one; None for those that do not lead there."""
    stages = draft["stages"]
    ways: list[int | None] = [None] * (len(stages) - 1) + [0]
    for number in reversed(range(len(stages))):
        way = ways[number]
        sources = {pick.of for pick in entry_of(draft, stages[number]).picks} if way is not None else set()
        for earlier in range(number):
            if sources & {stages[earlier]["key"], *(block["key"] for block in blocks_in(stages[earlier]))}:
                ways[earlier] = max(ways[earlier] or 0, (way or 0) + 1)
    return ways


def is_proposed(title: object) -> bool:
    """Return whether a stage's title is one that `stage_titles` gives."""
    return title in (WHOLE, FIRST, FINAL, *BEFORE_FINAL) or title in [_numbered(n) for n in range(1, MOST_BLOCKS)]


def retitle(draft: Draft) -> None:
    """Give stages and blocks whose titles are proposals the titles of their present place in the draft."""
    for number, (stage, title) in enumerate(zip(draft["stages"], stage_titles(draft), strict=True)):
        before, blocks = stage["title"], stage.get("blocks", [])
        followed = [_is_proposed_block(block["title"], before) for block in blocks]
        if is_proposed(before):
            stage["title"] = dict(title)
        if stage.get("tables") and stage["tables"]["title"] == tables_title(before):
            stage["tables"]["title"] = tables_title(stage["title"])
        for place, (block, follows) in enumerate(zip(blocks, followed, strict=True)):
            if follows and len(blocks) == 1:
                block["title"] = stage["title"]
            elif follows:
                block["title"] = block_title(stage["title"], place, is_first=number == 0)


def _is_proposed_block(title: object, stage_title: object) -> bool:
    """Return whether a block's title was proposed for a stage of this title."""
    first = [block_title(stage_title, number, is_first=True) for number in range(MOST_BLOCKS)]
    later = [block_title(stage_title, number, is_first=False) for number in range(MOST_BLOCKS)]
    return title == stage_title or title in first or title in later


def play_of(draft: Draft, size: int, *, is_first: bool) -> Draft:
    """Return hanchan, sessions and seating proposed for a stage with blocks of this size.

    As many hanchan as a table has seats (twice as many in the first stage): then blocks of every size fill tables.
    """
    table = table_of(draft)
    sessions = 2 if is_first else 1
    if draft.get("kind") == "teams":
        return {"hanchan": table * sessions, "seating": "fixtures"}
    return {
        "hanchan": table * sessions,
        "sessions": sessions,
        "seating": "stay" if size == table else "rounds",
    }


def entry_after(draft: Draft) -> tuple[Pick, ...]:
    """Return who is proposed to go on from the last stage: a table from one block, the same ranks of each from several.

    From several blocks at least a table goes on; empty if no rank is left.
    """
    last = draft["stages"][-1]
    sizes = entry_of(draft, last).sizes
    table = table_of(draft)
    if len(sizes) == 1:
        going = table if sizes[0] > table else 0
        return (Pick(PickKind.BLOCK, blocks_in(last)[0]["key"], 1, going),) if going else ()
    going = min(ceil(table / len(sizes)), *sizes)
    return (Pick(PickKind.EACH, last["key"], 1, going),) if going else ()


def free_letters(draft: Draft) -> Iterator[str]:
    """Return keys for new blocks: A to Z, then A2 and so on, without those that the draft has."""
    keys = (letter if number == 1 else f"{letter}{number}" for number in count(1) for letter in LETTERS)
    return filterfalse(_keys(draft).__contains__, keys)


def _keys(draft: Draft) -> set[str]:
    """Return the keys of all stages, blocks and tables."""
    tables = {stage["tables"]["key"] for stage in draft["stages"] if stage.get("tables")}
    return {*tables, *blocks_of(draft), *(key for own in blocks_of(draft).values() for key in own)}


def free_stage_key(draft: Draft) -> str:
    """Return a key for a new stage: `stage1` and so on, above all numbers in use."""
    taken = _keys(draft)
    number = len(draft["stages"]) + 1
    while f"stage{number}" in taken:
        number += 1
    return f"stage{number}"


def spread_of(*, is_first: bool) -> Spread:
    """Return the spread proposed for several blocks: seeds block by block, later entrants so that blocks are even."""
    return Spread.STRAIGHT if is_first else Spread.SNAKE


def proposed_champion(draft: Draft) -> str | None:
    """Return the key of the block whose first wins: the only block of the last stage; None if it has several."""
    blocks = blocks_in(draft["stages"][-1])
    return str(blocks[0]["key"]) if len(blocks) == 1 else None
