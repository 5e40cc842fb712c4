"""The problems of impossible wins and flips, each with a code, a pointer, and a sentence.

A win is checked once, before the first flip; a flip when the tile is turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.hand import By, Situation, Tile
from scoring.hand.book import Book, book_of
from scoring.hand.contradictions import Contradiction, Facts, contradictions
from scoring.hand.tiles import KIND, KINDS, NAME, NO_KIND, POCCHI, TILES
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Wind
from scoring.ruleset.tulip import TulipRules
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import Counts
from scoring.tulip.records import FlipEnd, TulipState, Won

SENTENCES: Mapping[str, str] = {
    "not_a_tile": "{tile} is no tile.",
    "no_such_tile": "There is no {tile} among the tiles of this ruleset.",
    "too_many_alike": "There are {actual} of {tile}, indicators and flips included; the wall has {most}.",
    "tulip_hand_size": "The completed hand has {actual} tiles; there must be {expected}, and one more for each kan.",
    "tulip_five_alike": "The hand has {actual} of {tile}; a hand uses {most} at most.",
    "tulip_bonus_kept": "{tile} is part of no hand but one of sevens; if it was laid aside, enter it there.",
    "tulip_not_aside": "{tile} may not be laid aside under these rules.",
    "tulip_ippatsu": "Ippatsu needs a riichi.",
    "tulip_riichi_opened": "A hand with called tiles cannot have declared riichi.",
    "tulip_no_open_riichi": "These rules have no open riichi.",
    "tulip_ura": "Indicators beneath are turned after riichi only.",
    "tulip_indicators": "There are {actual} indicators; these rules can turn {most}.",
    "tulip_forced": "A deal-in is forced only by an open riichi, on ron, where the rules know it.",
    "tulip_limit": "These rules have no {limit}; they have {known}.",
    "tulip_yakuman": "{yaku} is no yakuman of these rules.",
    "tulip_yakuman_limit": "A hand with a yakuman is worth a yakuman; enter that as its value.",
    "tulip_draw_by_ron": "{yaku} is made at a draw and counts as a self-draw.",
    "tulip_pocchi": "There is no drawn pocchi that could stand for another tile.",
    "tulip_pocchi_as": "A pocchi stands for an ordinary tile of these rules, not for {tile}.",
    "tulip_stacks": "There cannot be {actual} stacks; the wall has {most} at most.",
    "tulip_wall_gap": "Only the last stack can have lost its upper tile, and none its lower one.",
    "tulip_none": "This win is followed by no tulip; nothing is flipped.",
    "tulip_over": "The tulip is over; nothing more is flipped.",
}
"""The English sentence of each code; translations use the same codes and parameters."""

_HAND, _HELD = 14, 13
_LIMITS = tuple(LimitName)


@dataclass(frozen=True, slots=True)
class TulipProblem:
    """One contradiction or invalid value."""

    code: str
    pointer: str
    """The wrong part: "hand", "nuki", "riichi", "flips/3"."""
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return SENTENCES[self.code].format_map(self.params)


Problems = Iterator[TulipProblem]


class InvalidTulipError(ValueError):
    """Raised for an impossible win or flip; `problems` holds all reasons at once."""

    def __init__(self, problems: tuple[TulipProblem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def check_won(won: Won, book: Book, tulip: TulipRules) -> None:
    """Raise InvalidTulipError with all problems of a win."""
    unknown = tuple(_unknown_tiles(won))
    found = unknown or (
        *_copies(won, book),
        *_hand(won, book, tulip),
        *_aside(won, book),
        *_riichi(won, book),
        *_indicators(won, book),
        *_worth(won, book, tulip),
        *_pocchi(won, book),
        *_stacks(won, book),
    )
    if found:
        raise InvalidTulipError(tuple(found))


def check_flip(state: TulipState, tile: Tile, rules: Ruleset) -> None:
    """Raise InvalidTulipError if this tile cannot be flipped now."""
    pointer = f"flips/{len(state.flipped)}"
    if state.end is not None:
        code = "tulip_none" if state.end is FlipEnd.NO_TULIP else "tulip_over"
        raise InvalidTulipError((TulipProblem(code, pointer),))
    if not 0 <= tile < TILES:
        raise InvalidTulipError((TulipProblem("not_a_tile", pointer, {"tile": tile}),))
    seen = (*tiles_of(state.start.won), *state.flipped, tile)
    found = tuple(_too_many(seen, book_of(rules)))
    if found:
        raise InvalidTulipError(tuple(TulipProblem(code, pointer, params) for code, _, params in found))


def check_wall(wall: tuple[tuple[Tile | None, Tile | None], ...]) -> None:
    """Raise InvalidTulipError if tiles are missing at places where they cannot have been drawn."""
    uppers = [upper for upper, _ in wall]
    if None in uppers[:-1] or any(lower is None for _, lower in wall):
        raise InvalidTulipError((TulipProblem("tulip_wall_gap", "stacks"),))


def tiles_of(won: Won) -> tuple[Tile, ...]:
    """Return every tile that is visible with the win."""
    return (*won.hand, *won.nuki, *won.dora_indicators, *won.ura_indicators)


def _unknown_tiles(won: Won) -> Problems:
    """Yield a problem for each number that is not a tile."""
    for pointer in ("hand", "nuki", "dora_indicators", "ura_indicators"):
        for tile in getattr(won, pointer):
            if not 0 <= tile < TILES:
                yield TulipProblem("not_a_tile", pointer, {"tile": tile})


def _copies(won: Won, book: Book) -> Problems:
    """Yield a problem for each tile of which there are more than in the wall."""
    for code, tile, params in _too_many(tiles_of(won), book):
        yield TulipProblem(code, _where(tile, won), params)


def _too_many(tiles: tuple[Tile, ...], book: Book) -> Iterator[tuple[str, Tile, Mapping[str, object]]]:
    """Yield each tile of which there are more than in the wall: code, tile, parameters.

    Unmarked fives are not counted separately: marks are the table's own business, and players do not look for the
    mark on a flipped tile.
    """
    counts = Counter(KIND[tile] for tile in tiles if KIND[tile] != NO_KIND) + Counter(
        tile for tile in tiles if tile >= KINDS
    )
    for tile, actual in sorted(counts.items()):
        most = book.most_copies[tile]
        if actual > most:
            code = "too_many_alike" if most else "no_such_tile"
            yield code, tile, {"tile": NAME[tile], "actual": actual, "most": most}


def _where(tile: Tile, won: Won) -> str:
    """Return a pointer to the first place of a tile, or of any tile of its kind."""
    for pointer in ("hand", "nuki", "dora_indicators"):
        if any(tile in (each, KIND[each]) for each in getattr(won, pointer)):
            return pointer
    return "ura_indicators"


def _hand(won: Won, book: Book, tulip: TulipRules) -> Problems:
    """Yield problems of the hand: fourteen tiles and one more for each kan; thirteen if it was held at a draw."""
    expected = _HELD if any(name in tulip.completed_by for name in won.yakuman) else _HAND
    kinds = Counter(KIND[tile] for tile in won.hand if KIND[tile] != NO_KIND)
    alike, chips = book.play.tiles.alike_in_hand, book.play.chips
    # Only the tiles are known: four equal ones may be a kan or not, so a range of sizes is allowed.
    kans = sum(count >= alike for count in kinds.values())
    if not expected <= len(won.hand) <= expected + kans:
        yield TulipProblem("tulip_hand_size", "hand", {"actual": len(won.hand), "expected": expected})
    if expected == _HELD or any(chips is not None and name in chips.fixed for name in won.yakuman):
        return
    for kind, count in kinds.items():
        if count > alike:
            yield TulipProblem("tulip_five_alike", "hand", {"tile": NAME[kind], "actual": count, "most": alike})
    for tile in sorted({tile for tile in won.hand if KIND[tile] == NO_KIND}):
        yield TulipProblem("tulip_bonus_kept", "hand", {"tile": NAME[tile]})


def _aside(won: Won, book: Book) -> Problems:
    for tile in won.nuki:
        if tile not in book.nuki:
            yield TulipProblem("tulip_not_aside", "nuki", {"tile": NAME[tile]})


def _riichi(won: Won, book: Book) -> Problems:
    """Yield contradictions between riichi and the other circumstances."""
    facts = Facts(
        by=won.by,
        riichi=won.riichi,
        closed=not won.opened,
        ippatsu=won.ippatsu,
        ura=bool(won.ura_indicators),
        forced=won.forced,
    )
    yield from (TulipProblem(*_TOLD_AS[each]) for each in contradictions(facts, book.play.riichi))


_TOLD_AS: Mapping[Contradiction, tuple[str, str]] = {
    Contradiction.IPPATSU_WITHOUT_RIICHI: ("tulip_ippatsu", "ippatsu"),
    Contradiction.URA_WITHOUT_RIICHI: ("tulip_ura", "ura_indicators"),
    Contradiction.RIICHI_WITH_OPEN_HAND: ("tulip_riichi_opened", "riichi"),
    Contradiction.OPEN_RIICHI_NOT_PLAYED: ("tulip_no_open_riichi", "riichi"),
    Contradiction.FORCED_WITHOUT_OPEN_RIICHI: ("tulip_forced", "forced"),
}
"""The code and the wrong part of each contradiction that a flip's facts can hold."""


def _indicators(won: Won, book: Book) -> Problems:
    for pointer in ("dora_indicators", "ura_indicators"):
        actual = len(getattr(won, pointer))
        if actual > book.most_indicators:
            yield TulipProblem("tulip_indicators", pointer, {"actual": actual, "most": book.most_indicators})


def _worth(won: Won, book: Book, tulip: TulipRules) -> Problems:
    """Yield a problem for each limit or yakuman that the book does not have."""
    known = (*(limit.name for limit in book.play.value.limits), LimitName.YAKUMAN)
    if won.limit is not None and won.limit not in known:
        params = {"limit": won.limit.value, "known": ", ".join(each.value for each in known)}
        yield TulipProblem("tulip_limit", "limit", params)
    for name in won.yakuman:
        yaku = book.play.yaku.get(name)
        if yaku is None or yaku.counts is not Counts.YAKUMAN:
            yield TulipProblem("tulip_yakuman", "yakuman", {"yaku": name.value})
        if name in tulip.completed_by and won.by is By.RON:
            yield TulipProblem("tulip_draw_by_ron", "by", {"yaku": name.value})
    if won.yakuman and won.limit is not LimitName.YAKUMAN:
        yield TulipProblem("tulip_yakuman_limit", "limit")


def _pocchi(won: Won, book: Book) -> Problems:
    """Yield problems of a pocchi: it must be drawn, after riichi, and stand for an ordinary tile."""
    if won.pocchi_as is None:
        return
    drawn = Situation(by=won.by, seat_wind=Wind.EAST, riichi=won.riichi, ippatsu=won.ippatsu)
    if POCCHI not in won.hand or not book.is_pocchi_wild(drawn):
        yield TulipProblem("tulip_pocchi", "pocchi_as")
    elif not 0 <= won.pocchi_as < KINDS or not book.most_copies[won.pocchi_as]:
        name = NAME[won.pocchi_as] if 0 <= won.pocchi_as < TILES else str(won.pocchi_as)
        yield TulipProblem("tulip_pocchi_as", "pocchi_as", {"tile": name})


def _stacks(won: Won, book: Book) -> Problems:
    most = book.play.tiles.total // 2
    if won.stacks is not None and not 0 <= won.stacks <= most:
        yield TulipProblem("tulip_stacks", "stacks", {"actual": won.stacks, "most": most})


def is_from(limit: LimitName | None, least: LimitName) -> bool:
    """Return whether a hand of this limit is worth at least `least`."""
    return limit is not None and _LIMITS.index(limit) >= _LIMITS.index(least)
