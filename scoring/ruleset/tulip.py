"""The tulip: after a win the stacks of the wall are flipped, and matching tiles bring chips."""

from __future__ import annotations

from enum import StrEnum

from scoring.ruleset.base import Positive, Ruled, Strict
from scoring.ruleset.tiles import Bingo, TileKind
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName


class TulipStart(StrEnum):
    """The wins that are followed by a tulip."""

    RIICHI = "riichi"
    """After a riichi of any kind."""
    YAKUMAN = "yakuman"
    """A real yakuman, open or without riichi too."""


class Kakuhen(Ruled):
    """The mode in which both tiles of every stack are flipped (確変)."""

    alike: Positive
    """This many equal tiles ..."""
    of: tuple[TileKind, TileKind]
    """... of one of these kinds in the hand start it; of both kinds, the highest mode."""


class TopMode(Ruled):
    """The highest mode: a kakuhen with a multiplier."""

    times: Positive
    """All chips are multiplied by this at the end."""


class TulipMatch(Ruled):
    """A tile of the hand that equals the flipped one or is next to it."""

    chips: Positive


class Promotion(Ruled):
    """The condition for raising the mode by one step."""

    matches: Positive
    """The number of matches on one flip that it needs."""


class Completion(Ruled):
    """The chips for reaching the last stack."""

    chips: Positive


class Guarantee(Ruled):
    """The number of failed stacks after which the flipping still goes on."""

    count: Positive


class LimitGuarantee(Guarantee):
    """The guarantee for a hand of at least a limit."""

    from_limit: LimitName


class Guarantees(Strict):
    """The sources of guarantees; they add up."""

    ippatsu: Guarantee | None = None
    limit: LimitGuarantee | None = None
    pocchi: Guarantee | None = None
    """A self-draw of the blank white dragon after riichi."""


class Joining(Strict):
    """Bonus tiles that count with the hand, and flipped tiles that they bring in."""

    stands_for: dict[Bingo, TileKind]
    """The tile that a bonus tile counts as, with the hand and when it is flipped."""
    aside: Ruled
    """Bonus tiles set aside before the win join unconditionally."""
    indicators: Ruled
    """Bonus tiles among the indicators join before the first flip."""
    flipped: Ruled
    """Flipped bonus tiles join after they are counted, if they matched at all."""
    rush: Ruled
    """While one is with the hand, flipped tiles that it stands for join after counting; this raises no mode."""


class TulipRules(Ruled):
    """The rules for flipping the stacks of the wall after a win, upper tile first."""

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
