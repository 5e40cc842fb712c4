"""The shapes of answers, for the OpenAPI document.

Answers are made by `league.api.documents`; the tests hold the two together. A field whose name is taken by Python or by
the framework is written with an underscore behind it.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers as s

from league.api.fields import ID_SCHEMA
from league.models import Competition, Hanchan, ResultSheet, SlotState

ANYTHING = {"type": "object", "additionalProperties": {}}


class Shape(s.Serializer[Any]):
    """A document; it is called in the OpenAPI document as here, without the ending."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        extend_schema_serializer(component_name=cls.__name__.removesuffix("Shape"))(cls)

    def get_fields(self) -> dict[str, Any]:
        """The fields by the names clients see."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


@extend_schema_field(ID_SCHEMA)
class Ref(s.CharField):
    """An id."""


class Amount(s.RegexField):
    """A decimal such as -30.0, or a fraction such as 20/3 where no decimal ends."""

    def __init__(self, **options: Any) -> None:
        super().__init__(regex=r"^-?[0-9]+(\.[0-9]+|/[0-9]+)?$", **options)


@extend_schema_field(ANYTHING)
class Values(s.JSONField):
    """Any JSON object."""


class InBoth(Shape):
    """A text in both languages."""

    ja = s.CharField()
    en = s.CharField(allow_blank=True)


class NamedShape(Shape):
    """Something with a name of its own where another document speaks of it."""

    id = Ref()
    name = s.CharField()
    name_en = s.CharField(allow_blank=True)


class CompetitionRef(NamedShape):
    """A competition where another document speaks of it."""

    slug = s.SlugField()


class NamedKey(NamedShape):
    """A stage or a block where another document speaks of it."""

    key = s.CharField()


class SessionRef(NamedShape):
    """A session where another document speaks of it."""

    number = s.IntegerField()


class CompetitionShape(CompetitionRef):
    """A competition: a league's season or an open table."""

    kind = s.ChoiceField(Competition.Kind.choices)
    status = s.ChoiceField(Competition.Status.choices)
    time_zone = s.CharField()
    as_of = s.IntegerField(help_text="The published version that was read.")


class RulesShape(Shape):
    """Rules a competition plays by from a moment on."""

    id = Ref()
    ruleset = s.CharField()
    ruleset_revision = s.IntegerField()
    format = s.CharField()
    format_revision = s.IntegerField()
    options = Values()
    digest = s.CharField()
    effective_from = s.DateTimeField()


class StageShape(NamedKey):
    """A stage with its blocks."""

    order = s.IntegerField()
    hanchan_count = s.IntegerField(allow_null=True, help_text="Hanchan each entrant plays; null for any number.")
    blocks = NamedKey(many=True)


class CompetitionDetailShape(CompetitionShape):
    """A competition with its stages, and its rules from the first to those in force."""

    rules = RulesShape(many=True)
    stages = StageShape(many=True)


class StageOfCompetitionShape(StageShape):
    """A stage and the competition it belongs to."""

    competition = CompetitionRef()


class PersonShape(Shape):
    """A person's names."""

    name = s.CharField(allow_null=True)
    kana = s.CharField(allow_null=True, allow_blank=True)
    romaji = s.CharField(allow_null=True, allow_blank=True)
    affiliation = s.CharField(allow_null=True, allow_blank=True, help_text="As of that season.")


class EntrantShape(PersonShape):
    """An entrant; nulls where the public may not know who it is."""

    entrant = Ref(allow_null=True)
    key = s.CharField(allow_null=True)


class LedgerShape(Shape):
    """In what totals are counted."""

    key = s.CharField()
    unit = s.CharField()
    scale = s.IntegerField()
    label_ = InBoth()


class ColumnShape(Shape):
    """What a column means, and which values are better."""

    key = s.CharField()
    direction = s.ChoiceField(["asc", "desc"], allow_null=True)
    label_ = InBoth()


class ChampionShape(Shape):
    """Who has won or leads."""

    state = s.ChoiceField(SlotState.State.choices)
    entrant = Ref(allow_null=True)


class AwaitedSlotShape(Shape):
    """A slot that stays open until a ruling."""

    block = s.CharField()
    number = s.IntegerField()


class AwaitingShape(Shape):
    """A tie that no rule breaks and a person must rule on."""

    scope = s.CharField(help_text="A block's key, or a comparison such as best:preliminary#5.")
    entrants = s.ListField(child=Ref())
    ranks = s.ListField(child=s.IntegerField())
    places = s.ListField(child=s.CharField())
    slots = AwaitedSlotShape(many=True)


class DestinationShape(Shape):
    """Where a rank leads."""

    key = s.CharField(
        help_text="A stage's key, best:STAGE, champion, 2nd, ..., withdrawn; out: to no stage further on."
    )
    label_ = InBoth(
        help_text="Of out: eliminated only once neither a result nor a ruling can change it, until then below the cut."
    )


class DecisionShape(Shape):
    """What separates an entrant from the neighbour above with the same total."""

    above = Ref()
    below = Ref()
    criterion = s.ChoiceField(["points", "place", "score", "ruling"])
    number = s.IntegerField(allow_null=True, help_text="The hanchan that decided; null for a ruling.")
    above_value = s.CharField()
    below_value = s.CharField()
    above_hanchan = Ref(allow_null=True)
    below_hanchan = Ref(allow_null=True)
    clause = s.CharField(allow_null=True)
    label_ = InBoth()


class StandingShape(EntrantShape):
    """An entrant's line."""

    rank = s.IntegerField()
    position = s.IntegerField()
    tied = s.BooleanField()
    total = Amount(allow_null=True, help_text="The points of all hanchan of the block, with carried and adjustment.")
    carried = Amount(allow_null=True, help_text="Points carried over from the stage before.")
    adjustment = Amount(allow_null=True, help_text="Points given or, as penalties, taken outside a hanchan.")
    played = s.IntegerField()
    planned = s.IntegerField(allow_null=True)
    places = s.ListField(child=s.IntegerField())
    gap_to_above = Amount(allow_null=True)
    gap_to_border = Amount(allow_null=True)
    is_last_before_border = s.BooleanField()
    destination = DestinationShape(allow_null=True)
    decision = DecisionShape(allow_null=True)


class BlockStandingsShape(NamedKey):
    """A block's table."""

    stage = NamedKey()
    planned = s.IntegerField(allow_null=True)
    played = s.IntegerField()
    is_complete = s.BooleanField()
    is_empty = s.BooleanField()
    rows = StandingShape(many=True)


class StandingsShape(Shape):
    """Standings of the blocks asked for, from one published version."""

    competition = CompetitionRef()
    as_of = s.IntegerField()
    final = s.BooleanField(help_text="Everything is played and nothing awaits a ruling.")
    ledger = LedgerShape()
    columns = ColumnShape(many=True)
    champion = ChampionShape(allow_null=True)
    awaiting = AwaitingShape(many=True)
    blocks = BlockStandingsShape(many=True)


class TableFactsShape(Shape):
    """Where and when four people play."""

    id = Ref()
    table = s.CharField(allow_blank=True)
    starts_at = s.DateTimeField(allow_null=True)
    venue = s.CharField(allow_blank=True)
    stream_url = s.CharField(allow_blank=True)
    public_at = s.DateTimeField(allow_null=True)
    is_cancelled = s.BooleanField()


class HanchanRefShape(Shape):
    """A hanchan in short."""

    id = Ref()
    round = s.IntegerField()
    number = s.IntegerField()
    state = s.ChoiceField(Hanchan.State.choices)


class SessionShape(SessionRef):
    """A session (節)."""

    competition = CompetitionRef()
    table_sessions = s.ListField(child=Ref())


class TableSessionShape(TableFactsShape):
    """People at one table on a date (対局)."""

    competition = CompetitionRef()
    session = SessionRef()
    stage = NamedKey()
    block = NamedKey()
    is_complete = s.BooleanField()
    entrants = EntrantShape(many=True)
    hanchan = HanchanRefShape(many=True)


class LineShape(Shape):
    """One itemised amount of a settlement."""

    ledger = s.CharField()
    amount = Amount()
    cause = s.CharField()
    label_ = InBoth()
    clause = s.CharField(allow_blank=True)
    params = Values()


class SeatShape(EntrantShape):
    """A seat, the first dealer's first."""

    seat = s.IntegerField()
    player = Ref(allow_null=True)
    player_name = s.CharField(allow_null=True)
    is_substitute = s.BooleanField()
    score = s.IntegerField(allow_null=True)
    final_score = s.IntegerField(allow_null=True)
    chonbo = s.IntegerField(allow_null=True)
    place = s.IntegerField(allow_null=True)
    points = Amount(allow_null=True)
    totals = s.DictField(child=Amount())
    lines = LineShape(many=True, allow_null=True)


class SheetHeadShape(Shape):
    """A sheet without its seats."""

    id = Ref()
    revision = s.IntegerField()
    etag = s.CharField(help_text="What a correction of this revision sends in If-Match.")
    state = s.ChoiceField(ResultSheet.State.choices)
    kyoutaku = s.IntegerField()
    are_seats_known = s.BooleanField()
    options = Values()
    reason = s.CharField(allow_blank=True)
    accepted_warnings = s.ListField(child=s.CharField())
    entered_at = s.DateTimeField()
    confirmed_at = s.DateTimeField(allow_null=True)


class SheetShape(SheetHeadShape):
    """A revision of a hanchan's result."""

    hanchan = Ref()
    seats = SeatShape(many=True)
    differs_at = s.ListField(
        child=s.CharField(),
        help_text=(
            "Where two people enter without seeing each other's sheet, in one's own sheet that waits: pointers into "
            "the submission to what somebody else entered differently."
        ),
    )


class SheetsShape(Shape):
    """All revisions of a hanchan's result, the oldest first."""

    results = SheetShape(many=True)


class HanchanShape(Shape):
    """A hanchan with the sheet that counts."""

    id = Ref()
    competition = CompetitionRef()
    stage = NamedKey()
    block = NamedKey()
    session = Ref()
    table_session = Ref()
    starts_at = s.DateTimeField(allow_null=True)
    round = s.IntegerField()
    number = s.IntegerField()
    state = s.ChoiceField(Hanchan.State.choices)
    rules = Ref()
    sheet = SheetHeadShape(allow_null=True)
    seats = SeatShape(many=True)


class EffectsShape(Shape):
    """What a change brought about."""

    version = s.IntegerField(help_text="The competition's version after the change.")
    is_published = s.BooleanField(help_text="Standings already contain it.")


class SubmittedShape(Shape):
    """The hanchan after a change, and what the change brought about."""

    hanchan = HanchanShape()
    sheet = SheetShape(allow_null=True)
    effects = EffectsShape()


class FindingShape(Shape):
    """One thing that is wrong or unusual."""

    in_ = s.ChoiceField(["body", "query", "path", "header"])
    pointer = s.CharField(allow_blank=True, help_text="A JSON pointer to what is wrong.")
    code = s.CharField()
    level = s.ChoiceField(["error", "warning"])
    detail = s.CharField()
    params = Values()
    clause = s.CharField(allow_blank=True, help_text="The clause of the rule book behind it, if there is one.")


class ProblemShape(Shape):
    """RFC 9457 problem details."""

    type = s.CharField(help_text="Where this kind of problem is described.")
    title = s.CharField()
    status = s.IntegerField()
    detail = s.CharField()
    instance = s.CharField()
    code = s.CharField(help_text="Stable; decide by this.")
    errors_ = FindingShape(many=True)
    request_id = s.CharField(allow_blank=True)


class SettledSeatShape(Shape):
    """What a seat would get."""

    seat = s.IntegerField()
    entrant = Ref()
    place = s.IntegerField()
    final_score = s.IntegerField()
    points = Amount()
    totals = s.DictField(child=Amount())
    lines = LineShape(many=True)


class MovementShape(Shape):
    """An entrant whom a result moves."""

    entrant = Ref()
    rank_before = s.IntegerField(allow_null=True)
    rank_after = s.IntegerField(allow_null=True)
    total_before = Amount()
    total_after = Amount()


class SlotChangeShape(Shape):
    """A slot whose occupant a result changes."""

    block = s.CharField()
    number = s.IntegerField()
    before = Ref(allow_null=True)
    after = Ref(allow_null=True)
    has_results = s.BooleanField()


class PreviewShape(Shape):
    """What recording an entry would do. Nothing was written."""

    findings = FindingShape(many=True)
    seats = SettledSeatShape(many=True, allow_null=True)
    movements = MovementShape(many=True)
    slot_changes = SlotChangeShape(many=True)


class PlayerEntryShape(Shape):
    """A competition somebody is entered in."""

    id = Ref()
    competition = CompetitionRef()
    number = s.IntegerField()
    affiliation = s.CharField(allow_blank=True)


class PlayerShape(Shape):
    """A person and the competitions they are entered in."""

    id = Ref()
    key = s.CharField()
    name = s.CharField()
    kana = s.CharField(allow_blank=True)
    romaji = s.CharField(allow_blank=True)
    affiliation = s.CharField(allow_blank=True)
    entrants = PlayerEntryShape(many=True)


class RulesetHeadShape(Shape):
    """A ruleset in one line."""

    name = s.CharField()
    title = InBoth()
    players = s.IntegerField()
    revision = s.IntegerField(allow_null=True, help_text="Null while no competition has used this text.")
    digest = s.CharField(help_text="SHA-256 of the text.")


class RulesetShape(RulesetHeadShape):
    """A ruleset: its values and its house options."""

    revisions = s.ListField(child=s.IntegerField())
    values = Values()
    options = Values()


class FormatHeadShape(Shape):
    """A league format in one line."""

    name = s.CharField()
    title = InBoth()
    entrants = s.IntegerField(allow_null=True)
    revision = s.IntegerField(allow_null=True)
    digest = s.CharField()


class FormatShape(FormatHeadShape):
    """A league format: stages, blocks, who advances where, tie-breaks."""

    revisions = s.ListField(child=s.IntegerField())
    values = Values()


class TokenShape(Shape):
    """A token, told once and kept as a digest."""

    token = s.CharField()
    expires_at = s.DateTimeField(allow_null=True)
    user = s.CharField()


class RootShape(Shape):
    """Where everything is."""

    version = s.CharField()
    documentation = s.CharField()
    schema = s.CharField()
    collections = s.DictField(child=s.CharField())


def page_of(row: type[Shape]) -> type[Shape]:
    """A page of rows."""
    name = row.__name__.removesuffix("Shape")
    fields = {
        "__doc__": "A page of results.",
        "__module__": row.__module__,
        "count": s.IntegerField(help_text="Of all pages."),
        "next": s.CharField(allow_null=True),
        "previous": s.CharField(allow_null=True),
        "results": row(many=True),
    }
    return type(f"{name}PageShape", (Shape,), fields)
