"""Rankings that come with the product, one file each; `scoring.format.ranking` is their schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from rulesets.formats import parse_any_format
from rulesets.lines import line_of
from rulesets.loader import RulesetError
from scoring.format import Ranking
from scoring.ruleset.base import fault

FOLDER = Path(__file__).parent

SENTENCES: Mapping[str, str] = {"not_a_ranking": "this file is no ranking; write kind = 'ranking' in it"}
"""A sentence for a file that is something else."""


@cache
def ranking_names() -> tuple[str, ...]:
    """Return the names of the rankings that come with the product, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def ranking_text(name: str) -> str:
    """Return the text of a ranking's file; raise KeyError if there is none of this name."""
    if name not in ranking_names():
        raise KeyError(name)
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@cache
def load_ranking(name: str) -> Ranking:
    """Return a ranking of the product, cached; raise KeyError if there is none of this name."""
    return parse_ranking(ranking_text(name), f"rankings/{name}.toml")


def parse_ranking(text: str, source: str) -> Ranking:
    """Parse a ranking; raise RulesetError with every fault."""
    found = parse_any_format(text, source)
    if isinstance(found, Ranking):
        return found
    wrong = fault(SENTENCES, "kind", found.kind, "not_a_ranking")
    raise RulesetError((replace(wrong, source=source, line=line_of("kind", text)),))
