"""Fixtures for tests that need whole services on real servers."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from league.platform.environment import ROOT
from tests.migrated import fresh_database


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return a function that makes an empty database with all tables on the server, by name, and returns its URL."""
    address = fresh_database(postgres_server, "migrated")
    variables = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": address,
        "DATA_DIR": str(tmp_path_factory.mktemp("migrated")),
    }
    command = [sys.executable, "manage.py", "migrate", "--skip-checks", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=variables, check=True)
    return lambda name: fresh_database(postgres_server, name, template="migrated")
