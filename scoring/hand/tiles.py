"""Tiles as small numbers, and their notation.

The one idea: the first 34 numbers are the kinds (characters, circles, bamboos, honours). Marked copies (red, gold,
the blank white dragon) and bonus tiles follow, and `KIND` maps every copy to its kind. A set of tiles is one packed
number with five bits for the count of each kind, and above them for each marked or bonus tile. Adding tiles is
adding numbers, and a test of a whole hand is one mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Tile = int
"""A tile: a kind (0 to 33), or a marked or bonus tile (34 to 46)."""
Kind = int
"""0-8 characters, 9-17 circles, 18-26 bamboos, 27-30 winds from East, 31-33 white, green and red dragon."""

KINDS = 34
EAST, SOUTH, WEST, NORTH, HAKU, HATSU, CHUN = range(27, 34)
RED: dict[str, Tile] = {"m": 34, "p": 35, "s": 36}
GOLD: dict[str, Tile] = {"m": 37, "p": 38, "s": 39}
POCCHI: Tile = 40
FLOWERS: tuple[Tile, ...] = (41, 42, 43, 44)
RED_BINGO: Tile = 45
BLUE_BINGO: Tile = 46
BINGO: tuple[Tile, ...] = (RED_BINGO, BLUE_BINGO)
TILES = 47

NO_KIND = -1
"""The value in `KIND` of a tile that belongs to no set."""

FIVES: dict[str, Kind] = {"m": 4, "p": 13, "s": 22}
_MARKED: dict[Tile, Kind] = {
    **{RED[suit]: five for suit, five in FIVES.items()},
    **{GOLD[suit]: five for suit, five in FIVES.items()},
    POCCHI: HAKU,
}
KIND: tuple[Kind, ...] = tuple(tile if tile < KINDS else _MARKED.get(tile, NO_KIND) for tile in range(TILES))

BITS = 5
"""The bits for the count of one kind in packed tiles: enough for every copy there can be."""
UNIT: tuple[int, ...] = tuple(1 << (BITS * kind) for kind in range(KINDS))
"""One tile of each kind, packed."""
UNMARKED: dict[Kind, int] = {kind: TILES + number for number, kind in enumerate((*FIVES.values(), HAKU))}
"""The slots that count the unmarked tiles of kinds that also have marked ones."""
SLOTS = TILES + len(UNMARKED)


def _weight(tile: Tile, kind: Kind) -> int:
    """Return the packed number of a tile: one of its kind, and one in its own slot or the slot of unmarked tiles."""
    own = tile if tile >= KINDS else UNMARKED.get(tile)
    return (UNIT[kind] if kind != NO_KIND else 0) + (0 if own is None else 1 << (BITS * own))


WEIGHT: tuple[int, ...] = tuple(_weight(tile, kind) for tile, kind in enumerate(KIND))
"""Each tile, packed: add the weights of tiles to pack them."""
WEIGHTS: dict[Tile, int] = dict(enumerate(WEIGHT))
"""The same as a dict, which raises KeyError for a number that is not a tile."""
COUNT = (1 << BITS) - 1
BONUS = sum(COUNT << (BITS * tile) for tile in (*FLOWERS, *BINGO))
"""The mask of the counts of bonus tiles in packed tiles."""
ALL_KINDS = (1 << (BITS * KINDS)) - 1
"""The mask of the counts of all kinds in packed tiles."""


def mask(kinds: Iterable[Kind]) -> int:
    """Return the mask of the counts of these kinds in packed tiles."""
    return sum(COUNT << (BITS * kind) for kind in kinds)


SUITS: tuple[range, ...] = (range(9), range(9, 18), range(18, 27))
HONOURS = range(27, 34)
WINDS = range(27, 31)
DRAGONS = range(31, 34)
TERMINALS: tuple[Kind, ...] = (0, 8, 9, 17, 18, 26)
OUTSIDE: tuple[Kind, ...] = (*TERMINALS, *HONOURS)
"""Terminals and honours."""
GREEN: tuple[Kind, ...] = (19, 20, 21, 23, 25, HATSU)

SUIT_MASKS: tuple[int, ...] = tuple(mask(kinds) for kinds in (*SUITS, HONOURS))


SENTENCES: Mapping[str, str] = {
    "not_a_letter": "“{letter}” at place {place} of “{text}” is neither a number nor a suit (m p s z f b).",
    "no_numbers": "The suit “{letter}” at place {place} of “{text}” has no numbers before it.",
    "no_tile": "There is no tile “{name}” (before place {place} of “{text}”).",
    "no_suit": "“{name}” at the end of “{text}” has no suit after it.",
    "too_long": "“{text}…” is too long to be a hand.",
    "not_one_tile": "The winning tile “{text}” must be one tile.",
    "no_meld_kind": "The meld “{text}” must be written as kind:tiles, the kind one of {known}.",
    "win_not_in_hand": "The winning tile “{win}” is not in the hand “{text}”.",
    "win_twice": "The winning tile is given twice: “{win}” and “{text}”.",
    "no_tiles": "There are no tiles yet.",
}
"""The English sentence of each code; translations use the same codes and parameters."""


class NotationError(ValueError):
    """Raised for text that cannot be parsed as tiles; `code` and `params` say why and at which place."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(SENTENCES[code].format_map(params))
        self.code = code
        self.params = params


LONGEST = 200
"""The most characters that are parsed; a hand written tile by tile needs fewer."""
_SHOWN = 40
_PLAIN: dict[str, Tile] = {
    f"{number}{'mps'[suit]}": 9 * suit + number - 1 for suit in range(3) for number in range(1, 10)
}
_PLAIN |= {f"{number}z": 26 + number for number in range(1, 8)}
_SPECIAL: dict[str, Tile] = {
    **{f"0{suit}": tile for suit, tile in RED.items()},
    **{f"g{suit}": tile for suit, tile in GOLD.items()},
    "wz": POCCHI,
    **{f"{number}f": tile for number, tile in enumerate(FLOWERS, start=1)},
    "1b": RED_BINGO,
    "2b": BLUE_BINGO,
}
NAMED: dict[str, Tile] = _PLAIN | _SPECIAL
"""Every tile by its name: `5m`, `0m` red, `gs` gold, `1z` to `7z`, `wz` pocchi, `1f` to `4f`, `1b`, `2b`."""
NAME: tuple[str, ...] = tuple(name for name, _ in sorted(NAMED.items(), key=lambda item: item[1]))


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Parse tiles such as `123m0p55z`: numbers, then the letter of their suit.

    Raise NotationError with the place of the part that cannot be read.
    """
    if len(text) > LONGEST:
        raise NotationError("too_long", text=text[:_SHOWN])
    tiles: list[Tile] = []
    waiting = ""
    for place, letter in enumerate(text, start=1):
        if letter in "0123456789gw":
            waiting += letter
            continue
        if letter not in "mpszfb":
            raise NotationError("not_a_letter", letter=letter, place=place, text=text)
        if not waiting:
            raise NotationError("no_numbers", letter=letter, place=place, text=text)
        try:
            tiles += [NAMED[number + letter] for number in waiting]
        except KeyError as unknown:
            raise NotationError("no_tile", name=unknown.args[0], place=place, text=text) from None
        waiting = ""
    if waiting:
        raise NotationError("no_suit", name=waiting, text=text)
    return tuple(tiles)


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Write tiles in the notation of `parse_tiles`, in the order given."""
    written: list[str] = []
    suit = ""
    for name in (NAME[tile] for tile in tiles):
        number, letter = name[0], name[1]
        if suit and letter != suit:
            written.append(suit)
        written.append(number)
        suit = letter
    return "".join(written) + suit
