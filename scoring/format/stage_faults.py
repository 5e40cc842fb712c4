"""Validation of a stage's rounds and tables: rounds cover every hanchan once, tables take all entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from scoring.format.arranging import CROSSED_SIZE, GOING_ON, GROUP, Arrangement
from scoring.format.parts import numbers_text
from scoring.format.rounds import PAIRED_SIZE, SeatedBy
from scoring.ruleset.base import Choices, Fault, SentenceError, fault
from scoring.sources import LARGEST, RankOf

if TYPE_CHECKING:
    from scoring.format.model import Format
    from scoring.format.rounds import RoundPlan
    from scoring.format.stage import Stage, Tables

SENTENCES: Mapping[str, str] = {
    "rounds_not_here": "only a stage with seating rounds says how its rounds are seated",
    "rounds_without_hanchan": "rounds need the number of hanchan of the stage",
    "rounds_missing": "together the rounds must be 1 to %(hanchan)s; missing: %(rounds)s",
    "rounds_twice": "each round may stand here once; several times: %(rounds)s",
    "rounds_beyond": "the stage has rounds 1 to %(hanchan)s",
    "standing_too_early": "before round 1 there is no standing; name an earlier stage in of, or take plan or draw",
    "of_not_standing": "only rounds by standing have this key",
    "paired_tables": "rounds by standing or by draw have tables of 4; here are %(players)s at a table",
    "band_tables": "a band fills whole tables of 4, such as 8 or 16",
    "of_not_earlier": "must be this stage or an earlier one: %(known)s",
    "arranged_without_arrange": "needed in an arranged stage: %(known)s",
    "arranged_without_tables": "needed in an arranged stage: key, count and title of its tables",
    "blocks_in_arranged": "an arranged stage has tables instead of blocks",
    "not_arranged": "only an arranged stage has this key",
    "seats_and_entrants": "%(count)s tables of %(size)s have %(seats)s seats, but the stage has %(entrants)s entrants",
    "other_table_size": "the format has %(players)s players at a table",
    "crossed_tables": "crossed takes two ranks of each of 2 tables, or of 4, 8, 12 ... tables; here are %(tables)s",
    "crossed_sources": "crossed takes two ranks of each table before, table by table, such as TABLES#1-2 or TABLES#3-4",
    "crossed_size": "crossed makes tables of 4",
}
"""A sentence for each fault: what is allowed instead of the value found."""


_wrong = partial(fault, SENTENCES)


def round_faults(format_: Format, number: int, stage: Stage) -> Iterator[Fault]:
    """Yield the faults of the rounds of the stage with this number (from 0)."""
    if not stage.rounds:
        return
    where = f"stages.{stage.key}.rounds"
    if stage.seating != "rounds":
        yield _wrong(where, str(stage.seating), "rounds_not_here")
    if stage.hanchan is None:
        yield _wrong(where, None, "rounds_without_hanchan")
    counted: Counter[int] = Counter()
    known = [each.key for each in format_.stages[: number + 1]]
    for index, plan in enumerate(stage.rounds):
        try:
            rounds = plan.rounds()
        except SentenceError as error:
            yield error.fault(f"{where}.{index}.numbers", plan.numbers)
            continue
        counted.update(rounds)
        yield from _seated_by(f"{where}.{index}", stage.key, known, plan, rounds)
        if plan.by is not SeatedBy.PLAN and format_.players not in {None, PAIRED_SIZE}:
            yield _wrong(f"{where}.{index}.by", str(plan.by), "paired_tables", players=format_.players)
    if stage.hanchan is not None:
        yield from _coverage(where, counted, stage.hanchan)


def _seated_by(where: str, stage: str, known: list[str], plan: RoundPlan, rounds: range) -> Iterator[Fault]:
    if plan.by is SeatedBy.STANDING:
        if 1 in rounds and plan.of in {None, stage}:
            yield _wrong(f"{where}.by", str(plan.by), "standing_too_early")
    else:
        for name in ("of", "weights", "arrange", "band"):
            if name in plan.model_fields_set:
                value = getattr(plan, name)
                yield _wrong(f"{where}.{name}", value if isinstance(value, str | int) else None, "of_not_standing")
    if plan.band is not None and plan.band % PAIRED_SIZE:
        yield _wrong(f"{where}.band", plan.band, "band_tables")
    if plan.of is not None and plan.of not in known:
        yield _wrong(f"{where}.of", plan.of, "of_not_earlier", known=Choices(known))


def _coverage(where: str, counted: Counter[int], hanchan: int) -> Iterator[Fault]:
    if lacking := [number for number in range(1, min(hanchan, LARGEST) + 1) if number not in counted]:
        yield _wrong(where, None, "rounds_missing", hanchan=hanchan, rounds=numbers_text(lacking))
    if twice := sorted(number for number, count in counted.items() if count > 1):
        yield _wrong(where, None, "rounds_twice", rounds=numbers_text(twice))
    if max(counted, default=0) > hanchan:
        yield _wrong(where, max(counted), "rounds_beyond", hanchan=hanchan)


def arrangement_faults(format_: Format, stage: Stage) -> Iterator[Fault]:
    """Yield the faults of the tables of an arranged stage, or of tables where they do not belong."""
    where = f"stages.{stage.key}"
    if stage.assignment != "arranged":
        if stage.arrange is not None:
            yield _wrong(f"{where}.arrange", str(stage.arrange), "not_arranged")
        if stage.tables is not None:
            yield _wrong(f"{where}.tables", None, "not_arranged")
        return
    if stage.blocks:
        yield _wrong(f"{where}.blocks", len(stage.blocks), "blocks_in_arranged")
    if stage.arrange is None:
        yield _wrong(f"{where}.arrange", None, "arranged_without_arrange", known=Choices(Arrangement))
    if stage.tables is None:
        yield _wrong(f"{where}.tables", None, "arranged_without_tables")
    else:
        yield from _seats(format_, stage, stage.tables)


def _seats(format_: Format, stage: Stage, tables: Tables) -> Iterator[Fault]:
    where = f"stages.{stage.key}"
    if format_.players is not None and tables.size != format_.players:
        yield _wrong(f"{where}.tables.size", tables.size, "other_table_size", players=format_.players)
    try:
        pool = format_.pool(stage.key)
    except ValueError:
        return
    seats = tables.count * tables.size
    if len(pool) != seats:
        params = {"count": tables.count, "size": tables.size, "seats": seats, "entrants": len(pool)}
        yield _wrong(f"{where}.tables.count", tables.count, "seats_and_entrants", **params)
    if stage.arrange is Arrangement.CROSSED:
        yield from _crossed(where, tables, pool)


def _crossed(where: str, tables: Tables, pool: tuple[object, ...]) -> Iterator[Fault]:
    if tables.size != CROSSED_SIZE:
        yield _wrong(f"{where}.tables.size", tables.size, "crossed_size")
    firsts = [source for source in pool[::GOING_ON] if isinstance(source, RankOf)]
    before = len({source.block for source in firsts})
    # Any two ranks of a table that are neighbours: those who go on, or those who play on for the lower places.
    ranks = range(firsts[0].rank, firsts[0].rank + GOING_ON) if firsts else ()
    wanted = [RankOf(each.block, rank) for each in firsts for rank in ranks]
    if list(pool) != wanted or before != len(firsts) or not firsts:
        yield _wrong(f"{where}.arrange", str(Arrangement.CROSSED), "crossed_sources")
    elif before != GOING_ON and before % GROUP:
        yield _wrong(f"{where}.arrange", str(Arrangement.CROSSED), "crossed_tables", tables=before)
