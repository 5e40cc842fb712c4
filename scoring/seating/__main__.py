"""Print a seating plan: `python -m scoring.seating PLAYERS ROUNDS [--json]`."""

from __future__ import annotations

import argparse
import json
import sys

from scoring.seating.balance import Schedule
from scoring.seating.figures import bounds_of, figures_of
from scoring.seating.plan import SeatingError, seating

COUNTS = {
    "squares": "sum of all pairs' meetings squared",
    "excess": "meetings beyond a pair's first",
    "most_meetings": "meetings of one pair, at most",
    "table_most": "visits of a player to one table, at most",
    "wind_gap": "starts from a wind, most minus least",
    "unlinked": "pairs that neither meet nor share an opponent",
    "least_links": "third players who link a pair that never meets, at least",
}


def main() -> int:
    """Print the plan asked for; return 2 with a message if there is none."""
    parser = argparse.ArgumentParser(prog="scoring.seating", description=__doc__)
    parser.add_argument("players", type=int)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--json", action="store_true", help="a list of rounds, each a list of tables, East first")
    asked = parser.parse_args()
    try:
        schedule = seating(asked.players, asked.rounds)
    except SeatingError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(schedule) if asked.json else "\n".join(_lines(schedule, asked.players)))
    return 0


def _lines(schedule: Schedule, players: int) -> list[str]:
    """Return the plan as text, with its figures beside the bounds; players are numbered from 1."""
    rounds = [
        f"{number:2}: " + " | ".join(" ".join(f"{player + 1:3}" for player in table) for table in each)
        for number, each in enumerate(schedule, start=1)
    ]
    figures, bounds = figures_of(schedule, players), bounds_of(players, len(schedule))
    counts = [
        f"{_word(getattr(figures, name)):>8} (bound {_word(getattr(bounds, name))})  {meaning}"
        for name, meaning in COUNTS.items()
    ]
    return [*rounds, "", *counts]


def _word(count: int | None) -> str:
    return "all meet" if count is None else str(count)


if __name__ == "__main__":
    raise SystemExit(main())
