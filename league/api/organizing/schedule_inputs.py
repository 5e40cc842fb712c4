"""Request bodies about the schedule: the whole plan, sessions, tables, seats and announcements."""

from __future__ import annotations

from rest_framework import serializers

from league.api.fields import BoundedListField, IdField, OptionalTextField, StrictSerializer, TimeOfDayField
from league.selectors.competitions.seating.plans import (
    USUAL_MINUTES,
    Days,
)

MOST_HANCHAN = 100
MOST_SEATS = 4


def number_list(told: str) -> BoundedListField:
    """Return the field of a list of hanchan numbers."""
    child = serializers.IntegerField(min_value=1, max_value=10_000)
    return BoundedListField(child=child, max_length=MOST_HANCHAN, help_text=told)


class ScheduleWishesInput(StrictSerializer):
    """When and where a competition is played, and what the seating observes."""

    first_day = serializers.DateField(help_text="The day of the first session.")
    every = serializers.IntegerField(min_value=0, max_value=366, help_text="Days from one session to the next.")
    starts_at = TimeOfDayField(help_text="The time at which a session begins.")
    venue = OptionalTextField(max_length=100, help_text="Where it is played.")
    tables = serializers.IntegerField(
        min_value=1, max_value=500, required=False, help_text="Tables that can play at a time; left out: enough."
    )
    seed = serializers.CharField(max_length=100, help_text="From which the seats are drawn; published with them.")
    days = serializers.ChoiceField(
        [each.value for each in Days], default=Days.SESSION, help_text="What plays on the same day."
    )
    minutes = serializers.IntegerField(
        min_value=1, max_value=600, default=USUAL_MINUTES, help_text="Minutes that a hanchan takes."
    )
    hanchan = serializers.IntegerField(
        min_value=1, max_value=MOST_HANCHAN, required=False, help_text="For formats that do not set their number."
    )
    sessions = serializers.IntegerField(
        min_value=1, max_value=MOST_HANCHAN, required=False, help_text="For formats that do not set their number."
    )
    keeps_clubs_apart = serializers.BooleanField(default=False, help_text="Clubs meet later, where possible.")
    keeps_countries_apart = serializers.BooleanField(default=False, help_text="The same for countries.")
    digest = serializers.CharField(
        max_length=64, required=False, help_text="That of a preview: refused if the plan is another one by now."
    )


class NewSessionInput(StrictSerializer):
    """A session to be added."""

    number = serializers.IntegerField(min_value=1, max_value=10_000, required=False, help_text="Left out: the next.")
    name = OptionalTextField(max_length=100, help_text="Left out: by the number.")
    name_en = OptionalTextField(max_length=100, help_text="The English name.")


class SessionNamesInput(StrictSerializer):
    """The names of a session."""

    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = OptionalTextField(max_length=100, help_text="The English name.")


class MoveSessionInput(StrictSerializer):
    """Another day for a session."""

    day = serializers.DateField(help_text="The day of its first table.")
    time = TimeOfDayField(required=False, help_text="The time of its first table, if it changes.")
    venue = OptionalTextField(max_length=100, help_text="If it changes.")
    moves_later = serializers.BooleanField(default=False, help_text="All later sessions move by as many days.")
    digest = serializers.CharField(max_length=64, required=False, help_text="That of a preview.")


class NewTableInput(StrictSerializer):
    """A table to be scheduled."""

    session = IdField(help_text="The session's id.")
    block = serializers.CharField(max_length=32, help_text="The block's key.")
    numbers = number_list("The block's numbers of its hanchan, in the order of play.")
    entrants = BoundedListField(
        child=IdField(), max_length=MOST_SEATS, default=list, help_text="Their ids, first dealer first; may be empty."
    )
    table = OptionalTextField(max_length=50, help_text="Its name in the hall.")
    starts_at = serializers.DateTimeField(required=False, help_text="The planned beginning.")
    venue = OptionalTextField(max_length=100, help_text="Where it is played.")
    stream_url = OptionalTextField(max_length=200, help_text="Of the broadcast.")
    public_at = serializers.DateTimeField(required=False, help_text="Results are held back until then.")


class TablePlanChangeInput(StrictSerializer):
    """Changes of the plan of a table; a member that is left out stays as it is."""

    table = serializers.CharField(max_length=50, required=False, allow_blank=True, help_text="Its name in the hall.")
    starts_at = serializers.DateTimeField(required=False, allow_null=True, help_text="The planned beginning.")
    venue = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="Where it is played.")
    stream_url = serializers.CharField(max_length=200, required=False, allow_blank=True, help_text="Of the broadcast.")
    is_cancelled = serializers.BooleanField(required=False, help_text="It will not be played.")


class HoldBackInput(StrictSerializer):
    """Until when a table is held back from the public."""

    until = serializers.DateTimeField(allow_null=True, help_text="Null shows it at once.")


class ReseatInput(StrictSerializer):
    """The seats of a hanchan."""

    entrants = BoundedListField(
        child=IdField(), max_length=MOST_SEATS, help_text="The entrants' ids, first dealer first."
    )


class DrawInput(StrictSerializer):
    """A draw of seats."""

    seed = serializers.CharField(max_length=100, help_text="Anything that all players can check.")
    is_for_all = serializers.BooleanField(default=False, help_text="All hanchan of the session, not only the next.")
    rotates = serializers.BooleanField(default=False, help_text="Seats rotate from hanchan to hanchan.")
    redraws = serializers.BooleanField(default=False, help_text="Seats that are set are drawn again.")


class SwapEntrantsInput(StrictSerializer):
    """Two entrants of a block who change places."""

    numbers = number_list("The numbers of the hanchan in which they change places.")
    one = IdField(help_text="The id of one entrant.")
    other = IdField(help_text="The id of the other.")


class NewAnnouncementInput(StrictSerializer):
    """Words for all who are in the hall."""

    text = serializers.CharField(max_length=500, help_text="In the language of the competition.")
    text_en = OptionalTextField(max_length=500, help_text="In English.")
