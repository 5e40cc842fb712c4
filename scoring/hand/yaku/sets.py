"""Yaku that depend on the reading: sequences, triplets, the pair, and the part that the winning tile completed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scoring.hand.reading import Form, Reading
from scoring.hand.shapes import ALL_SETS, IN_SUIT, TRIPLETS_AT, Wait
from scoring.hand.shapes import COUNT as COUNT_OF_ONE
from scoring.hand.tiles import (
    BITS,
    CHUN,
    COUNT,
    EAST,
    HAKU,
    HATSU,
    NORTH,
    OUTSIDE,
    SUIT_MASKS,
    SUITS,
    UNIT,
    Kind,
)
from scoring.ruleset.yaku import YakuName

_TWO_SIDED, _PAIR = Wait.TWO_SIDED, Wait.PAIR
_SUIT = (1 << IN_SUIT) - 1
_FIRST_OF_SUITS = 1 | 1 << IN_SUIT | 1 << 2 * IN_SUIT
_OUTSIDE_RUNS = sum(1 << (suit.start + rank) for suit in SUITS for rank in (0, 6))
_OUTSIDE_KINDS = sum(1 << kind for kind in OUTSIDE)
_FOUR_WINDS, _THREE_DRAGONS = 0b1111, 0b111
_THREE = 3
_HONOURS = SUIT_MASKS[3]
_GATES = tuple(sum(UNIT[kind] * (3 if kind in (suit[0], suit[-1]) else 1) for kind in suit) for suit in SUITS)
_FOUR_OF_A_KIND = 4


def pinfu(hand: Reading) -> bool:
    """Return whether the hand is four sequences, a pair without value and a two-sided wait.

    In some houses it does not count on a self-draw, or on one whose tile was not shown (WRC).
    """
    facts = hand.facts
    return (
        hand.wait is _TWO_SIDED
        and hand.features & COUNT_OF_ONE == ALL_SETS
        and hand.pair not in facts.seat.values
        and (not facts.drawn or facts.seat.rules.pinfu_with_tsumo)
        and facts.shows_wait
    )


def iipeikou(hand: Reading) -> bool:
    """Return whether there are two identical concealed sequences."""
    return hand.twins >= 1


def ryanpeikou(hand: Reading) -> bool:
    """Return whether there are twice two identical concealed sequences."""
    return hand.twins >= 2  # noqa: PLR2004 - twice two


def _triplet(kind: Kind) -> Callable[[Reading], bool]:
    """Return the test for a triplet or kan of this kind."""
    bit = 1 << TRIPLETS_AT + kind

    def is_there(hand: Reading) -> bool:
        """Return whether there is a triplet or kan of the kind."""
        return bool((hand.bits | hand.facts.meld_bits) & bit)

    return is_there


def seat_wind(hand: Reading) -> int:
    """Return whether there is a triplet of the player's own wind."""
    facts = hand.facts
    return (hand.bits | facts.meld_bits) >> TRIPLETS_AT + facts.seat.own & 1


def round_wind(hand: Reading) -> int:
    """Return the number of triplets of round winds; there may be two round winds."""
    triplets, found = hand.triplets, 0
    for kind in hand.facts.seat.rounds:
        found += triplets >> kind & 1
    return found


def guest_wind(hand: Reading) -> int:
    """Return the number of triplets of winds worth a han although they are neither seat nor round wind."""
    return sum(hand.triplets >> kind & 1 for kind in hand.facts.seat.guests)


def sanshoku(hand: Reading) -> bool:
    """Return whether the same sequence is in all three suits."""
    runs = hand.bits | hand.facts.meld_bits
    # `>>` binds tighter than `&`: the sequences of the second and third suit are laid over the first.
    return bool(runs & runs >> IN_SUIT & runs >> 2 * IN_SUIT & _SUIT)


def ittsu(hand: Reading) -> bool:
    """Return whether there are 123, 456 and 789 of one suit."""
    runs = hand.bits | hand.facts.meld_bits
    # The mask keeps the starts on 1: without it, sequences of neighbouring suits could make a straight.
    return bool(runs & runs >> 3 & runs >> 6 & _FIRST_OF_SUITS)


def chanta(hand: Reading) -> bool:
    """Return whether every set and the pair have a terminal or an honour."""
    return not (hand.runs & ~_OUTSIDE_RUNS or (hand.triplets | 1 << hand.pair) & ~_OUTSIDE_KINDS)


def junchan(hand: Reading) -> bool:
    """Return whether every set and the pair have a terminal."""
    return not hand.facts.kinds & _HONOURS and chanta(hand)


def toitoi(hand: Reading) -> bool:
    """Return whether all four sets are triplets or kans."""
    return not hand.runs


def sanankou(hand: Reading) -> bool:
    """Return whether there are three concealed triplets or kans, or more."""
    return hand.hidden >= _THREE


def suuankou(hand: Reading) -> bool:
    """Return whether there are four concealed triplets or kans."""
    return hand.hidden == ALL_SETS


def suuankou_tanki(hand: Reading) -> bool:
    """Return whether there are four concealed triplets or kans, and the win completed the pair."""
    return hand.hidden == ALL_SETS and hand.wait is _PAIR


def sankantsu(hand: Reading) -> bool:
    """Return whether there are three kans, or more."""
    return hand.facts.kans >= _THREE


def suukantsu(hand: Reading) -> bool:
    """Return whether there are four kans."""
    return hand.facts.kans == ALL_SETS


def sanshoku_doukou(hand: Reading) -> bool:
    """Return whether there is a triplet of the same number in all three suits."""
    triplets = hand.triplets
    return bool(triplets & triplets >> IN_SUIT & triplets >> 2 * IN_SUIT & _SUIT)


def sanrenkou(hand: Reading) -> bool:
    """Return whether there are three triplets of consecutive numbers in one suit."""
    return any(suit & suit >> 1 & suit >> 2 for suit in _suits(hand.triplets))


def suurenkou(hand: Reading) -> bool:
    """Return whether there are four triplets of consecutive numbers in one suit."""
    return any(suit & suit >> 1 & suit >> 2 & suit >> 3 for suit in _suits(hand.triplets))


def _suits(triplets: int) -> tuple[int, int, int]:
    return triplets & _SUIT, triplets >> IN_SUIT & _SUIT, triplets >> 2 * IN_SUIT & _SUIT


def shousangen(hand: Reading) -> bool:
    """Return whether there are triplets of two dragons and a pair of the third."""
    # The honours are the last kinds, so the shift leaves the dragons alone.
    return hand.pair >= HAKU and (hand.triplets >> HAKU).bit_count() == _THREE - 1


def daisangen(hand: Reading) -> bool:
    """Return whether there are triplets of all three dragons."""
    return hand.triplets >> HAKU == _THREE_DRAGONS


def sanpuu(hand: Reading) -> bool:
    """Return whether there are triplets of three winds, or of all four."""
    return _winds(hand) >= _THREE


def shousuushi(hand: Reading) -> bool:
    """Return whether there are triplets of three winds and a pair of the fourth."""
    return _winds(hand) == _THREE and EAST <= hand.pair < HAKU


def daisuushi(hand: Reading) -> bool:
    """Return whether there are triplets of all four winds."""
    return _winds(hand) == ALL_SETS


def suushiihou(hand: Reading) -> bool:
    """Return whether there are triplets of three winds and a triplet or a pair of the fourth."""
    return shousuushi(hand) or daisuushi(hand)


def _winds(hand: Reading) -> int:
    return (hand.triplets >> EAST & _FOUR_WINDS).bit_count()


def chuuren(hand: Reading) -> bool:
    """Return whether the hand is 1112345678999 of one suit plus one tile of it, without calls and kans."""
    return not hand.facts.called and _is_gates(hand.facts.kinds)


def chuuren9(hand: Reading) -> bool:
    """Return whether the hand is nine gates and the winning tile is the additional one."""
    facts = hand.facts
    # Remove the winning tile: the thirteen that waited must be 1112345678999 exactly.
    return not facts.called and facts.kinds - UNIT[facts.win] in _GATES


def _is_gates(packed: int) -> bool:
    """Return True if the tiles are nine gates of some suit: 1112345678999 and one more of it."""
    return any(packed - gates == UNIT[kind] for gates, suit in zip(_GATES, SUITS, strict=True) for kind in suit)


def chiitoitsu(hand: Reading) -> bool:
    """Return whether the hand is read as seven pairs."""
    return hand.form is Form.PAIRS


def shousharin(hand: Reading) -> bool:
    """Return whether seven pairs are in one suit with honours."""
    return _one_suit(hand.facts.kinds) and bool(hand.facts.kinds & _HONOURS)


def daisharin(hand: Reading) -> bool:
    """Return whether seven pairs are in one suit without honours."""
    return _one_suit(hand.facts.kinds) and not hand.facts.kinds & _HONOURS


def _one_suit(packed: int) -> bool:
    return sum(1 for suit in SUIT_MASKS[:3] if packed & suit) == 1


def kokushi(hand: Reading) -> bool:
    """Return whether the hand is one of each terminal and honour, and one of them twice."""
    return hand.orphans == KOKUSHI_TILES


def kokushi13(hand: Reading) -> bool:
    """Return whether the hand is kokushi and the winning tile is the doubled one."""
    return hand.orphans == KOKUSHI_TILES and hand.facts.kinds - UNIT[hand.facts.win] == KOKUSHI_TILES


def nanatsu_musou(hand: Reading) -> bool:
    """Return whether the hand is kokushi with the sevens of circles and bamboos in place of the characters."""
    return hand.orphans == NANATSU_TILES


def all_seven(hand: Reading) -> bool:
    """Return whether the hand is read as sevens and bonus tiles only."""
    return hand.form is Form.ALL_SEVEN


def four_norths(hand: Reading) -> bool:
    """Return whether four Norths were set aside."""
    return hand.facts.norths == _FOUR_OF_A_KIND


SEVENS: tuple[Kind, Kind] = (15, 24)
KOKUSHI_TILES = sum(UNIT[kind] for kind in OUTSIDE)
NANATSU_TILES = sum(UNIT[kind] for kind in OUTSIDE if kind not in SUITS[0]) + sum(UNIT[kind] for kind in SEVENS)
ORPHANS: dict[YakuName, int] = {
    YakuName.KOKUSHI: KOKUSHI_TILES,
    YakuName.KOKUSHI13: KOKUSHI_TILES,
    YakuName.NANATSU_MUSOU: NANATSU_TILES,
}
"""Yaku of thirteen different tiles, with these tiles packed."""

PAIR_YAKU: dict[YakuName, Callable[[Reading], int]] = {
    YakuName.CHIITOITSU: chiitoitsu,
    YakuName.SHOUSHARIN: shousharin,
    YakuName.DAISHARIN: daisharin,
}
"""Yaku of seven pairs."""
OTHER_FORMS: dict[YakuName, Callable[[Reading], int]] = {
    YakuName.KOKUSHI: kokushi,
    YakuName.KOKUSHI13: kokushi13,
    YakuName.NANATSU_MUSOU: nanatsu_musou,
    YakuName.ALL_SEVEN: all_seven,
}
"""Yaku of hands without sets or pairs."""
TRIPLET_YAKU: dict[YakuName, tuple[int, Callable[[Reading], int]]] = {
    YakuName.TOITOI: (4, toitoi),
    YakuName.SANANKOU: (3, sanankou),
    YakuName.SUUANKOU: (4, suuankou),
    YakuName.SUUANKOU_TANKI: (4, suuankou_tanki),
    YakuName.SANKANTSU: (3, sankantsu),
    YakuName.SUUKANTSU: (4, suukantsu),
    YakuName.SANSHOKU_DOUKOU: (3, sanshoku_doukou),
    YakuName.SANRENKOU: (3, sanrenkou),
    YakuName.SUURENKOU: (4, suurenkou),
}
"""Yaku of triplets of any kind, with the number of triplets they need."""
_WINDS, _DRAGONS, _NORTH, _HAKU, _HATSU, _CHUN = 0b1111, 0b1110000, 0b1000, 0b10000, 0b100000, 0b1000000
HONOUR_YAKU: dict[YakuName, tuple[int, int, Callable[[Reading], int]]] = {
    YakuName.HAKU: (1, _HAKU, _triplet(HAKU)),
    YakuName.HATSU: (1, _HATSU, _triplet(HATSU)),
    YakuName.CHUN: (1, _CHUN, _triplet(CHUN)),
    YakuName.NORTH: (1, _NORTH, _triplet(NORTH)),
    YakuName.SEAT_WIND: (1, _WINDS, seat_wind),
    YakuName.ROUND_WIND: (1, _WINDS, round_wind),
    YakuName.GUEST_WIND: (1, _WINDS, guest_wind),
    YakuName.SHOUSANGEN: (2, _DRAGONS, shousangen),
    YakuName.DAISANGEN: (3, _DRAGONS, daisangen),
    YakuName.SANPUU: (3, _WINDS, sanpuu),
    YakuName.SHOUSUUSHI: (3, _WINDS, shousuushi),
    YakuName.DAISUUSHI: (4, _WINDS, daisuushi),
    YakuName.SUUSHIIHOU: (3, _WINDS, suushiihou),
}
"""Yaku of triplets of honours, with the number they need and a bit for each honour that helps, from East."""
RUN_YAKU: dict[YakuName, Callable[[Reading], int]] = {
    YakuName.PINFU: pinfu,
    YakuName.IIPEIKOU: iipeikou,
    YakuName.RYANPEIKOU: ryanpeikou,
    YakuName.SANSHOKU: sanshoku,
    YakuName.ITTSU: ittsu,
    YakuName.CHANTA: chanta,
    YakuName.JUNCHAN: junchan,
}
"""Yaku of sequences, and of all sets."""
FLUSH_YAKU: dict[YakuName, Callable[[Reading], int]] = {
    YakuName.CHUUREN: chuuren,
    YakuName.CHUUREN9: chuuren9,
}
"""Yaku of sets in one suit without honours."""
TESTS: dict[YakuName, Callable[[Reading], int]] = {
    YakuName.FOUR_NORTHS: four_norths,
    **PAIR_YAKU,
    **OTHER_FORMS,
    **RUN_YAKU,
    **{name: test for name, (_, test) in TRIPLET_YAKU.items()},
    **{name: test for name, (_, _, test) in HONOUR_YAKU.items()},
    **FLUSH_YAKU,
}
"""The test of every yaku of this family."""

TAKES_THE_PLACE_OF: Mapping[str, frozenset[YakuName]] = {
    YakuName.DOUBLE_RIICHI: frozenset({YakuName.RIICHI, YakuName.OPEN_RIICHI}),
    YakuName.OPEN_RIICHI: frozenset({YakuName.RIICHI}),
    YakuName.RYANPEIKOU: frozenset({YakuName.IIPEIKOU}),
    YakuName.JUNCHAN: frozenset({YakuName.CHANTA}),
    YakuName.HONROUTOU: frozenset({YakuName.CHANTA, YakuName.JUNCHAN}),
    YakuName.CHINITSU: frozenset({YakuName.HONITSU}),
    YakuName.SHOUSHARIN: frozenset({YakuName.CHIITOITSU, YakuName.HONITSU}),
    YakuName.KOKUSHI13: frozenset({YakuName.KOKUSHI}),
    YakuName.SUUANKOU_TANKI: frozenset({YakuName.SUUANKOU}),
    YakuName.CHUUREN9: frozenset({YakuName.CHUUREN}),
}
"""For each yaku, the yaku that it replaces where it is played."""

ODD = sum(UNIT)
"""A mask that is empty in packed tiles if every kind occurs twice or four times."""
NOT_A_PAIR = sum((COUNT & ~2) << (BITS * kind) for kind in range(34))
"""A mask that is empty in packed tiles if every kind occurs exactly twice."""
