"""Operations on a draft. Each returns a new draft and leaves the old one as it was.

Keys are generated, never typed. What follows from a change follows at once: the sizes of blocks, titles and numbers of
hanchan that were proposed, the champion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from math import ceil
from typing import Concatenate, ParamSpec

from rulesets.format_builder.picks import (
    Draft,
    Entry,
    Pick,
    PickKind,
    Spread,
    blocks_of,
    entry_of,
    pick_of,
    shares,
    write_entry,
)
from rulesets.format_builder.proposals import (
    FIRST,
    block_title,
    entry_after,
    format_title,
    free_letters,
    free_stage_key,
    play_of,
    proposed_champion,
    retitle,
    spread_of,
    table_of,
)

MOST_PLAYERS = 400
MOST_STAGES = 12
MOST_HANCHAN = 200
USUAL_SHARE = "1/3"

P = ParamSpec("P")
Edit = Callable[Concatenate[Draft, P], Draft]


def _edit(change: Callable[Concatenate[Draft, P], None]) -> Edit[P]:
    """Let a change work on a copy; titles and champion follow if they were the proposed ones."""

    def edited(draft: Draft, /, *args: P.args, **kwargs: P.kwargs) -> Draft:
        new = deepcopy(draft)
        follows = new.get("champion", {}).get("block") == proposed_champion(new)
        change(new, *args, **kwargs)
        retitle(new)
        if follows:
            _crown(new, proposed_champion(new))
        return new

    edited.__doc__ = change.__doc__
    return edited


def _crown(draft: Draft, block: str | None) -> None:
    if block is None:
        draft.pop("champion", None)
    elif draft.get("champion", {}).get("block") != block:
        draft["champion"] = {"block": block}


def stage_named(draft: Draft, key: str) -> Draft:
    """Return the stage of a draft with this key; raise KeyError if there is none."""
    for stage in draft["stages"]:
        if stage["key"] == key:
            found: Draft = stage
            return found
    raise KeyError(key)


def new_draft(name: str, players: int, table: int = 4, title: object = "") -> Draft:
    """Return a draft with one stage of one block in which all `players` play, at tables of `table`.

    Without a title its number of players is its title.
    """
    draft: Draft = {
        "name": name,
        "title": title or format_title(players),
        "players": table,
        "entrants": players,
        "tiebreak": {"back_tracking": [{"by": "points"}, {"by": "place"}, {"by": "score"}]},
        "stages": [],
    }
    _append(draft, (Pick(PickKind.SEEDS, "", 1, players),))
    retitle(draft)
    _crown(draft, proposed_champion(draft))
    return draft


def _append(draft: Draft, picks: Sequence[Pick]) -> None:
    """Append a stage of one block that takes these picks."""
    key = free_stage_key(draft)
    count = sum(len(pick.sources(blocks_of(draft))) for pick in picks)
    stage: Draft = {
        "key": key,
        "title": dict(FIRST),
        **play_of(draft, count or table_of(draft), is_first=not draft["stages"]),
        "assignment": "seeded",
        "carry_over": {"kind": "none"},
        "blocks": [{"key": key, "title": dict(FIRST)}],
    }
    draft["stages"].append(stage)
    write_entry(draft, stage, Entry(tuple(picks), Spread.STRAIGHT, (count or table_of(draft),)))


@_edit
def add_stage(draft: Draft) -> None:
    """Append a stage with the entrants proposed from the last one."""
    if len(draft["stages"]) < MOST_STAGES:
        _append(draft, entry_after(draft))


@_edit
def remove_stage(draft: Draft, key: str) -> None:
    """Remove a stage, and from later stages what they take from it; the only stage stays."""
    if len(draft["stages"]) == 1:
        return
    gone = {key, *blocks_of(draft)[key]}
    entries = {stage["key"]: entry_of(draft, stage) for stage in draft["stages"]}
    draft["stages"] = [stage for stage in draft["stages"] if stage["key"] != key]
    for stage in draft["stages"]:
        entry = entries[stage["key"]]
        left = tuple(pick for pick in entry.picks if pick.of not in gone)
        if left != entry.picks:
            _take(draft, stage, entry, left)
    if draft.get("champion", {}).get("block") in gone:
        del draft["champion"]


@_edit
def move_stage(draft: Draft, key: str, by: int) -> None:
    """Move a stage by this number of places; the entrants of all stages stay as chosen."""
    stages = draft["stages"]
    stage = stage_named(draft, key)
    place = stages.index(stage)
    stages.remove(stage)
    stages.insert(max(0, place + by), stage)


@_edit
def set_players(draft: Draft, players: int) -> None:
    """Change the number of entrants; the stage that takes the last seeds takes the new ones, evenly spread."""
    before = draft.get("entrants") or 0
    entries = [(stage, entry_of(draft, stage)) for stage in draft["stages"]]
    draft["entrants"] = players
    if draft["title"] == format_title(before):
        draft["title"] = format_title(players)
    for stage, entry in entries:
        picks = tuple(
            replace(pick, last=players if pick.last == before else min(pick.last, players))
            if pick.kind is PickKind.SEEDS
            else pick
            for pick in entry.picks
        )
        left = tuple(pick for pick in picks if pick.first <= pick.last)
        if left != entry.picks:
            _take(draft, stage, entry, left)


@_edit
def set_table(draft: Draft, table: int) -> None:
    """Change the players at a table, and the hanchan and seating of stages that have the proposed ones."""
    followed = [stage for stage in draft["stages"] if _plays_as_proposed(draft, stage)]
    draft["players"] = table
    for stage in followed:
        stage.update(_proposed_play(draft, stage))


def _proposed_play(draft: Draft, stage: Draft) -> Draft:
    sizes = entry_of(draft, stage).sizes
    return play_of(draft, max(sizes), is_first=stage is draft["stages"][0])


def _plays_as_proposed(draft: Draft, stage: Draft) -> bool:
    proposed = _proposed_play(draft, stage)
    return {key: stage.get(key) for key in proposed} == proposed


def set_title(draft: Draft, title: object) -> Draft:
    """Change the format's title, a text or both languages."""
    return {**deepcopy(draft), "title": title}


@_edit
def set_stage_title(draft: Draft, key: str, title: object) -> None:
    """Change a stage's title; its only block has the same."""
    stage = stage_named(draft, key)
    before, stage["title"] = stage["title"], title
    for number, block in enumerate(stage["blocks"]):
        if block["title"] == before:
            block["title"] = title
        elif block["title"] == block_title(before, number, is_first=False):
            block["title"] = block_title(title, number, is_first=False)


@_edit
def set_block_title(draft: Draft, key: str, number: int, title: object) -> None:
    """Change the title of a stage's block with this number, from 0."""
    blocks = stage_named(draft, key)["blocks"]
    if number < len(blocks):
        blocks[number]["title"] = title


@_edit
def set_blocks(draft: Draft, key: str, count: int) -> None:
    """Give a stage this number of blocks of equal size; blocks that stay keep their keys."""
    stage = stage_named(draft, key)
    entry, blocks = entry_of(draft, stage), stage["blocks"]
    if count == len(blocks):
        return
    entrants = _count(draft, entry.picks)
    follows = _plays_as_proposed(draft, stage)
    later = [(other, entry_of(draft, other)) for other in draft["stages"] if other is not stage]
    place = draft["stages"].index(stage)
    if count == 1:
        stage["blocks"] = [{"key": key, "title": stage["title"]}]
    else:
        letters = free_letters(draft)
        kept = [block for block in blocks if block["key"] != key][:count]
        stage["blocks"] = kept + [
            {"key": next(letters), "title": block_title(stage["title"], number, is_first=place == 0)}
            for number in range(len(kept), count)
        ]
    spread = entry.spread if len(blocks) > 1 else spread_of(is_first=place == 0)
    sizes = shares(entrants or count * table_of(draft), count)
    _write(draft, stage, replace(entry, spread=spread if count > 1 else Spread.STRAIGHT), sizes)
    if follows:
        stage.update(_proposed_play(draft, stage))
    gone = {block["key"] for block in blocks} - {block["key"] for block in stage["blocks"]}
    for other, taken in later:
        picks = tuple(new for pick in taken.picks for new in _moved(pick, stage, gone, len(blocks)))
        if picks != taken.picks or any(pick.of == key for pick in picks):
            _take(draft, other, taken, picks)


def _moved(pick: Pick, stage: Draft, gone: set[str], before: int) -> Iterator[Pick]:
    """Yield a pick as it is after its stage has got other blocks: one block becomes each of several, and back."""
    blocks, key = stage["blocks"], stage["key"]
    if pick.kind is PickKind.EACH and pick.of == key and len(blocks) == 1:
        yield Pick(PickKind.BLOCK, blocks[0]["key"], pick.first, pick.last * before)
    elif pick.kind is PickKind.BLOCK and pick.of in gone and before == 1:
        yield Pick(PickKind.EACH, key, pick.first, max(pick.first, ceil(pick.last / len(blocks))))
    elif pick.kind is PickKind.BEST and pick.of == key:
        # Fewer blocks have fewer holders of a rank; one block has nothing to compare.
        if pick.first <= len(blocks) > 1:
            yield replace(pick, last=min(pick.last, len(blocks)))
    elif pick.of not in gone:
        yield pick


@_edit
def set_sizes(draft: Draft, key: str, sizes: Sequence[int]) -> None:
    """Change the places of a stage's blocks; they may differ from the number of entrants, which is then a fault."""
    stage = stage_named(draft, key)
    if len(sizes) == len(stage["blocks"]):
        _write(draft, stage, entry_of(draft, stage), tuple(sizes))


@_edit
def set_spread(draft: Draft, key: str, spread: Spread) -> None:
    """Change the way in which entrants are spread over the blocks of a stage."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if len(entry.sizes) > 1:
        _write(draft, stage, replace(entry, spread=spread), entry.sizes)


@_edit
def set_play(draft: Draft, key: str, hanchan: int | None, sessions: int | None, seating: str) -> None:
    """Change the hanchan of each entrant, the sessions they are spread over (None: any number), and the seating."""
    stage = stage_named(draft, key)
    for name, value in (("hanchan", hanchan), ("sessions", sessions)):
        if value is None:
            stage.pop(name, None)
        else:
            stage[name] = value
    stage["seating"] = seating


@_edit
def add_pick(draft: Draft, key: str, text: str) -> None:
    """Let a stage take another part of the earlier stages; a text that names none changes nothing."""
    pick = pick_of(text, blocks_of(draft))
    if pick is not None:
        stage = stage_named(draft, key)
        entry = entry_of(draft, stage)
        _take(draft, stage, entry, (*entry.picks, pick))


@_edit
def remove_pick(draft: Draft, key: str, number: int) -> None:
    """Let a stage no longer take its pick with this number, from 0."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    _take(draft, stage, entry, entry.picks[:number] + entry.picks[number + 1 :])


@_edit
def move_pick(draft: Draft, key: str, number: int, by: int) -> None:
    """Move a stage's pick by this number of places: a spread over several blocks follows the order."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if number < len(entry.picks):
        picks = list(entry.picks)
        pick = picks.pop(number)
        picks.insert(max(0, number + by), pick)
        _take(draft, stage, entry, tuple(picks))


@_edit
def set_ranks(draft: Draft, key: str, ranks: Sequence[tuple[int, int]]) -> None:
    """Change the first and last rank of each of a stage's picks; a range that falls is turned round."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if len(ranks) == len(entry.picks):
        picks = [replace(pick, first=min(pair), last=max(pair)) for pick, pair in zip(entry.picks, ranks, strict=True)]
        _take(draft, stage, entry, tuple(picks))


@_edit
def set_carry(draft: Draft, key: str, kind: str, rounding: str = "up", points: Sequence[int | str] = ()) -> None:
    """Change the points with which entrants start a stage: `half` and `part` are rounded, `table` has `points`."""
    stage = stage_named(draft, key)
    carry: Draft = {"kind": kind}
    if kind in {"half", "part"}:
        carry["rounding"] = rounding
    if kind == "part":
        carry["of"] = stage["carry_over"].get("of", USUAL_SHARE)
    if kind == "table":
        carry["points"] = list(points) or [0] * max(entry_of(draft, stage).sizes)
    kept = {name: stage["carry_over"][name] for name in ("clauses", "note") if name in stage["carry_over"]}
    stage["carry_over"] = {**carry, **kept} if kind == stage["carry_over"]["kind"] else carry


@_edit
def set_tiebreak(draft: Draft, criteria: Sequence[str]) -> None:
    """Change the criteria that break equal totals, in order; steps that stay keep their clauses."""
    tiebreak = draft["tiebreak"]
    known = {step["by"]: step for step in tiebreak.get("back_tracking", ())}
    tiebreak["back_tracking"] = [known.get(by, {"by": by}) for by in dict.fromkeys(criteria)]


def set_champion(draft: Draft, block: str | None) -> Draft:
    """Let the first of this block win the competition; None for no champion."""
    new = deepcopy(draft)
    _crown(new, block)
    return new


def _count(draft: Draft, picks: Sequence[Pick]) -> int:
    return sum(len(pick.sources(blocks_of(draft))) for pick in picks)


def _take(draft: Draft, stage: Draft, before: Entry, picks: tuple[Pick, ...]) -> None:
    """Let a stage take these picks; the sizes of its blocks follow unless they were set by hand."""
    count = _count(draft, picks)
    follows = before.sizes == shares(sum(before.sizes), len(before.sizes))
    sizes = shares(count or table_of(draft), len(before.sizes)) if follows else before.sizes
    plays = _plays_as_proposed(draft, stage)
    _write(draft, stage, replace(before, picks=picks), sizes)
    if plays:
        stage.update(_proposed_play(draft, stage))


def _write(draft: Draft, stage: Draft, entry: Entry, sizes: tuple[int, ...]) -> None:
    write_entry(draft, stage, replace(entry, sizes=sizes))
