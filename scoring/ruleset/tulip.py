"""The tulip: after a win the stacks of the wall are flipped, and what they match brings chips."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Positive, Ruled, Strict
from scoring.ruleset.tiles import Bingo, TileKind
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName


class TulipStart(StrEnum):
    """Which wins are followed by one."""

    RIICHI = "riichi"
    """After a riichi of any kind."""
    YAKUMAN = "yakuman"
    """A real yakuman, open or without riichi too."""


class Kakuhen(Ruled):
    """The mode in which both tiles of every stack are flipped."""

    alike: Positive
    """So many equal ones ..."""
    of: tuple[TileKind, TileKind]
    """... of one of these in the hand start it; of both, the highest mode."""


class TopMode(Ruled):
    """The highest mode: a kakuhen, and more."""

    times: Positive
    """Everything is multiplied by this at the end."""


class TulipMatch(Ruled):
    """A tile of the hand that equals the flipped one or stands next to it."""

    chips: Positive


class Promotion(Ruled):
    """A mode rises by a step."""

    matches: Positive
    """With so many on one flip, or more."""


class Completion(Ruled):
    """Reaching the last stack."""

    chips: Positive


class Guarantee(Ruled):
    """Failed stacks after which it goes on."""

    count: Positive


class LimitGuarantee(Guarantee):
    """Those of a dear hand."""

    from_limit: LimitName


class Guarantees(Strict):
    """What gives them; they add up."""

    ippatsu: Guarantee | None = None
    limit: LimitGuarantee | None = None
    pocchi: Guarantee | None = None
    """A self-draw of the blank white dragon after riichi."""


class Joining(Strict):
    """Bonus tiles that count with the hand, and tiles they draw in."""

    stands_for: dict[Bingo, TileKind]
    """With the hand and when it is flipped, a bonus tile is this tile."""
    aside: Ruled
    """Those laid aside before the win: without condition."""
    indicators: Ruled
    """Those among the indicators, before the first flip."""
    flipped: Ruled
    """Flipped ones, once they are counted, if they matched at all."""
    rush: Ruled
    """While one is with the hand, flipped tiles it stands for, once they are counted; no mode rises by that."""


class Tulip(Ruled):
    """Flipping the stacks of the wall after a win, from the upper tile."""

    starts: dict[TulipStart, Ruled]
    completed_by: dict[YakuName, Ruled] = {}
    """Yaku that count as completed: nothing is flipped, and no tile of the hand brings chips."""
    kakuhen: Kakuhen
    top: TopMode
    match: TulipMatch
    promotion: Promotion
    completion: Completion
    guarantees: Guarantees
    joining: Joining
