"""Refuse migrations that the previous version of the code could not run on: `python -m scripts.check_migrations`.

At an upgrade tables change first, while old processes still serve. So a migration may add, and may remove only what
the previous version no longer uses (`TAKEN_AWAY`, with the reason). Nor may it lock a table that grows with every
result (`LARGE`) while it reads all of it: an index there is created concurrently, in a migration of its own. Our own
migrations from `FIRST` on are checked: no service ran on the tables before.

django-migration-linter 6.0 reads SQL instead of operations. Of the twelve operations that
`tests/scripts/test_check_migrations.py` refuses it refuses eight on SQLite, where this check runs, and ten on a
running PostgreSQL (not `RunPython`, not a new check constraint); on SQLite it also refuses a new column with a
`db_default`. It knows no large tables: an index is a warning on every table on PostgreSQL, and nothing on SQLite.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import django
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

APP = "league"
FIRST = 9
LONGEST = 1 << 31
TAKEN_AWAY: dict[str, str] = {
    "0023.AddConstraint.competition.": "old code never sets the new column, whose default the constraint allows",
    "0028.RunPython..": "old code knows no parlours and shows its open tables as before",
    "0025.RunPython..": "old code shows the new rounds as they are, and their order at a table stays",
    "0034.AddConstraint.competition.": "old code never sets a term, and the constraint skips rows without one",
    "0034.AddConstraint.membership.": "old code knows no captains and never sets a team",
    "0035.AddConstraint.webhooksubscription.": "old code always sets a competition, and knows no other owner",
    "0033.RunPython..": "old code reads the mark of an entrant who withdrew, which stays",
}
"""Allowed removals: a label such as `0012.RemoveField.competition.old`, with the reason why it is unused."""
BREAKS_OLD_CODE = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
OPAQUE = (migrations.RunPython, migrations.RunSQL, migrations.SeparateDatabaseAndState)
TIGHTER = (migrations.AddConstraint, migrations.AlterUniqueTogether)
REFUSED = {
    BREAKS_OLD_CODE: "old code still uses it; stop using it in one version, drop it in the next; say so in TAKEN_AWAY",
    OPAQUE: "its effect is not visible; write ordinary operations, change rows by a command or say why in TAKEN_AWAY",
    TIGHTER: "old code may write rows it refuses; say in TAKEN_AWAY why it does not",
}
LARGE = ("change", "hanchan", "hanchanseat", "idempotencykey", "resultsheet", "seatresult", "sheetapproval", "sitting",
         "sittingamount", "sittingseat", "tableevent", "tablesession", "tally", "webhookdelivery")  # fmt: skip
"""Tables that grow with every game, every hand or every message."""
ASIDE = "use league.platform.concurrent_indexes.AddIndexAside, in a migration of its own"
CONCURRENT = (AddIndexConcurrently, RemoveIndexConcurrently)


def main() -> int:
    """Print every fault; return 0 if there is none."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(None)
    names = sorted(name for app, name in loader.disk_migrations if app == APP and int(name[:4]) >= FIRST)
    faults = [
        fault
        for name in names
        for fault in faults_of(loader.disk_migrations[APP, name], loader.project_state((APP, name), at_end=False))
    ]
    print("\n".join(faults) or f"{len(names)} migration(s): the version before runs on every one of them.")
    return 1 if faults else 0


def faults_of(migration: migrations.Migration, before: ProjectState) -> Iterator[str]:
    """Yield the operations of one migration that old code could not run on."""
    made = {each.name_lower for each in migration.operations if isinstance(each, migrations.CreateModel)}
    for operation in migration.operations:
        model = str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()
        label = f"{migration.name[:4]}.{type(operation).__name__}.{model}.{getattr(operation, 'name', '')}"
        if model in made or label in TAKEN_AWAY:
            continue
        if fault := fault_of(operation, model, before) or waiting_at(operation, model, migration, before):
            yield f"{label}: {fault}"


def fault_of(operation: Operation, model: str, before: ProjectState) -> str:
    """Return the reason why an operation on an existing table is refused; '' if it is not."""
    for kinds, reason in REFUSED.items():
        if isinstance(operation, kinds):
            return reason
    if isinstance(operation, migrations.AddField) and not may_be_left_out(operation.field):
        return "old code writes rows without it; let it be null or give it a db_default"
    if isinstance(operation, migrations.AlterField) and is_narrower(
        before.models[APP, model].fields[operation.name], operation.field
    ):
        return "old code may write what no longer fits"
    return ""


def waiting_at(operation: Operation, model: str, migration: migrations.Migration, before: ProjectState) -> str:
    """Return the reason why writers would have to wait for an operation; '' if they would not."""
    if model in LARGE and isinstance(operation, migrations.AddIndex) and not isinstance(operation, CONCURRENT):
        return f"a large table cannot be written meanwhile; {ASIDE}"
    if (
        model in LARGE
        and isinstance(operation, migrations.AddField | migrations.AlterField)
        and new_index(operation, model, before)
    ):
        return f"its index holds up a large table; instead {ASIDE}"
    if isinstance(operation, CONCURRENT) and migration.atomic:
        return "no index is made concurrently within a transaction; say atomic = False"
    return ""


def new_index(operation: migrations.AddField | migrations.AlterField, model: str, before: ProjectState) -> bool:
    """Return True if a column gets an index that it did not have."""
    was = before.models[APP, model].fields.get(operation.name)
    return has_index(operation.field) and not (was and has_index(was))


def has_index(field: Any) -> bool:
    """Return True if a column has an index of its own."""
    return bool(getattr(field, "db_index", False) or field.unique)


def may_be_left_out(field: models.Field[Any, Any]) -> bool:
    """Return True if a row can be inserted without the field."""
    return bool(field.null or field.has_db_default() or field.many_to_many)


def is_narrower(old: models.Field[Any, Any], new: models.Field[Any, Any]) -> bool:
    """Return True if the new field accepts fewer values than the old one."""
    lengths = [getattr(field, "max_length", None) or LONGEST for field in (old, new)]
    return (
        type(old) is not type(new)
        or (old.null and not new.null)
        or (new.unique > old.unique)
        or lengths[1] < lengths[0]
    )


if __name__ == "__main__":
    sys.exit(main())
