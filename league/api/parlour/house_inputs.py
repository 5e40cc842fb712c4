"""Request bodies about the house itself: a new parlour, its rule books, tables and fees."""

from __future__ import annotations

import datetime as dt
from typing import Any

from rest_framework import serializers

from league.api.fields import BoundedListField, OptionalTextField, StrictSerializer, TimeOfDayField
from league.api.results.entries import MOST, OptionsField
from league.services.parlour.setup import MOST_TABLES
from league.services.parlour.tariffs import LONGEST_UNIT

MOST_BOOKS = 50


class FeeField(serializers.IntegerField):
    """A fee in the smallest unit of the parlour's currency."""

    def __init__(self, help_text: str, **options: Any) -> None:
        super().__init__(min_value=0, max_value=MOST, help_text=help_text, **options)


class FeesInput(StrictSerializer):
    """The fees of a table; those left out are 0."""

    per_game = FeeField("The fee for a game.", default=0)
    student_per_game = FeeField(
        "The fee for students; null if they pay the ordinary one.", default=None, allow_null=True
    )
    top = FeeField("The fee that the top pays besides.", default=0)
    stamps_for_a_free_game = serializers.IntegerField(
        min_value=0, max_value=1000, default=0, help_text="Stamps on a card that make a game free; 0 without cards."
    )
    hour_unit_minutes = serializers.IntegerField(
        min_value=0, max_value=LONGEST_UNIT, default=0, help_text="Minutes of a unit for guests by the hour."
    )
    hour_unit = FeeField("The fee for such a unit.", default=0)
    set_hour = FeeField("The fee of a set table for an hour.", default=0)


class SetTariffInput(FeesInput):
    """Fees from a business day on; those left out are 0."""

    from_day = serializers.DateField(help_text="The first business day they hold for.")
    book = serializers.SlugField(max_length=64, allow_null=True, default=None, help_text="The rule book; null: all.")
    table = OptionalTextField(max_length=32, help_text="The table; empty: all.")


class BookInput(StrictSerializer):
    """A rule book to be offered."""

    ruleset = serializers.CharField(max_length=64, help_text="The key of an installed rule book.")
    options = OptionsField(required=False, default=dict, help_text="The house options.")
    tariff = FeesInput(required=False, help_text="The fees for it; left out: those that the book names.")


class PlannedTableInput(StrictSerializer):
    """A table of a new parlour."""

    name = serializers.CharField(max_length=32, help_text="The table's name.")
    usual_book = serializers.IntegerField(
        min_value=0, max_value=MOST_BOOKS, allow_null=True, default=None, help_text="The index in `books`, or null."
    )


class HouseWordsInput(StrictSerializer):
    """The names of a parlour and what its rule books share."""

    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = OptionalTextField(max_length=100, help_text="The English name.")
    day_starts_at = TimeOfDayField(default=dt.time(10, 0), help_text="The time of day at which a business day begins.")
    is_public = serializers.BooleanField(default=False, help_text="True lets visitors read the rankings.")


class NewParlourInput(HouseWordsInput):
    """A new parlour with its rule books and tables."""

    slug = serializers.SlugField(max_length=64, help_text="The parlour's name in addresses.")
    currency = serializers.CharField(max_length=3, default="JPY", help_text="The ISO 4217 code of its money.")
    time_zone = serializers.CharField(max_length=64, default="Asia/Tokyo", help_text="An IANA time zone.")
    books = BoundedListField(
        child=BookInput(), min_length=1, max_length=MOST_BOOKS, help_text="The rule books it offers."
    )
    tables = BoundedListField(
        child=PlannedTableInput(), required=False, default=list, max_length=MOST_TABLES, help_text="Its tables."
    )


class HouseTableInput(StrictSerializer):
    """A table of the house."""

    name = serializers.CharField(max_length=32, help_text="The table's name.")
    usual_book = serializers.SlugField(
        max_length=64, allow_null=True, default=None, help_text="The slug of the rule book usually played; null: none."
    )
