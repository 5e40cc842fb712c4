"""Import worked examples of kind `standings` and published seasons, for tests to compare with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
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
from tests.league.played_season import replayed

EXAMPLES = Path(examples.__file__).parent / "cinderella" / "examples.toml"
IMPORT = Actor.system(Door.IMPORT)
SPELLED = {"placement": "place"}


read_examples = cache(examples.read)


def standings_examples(league: str = "") -> list[StandingsExample]:
    """Return the examples of a league, or those that belong to none."""
    return [
        each
        for _kind, each in read_examples(EXAMPLES).examples
        if isinstance(each, StandingsExample) and each.league == league
    ]


@replayed
def import_league(league: str = "L1", slug: str = "l1") -> Competition:
    """Import and publish a whole league of the examples."""
    return _imported(slug, league=league)


def import_example(example_id: str, slug: str = "example") -> Competition:
    """Import and publish a single example."""
    return _imported(slug, example_id=example_id)


def _imported(slug: str, **choice: str) -> Competition:
    read = read_examples(EXAMPLES)
    document = document_of_examples(read, select_examples(read, **choice), InventedNames(slug, slug))
    return import_competition(file=file_of(document, EXAMPLES.name), by=IMPORT)


def import_season(path: Path, slug: str = "season") -> Competition:
    """Import and publish a season whose file has one hanchan per line."""
    document = document_of_lines(read_lines(path.read_text(), path.name), "mleague", InventedNames(slug, slug))
    return import_competition(file=file_of(document, path.name), by=IMPORT)


def published_points(path: Path) -> Mapping[str, Fraction]:
    """Return each player's total, summed from the points on a season's lines."""
    totals: dict[str, Fraction] = {}
    for line in lines_of(path):
        for player, points in zip(line["players"], line["points"], strict=True):
            totals[player] = totals.get(player, Fraction(0)) + Fraction(points)
    return totals


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return a season's lines, parsed from JSON."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def expected(expect: ExpectedStandings) -> dict[str, object]:
    """Return an example's expectations for its block, with every unordered list sorted."""
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
