"""The names of all yaku, and the table entry that gives each its value."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from scoring.ruleset.base import Count, Positive, Ruled, Wind
from scoring.ruleset.end import RoundName


class YakuName(StrEnum):
    """Every yaku that a ruleset may use, under the name that worked examples use."""

    __hash__ = str.__hash__
    """Take str's hash: an enum's own hash calls into Python, and scoring looks hands up by yaku very often."""

    RIICHI = "riichi"
    """立直."""
    OPEN_RIICHI = "open_riichi"
    """オープンリーチ: instead of riichi."""
    DOUBLE_RIICHI = "double_riichi"
    """ダブル立直: instead of riichi."""
    IPPATSU = "ippatsu"
    """一発."""
    MENZEN_TSUMO = "menzen_tsumo"
    """門前清自摸和."""
    PINFU = "pinfu"
    """平和."""
    TANYAO = "tanyao"
    """断幺九."""
    IIPEIKOU = "iipeikou"
    """一盃口."""
    RYANPEIKOU = "ryanpeikou"
    """二盃口."""
    HAKU = "haku"
    """白."""
    HATSU = "hatsu"
    """發."""
    CHUN = "chun"
    """中."""
    NORTH = "north"
    """北 as a value tile for every seat."""
    SEAT_WIND = "seat_wind"
    """自風."""
    ROUND_WIND = "round_wind"
    """場風."""
    GUEST_WIND = "guest_wind"
    """客風 that a house gives a han."""
    HAITEI = "haitei"
    """海底摸月."""
    HOUTEI = "houtei"
    """河底撈魚."""
    RINSHAN = "rinshan"
    """嶺上開花."""
    CHANKAN = "chankan"
    """搶槓."""
    CHIITOITSU = "chiitoitsu"
    """七対子."""
    TOITOI = "toitoi"
    """対々和."""
    SANANKOU = "sanankou"
    """三暗刻."""
    SANKANTSU = "sankantsu"
    """三槓子."""
    SANSHOKU = "sanshoku"
    """三色同順."""
    SANSHOKU_DOUKOU = "sanshoku_doukou"
    """三色同刻."""
    ITTSU = "ittsu"
    """一気通貫."""
    CHANTA = "chanta"
    """混全帯幺九."""
    JUNCHAN = "junchan"
    """純全帯幺九."""
    HONROUTOU = "honroutou"
    """混老頭."""
    SHOUSANGEN = "shousangen"
    """小三元."""
    HONITSU = "honitsu"
    """混一色."""
    CHINITSU = "chinitsu"
    """清一色."""
    SANRENKOU = "sanrenkou"
    """三連刻: three triplets of consecutive numbers in one suit."""
    SANPUU = "sanpuu"
    """三風: triplets of three winds."""
    SHOUSHARIN = "shousharin"
    """小車輪: seven pairs in a half flush, instead of both."""
    MANZU_HONITSU = "manzu_honitsu"
    """萬子混一色: a half flush in characters."""
    TENHOU = "tenhou"
    """天和."""
    CHIIHOU = "chiihou"
    """地和."""
    RENHOU = "renhou"
    """人和."""
    KOKUSHI = "kokushi"
    """国士無双."""
    KOKUSHI13 = "kokushi13"
    """国士無双十三面: instead of kokushi."""
    SUUANKOU = "suuankou"
    """四暗刻."""
    SUUANKOU_TANKI = "suuankou_tanki"
    """四暗刻単騎: instead of suuankou."""
    DAISANGEN = "daisangen"
    """大三元."""
    SHOUSUUSHI = "shousuushi"
    """小四喜."""
    DAISUUSHI = "daisuushi"
    """大四喜."""
    SUUSHIIHOU = "suushiihou"
    """四喜和: big or little."""
    TSUUIISOU = "tsuuiisou"
    """字一色."""
    CHINROUTOU = "chinroutou"
    """清老頭."""
    RYUUIISOU = "ryuuiisou"
    """緑一色."""
    CHUUREN = "chuuren"
    """九蓮宝燈."""
    CHUUREN9 = "chuuren9"
    """純正九蓮宝燈: instead of chuuren."""
    SUUKANTSU = "suukantsu"
    """四槓子."""
    NAGASHI = "nagashi"
    """流し役満."""
    DAISHARIN = "daisharin"
    """大車輪: seven pairs in a full flush."""
    SUURENKOU = "suurenkou"
    """四連刻: four triplets of consecutive numbers in one suit."""
    FOUR_NORTHS = "four_norths"
    """四北: four Norths set aside."""
    NANATSU_MUSOU = "nanatsu_musou"
    """七士無双: thirteen orphans with sevens in place of missing ones and nines."""
    ALL_SEVEN = "all_seven"
    """オールセブン: sevens and bonus tiles only, in no particular shape."""


class Counts(StrEnum):
    """The unit in which a yaku counts."""

    HAN = "han"
    """Han."""
    YAKUMAN = "yakuman"
    """Yakuman."""
    MANGAN = "mangan"
    """An outright mangan: the hand has that value, or the one of its other yaku if that is more."""


class Yaku(Ruled):
    """The value of a yaku."""

    counts: Counts
    closed: Positive
    """In a closed hand."""
    open: Count
    """In an opened hand; 0 if it does not count there."""
    played: bool = True
    """False for a yaku that the house lists but does not play."""
    uncapped_han: Count = 0
    """For a yaku that counts as a mangan: its han in hands without limits."""

    @model_validator(mode="after")
    def _not_more_open(self) -> Self:
        if self.open > self.closed:
            # `open = 0` means closed only; it is no error.
            raise ValueError("an opened hand cannot be worth more than a closed one")
        return self


class OpenTanyao(StrEnum):
    """The rule for all simples in an opened hand."""

    ALWAYS = "always"
    """Counts."""
    NEVER = "never"
    """Does not count."""
    WITH_COMPANION = "with_companion"
    """Counts together with one of the companions."""


class RinshanOnLastTile(StrEnum):
    """The rule for a win on a replacement tile that is the last tile."""

    RINSHAN_ONLY = "rinshan_only"
    """The replacement tile counts, the last tile does not."""
    BOTH = "both"
    """Both yaku count."""


class YakuRules(Ruled):
    """The conditions for yaku on which books differ."""

    open_tanyao: OpenTanyao
    tanyao_companions: tuple[YakuName, ...]
    pinfu_with_tsumo: bool
    seven_pairs_four_alike: bool
    """Four equal tiles may be two of the pairs."""
    all_green_needs_hatsu: bool
    manzu_half_flush_haneman: bool
    """A half flush in characters is paid as a haneman or better."""
    fourth_kan_wins: bool
    """Four kans win without a pair, when the discard after the fourth has passed."""
    rinshan_on_last_tile: RinshanOnLastTile
    all_honours_in_pairs: bool = True
    """Seven pairs of honours count as all honours; if False, all honours needs four sets and a pair."""
    guest_winds: dict[RoundName, tuple[Wind, ...]]
    """For each round, the winds that are worth a han to every seat in it."""
