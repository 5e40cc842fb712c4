"""The yaku of Tenhou: numbers in an mjlog, and Japanese names in the JSON of tenhou.net/6."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.ruleset.yaku import YakuName as Y

DORA, URA, RED, NORTH_DORA = "dora", "ura", "red", "north_dora"

YAKU: tuple[tuple[str, str], ...] = (
    ("門前清自摸和", Y.MENZEN_TSUMO),
    ("立直", Y.RIICHI),
    ("一発", Y.IPPATSU),
    ("槍槓", Y.CHANKAN),
    ("嶺上開花", Y.RINSHAN),
    ("海底摸月", Y.HAITEI),
    ("河底撈魚", Y.HOUTEI),
    ("平和", Y.PINFU),
    ("断幺九", Y.TANYAO),
    ("一盃口", Y.IIPEIKOU),
    ("自風 東", Y.SEAT_WIND),
    ("自風 南", Y.SEAT_WIND),
    ("自風 西", Y.SEAT_WIND),
    ("自風 北", Y.SEAT_WIND),
    ("場風 東", Y.ROUND_WIND),
    ("場風 南", Y.ROUND_WIND),
    ("場風 西", Y.ROUND_WIND),
    ("場風 北", Y.ROUND_WIND),
    ("役牌 白", Y.HAKU),
    ("役牌 發", Y.HATSU),
    ("役牌 中", Y.CHUN),
    ("両立直", Y.DOUBLE_RIICHI),
    ("七対子", Y.CHIITOITSU),
    ("混全帯幺九", Y.CHANTA),
    ("一気通貫", Y.ITTSU),
    ("三色同順", Y.SANSHOKU),
    ("三色同刻", Y.SANSHOKU_DOUKOU),
    ("三槓子", Y.SANKANTSU),
    ("対々和", Y.TOITOI),
    ("三暗刻", Y.SANANKOU),
    ("小三元", Y.SHOUSANGEN),
    ("混老頭", Y.HONROUTOU),
    ("二盃口", Y.RYANPEIKOU),
    ("純全帯幺九", Y.JUNCHAN),
    ("混一色", Y.HONITSU),
    ("清一色", Y.CHINITSU),
    ("人和", Y.RENHOU),
    ("天和", Y.TENHOU),
    ("地和", Y.CHIIHOU),
    ("大三元", Y.DAISANGEN),
    ("四暗刻", Y.SUUANKOU),
    ("四暗刻単騎", Y.SUUANKOU_TANKI),
    ("字一色", Y.TSUUIISOU),
    ("緑一色", Y.RYUUIISOU),
    ("清老頭", Y.CHINROUTOU),
    ("九蓮宝燈", Y.CHUUREN),
    ("純正九蓮宝燈", Y.CHUUREN9),
    ("国士無双", Y.KOKUSHI),
    ("国士無双１３面", Y.KOKUSHI13),
    ("大四喜", Y.DAISUUSHI),
    ("小四喜", Y.SHOUSUUSHI),
    ("四槓子", Y.SUUKANTSU),
    ("ドラ", DORA),
    ("裏ドラ", URA),
    ("赤ドラ", RED),
)
"""The name and our code of each yaku; the place is its number in an mjlog."""

OTHER_NAMES: Mapping[str, str] = {
    "抜きドラ": NORTH_DORA,
    "ダブル立直": Y.DOUBLE_RIICHI,
    "国士無双13面": Y.KOKUSHI13,
    "国士無双十三面待ち": Y.KOKUSHI13,
    "役牌:自風牌": Y.SEAT_WIND,
    "役牌:場風牌": Y.ROUND_WIND,
    "自風": Y.SEAT_WIND,
    "場風": Y.ROUND_WIND,
    "白": Y.HAKU,
    "發": Y.HATSU,
    "中": Y.CHUN,
    "大車輪": Y.DAISHARIN,
}
"""Names that converters write."""

CODES: Mapping[str, str] = {name: str(code) for name, code in (*YAKU, *OTHER_NAMES.items())}
"""Our code of each yaku by its name."""
