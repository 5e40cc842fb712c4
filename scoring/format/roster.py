"""Close the roster of a format: the number of entrants and the source of every slot are fixed from here on.

The one idea: bounds, `*` and tables only shorten a file. Once the number of entrants is known they are written out,
so that all later code sees stages, blocks and sources as in a format of fixed size.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from pydantic import ValidationError

from scoring.format.model import Format
from scoring.format.parts import fields_of
from scoring.format.stage import Assignment, Intake, Stage
from scoring.ruleset.base import FaultsError, fault
from scoring.ruleset.faults import faults_of
from scoring.sources import RankOf, Seed, Source, source_key, takes_rest

SENTENCES: Mapping[str, str] = {
    "not_allowed": "this format is for %(least)s to %(most)s entrants",
}
"""A sentence for a number of entrants that a format does not allow."""


def close_roster(format_: Format, entrants: int) -> Format:
    """Return the format for exactly this number of entrants, with the source of every slot written out.

    Raise FaultsError for a number that the format does not allow, or that leaves a stage unfillable.
    """
    least, most = (format_.bounds.least, format_.bounds.most) if format_.bounds else (format_.seeds, format_.seeds)
    if not max(least, 1) <= entrants <= most:
        raise FaultsError((fault(SENTENCES, "entrants", entrants, "not_allowed", least=least, most=most),))
    try:
        return write_out(Format.model_validate({**fields_of(format_), "entrants": entrants}))
    except ValidationError as error:
        raise FaultsError(faults_of(error, Format, {}, format_.name)) from error


def write_out(format_: Format) -> Format:
    """Return a format of fixed size with the source of every slot written out; one with bounds stays as it is."""
    if format_.bounds is not None or format_.is_closed:
        return format_
    stages = tuple(_stage(format_, stage) for stage in format_.stages)
    return Format.model_validate({**fields_of(format_), "stages": stages})


def smallest_roster(format_: Format) -> Format:
    """Return the format for the fewest entrants that fill every stage, to show its ladder before the roster is closed.

    A format of fixed size, or one with an open roster, is returned as it is.
    """
    bounds = format_.bounds
    if bounds is None:
        return write_out(format_)
    # Full tables recur with every further table, so one of the first numbers fits, unless 0 is the least.
    for entrants in range(max(bounds.least, 1), bounds.most):
        with suppress(ValueError):
            return close_roster(format_, entrants)
    return close_roster(format_, bounds.most)


def _stage(format_: Format, stage: Stage) -> Stage:
    """Return a stage with the sources of its slots written out, an arranged one as a seeded one."""
    fields = fields_of(stage)
    if stage.assignment is Assignment.ARRANGED:
        changed: dict[str, object] = {"assignment": Assignment.SEEDED, "entrants": (), "arrange": None, "tables": None}
        return Stage.model_validate({**fields, **changed, "blocks": tuple(_tables(format_, stage))})
    blocks = (
        block.model_copy(update={"entrants": tuple(_intakes(format_, stage, block.entrants))}) for block in stage.blocks
    )
    entrants = tuple(_intakes(format_, stage, stage.entrants))
    return Stage.model_validate({**fields, "entrants": entrants, "blocks": tuple(blocks)})


def _tables(format_: Format, stage: Stage) -> Iterator[object]:
    """Yield the tables of an arranged stage as blocks; each slot keeps the clauses and the note of its line."""
    lines = {source: intake for intake in stage.entrants for source in format_.sources_of(intake, stage)}
    for block in stage.all_blocks:
        slots = (lines[source].model_copy(update={"sources": str(source)}) for source in format_.sources(block.key))
        yield block.model_copy(update={"entrants": tuple(slots)})


def _intakes(format_: Format, stage: Stage, intakes: Sequence[Intake]) -> Iterator[Intake]:
    """Write out the lines that count to the last entrant or name the tables of an arranged stage."""
    for intake in intakes:
        if not takes_rest(intake.sources) and source_key(intake.sources) not in format_.table_keys:
            yield intake
            continue
        for text in _texts(format_.sources_of(intake, stage)):
            yield intake.model_copy(update={"sources": text})


def _texts(sources: Sequence[Source]) -> Iterator[str]:
    """Write sources as texts, with ranges for consecutive ones."""
    run: list[Source] = []
    for source, following in zip(sources, (*sources[1:], None), strict=True):
        run.append(source)
        if following is None or _next(source) != following:
            yield _text(run[0], run[-1])
            run = []


def _next(source: Source) -> Source | None:
    """Return the source that continues a range."""
    if isinstance(source, Seed):
        return Seed(source.number + 1)
    return RankOf(source.block, source.rank + 1) if isinstance(source, RankOf) else None


def _text(first: Source, last: Source) -> str:
    if first == last:
        return str(first)
    return f"{first}-{str(last).rpartition('#')[2].rpartition(':')[2]}"
