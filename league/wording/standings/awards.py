"""Awards of a competition in words: titles, figures, and the reason for each place."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.wording.formatting import decimal_text, points_text, score_text
from league.wording.names import title_in
from scoring.format.team import Award, AwardBy
from scoring.teams.awards import AwardLine

TITLES = {
    AwardBy.TOTAL: gettext_lazy("Most points"),
    AwardBy.FOURTHS_SHARE: gettext_lazy("Best at avoiding last place"),
    AwardBy.BEST_SCORE: gettext_lazy("Highest score"),
    AwardBy.AVERAGE: gettext_lazy("Best average"),
}
"""The usual name of an award by its figure; a format may give another one."""


def award_title(award: Award) -> str:
    """Return the award's own title, else the usual one for its figure."""
    return title_in(award.title) if award.title else str(TITLES[award.by])


def award_value(award: Award, line: AwardLine, scale: int) -> str:
    """Return the figure of a line: points, a score, or the share of hanchan not finished last."""
    match award.by:
        case AwardBy.TOTAL:
            return points_text(line.counted, scale)
        case AwardBy.AVERAGE:
            return decimal_text(line.value / scale, 2)
        case AwardBy.BEST_SCORE:
            return score_text(line.counted)
        case AwardBy.FOURTHS_SHARE:
            return f"{decimal_text(100 * (1 - Fraction(line.value)), 2)}%"


def award_reason(award: Award, line: AwardLine, scale: int) -> str:
    """Return the numbers from which the figure of a line follows."""
    hanchan = {"hanchan": line.hanchan}
    match award.by:
        case AwardBy.TOTAL | AwardBy.BEST_SCORE:
            return ngettext("%(hanchan)s hanchan", "%(hanchan)s hanchan", line.hanchan) % hanchan
        case AwardBy.AVERAGE:
            return _("%(points)s in %(hanchan)s hanchan") % {**hanchan, "points": points_text(line.counted, scale)}
        case AwardBy.FOURTHS_SHARE:
            return _("last in %(count)s of %(hanchan)s hanchan") % {**hanchan, "count": line.counted}
