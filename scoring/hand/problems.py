"""The problems of an impossible hand or situation, each with a pointer to the wrong part.

`Case` calls this only after a cheap sum has shown that something may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.hand.book import Book
from scoring.hand.contradictions import Contradiction, Facts, contradictions
from scoring.hand.melds import MeldKind
from scoring.hand.notation import Hand
from scoring.hand.situation import Liability, RiichiKind, Robbed, Situation
from scoring.hand.tiles import (
    BITS,
    COUNT,
    KIND,
    KINDS,
    NAME,
    POCCHI,
    TILES,
    UNMARKED,
    WEIGHT,
    Tile,
    tiles_text,
)
from scoring.ruleset.base import Wind
from scoring.ruleset.tiles import SetAside
from scoring.value import By

SENTENCES: Mapping[str, str] = {
    "tile_count": "The hand has {actual} concealed tiles and {melds} melds; beside the winning tile there must be "
    "{expected} concealed tiles.",
    "no_such_tile": "There is no {tile} among the tiles of this ruleset.",
    "too_many_alike": "There are {actual} of {tile}, indicators included; the wall has {most}.",
    "too_many_plain": "There are {actual} plain {tile}, indicators included; the wall has {most} that are not marked.",
    "no_meld": "{meld} is no meld: {kind} needs {needs}.",
    "chi_not_allowed": "{meld} is a chi; under these rules no player may call one.",
    "nuki_not_allowed": "{tile} may not be set aside under these rules.",
    "not_a_tile": "{tile} is no tile.",
    "unknown_seat": "No seat is {wind} here; the seats are {known}.",
    "unknown_round": "There is no round {round}; the rounds are {known}.",
    "too_many_indicators": "There are {actual} indicators; these rules can turn {most}.",
    "negative": "{actual} cannot be: enter 0 or more.",
    "ippatsu_without_riichi": "Ippatsu needs a riichi.",
    "ura_without_riichi": "Ura dora need a riichi: leave the indicators out, or enter the riichi.",
    "riichi_with_open_hand": "A hand with called tiles cannot have declared riichi.",
    "open_riichi_not_played": "These rules have no open riichi.",
    "haitei_with_ron": "The last tile of the wall is drawn; for the last discard there is houtei.",
    "houtei_with_tsumo": "The last discard is won by ron; for the last tile of the wall there is haitei.",
    "rinshan_with_ron": "A replacement tile is drawn; it cannot be won by ron.",
    "rinshan_without_kan": "A win on a replacement tile needs a kan, or a tile set aside where that counts.",
    "rinshan_with_ippatsu": "A kan of one's own ends ippatsu.",
    "unshown_with_ron": "A tile won by ron is shown by the discarder; only a drawn tile can be mixed with the others.",
    "robbed_with_tsumo": "A tile can only be robbed by ron.",
    "robbed_with_houtei": "A tile that is robbed is not the last discard.",
    "first_turn_with_meld": "After a call or a kan it is no longer the first turn.",
    "first_turn_with_riichi": "Complete before the first discard, a hand has not declared riichi.",
    "first_turn_of_dealer_by_ron": "The dealer has discarded before another player's tile can be won on.",
    "first_turn_with_last_tile": "The first turn does not end the wall, and follows no kan.",
    "forced_without_open_riichi": "A deal-in is forced only by an open riichi, on ron, where the rules know it.",
    "forced_with_robbed": "A robbed tile is no discard that could be forced: enter one of the two.",
    "pocchi_as_without_pocchi": "The winning tile is no pocchi that could stand for another tile.",
    "pocchi_as_no_tile": "A pocchi stands for an ordinary tile of this ruleset, not for {tile}.",
    "discarder_with_tsumo": "On a self-draw no player deals in.",
    "discarder_is_winner": "The winner cannot deal in to their own hand.",
    "liable_is_winner": "The winner cannot be liable for their own hand.",
    "liability_not_played": "These rules know no liability for {yaku}.",
}
"""The English sentence of each code; translations use the same codes and parameters."""


@dataclass(frozen=True, slots=True)
class HandProblem:
    """One contradiction or invalid value."""

    code: str
    pointer: str
    """The wrong part: "concealed", "melds/1", "win", "situation/ippatsu"."""
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return SENTENCES[self.code].format_map(self.params)


class InvalidHandError(ValueError):
    """Raised for an impossible hand; `problems` holds all reasons at once."""

    def __init__(self, problems: tuple[HandProblem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def problems(hand: Hand, situation: Situation, book: Book) -> Iterator[HandProblem]:
    """Yield every problem of a hand and its situation under a ruleset.

    Unknown tiles are reported alone: the other checks index tables by tile.
    """
    unknown = tuple(_unknown_tiles(hand, situation))
    yield from unknown
    if unknown:
        return
    yield from _tiles(hand, situation, book)
    yield from _melds(hand, book)
    yield from _places(situation, book)
    yield from _flags(hand, situation, book)
    yield from _numbers(situation, book)
    yield from _pocchi(hand, situation, book)
    yield from _payers(situation, book)


def _unknown_tiles(hand: Hand, situation: Situation) -> Iterator[HandProblem]:
    """Yield a problem for each number that is not a tile."""
    places = {
        "concealed": hand.concealed,
        "win": (hand.win,),
        "nuki": hand.nuki,
        "situation/dora_indicators": situation.dora_indicators,
        "situation/ura_indicators": situation.ura_indicators,
        **{f"melds/{number}": meld.tiles for number, meld in enumerate(hand.melds)},
    }
    for pointer, tiles in places.items():
        for tile in tiles:
            if not 0 <= tile < len(NAME):
                yield HandProblem("not_a_tile", pointer, {"tile": tile})


def _tiles(hand: Hand, situation: Situation, book: Book) -> Iterator[HandProblem]:
    expected = 13 - 3 * len(hand.melds)
    if len(hand.concealed) != expected:
        params = {"actual": len(hand.concealed), "melds": len(hand.melds), "expected": expected}
        yield HandProblem("tile_count", "concealed", params)
    melded = [tile for meld in hand.melds for tile in meld.tiles]
    indicators = [*situation.dora_indicators, *situation.ura_indicators]
    packed = sum(WEIGHT[tile] for tile in (*hand.concealed, hand.win, *melded, *hand.nuki, *indicators))
    for slot, most in enumerate(book.most_copies):
        actual = packed >> (BITS * slot) & COUNT
        if actual > most:
            tile = slot if slot < TILES else _UNMARKED_KINDS[slot - TILES]
            # The kind itself is not in the wall: `no_such_tile` has already been reported for it.
            if slot >= TILES and not book.most_copies[tile]:
                continue
            code = "no_such_tile" if not most else "too_many_alike" if slot < TILES else "too_many_plain"
            yield HandProblem(code, _where(tile, hand), {"tile": NAME[tile], "actual": actual, "most": most})


def _where(tile: Tile, hand: Hand) -> str:
    """Return a pointer to the first place of a tile, or of any tile of its kind."""

    def is_there(tiles: tuple[Tile, ...]) -> bool:
        return tile in tiles or any(KIND[each] == tile for each in tiles)

    if is_there(hand.concealed):
        return "concealed"
    for number, meld in enumerate(hand.melds):
        if is_there(meld.tiles):
            return f"melds/{number}"
    if is_there((hand.win,)):
        return "win"
    return "nuki" if is_there(hand.nuki) else "situation/dora_indicators"


_UNMARKED_KINDS = tuple(UNMARKED)
_NEEDS = {
    MeldKind.CHI: "three consecutive numbers of one suit",
    MeldKind.PON: "three equal tiles",
    MeldKind.MINKAN: "four equal tiles",
    MeldKind.KAKAN: "four equal tiles",
    MeldKind.ANKAN: "four equal tiles",
}


def _melds(hand: Hand, book: Book) -> Iterator[HandProblem]:
    for number, meld in enumerate(hand.melds):
        if meld.called is None:
            params = {"meld": str(meld), "kind": meld.kind.value, "needs": _NEEDS[meld.kind]}
            yield HandProblem("no_meld", f"melds/{number}", params)
        elif meld.kind is MeldKind.CHI and not book.play.calls.chi:
            yield HandProblem("chi_not_allowed", f"melds/{number}", {"meld": str(meld)})
    for number, tile in enumerate(hand.nuki):
        if tile not in book.nuki:
            yield HandProblem("nuki_not_allowed", f"nuki/{number}", {"tile": NAME[tile]})


def _places(situation: Situation, book: Book) -> Iterator[HandProblem]:
    setup = book.rules.setup
    known = {
        "seat_wind": situation.seat_wind,
        "discarder": situation.discarder,
        **{f"liable/{number}": each.seat for number, each in enumerate(situation.liable)},
    }
    for pointer, wind in known.items():
        if wind is not None and wind not in setup.seat_winds:
            params = {"wind": wind.value, "known": ", ".join(setup.seat_winds)}
            yield HandProblem("unknown_seat", f"situation/{pointer}", params)
    if situation.round not in setup.round_winds:
        params = {"round": situation.round.value, "known": ", ".join(setup.round_winds)}
        yield HandProblem("unknown_round", "situation/round", params)


def _flags(hand: Hand, situation: Situation, book: Book) -> Iterator[HandProblem]:
    yield from contradictory(hand, situation, book)
    if situation.ura_indicators and situation.riichi is RiichiKind.NONE:
        yield _contradiction(Contradiction.URA_WITHOUT_RIICHI)


def contradictory(hand: Hand, situation: Situation, book: Book) -> Iterator[HandProblem]:
    """Yield a problem for each circumstance that another one excludes."""
    # Some books give rinshan on the replacement of a tile set aside as well (`nuki.*.rinshan`).
    by_nuki = bool(hand.nuki) and any(book.play.nuki[kind].rinshan for kind in SetAside if kind in book.play.nuki)
    facts = Facts(
        by=situation.by,
        riichi=situation.riichi,
        closed=all(meld.kind is MeldKind.ANKAN for meld in hand.melds),
        ippatsu=situation.ippatsu,
        forced=situation.forced,
        robbed=situation.robbed is not Robbed.NOTHING,
        haitei=situation.haitei,
        houtei=situation.houtei,
        rinshan=situation.rinshan,
        can_be_rinshan=by_nuki or any(meld.kind not in (MeldKind.CHI, MeldKind.PON) for meld in hand.melds),
        unshown=situation.unshown,
        first_turn=situation.first_turn,
        has_melds=bool(hand.melds),
        dealer=situation.seat_wind is Wind.EAST,
    )
    yield from map(_contradiction, contradictions(facts, book.play.riichi))


def _contradiction(found: Contradiction) -> HandProblem:
    return HandProblem(found.value, f"situation/{_FIELD_OF[found]}")


_FIELD_OF: Mapping[Contradiction, str] = {
    Contradiction.IPPATSU_WITHOUT_RIICHI: "ippatsu",
    Contradiction.URA_WITHOUT_RIICHI: "ura_indicators",
    Contradiction.RIICHI_WITH_OPEN_HAND: "riichi",
    Contradiction.OPEN_RIICHI_NOT_PLAYED: "riichi",
    Contradiction.FORCED_WITHOUT_OPEN_RIICHI: "forced",
    Contradiction.FORCED_WITH_ROBBED: "forced",
    Contradiction.ROBBED_WITH_TSUMO: "robbed",
    Contradiction.ROBBED_WITH_HOUTEI: "robbed",
    Contradiction.HAITEI_WITH_RON: "haitei",
    Contradiction.HOUTEI_WITH_TSUMO: "houtei",
    Contradiction.RINSHAN_WITH_RON: "rinshan",
    Contradiction.RINSHAN_WITHOUT_KAN: "rinshan",
    Contradiction.RINSHAN_WITH_IPPATSU: "ippatsu",
    Contradiction.UNSHOWN_WITH_RON: "unshown",
    Contradiction.FIRST_TURN_WITH_MELD: "first_turn",
    Contradiction.FIRST_TURN_WITH_RIICHI: "first_turn",
    Contradiction.FIRST_TURN_WITH_LAST_TILE: "first_turn",
    Contradiction.FIRST_TURN_OF_DEALER_BY_RON: "first_turn",
}
"""The field of the situation that each contradiction is about."""


def _numbers(situation: Situation, book: Book) -> Iterator[HandProblem]:
    for name in ("honba", "deposits"):
        if (actual := getattr(situation, name)) < 0:
            yield HandProblem("negative", f"situation/{name}", {"actual": actual})
    most = book.most_indicators
    for name in ("dora_indicators", "ura_indicators"):
        if (actual := len(getattr(situation, name))) > most:
            yield HandProblem("too_many_indicators", f"situation/{name}", {"actual": actual, "most": most})


def _pocchi(hand: Hand, situation: Situation, book: Book) -> Iterator[HandProblem]:
    if situation.pocchi_as is None:
        return
    if hand.win != POCCHI or not book.is_pocchi_wild(situation):
        yield HandProblem("pocchi_as_without_pocchi", "situation/pocchi_as")
    elif not 0 <= situation.pocchi_as < KINDS or not book.most_copies[situation.pocchi_as]:
        name = NAME[situation.pocchi_as] if 0 <= situation.pocchi_as < len(NAME) else str(situation.pocchi_as)
        yield HandProblem("pocchi_as_no_tile", "situation/pocchi_as", {"tile": name})


def _payers(situation: Situation, book: Book) -> Iterator[HandProblem]:
    if situation.discarder is not None:
        if situation.by is By.TSUMO:
            yield HandProblem("discarder_with_tsumo", "situation/discarder")
        if situation.discarder is situation.seat_wind:
            yield HandProblem("discarder_is_winner", "situation/discarder")
    for number, each in enumerate(situation.liable):
        pointer = f"situation/liable/{number}"
        if each.seat is situation.seat_wind:
            yield HandProblem("liable_is_winner", pointer)
        if not _is_played(each, book):
            name = "an open kan" if each.yaku is None else each.yaku.value
            yield HandProblem("liability_not_played", pointer, {"yaku": name})


def _is_played(liability: Liability, book: Book) -> bool:
    rules = book.play.pao
    if rules is None:
        return False
    return rules.open_kan if liability.yaku is None else liability.yaku in rules.yaku


def tiles_of(hand: Hand) -> str:
    """Return the concealed tiles with the winning one, in notation."""
    return tiles_text((*sorted(hand.concealed), hand.win))
