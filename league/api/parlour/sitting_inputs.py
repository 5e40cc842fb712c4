"""Request bodies about sittings: opening a table, its chairs, its games, its close."""

from __future__ import annotations

from rest_framework import serializers

from league.api.fields import AcceptField, BoundedListField, IdField, StrictSerializer
from league.api.results.entries import MOST, MOST_SEATS, OptionsField, TobiInput
from league.models import Sitting

AMOUNT = r"^-?[0-9]{1,8}(\.[0-9]{1,4})?$"
LONGEST_REASON = 1000


class MomentField(serializers.DateTimeField):
    """A moment in the past for a paper record that is entered later; now if it is left out."""

    def __init__(self) -> None:
        super().__init__(required=False, help_text="The moment, if it is entered later; left out: now.")


class ReasonField(serializers.CharField):
    """The reason of a change, kept with it."""

    def __init__(self) -> None:
        super().__init__(max_length=LONGEST_REASON, help_text="Kept with the change.")


class ChairField(serializers.IntegerField):
    """A chair of a table, from 0 in turn order."""

    def __init__(self, help_text: str = "The chair, from 0 in turn order.", *, allow_null: bool = False) -> None:
        super().__init__(min_value=0, max_value=MOST_SEATS, help_text=help_text, allow_null=allow_null)


class SeatedGuestInput(StrictSerializer):
    """A person who takes a chair."""

    player = IdField(help_text="The player's id; a person new to this rule book is entered.")
    is_house = serializers.BooleanField(default=False, help_text="True for staff who play for the house.")


class OpenSittingInput(StrictSerializer):
    """A table to be opened."""

    book = serializers.SlugField(max_length=64, required=False, help_text="The rule book; left out: the first one.")
    table = serializers.CharField(max_length=32, help_text="The table's name.")
    people = BoundedListField(
        child=SeatedGuestInput(), required=False, default=list, max_length=MOST_SEATS, help_text="In turn order."
    )
    first_dealer = serializers.IntegerField(
        min_value=0, max_value=MOST_SEATS, default=0, help_text="The index in `people` of the first dealer."
    )
    kind = serializers.ChoiceField(Sitting.Kind.choices, default=Sitting.Kind.FREE, help_text="Free or set table.")
    chips = serializers.ChoiceField(
        Sitting.Chips.choices, default=Sitting.Chips.PER_GAME, help_text="The moment at which chips are counted."
    )
    options = OptionsField(required=False, default=dict, help_text="The table's house options.")
    per_hour = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, help_text="A set table's fee for an hour; left out: the tariff's."
    )
    at = MomentField()


class JoinInput(StrictSerializer):
    """A guest who sits down on an empty chair."""

    chair = ChairField()
    player = IdField(help_text="The player's id; a person new to this rule book is entered.")
    is_house = serializers.BooleanField(default=False, help_text="True for staff who play for the house.")
    at = MomentField()


class LeaveChairInput(StrictSerializer):
    """A guest who leaves without settling up."""

    at = MomentField()


class LastGameInput(StrictSerializer):
    """A guest who announces the last game."""

    is_last = serializers.BooleanField(default=True, help_text="False removes the mark.")


class StandInInput(StrictSerializer):
    """A player who sits for a guest."""

    player = IdField(allow_null=True, help_text="The player's id; null when the guest is back.")
    stays = serializers.BooleanField(default=False, help_text="Until the guest is back, not for one game alone.")


class HousePlayerInput(StrictSerializer):
    """A person who plays for the house, or for themselves."""

    is_house = serializers.BooleanField(help_text="True for the house.")


class SwapInput(StrictSerializer):
    """The other chair of a swap."""

    sitting = IdField(required=False, help_text="The other guest's sitting; left out: the same.")
    chair = ChairField("The other guest's chair.")
    at = MomentField()


class MoveInput(StrictSerializer):
    """An empty chair to move to."""

    sitting = IdField(required=False, help_text="The sitting moved to; left out: the same.")
    chair = ChairField("The empty chair.")
    at = MomentField()


class PlayedInput(StrictSerializer):
    """A finished game. Every list is by seat, first dealer first."""

    round = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="`next_round` as you saw it; 409 if a game came between."
    )
    scores = BoundedListField(
        child=serializers.IntegerField(min_value=-MOST, max_value=MOST),
        min_length=1,
        max_length=MOST_SEATS,
        help_text="The final scores in table points.",
    )
    kyoutaku = serializers.IntegerField(
        min_value=-MOST, max_value=MOST, default=0, help_text="Points of the deposits left on the table."
    )
    chonbo = BoundedListField(
        child=serializers.IntegerField(min_value=0, max_value=99),
        required=False,
        max_length=MOST_SEATS,
        help_text="The number of chonbo.",
    )
    carried = serializers.DictField(
        child=BoundedListField(child=serializers.RegexField(AMOUNT), max_length=MOST_SEATS),
        required=False,
        help_text="By ledger, the amount each seat brings from the table, such as chips.",
    )
    tobi = BoundedListField(
        child=TobiInput(), required=False, max_length=MOST_SEATS, help_text="Who went out, and who gets the prize."
    )
    forced_top = serializers.IntegerField(
        min_value=0, max_value=MOST_SEATS, required=False, help_text="The seat that is first whatever the scores say."
    )
    is_verdict = serializers.BooleanField(
        default=False, help_text="True if the scores were not counted and stand for a verdict."
    )
    options = OptionsField(required=False, help_text="House options of this game alone.")
    accept = AcceptField()


class RecordGameInput(PlayedInput):
    """The next game of a sitting. Every list is by seat, first dealer first."""

    first_dealer = ChairField("The first dealer's chair; null if it was not noted.", allow_null=True)
    players = BoundedListField(
        child=IdField(),
        required=False,
        max_length=MOST_SEATS,
        help_text="The players' ids as you saw them on the chairs; 409 if others sit there.",
    )
    day = serializers.DateField(
        required=False, help_text="The sitting's own day, for a game ended before the changeover and entered after it."
    )
    at = MomentField()


class CorrectGameInput(PlayedInput):
    """The newest game of a sitting, corrected; the players are those who sat, in the order of their seats."""

    reason = ReasonField()


class TakeBackGameInput(StrictSerializer):
    """The newest game of a sitting, as if it had not been played."""

    reason = ReasonField()


class ChipAmountInput(StrictSerializer):
    """A guest's win or loss over the sitting."""

    player = IdField(help_text="The player's id.")
    amount = serializers.RegexField(AMOUNT, help_text="The amount won, as a decimal.")


class ChipsInput(StrictSerializer):
    """Amounts of a ledger that is counted once for the sitting; they replace those entered before."""

    ledger = serializers.CharField(max_length=32, help_text="The ledger's key.")
    amounts = BoundedListField(child=ChipAmountInput(), max_length=40, help_text="One for each guest who sat.")


class FollowInput(StrictSerializer):
    """The next game, to be followed hand by hand."""

    first_dealer = ChairField("The first dealer's chair.")


class AcceptInput(StrictSerializer):
    """Warnings that are accepted."""

    accept = AcceptField()


class CloseSittingInput(StrictSerializer):
    """The end of a sitting."""

    at = MomentField()
    accept = AcceptField()
