"""The shapes of conditions, explanations and results tried out, for the OpenAPI document."""

from __future__ import annotations

from rest_framework import serializers as s

from league.api.shapes import (
    Amount,
    ChampionShape,
    CompetitionRef,
    DecisionShape,
    DestinationShape,
    EntrantShape,
    InBoth,
    NamedKey,
    Ref,
    Shape,
)
from league.models import SlotState
from scoring.conditions import Kind, Level, Obstacle, Says, Word


class ObstacleShape(Shape):
    """Why margins of the scores do not say what is needed."""

    code = s.ChoiceField([each.value for each in Obstacle])
    label_ = InBoth()


class LastTableShape(Shape):
    """A table before its last hanchan of the block."""

    table_session = Ref()
    hanchan = Ref()
    number = s.IntegerField()
    entrants = s.ListField(child=Ref())


class ConditionSentenceShape(Shape):
    """What some own places lead to."""

    says = s.ChoiceField([each.value for each in Says])
    places = s.ListField(child=s.IntegerField(), help_text="The own places it is about.")
    label_ = InBoth()


class DistanceShape(Shape):
    """How far it is to the border as it stands now."""

    border = Ref(help_text="The last who is in; for who is in, the first who is not.")
    is_in = s.BooleanField()
    gap = Amount(help_text="The border's total less the own one.")
    left = s.IntegerField(help_text="Hanchan still to play.")
    average = Amount(allow_null=True, help_text="The gap in each hanchan left, exact; null where none is left.")


class PlayerNeedsShape(Shape):
    """What a player needs for a target."""

    entrant = Ref()
    status = s.ChoiceField([each.value for each in Word], help_text="certain and eliminated are proved.")
    percent = s.CharField(
        allow_null=True,
        help_text=(
            "The estimate behind the word, such as 97 or >99: in how many percent of simulated seasons the player goes "
            "on from the block, to this destination or a better one; for the title, wins it."
        ),
    )
    distance = DistanceShape(allow_null=True)
    behind = s.IntegerField(allow_null=True, help_text="So many rivals must end behind; null without margins.")
    sentences = ConditionSentenceShape(many=True)


class TargetShape(Shape):
    """Something to be reached: the first so many get there or better."""

    places = s.IntegerField()
    destination = DestinationShape()
    players = PlayerNeedsShape(many=True)


class PlacesShape(Shape):
    """The places somebody fills: one, or those shared by players level on score."""

    first = s.IntegerField()
    last = s.IntegerField()


class TieShape(Shape):
    """What decides where totals come out exactly level."""

    at = s.IntegerField()
    outcome = s.ChoiceField([each.value for each in Level])
    decided_by = s.ChoiceField(["points", "place", "score"], allow_null=True)
    number = s.IntegerField(allow_null=True, help_text="The hanchan that decides.")
    clause = s.CharField(allow_null=True)


class MarginShape(Shape):
    """What it takes to end above a rival at these places."""

    own = PlacesShape()
    rival = PlacesShape(allow_null=True)
    kind = s.ChoiceField([each.value for each in Kind])
    least = s.IntegerField(
        help_text="The smallest final score less the rival's; over a rival who has finished, the final score itself."
    )
    tie = TieShape(allow_null=True)


class RivalShape(Shape):
    """A rival with the margins by places."""

    entrant = Ref()
    is_ = s.ChoiceField(["same_table", "other_table", "finished", "more_left"])
    cells = MarginShape(many=True)


class NeedyPlayerShape(EntrantShape):
    """A player with what it takes over each rival; empty before the last hanchan."""

    rank = s.IntegerField()
    total = Amount()
    left = s.IntegerField()
    rivals = RivalShape(many=True)


class BlockConditionsShape(NamedKey):
    """A block under way."""

    hanchan_left = s.IntegerField()
    obstacles = ObstacleShape(many=True)
    tables = LastTableShape(many=True)
    targets = TargetShape(many=True)
    players = NeedyPlayerShape(many=True)


class ConditionsShape(Shape):
    """What everybody needs. No chonbo is assumed, but for what is certain or eliminated."""

    competition = CompetitionRef()
    as_of = s.IntegerField()
    blocks = BlockConditionsShape(many=True)


class SummandShape(Shape):
    """A hanchan of a total."""

    id = Ref()
    number = s.IntegerField()
    points = Amount()
    place = s.IntegerField()
    decides = s.BooleanField(help_text="It parted the neighbours.")


class SumShape(Shape):
    """A total and what it is made of."""

    entrant = Ref()
    rank = s.IntegerField()
    total = Amount()
    carried = Amount()
    adjustment = Amount()
    hanchan = SummandShape(many=True)


class PairShape(Shape):
    """Why one neighbour stands above the other."""

    above = SumShape()
    below = SumShape()
    parted_by = s.ChoiceField(["total", "hanchan", "ruling", "nothing"])
    gap = Amount()
    decision = DecisionShape(allow_null=True)
    clause = s.CharField(allow_null=True)
    label_ = InBoth()


class ExplainedBlockShape(NamedKey):
    """A block's neighbours, best first."""

    pairs = PairShape(many=True)


class ExplanationsShape(Shape):
    """Why everybody ranks where they do."""

    competition = CompetitionRef()
    as_of = s.IntegerField()
    blocks = ExplainedBlockShape(many=True)


class InPlayShape(Shape):
    """A hanchan whose result may be tried out; seats from the first dealer on."""

    hanchan = Ref()
    block = s.CharField()
    number = s.IntegerField()
    entrants = s.ListField(child=Ref())
    table_total = s.IntegerField()
    unit = s.IntegerField()


class TriedSeatShape(Shape):
    """What a trial comes to for one seat."""

    entrant = Ref()
    place = s.IntegerField()
    final_score = s.IntegerField()
    points = Amount()


class TriedTableShape(Shape):
    """A settled trial, first place first."""

    hanchan = Ref()
    seats = TriedSeatShape(many=True)


class TriedRowShape(EntrantShape):
    """A line of the table as it would be."""

    rank = s.IntegerField()
    tied = s.BooleanField()
    total = Amount()
    rank_before = s.IntegerField()
    total_before = Amount()
    destination = DestinationShape(allow_null=True)


class TriedBlockShape(NamedKey):
    """A block's table as it would be."""

    rows = TriedRowShape(many=True)


class TriedSlotShape(Shape):
    """A place further on that would hold somebody else, or be surer."""

    block = s.CharField()
    number = s.IntegerField()
    source_ = s.CharField()
    state = s.ChoiceField(SlotState.State.choices)
    before = Ref(allow_null=True)
    after = Ref(allow_null=True)


class TriedOutcomeShape(Shape):
    """What would follow."""

    tables = TriedTableShape(many=True)
    blocks = TriedBlockShape(many=True)
    slots = TriedSlotShape(many=True)
    champion = ChampionShape()


class WhatIfShape(Shape):
    """The tables in play, and what the results tried out would change; null where none was given."""

    competition = CompetitionRef()
    as_of = s.IntegerField()
    in_play = InPlayShape(many=True)
    outcome = TriedOutcomeShape(allow_null=True)
