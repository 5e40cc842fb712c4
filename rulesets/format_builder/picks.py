"""Who comes into a stage, as a list of picks and a way of spreading them over its blocks.

The one idea: a pick is a part of the earlier stages that has a name in speech ("ranks 1 and 2 of each block"). The
file of a format lists sources block by block, so reading joins them into the fewest picks, and writing spreads the
picks over the blocks again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, takewhile
from typing import Any

from scoring.format.arranging import Arrangement
from scoring.sources import BestOf, FileSource, RankOf, Seed, parse_sources, takes_rest

Draft = dict[str, Any]
"""The data of a format's file."""

BlocksOf = Mapping[str, Sequence[str]]
"""The keys of each stage's blocks, by the stage's key."""

USUAL_TABLE = 4
MOST_TABLES = 64
"""Tables of a stage that the builder shows."""


def table_of(draft: Draft) -> int:
    """Return the players at a table; four while the format leaves it to the ruleset."""
    return int(draft.get("players") or USUAL_TABLE)


def seeds_of(draft: Draft) -> int:
    """Return the number of entrants; of a format of open size the fewest that fill tables, for which it is drawn."""
    entrants = draft.get("entrants") or 0
    if not isinstance(entrants, dict):
        return int(entrants)
    table = table_of(draft)
    return int(min(-(-max(entrants["least"], 1) // table) * table, entrants["most"]))


class PickKind(StrEnum):
    """The part of the earlier stages that a pick takes."""

    SEEDS = "seeds"
    """Entrants by their seeds."""
    EACH = "each"
    """The same ranks of each block of a stage."""
    BLOCK = "block"
    """Ranks of one block."""
    BEST = "best"
    """The best of the entrants who hold the same rank in the blocks of a stage."""


class Spread(StrEnum):
    """Way in which the entrants of a stage are spread over its blocks."""

    STRAIGHT = "straight"
    """The first block is filled first: 1 to 5, 6 to 10."""
    SNAKE = "snake"
    """From block to block and back again: 1 to the first, 2 and 3 to the second, 4 to the first."""
    DRAWN = "drawn"
    """By a draw that is held and recorded when the stage begins."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A part of the earlier stages: from the first to the last rank (or seed, or n-th best), both included."""

    kind: PickKind
    of: str
    """The key of the stage or block; empty for seeds."""
    first: int
    last: int
    rank: int = 0
    """For `BEST`: the rank whose holders are compared."""
    is_rest: bool = False
    """All from `first` on; `last` is then the last of the size for which the format is drawn."""

    @property
    def text(self) -> str:
        """Return the pick in the notation of `scoring.sources`."""
        numbers = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        if self.is_rest:
            numbers = "*" if self.first == 1 else f"{self.first}-*"
        if self.kind is PickKind.SEEDS:
            return f"seed:{numbers}"
        if self.kind is PickKind.BEST:
            return f"best:{self.of}#{self.rank}" + ("" if numbers == "1" else f"/{numbers}")
        return f"{self.of}#{numbers}"

    def sources(self, blocks_of: BlocksOf, *, by_rank: bool = False) -> list[FileSource]:
        """Return the sources: block by block as in a file, or all blocks' firsts, then all seconds (`by_rank`)."""
        numbers = range(self.first, self.last + 1)
        if self.kind is PickKind.SEEDS:
            return [Seed(number) for number in numbers]
        if self.kind is PickKind.BEST:
            return [BestOf(self.of, self.rank, number) for number in numbers]
        blocks = blocks_of.get(self.of, ()) if self.kind is PickKind.EACH else (self.of,)
        if by_rank:
            return [RankOf(block, number) for number in numbers for block in blocks]
        return [RankOf(block, number) for block in blocks for number in numbers]


def blocks_in(stage: Draft) -> list[Draft]:
    """Return the blocks of a stage; those of its tables, if it is arranged, are made from their number."""
    tables = stage.get("tables")
    if stage["assignment"] != "arranged" or not tables:
        found: list[Draft] = stage.get("blocks", [])
        return found
    return [
        {"key": f"{tables['key']}{number}", "title": _numbered(tables["title"], number)}
        for number in range(1, tables["count"] + 1)
    ]


def _numbered(title: object, number: int) -> object:
    if isinstance(title, dict):
        return {language: text.replace("{n}", str(number)) for language, text in title.items()}
    return str(title).replace("{n}", str(number))


def blocks_of(draft: Draft) -> dict[str, tuple[str, ...]]:
    """Return the keys of each stage's blocks, by the stage's key."""
    return {stage["key"]: tuple(block["key"] for block in blocks_in(stage)) for stage in draft["stages"]}


def _groups_of(draft: Draft) -> dict[str, tuple[str, ...]]:
    """Return the keys of the blocks that each key in a text stands for: a stage, or tables of another name."""
    tables = {
        stage["tables"]["key"]: tuple(block["key"] for block in blocks_in(stage))
        for stage in draft["stages"]
        if stage.get("tables")
    }
    return {**tables, **blocks_of(draft)}


def pick_of(text: str, draft: Draft, stage: Draft | None = None) -> Pick | None:
    """Return the pick that a text in a file's notation names, for a stage of the draft; None for no or several ones."""
    found = _read((text,), draft, stage)
    return found[0] if len(found) == 1 else None


def _read(texts: Sequence[str], draft: Draft, stage: Draft | None = None) -> list[Pick]:
    """Return the fewest picks in texts; one that counts to the last entrant stays by itself. Others are passed over."""
    groups, blocks = _groups_of(draft), blocks_of(draft)
    picks: list[Pick] = []
    run: list[FileSource] = []

    def size_of(key: str) -> int | None:
        return seeds_of(draft) or None if key == "seed" else _size_before(draft, stage, key)

    for text in texts:
        try:
            sources = parse_sources(text, groups, size_of)
        except ValueError:
            continue
        if takes_rest(text):
            pick = join(sources, blocks)[0]
            picks += [*join(run, blocks), replace(pick, last=pick.first + len(sources) - 1, is_rest=True)]
            run = []
        else:
            run += sources
    return [*picks, *join(run, blocks)]


def _size_before(draft: Draft, stage: Draft | None, key: str) -> int | None:
    """Return the size of a block of a stage before this one; later ones do not count, so that sizes always end."""
    earlier = takewhile(lambda each: each is not stage, draft["stages"])
    sizes = (each for before in earlier for each in zip(blocks_in(before), entry_of(draft, before).sizes, strict=True))
    return next((size for block, size in sizes if block["key"] == key), None)


def grows(draft: Draft, stage: Draft) -> bool:
    """Return whether a stage has more entrants if the competition has."""
    return any(pick.is_rest for pick in entry_of(draft, stage).picks)


def join(sources: Sequence[FileSource], blocks: BlocksOf, *, by_rank: bool = False) -> list[Pick]:
    """Return the fewest picks that give these sources in this order, found from left to right."""
    picks: list[Pick] = []
    place = 0
    while place < len(sources):
        pick, taken = _longest(sources, place, blocks, by_rank=by_rank)
        picks.append(pick)
        place += taken
    return picks


def _longest(sources: Sequence[FileSource], place: int, blocks: BlocksOf, *, by_rank: bool) -> tuple[Pick, int]:
    """Return the pick that covers most of the sources from this place on, with their number."""
    one = _single(sources[place])
    candidates = [one, *_each(sources[place], blocks)]
    best, most = one, 1
    for candidate in candidates:
        grown, length = candidate, 0
        while True:
            wanted = grown.sources(blocks, by_rank=by_rank)
            # A pick block by block may fit only once it has grown to its whole length.
            if list(sources[place : place + len(wanted)]) == wanted:
                length = len(wanted)
                if length > most:
                    best, most = grown, length
            elif by_rank or candidate is one or place + len(wanted) > len(sources):
                break
            grown = replace(grown, last=grown.last + 1)
    return best, most


def _single(source: FileSource) -> Pick:
    if isinstance(source, Seed):
        return Pick(PickKind.SEEDS, "", source.number, source.number)
    if isinstance(source, BestOf):
        return Pick(PickKind.BEST, source.stage, source.number, source.number, source.rank)
    return Pick(PickKind.BLOCK, source.block, source.rank, source.rank)


def _each(source: FileSource, blocks: BlocksOf) -> Iterator[Pick]:
    """Yield the pick of the same rank of all blocks, if the source is that rank of a stage's first block."""
    if isinstance(source, RankOf):
        for stage, own in blocks.items():
            if len(own) > 1 and own[0] == source.block:
                yield Pick(PickKind.EACH, stage, source.rank, source.rank)


def dealt(sizes: Sequence[int], count: int) -> list[int]:
    """Return for each of `count` entrants in order the block, from 0, that a snake deals them to.

    A full block is passed over; entrants for whom no place is left get none, so the list may be shorter.
    """
    left = list(sizes)
    order: list[int] = []
    there_and_back = [*range(len(sizes)), *reversed(range(len(sizes)))]
    while len(order) < min(count, sum(sizes)):
        for block in there_and_back:
            if left[block] and len(order) < count:
                left[block] -= 1
                order.append(block)
    return order


@dataclass(frozen=True, slots=True)
class Entry:
    """Who comes into a stage, how they are spread, and the places of each block."""

    picks: tuple[Pick, ...]
    spread: Spread
    sizes: tuple[int, ...]
    arrange: Arrangement | None = None
    """For tables made from their number: the way in which entrants are spread over them."""


def entry_of(draft: Draft, stage: Draft) -> Entry:
    """Read who comes into a stage. Unreadable texts are passed over; the engine's faults name them."""
    known = blocks_of(draft)
    blocks = blocks_in(stage)
    if stage["assignment"] == "arranged":
        picks = _read(_texts(stage), draft, stage)
        sizes = (stage["tables"].get("size", USUAL_TABLE),) * len(blocks)
        return Entry(tuple(picks), Spread.SNAKE, sizes, Arrangement(stage["arrange"]))
    if stage["assignment"] == "drawn":
        sizes = tuple(int(block.get("size", 0)) for block in blocks)
        return Entry(tuple(_read(_texts(stage), draft, stage)), Spread.DRAWN, sizes)
    if len(blocks) == 1:
        picks = _read(_texts(blocks[0]), draft, stage)
        size = sum(len(pick.sources(known)) for pick in picks)
        return Entry(tuple(picks), Spread.STRAIGHT, (int(blocks[0].get("size", size)),))
    lists = [_sources(block.get("entrants", ()), draft) for block in blocks]
    # A size in a seeded block is a wish that its list does not fulfil yet.
    sizes = tuple(int(block.get("size", len(own))) for block, own in zip(blocks, lists, strict=True))
    straight = join([source for own in lists for source in own], known)
    lengths = [len(own) for own in lists]
    waiting = [iter(own) for own in lists]
    snake = join([next(waiting[block]) for block in dealt(lengths, sum(lengths))], known, by_rank=True)
    if len(snake) < len(straight):
        return Entry(tuple(snake), Spread.SNAKE, sizes)
    return Entry(tuple(straight), Spread.STRAIGHT, sizes)


def _texts(holder: Draft) -> list[str]:
    return [intake["from"] for intake in holder.get("entrants", ())]


def _sources(intakes: Sequence[Draft], draft: Draft) -> list[FileSource]:
    found: list[FileSource] = []
    for intake in intakes:
        try:
            found += parse_sources(intake["from"], _groups_of(draft))
        except ValueError:
            continue
    return found


def write_entry(draft: Draft, stage: Draft, entry: Entry) -> None:
    """Write who comes into a stage into the draft; `stage` is one of its stages, with a block for each size."""
    known = blocks_of(draft)
    cited = {
        intake["from"]: intake
        for holder in (stage, *stage.get("blocks", ()))
        for intake in holder.get("entrants", ())
        if len(intake) > 1
    }

    def intakes(picks: Sequence[Pick]) -> list[Draft]:
        return [cited.get(pick.text, {"from": pick.text}) for pick in picks]

    by_rank = entry.spread is Spread.SNAKE and entry.arrange is None
    sources = [source for pick in entry.picks for source in pick.sources(known, by_rank=by_rank)]
    stage.pop("entrants", None)
    if entry.arrange is not None:
        stage |= {"assignment": "arranged", "arrange": entry.arrange.value, "entrants": intakes(entry.picks)}
        return
    stage["assignment"] = "drawn" if entry.spread is Spread.DRAWN else "seeded"
    if entry.spread is Spread.DRAWN:
        stage["entrants"] = intakes(join(sources, known))
        for block, size in zip(stage["blocks"], entry.sizes, strict=True):
            block.pop("entrants", None)
            block["size"] = max(1, size)
        return
    lists = _spread(sources, entry)
    for block, size, own in zip(stage["blocks"], entry.sizes, lists, strict=True):
        block.pop("size", None)
        block["entrants"] = intakes(joined(entry.picks, known) if len(lists) == 1 else join(own, known))
        if len(own) != size:
            block["size"] = size


def joined(picks: Sequence[Pick], blocks: BlocksOf) -> list[Pick]:
    """Return the fewest picks that give the entrants of these; those that count to the last one stay as they are."""
    found: list[Pick] = []
    for is_rest, run in groupby(picks, lambda pick: pick.is_rest):
        own = list(run)
        found += own if is_rest else join([source for pick in own for source in pick.sources(blocks)], blocks)
    return found


def _spread(sources: Sequence[FileSource], entry: Entry) -> list[list[FileSource]]:
    """Return the sources of each block; those without a place go to the last block, whose size then tells."""
    lists: list[list[FileSource]] = [[] for _ in entry.sizes]
    if entry.spread is Spread.SNAKE:
        order = dealt(entry.sizes, len(sources))
    else:
        order = [block for block, size in enumerate(entry.sizes) for _ in range(size)][: len(sources)]
    order += [len(lists) - 1] * (len(sources) - len(order))
    for block, source in zip(order, sources, strict=True):
        lists[block].append(source)
    return lists


def shares(count: int, blocks: int) -> tuple[int, ...]:
    """Return the sizes of this number of blocks that share the entrants as evenly as possible, larger ones first."""
    least, over = divmod(count, blocks)
    return tuple(least + (number < over) for number in range(blocks))
