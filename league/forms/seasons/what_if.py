"""The form of a coming event, for the place that lifts one person above another."""

from __future__ import annotations

import datetime as dt

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.forms.fields import DAY_INPUT
from scoring.rankings.events import Event
from scoring.rankings.what_if import MOST_PLAYERS

MOST_DAYS, MOST_COUNTRIES = 99, 99
COMING = 0
"""The key of the coming event; listed events have higher ones."""


class ComingEventForm(forms.Form):
    """A coming event: day, size, and what its weight depends on."""

    rival = forms.CharField(label=_("Above whom?"), max_length=100)
    day = forms.DateField(label=_("Last day of the event"), required=False, widget=DAY_INPUT)
    players = forms.IntegerField(label=_("Number of players"), min_value=2, max_value=MOST_PLAYERS, initial=16)
    days = forms.IntegerField(label=_("Days of play"), min_value=1, max_value=MOST_DAYS, required=False, initial=1)
    countries = forms.IntegerField(
        label=_("Countries taking part"), min_value=1, max_value=MOST_COUNTRIES, required=False, initial=1
    )
    qualification = forms.BooleanField(label=_("Players have to qualify"), required=False)

    def coming(self, day: dt.date) -> Event[int]:
        """Return the event of valid input; not before `day`, by default today."""
        data = self.cleaned_data
        return Event(
            key=COMING,
            day=max(data["day"] or timezone.localdate(), day),
            players=data["players"],
            results={},
            days=data["days"] or 1,
            countries=data["countries"] or 1,
            needs_qualification=data["qualification"],
        )
