"""Pages that set the projector's countdown clock and put up announcements for a session."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import F, ServiceView, page_of
from league.forms.competitions.announcements import AnnounceForm, TakeDownForm, TimerForm
from league.models import Session
from league.selectors.access.actors import Actor
from league.services.competitions.announcements import announce, set_timer, take_down


class HallView(ServiceView[Session, F]):
    """Base of the projector pages, which are reached from match night and return there."""

    def after(self, form: object) -> str:
        """Return to match night, which shows the clock and the announcements too."""
        return page_of(self.row, "night")


class TimerView(HallView[TimerForm]):
    """Set the countdown clock of the session."""

    form_class = TimerForm
    title = gettext_lazy("Clock")
    explanation = gettext_lazy("The projector counts down for the whole hall.")

    def perform(self, form: TimerForm, by: Actor) -> str:
        """Start the clock for that number of minutes; without a number, stop it."""
        minutes = form.cleaned_data["minutes"]
        ends_at = timezone.now() + dt.timedelta(minutes=minutes) if minutes else None
        set_timer(session=self.row, ends_at=ends_at, by=by)
        return _("The clock runs.") if minutes else _("The clock is off.")


class AnnounceView(HallView[AnnounceForm]):
    """Show an announcement on the projector."""

    form_class = AnnounceForm
    title = gettext_lazy("Announce")
    submit = gettext_lazy("Announce")
    explanation = gettext_lazy("Shown on the projector until it is taken down.")

    def perform(self, form: AnnounceForm, by: Actor) -> str:
        """Publish the announcement."""
        announce(session=self.row, by=by, **form.cleaned_data)
        return _("Announced.")


class TakeDownView(HallView[TakeDownForm]):
    """Remove an announcement from the projector."""

    title = gettext_lazy("Take down an announcement")
    submit = gettext_lazy("Take down")

    def form(self, data: object = None) -> TakeDownForm:
        """Return the form with the announcements that are shown now."""
        return TakeDownForm(data, session=self.row)

    def perform(self, form: TakeDownForm, by: Actor) -> str:
        """Remove the chosen announcement."""
        take_down(announcement=form.cleaned_data["announcement"], by=by)
        return _("Taken down.")
