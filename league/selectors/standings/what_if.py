"""Hypothetical results (what if): added to a copy of the facts and ranked by the engine; nothing is written.

A hypothetical result is settled by the rules of its hanchan and added to the facts that the reader may know.
Then the standings are derived again; the differences from the present ones are the effect of the result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from league.models import Block, Competition, Entrant, Hanchan, HanchanSeat, SlotState
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id
from league.selectors.competitions.schedule import played_hanchan
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.certainty import BlockLine, RankedBlock, certain_destinations, homes_of
from league.selectors.standings.derivation import Derivation, derive, facts_at, with_hanchan
from league.selectors.standings.facts import id_of, id_or_none
from league.selectors.standings.published import slot_states_of
from league.selectors.standings.tables import are_last_before_border, blocks_of
from scoring.problems import InvalidResultError, ResultProblem
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, Settlement, settle
from scoring.stages import Certainty, Champion
from scoring.standings import Played, Ranked

MOST_TABLES = 12
"""At most this many tables are offered, and tried out, at once."""


@dataclass(frozen=True, slots=True)
class TableInPlay:
    """The next hanchan of a table with all its seats, and the rules that will settle it."""

    hanchan: Hanchan
    seats: tuple[HanchanSeat, ...]
    ruleset: Ruleset


@dataclass(frozen=True, slots=True)
class HypotheticalResult:
    """Hypothetical final scores by seat, and deposits left, for one table."""

    table: TableInPlay
    scores: tuple[int, ...]
    kyoutaku: int = 0


class RefusedTrialError(ValueError):
    """Raised for a trial that cannot be settled, with all its problems."""

    def __init__(self, trial: HypotheticalResult, problems: tuple[ResultProblem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.trial = trial
        self.problems = problems


@dataclass(frozen=True, slots=True)
class TriedSeat:
    """The settlement of a trial for one seat; points at the ranking ledger's scale."""

    entrant: Entrant
    place: int
    final_score: int
    points: int


@dataclass(frozen=True, slots=True)
class TriedTable:
    """A settled trial, first place first."""

    trial: HypotheticalResult
    seats: tuple[TriedSeat, ...]


@dataclass(frozen=True, slots=True)
class TriedLine:
    """A line of a block's table with the trials, and the entrant's line without them.

    `before` is None for an entrant whom only a trial seats in the block, such as one planned for a slot still open.
    """

    entrant: Entrant
    line: Ranked
    before: Ranked | None
    destination: str
    goes: str
    """The certain destination, as in `Standing.goes`; empty while open."""
    is_last_before_border: bool

    @property
    def up(self) -> int:
        """Return the number of ranks gained, 0 for none."""
        return max(0, self.before.rank - self.line.rank) if self.before else 0

    @property
    def down(self) -> int:
        """Return the number of ranks lost, 0 for none."""
        return max(0, self.line.rank - self.before.rank) if self.before else 0

    @property
    def gain(self) -> int:
        """Return the points gained by the trials."""
        return self.line.total - (self.before.total if self.before else 0)


@dataclass(frozen=True, slots=True)
class TriedBlock:
    """A block's table with the trials."""

    block: Block
    lines: tuple[TriedLine, ...]


@dataclass(frozen=True, slots=True)
class TriedSlot:
    """A slot whose entrant or state would change."""

    block: Block
    number: int
    source: str
    before: Entrant | None
    after: Entrant | None
    state: str


@dataclass(frozen=True, slots=True)
class WhatIfOutcome:
    """The changes that the trials would make."""

    tables: tuple[TriedTable, ...]
    blocks: tuple[TriedBlock, ...]
    slots: tuple[TriedSlot, ...]
    champion: Entrant | None
    """The champion, or the present leader of the last block."""
    champion_state: str


def tables_in_play(reader: Reader) -> tuple[TableInPlay, ...]:
    """Return the next hanchan of every table that has one, if this audience may know all its seats.

    A table where a player sits who has lost the place in the block is left out, as its result would be refused; so
    are all tables of a closed competition, except in front of the spoiler guard.
    """
    is_over = reader.competition.status == Competition.Status.CLOSED and reader.until is None
    if reader.guards_guests or is_over:
        return ()
    rows = (
        reader.hanchan()
        .filter(table_session__is_cancelled=False)
        .exclude(state=Hanchan.State.ABANDONED)
        .exclude(pk__in=reader.sheets().values("hanchan"))
        .select_related(
            "table_session__session", "block__stage", "block__competition", "rules__ruleset", "rules__format"
        )
        .prefetch_related(Prefetch("seats", HanchanSeat.objects.select_related("entrant__player", "player")))
        .order_by("table_session__session__number", "table_session__order", "table_session", "round")
    )
    next_ones: dict[int, Hanchan] = {}
    for row in rows:
        next_ones.setdefault(row.table_session_id, row)
    return tuple(_playable(reader, list(next_ones.values())))


def _playable(reader: Reader, rows: list[Hanchan]) -> Iterator[TableInPlay]:
    """Yield the hanchan with every seat taken by a player who may still play in the block."""
    players = _known_players(reader)
    for played in played_hanchan(reader, rows):
        ruleset, known = ruleset_of(played.hanchan.rules, played.hanchan.options), players.get(played.hanchan.block_id)
        is_current = known is None or all(seat.entrant_id in known or seat.entrant.is_house for seat in played.planned)
        if is_current and len(played.planned) == ruleset.players:
            yield TableInPlay(played.hanchan, played.planned, ruleset)


def _known_players(reader: Reader) -> Mapping[int, set[int | None]]:
    """Return the entrants of every block whose slots are all certain, by block id."""
    states: defaultdict[int, list[SlotState]] = defaultdict(list)
    for row in slot_states_of(reader):
        states[row.slot.block_id].append(row)
    return {
        block: {row.entrant_id for row in rows}
        for block, rows in states.items()
        if all(row.state == SlotState.State.CERTAIN for row in rows)
    }


def try_out(reader: Reader, trials: Sequence[HypotheticalResult]) -> WhatIfOutcome:
    """Return the changes these trials would make; raise RefusedTrialError for one that cannot be settled."""
    facts = facts_at(reader)
    before, settled = derive(facts), [(trial, _settled(trial)) for trial in trials]
    for trial, settlement in settled:
        facts = with_hanchan(facts, trial.table.hanchan, dict(_played(trial, settlement)))
    after = derive(facts)
    blocks = {row.key: row for row in blocks_of(reader)}
    found = _Outcome(before, after, entrants_by_id(reader.competition, facts.roster), blocks)
    tried = {trial.table.hanchan.block.key for trial in trials}
    champion = after.resolution.champion or Champion(Certainty.OPEN)
    return WhatIfOutcome(
        tables=tuple(TriedTable(trial, tuple(_seats(trial, settlement))) for trial, settlement in settled),
        blocks=tuple(found.block(key) for key in found.blocks if key in tried),
        slots=tuple(found.slots()),
        champion=found.people.get(id_or_none(champion.entrant) or 0),
        champion_state=champion.state.value,
    )


def _settled(trial: HypotheticalResult) -> Settlement:
    rules = trial.table.ruleset
    house = tuple(number for number, seat in enumerate(trial.table.seats) if seat.entrant.is_house)
    result = HanchanResult(trial.scores, trial.kyoutaku, substitutes=house if rules.settlement.substitute else ())
    try:
        return settle(result, rules)
    except InvalidResultError as error:
        raise RefusedTrialError(trial, error.problems) from error


def _played(trial: HypotheticalResult, settlement: Settlement) -> Iterator[tuple[int, Played]]:
    """Yield the result that the trial adds to the facts, by entrant."""
    hanchan, points = trial.table.hanchan, settlement.totals[trial.table.ruleset.ranking_ledger.key]
    for index, seat in enumerate(trial.table.seats):
        counted = Played(
            hanchan.number, points[index], settlement.places[index], settlement.final_scores[index], hanchan.pk
        )
        yield seat.entrant_id, counted


def _seats(trial: HypotheticalResult, settlement: Settlement) -> list[TriedSeat]:
    points = settlement.totals[trial.table.ruleset.ranking_ledger.key]
    seats = [
        TriedSeat(seat.entrant, settlement.places[index], settlement.final_scores[index], points[index])
        for index, seat in enumerate(trial.table.seats)
    ]
    return sorted(seats, key=lambda seat: seat.place)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The derivations before and after the trials."""

    before: Derivation
    after: Derivation
    people: Mapping[int, Entrant]
    blocks: Mapping[str, Block]

    def block(self, key: str) -> TriedBlock:
        """Return a block's table with the trials."""
        earlier = {line.entrant: line for line in self.before.standings[key].ranked}
        ranked = self.after.standings[key].ranked
        leads = list(self.after.resolution.destinations.get(key, ()))
        leads += [""] * (len(ranked) + 1 - len(leads))
        goes = self._goes(key, ranked, leads)
        borders = are_last_before_border(leads[: len(ranked)])
        return TriedBlock(
            self.blocks[key],
            tuple(
                TriedLine(
                    entrant=self.people[id_of(line.entrant)],
                    line=line,
                    before=earlier.get(line.entrant),
                    destination=leads[index],
                    goes=goes.get(line.entrant, ""),
                    is_last_before_border=borders[index],
                )
                for index, line in enumerate(ranked)
            ),
        )

    def _goes(self, key: str, ranked: Sequence[Ranked], leads: Sequence[str]) -> Mapping[Hashable, str]:
        """Return the certain destinations of the block's entrants with the trials."""
        stages = {
            name: (row.stage.key, row.stage.order) for row in self.blocks.values() for name in (row.key, row.stage.key)
        }
        lines = (BlockLine(line.entrant, line.rank, place) for line, place in zip(ranked, leads, strict=False))
        return certain_destinations(
            RankedBlock(key, *stages[key], tuple(lines)), list(homes_of(self.after.resolution, stages))
        )

    def slots(self) -> Iterator[TriedSlot]:
        """Yield every slot whose entrant or state would change."""
        for key, states in self.after.resolution.slots.items():
            for old, new in zip(self.before.resolution.slots[key], states, strict=True):
                if (old.entrant, old.state) != (new.entrant, new.state):
                    yield TriedSlot(
                        self.blocks[key],
                        new.number,
                        new.source,
                        self.people.get(id_or_none(old.entrant) or 0),
                        self.people.get(id_or_none(new.entrant) or 0),
                        new.state.value,
                    )
