"""Pages that set the projector's countdown clock and put up announcements for a session."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import F, ServiceView, page_of
from league.forms.competitions.announcements import AnnounceForm, TakeDownForm, TimerForm
from league.models import Session
from league.selectors.access.actors import Actor
from league.selectors.competitions.clock import clock_of
from league.services.competitions.announcements import announce, extend_timer, set_timer, take_down


class HallView(ServiceView[Session, F]):
    """Base of the projector pages, which are reached from match night and return there."""

    def after(self, form: object) -> str:
        """Return to match night, which shows the clock and the announcements too."""
        return page_of(self.row, "night")


class TimerView(HallView[TimerForm]):
    """Start, extend and stop the round clock of the session."""

    form_class = TimerForm
    title = gettext_lazy("Clock")
    explanation = gettext_lazy("Screens in the hall and phones at the tables count down.")

    @override
    def form_arguments(self) -> dict[str, object]:
        clock = clock_of(self.row)
        # While a clock runs, minutes are more often added than the whole round is started again.
        return {"proposed": None if clock.ends_at else clock.minutes, "is_running": clock.ends_at is not None}

    @override
    def notes(self) -> Iterable[object]:
        """Yield the end of the running clock, and what the rules say about the end of the time."""
        clock = clock_of(self.row)
        if clock.ends_at is not None:
            when = timezone.localtime(clock.ends_at, ZoneInfo(self.competition().time_zone))
            yield _("The clock ends at %(when)s.") % {"when": f"{when:%H:%M}"}
        if clock.rule:
            yield f"{clock.rule} ({', '.join(clock.clauses)})"
        else:
            yield _("The rules in force have no time limit: tell the tables how the last hand is played.")

    def perform(self, form: TimerForm, by: Actor) -> str:
        """Start the clock for that number of minutes or add them; without a number, stop it."""
        minutes = form.cleaned_data["minutes"]
        if minutes and form.cleaned_data.get("extends"):
            extend_timer(session=self.row, minutes=minutes, by=by)
            return _("%(count)s minutes added.") % {"count": minutes}
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
