"""The version of the running software, written once: `version` in pyproject.toml."""

from __future__ import annotations

import tomllib
from functools import cache

from league.platform.environment import ROOT


@cache
def version() -> str:
    """Return the version of this release, such as "1.0.0", read once per process."""
    declared: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return declared
