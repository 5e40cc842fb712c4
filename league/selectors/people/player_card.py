"""A player's card in a league: where they stand and why, their chance, what they need, the next game, and the path.

It joins what the published standings, explanations, conditions, odds and the schedule say, as one reader may know it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from django.db.models import Count, Max, Q

from league.models import Block, Competition, Entrant, Hanchan, HanchanSeat, SlotState, Standing
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.live.log import TableLog
from league.selectors.live.public import Live, known_log, known_until
from league.selectors.people.statuses import departure_word
from league.selectors.rulebooks.rules_in_force import format_of, rules_of
from league.selectors.standings.conditions import BlockConditions, awaited_in, conditions_of
from league.selectors.standings.explanations import Explanation, explanations
from league.selectors.standings.odds import BlockAdvance, block_advance
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, StandingLine, block_tables, blocks_of, result_grid
from scoring.conditions import Word
from scoring.lines import CHAMPION, OUT, WITHDRAWN
from scoring.odds.shares import Share
from scoring.pyramid.conditions import read_destination, sides


class Fate(StrEnum):
    """The certain outcome of the present block for an entrant."""

    OPEN = "open"
    """Nothing yet."""
    THROUGH = "through"
    """They go on."""
    OUT = "out"
    """They are eliminated."""
    CHAMPION = "champion"
    """They have won the title."""
    PLACED = "placed"
    """The last block is over, and they have not won the title."""
    WITHDRAWN = "withdrawn"
    """They have withdrawn."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop on the path: a block with the standing there, or blocks of stages that the entrant was spared."""

    standing: Standing | None
    spared: tuple[Block, ...] = ()
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Border:
    """The distance to the place that counts: the leader of the last block, else the border to those who do not go on.

    `other` is on the other side: the leader, or for the leader the second; the last inside, or the first outside.
    """

    other: Standing
    gap: int
    """Own total less the other's, at the ranking ledger's scale."""
    is_title: bool
    is_in: bool


@dataclass(frozen=True, slots=True)
class Running:
    """The present state of the entrant's running game, and what would follow if it ended now."""

    log: TableLog
    score: int
    place: int
    points: int
    """Points of the game at the ranking ledger's scale."""
    total: int | None
    """The total with them; None if the game does not count in the block that the card shows."""
    rank: int | None
    """The rank in the block; None also where totals would be level, since then more than the totals decides."""


@dataclass(frozen=True, slots=True)
class NextGame:
    """The entrant's next game, with all its seats that the reader may know."""

    hanchan: Hanchan
    seats: tuple[HanchanSeat, ...]
    running: Running | None

    @property
    def is_running(self) -> bool:
        """Return True if the game is being played."""
        return self.hanchan.state == Hanchan.State.RUNNING


@dataclass(frozen=True)
class PlayerCard:
    """The card of an entrant of a league; its parts are read when they are asked for."""

    reader: Reader
    entrant: Entrant

    @cached_property
    def tables(self) -> tuple[BlockTable, ...]:
        """The tables of all blocks in the order of the format."""
        return block_tables(self.reader, with_slots=False)

    @cached_property
    def own(self) -> tuple[tuple[BlockTable, int], ...]:
        """Every block that the entrant stands in, with the index of their line, in the order of the format."""
        return tuple(
            (table, index)
            for table in self.tables
            for index, line in enumerate(table.lines)
            if line.standing.entrant_id == self.entrant.pk
        )

    @property
    def table(self) -> BlockTable | None:
        """Return the table of the furthest block that the entrant is certainly in; None before there is one."""
        return self.own[-1][0] if self.own else None

    @property
    def line(self) -> StandingLine | None:
        """Return the entrant's line in it."""
        return self.own[-1][0].lines[self.own[-1][1]] if self.own else None

    @property
    def standing(self) -> Standing | None:
        """Return the entrant's standing in it."""
        return self.line.standing if self.line else None

    @property
    def has_rank(self) -> bool:
        """Return True once the entrant has played in the block and holds a rank."""
        return self.standing is not None and self.standing.played > 0 and self.standing.is_ranked

    @property
    def is_last(self) -> bool:
        """Return True if the block decides the title; for those whose rank moves them in a series that counts more."""
        if self.table is None or self.is_in_series:
            return False
        return any(line.standing.destination == CHAMPION for line in self.table.lines)

    @property
    def is_in_series(self) -> bool:
        """Return True if the entrant's rank leads somewhere by the rules of a series."""
        return self.standing is not None and read_destination(self.standing.destination) is not None

    @cached_property
    def fate(self) -> Fate:
        """Return the outcome that is certain for the entrant; OPEN for any other."""
        row = self.standing
        left = departure_word(self.reader.competition, self.entrant, self.reader)
        if left or (row is not None and row.destination == WITHDRAWN):
            return Fate.WITHDRAWN
        if row is None or self.table is None:
            return Fate.OPEN
        outcome = outcome_of(self.reader)
        if outcome is not None and outcome.champion_state == SlotState.State.CERTAIN:
            if outcome.champion_id == self.entrant.pk:
                return Fate.CHAMPION
            if self.is_last or self.is_in_series:
                return Fate.PLACED
        if row.goes:
            return Fate.OUT if row.goes == OUT else Fate.THROUGH
        return PROVED.get(self._proved, Fate.OPEN)

    @property
    def _proved(self) -> Word:
        """Return what the conditions prove about going on at all; the title itself is decided by its block alone."""
        found = self.conditions
        last = found.targets[-1] if found and found.targets else None
        if last is None or self.is_last or not last.players or not last.target.is_last_to_go_on:
            return Word.OPEN
        return last.players[0].status.word

    @cached_property
    def conditions(self) -> BlockConditions | None:
        """The conditions of the block under way, of this entrant alone; None if nothing is left to need."""
        if self.table is None or self.standing is None or self.table.is_complete or not self.standing.is_ranked:
            return None
        found = conditions_of(self.reader, block=self.table.block, is_asked=lambda each: each == self.entrant)
        return next(iter(found), None)

    @cached_property
    def _advance(self) -> BlockAdvance | None:
        return block_advance(self.reader, self.table) if self.table else None

    @property
    def chance(self) -> Share | None:
        """Return the simulated chance of going on from the block, or of the title in the last one, while it is open.

        There is none for the places of a series.
        """
        if self.fate is not Fate.OPEN or self._advance is None or self.is_in_series:
            return None
        return self._advance.shares.get(self.entrant.pk)

    @cached_property
    def border(self) -> Border | None:
        """The distance to the leader or to the border; None without ranks, or where all of the block go on."""
        if self.table is None or self.standing is None or not self.has_rank:
            return None
        rows = [line.standing for line in self.table.lines if line.standing.is_ranked]
        inside = 1
        if not self.is_last:
            rows, inside = counted_rows(rows)
        at = next((index for index, row in enumerate(rows) if row.entrant_id == self.entrant.pk), None)
        if at is None or not 0 < inside < len(rows):
            return None
        is_in = at < inside
        other = rows[inside] if is_in else rows[inside - 1]
        return Border(other, self.standing.total - other.total, self.is_last, is_in)

    @cached_property
    def neighbours(self) -> tuple[Explanation | None, Explanation | None]:
        """Why the neighbour above is above the entrant, and why the entrant is above the one below."""
        if self.table is None or not self.has_rank:
            return None, None
        grid = result_grid(self.reader, self.table.block)
        found = explanations(self.table, grid, format_of(rules_of(self.reader)).tiebreak)
        above = next((pair for pair in found if pair.below.entrant.pk == self.entrant.pk), None)
        below = next((pair for pair in found if pair.above.entrant.pk == self.entrant.pk), None)
        return above, below

    @cached_property
    def path(self) -> tuple[Stop, ...]:
        """The way through the stages, from the first one to the block that the entrant is in."""
        return tuple(self._stops())

    def _stops(self) -> Iterator[Stop]:
        orders = [table.block.stage.order for table, _index in self.own]
        reached = -1
        for place, (table, index) in enumerate(self.own):
            order = table.block.stage.order
            between = [block for block in blocks_of(self.reader) if reached < block.stage.order < order]
            spared = {block.stage_id: block for block in between if block.stage.order not in orders}
            if spared:
                yield Stop(None, tuple(spared.values()))
            yield Stop(table.lines[index].standing, is_here=place == len(self.own) - 1)
            reached = order

    @cached_property
    def games(self) -> tuple[PlayedHanchan, ...]:
        """The games to come in the present block at which the reader may know that the entrant has a seat."""
        blocks = [self.table.block] if self.table else blocks_of(self.reader)
        awaited = awaited_in(self.reader, blocks)
        own = [
            game
            for block in blocks
            for game in awaited[block.pk]
            if any(seat.entrant_id == self.entrant.pk for seat in game.planned)
        ]
        return tuple(sorted(own, key=_playing_order))

    @property
    def next_tables(self) -> tuple[Hanchan, ...]:
        """Return the first game to come at each table."""
        return tuple({game.hanchan.table_session_id: game.hanchan for game in reversed(self.games)}.values())[::-1]

    @cached_property
    def next_game(self) -> NextGame | None:
        """The next game, or the one being played; None if none is planned."""
        if not self.games:
            return None
        found = next((game for game in self.games if game.hanchan.state == Hanchan.State.RUNNING), self.games[0])
        if found.hanchan.state != Hanchan.State.RUNNING:
            return NextGame(found.hanchan, found.planned, None)
        live = Live(self.reader, known_log(self.reader, found.hanchan, None), None)
        return NextGame(found.hanchan, found.planned, self._running(live))

    def _running(self, live: Live) -> Running | None:
        if not live.is_running or live.log.state.is_over:
            return None
        seat = next(index for index, row in enumerate(live.seats) if row.entrant_id == self.entrant.pk)
        gained = dict(
            zip(
                (row.entrant_id for row in live.seats),
                map(int, live.settlement.totals[live.log.rules.ranking_ledger.key]),
                strict=True,
            )
        )
        total, rank = self._would_be(live.log.hanchan, gained)
        return Running(
            log=live.log,
            score=live.log.state.current_scores(live.log.rules)[seat],
            place=live.settlement.places[seat],
            points=gained[self.entrant.pk],
            total=total,
            rank=rank,
        )

    def _would_be(self, hanchan: Hanchan, gained: Mapping[int, int]) -> tuple[int | None, int | None]:
        """Return the total and rank in the block with these points of the game added."""
        if self.table is None or self.standing is None or hanchan.block_id != self.table.block.pk:
            return None, None
        rows = [line.standing for line in self.table.lines]
        totals = {row.entrant_id: row.total + gained.get(row.entrant_id, 0) for row in rows if row.is_ranked}
        own = totals.pop(self.entrant.pk, None)
        if own is None:
            return None, None
        is_level = own in totals.values()
        return own, None if is_level else 1 + sum(total > own for total in totals.values())


PROVED: Mapping[Word, Fate] = {Word.CERTAIN: Fate.THROUGH, Word.ELIMINATED: Fate.OUT}


def counted_rows(rows: Sequence[Standing]) -> tuple[list[Standing], int]:
    """Return the rows of a block that its lowest border counts, and how many are inside; all of them outside series.

    A comparison across blocks may still decide against those inside.
    """
    found = list(zip(rows, sides([row.destination for row in rows]), strict=True))
    return [row for row, side in found if side is not None], sum(side is True for _row, side in found)


def _playing_order(game: PlayedHanchan) -> tuple[int, int, int]:
    table = game.hanchan.table_session
    return table.session.number, table.order, game.hanchan.round


def running_state(reader: Reader) -> list[object]:
    """Return what a page with running games depends on besides the published version, for its ETag."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        return []
    until = known_until(reader)
    told = None if until is None else Q(events__at__lte=until)
    running = reader.hanchan().filter(state=Hanchan.State.RUNNING).order_by()
    found: Mapping[str, object] = running.aggregate(
        games=Count("pk", distinct=True), newest=Max("events__pk", filter=told)
    )
    return [found["games"], found["newest"]]
