"""League formats as data, one file each, and the door through which they are read.

`scoring.format` is their shape, `scoring.stages` what they do.
"""

from functools import cache
from pathlib import Path

from rulesets.loader import read_model
from scoring.format import Format

FOLDER = Path(__file__).parent


def format_names() -> tuple[str, ...]:
    """The names of the formats that come with the product, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def format_text(name: str) -> str:
    """A format's file as it is; KeyError if there is none of this name."""
    if name not in format_names():
        raise KeyError(name)
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@cache
def load_format(name: str) -> Format:
    """A format of the product; KeyError if there is none of this name."""
    return parse_format(format_text(name), f"formats/{name}.toml")


def parse_format(text: str, source: str) -> Format:
    """A format from the text of a file; RulesetError with every fault if it is refused."""
    return read_model(text, source, Format)
