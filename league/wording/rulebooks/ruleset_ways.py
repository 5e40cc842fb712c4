"""Labels of the ways in which few rule books differ, and the values that are shown where a book has such a way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.wording.formatting import points_text
from scoring.ruleset import Ledger, Ruleset
from scoring.ruleset.end import ExtensionRepeat, TimeUp, VoidLastHand
from scoring.ruleset.flow import GameAfterChonbo
from scoring.ruleset.paths import get
from scoring.ruleset.settling import Halves, PointPenalty
from scoring.ruleset.setup import KeptFrom
from scoring.ruleset.tiles import KanAfterRiichi, Kuikae
from scoring.ruleset.value import HonbaOfSeveral, PaoCovers, PaoHonba, StakesOfSeveral, UnshownDraw

Words = Mapping[str, str | Promise]


class Way(NamedTuple):
    """A value with its label, and the texts of its settings; one that is left out is not worth a line."""

    label: str | Promise
    values: Words
    usual: object = None
    """The value that needs no line in the summary of a book."""


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "play.several_winners.honba": Way(
            gettext_lazy("Honba when several win"),
            {
                HonbaOfSeveral.HEAD: gettext_lazy("to the next in turn after the discarder"),
                HonbaOfSeveral.EACH: gettext_lazy("to every winner"),
            },
            HonbaOfSeveral.HEAD,
        ),
        "play.several_winners.stakes": Way(
            gettext_lazy("Riichi sticks when several win"),
            {
                StakesOfSeveral.HEAD: gettext_lazy("to the next in turn after the discarder"),
                StakesOfSeveral.OWN_BACK: gettext_lazy("winners take their own stick back, the next in turn the rest"),
            },
            StakesOfSeveral.HEAD,
        ),
        "play.pao.covers": Way(
            gettext_lazy("Liability (pao) covers"),
            {
                PaoCovers.YAKUMAN: gettext_lazy("the yakuman that was made certain"),
                PaoCovers.HAND: gettext_lazy("the whole hand"),
            },
            PaoCovers.YAKUMAN,
        ),
        "play.pao.honba": Way(
            gettext_lazy("Honba of a liable hand won by ron"),
            {
                PaoHonba.DISCARDER: gettext_lazy("from the discarder"),
                PaoHonba.LIABLE: gettext_lazy("from the liable player"),
            },
            PaoHonba.DISCARDER,
        ),
        "play.penalties.chonbo.after.game": Way(
            gettext_lazy("After a chonbo"),
            {
                GameAfterChonbo.GOES_ON: gettext_lazy("the game goes on"),
                GameAfterChonbo.ENDS: gettext_lazy("the game ends with the scores before the hand"),
            },
            GameAfterChonbo.GOES_ON,
        ),
        "play.win.unshown": Way(
            gettext_lazy("Drawn tile mixed with the hand before it was shown"),
            {
                UnshownDraw.IN_FULL: gettext_lazy("counts like any self-draw"),
                UnshownDraw.WITHOUT_WAIT: gettext_lazy("no pinfu, no fu of the wait and of the self-draw"),
            },
            UnshownDraw.IN_FULL,
        ),
        "play.calls.kuikae": Way(
            gettext_lazy("Swap calls (kuikae)"),
            {
                Kuikae.FORBIDDEN: gettext_lazy("not allowed"),
                Kuikae.ONLY_SAME_TILE: gettext_lazy("not allowed with the same tile"),
                Kuikae.IF_HIGHER: gettext_lazy("allowed if the hand becomes worth more"),
                Kuikae.ALLOWED: gettext_lazy("allowed"),
            },
            Kuikae.FORBIDDEN,
        ),
        "play.calls.kan_after_riichi": Way(
            gettext_lazy("Closed kan after riichi"),
            {
                KanAfterRiichi.SAME_MELDS: gettext_lazy("if the sets stay"),
                KanAfterRiichi.SAME_WAITS: gettext_lazy("if the waits stay"),
                KanAfterRiichi.SAME_WAITS_AND_READING: gettext_lazy("if waits and sets stay"),
                KanAfterRiichi.NEVER: gettext_lazy("not allowed"),
            },
            KanAfterRiichi.SAME_WAITS_AND_READING,
        ),
        "end.extension.repeat": Way(
            gettext_lazy("Dealer who repeats in the extension"),
            {
                ExtensionRepeat.ENDS: gettext_lazy("the game ends once a player has enough"),
                ExtensionRepeat.DEALER_FIRST: gettext_lazy("a dealer who is not first plays on"),
            },
            ExtensionRepeat.ENDS,
        ),
        "end.dealer_stop.automatic_at": Way(gettext_lazy("The last dealer must stop from this place up"), {}),
        "end.time.minutes": Way(gettext_lazy("Time limit in minutes"), {}),
        "end.time.last": Way(
            gettext_lazy("When time is up"),
            {
                TimeUp.FINISH_HAND: gettext_lazy("the hand being played is the last"),
                TimeUp.ONE_MORE_HAND: gettext_lazy("one more hand is played after it"),
            },
        ),
        "end.time.void_hand": Way(
            gettext_lazy("Chonbo in the last hand by time"),
            {
                VoidLastHand.REPLAYED: gettext_lazy("the hand is played again"),
                VoidLastHand.ENDS: gettext_lazy("the game ends"),
            },
        ),
        "settlement.rounding.halves": Way(
            gettext_lazy("Halves are rounded"),
            {
                Halves.AWAY: gettext_lazy("away from zero"),
                Halves.TOWARDS_ZERO: gettext_lazy("towards zero (five down, six up)"),
            },
            Halves.AWAY,
        ),
        "entry.kept_from": Way(
            gettext_lazy("Scores are kept"),
            {
                KeptFrom.START: gettext_lazy("from the start"),
                KeptFrom.ZERO: gettext_lazy("from 0; the start is added"),
            },
            KeptFrom.START,
        ),
    }
)
"""The ways by their path in the file, in the order in which a summary shows them."""


class Shown(NamedTuple):
    """A way that a book has, with its value and the clauses of its table."""

    path: str
    value: object
    clauses: tuple[str, ...]


def ways_shown(ruleset: Ruleset) -> Iterator[Shown]:
    """Yield the ways that this book has and that differ from the usual one."""
    data = ruleset.data()
    for path, way in WAYS.items():
        value = get(data, path)
        if value is not None and value != way.usual:
            clauses = get(data, f"{path.rpartition('.')[0]}.clauses")
            yield Shown(path, value, tuple(clauses) if isinstance(clauses, list) else ())


def penalty_cost(penalty: PointPenalty, ledger: Ledger) -> str:
    """Return what a penalty outside the hanchan costs: one amount, or the smallest and the largest with the step."""
    least, most, step = (
        points_text(ledger.stored(amount), ledger.scale) for amount in (penalty.least, penalty.most, penalty.step)
    )
    if least == most:
        return least
    return _("%(least)s to %(most)s in steps of %(step)s") % {"least": least, "most": most, "step": step}
