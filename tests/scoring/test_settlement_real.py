"""Published results of a server and a league: the settlement gives the same points and places."""

import gzip
import json
import os
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulesets import loader
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, settle

pytestmark = pytest.mark.real


@pytest.fixture
def folder() -> Path:
    named = os.environ.get("REAL_DATA")
    if not named:
        pytest.skip("REAL_DATA names no folder of published results")
    return Path(named)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; decimals stay text, so that nothing is a float."""
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    yield from (json.loads(line, parse_float=str) for line in text.splitlines())


@cache
def edition(players: int, name: str) -> Ruleset:
    return loader.load(f"tenhou{players}").with_options({"edition": name})


@pytest.mark.clause("mleague", "ML-001", "ML-002", "ML-003", "ML-004")
def test_every_hanchan_of_a_season_has_the_published_points_and_places(folder: Path) -> None:
    rules, played = loader.load("mleague"), 0
    for row in rows(folder / "league.jsonl"):
        scores = tuple(row["scores"])
        settled = settle(HanchanResult(scores, kyoutaku=rules.table_total - sum(scores)), rules)
        points = [rules.ranking_ledger.text(total) for total in settled.totals["points"]]
        assert (points, list(settled.places)) == (row["points"], row["place"]), row["hanchan"]
        played += 1
    assert played


@pytest.mark.clause("tenhou4", "TH-001", "TH-002", "TH-003", "TH-004", "TH-005")
@pytest.mark.clause("tenhou3", "TT-001", "TT-002", "TT-003", "TT-004", "TT-005")
def test_every_finished_game_has_the_published_points_of_its_edition(folder: Path) -> None:
    played = 0
    for row in rows(folder / "games.jsonl.gz"):
        first = row["first_dealer"]
        scores = tuple(row["scores"][first:] + row["scores"][:first])
        points = row["points"][first:] + row["points"][:first]
        settled = settle(HanchanResult(scores), edition(len(scores), row["edition"]))
        assert [Fraction(total, 10) for total in settled.totals["points"]] == list(map(Fraction, points)), row["id"]
        played += 1
    assert played
