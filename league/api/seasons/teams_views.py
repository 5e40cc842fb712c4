"""Views of a league of teams: its teams and members, individuals with awards, and fixtures with line-ups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.api.base import CompetitionView, UpdatedCollectionView
from league.api.competitions.schedule_views import hanchan_shown
from league.api.fields import IdField, KeyField, PagedQuery, Query, SinceField
from league.api.schema import describe_get
from league.api.seasons.teams_documents import (
    Fixture,
    Members,
    TeamDocument,
    TeamOfCompetition,
    Teams,
    award_documents,
    fixture_document,
    individual,
    ledger_of,
    members_by_team,
    team_document,
)
from league.models import Hanchan
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import played_hanchan
from league.selectors.seasons.members import awards_of, member_table
from league.selectors.seasons.team_totals import team_totals
from league.selectors.seasons.teams import is_team_league, memberships_seen_by, teams_of
from league.web.documents import UpdatedPage
from league.web.problems import not_found


class OfTeamsView(CompetitionView):
    """Base of the views of a league of teams."""

    is_cached = True

    def find(self, **lookup: object) -> None:
        """Find the competition. Raise ProblemError for one of players."""
        super().find(**lookup)
        if not is_team_league(self.reader.competition):
            raise not_found(_("No teams play in this competition."))

    def teams(self, reader: Reader) -> list[TeamDocument]:
        """Return all teams by number."""
        members = members_by_team(memberships_seen_by(reader))
        totals, (_words, ledger) = team_totals(reader), ledger_of(reader)
        return [
            team_document(reader, row, members.get(row.pk, ()), totals.get(row.pk, ()), ledger)
            for row in teams_of(reader.competition)
        ]


@describe_get("list_teams", Teams)
class TeamsView(OfTeamsView):
    """List the teams with their members by date, and their totals: carry, hanchan and penalties."""

    def write(self, reader: Reader) -> Teams:
        """Return the teams."""
        return Teams.build(reader, as_of=reader.shown_version, ledger=ledger_of(reader)[0], teams=self.teams(reader))


@describe_get("get_team", TeamOfCompetition)
class TeamView(OfTeamsView):
    """Return one team."""

    def write(self, reader: Reader) -> TeamOfCompetition:
        """Return the team with the key of the path. Raise ProblemError for an unknown one."""
        found = next((team for team in self.teams(reader) if team.key == self.kwargs["key"]), None)
        if found is None:
            raise not_found(_("There is no such team in this competition."))
        words = {"as_of": reader.shown_version, "ledger": ledger_of(reader)[0], **dict(found)}
        return TeamOfCompetition.build(reader, **words)


class MembersQuery(Query):
    """The stage whose hanchan count."""

    stage = KeyField(help_text="The key of a stage; without it all stages count.")


@describe_get("list_members", Members, query=MembersQuery)
class MembersView(OfTeamsView):
    """List the individuals of all teams with what they have won, and the awards."""

    query_class: ClassVar[type[Query]] = MembersQuery

    def write(self, reader: Reader) -> Members:
        """Return a row for each team and member."""
        words, ledger = ledger_of(reader)
        return Members.build(
            reader,
            as_of=reader.shown_version,
            ledger=words,
            rows=[individual(reader, row, ledger) for row in member_table(reader, self.stage())],
            awards=list(award_documents(reader, awards_of(reader), ledger)),
        )


class FixturesQuery(PagedQuery):
    """Filters of the fixtures."""

    stage = KeyField(help_text="The key of a stage.")
    block = KeyField(help_text="The key of a block.")
    team = IdField(required=False, help_text="The entrant id of a team.")
    updated_since = SinceField()


@describe_get("list_fixtures", UpdatedPage[Fixture], query=FixturesQuery)
class FixturesView(UpdatedCollectionView[Hanchan], OfTeamsView):
    """List the fixtures in order, each with its teams and the members announced."""

    query_class = FixturesQuery

    def rows(self, reader: Reader) -> QuerySet[Hanchan]:
        """Return the hanchan that match."""
        rows = hanchan_shown(reader).filter(**self.where())
        return rows.filter(seats__entrant=self.query["team"]) if "team" in self.query else rows

    def write_rows(self, reader: Reader, rows: Sequence[Hanchan]) -> Sequence[object]:
        """Return each fixture with its seats."""
        return [fixture_document(reader, played) for played in played_hanchan(reader, list(rows))]
