"""Form for the period of a parlour's reports: a ready one, or two dates of one's own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.selectors.parlour.reports import Period

MOST_DAYS = 400
"""A little more than a year, so that a year can be compared with its last month."""
EARLIEST = dt.date(2000, 1, 1)
DAY = dt.timedelta(days=1)

READY: Mapping[str, Callable[[dt.date], Period]] = {
    "today": lambda today: Period(today, today),
    "yesterday": lambda today: Period(today - DAY, today - DAY),
    "week": lambda today: Period(today - DAY * today.weekday(), today),
    "month": lambda today: Period(today.replace(day=1), today),
    "last_month": lambda today: Period((today.replace(day=1) - DAY).replace(day=1), today.replace(day=1) - DAY),
    "year": lambda today: Period(today.replace(month=1, day=1), today),
}
"""The period of each name, as of a business day; a week begins on Monday."""

NAMES = {
    "today": gettext_lazy("Today"),
    "yesterday": gettext_lazy("Yesterday"),
    "week": gettext_lazy("This week"),
    "month": gettext_lazy("This month"),
    "last_month": gettext_lazy("Last month"),
    "year": gettext_lazy("This year"),
}
DEFAULT = "month"


class PeriodForm(forms.Form):
    """Choose a period: `period` names a ready one; `first` and `last` are business days."""

    period = forms.ChoiceField(choices=list(NAMES.items()), required=False)
    first = forms.DateField(label=gettext_lazy("From day"), required=False, widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=gettext_lazy("To day"), required=False, widget=forms.DateInput({"type": "date"}))

    def __init__(self, data: Mapping[str, Any], *, today: dt.date) -> None:
        super().__init__(data)
        self.today = today

    def clean(self) -> dict[str, Any]:
        """Refuse one date without the other, dates in the wrong order, and a period that is too long."""
        data: dict[str, Any] = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if self.errors or not (first or last):
            return data
        if not (first and last):
            raise ValidationError(_("Give both days."))
        if first < EARLIEST or last > self.today + MOST_DAYS * DAY:
            raise ValidationError(_("These days are too far away."))
        if first > last:
            raise ValidationError(_("The first day is after the last one."))
        if Period(first, last).days > MOST_DAYS:
            raise ValidationError(_("A report covers %(days)s days at most.") % {"days": MOST_DAYS})
        return data

    @property
    def ready(self) -> str:
        """Return the name of the ready period that was chosen; empty for dates of one's own."""
        data = self.cleaned_data if self.is_valid() else {}
        return "" if data.get("first") else data.get("period") or DEFAULT

    def chosen(self) -> Period:
        """Return the period; after an error the default one."""
        if self.ready:
            return READY[self.ready](self.today)
        return Period(self.cleaned_data["first"], self.cleaned_data["last"])
