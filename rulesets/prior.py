"""The hanchan that simulated seasons start from before a league has its own: data with its reader.

`scoring.odds.outcomes` is their shape and settles them by a league's rules.
"""

from functools import cache
from pathlib import Path

from rulesets.loader import read_model
from scoring.odds.outcomes import Prior

FILE = Path(__file__).parent / "prior.toml"


@cache
def load_prior() -> Prior:
    """The prior that comes with the product."""
    return read_model(FILE.read_text(encoding="utf-8"), FILE.name, Prior)
