"""Converts a season in JSON Lines (one hanchan to a line) to a competition's file; days become open-play sessions."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.utils.translation import gettext as _
from pydantic import ValidationError

from league.files.invented import InventedNames, invented_keys
from league.files.reading import ImportRefusedError
from league.files.shape import (
    Amount,
    CompetitionTable,
    Count,
    FileDocument,
    HanchanTable,
    Number,
    PlayerTable,
    Points,
    ResultTable,
    RulesTable,
    SessionTable,
    TableTable,
)
from league.models import Competition
from rulesets.formats import load_format
from scoring.ruleset import Fault
from scoring.ruleset.base import Strict
from scoring.ruleset.faults import faults_of

FORMAT = "open-play"
"""One ranking of all players, with any number of hanchan each."""


class SeasonLine(Strict):
    """One hanchan. Lists are by seat from the first dealer, unless `seated` is false."""

    hanchan: Number
    day: Number
    players: tuple[str, ...]
    scores: tuple[Amount, ...]
    seated: bool = True
    deposits: Amount = 0
    chonbo: tuple[Count, ...] = ()
    points: tuple[Points, ...] | None = None
    place: tuple[Number, ...] | None = None


def read_lines(text: str, source: str) -> tuple[SeasonLine, ...]:
    """Parse the lines of a season. Raise ImportRefusedError with all faults in them."""
    faults: list[Fault] = []
    lines: list[SeasonLine] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            lines.append(SeasonLine.model_validate_json(line))
        except ValidationError as error:
            found = faults_of(error, SeasonLine, _data(line), source)
            faults += [Fault(each.source, each.key, each.value, each.message, number) for each in found]
    if not lines and not faults:
        faults.append(Fault(source, "", None, _("there is no hanchan in this file")))
    if faults:
        raise ImportRefusedError(tuple(faults))
    return tuple(lines)


def _data(line: str) -> object:
    """Return a line's data, or None if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def document_of_lines(lines: Sequence[SeasonLine], ruleset: str, target: InventedNames) -> FileDocument:
    """Convert the season to a published competition; the players keep their names."""
    names = sorted({name for line in lines for name in line.players})
    keys = invented_keys(names, target.slug)
    (block,) = load_format(FORMAT).blocks
    tables = []
    for line in sorted(lines, key=lambda each: (each.day, each.hanchan)):
        result = ResultTable(
            scores=line.scores,
            kyoutaku=line.deposits,
            chonbo=line.chonbo,
            are_seats_known=line.seated,
            points=line.points,
            places=line.place,
        )
        tables.append(
            TableTable(
                session=line.day,
                block=block,
                players=tuple(keys[name] for name in line.players),
                hanchan=(HanchanTable(number=line.hanchan, results=(result,)),),
            )
        )
    return FileDocument(
        competition=CompetitionTable(slug=target.slug, name=target.name, status=Competition.Status.PUBLISHED),
        rules=(RulesTable(ruleset=ruleset, format=FORMAT),),
        players=tuple(PlayerTable(key=keys[name], name=name) for name in names),
        sessions=tuple(SessionTable(number=day) for day in sorted({line.day for line in lines})),
        tables=tuple(tables),
    )
