"""The shape of a bracket, for the OpenAPI document."""

from __future__ import annotations

from rest_framework import serializers as s

from league.api.shapes import (
    Amount,
    AwaitingShape,
    ChampionShape,
    CompetitionRef,
    HanchanRefShape,
    InBoth,
    LedgerShape,
    NamedKey,
    PersonShape,
    Ref,
    RulesShape,
    SessionRef,
    Shape,
    TableFactsShape,
)
from league.models import Competition, SlotState


class BracketCompetitionShape(CompetitionRef):
    """The bracket's competition."""

    status = s.ChoiceField(Competition.Status.choices)


class BracketEntrantShape(PersonShape):
    """An entrant, with the affiliation of that season."""

    id = Ref()
    key = s.CharField()
    player = Ref()
    number = s.IntegerField()
    withdrawn_at = s.DateTimeField(allow_null=True)


class BracketStageShape(NamedKey):
    """A stage and the ids of its blocks."""

    order = s.IntegerField()
    hanchan_count = s.IntegerField(allow_null=True)
    blocks = s.ListField(child=Ref())


class BracketBlockShape(NamedKey):
    """A block and how far it is."""

    stage = Ref()
    order = s.IntegerField()
    planned = s.IntegerField(allow_null=True)
    played = s.IntegerField()
    is_complete = s.BooleanField()


class SlotShape(Shape):
    """A place in a block: who sits there, how sure that is, and where they come from."""

    id = Ref()
    block = Ref()
    number = s.IntegerField()
    state = s.ChoiceField(SlotState.State.choices)
    entrant = Ref(allow_null=True)
    source_ = s.CharField(help_text="Such as A#2 (second of block A), seed:3, best:preliminary#5.")
    label_ = InBoth()
    candidates = s.ListField(child=Ref(), help_text="Who can still take it, once they are few.")
    candidates_count = s.IntegerField()
    reason = s.CharField(allow_blank=True)
    reason_label = InBoth()
    carried = Amount(allow_null=True)
    note = s.CharField(allow_blank=True, help_text="The organizer's reason for an override.")


class PoolShape(Shape):
    """An entrant of a drawn stage."""

    stage = s.CharField()
    number = s.IntegerField()
    state = s.ChoiceField(SlotState.State.choices)
    entrant = Ref(allow_null=True)
    source_ = s.CharField()
    label_ = InBoth()


class BracketTableShape(TableFactsShape):
    """A table session and the ids of its hanchan."""

    session = Ref()
    block = Ref()
    is_complete = s.BooleanField()
    hanchan = s.ListField(child=Ref())


class BracketSeatShape(Shape):
    """A seat of a hanchan."""

    seat = s.IntegerField()
    entrant = Ref(allow_null=True)
    player = Ref(allow_null=True)
    is_substitute = s.BooleanField()
    score = s.IntegerField(allow_null=True)
    place = s.IntegerField(allow_null=True)
    points = Amount(allow_null=True)


class BracketHanchanShape(HanchanRefShape):
    """A hanchan and its seats."""

    table_session = Ref()
    block = Ref()
    revision = s.IntegerField(allow_null=True)
    seats = BracketSeatShape(many=True)


class LinkShape(Shape):
    """Where the entrant of a slot comes from."""

    slot = Ref()
    to_block = Ref()
    kind = s.ChoiceField(["seed", "rank", "best", "draw", "ruling"])
    from_block = Ref(allow_null=True)
    from_stage = s.CharField(allow_null=True)
    rank = s.IntegerField(allow_null=True)
    number = s.IntegerField(allow_null=True)
    source_ = s.CharField()


class BracketShape(Shape):
    """The whole ladder from one published version: flat arrays that name one another by id."""

    competition = BracketCompetitionShape()
    as_of = s.IntegerField()
    final = s.BooleanField()
    rules = RulesShape()
    ledger = LedgerShape()
    champion = ChampionShape(allow_null=True)
    awaiting = AwaitingShape(many=True)
    entrants = BracketEntrantShape(many=True)
    stages = BracketStageShape(many=True)
    blocks = BracketBlockShape(many=True)
    slots = SlotShape(many=True)
    pools = PoolShape(many=True)
    sessions = SessionRef(many=True)
    table_sessions = BracketTableShape(many=True)
    hanchan = BracketHanchanShape(many=True)
    links = LinkShape(many=True)
