"""The shapes of tables followed hand by hand."""

from __future__ import annotations

from rest_framework import serializers as s

from league.api.shapes import Amount, CompetitionRef, EntrantShape, InBoth, Ref, Shape, Values
from league.models import TableLink
from scoring.ruleset.base import Wind
from scoring.ruleset.end import RoundName


class KyokuNowShape(Shape):
    """Which kyoku is played."""

    round = s.ChoiceField([each.value for each in RoundName])
    number = s.IntegerField()
    honba = s.IntegerField()
    dealer = s.IntegerField(help_text="The seat that deals.")
    name = InBoth(help_text="Which kyoku: 南4局, South 4.")
    text = InBoth(help_text="The same with its counters: 南4局 1本場.")


class LiveSeatShape(EntrantShape):
    """A seat at a table that is followed, the first dealer's first."""

    seat = s.IntegerField()
    player = Ref(allow_null=True)
    player_name = s.CharField(allow_null=True)
    is_substitute = s.BooleanField()
    wind = s.ChoiceField([each.value for each in Wind])
    score = s.IntegerField(help_text="Stakes and fines of the running hand are laid out.")
    place = s.IntegerField(help_text="If the game ended here.")
    riichi = s.ChoiceField(["closed", "open"], allow_null=True)
    is_dead = s.BooleanField(help_text="Has lost the right to win in this hand.")
    chonbo = s.IntegerField()
    points = Amount(allow_null=True, help_text="What the game would bring if it ended here.")
    league_rank = s.IntegerField(allow_null=True, help_text="Published rank in the block.")
    league_total = Amount(allow_null=True, help_text="In the block without this game.")
    league_total_now = Amount(allow_null=True, help_text="In the block with this game as it stands.")


class LastKyokuShape(Shape):
    """What the last hand brought."""

    text = InBoth()
    kyoku = InBoth()
    changes = s.ListField(child=s.IntegerField())


class EndShape(Shape):
    """Why a game is over."""

    reason = s.CharField()
    text = InBoth()
    clause = s.CharField(allow_blank=True)


class LiveShape(Shape):
    """A table as it stands, for broadcasts and overlays."""

    hanchan = Ref()
    competition = CompetitionRef()
    table_session = Ref()
    table = s.CharField(allow_blank=True)
    number = s.IntegerField()
    is_followed = s.BooleanField(help_text="The game is kept hand by hand and has begun.")
    is_over = s.BooleanField()
    is_final = s.BooleanField(help_text="Its result counts.")
    delay = s.IntegerField(help_text="So many minutes late.")
    sequence = s.IntegerField(help_text="The newest event of the log that is known.")
    started_at = s.DateTimeField(allow_null=True)
    round = KyokuNowShape(allow_null=True)
    deposits = s.IntegerField(allow_null=True)
    seats = LiveSeatShape(many=True)
    last = LastKyokuShape(allow_null=True)
    ends = EndShape(many=True)
    advice = Values(allow_null=True, help_text="What each player needs, where it may be said.")


class LogSeatShape(EntrantShape):
    """Who sits where."""

    seat = s.IntegerField()


class LogTransferShape(Shape):
    """One payment; null is the table."""

    ledger = s.CharField()
    payer = s.IntegerField(allow_null=True)
    receiver = s.IntegerField(allow_null=True)
    amount = s.IntegerField()
    cause = s.CharField()
    clause = s.CharField(allow_blank=True)


class LogKyokuShape(Shape):
    """One hand."""

    round = s.CharField()
    number = s.IntegerField()
    honba = s.IntegerField()
    scores = s.ListField(child=s.IntegerField())
    entries = s.ListField(child=s.IntegerField(), help_text="Numbers of its entries in the log.")
    changes = s.ListField(child=s.IntegerField(), allow_null=True)
    transfers = LogTransferShape(many=True)


class LogShape(Shape):
    """A game's log: the entries that stand, and hand by hand what they brought."""

    format = s.CharField()
    hanchan = Ref()
    sequence = s.IntegerField(help_text="The newest event; send it as `after`.")
    ruleset = s.CharField()
    revision = s.IntegerField()
    digest = s.CharField(help_text="Of the rules with the options of this table.")
    options = Values()
    seats = LogSeatShape(many=True)
    entries = s.ListField(child=Values())
    kyoku = LogKyokuShape(many=True)
    is_over = s.BooleanField()


class TableLinkShape(Shape):
    """A link that lets its holder into one table."""

    id = Ref()
    kind = s.ChoiceField(TableLink.Kind.choices)
    entrant = Ref(allow_null=True)
    made_at = s.DateTimeField()
    used_at = s.DateTimeField(allow_null=True)
    ended_at = s.DateTimeField(allow_null=True)
    url = s.CharField(allow_null=True, help_text="Told once, when the link is made.")


class TableLinksShape(Shape):
    """The links of a table."""

    results = TableLinkShape(many=True)
