"""A field for a time of the business day, for what is entered later than it happened."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition
from league.selectors.parlour.board import business_day
from rulesets.normalization import normalize

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CLOCK = re.compile(r"(\d{1,2})[:.]?(\d{2})")
HOURS = 24
MOST_HOURS = 36
MINUTES = 60
HALF_A_DAY = dt.timedelta(hours=12)


class ClockField(forms.CharField):
    """A time of the present business day, such as 23:50; the hours of its night may be counted on (24:48) or not.

    Only the past is entered: a time of a night still to come is that of the night before, others to come are refused.
    """

    def __init__(self, *, book: Competition, label: StrOrPromise) -> None:
        super().__init__(
            required=False,
            widget=forms.TextInput(attrs={"size": "5", "placeholder": "23:50", "autocomplete": "off"}),
            label=label,
        )
        self.book = book

    def clean(self, value: object) -> dt.datetime | None:
        """Return the moment, or None for an empty field."""
        text = normalize("NFKC", str(super().clean(value) or "")).strip()
        if not text:
            return None
        found = CLOCK.fullmatch(text)
        hours, minutes = (int(found[1]), int(found[2])) if found else (MOST_HOURS, 0)
        if hours >= MOST_HOURS or minutes >= MINUTES:
            raise ValidationError(_("Write the time like 23:50."), "clock")
        starts = self.book.day_starts_at
        # 0:48 and 24:48 are the same moment: before the changeover a time belongs to the night of the business day.
        past = hours >= HOURS or dt.time(hours, minutes) < starts
        midnight = dt.datetime.combine(business_day(self.book), dt.time(), ZoneInfo(self.book.time_zone))
        moment, now = midnight + dt.timedelta(days=int(past), hours=hours % HOURS, minutes=minutes), timezone.now()
        if moment > now and (past or moment - now > HALF_A_DAY):
            # Just after the changeover, a time before it is that of the day that has ended.
            moment -= dt.timedelta(days=1)
        if moment > now:
            message = _("%(time)s is still to come. Check the time, or leave the field empty for now.")
            raise ValidationError(message % {"time": f"{moment:%H:%M}"}, "clock_to_come")
        return moment
