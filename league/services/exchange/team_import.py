"""Import teams and their members from a table: all rows, or none; a preview is the import itself, rolled back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.utils.translation import gettext as _

from league.files.tables import ParsedTable, TableFault
from league.files.team_rows import OF_TEAM, TeamRow, read_team_row
from league.models import Competition, Entrant, Player, TeamMember
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.exchange.row_matching import name_of_cell
from league.selectors.people.rosters import MatchedRow, RosterRow, Who, match_people
from league.selectors.seasons.teams import memberships, teams_of
from league.services.access.changes import lock, lock_players
from league.services.access.guard import all_or_nothing
from league.services.competitions.wizard import Newcomer
from league.services.results.batches import BatchOutcome
from league.services.seasons.teams import NewTeam, add_member, enter_teams, make_captain, refuse_no_team_league

MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class TeamRowReport:
    """The outcome of a row: the membership it means, and its faults."""

    number: int
    outcome: BatchOutcome
    team: str = ""
    member: str = ""
    is_new_team: bool = False
    is_new_person: bool = False
    faults: tuple[TableFault, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamReport:
    """The outcome of a whole table."""

    rows: tuple[TeamRowReport, ...] = ()
    faults: tuple[TableFault, ...] = ()
    ignored: tuple[str, ...] = ()
    is_kept: bool = False

    @property
    def all_faults(self) -> tuple[TableFault, ...]:
        """All faults, those of the table first, then those of its rows in order."""
        return (*self.faults, *(fault for row in self.rows for fault in row.faults))

    @property
    def counts(self) -> Mapping[BatchOutcome, int]:
        """The number of rows by outcome."""
        return Counter(row.outcome for row in self.rows)

    @property
    def is_well(self) -> bool:
        """True if there are no faults and at least one row to write."""
        return not self.all_faults and self.counts[BatchOutcome.NEW] > 0

    @property
    def digest(self) -> str:
        """A SHA-256 of the rows' outcomes: equal digests mean that nothing has changed since the preview."""
        said = [(row.number, row.outcome, row.team, row.member, row.is_new_person) for row in self.rows]
        return hashlib.sha256(repr(said).encode()).hexdigest()


@all_or_nothing
def import_teams(
    *, competition: Competition, table: ParsedTable, by: Actor, previewed: str = "", keep: bool = False
) -> TeamReport:
    """Import the teams and members of a table; without `keep` only report the outcome of each row.

    1. Refuse actors not allowed to manage the competition, and a competition of players.
    2. Find or create each team and person; names that resemble known people are faults, never guesses.
    3. Add the memberships that do not exist yet.
    4. Keep them if every row is valid and, where the digest of a preview is given, the report has the same digest.
    """
    require(by, competition, Capability.MANAGE)
    refuse_no_team_league(competition)
    report = _Intake(competition, table, by).report()
    is_kept = keep and report.is_well and previewed in {"", report.digest}
    if not is_kept:
        transaction.set_rollback(True)
    return replace(report, is_kept=is_kept)


@dataclass
class _Intake:
    """The import of one table; writes each row after the one before it."""

    competition: Competition
    table: ParsedTable
    by: Actor
    teams: dict[str, Entrant] = field(default_factory=dict)
    """The teams entered, by folded key and name."""
    known: dict[str, Player] = field(default_factory=dict)
    """Teams of other competitions, by folded key and name."""
    created: set[int] = field(default_factory=set)
    """Ids of teams that this table enters."""
    people: dict[str, Player] = field(default_factory=dict)
    """New people of this table by folded name: one who moves has two rows."""

    def report(self) -> TeamReport:
        """Read and write all rows, and report on each."""
        if self.table.faults:
            return TeamReport(faults=self.table.faults, ignored=self.table.ignored)
        if len(self.table.rows) > MOST_ROWS:
            message = _("At most %(most)s rows at a time.") % {"most": MOST_ROWS}
            return TeamReport(faults=(TableFault(message),))
        rows = carried_down([read_team_row(row, self.table) for row in self.table.rows])
        for team in Player.objects.filter(is_team=True, erased_at=None, merged_into=None):
            self.known |= {name_of_cell(team.key): team}
            self.known.setdefault(name_of_cell(team.name), team)
        matched = match_people(roster_row(row) for row in rows)
        named = [self.known[text] for row in rows for text in texts_of(row) if text in self.known]
        lock_players([*named, *(player for match in matched for player in match.players)])
        lock(self.competition)
        for entrant in teams_of(self.competition):
            self.teams |= dict.fromkeys(map(name_of_cell, (entrant.player.key, entrant.player.name)), entrant)
        return TeamReport(
            tuple(self._take(row, match) for row, match in zip(rows, matched, strict=True)),
            ignored=self.table.ignored,
        )

    def _take(self, row: TeamRow, match: MatchedRow) -> TeamRowReport:
        """Write one row unless it has faults or is there already."""
        told = TeamRowReport(row.number, BatchOutcome.ERROR, row.cells["team"], row.cells["name"] or row.cells["key"])
        has_member = bool(told.member)
        faults = [*row.faults, *self._doubts(row, match if has_member else None)]
        if faults:
            return replace(told, faults=tuple(faults))
        try:
            entrant = self._team(row)
            is_new_team = entrant.pk in self.created
            told = replace(told, team=entrant.player.name, is_new_team=is_new_team)
            if not has_member:
                return replace(told, outcome=BatchOutcome.NEW if is_new_team else BatchOutcome.SAME)
            return self._member(row, entrant, match, told)
        except ServiceError as error:
            return replace(told, faults=(TableFault(str(error), row.number),))

    def _doubts(self, row: TeamRow, match: MatchedRow | None) -> list[TableFault]:
        """Return faults of a row without a certain team or person."""
        found = []
        if not row.cells["team"] and not row.cells["team_key"]:
            found.append(TableFault(_("Name the team."), row.number, self.table.header("team")))
        key = name_of_cell(row.cells["team_key"])
        if key and key not in self.teams and key not in self.known:
            message = _("No team has this key. Leave it out for a new team.")
            found.append(TableFault(message, row.number, self.table.header("team_key"), row.cells["team_key"]))
        if match is not None and match.who is Who.FAULTY:
            found.append(TableFault(match.fault, row.number, self.table.header("name"), row.cells["name"]))
        if match is not None and match.who is Who.SIMILAR and name_of_cell(row.cells["name"]) not in self.people:
            known = "; ".join(f"{player.name} ({player.key})" for player in match.players[:3])
            message = _("Is this one of those known? Write the key: %(known)s") % {"known": known}
            found.append(TableFault(message, row.number, self.table.header("name"), row.cells["name"]))
        return found

    def _team(self, row: TeamRow) -> Entrant:
        """Return the team of a row, entering or creating it if it is new."""
        texts = texts_of(row)
        there = next((self.teams[text] for text in texts if text in self.teams), None)
        if there is not None:
            return there
        cells = row.cells
        team = NewTeam(
            name=cells["team"],
            name_kana=cells["team_kana"],
            name_romaji=cells["team_romaji"],
            short_name=cells["team_short"],
            mark_glyph=cells["glyph"],
            mark_colour=row.colour,
            known=next((self.known[text] for text in texts if text in self.known), None),
        )
        (entrant,) = enter_teams(competition=self.competition, teams=[team], by=self.by)
        self.created.add(entrant.pk)
        self.teams |= dict.fromkeys([*texts, name_of_cell(entrant.player.key)], entrant)
        return entrant

    def _member(self, row: TeamRow, entrant: Entrant, match: MatchedRow, told: TeamRowReport) -> TeamRowReport:
        """Add the membership unless it exists."""
        name = name_of_cell(row.cells["name"])
        person = match.players[0] if match.who is Who.KNOWN else self.people.get(name)
        if person is not None:
            there = memberships(self.competition).filter(player=person, entrant=entrant)
            told = replace(told, member=person.name)
            if there.filter(since=row.since, until=row.until).exists():
                return replace(told, outcome=BatchOutcome.SAME)
        newcomer = Newcomer(name=row.cells["name"], name_kana=row.cells["kana"], name_romaji=row.cells["romaji"])
        made: TeamMember = add_member(
            entrant=entrant, player=person or newcomer, by=self.by, since=row.since, until=row.until
        )
        if person is None:
            self.people[name] = made.player
        if row.is_captain:
            make_captain(member=made, by=self.by)
        return replace(told, outcome=BatchOutcome.NEW, is_new_person=person is None)


def texts_of(row: TeamRow) -> list[str]:
    """Return the folded key and name by which a row names its team."""
    return [name_of_cell(row.cells[key]) for key in ("team_key", "team") if row.cells[key]]


def roster_row(row: TeamRow) -> RosterRow:
    """Return the person of a row as a roster names one."""
    cells = row.cells
    return RosterRow(row.number, name=cells["name"], kana=cells["kana"], romaji=cells["romaji"], key=cells["key"])


def carried_down(rows: Sequence[TeamRow]) -> list[TeamRow]:
    """Return the rows with the team's cells of the row before wherever a row names no team."""
    found: list[TeamRow] = []
    for row in rows:
        if found and not row.cells["team"] and not row.cells["team_key"]:
            own = {head.key: found[-1].cells[head.key] for head in OF_TEAM}
            row = replace(row, cells={**row.cells, **own}, colour=found[-1].colour)  # noqa: PLW2901
        found.append(row)
    return found
