"""Test that a backup moves an installation from SQLite to PostgreSQL and back without changing a row."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


COMMANDS = """
import json, sys
import django; django.setup()
from django.core.management import call_command
for command in json.loads(sys.argv[1]): call_command(*command)
"""


def manage(address: str, data: Path, *commands: tuple[str, ...]) -> str:
    """Run management commands on a database, one after the other in one process."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings",
        "DATABASE_URL": address,
        "DATA_DIR": str(data),
        "REDIS_URL": "",
        "TMPDIR": str(data),
    }
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(commands)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def tables_of(file: Path) -> dict[str, list[object]]:
    """Return the rows of a backup, by table."""
    with zipfile.ZipFile(file) as packed:
        names = [name for name in packed.namelist() if name != "manifest.json"]
        return {name: [json.loads(line) for line in packed.read(name).splitlines()] for name in names}


@pytest.mark.django_db
def test_an_installation_moves_to_postgresql_and_back(
    migrated_file: Path, migrated_postgres: Callable[[str], str], tmp_path: Path
) -> None:
    sqlite, examples = f"sqlite:///{shutil.copy(migrated_file, tmp_path)}", "rulesets/cinderella/examples.toml"
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    adding = ("import_competition", examples, "--examples", "--league", "L1", "--slug", "moved")
    manage(sqlite, tmp_path, adding, ("backup", str(one)))
    before = set(tmp_path.iterdir())
    said = manage(
        migrated_postgres("backup_moves"),
        tmp_path,
        ("restore", str(one)),
        ("verify", "moved"),
        ("backup", str(two)),
        ("rehearse_restore", "--sqlite", str(two)),
    )
    assert tables_of(two) == tables_of(one)
    assert "are back" in said
    assert re.search(r"read in .* s\n *restored in .* s\n *verified in .* s\n *counted in .* s\n", said)
    assert "This backup can be restored" in said
    assert set(tmp_path.iterdir()) == before | {two}


def test_a_backup_of_an_unreachable_database_fails_clearly_and_leaves_no_file(tmp_path: Path) -> None:
    variables = os.environ | {"DJANGO_SETTINGS_MODULE": "league.settings", "DATA_DIR": str(tmp_path / "data")}
    variables |= {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    (tmp_path / "backups").mkdir()
    command = [sys.executable, "manage.py", "backup", str(tmp_path / "backups" / "one.zip")]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "The backup could not be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "backups").iterdir()) == []
