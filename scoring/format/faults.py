"""Validation of a league format: each fault comes with its key, the value found and the values allowed.

The one idea: a check yields faults and knows nothing of the other checks, so that the author of a file sees
all faults at once. A check that needs a parsed source skips unreadable ones, which another check reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from scoring.format.parts import numbers_text
from scoring.format.size_faults import ROSTER_NOT_FULL, missing, open_roster_faults, turns
from scoring.format.size_faults import SENTENCES as SIZE_SENTENCES
from scoring.format.stage_faults import arrangement_faults, round_faults
from scoring.format.team_faults import team_faults
from scoring.ruleset.base import Fault, fault
from scoring.sources import BestOf, RankOf, Seed, Source, SourceError, takes_rest

if TYPE_CHECKING:
    from scoring.format.model import Format
    from scoring.format.stage import Block, Intake, Stage

SENTENCES: Mapping[str, str] = {
    "stage_key_twice": "each stage needs a key of its own",
    "block_key_twice": "each block of the format needs a key of its own",
    "block_key_of_stage": "only the one block of a stage may have a stage's key, and that stage's own",
    "key_reserved": "this key has a meaning of its own; not allowed are %(reserved)s",
    "drawn_without_entrants": "needed in a drawn or arranged stage",
    "entrants_not_drawn": "only a drawn or arranged stage lists entrants here; list them in its blocks",
    "blocks_needed": "needed: at least one block, unless the stage is arranged",
    "nothing_to_draw": "one block leaves nothing to draw; use seeded",
    "size_only_drawn": "the blocks of a drawn stage have a size, others have none",
    "drawn_open": "a block of a drawn stage cannot be open",
    "entrants_not_here": "not allowed here",
    "entrants_needed": "needed, unless the block is open or its stage drawn",
    "unknown_block": "there is no block or stage %(block)s; there are %(known)s",
    "not_earlier": "%(block)s is not played before this stage; a stage takes its entrants from earlier ones",
    "rank_beyond": "block %(block)s has %(size)s entrants, so ranks 1 to %(size)s",
    "unknown_stage": "there is no stage %(stage)s; there are %(known)s",
    "one_block": "stage %(stage)s has one block, so there is nothing to compare; take %(block)s#%(rank)s",
    "best_beyond": "stage %(stage)s has %(blocks)s blocks, so %(blocks)s entrants of rank %(rank)s",
    "used_twice": "is used %(count)s times; each source fills one slot",
    "compared_too": "this rank is also compared across blocks (best:); take it once",
    "seeds_differ": "must count the seeds that the stages use; these do not fit: %(seeds)s",
    "pool_and_blocks": "the blocks of this stage have room for %(room)s",
    "sessions_uneven": "must divide the %(hanchan)s hanchan evenly",
    "too_few": "a table needs %(players)s entrants",
    "tables_not_full": "%(size)s entrants with %(turns)s turns each do not fill tables of %(players)s",
    "points_for_each": "must have one entry for each slot of each block",
    "nothing_carried": "the first stage has nothing to carry over; use none or table",
    "no_champion_block": "there is no such block; there are %(known)s",
    "champion_not_last": "others advance from this block; the champion comes from the last one",
}
"""A sentence for each fault: what is allowed instead of the value found."""

RESERVED = ("best", "champion", "draw", "out", "ruling", "seed", "withdrawn")
"""Reserved words that a stage or block cannot take as its key."""


_wrong = partial(fault, SENTENCES)


def faults(format_: Format) -> Iterator[Fault]:
    """Yield every fault of a format, in the order of the checks."""
    yield from _keys(format_)
    if format_.bounds is None:
        yield from _sized_faults(format_)
    else:
        yield from open_roster_faults(format_, format_.bounds, _sized_faults)
    for number, stage in enumerate(format_.stages):
        yield from round_faults(format_, number, stage)
    yield from team_faults(format_)


def _sized_faults(format_: Format) -> Iterator[Fault]:
    """Yield the faults of the sources and slots of a format with a fixed number of entrants, or an open roster."""
    yield from _unreadable_sources(format_)
    for stage in format_.stages:
        yield from _rosters(stage)
        yield from arrangement_faults(format_, stage)
    yield from _sources(format_)
    yield from _used_twice(format_)
    yield from _seeds(format_)
    for stage in format_.stages:
        yield from _sizes(format_, stage)
        yield from _tables(format_, stage)
        yield from _carry_over(format_, stage)
    yield from _champion(format_)


def _keys(format_: Format) -> Iterator[Fault]:
    stages = Counter(stage.key for stage in format_.stages)
    blocks = Counter(block.key for stage in format_.stages for block in stage.all_blocks)
    for stage in format_.stages:
        if stages[stage.key] > 1:
            yield _wrong(f"stages.{stage.key}.key", stage.key, "stage_key_twice")
        yield from _block_keys(stage, stages, blocks)
    for key in (*stages, *(key for key in blocks if key not in stages)):
        if key in RESERVED:
            yield _wrong("stages", key, "key_reserved", reserved=", ".join(RESERVED))


def _block_keys(stage: Stage, stages: Mapping[str, int], blocks: Mapping[str, int]) -> Iterator[Fault]:
    """Check that `key#rank` is unambiguous: the key of a stage or of tables stands for all their blocks."""
    for block in stage.all_blocks:
        where = f"{_block_path(stage, block)}.key"
        if blocks[block.key] > 1:
            yield _wrong(where, block.key, "block_key_twice")
        if block.key in stages and (block.key != stage.key or len(stage.all_blocks) > 1):
            yield _wrong(where, block.key, "block_key_of_stage")
    if stage.tables and stage.tables.key != stage.key and stage.tables.key in {*stages, *blocks}:
        yield _wrong(f"stages.{stage.key}.tables.key", stage.tables.key, "block_key_of_stage")


def _block_path(stage: Stage, block: Block) -> str:
    """Return the key in the file of a block, or of the tables that a block is one of."""
    return f"stages.{stage.key}.tables" if stage.tables else f"stages.{stage.key}.blocks.{block.key}"


def _intakes(format_: Format) -> Iterator[tuple[str, int, Intake]]:
    """Yield every line of entrants with its key in the file and the number of its stage, from 0."""
    for number, stage in enumerate(format_.stages):
        for index, intake in enumerate(stage.entrants):
            yield f"stages.{stage.key}.entrants.{index}.from", number, intake
        for block in stage.blocks:
            for index, intake in enumerate(block.entrants):
                yield f"stages.{stage.key}.blocks.{block.key}.entrants.{index}.from", number, intake


def _read(format_: Format) -> Iterator[tuple[str, int, Source]]:
    """Yield every readable source with its key in the file and the number of its stage."""
    for where, number, intake in _intakes(format_):
        try:
            sources = format_.sources_of(intake, format_.stages[number])
        except ValueError:
            continue
        yield from ((where, number, source) for source in sources)


def _unreadable_sources(format_: Format) -> Iterator[Fault]:
    for where, number, intake in _intakes(format_):
        try:
            format_.sources_of(intake, format_.stages[number])
        except SourceError as error:
            yield error.fault(where, intake.sources)


def _rosters(stage: Stage) -> Iterator[Fault]:
    """Check the lists of entrants: a drawn stage has one and sized blocks, a seeded stage has them in its blocks."""
    drawn = stage.assignment == "drawn"
    is_listed = stage.assignment != "seeded"
    if bool(stage.entrants) != is_listed:
        code = "drawn_without_entrants" if is_listed else "entrants_not_drawn"
        yield _wrong(f"stages.{stage.key}.entrants", len(stage.entrants), code)
    if not stage.blocks and stage.assignment != "arranged":
        yield _wrong(f"stages.{stage.key}.blocks", None, "blocks_needed")
    if drawn and len(stage.blocks) == 1:
        yield _wrong(f"stages.{stage.key}.assignment", "drawn", "nothing_to_draw")
    for block in stage.blocks:
        yield from _roster(stage, block, is_drawn=drawn)


def _roster(stage: Stage, block: Block, *, is_drawn: bool) -> Iterator[Fault]:
    where = f"stages.{stage.key}.blocks.{block.key}"
    if (block.size is not None) != is_drawn:
        yield _wrong(f"{where}.size", block.size, "size_only_drawn")
    # A draw fills a fixed number of slots; an open block has none.
    if is_drawn and block.is_open:
        yield _wrong(f"{where}.is_open", block.is_open, "drawn_open")
    if bool(block.entrants) == (is_drawn or block.is_open):
        code = "entrants_not_here" if block.entrants else "entrants_needed"
        yield _wrong(f"{where}.entrants", len(block.entrants), code)


def _sources(format_: Format) -> Iterator[Fault]:
    """Check that each source exists and lies in an earlier stage."""
    for where, number, source in _read(format_):
        yield from source_faults(format_, where, number, source)


def source_faults(format_: Format, where: str, number: int, source: Source) -> Iterator[Fault]:
    """Yield the faults of a source that fills a slot of the stage with this number (from 0)."""
    if isinstance(source, RankOf):
        yield from _rank(format_, where, number, source.block, source.rank)
    if isinstance(source, BestOf):
        yield from _best(format_, where, number, source.stage, source.rank, source.number)


def _rank(format_: Format, where: str, number: int, block: str, rank: int) -> Iterator[Fault]:
    text = f"{block}#{rank}"
    if block not in format_.blocks:
        yield _wrong(where, text, "unknown_block", block=block, known=", ".join(format_.blocks))
    elif format_.stages.index(format_.stage_of[block]) >= number:
        yield _wrong(where, text, "not_earlier", block=block)
    elif (size := format_.size(block)) is not None and rank > size:
        yield _wrong(where, text, "rank_beyond", block=block, size=size)


def _best(format_: Format, where: str, number: int, stage: str, rank: int, nth: int) -> Iterator[Fault]:
    text = str(BestOf(stage, rank, nth))
    blocks = format_.blocks_of.get(stage, ())
    if not blocks:
        yield _wrong(where, text, "unknown_stage", stage=stage, known=", ".join(format_.blocks_of))
        return
    if len(blocks) == 1:
        yield _wrong(where, text, "one_block", stage=stage, block=blocks[0], rank=rank)
    elif nth > len(blocks):
        yield _wrong(where, text, "best_beyond", stage=stage, blocks=len(blocks), rank=rank)
    for block in blocks:
        yield from _rank(format_, where, number, block, rank)


def _used_twice(format_: Format) -> Iterator[Fault]:
    """Check that no entrant gets two slots."""
    messages = clashes(format_, [source for _, _, source in _read(format_)])
    for where, _, source in _read(format_):
        if source in messages:
            code, params = messages[source]
            yield _wrong(where, str(source), code, **params)


def clashes(format_: Format, sources: Sequence[Source]) -> Mapping[Source, tuple[str, Mapping[str, object]]]:
    """Return the sources that would seat one entrant twice, each with a code of `SENTENCES` and its values.

    A source clashes if it is used twice, or if its rank is also compared across blocks.
    """
    uses = Counter(sources)
    compared = {
        RankOf(block, source.rank)
        for source in sources
        if isinstance(source, BestOf)
        for block in format_.blocks_of.get(source.stage, ())
    }
    twice: dict[Source, tuple[str, Mapping[str, object]]] = {
        source: ("used_twice", {"count": count}) for source, count in uses.items() if count > 1
    }
    return twice | {source: ("compared_too", {}) for source in uses if source in compared}


def _seeds(format_: Format) -> Iterator[Fault]:
    """Check that every seed has a slot and that no slot names a seed beyond the number of entrants."""
    used = {source.number for _, _, source in _read(format_) if isinstance(source, Seed)}
    expected = set(range(1, format_.seeds + 1))
    if used != expected:
        yield _wrong("entrants", format_.entrants, "seeds_differ", seeds=numbers_text(sorted(used ^ expected)))


def _sizes(format_: Format, stage: Stage) -> Iterator[Fault]:
    """Check that a drawn stage has as many entrants as its blocks have slots."""
    if stage.assignment != "drawn" or not stage.entrants:
        return
    room = sum(block.size or 0 for block in stage.blocks)
    try:
        entrants = len(format_.pool(stage.key))
    except ValueError:
        return
    if entrants != room:
        yield _wrong(f"stages.{stage.key}.entrants", entrants, "pool_and_blocks", room=room)


def _tables(format_: Format, stage: Stage) -> Iterator[Fault]:
    """Check that each block fills whole tables and that its hanchan divide evenly over its sessions."""
    if stage.sessions is not None and stage.hanchan is not None and stage.hanchan % stage.sessions:
        yield _wrong(f"stages.{stage.key}.sessions", stage.sessions, "sessions_uneven", hanchan=stage.hanchan)
    if format_.players is None or stage.assignment == "arranged":
        return
    for block in stage.blocks:
        size = format_.size(block.key)
        where = _block_path(stage, block)
        if size is None:
            continue
        if size < format_.players:
            yield _wrong(where, size, "too_few", players=format_.players)
        elif more := missing(format_, stage, size):
            params = {"size": size, "turns": turns(stage), "players": format_.players}
            if any(takes_rest(intake.sources) for intake in block.entrants):
                fewer = next(n for n in range(1, size + 1) if not missing(format_, stage, size - n))
                yield fault(SIZE_SENTENCES, where, size, ROSTER_NOT_FULL, **params, more=more, fewer=fewer)
            else:
                yield _wrong(where, size, "tables_not_full", **params)


def _carry_over(format_: Format, stage: Stage) -> Iterator[Fault]:
    """Check that a table of points has one entry per slot, and that a stage before it has points to carry over."""
    where = f"stages.{stage.key}.carry_over"
    carry = stage.carry_over
    if carry.kind == "table":
        keys = [block.key for block in stage.all_blocks]
        sizes = {_pool_size(format_, stage)} if stage.assignment == "drawn" else {format_.size(key) for key in keys}
        if sizes != {len(carry.points)}:
            yield _wrong(f"{where}.points", len(carry.points), "points_for_each")
    if carry.share is not None and stage is format_.stages[0]:
        yield _wrong(f"{where}.kind", str(carry.kind), "nothing_carried")


def _pool_size(format_: Format, stage: Stage) -> int | None:
    try:
        return len(format_.pool(stage.key))
    except ValueError:
        return None


def _champion(format_: Format) -> Iterator[Fault]:
    """Check that the champion's block exists and that no entrant advances from it."""
    if format_.champion is None:
        return
    block = format_.champion.block
    if block not in format_.blocks:
        yield _wrong("champion.block", block, "no_champion_block", known=", ".join(format_.blocks))
        return
    used = {source.block for _, _, source in _read(format_) if isinstance(source, RankOf)}
    used |= {key for _, _, s in _read(format_) if isinstance(s, BestOf) for key in format_.blocks_of.get(s.stage, ())}
    if block in used:
        yield _wrong("champion.block", block, "champion_not_last")
