"""Build competition files for tests."""

from __future__ import annotations

from league.files.reading import read
from league.models import Competition, Door
from league.selectors.access.actors import Actor
from league.services.exchange.competition_import import import_competition

IMPORT = Actor.system(Door.IMPORT)

HEAD = """
[competition]
slug = "cup"
name = "杯"
status = "published"

[[rules]]
ruleset = "cinderella"
format = "{format}"
since = 2026-10-01T00:00:00

"""

FOUR = """
[[players]]
key = "ann"
name = "Ann"
[[players]]
key = "bea"
name = "Bea"
[[players]]
key = "cho"
name = "Cho"
[[players]]
key = "dai"
name = "Dai"

[seeds]
final = ["ann", "bea", "cho", "dai"]

[[sessions]]
number = 1
"""

TABLE = """
[[tables]]
session = 1
block = "final"
players = ["ann", "bea", "cho", "dai"]
"""

LEVEL = """hanchan = [
  { number = 1, results = [{ scores = [30000, 30000, 20000, 20000] }] },
  { number = 2, results = [{ scores = [30000, 30000, 20000, 20000] , accept = ["same_result_twice"] }] },
  { number = 3, results = [{ scores = [30000, 30000, 20000, 20000] , accept = ["same_result_twice"] }] },
  { number = 4, results = [{ scores = [30000, 30000, 20000, 20000] , accept = ["same_result_twice"] }] },
]
"""


def final(hanchan: str = "", more: str = "", table: str = "") -> str:
    """Return the file of a single final: `hanchan` and `table` go into its only table, `more` follows it."""
    return HEAD.format(format="single-table-final") + FOUR + TABLE + table + hanchan + more


def imported(text: str) -> Competition:
    """Import the competition of a file."""
    return import_competition(file=read(text, "cup.toml"), by=IMPORT)
