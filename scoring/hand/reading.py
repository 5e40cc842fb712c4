"""One way of reading a hand, and the hand's facts that every reading shares: what the yaku look at.

The one idea: sets are bits (one for each kind a sequence begins on, one for each kind there is a triplet of), so that
a yaku is a question about bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from scoring.hand.notation import MeldKind
from scoring.hand.shapes import NO_PAIR, Part, Wait
from scoring.hand.tiles import CHUN, EAST, HAKU, HATSU, NORTH, UNIT, WINDS, Kind
from scoring.ruleset.yaku import YakuRules

_CHI_BY_WEIGHT: dict[int, Kind] = {
    UNIT[start] + UNIT[start + 1] + UNIT[start + 2]: start
    for suit in range(3)
    for start in range(9 * suit, 9 * suit + 7)
}
_PON_BY_WEIGHT: dict[int, Kind] = {3 * unit: kind for kind, unit in enumerate(UNIT)}
_KAN_BY_WEIGHT: dict[int, Kind] = {4 * unit: kind for kind, unit in enumerate(UNIT)}


class Form(StrEnum):
    """What makes a hand complete."""

    SETS = "sets"
    """Four sets and a pair."""
    PAIRS = "pairs"
    """Seven pairs."""
    ORPHANS = "orphans"
    """Thirteen different tiles and one of them again."""
    ALL_SEVEN = "all_seven"
    """Sevens and bonus tiles, without any shape."""
    KANS = "kans"
    """Four kans, before the pair is there."""


@dataclass(frozen=True, slots=True)
class Called:
    """A meld as a set; one object for each set there can be."""

    how: MeldKind
    kind: Kind
    """The lowest tile."""
    runs: int
    triplets: int
    is_kan: bool
    is_closed: bool


def _called(how: MeldKind, by_weight: dict[int, Kind]) -> dict[int, Called]:
    is_chi = how is MeldKind.CHI
    is_kan = how not in (MeldKind.CHI, MeldKind.PON)
    return {
        weight: Called(how, kind, is_chi << kind, (not is_chi) << kind, is_kan, how is MeldKind.ANKAN)
        for weight, kind in by_weight.items()
    }


MELDS: dict[MeldKind, dict[int, Called]] = {
    MeldKind.CHI: _called(MeldKind.CHI, _CHI_BY_WEIGHT),
    MeldKind.PON: _called(MeldKind.PON, _PON_BY_WEIGHT),
    MeldKind.MINKAN: _called(MeldKind.MINKAN, _KAN_BY_WEIGHT),
    MeldKind.KAKAN: _called(MeldKind.KAKAN, _KAN_BY_WEIGHT),
    MeldKind.ANKAN: _called(MeldKind.ANKAN, _KAN_BY_WEIGHT),
}
"""Every meld that is one, by its kinds packed."""


class Seat:
    """The winds as they are for one seat in one round."""

    __slots__ = ("dealer", "guests", "own", "rounds", "values")

    def __init__(self, own: Kind, rounds: tuple[Kind, ...], guests: tuple[Kind, ...], *, north: bool) -> None:
        self.own = own
        self.dealer = own == EAST
        self.rounds = rounds
        """Round winds; there may be two at once."""
        self.guests = tuple(kind for kind in guests if kind != own and kind not in rounds)
        """Winds worth a han although they are neither."""
        everybody = (HAKU, HATSU, CHUN, *((NORTH,) if north else ()))
        self.values = frozenset((*everybody, own, *rounds, *self.guests))
        """Kinds whose triplet is a yaku."""


class Facts:
    """What is true of a hand however it is read."""

    __slots__ = (
        "called",
        "closed",
        "closed_kans",
        "drawn",
        "kans",
        "meld_runs",
        "meld_triplets",
        "norths",
        "packed",
        "rules",
        "seat",
        "win",
    )

    def __init__(self, rules: YakuRules, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self.packed = 0
        """All tiles by kind, the winning one, melds and all four of a kan included."""
        self.win: Kind = NO_PAIR
        self.drawn = False
        """Won by self-draw, and not paid like a ron."""
        self.closed = True
        self.called: list[Called] = []
        self.meld_runs = 0
        self.meld_triplets = 0
        self.kans = 0
        self.closed_kans = 0
        self.norths = 0
        """Norths set aside."""


class Reading:
    """One way of reading a complete hand."""

    __slots__ = ("facts", "form", "hidden", "orphans", "pair", "parts", "runs", "triplets", "twins", "wait")

    def __init__(self, facts: Facts, form: Form, parts: tuple[Part, ...], wait: Wait) -> None:
        self.facts = facts
        self.form = form
        self.parts = parts
        self.wait = wait
        self.orphans = 0
        """Which set of thirteen kinds, packed, where the hand is one."""
        runs, triplets, twins, pair = facts.meld_runs, facts.meld_triplets, 0, NO_PAIR
        hidden = facts.closed_kans
        for part in parts:
            if part.sequences:
                runs |= part.runs
                twins += part.twins
            if part.triplets:
                triplets |= part.triple_bits
                hidden += len(part.triplets)
            if part.pair >= 0:
                pair = part.pair
        self.runs = runs
        """A bit for each kind a sequence begins on."""
        self.triplets = triplets
        """A bit for each kind there is a triplet or kan of."""
        self.twins = twins
        self.pair = pair
        self.hidden = hidden - 1 if wait is Wait.TRIPLET and not facts.drawn else hidden
        """How many triplets and kans are concealed; one completed by ron is not."""

    @property
    def sequences(self) -> tuple[Kind, ...]:
        """The lowest tile of each sequence, concealed ones first."""
        called = (each.kind for each in self.facts.called if each.runs)
        return (*(kind for part in self.parts for kind in part.sequences), *called)

    @property
    def concealed_triplets(self) -> Iterator[Kind]:
        """Triplets in the hand, the one that ron completed not among them; kans are melds."""
        opened = self.facts.win if self.wait is Wait.TRIPLET and not self.facts.drawn else NO_PAIR
        return (kind for part in self.parts for kind in part.triplets if kind != opened)


def wind_kind(wind: str) -> Kind:
    """The tile of a wind."""
    return WINDS["ESWN".index(wind)]
