"""What a stage can take from the stages before it: a list to choose from, so that no source is ever typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from rulesets.format_builder.picks import (
    Draft,
    Pick,
    PickKind,
    blocks_in,
    blocks_of,
    entry_of,
    grows,
    seeds_of,
)
from scoring.sources import BestOf, RankOf, Seed, Source

SMALL = 8
"""Up to this many ranks, every range of them is offered; of more, those that begin where unused ranks do."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A part of the earlier stages that a stage can take."""

    pick: Pick
    count: int
    """The number of entrants."""
    stage: str
    """The key of the stage it comes from; empty for seeds."""
    is_used: bool
    """Whether a stage takes at least one of these entrants already."""


def offers(draft: Draft, key: str) -> tuple[Offer, ...]:
    """Return what the stage with this key can take: seeds, then the ranks of earlier stages, in their order."""
    known = blocks_of(draft)
    used = _used(draft)
    found = []
    for stage, pick in _picks(draft, key, used):
        sources = pick.sources(known)
        found.append(Offer(pick, len(sources), stage, any(_touches(source, used, known) for source in sources)))
    return tuple(found)


def _used(draft: Draft) -> set[Source]:
    """Return the sources that the stages take, and the ranks that a comparison across blocks takes part in."""
    known = blocks_of(draft)
    used: set[Source] = set()
    for stage in draft["stages"]:
        for pick in entry_of(draft, stage).picks:
            used.update(pick.sources(known))
            if pick.kind is PickKind.BEST:
                used.update(RankOf(block, pick.rank) for block in known.get(pick.of, ()))
    return used


def _touches(source: Source, used: set[Source], known: dict[str, tuple[str, ...]]) -> bool:
    """Return whether a source is taken; the best of a rank also clashes with that rank of any of its blocks."""
    if source in used:
        return True
    if isinstance(source, BestOf):
        compared = any(isinstance(other, BestOf) and other.scope == source.scope for other in used)
        ranks = any(RankOf(block, source.rank) in used for block in known.get(source.stage, ()))
        return ranks and not compared
    return False


def _picks(draft: Draft, key: str, used: set[Source]) -> Iterator[tuple[str, Pick]]:
    """Yield the picks on offer with the stage that they come from."""
    count = seeds_of(draft)
    is_open = isinstance(draft.get("entrants"), dict)
    for first, last in _runs([Seed(number) in used for number in range(1, count + 1)]):
        yield "", Pick(PickKind.SEEDS, "", first, last, is_rest=is_open and last == count)
    for stage in takewhile(lambda each: each["key"] != key, draft["stages"]):
        yield from ((stage["key"], pick) for pick in _of_stage(draft, stage, used))


def _of_stage(draft: Draft, stage: Draft, used: set[Source]) -> Iterator[Pick]:
    blocks = [block["key"] for block in blocks_in(stage)]
    sizes = dict(zip(blocks, entry_of(draft, stage).sizes, strict=True))
    taken = {block: [RankOf(block, rank) in used for rank in range(1, size + 1)] for block, size in sizes.items()}
    if len(blocks) > 1:
        yield from _across(stage["key"], len(blocks), [any(ranks) for ranks in zip(*taken.values(), strict=False)])
    for block in blocks:
        if grows(draft, stage):
            yield from _rest(block, taken[block])
        yield from (Pick(PickKind.BLOCK, block, first, last) for first, last in _ranges(taken[block]))
    if len(blocks) == 1:
        runs = _runs([not each for each in taken[blocks[0]]])
        yield from (Pick(PickKind.BLOCK, blocks[0], first, last) for first, last in runs)


def _rest(block: str, used: Sequence[bool]) -> Iterator[Pick]:
    """Yield all ranks from the first after the used ones on, of a block whose size is not fixed."""
    if used and not used[-1]:
        first = max((rank for rank, is_used in enumerate(used, 1) if is_used), default=0) + 1
        yield Pick(PickKind.BLOCK, block, first, len(used), is_rest=True)


def _across(stage: str, blocks: int, used: Sequence[bool]) -> Iterator[Pick]:
    """Yield the same ranks of each block of a stage, and the best of the entrants who share a rank."""
    for first, last in (*_ranges(used), *_runs([not each for each in used])):
        yield Pick(PickKind.EACH, stage, first, last)
    for rank in range(1, len(used) + 1):
        yield from (Pick(PickKind.BEST, stage, 1, best, rank) for best in range(1, blocks))


def _ranges(used: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield ranges of unused ranks to choose from; where there are many ranks, from few beginnings."""
    for first, last in _runs(used):
        beginnings = range(first, last + 1) if len(used) <= SMALL else (first,)
        for beginning in beginnings:
            for end in range(beginning, last + 1):
                yield beginning, end


def _runs(used: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number, from 1, of each run of unused ones."""
    edges = [0, *(number for number, is_used in enumerate(used, 1) if is_used), len(used) + 1]
    for before, after in pairwise(edges):
        if after - before > 1:
            yield before + 1, after - 1
