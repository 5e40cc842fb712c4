"""The yaku of Mahjong Soul by their number in a record."""

from __future__ import annotations

from collections.abc import Mapping

from league.files.paifu.tenhou_yaku import DORA, NORTH_DORA, RED, URA
from scoring.ruleset.yaku import YakuName as Y

CODES: Mapping[int, str] = {
    1: Y.MENZEN_TSUMO,
    2: Y.RIICHI,
    3: Y.CHANKAN,
    4: Y.RINSHAN,
    5: Y.HAITEI,
    6: Y.HOUTEI,
    7: Y.HAKU,
    8: Y.HATSU,
    9: Y.CHUN,
    10: Y.SEAT_WIND,
    11: Y.ROUND_WIND,
    12: Y.TANYAO,
    13: Y.IIPEIKOU,
    14: Y.PINFU,
    15: Y.CHANTA,
    16: Y.ITTSU,
    17: Y.SANSHOKU,
    18: Y.DOUBLE_RIICHI,
    19: Y.SANSHOKU_DOUKOU,
    20: Y.SANKANTSU,
    21: Y.TOITOI,
    22: Y.SANANKOU,
    23: Y.SHOUSANGEN,
    24: Y.HONROUTOU,
    25: Y.CHIITOITSU,
    26: Y.JUNCHAN,
    27: Y.HONITSU,
    28: Y.RYANPEIKOU,
    29: Y.CHINITSU,
    30: Y.IPPATSU,
    31: DORA,
    32: RED,
    33: URA,
    34: NORTH_DORA,
    35: Y.TENHOU,
    36: Y.CHIIHOU,
    37: Y.DAISANGEN,
    38: Y.SUUANKOU,
    39: Y.TSUUIISOU,
    40: Y.RYUUIISOU,
    41: Y.CHINROUTOU,
    42: Y.KOKUSHI,
    43: Y.SHOUSUUSHI,
    44: Y.SUUKANTSU,
    45: Y.CHUUREN,
    47: Y.CHUUREN9,
    48: Y.SUUANKOU_TANKI,
    49: Y.KOKUSHI13,
    50: Y.DAISUUSHI,
    59: Y.RENHOU,
    60: Y.DAISHARIN,
}
"""Our code of each yaku; 46 and some above 50 belong to modes that are no riichi mahjong of today."""
