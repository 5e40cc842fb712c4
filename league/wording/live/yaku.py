"""Names of yaku and limits in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName

YAKU: Mapping[YakuName, str | Promise] = MappingProxyType(
    {
        YakuName.RIICHI: _("Riichi"),
        YakuName.OPEN_RIICHI: _("Open riichi"),
        YakuName.DOUBLE_RIICHI: _("Double riichi"),
        YakuName.IPPATSU: _("Ippatsu"),
        YakuName.MENZEN_TSUMO: _("Menzen tsumo (closed self-draw)"),
        YakuName.PINFU: _("Pinfu"),
        YakuName.TANYAO: _("Tanyao (all simples)"),
        YakuName.IIPEIKOU: _("Iipeikou"),
        YakuName.RYANPEIKOU: _("Ryanpeikou"),
        YakuName.HAKU: _("Haku (white dragon)"),
        YakuName.HATSU: _("Hatsu (green dragon)"),
        YakuName.CHUN: _("Chun (red dragon)"),
        YakuName.NORTH: _("North"),
        YakuName.SEAT_WIND: _("Seat wind"),
        YakuName.ROUND_WIND: _("Round wind"),
        YakuName.GUEST_WIND: _("Guest wind"),
        YakuName.HAITEI: _("Haitei"),
        YakuName.HOUTEI: _("Houtei"),
        YakuName.RINSHAN: _("Rinshan kaihou"),
        YakuName.CHANKAN: _("Chankan (robbing a kan)"),
        YakuName.CHIITOITSU: _("Chiitoitsu (seven pairs)"),
        YakuName.TOITOI: _("Toitoi (all triplets)"),
        YakuName.SANANKOU: _("Sanankou"),
        YakuName.SANKANTSU: _("Sankantsu"),
        YakuName.SANSHOKU: _("Sanshoku doujun"),
        YakuName.SANSHOKU_DOUKOU: _("Sanshoku doukou"),
        YakuName.ITTSU: _("Ittsu (straight)"),
        YakuName.CHANTA: _("Chanta"),
        YakuName.JUNCHAN: _("Junchan"),
        YakuName.HONROUTOU: _("Honroutou"),
        YakuName.SHOUSANGEN: _("Shousangen"),
        YakuName.HONITSU: _("Honitsu (half flush)"),
        YakuName.CHINITSU: _("Chinitsu (full flush)"),
        YakuName.SANRENKOU: _("Sanrenkou"),
        YakuName.SANPUU: _("Sanpuu"),
        YakuName.SHOUSHARIN: _("Shousharin"),
        YakuName.MANZU_HONITSU: _("Half flush in characters"),
        YakuName.TENHOU: _("Tenhou"),
        YakuName.CHIIHOU: _("Chiihou"),
        YakuName.RENHOU: _("Renhou"),
        YakuName.KOKUSHI: _("Kokushi musou (thirteen orphans)"),
        YakuName.KOKUSHI13: _("Kokushi musou on thirteen waits"),
        YakuName.SUUANKOU: _("Suuankou"),
        YakuName.SUUANKOU_TANKI: _("Suuankou on the pair"),
        YakuName.DAISANGEN: _("Daisangen"),
        YakuName.SHOUSUUSHI: _("Shousuushi"),
        YakuName.DAISUUSHI: _("Daisuushi"),
        YakuName.SUUSHIIHOU: _("Suushiihou (four winds)"),
        YakuName.TSUUIISOU: _("Tsuuiisou"),
        YakuName.CHINROUTOU: _("Chinroutou"),
        YakuName.RYUUIISOU: _("Ryuuiisou (all green)"),
        YakuName.CHUUREN: _("Chuuren poutou (nine gates)"),
        YakuName.CHUUREN9: _("Chuuren poutou on nine waits"),
        YakuName.SUUKANTSU: _("Suukantsu"),
        YakuName.NAGASHI: _("Nagashi yakuman"),
        YakuName.DAISHARIN: _("Daisharin"),
        YakuName.SUURENKOU: _("Suurenkou"),
        YakuName.FOUR_NORTHS: _("Four Norths"),
        YakuName.NANATSU_MUSOU: _("Nanatsu musou"),
        YakuName.ALL_SEVEN: _("All sevens"),
    }
)

LIMITS: Mapping[LimitName, str | Promise] = MappingProxyType(
    {
        LimitName.MANGAN: _("Mangan"),
        LimitName.HANEMAN: _("Haneman"),
        LimitName.BAIMAN: _("Baiman"),
        LimitName.SANBAIMAN: _("Sanbaiman"),
        LimitName.KAZOE: _("Counted yakuman"),
        LimitName.YAKUMAN: _("Yakuman"),
    }
)


def yaku_name(name: YakuName) -> str:
    """Return a yaku's name."""
    return str(YAKU[name])


def limit_name(name: LimitName) -> str:
    """Return a limit's name."""
    return str(LIMITS[name])
