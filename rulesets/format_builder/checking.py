"""Faults of a draft, each with the field that causes it, and what would be valid there.

The engine's own validation finds them; this module only says where they belong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import Self

from pydantic import ValidationError, model_validator

from rulesets.format_builder.picks import (
    MOST_TABLES,
    USUAL_TABLE,
    Draft,
    blocks_in,
    blocks_of,
    entry_of,
    seeds_of,
    table_of,
)
from rulesets.loader import RulesetError
from rulesets.toml_text import toml_of
from scoring.format import Format, arrange
from scoring.format import faults as format_faults
from scoring.format.limits import size_faults
from scoring.ruleset import Fault
from scoring.ruleset.base import fault
from scoring.ruleset.faults import faults_of
from scoring.sources import SENTENCES as SOURCE_SENTENCES
from scoring.sources import takes_rest

SENTENCES: Mapping[str, str] = {
    "places_differ": "the blocks have %(places)s places for %(entrants)s entrants",
    "nobody_comes": "no players yet: choose them",
    "only_as_text": "the builder does not show this; change it in the text",
}
"""A sentence for each fault that only a draft can have."""

SOURCE = "format"


class Sketch(Format):
    """A format that need not be consistent yet, to be drawn and checked while it is being built."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault with the place in the builder where it belongs."""

    stage: str
    """The key of the stage; empty for the format as a whole."""
    field: str
    """`players`, `teams`, `awards`, `policies`, `title`, `champion`, `tiebreak`; of a stage: `entrants`, `blocks`,
    `hanchan`, `limit`, `rounds`, `sessions`, `carry`."""
    fault: Fault
    fits: tuple[int, ...] = ()
    """Values of the field that would be valid, the nearest first."""


def sketch_of(draft: Draft) -> Sketch:
    """Return a draft as a format without checking that it is consistent; raise ValidationError for other data."""
    data = deepcopy(draft)
    for stage in data["stages"]:
        if stage["assignment"] != "drawn":
            for block in stage.get("blocks", ()):
                block.pop("size", None)
    return Sketch.model_validate_json(json.dumps(data))


def drawn(draft: Draft) -> Sketch:
    """Return a draft as a format of fixed size with the sources of all slots, to be drawn and counted.

    Of open size it is that of the fewest entrants who fill tables.
    """
    data = deepcopy(draft)
    if isinstance(data.get("entrants"), dict):
        data["entrants"] = seeds_of(draft)
    for stage, before in zip(data["stages"], draft["stages"], strict=True):
        _write_out(draft, before, stage)
    return sketch_of(data)


def _write_out(draft: Draft, before: Draft, stage: Draft) -> None:
    entry = entry_of(draft, before)
    if entry.arrange is None:
        # Also lines that count from beyond the last one, which are a fault of its own.
        for holder in (stage, *stage.get("blocks", ())):
            if any(takes_rest(intake["from"]) for intake in holder.get("entrants", ())):
                holder["entrants"] = [{"from": replace(pick, is_rest=False).text} for pick in entry.picks]
        return
    sources = [source for pick in entry.picks for source in pick.sources(blocks_of(draft))]
    try:
        tables = arrange(sources, len(entry.sizes), entry.arrange)
    except ValueError:
        # They do not fill the tables: a fault of its own, and shown one table after another.
        size = entry.sizes[0]
        tables = tuple(tuple(sources[place * size :][:size]) for place in range(len(entry.sizes)))
    blocks = [
        {**block, "entrants": [{"from": str(source)} for source in own]}
        for block, own in zip(blocks_in(before), tables, strict=True)
    ]
    stage |= {"assignment": "seeded", "blocks": blocks}
    for name in ("entrants", "tables", "arrange"):
        stage.pop(name, None)


def read_draft(text: str) -> Draft:
    """Return the draft in a format's text; raise RulesetError with every fault that keeps it from being edited.

    Faults that the builder can show and correct are left in: who comes from where, sizes, numbers of hanchan.
    """
    try:
        draft = toml_of(text)
    except ValueError as error:
        raise RulesetError((Fault(SOURCE, "", None, f"this is no TOML: {error}"),)) from error
    # Before the sources are read one by one, which would take long.
    if large := tuple(size_faults(draft)):
        raise RulesetError(large)
    try:
        sketch = Sketch.model_validate_json(json.dumps(draft, default=str))
    except ValidationError as error:
        raise RulesetError(faults_of(error, Sketch, draft, SOURCE)) from error
    beyond = tuple(_beyond(draft))
    grave = beyond or tuple(each for each in format_faults.faults(sketch) if each.code in GRAVE)
    if grave:
        raise RulesetError(grave)
    return draft


def _beyond(draft: Draft) -> Iterator[Fault]:
    """Yield what the builder cannot show: many tables, and blocks of a size that depends on the number of entrants."""
    for stage in draft["stages"]:
        if (count := (stage.get("tables") or {}).get("count", 0)) > MOST_TABLES:
            yield fault(SENTENCES, f"stages.{stage['key']}.tables.count", count, "only_as_text")
        holders = stage.get("blocks", ()) if len(stage.get("blocks", ())) > 1 else ()
        for intake in (intake for holder in holders for intake in holder.get("entrants", ())):
            if takes_rest(intake["from"]):
                where = f"stages.{stage['key']}.entrants"
                yield fault(SENTENCES, where, intake["from"], "only_as_text")


GRAVE = frozenset(
    {
        *SOURCE_SENTENCES,
        "stage_key_twice",
        "block_key_twice",
        "block_key_of_stage",
        "blocks_needed",
        "key_reserved",
        "entrants_not_drawn",
        "entrants_not_here",
        "drawn_open",
        "arranged_without_arrange",
        "arranged_without_tables",
        "blocks_in_arranged",
        "not_arranged",
    }
)
"""Codes of faults about keys and notation, which the builder generates and so cannot correct."""


def is_only_beyond(faults: Iterable[Fault]) -> bool:
    """Return whether these faults only say that the builder cannot show a draft, which is sound as a text."""
    return all(each.code == "only_as_text" for each in faults)


def problems(draft: Draft) -> tuple[Problem, ...]:
    """Return every fault of a draft with its place."""
    found = [*_own_problems(draft)]
    told = {(problem.stage, problem.field) for problem in found}
    for each in format_faults.faults(sketch_of(draft)):
        stage, field = _place(draft, each)
        if (stage, field) not in told or field not in {"entrants", "blocks"}:
            found.append(Problem(stage, field, each, tuple(_fits(draft, stage, field, each))))
    return tuple(found)


def _own_problems(draft: Draft) -> Iterator[Problem]:
    for stage in draft["stages"]:
        if any(block.get("is_open") for block in blocks_in(stage)):
            continue
        key = stage["key"]
        sizes = entry_of(draft, stage).sizes
        entrants = _entrants(stage, draft)
        if not entrants:
            yield Problem(key, "entrants", fault(SENTENCES, f"stages.{key}", None, "nobody_comes"))
        elif stage["assignment"] == "arranged":
            # The seats of its tables are counted by the engine.
            continue
        elif sum(sizes) != entrants or any("size" in block for block in stage["blocks"] if not _is_drawn(stage)):
            params = {"places": sum(sizes), "entrants": entrants}
            yield Problem(key, "blocks", fault(SENTENCES, f"stages.{key}", None, "places_differ", **params))


def _is_drawn(stage: Draft) -> bool:
    return bool(stage["assignment"] == "drawn")


def _entrants(stage: Draft, draft: Draft) -> int:
    return sum(len(pick.sources(blocks_of(draft))) for pick in entry_of(draft, stage).picks)


WHOLE = {
    "entrants": "players",
    "champion": "champion",
    "tiebreak": "tiebreak",
    "policies": "policies",
    "team": "teams",
    "limits": "teams",
    "awards": "awards",
}
FIELDS = {
    "sessions": "sessions",
    "carry_over": "carry",
    "entrants": "entrants",
    "assignment": "blocks",
    "key": "entrants",
    "hanchan": "hanchan",
    "title": "title",
    "seating": "hanchan",
    "rounds": "rounds",
    "tables": "blocks",
    "arrange": "blocks",
}


def _place(draft: Draft, found: Fault) -> tuple[str, str]:
    """Return the stage and the field of the builder that a fault's key belongs to."""
    parts = found.key.split(".")
    if parts[0] == "limits" and len(parts) > 1:
        stage = draft["limits"][int(parts[1])]["stage"]
        return (stage, "limit") if any(each["key"] == stage for each in draft["stages"]) else ("", "teams")
    if parts[0] != "stages" or len(parts) == 1:
        field = WHOLE.get(parts[0], "title")
        return "", field
    stage, rest = parts[1], parts[2:]
    if rest[:1] == ["blocks"]:
        if "entrants" in rest:
            return stage, "entrants"
        return stage, "hanchan" if found.code == "tables_not_full" else "blocks"
    return stage, FIELDS.get(rest[0] if rest else "", "title")


def _fits(draft: Draft, key: str, field: str, found: Fault) -> Iterator[int]:
    """Yield up to two valid values for a field, the nearest first."""
    stage = next((each for each in draft["stages"] if each["key"] == key), None)
    if stage is None or field not in {"hanchan", "sessions", "blocks"}:
        return
    if found.code == "seats_and_entrants":
        count, rest = divmod(_entrants(stage, draft), stage["tables"].get("size", USUAL_TABLE))
        yield from (count,) if count and not rest else ()
    hanchan = stage.get("hanchan")
    if field == "sessions" and hanchan:
        wanted = stage["sessions"]
        parts = [number for number in range(1, hanchan + 1) if hanchan % number == 0]
        yield from sorted(parts, key=lambda number: (abs(number - wanted), number))[:2]
    if found.code == "tables_not_full" and hanchan:
        table = table_of(draft)
        step = lcm(*(table // gcd(size, table) for size in entry_of(draft, stage).sizes if size))
        if stage["seating"] == "stay" and stage.get("sessions"):
            # Tables are formed once for each session, so its number decides.
            step *= hanchan // stage["sessions"] if hanchan % stage["sessions"] == 0 else 1
        below = hanchan // step * step
        yield from (number for number in (below + step, below) if number)
