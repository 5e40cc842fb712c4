"""The most that a hand can have of what is entered as a number: yakuman, prizes, and dora that are paid in points."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.play import Play
from scoring.ruleset.value import Dora, SeveralYakuman
from scoring.ruleset.yaku import Counts, YakuName

TOGETHER = (
    (YakuName.TENHOU, YakuName.CHIIHOU, YakuName.RENHOU, YakuName.SUUKANTSU),
    (YakuName.TSUUIISOU, YakuName.CHINROUTOU, YakuName.RYUUIISOU, YakuName.MANZU_HONITSU),
    (YakuName.SUUANKOU, YakuName.SUUANKOU_TANKI),
    (YakuName.DAISANGEN, YakuName.SHOUSUUSHI, YakuName.DAISUUSHI, YakuName.SUUSHIIHOU, YakuName.SUURENKOU),
)
"""Yakuman that exclude one another; a hand may have one of each group. Any other stands alone, or with the first's."""
OF_WINDS = (YakuName.SHOUSUUSHI, YakuName.DAISUUSHI, YakuName.SUUSHIIHOU)
"""Yakuman that need Norths in the hand, so none goes together with four Norths set aside."""
BEFORE_ANY_CALL = (YakuName.TENHOU, YakuName.CHIIHOU, YakuName.RENHOU)
"""Yakuman of the first turn, which ends when a tile is set aside."""


def most_yakuman(play: Play, *, closed: bool = True) -> int:
    """Return the most yakuman that one closed, or one opened, hand can have: one of each group of those played.

    A book may pay them only once (`paid_yakuman`).
    """
    worth = {
        name: yaku.closed if closed else yaku.open
        for name, yaku in play.yaku.items()
        if yaku.played and yaku.counts is Counts.YAKUMAN
    }
    norths = worth.pop(YakuName.FOUR_NORTHS, 0)
    most = _most(worth)
    if norths:
        left = {name: count for name, count in worth.items() if name not in (*OF_WINDS, *BEFORE_ANY_CALL)}
        most = max(most, _most(left) + norths)
    return most


def paid_yakuman(play: Play) -> int:
    """Return the most yakuman that one hand is paid for."""
    return 1 if play.value.yakuman.several is SeveralYakuman.ONCE else most_yakuman(play)


def _most(worth: Mapping[YakuName, int]) -> int:
    together = [max((worth.get(name, 0) for name in group), default=0) for group in TOGETHER]
    return max(max(worth.values(), default=0) + together[0], sum(together))


def most_indicators(play: Play) -> int:
    """Return the most indicators that are turned in one row."""
    return 1 + (play.wall.kans if Dora.KAN in play.dora.kinds else 0)


def most_paid_dora(play: Play, *, closed: bool) -> int:
    """Return the most dora that are paid in points: every copy of the tile after each indicator."""
    kind = play.dora.kinds.get(Dora.INDICATOR)
    if kind is None or not (kind.points_closed if closed else kind.points_open):
        return 0
    return play.tiles.alike_in_hand * most_indicators(play)


def most_prizes(play: Play) -> Mapping[AwardEvent, int]:
    """Return the most of each event that is entered with a win; any other follows from the hand's value."""
    tiles = play.tiles
    return {
        AwardEvent.IPPATSU: 1,
        AwardEvent.URA: tiles.alike_in_hand * most_indicators(play),
        AwardEvent.RED: sum(tiles.red.values()),
        AwardEvent.GOLD: sum(tiles.gold.values()),
        AwardEvent.FLUSH: 1,
    }
