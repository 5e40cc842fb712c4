"""Copy a SQLite database into PostgreSQL, row by row: `DATABASE_URL=... python -m benchmarks.carry FILE`."""

from __future__ import annotations

import datetime as dt
import sqlite3
import sys
import time
from typing import Any

UTC = dt.UTC


def main(file: str) -> None:
    """Create the tables, copy the rows, set the sequences behind the highest keys, then VACUUM.

    The server would vacuum by itself, but in the middle of a measurement.
    """
    import django

    django.setup()
    from django.apps import apps
    from django.core.management import call_command
    from django.core.management.color import no_style
    from django.db import connection

    began = time.perf_counter()
    call_command("migrate", verbosity=0)
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    tables = sorted({model._meta.db_table: model for model in models if not model._meta.proxy}.items())
    source = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    rows = 0
    with connection.cursor() as cursor:
        # Switches foreign key triggers off, so that the tables may come in any order.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET TIME ZONE 'UTC'")
        cursor.execute(f"TRUNCATE {', '.join(connection.ops.quote_name(name) for name, _model in tables)} CASCADE")
        for _name, model in tables:
            rows += carry(source, cursor, model)
        cursor.execute("SET session_replication_role = DEFAULT")
        for statement in connection.ops.sequence_reset_sql(no_style(), [model for _name, model in tables]):
            cursor.execute(statement)
        cursor.execute("VACUUM (ANALYZE)")
        cursor.execute("CHECKPOINT")
    print(f"carried over to PostgreSQL: {rows:,} rows in {time.perf_counter() - began:.0f} s", flush=True)


def carry(source: sqlite3.Connection, cursor: Any, model: Any) -> int:
    """Copy one table's rows. Only booleans are stored differently in the two databases: SQLite has 0 and 1."""
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    truths = [place for place, field in enumerate(fields) if field.get_internal_type() == "BooleanField"]
    rows = 0
    with cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN') as copy:
        for found in source.execute(f'SELECT {columns} FROM "{model._meta.db_table}"'):  # noqa: S608
            row = list(found)
            for place in truths:
                row[place] = None if row[place] is None else bool(row[place])
            copy.write_row(row)
            rows += 1
    return rows


if __name__ == "__main__":
    main(sys.argv[1])
