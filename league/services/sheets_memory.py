"""The sheets that results on their way in are held against, asked for once and kept up to date while results go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from league.models import Competition, Hanchan, ResultSheet, SeatResult
from league.services.actor import Actor
from league.services.entry import SheetEntry, states_compared

BATCH = 500


@dataclass(frozen=True, slots=True)
class Said:
    """What a sheet says, as far as another may repeat or contradict it; `seats` are entrants, players and scores."""

    hanchan: int
    number: int
    block: int
    table: int
    session: int
    round: int
    seats: tuple[tuple[int, int, int], ...]
    counts: bool
    entered_by: int | None

    @classmethod
    def of(cls, hanchan: Hanchan, entry: SheetEntry, by: Actor, *, counts: bool) -> Said:
        """What somebody enters."""
        return cls(
            hanchan=hanchan.pk,
            number=hanchan.number,
            block=hanchan.block_id,
            table=hanchan.table_session_id,
            session=hanchan.table_session.session_id,
            round=hanchan.round,
            seats=tuple((seat.entrant, seat.player, seat.score) for seat in entry.seats),
            counts=counts,
            entered_by=by.user.pk if by.user else None,
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores in ascending order."""
        return tuple(sorted(score for _entrant, _player, score in self.seats))

    @property
    def pairs(self) -> frozenset[tuple[int, int]]:
        """Entrants with their scores."""
        return frozenset((entrant, score) for entrant, _player, score in self.seats)


SAID = (
    "sheet",
    "sheet__hanchan",
    "sheet__hanchan__number",
    "block",
    "sheet__hanchan__table_session",
    "sheet__hanchan__table_session__session",
    "sheet__hanchan__round",
    "sheet__state",
    "sheet__entered_by",
    "entrant",
    "player",
    "score",
)


def said_by(rows: Iterable[tuple[Any, ...]]) -> Iterator[Said]:
    """What sheets say, from the columns `SAID` of their seats."""
    sheets: defaultdict[tuple[Any, ...], list[tuple[int, int, int]]] = defaultdict(list)
    for *sheet, entrant, player, score in rows:
        sheets[tuple(sheet)].append((entrant, player, score))
    for (_sheet, hanchan, number, block, table, session, round_, state, entered_by), seats in sheets.items():
        counts = state == ResultSheet.State.CONFIRMED
        yield Said(hanchan, number, block, table, session, round_, tuple(seats), counts, entered_by)


Index = defaultdict[tuple[object, ...], dict[Said, None]]
"""Sheets by what is looked for, in the order they came in."""


@dataclass
class Memory:
    """The sheets that results are held against: those in the database, and those gone by since."""

    sheets: defaultdict[int, list[Said]] = field(default_factory=lambda: defaultdict(list))
    """By hanchan."""
    numbers: Index = field(default_factory=lambda: defaultdict(dict))
    """Those that count, by block, entrant and the hanchan's number."""
    twins: Index = field(default_factory=lambda: defaultdict(dict))
    """By block and table, with entrants and scores."""
    scores: Index = field(default_factory=lambda: defaultdict(dict))
    """By session and scores."""
    rounds: Index = field(default_factory=lambda: defaultdict(dict))
    """By session, round and player."""

    def places(self, said: Said) -> Iterator[tuple[Index, tuple[object, ...]]]:
        """Where a sheet is looked for."""
        for entrant, player, _score in said.seats:
            if said.counts:
                yield self.numbers, (said.block, entrant, said.number)
            yield self.rounds, (said.session, said.round, player)
        yield self.twins, (said.block, said.pairs)
        yield self.scores, (said.session, said.scores)

    def keep(self, said: Said) -> None:
        """Hold what follows against a sheet."""
        self.sheets[said.hanchan].append(said)
        for index, place in self.places(said):
            index[place][said] = None

    def keep_instead(self, said: Said) -> None:
        """Hold what follows against a sheet in place of those it supersedes: the one that counted, and one's own."""
        for old in list(self.sheets[said.hanchan]):
            is_own = said.entered_by is not None and said.entered_by == old.entered_by
            if (said.counts and old.counts) or (is_own and not old.counts):
                self.forget(old)
        self.keep(said)

    def forget(self, said: Said) -> None:
        """Hold nothing against a sheet any more."""
        self.sheets[said.hanchan].remove(said)
        for index, place in self.places(said):
            index[place].pop(said, None)


def sheets_beside(competition: Competition, sessions: Sequence[int]) -> Iterable[tuple[Any, ...]]:
    """The seats of the sheets that results of these sessions are held against, by the columns `SAID`.

    At an open table these are the sessions' own: what was played there in all the years before says nothing.
    """
    states = {ResultSheet.State.CONFIRMED, *states_compared(competition)}
    rows = SeatResult.objects.filter(block__competition=competition, sheet__state__in=states).order_by("pk")
    if competition.kind == Competition.Kind.OPEN:
        return in_parts(rows, "sheet__hanchan__table_session__session", sessions, *SAID)
    return rows.values_list(*SAID)


def in_parts(rows: QuerySet[Any, Any], lookup: str, ids: Sequence[int], *columns: str) -> Iterator[Any]:
    """Rows of a long list of ids, asked for in parts: databases take so many values at once."""
    for start in range(0, len(ids), BATCH):
        part = rows.filter(**{f"{lookup}__in": ids[start : start + BATCH]})
        yield from part.values_list(*columns) if columns else part
