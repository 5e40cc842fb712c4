"""The parts of a team league's home page: fixtures with line-ups, teams with bars from zero, the race, individuals.

Bars are SVG in a box of 1,000 by 6 units with zero in the middle; the race has a line for each team from session to
session, told apart by colour, dash and the short name at its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from league.models import HanchanSeat, SeatResult, Standing
from league.selectors.competitions.schedule import SessionTables, TableGame
from league.selectors.seasons.members import LATEST, MemberRow, member_table
from league.selectors.standings.ladder import LadderBlock, LadderStage
from league.selectors.standings.tables import BlockTable, ResultCell, StandingLine, border_below
from league.views.base import PageData
from league.views.live.score_graph import grid, readable, spread_labels
from league.web.standings.ladder_svg import fitted
from league.web.standings.large_fields import border_gaps
from league.wording.marks import mark_of
from league.wording.messages import destination_label, wind_name
from league.wording.names import short_names

BAR = 1000
WIDTH, HEIGHT = 358, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 70, 12, 26
NAME_UNITS = 9
"""Width of a short name at the end of a line, in half-width letters."""
DASHES = 4
INDIVIDUALS = 5

Results = Mapping[int, Mapping[int, ResultCell]]


@dataclass(frozen=True, slots=True)
class FixtureSeat:
    """One team's seat in a fixture: its wind, and the member's own total so far once the member is announced."""

    wind: str
    seat: HanchanSeat | SeatResult
    row: MemberRow | None

    @property
    def is_announced(self) -> bool:
        """Return True if the member is known."""
        return self.seat.player_id != self.seat.entrant.player_id


@dataclass(frozen=True, slots=True)
class TeamFixture:
    """One hanchan of the session shown, first dealer first."""

    game: TableGame
    place: int
    """Its number in the session, where each table is one game; 0 where a table plays several."""
    seats: tuple[FixtureSeat, ...]

    @property
    def is_announced(self) -> bool:
        """Return True if the members of all teams are known."""
        return bool(self.seats) and all(each.is_announced for each in self.seats)


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the table of a block."""

    line: StandingLine
    bar_at: int
    bar_width: int
    to_border: int | None
    """Lead over the first outside, or, below zero, the points missing."""
    latest: tuple[ResultCell, ...]
    plays_next: bool
    border: str
    """The stage that those above reach, if a border lies below the line."""
    border_gap: int | None

    @property
    def standing(self) -> Standing:
        """Return the standing."""
        return self.line.standing


@dataclass(frozen=True, slots=True)
class RaceLine:
    """One team's line in the race."""

    colour: int
    dash: int
    points: str
    end_x: int
    end_y: int
    label_y: int
    name: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A grid line with its amount, or a title below the race."""

    at: int
    value: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Race:
    """The layout of the race in integer coordinates."""

    lines: tuple[RaceLine, ...]
    levels: tuple[Tick, ...]
    titles: tuple[Tick, ...]
    left: int = LEFT
    right: int = WIDTH - RIGHT
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class TeamBlock:
    """A block of a stage under way: its teams, the race so far, and the best individuals."""

    drawn: LadderBlock
    teams: tuple[TeamLine, ...]
    race: Race | None
    individuals: tuple[MemberRow, ...]


def team_context(
    shown: PageData,
    current: Sequence[LadderStage],
    results: Mapping[int, Results],
    session: SessionTables | None,
    running: Iterable[TableGame],
) -> dict[str, object]:
    """Return the template context of the parts that only a team league has."""
    stages = {stage.stage.pk: stage.stage for stage in current}
    rows = {pk: member_table(shown.reader, stage) for pk, stage in stages.items()}
    games = games_of(session)
    playing = {game.played.hanchan.pk for game in running}
    by_member = {(row.team.pk, row.player.pk): row for own in rows.values() for row in own}
    winds = [wind_name(wind) for wind in shown.ruleset.setup.seat_winds]
    coming = {seat.entrant_id for game in games for seat in game.played.planned if not game.played.sheet}
    fixtures = [
        TeamFixture(game, place_of(game), tuple(seats_of(game, winds, by_member)))
        for game in games
        if game.played.hanchan.pk not in playing
    ]
    return {
        "fixtures": fixtures,
        "team_session": session.session if session else None,
        "team_blocks": {
            drawn.block.pk: TeamBlock(
                drawn,
                tuple(team_lines(shown, drawn.table, results.get(drawn.block.pk, {}), coming)),
                race_of(drawn.table, results.get(drawn.block.pk, {})),
                tuple(row for row in rows[stage.stage.pk] if row.games and in_block(row, drawn))[:INDIVIDUALS],
            )
            for stage in current
            for drawn in stage.blocks
            if drawn.has_ranks
        },
    }


def in_block(row: MemberRow, drawn: LadderBlock) -> bool:
    """Return True if the member has played in the block."""
    return any(game.block.pk == drawn.block.pk for game in row.games)


def games_of(session: SessionTables | None) -> list[TableGame]:
    """Return all games of a session in the order of its tables, those of cancelled tables left out."""
    tables = session.tables if session else ()
    return [
        TableGame(table, played) for table in tables if not table.table_session.is_cancelled for played in table.hanchan
    ]


def place_of(game: TableGame) -> int:
    """Return the number of a game in its session; 0 where its table plays several games."""
    return game.table.table_session.order if len(game.table.hanchan) == 1 else 0


def seats_of(
    game: TableGame, winds: Sequence[str], by_member: Mapping[tuple[int, int], MemberRow]
) -> Iterable[FixtureSeat]:
    """Yield the seats of a game, as played or as planned."""
    seats: Sequence[HanchanSeat | SeatResult] = game.played.results or game.played.planned
    for seat in seats:
        yield FixtureSeat(
            winds[seat.seat] if seat.seat < len(winds) else "",
            seat,
            by_member.get((seat.entrant_id, seat.player_id)),
        )


def team_lines(shown: PageData, table: BlockTable, results: Results, coming: set[int]) -> Iterable[TeamLine]:
    """Yield the teams of a block, best first."""
    most = max((abs(line.standing.total) for line in table.lines), default=0) or 1
    for line, below, gap in zip_longest(table.lines, table.lines[1:], border_gaps(table.lines)):
        row = line.standing
        width = abs(row.total) * (BAR // 2) // most
        border = border_below(line, below)
        own = results.get(row.entrant_id, {})
        yield TeamLine(
            line=line,
            bar_at=BAR // 2 - (width if row.total < 0 else 0),
            bar_width=width,
            to_border=gap,
            latest=tuple(own[number] for number in sorted(own)[-LATEST:]),
            plays_next=row.entrant_id in coming,
            border=destination_label(row.destination, shown.names, row.goes) if border else "",
            border_gap=border.gap if border else None,
        )


def race_of(table: BlockTable, results: Results) -> Race | None:
    """Return the totals of all teams of a block after each session; None before there are two points to join."""
    numbers = sorted({cell.session.number for own in results.values() for cell in own.values()})
    if not numbers:
        return None
    lines = [line.standing for line in table.lines]
    totals = [course_of(row, results.get(row.entrant_id, {}), numbers) for row in lines]
    levels = grid(min(map(min, totals)), max(map(max, totals)))
    low, high = levels[0], levels[-1]
    xs = [LEFT + place * (WIDTH - LEFT - RIGHT) // len(numbers) for place in range(len(numbers) + 1)]

    def y(total: int) -> int:
        return TOP + (high - total) * (HEIGHT - TOP - BOTTOM) // (high - low)

    labels = spread_labels([y(own[-1]) for own in totals], HEIGHT - BOTTOM)
    short = short_names({row.entrant_id: row.entrant.player for row in lines})
    titles = readable([(x, str(number)) for x, number in zip(xs[1:], numbers, strict=True)], WIDTH - LEFT - RIGHT)
    return Race(
        lines=tuple(
            RaceLine(
                colour=mark_of(row.entrant.player).colour,
                dash=place % DASHES,
                points=" ".join(f"{x},{y(total)}" for x, total in zip(xs, own, strict=True)),
                end_x=xs[-1],
                end_y=y(own[-1]),
                label_y=labels[place],
                name=fitted(short[row.entrant_id], NAME_UNITS),
            )
            for place, (row, own) in enumerate(zip(lines, totals, strict=True))
        ),
        levels=tuple(Tick(y(level), level) for level in levels),
        titles=tuple(Tick(x, 0, text) for x, text in titles),
    )


def course_of(row: Standing, own: Mapping[int, ResultCell], numbers: Sequence[int]) -> list[int]:
    """Return a team's total before the first of these sessions and after each, points from outside from the start."""
    gained: defaultdict[int, int] = defaultdict(int)
    for cell in own.values():
        gained[cell.session.number] += cell.points
    totals = [row.total - sum(gained.values())]
    for number in numbers:
        totals.append(totals[-1] + gained[number])
    return totals
