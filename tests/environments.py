"""Configurations as the service would read them from variables of its own."""

import os
from unittest.mock import patch

from league.platform import environment
from league.platform.environment import Environment


def read(variables: dict[str, str]) -> Environment:
    """Return the configuration of an environment of these variables alone, with the tests' own data folder."""
    with patch.dict(os.environ, {"DATA_DIR": os.environ["DATA_DIR"]} | variables, clear=True):
        return environment.read()
