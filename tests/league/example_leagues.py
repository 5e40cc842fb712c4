"""Worked examples of kind `standings` and published seasons as competitions: what tests of every door compare with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from league.files.from_examples import document_of_examples, select_examples
from league.files.from_lines import document_of_lines, read_lines
from league.files.invented import InventedNames
from league.files.reading import file_of
from league.models import Competition, Door
from league.selectors.access.actors import Actor
from league.services.exchange.competition_import import import_competition
from rulesets import examples
from rulesets.example_kinds.standings import ExpectedStandings, StandingsExample

EXAMPLES = Path(examples.__file__).parent / "cinderella" / "examples.toml"
IMPORT = Actor.system(Door.IMPORT)
SPELLED = {"placement": "place"}


def standings_examples(league: str = "") -> list[StandingsExample]:
    """The examples of a league, or all that stand alone."""
    read = examples.read(EXAMPLES)
    return [each for _kind, each in read.examples if isinstance(each, StandingsExample) and each.league == league]


def import_league(league: str = "L1", slug: str = "l1") -> Competition:
    """A whole league of the examples, imported and published."""
    return _imported(slug, league=league)


def import_example(example_id: str, slug: str = "example") -> Competition:
    """One example alone, imported and published."""
    return _imported(slug, example_id=example_id)


def _imported(slug: str, **choice: str) -> Competition:
    read = examples.read(EXAMPLES)
    document = document_of_examples(read, select_examples(read, **choice), InventedNames(slug, slug))
    return import_competition(file=file_of(document, EXAMPLES.name), by=IMPORT)


def import_season(path: Path, slug: str = "season") -> Competition:
    """A season of one hanchan to a line, imported and published."""
    document = document_of_lines(read_lines(path.read_text(), path.name), "mleague", InventedNames(slug, slug))
    return import_competition(file=file_of(document, path.name), by=IMPORT)


def published_points(path: Path) -> Mapping[str, Fraction]:
    """Every player's total, added up from the points a season's lines say."""
    totals: dict[str, Fraction] = {}
    for line in lines_of(path):
        for player, points in zip(line["players"], line["points"], strict=True):
            totals[player] = totals.get(player, Fraction(0)) + Fraction(points)
    return totals


def lines_of(path: Path) -> list[dict[str, Any]]:
    """A season's lines as they stand."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def expected(expect: ExpectedStandings) -> dict[str, object]:
    """What an example says of its block, free of any order that means nothing."""
    return {
        "totals": dict(expect.totals or {}),
        "order": [sorted(level) for level in expect.order or ()],
        "decided_by": sorted(
            (each.above, each.below, each.hanchan, SPELLED.get(each.by, each.by)) for each in expect.decided_by or ()
        ),
        "ruling": sorted(sorted(group) for group in expect.ruling or ()),
        "advance": {place: sorted(going) for place, going in (expect.advance or {}).items()},
        "pending": sorted((sorted(each.players), list(each.places)) for each in expect.pending or ()),
    }
