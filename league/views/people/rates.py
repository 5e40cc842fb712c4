"""A player's rates on pages, each with the number of cases it is based on; rates without data are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.selectors.people.rates import PlayerRates
from league.wording.formatting import decimal_text, score_text
from scoring.rates import Rates


@dataclass(frozen=True, slots=True)
class RateRow:
    """One figure: its title, its value, and its base."""

    title: str
    text: str
    over: str
    hanchan: int | None = None
    """The hanchan in which it was reached, for the figure of a single hand."""


@dataclass(frozen=True, slots=True)
class ShownRates:
    """A player's figures over the hanchan that were recorded hand by hand."""

    hanchan: int
    kyoku: int
    by_substitutes: int
    rows: tuple[RateRow, ...]

    @classmethod
    def of(cls, found: PlayerRates) -> ShownRates | None:
        """Return the figures as text, or None without a counting hand."""
        if not found.rates.kyoku:
            return None
        return cls(found.hanchan, found.rates.kyoku, found.by_substitutes, tuple(rows_of(found)))


def rows_of(found: PlayerRates) -> Iterator[RateRow]:
    """Yield a row for every known figure."""
    yield from shares(found.rates)
    yield from means(found.rates)
    if found.rates.largest is not None:
        yield RateRow(_("Largest hand"), score_text(found.rates.largest), "", found.largest_in)


def shares(rates: Rates) -> Iterator[RateRow]:
    """Yield frequencies, such as the win rate."""
    hands = _("%(count)s of %(of)s hands")
    for title, ratio, over in (
        (_("Win rate"), rates.wins, hands),
        (_("Deal-in rate"), rates.deal_ins, hands),
        (_("Riichi rate"), rates.riichi, hands),
        (_("Wins by self-draw"), rates.tsumo, _("%(count)s of %(of)s wins")),
        (_("Tenpai at draws"), rates.tenpai, _("%(count)s of %(of)s draws")),
    ):
        if ratio.value is not None:
            percent = decimal_text(100 * ratio.value, 1)
            yield RateRow(title, f"{percent}%", over % {"count": ratio.count, "of": ratio.of})


def means(rates: Rates) -> Iterator[RateRow]:
    """Yield average gains and losses of a hand."""
    for title, ratio, over in (
        (_("Average win"), rates.won, _("wins: %(of)s")),
        (_("Average deal-in"), rates.paid, _("deal-ins: %(of)s")),
    ):
        if ratio.value is not None:
            yield RateRow(title, decimal_text(ratio.value, 0), over % {"of": ratio.of})
