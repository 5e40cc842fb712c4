"""Worked examples of kind `tulip`: a win and the stacks that are left -> flips and chips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulesets.example_kinds.shape import Absent, Context, Example, Mismatch
from scoring.hand import By, NotationError, RiichiKind, Tile, parse_tiles
from scoring.hand.tiles import NAME
from scoring.ruleset import OptionError
from scoring.ruleset.base import Strict
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import FlipMode, InvalidTulipError, NoTulipError, Tulip, Wall, Won, over_wall

NO_MODE = "none"
"""The name that files use for a win without a tulip."""


class BaseTable(Strict):
    """Chips of the win itself, before any multiplier."""

    ippatsu: int = 0
    ura: int = 0
    tiles: int = 0
    yakuman: int = 0
    forced: int = 0


EVENTS: Mapping[str, AwardEvent] = {
    "ippatsu": AwardEvent.IPPATSU,
    "ura": AwardEvent.URA,
    "tiles": AwardEvent.RED,
    "yakuman": AwardEvent.YAKUMAN,
    "forced": AwardEvent.FORCED,
}
"""The events by the keys of `base`."""


class ExpectedTulip(Strict):
    """The results of a tulip to compare."""

    tulip: bool
    start_mode: str | None = None
    end_mode: str | None = None
    guarantees: int | None = None
    guarantees_left: int | None = None
    joined: tuple[str, ...] | None = None
    base: BaseTable | None = None
    flips: tuple[tuple[str, int], ...] | None = None
    taken: tuple[str, ...] | None = None
    hits: int | None = None
    completed: bool | None = None
    total: int | None = None
    payers: str | None = None


class TulipExample(Example):
    """A win and the wall after it."""

    hand: str
    by: str
    nuki: str = ""
    riichi: str = "none"
    ippatsu: bool = False
    opened: bool = False
    limit: str = ""
    yakuman: str = ""
    forced: bool = False
    pocchi_as: str = ""
    dora_indicators: str = ""
    ura_indicators: str = ""
    stacks: tuple[tuple[str, str], ...] = ()
    expect: ExpectedTulip


def differences(example: TulipExample, context: Context) -> Iterator[Mismatch]:
    """Flip the wall and yield the differences from all that the example expects."""
    try:
        rules = context.ruleset.with_options(example.options)
        found = over_wall(won_of(example), wall_of(example), rules)
    except (OptionError, NotationError, NoTulipError, InvalidTulipError) as error:
        yield Mismatch("tulip", "a win whose wall can be flipped", str(error), is_error=True)
        return
    for key, read in READERS.items():
        wanted = getattr(example.expect, key)
        if wanted is None and context.absent is Absent.ZERO:
            wanted = ZERO.get(key)
        if wanted is not None and wanted != read(found):
            yield Mismatch(key, wanted, read(found))


def won_of(example: TulipExample) -> Won:
    """Return the win as the engine's record; raise ValueError for an unknown name or tile."""
    return Won(
        hand=parse_tiles(example.hand),
        by=By(example.by),
        riichi=RiichiKind(example.riichi),
        ippatsu=example.ippatsu,
        opened=example.opened,
        limit=LimitName(example.limit) if example.limit else None,
        yakuman=(YakuName(example.yakuman),) if example.yakuman else (),
        forced=example.forced,
        nuki=parse_tiles(example.nuki),
        pocchi_as=_tile(example.pocchi_as),
        dora_indicators=parse_tiles(example.dora_indicators),
        ura_indicators=parse_tiles(example.ura_indicators),
    )


def wall_of(example: TulipExample) -> Wall:
    """Return the stacks as the engine's record."""
    return tuple((_tile(upper), _tile(lower)) for upper, lower in example.stacks)


def _tile(text: str) -> Tile | None:
    """Return a single tile; None for an empty text."""
    tiles = parse_tiles(text)
    if len(tiles) > 1:
        raise NotationError("not_one_tile", text=text)
    return tiles[0] if tiles else None


def _names(tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    return tuple(NAME[tile] for tile in tiles)


def _mode(mode: FlipMode | None) -> str:
    return NO_MODE if mode is None else mode.value


def _base(tulip: Tulip) -> BaseTable:
    chips = {line.event: line.chips for line in tulip.start.base}
    return BaseTable(**{key: chips.get(event, 0) for key, event in EVENTS.items()})


READERS: Mapping[str, Callable[[Tulip], object]] = {
    "tulip": lambda found: found.start.mode is not None,
    "start_mode": lambda found: _mode(found.start.mode),
    "end_mode": lambda found: _mode(found.state.mode),
    "guarantees": lambda found: found.start.guarantees,
    "guarantees_left": lambda found: found.state.guarantees,
    "joined": lambda found: _names(found.start.joined),
    "base": _base,
    "flips": lambda found: tuple((NAME[step.tile], step.hits) for step in found.steps),
    "taken": lambda found: _names(found.state.taken),
    "hits": lambda found: found.state.hits,
    "completed": lambda found: found.state.is_completed,
    "total": lambda found: found.total,
    "payers": lambda found: found.payers.value,
}
"""The engine's answers, by the keys of `expect`."""

ZERO: Mapping[str, object] = {
    **dict.fromkeys(("guarantees", "guarantees_left", "hits", "total"), 0),
    **dict.fromkeys(("joined", "flips", "taken"), ()),
    "base": BaseTable(),
    "completed": False,
}
"""The meaning of a key left out, in files in which that means zero."""
