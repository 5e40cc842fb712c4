"""Try a format out with invented results, within what a request may cost."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.platform.errors import refuse
from scoring.format import Format
from scoring.format.numbers import format_numbers
from scoring.format.trial import Scenario, Trial, trial

MOST_GAMES = 3_000
"""Hanchan that one trial may play; a tournament of 224 in nine rounds has 504."""


def try_format(league_format: Format, seed: int, scenario: Scenario = Scenario.USUAL) -> Trial:
    """Return the format played to its end. Raise RuleViolationError for one with more hanchan than a trial plays."""
    games = format_numbers(league_format).games or 0
    if games > MOST_GAMES:
        message = _("This format has %(games)s hanchan; at most %(most)s can be tried out.")
        raise refuse("trial_too_large", message % {"games": games, "most": MOST_GAMES})
    return trial(league_format, seed, scenario)
