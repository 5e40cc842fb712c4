"""A winning hand as it lies on the table: concealed tiles, melds in the order of calling, the winning tile.

Nothing here knows a ruleset: a hand is what somebody wrote down. Whether it can be is `check`'s question.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring.hand.melds import MELDS, Called, MeldKind
from scoring.hand.shapes import by_suit
from scoring.hand.tiles import ALL_KINDS, BONUS, WEIGHTS, NotationError, Tile, parse_tiles, tiles_text
from scoring.hand.yaku.tiles import signature as sorts_of


def pack(tiles: tuple[Tile, ...]) -> int:
    """Tiles packed into one number; -1 if one of them is none."""
    try:
        return sum(map(_weigh, tiles))
    except KeyError:
        return -1


_weigh = WEIGHTS.__getitem__
_TILES, _IN_MELD = 13, 3
NUKI = "nuki"
"""How tiles set aside as bonus tiles are written among the melds."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    packed: int = field(init=False, repr=False, compare=False)
    """The tiles packed; -1 if one of them is none."""
    called: Called | None = field(init=False, repr=False, compare=False)
    """The set it is, if it is one."""

    def __post_init__(self) -> None:
        packed = pack(self.tiles)
        object.__setattr__(self, "packed", packed)
        is_plain = packed >= 0 and not packed & BONUS
        object.__setattr__(self, "called", MELDS[self.kind].get(packed & ALL_KINDS) if is_plain else None)

    def __str__(self) -> str:
        return f"{self.kind.value}:{tiles_text(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that is won. With three tiles for every meld, the concealed tiles are 13; `win` is the fourteenth."""

    concealed: tuple[Tile, ...]
    """Without the winning tile, in any order."""
    win: Tile
    melds: tuple[Meld, ...] = ()
    """In the order in which they were called; an added kan stands where its pon stood."""
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
    """Which sorts of tiles there are."""
    seen: int = field(init=False, repr=False, compare=False)
    """All tiles packed, those set aside too; -1 if they cannot be a hand: no tiles, too many, no melds."""
    called: tuple[Called, ...] = field(init=False, repr=False, compare=False)
    """The melds as sets."""
    bits: int = field(init=False, repr=False, compare=False)
    features: int = field(init=False, repr=False, compare=False)
    """What the melds bring to every reading."""
    kans: int = field(init=False, repr=False, compare=False)
    closed_kans: int = field(init=False, repr=False, compare=False)
    closed: bool = field(init=False, repr=False, compare=False)
    """Nothing was called; concealed kans do not open a hand."""
    has_chi: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        melds = self.melds
        parts = [pack((*self.concealed, self.win)), pack(self.nuki), *(meld.packed for meld in melds)]
        called = tuple(each for meld in melds if (each := meld.called) is not None)
        tiles = len(self.concealed) + _IN_MELD * len(melds)
        is_hand = min(parts) >= 0 and len(called) == len(melds) and tiles == _TILES
        melded = sum(parts[2:])
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
        put(self, "bits", sum(each.bits for each in {each.bits: each for each in called}.values()))
        put(self, "features", sum(each.features for each in called))
        put(self, "kans", kans)
        put(self, "closed_kans", closed_kans)
        put(self, "closed", closed_kans == len(melds))
        put(self, "has_chi", any(each.is_run for each in called))

    @classmethod
    def parse(cls, concealed: str, win: str, melds: tuple[str, ...] = ()) -> Hand:
        """Read a hand from notation: `Hand.parse("123m22p355s", "6s", ("pon:777p", "nuki:4z"))`.

        Raise NotationError saying what cannot be read, and where.
        """
        winning = parse_tiles(win)
        if len(winning) != 1:
            raise NotationError("not_one_tile", text=win)
        called, nuki = parse_melds(melds)
        return cls(concealed=parse_tiles(concealed), win=winning[0], melds=called, nuki=nuki)

    @classmethod
    def parse_complete(cls, tiles: str, win: str, melds: tuple[str, ...] = ()) -> Hand:
        """Read a hand whose tiles are written with the winning one among them.

        Raise NotationError if it is not among them, or if something cannot be read.
        """
        hand = cls.parse(tiles, win, melds)
        if hand.win not in hand.concealed:
            raise NotationError("win_not_in_hand", win=win, text=tiles)
        place = hand.concealed.index(hand.win)
        return cls(hand.concealed[:place] + hand.concealed[place + 1 :], hand.win, hand.melds, hand.nuki)

    @classmethod
    def read(cls, line: str, win: str = "") -> Hand:
        """Read a hand written in one line as `str` writes it: `123m22p355s pon:777p nuki:4z + 6s`.

        Without a plus `win` is one of the tiles, or else the last of them. Raise NotationError as `parse` does.
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
    """The parts of a hand in one line: its concealed tiles, the winning one after a plus, the melds."""
    before, _plus, after = line.partition("+")
    found = [part for part in before.split() if ":" not in part]
    melds = tuple(part for part in (*before.split(), *after.split()) if ":" in part)
    return "".join(found), "".join(part for part in after.split() if ":" not in part), melds


def parse_melds(melds: tuple[str, ...]) -> tuple[tuple[Meld, ...], tuple[Tile, ...]]:
    """Read melds, and the tiles set aside among them. Raise NotationError as `Hand.parse` does."""
    found = [_meld(text) for text in melds]
    called = tuple(each for each in found if isinstance(each, Meld))
    return called, tuple(tile for each in found if isinstance(each, tuple) for tile in each)


def _meld(text: str) -> Meld | tuple[Tile, ...]:
    """A meld, or the tiles of `nuki:`."""
    name, colon, tiles = text.partition(":")
    if not colon or name not in (*MeldKind, NUKI):
        raise NotationError("no_meld_kind", text=text, known=", ".join((*MeldKind, NUKI)))
    found = parse_tiles(tiles)
    return found if name == NUKI else Meld(MeldKind(name), found)
