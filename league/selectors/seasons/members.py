"""The second table of a team league, that of its members, and the awards, which leagues of players may have too.

Rows are summed from the same results as the standings of the teams (`block_results`), so they show a reader neither
more nor less than those: prepared rows, the embargo and the spoiler guard hold without a line of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile

from league.models import Adjustment, Block, Entrant, Player, Session, Stage, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.people.player_records import Record, record_of_games
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.seasons.teams import memberships_seen_by
from league.selectors.standings.facts import id_of
from league.selectors.standings.prepared import SeatCell, season_of
from league.selectors.standings.tables import block_results, block_tables, blocks_of
from scoring.format import EntrantKind
from scoring.format.team import Award
from scoring.teams.awards import AwardRanking, awards
from scoring.teams.rows import MemberPoints, MemberSeat, member_rows, person_rows
from scoring.tiebreak import Played, Row

LATEST = 5
"""Places shown as the latest ones."""


def has_teams(reader: Reader) -> bool:
    """Return True if teams play in the competition."""
    return format_of(rules_of(reader)).kind is EntrantKind.TEAMS


@dataclass(frozen=True, slots=True)
class MemberGame:
    """One hanchan of a member."""

    hanchan: int
    """Primary key of the hanchan."""
    number: int
    """Number of the hanchan in its block."""
    session: Session
    block: Block
    place: int
    points: int
    """At the ranking ledger's scale."""
    score: int
    chonbo: int


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person's line for one team: a person who changed teams has one for each."""

    player: Player
    team: Entrant
    games: tuple[MemberGame, ...]
    """In the order of play."""
    adjustment: int
    """Points of the team's adjustments that name the person."""
    memberships: tuple[TeamMember, ...]
    """Periods in the team; empty for a person who sat without being a member."""
    players: int
    """Number of players at a table."""
    rank: int | None = None
    """Equal totals share it; None before the first hanchan."""
    adjustments: tuple[Adjustment, ...] = ()
    """The decisions that `adjustment` is the sum of, oldest first."""

    @property
    def points(self) -> int:
        """Return the points of all hanchan."""
        return sum(game.points for game in self.games)

    @property
    def total(self) -> int:
        """Return the points of all hanchan and adjustments."""
        return self.points + self.adjustment

    @property
    def has_points(self) -> bool:
        """Return True if there is something to add up."""
        return bool(self.games or self.adjustment)

    @property
    def record(self) -> Record:
        """Return the counts of places, and the best and the lowest score."""
        return record_of_games([(game.place, game.score) for game in self.games], self.players)

    @property
    def average(self) -> Fraction | None:
        """Return the points per hanchan, adjustments included, at the ledger's scale; None before the first one."""
        return Fraction(self.total, len(self.games)) if self.games else None

    @property
    def latest(self) -> tuple[MemberGame, ...]:
        """Return the latest hanchan, oldest first."""
        return self.games[-LATEST:]

    @property
    def firsts_in_a_row(self) -> int:
        """Return the number of wins in a row up to the latest hanchan."""
        return self._run(lambda game: game.place == 1)

    @property
    def not_last_in_a_row(self) -> int:
        """Return the number of hanchan in a row without a last place up to the latest one."""
        return self._run(lambda game: game.place < self.players)

    def _run(self, holds: Callable[[MemberGame], bool]) -> int:
        return sum(1 for _game in takewhile(holds, reversed(self.games)))

    def place_in_team(self) -> tuple[bool, int]:
        """Return a key that sorts the members of a team: its order, those who have left or were no members last."""
        return not self.memberships, min((each.order for each in self.memberships), default=0)

    @property
    def is_captain(self) -> bool:
        """Return True if the person is the team's captain."""
        return any(each.is_captain for each in self.memberships)


@dataclass(frozen=True, slots=True)
class ShownAward:
    """An award with its ranking so far, and the people in it by the ids that the ranking has."""

    award: Award
    stage: Stage
    ranking: AwardRanking
    people: Mapping[int, MemberRow]
    is_final: bool
    """True once the stage is over, so that those in first place have won it."""

    def person(self, entrant: Hashable) -> MemberRow:
        """Return the person of a line of the ranking."""
        return self.people[id_of(entrant)]


def member_table(reader: Reader, stage: Stage | None = None) -> tuple[MemberRow, ...]:
    """Return a line for each team and member, of one stage or of all, the greatest total first.

    Members without a hanchan come last. In a league of players each entrant is its own only member, and a substitute's
    results are the entrant's.
    """
    blocks = [block for block in blocks_of(reader) if stage is None or block.stage_id == stage.pk]
    facts = _facts(reader)
    seats, games = facts.seats(blocks)
    rows = {
        (id_of(team), id_of(player)): row for (team, player), row in member_rows(seats, facts.adjusted(blocks)).items()
    }
    periods: dict[tuple[int, int], list[TeamMember]] = {}
    for each in facts.memberships:
        periods.setdefault((each.entrant_id, each.player_id), []).append(each)
    expected = periods or {(pk, entrant.player_id): [] for pk, entrant in facts.entrants.items()}
    keys = list(dict.fromkeys([*rows, *expected]))
    people = facts.people(player for _team, player in keys)
    found = [
        MemberRow(
            player=people[player],
            team=facts.entrants[team],
            games=games.get((team, player), ()),
            adjustment=rows[team, player].adjustment if (team, player) in rows else 0,
            memberships=tuple(periods.get((team, player), ())),
            players=facts.players,
            adjustments=facts.naming(team, player, blocks),
        )
        for team, player in keys
        if team in facts.entrants
    ]
    return _ranked(found)


def _ranked(rows: Iterable[MemberRow]) -> tuple[MemberRow, ...]:
    """Return the lines in order with their ranks; those without a hanchan have none and come last."""
    ordered = sorted(rows, key=lambda row: (not row.games, -row.total, row.team.number))
    totals = [row.total for row in ordered if row.games]
    return tuple(replace(row, rank=totals.index(row.total) + 1) if row.games else row for row in ordered)


def awards_of(reader: Reader) -> tuple[ShownAward, ...]:
    """Return the awards of the format with those who lead them, or have won them; none for a format without any."""
    league_format = format_of(rules_of(reader))
    if not league_format.awards:
        return ()
    blocks, facts = blocks_of(reader), _facts(reader)
    complete = {table.block.pk for table in block_tables(reader, with_slots=False) if table.is_complete}
    found = []
    for award in league_format.awards:
        own = [block for block in blocks if block.stage.key == award.stage]
        if not own:
            continue
        seats, _games = facts.seats(own)
        rows = person_rows(seats, facts.adjusted(own))
        found.append(
            ShownAward(
                award=award,
                stage=own[0].stage,
                ranking=awards(rows, award, facts.players),
                people=facts.lines_of(rows, seats),
                is_final=all(block.pk in complete for block in own),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Facts:
    """The results and decisions of a competition as a reader may see them, and its people."""

    reader: Reader
    cells: Sequence[tuple[Block, SeatCell, Session]]
    """Every seat's result in the order of play."""
    entrants: Mapping[int, Entrant]
    memberships: tuple[TeamMember, ...]
    adjustments: Sequence[Adjustment]
    has_teams: bool
    players: int

    def player_of(self, cell: SeatCell) -> int:
        """Return the person for whom a result counts: the member who sat; in a league of players the entrant."""
        return cell.player if self.has_teams else self.entrants[cell.entrant].player_id

    def seats(
        self, blocks: Sequence[Block]
    ) -> tuple[list[MemberSeat], Mapping[tuple[int, int], tuple[MemberGame, ...]]]:
        """Return the seats in these blocks as the engine reads them, and the games of each team's member."""
        wanted = {block.pk for block in blocks}
        seats: list[MemberSeat] = []
        games: dict[tuple[int, int], list[MemberGame]] = {}
        for block, cell, session in self.cells:
            if block.pk not in wanted:
                continue
            player = self.player_of(cell)
            played = Played(cell.number, cell.points, cell.place, cell.final_score, cell.hanchan)
            seats.append(MemberSeat(cell.entrant, player, played))
            game = MemberGame(
                cell.hanchan, cell.number, session, block, cell.place, cell.points, cell.final_score, cell.chonbo
            )
            games.setdefault((cell.entrant, player), []).append(game)
        return seats, {key: tuple(own) for key, own in games.items()}

    def adjusted(self, blocks: Sequence[Block]) -> list[MemberPoints]:
        """Return the adjustments in these blocks that concern a person."""
        wanted = {block.pk for block in blocks}
        return [
            MemberPoints(
                row.entrant_id,
                row.points,
                row.player_id if self.has_teams else self.entrants[row.entrant_id].player_id,
            )
            for row in self.adjustments
            if row.block_id in wanted and row.entrant_id in self.entrants
        ]

    def naming(self, team: int, player: int, blocks: Sequence[Block]) -> tuple[Adjustment, ...]:
        """Return the adjustments of a team in these blocks that name a member; none in a league of players."""
        wanted = {block.pk for block in blocks}
        own = (row for row in self.adjustments if row.entrant_id == team and row.player_id == player)
        return tuple(row for row in own if row.block_id in wanted)

    def people(self, ids: Iterable[int]) -> Mapping[int, Player]:
        """Return the people by id; only those who are neither entrants nor members are read."""
        known = {entrant.player_id: entrant.player for entrant in self.entrants.values()}
        known |= {each.player_id: each.player for each in self.memberships}
        missing = set(ids) - known.keys()
        return known | Player.objects.order_by().in_bulk(missing) if missing else known

    def lines_of(self, rows: Sequence[Row], seats: Sequence[MemberSeat]) -> Mapping[int, MemberRow]:
        """Return a line for each person of an award, with the team that the person sat for last."""
        teams = {id_of(seat.player): id_of(seat.team) for seat in seats}
        keys = [id_of(row.entrant) for row in rows]
        people = self.people(keys)
        return {
            key: MemberRow(people[key], self.entrants[teams[key]], (), 0, (), self.players)
            for key in keys
            if key in teams
        }


def _facts(reader: Reader) -> _Facts:
    """Return the facts, read once per reader."""
    if "members" not in reader.known:
        season, blocks = season_of(reader), blocks_of(reader)
        results, sessions = block_results(reader, blocks)
        by_key = {block.pk: block for block in blocks}
        cells = [(by_key[block], cell, sessions[cell.session]) for block, cell in results]
        cells.sort(key=lambda each: (each[2].number, each[0].stage.order, each[1].number, each[1].hanchan))
        if season is not None:
            entrants: Mapping[int, Entrant] = season.entrants
            adjustments: Sequence[Adjustment] = season.adjustments
        else:
            rows = Entrant.objects.filter(competition=reader.competition).select_related("player")
            entrants = {row.pk: row for row in rows.order_by("number")}
            adjustments = list(reader.decisions(Adjustment, block__in=[block.pk for block in blocks]))
        teams = has_teams(reader)
        reader.known["members"] = _Facts(
            reader=reader,
            cells=cells,
            entrants=entrants,
            memberships=tuple(memberships_seen_by(reader)) if teams else (),
            adjustments=adjustments,
            has_teams=teams,
            players=ruleset_of(rules_of(reader)).players,
        )
    found: _Facts = reader.known["members"]
    return found
