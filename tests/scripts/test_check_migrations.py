"""Test that a migration incompatible with the previous version's code is refused with an alternative."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.apps import apps
from django.db import connection, migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from league.platform.concurrent_indexes import AddIndexAside
from scripts.check_migrations import LARGE, faults_of, main

BEFORE = ProjectState()
BEFORE.add_model(
    ModelState(
        "league", "Thing", [("id", models.BigAutoField(primary_key=True)), ("note", models.TextField(null=True))]
    )
)


BEFORE.add_model(
    ModelState("league", "Change", [("id", models.BigAutoField(primary_key=True)), ("kind", models.TextField())])
)
BY_KIND = models.Index(fields=["kind"], name="change_kind")


def faults(*operations: Operation, atomic: bool = True) -> list[str]:
    told = {"operations": list(operations), "atomic": atomic}
    trial: type[migrations.Migration] = type("Migration", (migrations.Migration,), told)
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
        migrations.RunPython(migrations.RunPython.noop),
        migrations.AlterUniqueTogether("Thing", {("note",)}),
        migrations.AddConstraint("Thing", models.CheckConstraint(condition=models.Q(note=""), name="empty")),
    ],
)
def test_an_operation_incompatible_with_old_code_is_refused(operation: Operation) -> None:
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
def test_an_operation_that_only_adds_is_accepted(operations: Sequence[Operation]) -> None:
    assert faults(*operations) == []


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddIndex("Change", BY_KIND),
        migrations.AddField("Change", "size", models.IntegerField(null=True, db_index=True)),
        migrations.AddField("Change", "thing", models.ForeignKey("league.Thing", models.PROTECT, null=True)),
        migrations.AlterField("Change", "kind", models.TextField(db_index=True)),
    ],
)
def test_an_index_that_would_lock_a_large_table_is_refused_with_an_alternative(operation: Operation) -> None:
    (fault,) = faults(operation)
    assert "use league.platform.concurrent_indexes.AddIndexAside, in a migration of its own" in fault


def test_a_concurrent_index_is_accepted_only_outside_a_transaction() -> None:
    assert faults(AddIndexAside("Change", BY_KIND), atomic=False) == []
    (fault,) = faults(AddIndexAside("Change", BY_KIND))
    assert "say atomic = False" in fault


@pytest.mark.django_db(transaction=True)
def test_a_concurrent_index_is_created_and_dropped_on_both_databases() -> None:
    state = ProjectState.from_apps(apps)
    after = state.clone()
    operation = AddIndexAside("Change", BY_KIND)
    operation.state_forwards("league", after)
    editor = connection.schema_editor(atomic=False)
    with editor:
        operation.database_forwards("league", editor, state, after)
        assert "change_kind" in indexes()
        operation.database_backwards("league", editor, after, state)
    assert "change_kind" not in indexes()


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "league_change"))


def test_every_large_table_is_a_model_of_the_league() -> None:
    assert [name for name in LARGE if name not in apps.all_models["league"]] == []


def test_our_own_migrations_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert "the version before runs on every one of them" in capsys.readouterr().out
