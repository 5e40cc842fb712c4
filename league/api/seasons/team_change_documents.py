"""Documents and request bodies of changes of teams: members by date, the captain, links, pasted fixtures, deadlines."""

from __future__ import annotations

from pydantic import Field
from rest_framework import serializers

from league.api.fields import AcceptField, BoundedListField, IdField, OptionalTextField, StrictSerializer
from league.models import Competition, TableSession, TeamMember
from league.selectors.seasons.pasted_fixtures import FixturePlan
from league.selectors.seasons.teams import memberships
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref

MOST_TEAMS = 200
MOST_MEMBERS = 50
LONGEST_TEXT = 50_000


class TeamMemberDocument(Document):
    """A person's time in a team as the organizers keep it."""

    id: Ref = Field(description="The membership's id; a change gives it another one.")
    team: Ref = Field(description="The team's entrant id.")
    team_key: str = Field(description="The team's key.")
    player: Ref = Field(description="The player's id.")
    name: str = Field(description="The player's name.")
    since: str | None = Field(description="The first day; null: from the beginning.")
    until: str | None = Field(description="The last day; null: until the end.")
    is_captain: bool = Field(description="The team's captain.")
    reason: str = Field(description="The reason of the last change; empty where none is kept.")


class TeamMembersDocument(Document):
    """All memberships that hold, team by team in their order."""

    results: list[TeamMemberDocument] = Field(description="The memberships.")


class TeamLinkDocument(Document):
    """A new link of a team. It is shown once; the server keeps only its digest."""

    url: str = Field(description="The address under which the team names its line-ups.")


class PlannedFixture(Document):
    """A table that would be scheduled."""

    starts_at: Moment = Field(description="The moment the first hanchan begins.")
    table: str = Field(description="The table's name; empty where none is given.")
    numbers: list[int] = Field(description="The numbers of its hanchan in the block.")
    rounds: list[list[Ref]] = Field(description="The entrant ids of the teams of each hanchan, first dealer first.")


class FixturePlanDocument(Document):
    """Pasted fixtures with what follows from them. Nothing is written."""

    digest: str = Field(description="The digest to send with the same text.")
    tables: list[PlannedFixture] = Field(description="The tables; empty while a line has a fault.")
    faults: list[str] = Field(description="Everything that prevents them from being scheduled.")
    is_even: bool = Field(description="All teams would play equally often.")


class AddedFixturesDocument(Document):
    """Fixtures that were scheduled."""

    table_sessions: list[Ref] = Field(description="The ids of the table sessions.")


class LineUpDeadlineDocument(Document):
    """The deadline of the line-ups of a table."""

    table_session: Ref = Field(description="The table session's id.")
    due_at: Moment | None = Field(description="The deadline; null without one.")
    are_secret: bool = Field(description="Line-ups are secret until the deadline.")


class NewMemberInput(StrictSerializer):
    """A person: a known player by id, or a new one by name."""

    player = IdField(required=False, help_text="The player's id; then nothing else is needed.")
    name = serializers.CharField(max_length=100, required=False, help_text="The name of a new person.")
    kana = OptionalTextField(max_length=100, help_text="The reading in kana.")
    romaji = OptionalTextField(max_length=100, help_text="In Latin letters.")


class NewTeamInput(StrictSerializer):
    """A team with its members in order."""

    name = serializers.CharField(max_length=100, help_text="The team's name.")
    kana = OptionalTextField(max_length=100, help_text="The reading in kana.")
    romaji = OptionalTextField(max_length=100, help_text="In Latin letters.")
    short_name = OptionalTextField(max_length=32, help_text="The short name.")
    mark_glyph = OptionalTextField(max_length=8, help_text="The letter of the mark.")
    mark_colour = serializers.IntegerField(
        min_value=0, max_value=99, allow_null=True, default=None, help_text="The colour of the mark; null: none."
    )
    known = IdField(required=False, help_text="The player's id of the team of an earlier season.")
    members = BoundedListField(
        child=NewMemberInput(), required=False, default=list, max_length=MOST_MEMBERS, help_text="In order."
    )
    has_captain = serializers.BooleanField(default=False, help_text="The first member is the captain.")


class EnterTeamsInput(StrictSerializer):
    """Teams to be entered in this order."""

    teams = BoundedListField(child=NewTeamInput(), min_length=1, max_length=MOST_TEAMS, help_text="The teams in order.")
    accept = AcceptField()


class AddMemberInput(NewMemberInput):
    """A person who plays for a team."""

    team = IdField(help_text="The team's entrant id.")
    since = serializers.DateField(required=False, help_text="The first day; left out: from the beginning.")
    until = serializers.DateField(required=False, help_text="The last day; left out: until the end.")
    reason = OptionalTextField(max_length=500, help_text="Kept with the change.")


class EndMembershipInput(StrictSerializer):
    """The end of a membership."""

    until = serializers.DateField(allow_null=True, help_text="The last day; null takes the membership back.")
    reason = serializers.CharField(max_length=500, help_text="Kept with the change.")


class TransferInput(StrictSerializer):
    """Another team from a day on."""

    to = IdField(help_text="The other team's entrant id.")
    since = serializers.DateField(help_text="The first day for it.")
    reason = serializers.CharField(max_length=500, help_text="Kept with the change.")


class FixturesPreviewInput(StrictSerializer):
    """Pasted fixtures, a line for each hanchan."""

    text = serializers.CharField(
        max_length=LONGEST_TEXT, help_text="Day, time, table and teams by name, separated by tabs or commas."
    )


class FixturesInput(FixturesPreviewInput):
    """Pasted fixtures as they were previewed."""

    digest = serializers.CharField(max_length=64, help_text="The `digest` of the preview.")


class LineUpDeadlineInput(StrictSerializer):
    """The deadline of the line-ups of a table."""

    due_at = serializers.DateTimeField(allow_null=True, help_text="The deadline; null: none.")
    are_secret = serializers.BooleanField(default=False, help_text="True keeps line-ups secret until then.")


def team_member(row: TeamMember) -> TeamMemberDocument:
    """Return a membership."""
    return TeamMemberDocument(
        id=str(row.pk),
        team=str(row.entrant_id),
        team_key=row.entrant.player.key,
        player=str(row.player_id),
        name=row.player.name,
        since=row.since.isoformat() if row.since else None,
        until=row.until.isoformat() if row.until else None,
        is_captain=row.is_captain,
        reason=row.reason,
    )


def team_members(competition: Competition) -> TeamMembersDocument:
    """Return all memberships of a competition that hold."""
    return TeamMembersDocument(results=[team_member(row) for row in memberships(competition)])


def fixture_plan(plan: FixturePlan, competition: Competition) -> FixturePlanDocument:
    """Return pasted fixtures as they would be scheduled."""
    tables = [
        PlannedFixture(
            starts_at=moment(table.starts_at, competition),
            table=table.table,
            numbers=list(table.numbers),
            rounds=[[str(team.pk) for team in seats] for seats in table.rounds],
        )
        for table in plan.tables
    ]
    return FixturePlanDocument(digest=plan.digest, tables=tables, faults=list(plan.faults), is_even=plan.is_even)


def line_up_deadline(table: TableSession) -> LineUpDeadlineDocument:
    """Return the deadline of a table's line-ups."""
    return LineUpDeadlineDocument(
        table_session=str(table.pk),
        due_at=moment(table.line_ups_due_at, table.competition),
        are_secret=table.line_ups_are_secret,
    )
