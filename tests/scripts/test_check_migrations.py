"""A migration that old code could not run on is refused, with what to do instead."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from scripts.check_migrations import faults_of, main

BEFORE = ProjectState()
BEFORE.add_model(
    ModelState(
        "league", "Thing", [("id", models.BigAutoField(primary_key=True)), ("note", models.TextField(null=True))]
    )
)


def faults(*operations: Operation) -> list[str]:
    trial: type[migrations.Migration] = type("Migration", (migrations.Migration,), {"operations": list(operations)})
    return list(faults_of(trial("0042_trial", "league"), BEFORE))


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("Thing", "note"),
        migrations.RenameField("Thing", "note", "remark"),
        migrations.DeleteModel("Thing"),
        migrations.RenameModel("Thing", "Object"),
        migrations.AddField("Thing", "size", models.IntegerField(default=1)),
        migrations.AlterField("Thing", "note", models.TextField()),
        migrations.AlterField("Thing", "note", models.TextField(null=True, unique=True)),
        migrations.AlterField("Thing", "note", models.IntegerField(null=True)),
        migrations.RunSQL("DROP TABLE league_thing"),
        migrations.AddConstraint("Thing", models.CheckConstraint(condition=models.Q(note=""), name="empty")),
    ],
)
def test_what_old_code_cannot_run_on_is_refused(operation: Operation) -> None:
    (fault,) = faults(operation)
    assert fault.startswith(f"0042.{type(operation).__name__}.")


@pytest.mark.parametrize(
    "operations",
    [
        [migrations.AddField("Thing", "size", models.IntegerField(null=True))],
        [migrations.AddField("Thing", "size", models.IntegerField(db_default=1))],
        [migrations.AlterField("Thing", "note", models.TextField(null=True, verbose_name="remark"))],
        [migrations.AddIndex("Thing", models.Index(fields=["note"], name="thing_note"))],
        [
            migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True))]),
            migrations.AddField("Other", "size", models.IntegerField()),
        ],
    ],
)
def test_what_only_adds_is_taken(operations: Sequence[Operation]) -> None:
    assert faults(*operations) == []


def test_our_own_migrations_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert "the version before runs on every one of them" in capsys.readouterr().out
