"""Operations on a draft. Each returns a new draft and leaves the old one as it was.

Keys are generated, never typed. What follows from a change follows at once: the sizes of blocks, titles and numbers of
hanchan that were proposed, the champion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from math import ceil

from rulesets.format_builder.editing import crown, edit, stage_named
from rulesets.format_builder.picks import (
    MOST_TABLES,
    USUAL_TABLE,
    Draft,
    Entry,
    Pick,
    PickKind,
    Spread,
    blocks_in,
    blocks_of,
    entry_of,
    pick_of,
    seeds_of,
    shares,
    table_of,
    write_entry,
)
from rulesets.format_builder.proposals import (
    FIRST,
    MOST_BLOCKS,
    block_title,
    entry_after,
    format_title,
    free_letters,
    free_stage_key,
    play_of,
    proposed_champion,
    retitle,
    spread_of,
    tables_key,
    tables_title,
)
from rulesets.format_builder.rounds import fit_rounds
from scoring.format.arranging import Arrangement

MOST_PLAYERS = 400
MOST_STAGES = 12
MOST_HANCHAN = 200
USUAL_SHARE = "1/3"


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
    crown(draft, proposed_champion(draft))
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


@edit
def add_stage(draft: Draft) -> None:
    """Append a stage with the entrants proposed from the last one."""
    if len(draft["stages"]) < MOST_STAGES:
        _append(draft, entry_after(draft))


@edit
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


@edit
def move_stage(draft: Draft, key: str, by: int) -> None:
    """Move a stage by this number of places; the entrants of all stages stay as chosen."""
    stages = draft["stages"]
    stage = stage_named(draft, key)
    place = stages.index(stage)
    stages.remove(stage)
    stages.insert(max(0, place + by), stage)


@edit
def set_players(draft: Draft, players: int, most: int | None = None) -> None:
    """Change the number of entrants, or its bounds; the stage that takes the last seeds takes the new ones.

    With bounds a block that takes the last entrants takes all from there on, as far as a text can say so.
    """
    before = seeds_of(draft)
    entries = [(stage, entry_of(draft, stage)) for stage in draft["stages"]]
    is_open = most is not None and most > players
    draft["entrants"] = {"least": players, "most": most} if is_open else players
    now = seeds_of(draft)
    last_of = {"": before}
    """The blocks that take the last entrants, with their last ranks before the change."""
    for stage, entry in entries:
        picks = tuple(_resized(pick, last_of, before, now, is_open=is_open) for pick in entry.picks)
        left = tuple(pick for pick in picks if pick.first <= pick.last)
        is_whole = len(entry.sizes) == 1 and entry.arrange is None
        if is_whole and any(old.last == last_of.get(_block(old)) for old in entry.picks):
            last_of[blocks_in(stage)[0]["key"]] = sum(entry.sizes)
        if not is_whole:
            left = tuple(replace(pick, is_rest=False) for pick in left)
        if left != entry.picks:
            _take(draft, stage, entry, left)


def _block(pick: Pick) -> str:
    """Return the block that a pick counts in, empty for the seeds; for several blocks a text that no block has."""
    return pick.of if pick.kind in {PickKind.SEEDS, PickKind.BLOCK} else "*"


def _resized(pick: Pick, last_of: Mapping[str, int], before: int, now: int, *, is_open: bool) -> Pick:
    """Return a pick after the number of entrants has changed from one number to another."""
    if pick.kind is PickKind.SEEDS and pick.last != before:
        return replace(pick, last=min(pick.last, now))
    key = _block(pick)
    if last_of.get(key) != pick.last or (key and pick.first == 1 and not pick.is_rest):
        return pick
    return replace(pick, last=pick.last + now - before, is_rest=is_open)


@edit
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


@edit
def set_stage_title(draft: Draft, key: str, title: object) -> None:
    """Change a stage's title; its only block has the same."""
    stage = stage_named(draft, key)
    before, stage["title"] = stage["title"], title
    if stage.get("tables") and stage["tables"]["title"] == tables_title(before):
        stage["tables"]["title"] = tables_title(title)
    for number, block in enumerate(stage.get("blocks", ())):
        if block["title"] == before:
            block["title"] = title
        elif block["title"] == block_title(before, number, is_first=False):
            block["title"] = block_title(title, number, is_first=False)


@edit
def set_block_title(draft: Draft, key: str, number: int, title: object) -> None:
    """Change the title of a stage's block with this number, from 0."""
    blocks = stage_named(draft, key).get("blocks", ())
    if number < len(blocks):
        blocks[number]["title"] = title


@edit
def set_blocks(draft: Draft, key: str, count: int) -> None:
    """Give a stage this number of blocks of equal size, or of tables; blocks that stay keep their keys."""
    stage = stage_named(draft, key)
    most = MOST_TABLES if stage["assignment"] == "arranged" else MOST_BLOCKS
    if count != len(blocks_in(stage)) and 1 <= count <= most:
        _reblock(draft, stage, count, is_tables=stage["assignment"] == "arranged")


@edit
def set_places(draft: Draft, key: str, *, is_tables: bool) -> None:
    """Let a stage have tables made from their number, or blocks whose sizes and names are chosen one by one."""
    stage = stage_named(draft, key)
    if is_tables == (stage["assignment"] == "arranged"):
        return
    entrants = _count(draft, entry_of(draft, stage).picks)
    count = max(1, entrants // table_of(draft)) if is_tables else len(blocks_in(stage))
    _reblock(draft, stage, min(count, MOST_TABLES if is_tables else MOST_BLOCKS), is_tables=is_tables)


@edit
def set_arrange(draft: Draft, key: str, how: Arrangement) -> None:
    """Change the way in which the entrants of a stage are spread over its tables."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if entry.arrange is not None:
        _write(draft, stage, replace(entry, arrange=how), entry.sizes)


def _reblock(draft: Draft, stage: Draft, count: int, *, is_tables: bool) -> None:
    """Give a stage this number of blocks or tables; what later stages take of it follows."""
    key, place = stage["key"], draft["stages"].index(stage)
    entry, blocks = entry_of(draft, stage), blocks_in(stage)
    entrants = _count(draft, entry.picks)
    follows = _plays_as_proposed(draft, stage)
    later = [(other, entry_of(draft, other)) for other in draft["stages"] if other is not stage]
    was_tables = entry.arrange is not None
    if is_tables:
        stage.setdefault("tables", {"key": tables_key(key), "count": count, "title": tables_title(stage["title"])})
        stage["tables"]["count"] = count
        if table_of(draft) != USUAL_TABLE:
            stage["tables"]["size"] = table_of(draft)
        stage.pop("blocks", None)
        # Lines of blocks are ranges of their own; a table's are read in the order of the whole.
        stage.update(assignment="arranged", arrange=(entry.arrange or Arrangement.SNAKE).value)
        _write(draft, stage, replace(entry, arrange=entry.arrange or Arrangement.SNAKE), entry.sizes)
    else:
        for name in ("tables", "arrange"):
            stage.pop(name, None)
        if count == 1:
            stage["blocks"] = [{"key": key, "title": stage["title"]}]
        else:
            letters = free_letters(draft)
            kept = [block for block in stage.get("blocks", ()) if block["key"] != key][:count]
            stage["blocks"] = kept + [
                {"key": next(letters), "title": block_title(stage["title"], number, is_first=place == 0)}
                for number in range(len(kept), count)
            ]
        spread = entry.spread if len(blocks) > 1 else spread_of(is_first=place == 0)
        picks = entry.picks if count == 1 else tuple(replace(pick, is_rest=False) for pick in entry.picks)
        sizes = shares(entrants or count * table_of(draft), count)
        new = Entry(picks, spread if count > 1 else Spread.STRAIGHT, sizes)
        # The old lists of a stage whose blocks are new cite nothing.
        stage["assignment"] = "seeded" if was_tables else stage["assignment"]
        _write(draft, stage, new, sizes)
    if follows:
        stage.update(_proposed_play(draft, stage))
    _follow(draft, stage, blocks, later)


def _follow(draft: Draft, stage: Draft, blocks: Sequence[Draft], later: Sequence[tuple[Draft, Entry]]) -> None:
    """Let other stages take of a stage's new blocks what they took of the old ones."""
    key = stage["key"]
    gone = {block["key"] for block in blocks} - {block["key"] for block in blocks_in(stage)}
    for other, taken in later:
        picks = tuple(new for pick in taken.picks for new in _moved(pick, stage, gone, len(blocks)))
        if picks != taken.picks or any(pick.of == key for pick in picks):
            _take(draft, other, taken, picks)


def _moved(pick: Pick, stage: Draft, gone: set[str], before: int) -> Iterator[Pick]:
    """Yield a pick as it is after its stage has got other blocks: one block becomes each of several, and back."""
    blocks, key = blocks_in(stage), stage["key"]
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


@edit
def set_sizes(draft: Draft, key: str, sizes: Sequence[int]) -> None:
    """Change the places of a stage's blocks; they may differ from the number of entrants, which is then a fault."""
    stage = stage_named(draft, key)
    if len(sizes) == len(blocks_in(stage)) and stage["assignment"] != "arranged":
        _write(draft, stage, entry_of(draft, stage), tuple(sizes))


@edit
def set_spread(draft: Draft, key: str, spread: Spread) -> None:
    """Change the way in which entrants are spread over the blocks of a stage."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if len(entry.sizes) > 1 and entry.arrange is None:
        _write(draft, stage, replace(entry, spread=spread), entry.sizes)


@edit
def set_play(draft: Draft, key: str, hanchan: int | None, sessions: int | None, seating: str) -> None:
    """Change the hanchan of each entrant, the sessions they are spread over (None: any number), and the seating."""
    stage = stage_named(draft, key)
    for name, value in (("hanchan", hanchan), ("sessions", sessions)):
        if value is None:
            stage.pop(name, None)
        else:
            stage[name] = value
    stage["seating"] = seating
    fit_rounds(stage)


@edit
def add_pick(draft: Draft, key: str, text: str) -> None:
    """Let a stage take another part of the earlier stages; a text that names none changes nothing."""
    stage = stage_named(draft, key)
    pick = pick_of(text, draft, stage)
    if pick is not None:
        entry = entry_of(draft, stage)
        _take(draft, stage, entry, (*entry.picks, pick))


@edit
def remove_pick(draft: Draft, key: str, number: int) -> None:
    """Let a stage no longer take its pick with this number, from 0."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    _take(draft, stage, entry, entry.picks[:number] + entry.picks[number + 1 :])


@edit
def move_pick(draft: Draft, key: str, number: int, by: int) -> None:
    """Move a stage's pick by this number of places: a spread over several blocks follows the order."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if number < len(entry.picks):
        picks = list(entry.picks)
        pick = picks.pop(number)
        picks.insert(max(0, number + by), pick)
        _take(draft, stage, entry, tuple(picks))


@edit
def set_ranks(draft: Draft, key: str, ranks: Sequence[tuple[int, int]]) -> None:
    """Change the first and last rank of each of a stage's picks; a range that falls is turned round."""
    stage = stage_named(draft, key)
    entry = entry_of(draft, stage)
    if len(ranks) == len(entry.picks):
        picks = [
            replace(pick, first=min(pair), last=max(pair), is_rest=pick.is_rest and max(pair) >= pick.last)
            for pick, pair in zip(entry.picks, ranks, strict=True)
        ]
        _take(draft, stage, entry, tuple(picks))


@edit
def set_carry(
    draft: Draft, key: str, kind: str, rounding: str = "up", points: Sequence[int | str] = (), share: str = ""
) -> None:
    """Change the points with which entrants start a stage: `half` and `part` are rounded, `table` has `points`."""
    stage = stage_named(draft, key)
    carry: Draft = {"kind": kind}
    if kind in {"half", "part"}:
        carry["rounding"] = rounding
    if kind == "part":
        carry["of"] = share or stage["carry_over"].get("of", USUAL_SHARE)
    if kind == "table":
        carry["points"] = list(points) or [0] * max(entry_of(draft, stage).sizes)
    kept = {name: stage["carry_over"][name] for name in ("clauses", "note") if name in stage["carry_over"]}
    before = stage["carry_over"]
    is_same = (kind, carry.get("of")) == (before["kind"], before.get("of"))
    stage["carry_over"] = {**carry, **kept} if is_same else carry


@edit
def set_tiebreak(draft: Draft, criteria: Sequence[str]) -> None:
    """Change the criteria that break equal totals, in order; steps that stay keep their clauses."""
    tiebreak = draft["tiebreak"]
    known = {step["by"]: step for step in tiebreak.get("back_tracking", ())}
    tiebreak["back_tracking"] = [known.get(by, {"by": by}) for by in dict.fromkeys(criteria)]


def set_champion(draft: Draft, block: str | None) -> Draft:
    """Let the first of this block win the competition; None for no champion."""
    new = deepcopy(draft)
    crown(new, block)
    return new


def _count(draft: Draft, picks: Sequence[Pick]) -> int:
    return sum(len(pick.sources(blocks_of(draft))) for pick in picks)


def _take(draft: Draft, stage: Draft, before: Entry, picks: tuple[Pick, ...]) -> None:
    """Let a stage take these picks; the sizes of its blocks follow unless they were set by hand."""
    count = _count(draft, picks)
    if before.arrange is not None:
        _take_tables(draft, stage, before, picks)
        return
    follows = before.sizes == shares(sum(before.sizes), len(before.sizes))
    sizes = shares(count or table_of(draft), len(before.sizes)) if follows else before.sizes
    plays = _plays_as_proposed(draft, stage)
    _write(draft, stage, replace(before, picks=picks), sizes)
    if plays:
        stage.update(_proposed_play(draft, stage))


def _take_tables(draft: Draft, stage: Draft, before: Entry, picks: tuple[Pick, ...]) -> None:
    """Let a stage of tables take these picks; the number of tables follows if its entrants filled them."""
    count, size = _count(draft, picks), before.sizes[0]
    tables = max(1, count // size) if _count(draft, before.picks) == sum(before.sizes) else len(before.sizes)
    _write(draft, stage, replace(before, picks=picks), before.sizes)
    if tables != len(before.sizes):
        _reblock(draft, stage, min(tables, MOST_TABLES), is_tables=True)


def _write(draft: Draft, stage: Draft, entry: Entry, sizes: tuple[int, ...]) -> None:
    write_entry(draft, stage, replace(entry, sizes=sizes))
