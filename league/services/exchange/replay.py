"""Replay the events of a competition file, each through the service that a person would have used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from league.files.check_results import CheckedSheet, how_to_accept, players_of
from league.files.course import FileEvent
from league.files.reading import CompetitionFile, ImportRefusedError, Path
from league.files.shape import (
    AdjustmentTable,
    ClosingTable,
    CreditTable,
    DrawTable,
    FileDecision,
    HanchanTable,
    LineUpTable,
    OverrideTable,
    PairedTable,
    PairingTable,
    ResultTable,
    RulingTable,
    TakenBack,
    WithdrawalTable,
    points_as_text,
)
from league.models import (
    Adjustment,
    Block,
    Closing,
    Competition,
    Credit,
    Departure,
    Draw,
    Entrant,
    Hanchan,
    LineUp,
    Override,
    Pairing,
    Player,
    ResultSheet,
    Ruling,
    Slot,
    Stage,
    TableSession,
)
from league.models.rulings import Decided
from league.platform.errors import Finding, Level, ServiceError, refuse
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.exchange.restoring import Restorer
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result, void_hanchan
from league.services.results.rulings import (
    adjust_points,
    close_block,
    draw_stage,
    override_slot,
    pass_over,
    rule_on_tie,
    swap_slots,
    take_back,
)
from league.services.standings.publishing import publish_standings
from scoring.ruleset import Fault

LATER_STAGE_BEGUN = "later_stage_begun"
"""The warning that a director accepted, with a reason, when it happened; the replay accepts it again."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Players, entrants and blocks of a competition, by their keys in the file."""

    players: Mapping[str, Player]
    entrants: Mapping[str, Entrant]
    blocks: Mapping[str, Block]


@dataclass(frozen=True, slots=True)
class ScheduledTable:
    """A table of the file as scheduled, with its hanchan in order of play."""

    table_session: TableSession
    hanchan: Sequence[Hanchan]


@dataclass
class Replay:
    """The replay of a file's events one after the other; refusals by services are collected in `faults`."""

    file: CompetitionFile
    competition: Competition
    cast: Cast
    tables: Sequence[ScheduledTable]
    by: Actor
    faults: list[Fault] = field(default_factory=list)
    unpublished: int | None = None
    """The lowest stage with events since standings were last published, None if there are none."""
    counting: dict[Hanchan, ResultSheet] = field(default_factory=dict)
    decided: dict[Path, Decided] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)
    """The change number reached with each step, for pairings, which name the standing that they go by."""
    restorer: Restorer = field(init=False)

    def __post_init__(self) -> None:
        """Restore facts in the competition that is imported."""
        self.restorer = Restorer(self.competition, self.by)

    def let_happen(self, event: FileEvent) -> None:
        """Replay one event, after publishing standings where it depends on them.

        The players of a later stage, and the ties that need a ruling, are known only from published standings.
        """
        if self.unpublished is not None and (isinstance(event.what, RulingTable) or self.unpublished < event.stage):
            self.publish()
        try:
            self._happens(event)
        except ServiceError as error:
            self.faults += [self._fault(event.path, finding) for finding in error.findings]
        if self.file.document.pairings and event.what.step is not None:
            self.competition.refresh_from_db(fields=["version"])
            self.versions[event.what.step] = self.competition.version
        self.unpublished = event.stage if self.unpublished is None else min(self.unpublished, event.stage)

    def publish(self) -> None:
        """Publish standings; refusals so far end the import, since later events may depend on the refused ones."""
        self.finish()
        publish_standings(self.competition.pk)
        self.unpublished = None

    def finish(self) -> None:
        """Raise ImportRefusedError if any service refused an event."""
        if self.faults:
            raise ImportRefusedError(tuple(self.faults))

    def _fault(self, path: Path, finding: Finding) -> Fault:
        """Return a service's finding as a fault at its place in the file."""
        parts = [int(part) if part.isdigit() else part for part in finding.pointer.split("/") if part]
        if parts[:1] == ["seats"]:
            parts = ["players", *parts[1:2]]
        message = finding.message
        if finding.level is Level.WARNING:
            message = f"{message} {how_to_accept(finding.code)}"
        return self.file.fault((*path, *parts), None, message)

    def _happens(self, event: FileEvent) -> None:
        """Replay one event according to its kind."""
        match event.what:
            case ResultTable() as result:
                self._record(event, result)
            case TakenBack() as taken_back if event.hanchan is not None:
                self._void(event, taken_back)
            case TakenBack() as taken_back:
                self._take_back(self.decided[event.path[:-1]], taken_back)
            case LineUpTable() as line_up:
                self.restorer.write_line_up(self._line_up(event, line_up), line_up.step)
            case PairingTable() as pairing:
                self.restorer.write_pairing(self._pairing(pairing), pairing.step)
            case (WithdrawalTable() | CreditTable()) as restored:
                self.decided[event.path] = self.restorer.write(self._row(restored), restored.step)
            case decision:
                self.decided[event.path] = self._decide(decision)

    def _take_back(self, decision: Decided, taken_back: TakenBack) -> None:
        if isinstance(decision, Departure | Credit):
            self.restorer.end(decision, taken_back.step, taken_back.reason)
            return
        take_back(
            decision=decision,
            competition=self.competition,
            by=self.by,
            reason=taken_back.reason,
            accept={LATER_STAGE_BEGUN},
        )

    def _row(self, restored: WithdrawalTable | CreditTable) -> Departure | Credit:
        """Return a departure or a round not played as an unsaved row."""
        entrant = self.cast.entrants[restored.player]
        if isinstance(restored, WithdrawalTable):
            return Departure(entrant=entrant, kind=restored.kind, reason=restored.reason)
        return Credit(
            block=self.cast.blocks[restored.block],
            entrant=entrant,
            number=restored.number,
            kind=restored.kind,
            points=None if restored.points is None else int(restored.points * self._scale()),
            place=restored.place,
            reason=restored.reason,
        )

    def _line_up(self, event: FileEvent, row: LineUpTable) -> LineUp:
        """Return a line-up as an unsaved row."""
        return LineUp(
            hanchan=self._hanchan_of(event),
            entrant=self.cast.entrants[row.team],
            player=self.cast.players[row.player],
            is_secret=row.is_secret,
            reason=row.reason,
        )

    def _pairing(self, row: PairingTable) -> Pairing:
        """Return a paired round as an unsaved row."""
        return Pairing(
            block=self.cast.blocks[row.block],
            standing_version=self.versions.get(row.standing, 0),
            order=[self._ids(level) for level in row.order],
            tables=[self._paired(table, row.number) for table in row.tables],
            **row.model_dump(include={"number", "seed", "cost", "bound", "bound_by", "broken", "is_optimal", "digest"}),
        )

    def _paired(self, table: PairedTable, number: int) -> dict[str, object]:
        """Return a table of a paired round as its row stores it."""
        games = self.tables[table.at - 1].hanchan if table.at else ()
        return {
            "hanchan": next((game.pk for game in games if game.number == number), None),
            "table": table.table,
            "entrants": self._ids(table.players),
            "cost": table.cost,
            "terms": [
                {"entrants": self._ids(each.players), **each.model_dump(exclude={"players"})} for each in table.terms
            ],
            "nearest": {
                "entrants": self._ids(table.nearest.players),
                "cost": table.nearest.cost,
                "avoided": table.nearest.avoided,
            },
            "met": {str(self.cast.entrants[one].pk): self._ids(others) for one, others in table.met.items()},
        }

    def _ids(self, keys: Sequence[str]) -> list[int]:
        return [self.cast.entrants[key].pk for key in keys]

    def _decide(self, decision: FileDecision) -> Decided:
        """Replay one decision (draw, override, adjustment, closing or ruling) and return its row."""
        made: dict[type, Callable[[Any], Decided]] = {
            DrawTable: self._draw,
            OverrideTable: self._override,
            AdjustmentTable: self._adjust,
            ClosingTable: self._close,
            RulingTable: self._rule,
        }
        return made[type(decision)](decision)

    def _record(self, event: FileEvent, result: ResultTable) -> None:
        hanchan = self._hanchan_of(event)
        before = self.counting.get(hanchan)
        sheet = record_result(
            hanchan=hanchan,
            entry=self._entry(event, result),
            by=self.by,
            accept={*result.accept, LATER_STAGE_BEGUN} if before else result.accept,
            corrects=before.revision if before else None,
            reason=result.reason,
            state=self._state(event, Hanchan.State.FINISHED),
        )
        if accepted := {*result.accept} - {*sheet.accepted_warnings}:
            # The system compares no other tables, so that it does not ask again about a player at two of them.
            sheet.accepted_warnings = sorted(accepted.union(sheet.accepted_warnings))
            sheet.save(update_fields=["accepted_warnings"])
        self.counting[hanchan] = sheet
        self._compare(event, result, sheet)

    def _void(self, event: FileEvent, voided: TakenBack) -> None:
        hanchan = self._hanchan_of(event)
        state = self._state(event, Hanchan.State.SCHEDULED)
        void_hanchan(hanchan=hanchan, by=self.by, reason=voided.reason, accept={LATER_STAGE_BEGUN}, state=state)
        self.counting.pop(hanchan, None)

    def _draw(self, draw: DrawTable) -> Draw:
        stage = Stage.objects.get(competition=self.competition, key=draw.stage)
        made = draw_stage(stage=stage, by=self.by, seed=draw.seed, reason=draw.reason, accept={LATER_STAGE_BEGUN})
        if draw.result is not None and made.result != {block: list(lots) for block, lots in draw.result.items()}:
            message = _("the seed gives another draw: %(result)s") % {"result": made.result}
            raise refuse("other_draw", message, "/result")
        return made

    def _override(self, override: OverrideTable) -> Override:
        block = self.cast.blocks[override.block]
        if override.pass_over is not None:
            entrant = self.cast.entrants[override.pass_over]
            return pass_over(
                block=block, entrant=entrant, by=self.by, reason=override.reason, accept={LATER_STAGE_BEGUN}
            )
        if override.swapped_with is not None:
            return self._swap(override, *override.swapped_with)
        return override_slot(
            slot=Slot.objects.get(block=block, number=override.slot or 0),
            source=override.source,
            entrant=self.cast.entrants[override.player] if override.player is not None else None,
            by=self.by,
            reason=override.reason,
            accept={LATER_STAGE_BEGUN},
        )

    def _swap(self, override: OverrideTable, block: str, number: int) -> Override:
        first, _second = swap_slots(
            first=Slot.objects.get(block=self.cast.blocks[override.block], number=override.slot or 0),
            second=Slot.objects.get(block=self.cast.blocks[block], number=number),
            by=self.by,
            reason=override.reason,
            accept={LATER_STAGE_BEGUN},
        )
        return first

    def _adjust(self, adjustment: AdjustmentTable) -> Adjustment:
        return adjust_points(
            block=self.cast.blocks[adjustment.block],
            entrant=self.cast.entrants[adjustment.player],
            points=int(adjustment.points * self._scale()),
            by=self.by,
            reason=adjustment.reason,
            member=None if adjustment.member is None else self.cast.players[adjustment.member],
            cause=adjustment.cause,
            accept={LATER_STAGE_BEGUN},
        )

    def _close(self, closing: ClosingTable) -> Closing:
        block = self.cast.blocks[closing.block]
        return close_block(block=block, by=self.by, reason=closing.reason, accept={LATER_STAGE_BEGUN})

    def _rule(self, ruling: RulingTable) -> Ruling:
        return rule_on_tie(
            competition=self.competition,
            scope=ruling.scope,
            order=[self.cast.entrants[key] for key in ruling.players],
            by=self.by,
            reason=ruling.reason,
            accept={LATER_STAGE_BEGUN},
        )

    def _hanchan_of(self, event: FileEvent) -> Hanchan:
        """Return the hanchan of an event with the path ("tables", t, "hanchan", h, ...)."""
        return self.tables[int(event.path[1])].hanchan[int(event.path[3])]

    def _entry(self, event: FileEvent, result: ResultTable) -> SheetEntry:
        """Return the result as an entry that a page or the API would submit."""
        table = self.file.document.tables[int(event.path[1])]
        hanchan = table.hanchan[int(event.path[3])]
        planned = table.players if hanchan.players is None else hanchan.players
        players = players_of(CheckedSheet(event.path, result, planned, None))
        chonbo = result.chonbo or (0,) * len(players)
        sat = {**result.substitutes, **self._line_up_of(hanchan), **result.members}
        seats = [
            SeatEntry(self.cast.entrants[key].pk, self.cast.players[sat.get(key, key)].pk, score, offences)
            for key, score, offences in zip(players, result.scores, chonbo, strict=True)
        ]
        return SheetEntry(
            seats=tuple(seats),
            kyoutaku=result.kyoutaku,
            are_seats_known=result.are_seats_known,
            options=result.options,
            carried=result.carried,
            tobi=result.tobi,
        )

    @staticmethod
    def _line_up_of(hanchan: HanchanTable) -> Mapping[str, str]:
        """Return the members named for the hanchan, by the key of their team."""
        return {row.team: row.player for row in hanchan.line_ups}

    def _state(self, event: FileEvent, otherwise: Hanchan.State) -> Hanchan.State:
        """Return the hanchan's state after this event: the file's if it is its last event, else `otherwise`."""
        hanchan = event.hanchan
        if hanchan is None or hanchan.state is None:
            return otherwise
        last = hanchan.results[-1]
        return hanchan.state if event.what is (last.voided or last) else otherwise

    def _compare(self, event: FileEvent, result: ResultTable, sheet: ResultSheet) -> None:
        """Compare points and places given in the file with the settlement; each difference becomes a fault."""
        scale = ruleset_of(sheet.rules, sheet.options).ranking_ledger.scale
        for seat in sheet.seats.order_by("seat"):
            found: dict[str, Fraction | int] = {"points": Fraction(seat.points, scale), "places": seat.place}
            for key, value in found.items():
                known = getattr(result, key)
                if known is not None and known[seat.seat] != value:
                    message = _("under these rules it comes to %(value)s") % {"value": shown(value)}
                    self.faults.append(self.file.fault((*event.path, key, seat.seat), shown(known[seat.seat]), message))

    def _scale(self) -> int:
        """Return the number of units per point in the ranking ledger."""
        rules = self.competition.rules_in_force.select_related("ruleset", "format").earliest("made_n")
        return ruleset_of(rules).ranking_ledger.scale


def shown(value: Fraction | int) -> str:
    """Return a value as text in the file's notation."""
    return points_as_text(value) if isinstance(value, Fraction) else str(value)
