"""Distribute the tests among worker processes by module, and those of a folder of shared servers together.

The tests of a module share its fixtures, those of a folder below their servers, browser and databases; spread over all
workers, each of them would set up its own. `--dist loadgroup` cannot group them: it appends a test's group to its node
id, which pytest 9.2 ignores, so that every test is a group of its own.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

SHARED = ("tests/browser/", "tests/services/")
"""Folders whose modules share fixtures of the whole run: Chromium; PostgreSQL, Redis and a worker."""


def group_of(test: str) -> str:
    """Return the folder of shared servers that contains the test with this node id, or else its module."""
    module = test.split("::", 1)[0]
    return next((folder for folder in SHARED if module.startswith(folder)), module)


class ModuleScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Give out the tests group by group, those with the most tests first."""

    def _split_scope(self, nodeid: str) -> str:
        """Return the group of a test."""
        return group_of(nodeid)
