"""Request bodies about guests: entering them, the waiting list, their bills, and business days."""

from __future__ import annotations

from rest_framework import serializers

from league.api.fields import AcceptField, IdField, OptionalTextField, StrictSerializer
from league.api.parlour.sitting_inputs import ChairField, MomentField, ReasonField
from league.api.results.entries import MOST
from scoring.charges import Rate

LARGEST_PARTY = 20
MONEY = MOST


class GuestInput(StrictSerializer):
    """A guest to be entered: a known person by id, or a new one by name."""

    book = serializers.SlugField(max_length=64, required=False, help_text="The rule book; left out: the first one.")
    player = IdField(required=False, help_text="The id of a person who is known; then nothing else is needed.")
    name = serializers.CharField(max_length=100, required=False, help_text="The name of a new guest.")
    kana = OptionalTextField(max_length=100, help_text="The reading of the name in kana.")
    number = OptionalTextField(max_length=32, help_text="The member number.")


class MergeInput(StrictSerializer):
    """Two entries of one person."""

    duplicate = IdField(help_text="The player's id of the entry that goes.")
    keep = IdField(help_text="The player's id of the entry that stays.")
    reason = OptionalTextField(max_length=1000, help_text="Kept with the change.")


class WaitingInput(StrictSerializer):
    """A guest for the waiting list, alone or with company."""

    book = serializers.SlugField(max_length=64, required=False, help_text="The rule book; left out: the first one.")
    player = IdField(help_text="The player's id.")
    party = serializers.IntegerField(
        min_value=1, max_value=LARGEST_PARTY, default=1, help_text="The number of people who wait together."
    )
    wish = OptionalTextField(max_length=100, help_text="A wish, such as a table.")
    at = MomentField()


class SeatWaitingInput(StrictSerializer):
    """An empty chair for one of those who wait."""

    sitting = IdField(help_text="The sitting's id.")
    chair = ChairField("The empty chair.")
    player = IdField(required=False, help_text="Another one of the party; left out: the one who is on the list.")


class SettleInput(StrictSerializer):
    """A guest who settles up."""

    is_paid = serializers.BooleanField(default=True, help_text="False puts the total on account.")
    leaves = serializers.BooleanField(default=True, help_text="False if the guest plays on.")
    expected = serializers.IntegerField(
        min_value=-MONEY, max_value=MONEY, required=False, help_text="`total` as you saw it; 409 if it has changed."
    )
    at = MomentField()


class TermsInput(StrictSerializer):
    """The rate and the stamp card of a guest, from today on."""

    rate = serializers.ChoiceField([each.value for each in Rate], help_text="The rate by which the guest pays.")
    stamps = serializers.IntegerField(
        min_value=0, max_value=1000, allow_null=True, help_text="Stamps as the day begins; null without a card."
    )


class ExtraInput(StrictSerializer):
    """Another item on a guest's bill."""

    # mypy takes it for the attribute of the same name that every field has.
    label = serializers.CharField(max_length=100, help_text="The thing, such as tea.")  # type: ignore[assignment]
    money = serializers.IntegerField(
        min_value=-MONEY, max_value=MONEY, help_text="In the smallest unit of the currency; a discount is negative."
    )
    at = MomentField()


class PaymentInput(StrictSerializer):
    """Money for what a guest has on account."""

    money = serializers.IntegerField(
        min_value=-MONEY, max_value=MONEY, help_text="In the smallest unit of the currency; given back if negative."
    )
    at = MomentField()


class CancelInput(StrictSerializer):
    """The cancellation of a statement made by mistake."""

    reason = ReasonField()


class CloseDayInput(StrictSerializer):
    """The close of a business day."""

    accept = AcceptField()
    at = MomentField()


class ReopenDayInput(StrictSerializer):
    """The reopening of a business day's books."""

    reason = ReasonField()
