"""Forms of the schedule: sessions, tables, seats and embargoes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms.utils import to_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.competitions.entrants import EntrantField
from league.forms.fields import DAY_INPUT, TIME_INPUT, NumbersField, field_of
from league.forms.service import EditForm, ServiceForm
from league.models import Entrant, Session
from league.selectors.competitions.match_days import SessionProgress, dated_title, session_progress
from league.wording.messages import wind_name
from scoring.ruleset import Ruleset

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    SessionFieldBase = forms.ModelChoiceField[Session]
else:
    SessionFieldBase = forms.ModelChoiceField


class MomentField(forms.SplitDateTimeField):
    """A date and a time; an edit form keeps the moment that it has shown in one hidden field."""

    hidden_widget = forms.HiddenInput

    def to_python(self, value: object) -> object:
        """Return the moment that a hidden field keeps."""
        try:
            return to_current_timezone(dt.datetime.fromisoformat(value)) if isinstance(value, str) and value else None
        except (ValueError, OverflowError) as error:
            raise ValidationError(str(error)) from error


def date_time_field(label: StrOrPromise, help_text: StrOrPromise = "") -> MomentField:
    """Return an optional date and time field that uses the browser's pickers."""
    return MomentField(
        label=label,
        required=False,
        help_text=help_text,
        widget=forms.SplitDateTimeWidget(
            # The stubs of this widget take no lazy text, which Django does.
            date_attrs={"type": "date", "aria-label": cast("str", gettext_lazy("Date"))},  # wrong in the stubs
            time_attrs={"type": "time", "aria-label": cast("str", gettext_lazy("Time"))},  # wrong in the stubs
            date_format="%Y-%m-%d",
            time_format="%H:%M",
        ),
    )


class SessionForm(ServiceForm):
    """A new session; without a name its number names it."""

    number = forms.IntegerField(
        label=gettext_lazy("Number"), min_value=1, required=False, help_text=gettext_lazy("Empty: the next.")
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=100, required=False)
    name_en = forms.CharField(label=gettext_lazy("English name"), max_length=100, required=False)


class SessionNameForm(EditForm):
    """Rename a session."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    name_en = forms.CharField(label=gettext_lazy("English name"), max_length=100, required=False)


class SeatsForm(ServiceForm):
    """Players in the order of their seats, one field for each."""

    def __init__(
        self,
        data: object = None,
        *,
        rules: Ruleset,
        entrants: Sequence[Entrant],
        seated: Sequence[int] = (),
        **options: object,
    ) -> None:
        super().__init__(data, **options)
        self.entrants = {entrant.pk: entrant for entrant in entrants}
        for index, wind in enumerate(rules.setup.seat_winds[: rules.players]):
            self.fields[f"seat_{index}"] = EntrantField(
                offered=entrants,
                lists=index == 0,
                label=wind_name(wind),
                required=False,
                initial=seated[index] if index < len(seated) else None,
            )
        self.pointers = {"/entrants": "seat_0"}

    def seated(self) -> list[Entrant]:
        """Return the chosen entrants, first dealer first."""
        chosen = (self.cleaned_data[name] for name in self.fields if name.startswith("seat_"))
        return [entrant for entrant in chosen if entrant]


class SessionField(SessionFieldBase):
    """Choose a session by its name and its days."""

    progress: Mapping[int, SessionProgress] = {}

    def offer(self, sessions: QuerySet[Session]) -> None:
        """Offer these sessions."""
        self.queryset = sessions.select_related("competition")
        self.progress = session_progress(list(self.queryset))

    def label_from_instance(self, obj: Session) -> str:
        """Return the session's name with its days."""
        return dated_title(obj, self.progress.get(obj.pk, SessionProgress()))


class TableForm(SeatsForm):
    """A new table of a block: hanchan numbers, players, time, venue and embargo."""

    session = SessionField(label=gettext_lazy("Session"), queryset=Session.objects.none())
    numbers = NumbersField(
        label=gettext_lazy("Hanchan"),
        help_text=gettext_lazy("Numbers in the block for these players, such as 1-4."),
    )
    table = forms.CharField(label=pgettext_lazy("a table", "Name"), max_length=32, required=False)
    starts_at = date_time_field(gettext_lazy("Starts at"))
    venue = forms.CharField(label=gettext_lazy("Venue"), max_length=100, required=False)
    stream_url = forms.URLField(label=gettext_lazy("Stream"), required=False, assume_scheme="https")
    public_at = date_time_field(
        gettext_lazy("Public from"), gettext_lazy("Until then only organizers see this table. Empty: at once.")
    )

    def __init__(
        self,
        data: object = None,
        *,
        sessions: QuerySet[Session],
        rules: Ruleset,
        entrants: Sequence[Entrant],
        initial: Mapping[str, object],
    ) -> None:
        super().__init__(data, rules=rules, entrants=entrants, initial=initial)
        field_of(self, "session", SessionField).offer(sessions)
        seats = [name for name in self.fields if name.startswith("seat_")]
        self.order_fields(["session", "numbers", *seats, "table", "starts_at", "venue", "stream_url", "public_at"])


class TableWordsForm(EditForm):
    """The fields of a table that may be changed later."""

    table = forms.CharField(label=pgettext_lazy("a table", "Name"), max_length=32, required=False)
    starts_at = date_time_field(gettext_lazy("Starts at"))
    venue = forms.CharField(label=gettext_lazy("Venue"), max_length=100, required=False)
    stream_url = forms.URLField(label=gettext_lazy("Stream"), required=False, assume_scheme="https")
    is_cancelled = forms.BooleanField(label=gettext_lazy("Cancelled"), required=False)


class MoveSessionForm(ServiceForm):
    """Another day, time or venue of a whole session."""

    day = forms.DateField(label=gettext_lazy("Day of the first table"), widget=DAY_INPUT)
    time = forms.TimeField(
        label=gettext_lazy("It starts at"),
        required=False,
        help_text=gettext_lazy("Empty: as before. The other tables keep their distance from the first."),
        widget=TIME_INPUT,
    )
    venue = forms.CharField(
        label=gettext_lazy("Venue"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Empty: each table stays at its venue."),
    )
    moves_later = forms.BooleanField(
        label=gettext_lazy("All later sessions too"),
        required=False,
        help_text=gettext_lazy("By the same number of days; their times and venues stay."),
    )


class HoldBackForm(ServiceForm):
    """The moment at which an embargo ends."""

    until = date_time_field(gettext_lazy("Public from"))

    def clean_until(self) -> object:
        """Require a moment: releasing at once is another button."""
        if self.cleaned_data["until"] is None:
            raise ValidationError(_("Enter the day and the time."))
        return self.cleaned_data["until"]
