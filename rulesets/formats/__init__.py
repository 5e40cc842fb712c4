"""League formats as data, one file each, and the functions that read them.

`scoring.format` is their schema, `scoring.stages` carries them out.
"""

from functools import cache
from pathlib import Path

from rulesets.loader import read_model
from scoring.format import Format

FOLDER = Path(__file__).parent


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
    """Parse a format from the text of a file; raise RulesetError with every fault."""
    return read_model(text, source, Format)
