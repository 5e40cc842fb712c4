"""Series as data, one file each, and the functions that read them.

`scoring.format.series` is their schema, `scoring.pyramid` makes the moves.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from rulesets.formats import parse_any_format
from rulesets.lines import line_of
from rulesets.loader import RulesetError
from scoring.format import Series
from scoring.ruleset.base import fault

FOLDER = Path(__file__).parent

SENTENCES: Mapping[str, str] = {
    "not_a_series": 'a series of seasons needs kind = "series"',
}
"""A sentence for a file that is no series."""


@cache
def series_names() -> tuple[str, ...]:
    """Return the names of the series that come with the product, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def series_text(name: str) -> str:
    """Return the text of a series' file; raise KeyError if there is none of this name."""
    if name not in series_names():
        raise KeyError(name)
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@cache
def load_series(name: str) -> Series:
    """Return a series of the product, cached; raise KeyError if there is none of this name."""
    return read_series(series_text(name), f"series/{name}.toml")


def read_series(text: str, source: str) -> Series:
    """Parse a series; raise RulesetError with every fault."""
    found = parse_any_format(text, source)
    if not isinstance(found, Series):
        wrong = fault(SENTENCES, "kind", found.kind, "not_a_series")
        raise RulesetError((replace(wrong, source=source, line=line_of("kind", text)),))
    return found
