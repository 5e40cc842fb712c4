"""Odds in words: shares, margins of error, and the reasons why no odds can be given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from league.wording.formatting import points_text
from scoring.odds.season import Unforeseen
from scoring.odds.shares import LEAST, MOST, TENTHS_OF_A_POINT, Share

UNFORESEEN: Mapping[str, Callable[[], str]] = {
    Unforeseen.OVER: lambda: _("Everything has been played: nothing is left to chance."),
    Unforeseen.ENDLESS: lambda: _("This format has no fixed number of hanchan, so there is no end to look ahead to."),
    Unforeseen.UNSEEDED: lambda: _("Odds appear once every player of the first stage has been named."),
    Unforeseen.BEGUN: lambda: _(
        "A block has results although who plays in it is not settled. Odds appear once the earlier results are in."
    ),
    Unforeseen.VACANT: lambda: _(
        "A player withdrew and too few are left to fill the places that depend on the block. The organizers decide."
    ),
    Unforeseen.TWICE: lambda: _(
        "A player named by the organizers may also reach the same stage by results. Odds appear once that is decided."
    ),
    Unforeseen.NO_RESULTS: lambda: _("There are no results yet from which hanchan could be drawn."),
}


def unforeseen_text(reason: str) -> str:
    """Return the reason why no odds can be given."""
    return UNFORESEEN[Unforeseen(reason)]()


def share_text(share: Share) -> str:
    """Format a share in whole percent; a simulated share is never shown as 0 or 100."""
    return percent_text(share.text)


def percent_text(percent: str) -> str:
    """Format a percentage written by `scoring.odds.shares`, with its percent sign."""
    if percent == LEAST:
        return _("<%(share)s%%") % {"share": LEAST[1:]}
    if percent == MOST:
        return _(">%(share)s%%") % {"share": MOST[1:]}
    return _("%(share)s%%") % {"share": percent}


def error_text(tenths: int) -> str:
    """Format an error in percentage points with one decimal, from tenths of a point."""
    return points_text(tenths, TENTHS_OF_A_POINT)
