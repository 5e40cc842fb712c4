"""The shape of odds, for the OpenAPI document."""

from __future__ import annotations

from rest_framework import serializers as s

from league.api.shapes import CompetitionRef, EntrantShape, InBoth, NamedKey, Shape

READINESS = ("ready", "pending", "off", "unforeseeable")
CHANCES = ("open", "certain", "out")


class ShareShape(Shape):
    """So many of so many simulated seasons."""

    count = s.IntegerField()
    seasons = s.IntegerField()
    percent = s.CharField(help_text="Whole percent: `<1`, `1` to `99`, `>99`; never 0 and never 100.")
    error = s.CharField(help_text="Its standard error in percentage points, such as 0.2.")


class ChanceShape(Shape):
    """A share; or what needs none, since it has come about or cannot any more."""

    chance = s.ChoiceField(CHANCES)
    share = ShareShape(allow_null=True)


class StageChanceShape(ChanceShape):
    """The chance to play in a stage; an entrant who goes straight on to a later one does not."""

    stage = s.CharField(help_text="The stage's key.")


class PlayerOddsShape(EntrantShape):
    """In which stages an entrant plays, and whether they win."""

    stages = StageChanceShape(many=True)
    title = ChanceShape()


class RankOddsShape(EntrantShape):
    """On which rank of a block an entrant ends."""

    rank = s.IntegerField(allow_null=True, help_text="As the standings have it now.")
    ranks = ShareShape(many=True, help_text="First, second, ...")
    advance = ShareShape(allow_null=True, help_text="Goes on from the block, to whichever stage; from the last: wins.")


class BlockOddsShape(NamedKey):
    """A block under way, or the last one."""

    is_under_way = s.BooleanField(help_text="Its players are known; else the rows are all who may still come into it.")
    is_last = s.BooleanField(help_text="Nobody goes on from it: the first wins the title.")
    rows = RankOddsShape(many=True)


class IfPlaceShape(Shape):
    """What follows if an entrant's next hanchan ends in this place."""

    place = s.IntegerField()
    advance = ShareShape(help_text="Goes on from the block, to whichever stage; from the last: wins.")
    title = ShareShape(help_text="Wins the title.")


class NextHanchanShape(EntrantShape):
    """What hangs on an entrant's next hanchan."""

    block = NamedKey()
    number = s.IntegerField(help_text="Number of the hanchan in the block for this entrant.")
    places = IfPlaceShape(many=True)


class DrawnFromShape(Shape):
    """Of how many results a simulated hanchan takes one, all equally likely."""

    own = s.IntegerField(help_text="The competition's own hanchan.")
    made_up = s.IntegerField(help_text="Made-up ones, the prior.")


class OddsShape(Shape):
    """How likely it is, by simulation of the rest of the season."""

    competition = CompetitionRef()
    as_of = s.IntegerField(allow_null=True, help_text="The published version the figures hold for.")
    state = s.ChoiceField(READINESS)
    reason = InBoth(allow_null=True, help_text="Why nothing can be said, where nothing can.")
    made_at = s.DateTimeField(allow_null=True)
    method = s.IntegerField(help_text="Goes up when equal facts would give other figures.")
    seasons = s.IntegerField()
    error = s.CharField(allow_null=True, help_text="The largest standard error of a share of all seasons, in points.")
    drawn_from = DrawnFromShape(allow_null=True)
    players = PlayerOddsShape(many=True)
    blocks = BlockOddsShape(many=True)
    next_hanchan = NextHanchanShape(many=True)
