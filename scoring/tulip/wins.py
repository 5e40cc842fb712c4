"""Conversions to and from a tulip: from a hand's value to its win, and from its chips to the prizes of a kyoku."""

from __future__ import annotations

from scoring.hand import HandValue, Tile
from scoring.kyoku.outcomes import Prizes
from scoring.ruleset import Ruleset
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import Counts, YakuName
from scoring.tulip.machine import Tulip
from scoring.tulip.records import Won
from scoring.tulip.view import table_of


def won_of(value: HandValue, stacks: int | None = None) -> Won:
    """Return the tulip's view of a win that was scored from its tiles."""
    hand, situation = value.case.hand, value.situation
    melded: list[Tile] = [tile for meld in hand.melds for tile in meld.tiles]
    yakuman = tuple(YakuName(line.name) for line in value.yaku if line.counts is Counts.YAKUMAN)
    return Won(
        hand=(*hand.concealed, hand.win, *melded),
        by=situation.by,
        riichi=situation.riichi,
        ippatsu=situation.ippatsu,
        opened=not hand.closed,
        limit=LimitName.YAKUMAN if yakuman else value.limit,
        yakuman=yakuman,
        forced=situation.forced,
        nuki=hand.nuki,
        pocchi_as=situation.pocchi_as,
        dora_indicators=situation.dora_indicators,
        ura_indicators=situation.ura_indicators,
        stacks=stacks,
    )


def prizes_of(tulip: Tulip, rules: Ruleset) -> Prizes:
    """Return the chips of a tulip as the prizes of a kyoku: all prizes of the win, or a yaku's fixed prize."""
    fixed = tulip.start.fixed
    if fixed is not None:
        return Prizes(fixed=YakuName(fixed.name))
    scale = rules.ledger(table_of(rules).chips.rules.ledger).scale
    return Prizes(each=tulip.total * scale, complete=True, times=tulip.times)
