"""Trial rulesets whose uma depends on the number of floating players, and an uma written apart from the engine's."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulesets import loader
from scoring.ruleset import Ruleset

ROWS: Mapping[str, Sequence[int]] = {"1": (12, -1, -3, -8), "3": (8, 3, 1, -12)}
TWO = (8, 4, -4, -8)
LINE = 30_000


def trial_data(**floating: object) -> dict[str, Any]:
    """Return the values of a four-player book: 30,000 against 30,000, deposits to no player, shared places."""
    data = loader.load("mleague").data()
    del data["settlement"]["oka"]
    data["setup"] |= {"start": LINE, "return": LINE}
    data["settlement"]["kyoutaku"]["receiver"] = "nobody"
    table = {"line": LINE, "at_line": "floats", "rows": {key: list(row) for key, row in ROWS.items()}}
    clauses = {"clauses": ["ML-002"]}
    data["settlement"]["uma"] = {"amounts": list(TWO), "floating": table | floating | clauses, "clauses": ["ML-003"]}
    return data


def trial(settlement: Mapping[str, object] | None = None, **floating: object) -> Ruleset:
    """Return the four-player book with some of its tables replaced."""
    data = trial_data(**floating)
    data["settlement"] |= settlement or {}
    return Ruleset.model_validate(data, strict=False)


def trial_with_hands(**floating: object) -> Ruleset:
    """Return the four-player book with the rules of play of another: 30,000 at the start, no player goes out."""
    data = loader.load("cinderella").data()
    book = trial_data(**floating)["settlement"]["uma"]
    clauses = {"clauses": data["settlement"]["uma"]["clauses"]}
    data["settlement"]["uma"] = book | {"floating": book["floating"] | clauses} | clauses
    # Averages of three places are no whole tenths: cinderella rounds them alike.
    return Ruleset.model_validate(data | {"options": {}}, strict=False)


def trial_of_three(rows: Mapping[str, Sequence[int]] | None = None) -> Ruleset:
    """Return a three-player book: 35,000 against 35,000, one floating 20, -5, -15, else 10, 0, -10."""
    data = trial_data()
    data |= {"players": 3}
    data["setup"] |= {"start": 35_000, "return": 35_000, "seat_winds": ["E", "S", "W"]}
    floating = data["settlement"]["uma"]["floating"] | {"line": 35_000, "rows": rows or {"1": [20, -5, -15]}}
    data["settlement"]["uma"] |= {"amounts": [10, 0, -10], "floating": floating}
    return Ruleset.model_validate(data, strict=False)


def naive_points(scores: Sequence[int]) -> list[Fraction]:
    """Return the exact points of each seat of the four-player book from its clauses, without the engine."""
    floating = sum(score >= LINE for score in scores)
    row = ROWS.get(str(floating), TWO)
    points = []
    for score in scores:
        better, level = sum(other > score for other in scores), scores.count(score)
        points.append(Fraction(score - LINE, 1000) + Fraction(sum(row[better : better + level]), level))
    return points
