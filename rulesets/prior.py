"""The prior: the hanchan from which simulated seasons draw before a league has its own; data with its reader.

`scoring.odds.outcomes` has their schema and settles them by a league's rules.
"""

from functools import cache
from pathlib import Path

from rulesets.loader import read_model
from scoring.odds.outcomes import Prior

FILE = Path(__file__).parent / "prior.toml"


@cache
def load_prior() -> Prior:
    """Return the prior that comes with the product, cached."""
    return read_model(FILE.read_text(encoding="utf-8"), FILE.name, Prior)
