"""Chronology of an imported file: puts its results and decisions in the order in which they happened.

Files written by the service state the order by `step`. In a file written by hand without steps, withdrawals, draws
and overrides come first, and after that each stage in the format's order: first its credits for rounds not played
and its adjustments, then its line-ups and results table by table, then the closing of its blocks and the rulings on
its ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from league.files.reading import Path
from league.files.shape import FileDecision, FileDocument, HanchanTable, ResultTable, TakenBack
from scoring.format import Format

BEFORE_ALL = -1
"""The stage number of events that precede the first stage, or may concern any stage."""

ADJUSTED, PLAYED, CLOSED, RULED = range(4)


@dataclass(frozen=True, slots=True)
class FileEvent:
    """One event of a file. `stage` is the number of the stage it belongs to, counted from 0."""

    path: Path
    stage: int
    what: FileDecision | ResultTable | TakenBack
    hanchan: HanchanTable | None = None


def course(document: FileDocument, league_format: Format) -> list[FileEvent]:
    """Return all events of the file in the order in which they happened."""
    found = list(_events(document, league_format))
    if all(step is not None for _order, step, _event in found):
        return [event for _order, _step, event in sorted(found, key=lambda each: (each[1] or 0, each[0]))]
    return [event for _order, _step, event in sorted(found, key=lambda each: each[0])]


def _events(document: FileDocument, league_format: Format) -> Iterator[tuple[tuple[int, ...], int | None, FileEvent]]:
    """Yield every event with its sort key for a file without steps, and its step."""
    yield from _results(document, _stages(league_format))
    yield from _decisions(document, _stages(league_format))


def _stages(league_format: Format) -> dict[str, int]:
    """Return the stage number for each block key, and for each stage's own key."""
    order = {stage.key: number for number, stage in enumerate(league_format.stages)}
    return order | {block: order[stage.key] for block, stage in league_format.stage_of.items()}


def _results(document: FileDocument, stages: dict[str, int]) -> Iterator[tuple[tuple[int, ...], int | None, FileEvent]]:
    for t, table in enumerate(document.tables):
        stage = stages[table.block]
        for h, hanchan in enumerate(table.hanchan):
            for number, line_up in enumerate(hanchan.line_ups):
                at: Path = ("tables", t, "hanchan", h, "line_ups", number)
                yield (stage, PLAYED, t, h, -1, number), line_up.step, FileEvent(at, stage, line_up, hanchan)
            for r, result in enumerate(hanchan.results):
                path: Path = ("tables", t, "hanchan", h, "results", r)
                order = (stage, PLAYED, t, h, r)
                yield (*order, 0), result.step, FileEvent(path, stage, result, hanchan)
                if result.voided:
                    event = FileEvent((*path, "voided"), stage, result.voided, hanchan)
                    yield (*order, 1), result.voided.step, event


def _decisions(
    document: FileDocument, stages: dict[str, int]
) -> Iterator[tuple[tuple[int, ...], int | None, FileEvent]]:
    rulings = [(stages[_ranked(ruling.scope)], RULED) for ruling in document.rulings]
    adjustments = [(stages[adjustment.block], ADJUSTED) for adjustment in document.adjustments]
    credited = [(stages[credit.block], ADJUSTED) for credit in document.credits]
    closings = [(stages[closing.block], CLOSED) for closing in document.closings]
    lists = (
        ("withdrawals", document.withdrawals, [(BEFORE_ALL, 0)] * len(document.withdrawals)),
        ("draws", document.draws, [(BEFORE_ALL, 1)] * len(document.draws)),
        ("overrides", document.overrides, [(BEFORE_ALL, 2)] * len(document.overrides)),
        ("pairings", document.pairings, [(BEFORE_ALL, 3)] * len(document.pairings)),
        ("credits", document.credits, credited),
        ("adjustments", document.adjustments, adjustments),
        ("closings", document.closings, closings),
        ("rulings", document.rulings, rulings),
    )
    for name, rows, places in lists:
        for index, (row, place) in enumerate(zip(rows, places, strict=True)):
            yield (*place, index, 0), row.step, FileEvent((name, index), BEFORE_ALL, row)
            taken_back: TakenBack | None = getattr(row, "taken_back", None)
            if taken_back:
                event = FileEvent((name, index, "taken_back"), BEFORE_ALL, taken_back)
                yield (*place, index, 1), taken_back.step, event


def _ranked(scope: str) -> str:
    """Return the key of the block, or of the stage, that a ruling's scope is about."""
    return scope.removeprefix("best:").split("#")[0]
