"""Data that a result is checked against: eligible entrants, the schedule, and the recorded sheets.

Everything is queried once for all results that are recorded together, as soon as a check needs it, and kept up to
date while they are processed. For a single result only the sheets near it are queried.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import Max, Model, QuerySet

from league.models import (
    Block,
    Closing,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    LineUp,
    Player,
    ResultSheet,
    SeatResult,
    TableEvent,
    TableSession,
)
from league.selectors.access.actors import Actor
from league.selectors.live.log import TableLog, log_of
from league.selectors.live.table_options import option_findings
from league.selectors.results.blind_sheets import is_blind
from league.selectors.results.seats_beside import seats_beside
from league.selectors.rulebooks.rules_in_force import format_of, is_of_teams, rules_at, ruleset_of
from league.selectors.seasons.line_ups import standing_line_ups
from league.selectors.seasons.teams import day_of, members_on
from league.selectors.standings.blocks import entrants_who_may_play
from league.selectors.standings.rounds import blocks_with_rests
from league.services.results.entry import SheetEntry
from league.services.results.sheets import BATCH


@dataclass(frozen=True, slots=True)
class SheetContents:
    """The contents of a sheet that another sheet may repeat or contradict; `seats` are entrants, players and scores."""

    hanchan: int
    number: int
    round: int
    block: int
    table: int
    starts_at: dt.datetime | None
    session: int
    counts: bool
    entered_by: int | None
    seats: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, hanchan: Hanchan, entry: SheetEntry, by: Actor, *, counts: bool) -> SheetContents:
        """Return the comparable contents of an entry that has been recorded."""
        table, entered_by = hanchan.table_session, by.user.pk if by.user else None
        seats = tuple((seat.entrant, seat.player, seat.score) for seat in entry.seats)
        place = hanchan.pk, hanchan.number, hanchan.round, hanchan.block_id
        return cls(*place, table.pk, table.starts_at, table.session_id, counts, entered_by, seats)

    def places(self) -> Iterator[tuple[object, ...]]:
        """Yield the keys by which the sheet is looked up."""
        for entrant, player, _score in self.seats:
            if self.counts:
                yield "number", self.block, entrant, self.number
                yield "block", self.block, entrant
            yield "round", self.session, self.round, player
        yield "twin", self.block, frozenset((entrant, score) for entrant, _player, score in self.seats)
        yield "scores", self.session, tuple(sorted(score for _entrant, _player, score in self.seats))


M = TypeVar("M", bound=Model)
TABLE = "sheet__hanchan__table_session"
SHEET = ("sheet__hanchan", "sheet__hanchan__number", "sheet__hanchan__round", "block", TABLE, f"{TABLE}__session")
SEAT_COLUMNS = (
    "pk",
    "sheet",
    *SHEET,
    "sheet__state",
    "sheet__entered_by",
    "entrant",
    "player",
    "score",
    f"{TABLE}__starts_at",
)
"""Columns of a seat as in `seats_beside`."""


def contents_by_sheet(rows: Iterable[tuple[Any, ...]]) -> Iterator[SheetContents]:
    """Yield the contents of sheets from the columns `SEAT_COLUMNS` of their seats."""
    sheets: defaultdict[tuple[Any, ...], list[tuple[int, int, int]]] = defaultdict(list)
    for _pk, *sheet, entrant, player, score, starts_at in rows:
        sheets[*sheet, starts_at].append((entrant, player, score))
    for (_sheet, hanchan, number, round_, block, table, session, state, entered_by, starts_at), seats in sheets.items():
        counts = state == ResultSheet.State.CONFIRMED
        yield SheetContents(hanchan, number, round_, block, table, starts_at, session, counts, entered_by, tuple(seats))


class Memory:
    """The sheets in the database and those recorded since, by lookup key, in the order of recording."""

    def __init__(self, sheets: Iterable[SheetContents]) -> None:
        self._by_hanchan: defaultdict[int, list[SheetContents]] = defaultdict(list)
        self._by_place: defaultdict[tuple[object, ...], dict[SheetContents, None]] = defaultdict(dict)
        for contents in sheets:
            self._keep(contents)

    def find(self, *place: object) -> Collection[SheetContents]:
        """Return the sheets under a key of `SheetContents.places`."""
        return self._by_place.get(place, ())

    def _keep(self, contents: SheetContents) -> None:
        self._by_hanchan[contents.hanchan].append(contents)
        for place in contents.places():
            self._by_place[place][contents] = None

    def keep(self, contents: SheetContents) -> None:
        """Keep a sheet in place of those it supersedes: the one that counted, and its author's that waits."""
        for old in list(self._by_hanchan[contents.hanchan]):
            is_own = contents.entered_by is not None and contents.entered_by == old.entered_by
            if (contents.counts and old.counts) or (is_own and not old.counts):
                self._by_hanchan[contents.hanchan].remove(old)
                for place in old.places():
                    self._by_place[place].pop(old, None)
        self._keep(contents)


@dataclass
class Surroundings:
    """Data that results of one competition are checked against."""

    competition: Competition
    results: Sequence[tuple[Hanchan, SheetEntry]]
    is_typed: bool = True
    """True if people type the results, so that the other tables of the session are compared as well."""
    laid_out: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    """Entrants and players by seat, for hanchan that are not scheduled yet."""
    certain: Mapping[str, Collection[int]] = field(default_factory=dict)
    """Entrants certain of a place in a block, by its key, where results processed before decide that."""
    _may_play: dict[int, Collection[int]] = field(default_factory=dict)
    _members: dict[dt.date | None, Mapping[int, Collection[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.results = [(hanchan, self.completed(hanchan, entry)) for hanchan, entry in self.results]

    def completed(self, hanchan: Hanchan, entry: SheetEntry) -> SheetEntry:
        """Return the entry with what follows from the competition: members of teams, and substitutes.

        House players are substitutes where the rules give these a flat account.
        """
        entry = self._with_members(hanchan, entry)
        if option_findings(hanchan.rules, options := {**hanchan.options, **entry.options}):
            return entry
        if ruleset_of(hanchan.rules, options).settlement.substitute is None:
            return entry
        seats = tuple(seat for seat, place in enumerate(entry.seats) if place.entrant in self.house)
        return replace(entry, substitutes=seats)

    def _with_members(self, hanchan: Hanchan, entry: SheetEntry) -> SheetEntry:
        """Return the entry with the members named for the teams whose member it leaves open."""
        if not is_of_teams(hanchan.rules):
            return entry
        named = dict(self.planned(hanchan)) | {
            entrant: row.player_id for (of, entrant), row in self._line_ups.items() if of == hanchan.pk
        }
        return replace(
            entry,
            seats=tuple(
                replace(seat, player=named[seat.entrant])
                if self.is_team(seat.entrant, seat.player) and seat.entrant in named
                else seat
                for seat in entry.seats
            ),
        )

    def is_team(self, entrant: int, player: int) -> bool:
        """Return True if the player is the team itself that is the entrant, not one of its members."""
        return self._teams.get(entrant) == player

    def members(self, hanchan: Hanchan) -> Mapping[int, Collection[int]]:
        """Return the members by team on the day of a hanchan."""
        day = day_of(hanchan.table_session)
        if day not in self._members:
            found = members_on(self.competition, day)
            self._members[day] = {team: frozenset(one.pk for one in people) for team, people in found.items()}
        return self._members[day]

    @cached_property
    def _teams(self) -> Mapping[int, int]:
        """The player row of each team by its entrant id."""
        rows = Entrant.objects.filter(competition=self.competition, player__is_team=True).order_by()
        return dict(rows.values_list("pk", "player"))

    @cached_property
    def _line_ups(self) -> Mapping[tuple[int, int], LineUp]:
        ids = [hanchan.pk for hanchan, _entry in self.results if hanchan.pk]
        found: dict[tuple[int, int], LineUp] = {}
        for start in range(0, len(ids), BATCH):
            found |= standing_line_ups(ids[start : start + BATCH])
        return found

    def may_play(self, block: Block) -> Collection[int]:
        """Return the entrants that a result of the block may name, perhaps with others than those of the results."""
        if block.pk not in self._may_play:
            if block.key in self.certain:
                seeded = block.slots.exclude(seeded=None).values_list("seeded", flat=True)
                found = frozenset(self.certain[block.key]) | frozenset(seeded)
            else:
                found = entrants_who_may_play(block, self._entrants if len(self._entrants) <= BATCH else None)
            self._may_play[block.pk] = found
        return self._may_play[block.pk]

    @cached_property
    def house(self) -> Collection[int]:
        """The house players of the competition, who may sit at any table."""
        rows = Entrant.objects.filter(competition=self.competition, is_house=True)
        return frozenset(rows.order_by().values_list("pk", flat=True))

    def already_played(self, hanchan: Hanchan, entrants: Collection[int]) -> Collection[int]:
        """Return the entrants who have a result for this number in another hanchan; an open table counts no numbers."""
        if hanchan.block.stage.hanchan_count is None:
            return ()
        place, find = (hanchan.block_id, hanchan.number), self.memory.find
        return {pk for pk in entrants if _of_others(find("number", place[0], pk, place[1]), hanchan)}

    def played_enough(self, hanchan: Hanchan, entrants: Collection[int]) -> Collection[int]:
        """Return the entrants of a block with rests who have results for all their hanchan there already."""
        count = hanchan.block.stage.hanchan_count
        if count is None or not self.has_rests(hanchan):
            return ()
        return {
            pk for pk in entrants if len(_of_others(self.memory.find("block", hanchan.block_id, pk), hanchan)) >= count
        }

    def has_rests(self, hanchan: Hanchan) -> bool:
        """Return True if entrants of the hanchan's block rest in some rounds."""
        return hanchan.block.key in self._with_rests

    @cached_property
    def _with_rests(self) -> Collection[str]:
        # By the format in force: the one that a hanchan pins by its start may be older and not have the block.
        rules = rules_at(self.competition)
        return blocks_with_rests(format_of(rules), ruleset_of(rules).players)

    def is_closed(self, block: Block) -> bool:
        """Return True if the organizer has closed the block."""
        return block.pk in self._closed

    @cached_property
    def _closed(self) -> Collection[int]:
        rows = Closing.objects.standing().filter(block__competition=self.competition)
        return frozenset(rows.order_by().values_list("block", flat=True))

    def has_twin(self, hanchan: Hanchan, scores: AbstractSet[tuple[int, int]]) -> bool:
        """Return True if another hanchan has exactly these entrants with these scores.

        At an open table only hanchan of the same sitting count: over the years regulars repeat themselves.
        """
        found = _of_others(self.memory.find("twin", hanchan.block_id, frozenset(scores)), hanchan)
        is_open = self.competition.kind == Competition.Kind.OPEN
        return any(not is_open or contents.table == hanchan.table_session_id for contents in found)

    def planned(self, hanchan: Hanchan) -> Sequence[tuple[int, int]]:
        """Return the scheduled entrants and players, in the order of their seats."""
        return self.laid_out.get(hanchan.pk) or self._planned.get(hanchan.pk, ())

    def are_scores_elsewhere(self, hanchan: Hanchan, scores: Sequence[int]) -> bool:
        """Return True if a result at another table of the session has exactly these scores, in ascending order."""
        found = self.memory.find("scores", hanchan.table_session.session_id, tuple(scores))
        return any(contents.table != hanchan.table_session_id for contents in found)

    def at_other_tables(self, hanchan: Hanchan, players: Collection[int]) -> Mapping[int, tuple[str, str]]:
        """Return the players with a result of this round at another table, each with both names.

        A player can be at two tables that begin at different times.
        """
        mine, met = hanchan.table_session, {}
        for player in players:
            for contents in self.memory.find("round", mine.session_id, hanchan.round, player):
                is_at_once = None in (mine.starts_at, contents.starts_at) or mine.starts_at == contents.starts_at
                if contents.table != mine.pk and is_at_once:
                    met[player] = str(self._players[player]), str(self._tables[contents.table])
                    break
        return met

    def open_sheet(self, hanchan: Hanchan) -> TableLog | None:
        """Return the log of a score sheet that is in progress, or finished and not submitted; None if there is none.

        With blind entry a finished log is the second sheet, and not worth a warning.
        """
        log = self._open_sheets.get(hanchan.pk)
        is_second = log is not None and log.state.is_over and is_blind(self.competition)
        return None if is_second else log

    def name(self, entrant: int) -> str:
        """Return an entrant's name as entered; the id of one that does not exist."""
        return str(self._names.get(entrant, entrant))

    def player_name(self, player: int) -> str:
        """Return a player's name as entered; the id of one that does not exist."""
        return str(self._players.get(player, player))

    def fetch_names(self) -> None:
        """Fetch the names of players and tables now, so that the number of queries is the same for all findings."""
        _ = self._players, self._tables

    @cached_property
    def memory(self) -> Memory:
        """The sheets that the results may repeat or contradict."""
        return Memory(contents_by_sheet(self._rows()))

    def _rows(self) -> Iterable[tuple[object, ...]]:
        """Return the columns `SEAT_COLUMNS` of seats, in the order they were written.

        At an open table only the sessions' own seats: equal scores in earlier years are no sign of an error.
        """
        states, is_open = states_compared(self.competition), self.competition.kind == Competition.Kind.OPEN
        if len(self.results) == 1:
            hanchan, entry = self.results[0]
            return seats_beside(
                hanchan,
                [(seat.entrant, seat.player, seat.score) for seat in entry.seats],
                states,
                is_open=is_open and hanchan.block.stage.hanchan_count is None,
                has_rests=self.has_rests(hanchan),
                with_session=self.is_typed,
            )
        rows = SeatResult.objects.filter(sheet__state__in=states, block__competition=self.competition).order_by("pk")
        if is_open:
            return in_parts(rows, f"{TABLE}__session", self._sessions, *SEAT_COLUMNS)
        return rows.values_list(*SEAT_COLUMNS)

    @cached_property
    def _planned(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        planned: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        seats, hanchan = HanchanSeat.objects.order_by(), [each.pk for each, _entry in self.results]
        rows = in_parts(seats, "hanchan", hanchan, "hanchan", "seat", "entrant", "player")
        for pk, _seat, entrant, player in sorted(rows):
            planned[pk].append((entrant, player))
        return planned

    @cached_property
    def _open_sheets(self) -> Mapping[int, TableLog]:
        """Return logs that have been started and are not closed by a result.

        A log is closed by a counting or waiting sheet made from it, or by a counting sheet that was typed.
        """
        begun = {each.pk: each for each, _entry in self.results if each.pk and each.started_at is not None}
        if not begun:
            return {}
        events = TableEvent.objects.order_by().values("hanchan").annotate(newest=Max("sequence"))
        newest = set(in_parts(events, "hanchan", list(begun), "hanchan", "newest"))
        states = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
        sheets = ResultSheet.objects.order_by().filter(state__in=states)
        known = list(in_parts(sheets, "hanchan", list(begun), "hanchan", "made_from_sequence", "state"))
        newest -= {(hanchan, made_from) for hanchan, made_from, _state in known}
        ended = {hanchan for hanchan, made_from, state in known if made_from is None and state == states[0]}
        logs = {hanchan: log_of(begun[hanchan]) for hanchan, _sequence in newest if hanchan not in ended}
        return {hanchan: log for hanchan, log in logs.items() if log.is_followed}

    @cached_property
    def _entrants(self) -> Sequence[int]:
        return sorted({seat.entrant for _hanchan, entry in self.results for seat in entry.seats})

    @cached_property
    def _sessions(self) -> Sequence[int]:
        return sorted({hanchan.table_session.session_id for hanchan, _entry in self.results})

    @cached_property
    def _names(self) -> Mapping[int, Model]:
        return by_id(Entrant.objects.select_related("player"), "pk", self._entrants)

    @cached_property
    def _players(self) -> Mapping[int, Model]:
        players = {seat.player for _hanchan, entry in self.results for seat in entry.seats}
        return by_id(Player.objects.all(), "pk", sorted(players))

    @cached_property
    def _tables(self) -> Mapping[int, Model]:
        laid_out = {hanchan.table_session_id: hanchan.table_session for hanchan, _entry in self.results}
        rows = TableSession.objects.select_related("session", "block")
        return laid_out | by_id(rows, "session", self._sessions)


def _of_others(found: Iterable[SheetContents], hanchan: Hanchan) -> list[SheetContents]:
    """Return the sheets of other hanchan."""
    return [contents for contents in found if contents.hanchan != hanchan.pk]


def states_compared(competition: Competition) -> tuple[ResultSheet.State, ...]:
    """Return the states of sheets that a new entry is compared with; with blind entry a waiting sheet stays unknown."""
    counting, waiting = ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED
    return (counting,) if is_blind(competition) else (counting, waiting)


def in_parts(rows: QuerySet[Any, Any], lookup: str, ids: Sequence[int], *columns: str) -> Iterator[Any]:
    """Yield the rows for a long list of ids, in several queries, since databases limit the parameters of one."""
    for start in range(0, len(ids), BATCH):
        part = rows.filter(**{f"{lookup}__in": ids[start : start + BATCH]})
        yield from part.values_list(*columns) if columns else part


def by_id(rows: QuerySet[M], lookup: str, ids: Sequence[int]) -> dict[int, M]:
    """Return rows by their ids, fetched in several queries."""
    return {row.pk: row for row in in_parts(rows, lookup, ids)}
