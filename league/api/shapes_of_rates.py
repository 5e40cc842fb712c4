"""The shape of rates, for the OpenAPI document."""

from __future__ import annotations

from rest_framework import serializers as s

from league.api.shapes import CompetitionRef, EntrantShape, Ref, Shape


class RateShape(Shape):
    """How often: null over nothing."""

    count = s.IntegerField()
    of = s.IntegerField(help_text="Only what tells of it is counted here.")
    value = s.CharField(allow_null=True, help_text="Four decimals, such as 0.2167.")


class MeanShape(Shape):
    """A mean of table points: null over nothing."""

    total = s.IntegerField()
    of = s.IntegerField()
    value = s.CharField(allow_null=True, help_text="One decimal, such as 7466.7.")


class LargestHandShape(Shape):
    """The hand that brought most."""

    points = s.IntegerField()
    hanchan = Ref(help_text="The first hanchan it was reached in.")


class EntrantRatesShape(EntrantShape):
    """An entrant's figures over the hanchan they played themselves and that were followed hand by hand."""

    hanchan = s.IntegerField()
    by_substitutes = s.IntegerField(help_text="Logged hanchan that a substitute played; not counted.")
    kyoku = s.IntegerField(help_text="Hands that were neither void nor ended by a ruling.")
    win = RateShape()
    deal_in = RateShape(help_text="Once for each hand, however many won on the discard.")
    riichi = RateShape(help_text="Of the hands in which a riichi lays a stake.")
    tsumo = RateShape(help_text="Of the wins.")
    tenpai = RateShape(help_text="Of the draws at which tenpai is paid for.")
    average_win = MeanShape(help_text="The hands alone, without counters and deposits.")
    average_deal_in = MeanShape()
    largest_hand = LargestHandShape(allow_null=True)


class RatesShape(Shape):
    """Rates of everybody who played a logged hanchan."""

    competition = CompetitionRef()
    as_of = s.IntegerField()
    entrants = EntrantRatesShape(many=True)
