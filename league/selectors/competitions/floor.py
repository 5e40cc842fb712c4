"""The state of all tables of a round: what is played, what is in, and which table waits for a referee."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.core.cache import cache
from django.db.models import Count, Max
from django.utils.translation import get_language

from league.models import Hanchan, RefereeCall, ResultSheet, Session, TableEvent, TableSession
from league.selectors.access.etags import database_life
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import hide_states
from league.selectors.live.log import TableLog, log_from
from league.selectors.live.referee_calls import open_calls
from league.wording.competitions.floor import stage_label
from league.wording.live.live import table_text

SECONDS_KEPT = 3600


class TableStage(StrEnum):
    """The stage that a table has reached in a round."""

    UNSEATED = "unseated"
    """No players yet: the round is paired after the results before it."""
    SEATED = "seated"
    """Not begun."""
    PLAYING = "playing"
    OVERDUE = "overdue"
    """Still without a result although time is up."""
    WAITING = "waiting"
    """A result awaits confirmation."""
    DONE = "done"
    """The result counts."""


@dataclass(frozen=True, slots=True)
class TableState:
    """A table in a round. `kyoku` is empty unless the game is followed hand by hand; `call` is for the staff only."""

    table: TableSession
    hanchan: Hanchan
    stage: TableStage
    kyoku: str
    call: RefereeCall | None

    @property
    def label(self) -> str:
        """Return the name of the stage."""
        return stage_label(self.stage)


@dataclass(frozen=True, slots=True)
class Floor:
    """The tables of one round of a session, in the order of the tables."""

    session: Session
    round: int
    rounds: tuple[int, ...]
    """All rounds of the session."""
    states: tuple[TableState, ...]

    @property
    def counts(self) -> Mapping[TableStage, int]:
        """Return the number of tables by stage, in the order of the stages; stages without a table are left out."""
        found = Counter(state.stage for state in self.states)
        return {stage: found[stage] for stage in TableStage if found[stage]}

    @property
    def calls(self) -> tuple[RefereeCall, ...]:
        """Return the calls that wait for an answer, the longest waiting first."""
        calls = [state.call for state in self.states if state.call]
        return tuple(sorted(calls, key=lambda call: (call.made_at, call.pk)))


def floor_of(reader: Reader, session: Session, number: int | None = None, *, is_over: bool = False) -> Floor | None:
    """Return the tables of a round, by default the first one with a game to be played; None without any.

    `is_over` says that the time of the round is up. The public sees neither calls, nor hands, nor results that await
    confirmation. The number of queries does not depend on the number of tables.
    """
    games = list(
        reader.hanchan()
        .filter(table_session__session=session, table_session__is_cancelled=False)
        .exclude(state=Hanchan.State.ABANDONED)
        .select_related("table_session__session", "block__stage", "block__competition", "rules__ruleset")
        .annotate(seat_count=Count("seats"))
        .order_by("table_session__order", "round")
    )
    if not games:
        return None
    hide_states(reader, games)
    # The staff see a result as soon as it counts, before it is published.
    is_present = reader.is_staff and reader.until is None
    sheets = ResultSheet.objects.counting() if is_present else reader.sheets()
    done = set(sheets.filter(hanchan__in=games).values_list("hanchan", flat=True))
    rounds = tuple(sorted({game.round for game in games}))
    chosen = number if number in rounds else current_round({game.pk: game.round for game in games}, done)
    shown = [game for game in games if game.round == chosen]
    waiting = _submitted(shown) if reader.is_staff else frozenset()
    begun = [game for game in shown if game.state == Hanchan.State.RUNNING and game.pk not in done | waiting]
    kyoku = kyoku_texts(begun) if reader.is_staff else {}
    standing = open_calls(game.table_session for game in shown) if reader.is_staff else []
    calls = {call.table_session_id: call for call in standing}

    def stage(game: Hanchan) -> TableStage:
        if game.pk in done:
            return TableStage.DONE
        if game.pk in waiting:
            return TableStage.WAITING
        if not vars(game)["seat_count"]:
            return TableStage.UNSEATED
        if is_over:
            return TableStage.OVERDUE
        return TableStage.PLAYING if game.state == Hanchan.State.RUNNING else TableStage.SEATED

    states = (
        TableState(game.table_session, game, stage(game), kyoku.get(game.pk, ""), calls.get(game.table_session_id))
        for game in shown
    )
    return Floor(session, chosen, rounds, tuple(states))


def current_round(rounds: Mapping[int, int], done: Container[int]) -> int:
    """Return the first round with a game to be played, else the last one; `rounds` are those of hanchan by id."""
    return min((number for pk, number in rounds.items() if pk not in done), default=max(rounds.values()))


def floor_mark(session: Session) -> list[object]:
    """Return what the states depend on beside the competition's version: the hands of running games."""
    events = TableEvent.objects.filter(hanchan__table_session__session=session).order_by()
    return list(events.aggregate(count=Count("pk"), newest=Max("pk")).values())


def _submitted(games: Sequence[Hanchan]) -> frozenset[int]:
    rows = ResultSheet.objects.filter(hanchan__in=games, state=ResultSheet.State.SUBMITTED)
    return frozenset(rows.values_list("hanchan", flat=True))


def kyoku_texts(games: Sequence[Hanchan]) -> dict[int, str]:
    """Return the present kyoku of those games that are followed hand by hand, by hanchan.

    A log is replayed once for each of its events: fifty tables that poll would else cost a second of CPU.
    """
    events = TableEvent.objects.filter(hanchan__in=games)
    newest = events.order_by().values_list("hanchan").annotate(newest=Max("sequence"))
    keys = {pk: f"kyoku:{database_life()}:{get_language()}:{pk}:{sequence}" for pk, sequence in newest}
    kept = cache.get_many(keys.values())
    missing = {game.pk: game for game in games if game.pk in keys and keys[game.pk] not in kept}
    rows: defaultdict[int, list[TableEvent]] = defaultdict(list)
    for event in events.filter(hanchan__in=missing).order_by("hanchan", "sequence") if missing else ():
        rows[event.hanchan_id].append(event)
    found = {keys[pk]: _kyoku(log_from(game, rows[pk])) for pk, game in missing.items()}
    if found:
        cache.set_many(found, SECONDS_KEPT)
    return {pk: (kept | found)[key] for pk, key in keys.items()}


def _kyoku(log: TableLog) -> str:
    return table_text(log.state) if log.is_followed else ""
