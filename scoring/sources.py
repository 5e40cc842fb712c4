"""Sources of a slot's player: the short strings that files, the database and the API share.

    seed:3                    the entrant seeded third
    A#2                       rank 2 of block A
    best:preliminary#5        the best of the entrants ranked fifth in the blocks of that stage
    best:preliminary#5/2      the second best of them
    draw:semifinal            one of that stage's entrants, once the draw has been held
    ruling                    the entrant named by the organizer

A format's file may also give several at once: `seed:1-8`, `A#1-2`, `preliminary#4-5` (ranks 4 and 5 of each
block of that stage, block by block), `best:preliminary#5/1-2`. `seed:*` is every seed, `A#*` every rank of a block,
`A#5-*` the ranks from the fifth to the last.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring.ruleset.base import SentenceError

KEY = r"[A-Za-z][A-Za-z0-9_-]*"
"""Pattern of the key of a stage or a block."""

LARGEST = 10_000
"""The greatest number in a source; no roster is larger."""

_NUMBERS = r"(?:\*|(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}|\*))?)"
_SEED = re.compile(rf"seed:{_NUMBERS}")
_RANK = re.compile(rf"(?P<key>{KEY})#{_NUMBERS}")
_BEST = re.compile(rf"best:(?P<key>{KEY})#(?P<rank>\d{{1,9}})(?:/(?P<first>\d{{1,9}})(?:-(?P<last>\d{{1,9}}))?)?")
_DRAW = re.compile(rf"draw:(?P<key>{KEY})")


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant seeded n-th at the start of the competition."""

    number: int

    def __str__(self) -> str:
        return f"seed:{self.number}"


@dataclass(frozen=True, slots=True)
class RankOf:
    """Rank n of a block, counted without the entrants who were passed over."""

    block: str
    rank: int

    def __str__(self) -> str:
        return f"{self.block}#{self.rank}"


@dataclass(frozen=True, slots=True)
class BestOf:
    """The n-th best of the entrants who hold the same rank in the blocks of a stage."""

    stage: str
    rank: int
    number: int = 1

    @property
    def scope(self) -> str:
        """Return the name of the whole comparison, under which rulings on it are filed."""
        return f"best:{self.stage}#{self.rank}"

    def __str__(self) -> str:
        return self.scope if self.number == 1 else f"{self.scope}/{self.number}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One of the entrants of a stage whose tables are drawn; open until the draw."""

    stage: str

    def __str__(self) -> str:
        return f"draw:{self.stage}"


@dataclass(frozen=True, slots=True)
class RuledSource:
    """The entrant named by the organizer for the slot."""

    def __str__(self) -> str:
        return "ruling"


SENTENCES: Mapping[str, str] = {
    "no_source": "'%(text)s' is no source; allowed are seed:1-8, A#1-2, STAGE#1-2 and best:STAGE#5",
    "falling_range": "'%(text)s' counts from %(first)s to %(last)s; numbers start at 1 and rise",
    "several": "'%(text)s' names %(count)s entrants; a slot takes one",
    "beyond_largest": "'%(text)s' counts to %(last)s; the greatest number is %(largest)s",
    "no_rest": "'%(text)s' counts to the last one, but the size of %(key)s is not known here",
}
"""A sentence for each way in which a text can fail to be a source."""


class SourceError(SentenceError):
    """Raised for a text that names no source; `code` is a key of `SENTENCES`."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(SENTENCES, code, **params)


SEEDS = "seed"
"""Key under which `SizeOf` gives the number of seeds."""

SizeOf = Callable[[str], int | None]
"""Function that returns the number of seeds, or of a block's entrants; None where it is not known."""


FileSource = Seed | RankOf | BestOf
"""A source that a line of a format's file can name."""
Source = FileSource | Drawn | RuledSource


def parse_source(text: str) -> Source:
    """Parse one source from its short string; raise SourceError with the forms allowed."""
    if text == str(RuledSource()):
        return RuledSource()
    if draw := _DRAW.fullmatch(text):
        return Drawn(draw["key"])
    single = parse_sources(text, {})
    if len(single) != 1:
        raise SourceError("several", text=text, count=len(single))
    return single[0]


def parse_sources(
    text: str, blocks_of: Mapping[str, Sequence[str]], size_of: SizeOf = lambda _: None
) -> tuple[FileSource, ...]:
    """Parse every source in a text of a format's file; a stage's key stands for all its blocks.

    `blocks_of` gives each stage's blocks; a key that is not a stage is taken as a block. `size_of` gives the number
    that `*` stands for. Raise SourceError for an unreadable text.
    """
    if seed := _SEED.fullmatch(text):
        return tuple(Seed(number) for number in _range(seed, SEEDS, size_of))
    if best := _BEST.fullmatch(text):
        return tuple(BestOf(best["key"], int(best["rank"]), number) for number in _range(best, best["key"], size_of))
    if rank := _RANK.fullmatch(text):
        blocks = blocks_of.get(rank["key"], (rank["key"],))
        return tuple(RankOf(block, number) for block in blocks for number in _range(rank, block, size_of))
    raise SourceError("no_source", text=text)


def source_key(text: str) -> str:
    """Return the block, the stage or `seed` that a text of sources counts in; empty for an unreadable text."""
    match = _SEED.fullmatch(text) or _BEST.fullmatch(text) or _RANK.fullmatch(text)
    return "" if match is None else match.groupdict().get("key") or SEEDS


def takes_rest(text: str) -> bool:
    """Return whether a text counts to the last seed or rank, so that it depends on the size of the roster."""
    return text.endswith("*")


def _range(match: re.Match[str], key: str, size_of: SizeOf) -> range:
    """Return the numbers from first to last, or a single number; counting starts at 1."""
    first = int(match["first"] or 1)
    last = _last(match, key, size_of) if takes_rest(match.string) else int(match["last"] or first)
    if not 1 <= first <= last:
        raise SourceError("falling_range", text=match.string, first=first, last=last)
    if last > LARGEST:
        raise SourceError("beyond_largest", text=match.string, last=last, largest=LARGEST)
    return range(first, last + 1)


def _last(match: re.Match[str], key: str, size_of: SizeOf) -> int:
    size = size_of(key)
    if size is None:
        raise SourceError("no_rest", text=match.string, key=key)
    return size
