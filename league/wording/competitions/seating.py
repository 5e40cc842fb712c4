"""Figures of a schedule as lines for organizers and entrants: the value, the best possible one, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.seating import Bounds, Figures
from scoring.seating.figures import NO_SUCH_DESIGN


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A figure with the bound that no schedule can beat, and the reason for the bound."""

    name: str
    """Name of the figure in `Figures`."""
    title: str
    value: str
    best: str
    verdict: str
    """The proof, or the distance from the bound."""
    is_proved: bool
    reason: str


def figure_lines(figures: Figures, bounds: Bounds) -> Iterator[FigureLine]:
    """Yield the figures in the order in which schedules are compared."""
    tables = ngettext("There is %(tables)s table.", "The rounds of each spread over %(tables)s tables.", figures.tables)
    fewest = _("No plan does with fewer.")
    rows = (
        ("excess", _("Repeated meetings"), _("No plan repeats fewer meetings."), _why_repeated(figures, bounds)),
        ("squares", _("Sum of the squares of all pairs' meetings"), _("No plan spreads meetings more evenly."),
         _("It is least where all pairs meet equally often, give or take one.")),
        ("most_meetings", _("Meetings of the pair that meets most often"), fewest,
         _("All meetings spread over all pairs.")),
        ("table_most", _("Most visits to one table"), fewest, tables % {"tables": figures.tables}),
        ("wind_gap", _("Largest difference between the starts of one from two winds"), _("No plan is more even."),
         _("The hanchan of each spread over the winds.")),
    )  # fmt: skip
    proved = bounds.reached(figures)
    for name, title, best, reason in rows:
        value, bound = getattr(figures, name), getattr(bounds, name)
        shown = _pairs_again(figures) if name == "excess" else str(value)
        verdict = best if name in proved else _distance(value - bound)
        yield FigureLine(name, title, shown, _at_least(bound), verdict, name in proved, reason)
    yield _links(figures, bounds)


def _links(figures: Figures, bounds: Bounds) -> FigureLine:
    """Return the line of the entrants who link two who never meet."""
    name, title = "least_links", _("Opponents that two who never meet have in common, at least")
    if figures.least_links is None:
        return FigureLine(name, title, "–", "–", _("Every two meet."), is_proved=True, reason="")
    value = str(figures.least_links)
    if figures.unlinked:
        unlinked = ngettext("%(count)s pair has none", "%(count)s pairs have none", figures.unlinked)
        value = f"{value} ({unlinked % {'count': figures.unlinked}})"
    if bounds.least_links is None:
        return FigureLine(name, title, value, "–", _("No bound is known here."), is_proved=False, reason="")
    return FigureLine(
        name,
        title,
        value,
        _("at most %(bound)s") % {"bound": bounds.least_links},
        _("No plan links all pairs better.")
        if figures.least_links == bounds.least_links
        else _distance(bounds.least_links - figures.least_links),
        is_proved=figures.least_links == bounds.least_links,
        reason=_("All opponents of the opponents of one, spread over those who are never met."),
    )


def _pairs_again(figures: Figures) -> str:
    if not figures.excess:
        return "0"
    pairs = ngettext("%(count)s pair meets again", "%(count)s pairs meet again", figures.pairs_again)
    return f"{figures.excess} ({pairs % {'count': figures.pairs_again}})"


def _at_least(bound: int) -> str:
    return _("at least %(bound)s") % {"bound": bound} if bound else "0"


def _distance(distance: int) -> str:
    """Return the distance from a bound, which may be out of reach for every plan."""
    return _("%(distance)s from the bound; whether a plan reaches it is not known.") % {"distance": distance}


def _why_repeated(figures: Figures, bounds: Bounds) -> str:
    """Return why some meetings must repeat, or that counting demands none."""
    if not bounds.excess:
        return _("There are pairs enough: by counting, none has to meet twice.")
    if (figures.players, figures.rounds) == NO_SUCH_DESIGN[1:]:
        return _("It is proved that no plan without a repeated meeting exists for these numbers.")
    return _("The tables of all rounds seat more pairs than there are, or are too few to part those at one table.")
