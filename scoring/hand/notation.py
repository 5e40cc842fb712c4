"""A winning hand as it lies on the table: concealed tiles, melds in the order of calling, the winning tile.

Nothing here depends on a ruleset: a hand is stored as entered, and `Case` checks that it is possible.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring.hand.melds import MELDS, Called, MeldKind
from scoring.hand.shapes import by_suit
from scoring.hand.tiles import ALL_KINDS, BONUS, WEIGHTS, NotationError, Tile, parse_tiles, tiles_text
from scoring.hand.yaku.tiles import signature as sorts_of


def pack(tiles: tuple[Tile, ...]) -> int:
    """Return the tiles packed into one number; -1 if one of them is not a tile."""
    try:
        return sum(map(_weigh, tiles))
    except KeyError:
        return -1


_weigh = WEIGHTS.__getitem__
_TILES, _IN_MELD = 13, 3
NUKI = "nuki"
"""The prefix of tiles set aside as bonus tiles, as written among the melds."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    packed: int = field(init=False, repr=False, compare=False)
    """The tiles packed; -1 if one of them is not a tile."""
    called: Called | None = field(init=False, repr=False, compare=False)
    """The set that this meld is; None if its tiles do not make one."""

    def __post_init__(self) -> None:
        packed = pack(self.tiles)
        object.__setattr__(self, "packed", packed)
        is_plain = packed >= 0 and not packed & BONUS
        # Masked by kind, so that a red five is an ordinary five of its set.
        object.__setattr__(self, "called", MELDS[self.kind].get(packed & ALL_KINDS) if is_plain else None)

    def __str__(self) -> str:
        return f"{self.kind.value}:{tiles_text(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Hand:
    """A winning hand. Each meld takes three of the 13 concealed tiles; `win` is the fourteenth tile."""

    concealed: tuple[Tile, ...]
    """Without the winning tile, in any order."""
    win: Tile
    melds: tuple[Meld, ...] = ()
    """In the order in which they were called; an added kan keeps the place of its pon."""
    nuki: tuple[Tile, ...] = ()
    """Bonus tiles set aside."""
    packed: int = field(init=False, repr=False, compare=False)
    """The concealed tiles with the winning one, packed."""
    melded: int = field(init=False, repr=False, compare=False)
    """The tiles of the melds, packed."""
    suits: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)
    """The concealed tiles with the winning one by kind, packed suit by suit, honours last."""
    kinds: int = field(init=False, repr=False, compare=False)
    """All tiles by kind, packed, melds included."""
    sorts: int = field(init=False, repr=False, compare=False)
    """The sorts of tiles, as `scoring.hand.yaku.tiles.signature` encodes them."""
    seen: int = field(init=False, repr=False, compare=False)
    """All tiles packed, with those set aside; -1 if they cannot be a hand: an invalid tile, meld or number of tiles."""
    called: tuple[Called, ...] = field(init=False, repr=False, compare=False)
    """The melds as sets."""
    bits: int = field(init=False, repr=False, compare=False)
    """The bits of the melds, as in a reading."""
    features: int = field(init=False, repr=False, compare=False)
    """The features of the melds, to be added to those of every reading."""
    kans: int = field(init=False, repr=False, compare=False)
    closed_kans: int = field(init=False, repr=False, compare=False)
    closed: bool = field(init=False, repr=False, compare=False)
    """True if nothing was called; concealed kans do not open a hand."""
    has_chi: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        melds = self.melds
        parts = [pack((*self.concealed, self.win)), pack(self.nuki), *(meld.packed for meld in melds)]
        called = tuple(each for meld in melds if (each := meld.called) is not None)
        tiles = len(self.concealed) + _IN_MELD * len(melds)
        is_hand = min(parts) >= 0 and len(called) == len(melds) and tiles == _TILES
        melded = sum(parts[2:])
        # `+` binds tighter than `&`: all tiles are added, then marks and bonus tiles are masked out.
        kinds = parts[0] + melded & ALL_KINDS
        kans = sum(each.is_kan for each in called)
        closed_kans = sum(each.is_closed for each in called)
        put = object.__setattr__
        put(self, "packed", parts[0])
        put(self, "melded", melded)
        put(self, "suits", by_suit(parts[0]))
        put(self, "kinds", kinds)
        put(self, "sorts", sorts_of(kinds))
        put(self, "seen", sum(parts) if is_hand else -1)
        put(self, "called", called)
        # Two equal chi share one bit: a plain sum would carry into the next one.
        put(self, "bits", sum(each.bits for each in {each.bits: each for each in called}.values()))
        put(self, "features", sum(each.features for each in called))
        put(self, "kans", kans)
        put(self, "closed_kans", closed_kans)
        put(self, "closed", closed_kans == len(melds))
        put(self, "has_chi", any(each.is_run for each in called))

    @classmethod
    def parse(cls, concealed: str, win: str, melds: tuple[str, ...] = ()) -> Hand:
        """Parse a hand from notation: `Hand.parse("123m22p355s", "6s", ("pon:777p", "nuki:4z"))`.

        Raise NotationError with the text and the place that cannot be read.
        """
        winning = parse_tiles(win)
        if len(winning) != 1:
            raise NotationError("not_one_tile", text=win)
        called, nuki = parse_melds(melds)
        return cls(concealed=parse_tiles(concealed), win=winning[0], melds=called, nuki=nuki)

    @classmethod
    def parse_complete(cls, tiles: str, win: str, melds: tuple[str, ...] = ()) -> Hand:
        """Parse a hand whose concealed tiles include the winning one.

        Raise NotationError if the winning tile is not among them, or if something cannot be read.
        """
        hand = cls.parse(tiles, win, melds)
        if hand.win not in hand.concealed:
            raise NotationError("win_not_in_hand", win=win, text=tiles)
        place = hand.concealed.index(hand.win)
        return cls(hand.concealed[:place] + hand.concealed[place + 1 :], hand.win, hand.melds, hand.nuki)

    @classmethod
    def read(cls, line: str, win: str = "") -> Hand:
        """Parse a hand written in one line as `str` writes it: `123m22p355s pon:777p nuki:4z + 6s`.

        Without a plus, `win` names one of the tiles; without `win` the last tile is the winning one. Raise
        NotationError as `parse` does.
        """
        tiles, drawn, melds = split_line(line)
        if drawn and win:
            raise NotationError("win_twice", win=drawn, text=win)
        if drawn:
            return cls.parse(tiles, drawn, melds)
        if not win:
            win = tiles_text(parse_tiles(tiles)[-1:])
        if not win:
            raise NotationError("no_tiles")
        return cls.parse_complete(tiles, win, melds)

    def __str__(self) -> str:
        parts = [tiles_text(self.concealed), *map(str, self.melds)]
        if self.nuki:
            parts.append(f"{NUKI}:{tiles_text(self.nuki)}")
        return f"{' '.join(parts)} + {tiles_text((self.win,))}"


def split_line(line: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the parts of a hand in one line: concealed tiles, the winning tile after a plus, and the melds."""
    before, _plus, after = line.partition("+")
    found = [part for part in before.split() if ":" not in part]
    melds = tuple(part for part in (*before.split(), *after.split()) if ":" in part)
    return "".join(found), "".join(part for part in after.split() if ":" not in part), melds


def parse_melds(melds: tuple[str, ...]) -> tuple[tuple[Meld, ...], tuple[Tile, ...]]:
    """Parse melds, and the tiles set aside among them; raise NotationError as `Hand.parse` does."""
    found = [_meld(text) for text in melds]
    called = tuple(each for each in found if isinstance(each, Meld))
    return called, tuple(tile for each in found if isinstance(each, tuple) for tile in each)


def _meld(text: str) -> Meld | tuple[Tile, ...]:
    """Return a parsed meld, or for `nuki:` a tuple of tiles."""
    name, colon, tiles = text.partition(":")
    if not colon or name not in (*MeldKind, NUKI):
        raise NotationError("no_meld_kind", text=text, known=", ".join((*MeldKind, NUKI)))
    found = parse_tiles(tiles)
    return found if name == NUKI else Meld(MeldKind(name), found)
