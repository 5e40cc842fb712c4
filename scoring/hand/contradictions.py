"""The implications between the circumstances of a win, in one place: each one that is broken has a name.

The tile engine and the score sheet know different parts of a win (tiles, or what was entered), so both describe it
by `Facts` and give each contradiction the pointer and the sentence that fit their input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from scoring.hand.situation import RiichiKind
from scoring.ruleset.flow import RiichiRules
from scoring.value import By


class Contradiction(StrEnum):
    """Circumstances that cannot occur together; the value is the tile engine's code."""

    IPPATSU_WITHOUT_RIICHI = "ippatsu_without_riichi"
    URA_WITHOUT_RIICHI = "ura_without_riichi"
    RIICHI_WITH_OPEN_HAND = "riichi_with_open_hand"
    OPEN_RIICHI_NOT_PLAYED = "open_riichi_not_played"
    DOUBLE_WITHOUT_RIICHI = "double_without_riichi"
    FORCED_WITHOUT_OPEN_RIICHI = "forced_without_open_riichi"
    FORCED_WITH_ROBBED = "forced_with_robbed"
    ROBBED_WITH_TSUMO = "robbed_with_tsumo"
    ROBBED_WITH_HOUTEI = "robbed_with_houtei"
    HAITEI_WITH_RON = "haitei_with_ron"
    HOUTEI_WITH_TSUMO = "houtei_with_tsumo"
    RINSHAN_WITH_RON = "rinshan_with_ron"
    RINSHAN_WITHOUT_KAN = "rinshan_without_kan"
    RINSHAN_WITH_IPPATSU = "rinshan_with_ippatsu"
    OPEN_KAN_WITH_CLOSED_HAND = "open_kan_with_closed_hand"
    FIRST_TURN_WITH_MELD = "first_turn_with_meld"
    FIRST_TURN_WITH_RIICHI = "first_turn_with_riichi"
    FIRST_TURN_WITH_LAST_TILE = "first_turn_with_last_tile"
    UNSHOWN_WITH_RON = "unshown_with_ron"
    FIRST_TURN_OF_DEALER_BY_RON = "first_turn_of_dealer_by_ron"


OPEN_RIICHI = (RiichiKind.OPEN, RiichiKind.DOUBLE_OPEN)


@dataclass(frozen=True, slots=True)
class Facts:
    """The known facts of a win; an unknown one contradicts nothing."""

    by: By
    riichi: RiichiKind = RiichiKind.NONE
    double: bool = False
    """The riichi was entered as a double one."""
    closed: bool | None = None
    ippatsu: bool = False
    ura: bool = False
    """Ura dora were counted, or their prizes entered."""
    forced: bool = False
    robbed: bool = False
    haitei: bool = False
    houtei: bool = False
    rinshan: bool = False
    can_be_rinshan: bool = True
    """A tile was replaced: there is a kan, or a tile set aside where that counts."""
    fed: bool = False
    """Won on the replacement tile of a kan called from a discard."""
    unshown: bool = False
    """The winning tile was put among the others before it was shown."""
    first_turn: bool = False
    has_melds: bool = False
    dealer: bool = False


def contradictions(facts: Facts, riichi: RiichiRules) -> Iterator[Contradiction]:
    """Yield every implication of the book that the circumstances break."""
    yield from _of_riichi(facts, riichi)
    is_tsumo = facts.by is By.TSUMO
    broken = {
        Contradiction.HAITEI_WITH_RON: facts.haitei and not is_tsumo,
        Contradiction.HOUTEI_WITH_TSUMO: facts.houtei and is_tsumo,
        Contradiction.UNSHOWN_WITH_RON: facts.unshown and not is_tsumo,
        Contradiction.ROBBED_WITH_TSUMO: facts.robbed and is_tsumo,
        Contradiction.ROBBED_WITH_HOUTEI: facts.robbed and facts.houtei,
        Contradiction.RINSHAN_WITH_RON: facts.rinshan and not is_tsumo,
        Contradiction.RINSHAN_WITHOUT_KAN: facts.rinshan and not facts.can_be_rinshan,
        # Any kan interrupts ippatsu, the player's own included.
        Contradiction.RINSHAN_WITH_IPPATSU: facts.rinshan and facts.ippatsu,
    }
    yield from (each for each, is_broken in broken.items() if is_broken)
    if facts.first_turn:
        yield from _of_first_turn(facts, is_tsumo=is_tsumo)


def _of_riichi(facts: Facts, rules: RiichiRules) -> Iterator[Contradiction]:
    is_declared, is_shown = facts.riichi is not RiichiKind.NONE, facts.riichi in OPEN_RIICHI
    can_force = is_shown and rules.open is not None and rules.open.forced_deal_in_yakuman
    broken = {
        Contradiction.RIICHI_WITH_OPEN_HAND: is_declared and facts.closed is False,
        Contradiction.OPEN_KAN_WITH_CLOSED_HAND: facts.fed and (is_declared or bool(facts.closed)),
        Contradiction.IPPATSU_WITHOUT_RIICHI: facts.ippatsu and not is_declared,
        Contradiction.URA_WITHOUT_RIICHI: facts.ura and not is_declared,
        Contradiction.OPEN_RIICHI_NOT_PLAYED: is_shown and rules.open is None,
        Contradiction.DOUBLE_WITHOUT_RIICHI: facts.double and not is_declared,
        Contradiction.FORCED_WITHOUT_OPEN_RIICHI: facts.forced and not (can_force and facts.by is By.RON),
        # A robbed tile is no discard, so it cannot be a forced one.
        Contradiction.FORCED_WITH_ROBBED: facts.forced and facts.robbed,
    }
    yield from (each for each, is_broken in broken.items() if is_broken)


def _of_first_turn(facts: Facts, *, is_tsumo: bool) -> Iterator[Contradiction]:
    if facts.has_melds:
        yield Contradiction.FIRST_TURN_WITH_MELD
    if facts.riichi is not RiichiKind.NONE:
        yield Contradiction.FIRST_TURN_WITH_RIICHI
    if facts.haitei or facts.houtei or facts.rinshan:
        yield Contradiction.FIRST_TURN_WITH_LAST_TILE
    if facts.dealer and not is_tsumo:
        yield Contradiction.FIRST_TURN_OF_DEALER_BY_RON
