"""Read configurations as the service would read them from its own environment variables."""

import os
from unittest.mock import patch

from league.platform import environment
from league.platform.environment import Environment


def read(variables: dict[str, str]) -> Environment:
    """Return the configuration for these variables only, with the tests' own data folder."""
    with patch.dict(os.environ, {"DATA_DIR": os.environ["DATA_DIR"]} | variables, clear=True):
        return environment.read()
