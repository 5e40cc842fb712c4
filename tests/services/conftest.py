"""Fixtures for tests that need whole services on real servers."""

import os
import subprocess
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

import psycopg
import pytest

from league.platform.environment import ROOT


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return a function that makes an empty database with all tables on the server, by name, and returns its URL."""
    address = fresh_database(postgres_server, "migrated")
    variables = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": address,
        "DATA_DIR": str(tmp_path_factory.mktemp("migrated")),
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=variables, check=True)
    return lambda name: fresh_database(postgres_server, name, template="migrated")


def fresh_database(server: str, name: str, *, template: str = "template1") -> str:
    """Create a database on the server as a copy of another one, and return its URL."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return urlsplit(server)._replace(path=f"/{name}").geturl()
