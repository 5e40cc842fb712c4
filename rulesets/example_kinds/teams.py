"""Worked examples of team leagues: season tables, tables of teams and members, stages with points carried, line-ups."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from rulesets.example_kinds.formats import SCALE, FormatContext, Points, compare
from rulesets.example_kinds.shape import Example, Mismatch
from scoring.ruleset.base import Amount, Count, Strict
from scoring.standings import Standings, rank
from scoring.teams.line_ups import Appearance, line_up_faults
from scoring.teams.rows import MemberPoints, MemberSeat, person_rows, team_rows
from scoring.tiebreak import Played, Row, TieBreak

Levels = tuple[tuple[str, ...], ...]
"""Entrants from the best down; level ones stand in one group, sorted."""


class SeasonLine(Strict):
    """A member's season: penalties are contained in the points."""

    team: str
    games: Count
    places: tuple[Count, ...]
    points: Amount
    penalty: Amount = Fraction(0)


class ExpectedSeason(Strict):
    """Totals and order of the teams, the sum of all totals, and the number of hanchan."""

    totals: Points
    order: Levels
    sum: Amount
    hanchan: Count


class TeamSeasonExample(Example):
    """Members' seasons -> the table of the teams."""

    players: dict[str, SeasonLine]
    expect: ExpectedSeason


def team_season_differences(example: TeamSeasonExample, context: FormatContext) -> Iterator[Mismatch]:
    """Sum the members' points by team; the sum of all must be that of the penalties."""
    del context
    lines = example.players
    rows = team_rows((), (MemberPoints(each.team, _units(each.points), name) for name, each in lines.items()))
    yield from _table(rows, example.expect.totals, example.expect.order)
    yield from compare("sum", example.expect.sum, Fraction(sum(row.total for row in rows), SCALE))
    yield from compare("penalties", example.expect.sum, sum((each.penalty for each in lines.values()), Fraction(0)))
    yield from compare("hanchan", example.expect.hanchan * 4, sum(each.games for each in lines.values()))
    for name, each in lines.items():
        yield from compare(f"players.{name}.places", each.games, sum(each.places))


class TableGame(Strict):
    """A hanchan with the points of each player."""

    players: tuple[str, ...]
    points: tuple[Amount, ...]


class ExpectedTables(Strict):
    """Totals and order of the teams and of the members."""

    totals: Points
    order: Levels
    players: Points
    player_order: Levels


class TeamTableExample(Example):
    """Hanchan with the members who played -> the tables of teams and members."""

    members: dict[str, str]
    hanchan: tuple[TableGame, ...]
    expect: ExpectedTables


def team_table_differences(example: TeamTableExample, context: FormatContext) -> Iterator[Mismatch]:
    """Sum the same seats by team and by member."""
    del context
    seats = [
        MemberSeat(example.members[player], player, played)
        for number, game in enumerate(example.hanchan, start=1)
        for player, played in zip(game.players, _played(number, game.points), strict=True)
    ]
    yield from _table(team_rows(seats), example.expect.totals, example.expect.order)
    yield from _table(person_rows(seats), example.expect.players, example.expect.player_order, "player_")


class StageGame(Strict):
    """A hanchan with the points of each team."""

    teams: tuple[str, ...]
    points: tuple[Amount, ...]


class ExpectedStage(Strict):
    """Totals and order of the teams."""

    totals: Points
    order: Levels


class StageTableExample(Example):
    """Points carried into a stage and its hanchan -> the table of the teams."""

    carried: Points
    hanchan: tuple[StageGame, ...]
    expect: ExpectedStage


def stage_table_differences(example: StageTableExample, context: FormatContext) -> Iterator[Mismatch]:
    """Add the hanchan to the points carried; teams that do not play keep these."""
    del context
    seats = (
        MemberSeat(team, team, played)
        for number, game in enumerate(example.hanchan, start=1)
        for team, played in zip(game.teams, _played(number, game.points), strict=True)
    )
    carried = {team: _units(points) for team, points in example.carried.items()}
    yield from _table(team_rows(seats, (), carried), example.expect.totals, example.expect.order)


class Limits(Strict):
    """Bounds on the hanchan of each member."""

    least: Count | None = None
    most: Count | None = None


class ExpectedLineUp(Strict):
    """Codes with their subjects, sorted."""

    faults: tuple[str, ...]


class LineUpExample(Example):
    """Members named for the next hanchan -> the faults of the line-ups."""

    members: dict[str, tuple[str, ...]]
    seats: dict[str, str]
    limits: Limits = Limits()
    played: dict[str, Count] = {}
    left: Count | None = None
    """Hanchan of each of these teams still to come, this one included."""
    expect: ExpectedLineUp


def line_up_differences(example: LineUpExample, context: FormatContext) -> Iterator[Mismatch]:
    """Check the line-ups of the hanchan."""
    del context
    left = {} if example.left is None else dict.fromkeys(example.seats, example.left)
    limit = Appearance(example.limits.least, example.limits.most)
    found = line_up_faults(dict(example.seats), dict(example.members), limit, dict(example.played), left)
    yield from compare("faults", example.expect.faults, tuple(sorted(map(str, found))))


def _units(points: Fraction) -> int:
    return int(points * SCALE)


def _played(number: int, points: Sequence[Fraction]) -> Iterator[Played]:
    """Yield each player's hanchan; examples state no scores, and places follow from the points."""
    for own in points:
        place = 1 + sum(other > own for other in points)
        yield Played(number, _units(own), place, 0, number)


def _table(rows: Iterable[Row], totals: Points, order: Levels, prefix: str = "") -> Iterator[Mismatch]:
    standings = rank(rows, TieBreak())
    found = {str(each.entrant): Fraction(each.total, SCALE) for each in standings.ranked}
    yield from compare(f"{prefix}totals", dict(sorted(totals.items())), dict(sorted(found.items())))
    yield from compare(f"{prefix}order", order, _levels(standings))


def _levels(standings: Standings) -> Levels:
    levels = groupby(standings.ranked, key=lambda each: each.rank)
    return tuple(tuple(sorted(str(each.entrant) for each in level)) for _, level in levels)
