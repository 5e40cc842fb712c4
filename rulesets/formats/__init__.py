"""League formats as data, one file each, and the functions that read them.

`scoring.format` is their schema, `scoring.stages` carries them out.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from rulesets.lines import line_of
from rulesets.loader import RulesetError, data_of, read_data
from scoring.format import Format, Ranking, Series, write_out
from scoring.ruleset.base import fault

FOLDER = Path(__file__).parent

AnyFormat = Format | Series | Ranking
_MODELS: Mapping[object, type[AnyFormat]] = {"series": Series, "ranking": Ranking}
"""The model of each kind of file; all others are formats of one competition."""

SENTENCES: Mapping[str, str] = {
    "not_one_competition": "a competition is set up from a format of kind players or teams",
}
"""A sentence for a file that is no format of one competition."""


@cache
def format_names() -> tuple[str, ...]:
    """Return the names of the formats that come with the product, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def format_text(name: str) -> str:
    """Return the text of a format's file; raise KeyError if there is none of this name."""
    if name not in format_names():
        raise KeyError(name)
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@cache
def load_format(name: str) -> Format:
    """Return a format of the product, cached; raise KeyError if there is none of this name."""
    return parse_format(format_text(name), f"formats/{name}.toml")


def parse_format(text: str, source: str) -> Format:
    """Parse a format of one competition; raise RulesetError with every fault.

    With a fixed number of entrants the sources of all slots are written out; with bounds that is done when the roster
    is closed.
    """
    found = parse_any_format(text, source)
    if not isinstance(found, Format):
        wrong = fault(SENTENCES, "kind", found.kind, "not_one_competition")
        raise RulesetError((replace(wrong, source=source, line=line_of("kind", text)),))
    return write_out(found)


def parse_any_format(text: str, source: str) -> AnyFormat:
    """Parse a format, a series or a ranking, as its `kind` says; raise RulesetError with every fault."""
    data = data_of(text, source)
    return read_data(data, text, source, _MODELS.get(data.get("kind"), Format))
