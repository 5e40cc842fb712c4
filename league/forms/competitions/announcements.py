"""Forms of the projector: countdown clock and announcements."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from league.forms.service import ServiceForm
from league.models import Announcement, Session
from league.services.competitions.announcements import LONGEST_TIMER


class TimerForm(ServiceForm):
    """Number of minutes that the clock runs from now on, or longer than it would."""

    pointers = {"ends_at": "minutes"}
    minutes = forms.IntegerField(
        label=_("Minutes from now"),
        min_value=1,
        max_value=LONGEST_TIMER,
        required=False,
        help_text=_("Empty: no clock is shown."),
    )
    extends = forms.BooleanField(label=_("Add these minutes to the clock that runs"), required=False)

    def __init__(self, data: object = None, *, proposed: int | None = None, is_running: bool = False) -> None:
        super().__init__(data, initial={"minutes": proposed})
        if not is_running:
            del self.fields["extends"]


class AnnounceForm(ServiceForm):
    """Text of an announcement in Japanese, English or both."""

    text = forms.CharField(label=_("Text"), max_length=200)
    text_en = forms.CharField(label=_("English text"), max_length=200, required=False)


class TakeDownForm(ServiceForm):
    """Choice of one of the announcements shown now."""

    def __init__(self, data: object = None, *, session: Session) -> None:
        super().__init__(data)
        standing = Announcement.objects.filter(session=session, ended_at=None).select_related("session__competition")
        self.fields["announcement"] = forms.ModelChoiceField(standing, label=_("Announcement"))
