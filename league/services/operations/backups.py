"""Backup of the whole database to one file, and restore; the format is the same for SQLite and PostgreSQL.

Rows are read from one database snapshot while the service runs, and are written as the exact values of their
fields, so that a backup also moves data between the two databases. A backup ends with the SHA-256 digest of every
byte before it. A restore verifies that digest before it touches anything, then writes everything in one
transaction.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _

from league.selectors.access.etags import database_life
from league.selectors.access.snapshots import one_snapshot

KIND = "jantaku-backup"
VERSION = 2
MANIFEST = "manifest.json"
SEAL = b"sha256:"
SEAL_LENGTH = len(SEAL) + 64
BATCH = 500
LEFT_OUT = frozenset({"sessions.session"})
"""Tables left out of a backup.

Sessions end with the installation: a restore must not revive one that has been ended.
"""
MADE_BY_MIGRATING = frozenset({"contenttypes.contenttype", "auth.permission"})
"""Tables that migrations fill, so that even an empty database has rows in them."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, ValueError, NotImplementedError, RuntimeError)
_PIECE = 1024 * 1024


class BackupRefusedError(Exception):
    """Raised when a backup cannot be restored; nothing has changed, and the message gives the reason and a remedy."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The manifest of a backup: when it was made, rows and columns per table, migrations and sequence values.

    `made_at` is an ISO timestamp, `database` the vendor; `sequences` has the last number given out for each table.
    """

    made_at: str
    database: str
    rows: Mapping[str, int]
    columns: Mapping[str, Sequence[str]]
    migrations: tuple[tuple[str, str], ...]
    sequences: Mapping[str, int]

    @property
    def count(self) -> int:
        """Return the number of rows in all tables together."""
        return sum(self.rows.values())


def kept_models() -> list[type[models.Model]]:
    """Return every managed model with a table of its own, those of accounts, tokens and second factors included."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return [model for model in found if not model._meta.proxy and model._meta.label_lower not in LEFT_OUT]


def rows_of(model: type[models.Model]) -> models.QuerySet[models.Model]:
    """Return all rows of a table, bypassing the filters of the model's default manager."""
    return models.QuerySet(model=model)


def write_backup(file: Path) -> Contents:
    """Write a backup of one snapshot of the database to `file`.

    The file appears under its name only once it is complete, and only its owner can read it (mode 0600).
    """
    part = file.with_name(f".{file.name}.part")
    try:
        # Mode 0600 from the first byte on: the file holds password hashes and the secrets of second factors.
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            contents = _write(stream)
        _seal(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return contents


def _write(stream: IO[bytes]) -> Contents:
    with one_snapshot(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as packed:
        rows = {}
        for model in kept_models():
            label = model._meta.label_lower
            with packed.open(f"{label}.jsonl", "w", force_zip64=True) as table:
                rows[label] = sum(table.write(line) > 0 for line in _lines(model))
        contents = Contents(
            made_at=timezone.now().isoformat(),
            database=connection.vendor,
            rows=rows,
            columns={label: [field.column for field in apps.get_model(label)._meta.concrete_fields] for label in rows},
            migrations=applied_migrations(),
            sequences={model._meta.label_lower: _last_number(model) for model in kept_models() if _is_numbered(model)},
        )
        packed.writestr(MANIFEST, json.dumps({"kind": KIND, "version": VERSION, **_as_json(contents)}, indent=1))
        # A placeholder of the digest's length: `_seal` overwrites it in place, so the ZIP stays valid.
        packed.comment = SEAL + b"0" * 64
    return contents


def _as_json(contents: Contents) -> dict[str, object]:
    return {name: getattr(contents, name) for name in Contents.__dataclass_fields__}


def _lines(model: type[models.Model]) -> Iterator[bytes]:
    """Yield each row of a table as one line of JSON, a list of its field values."""
    fields = model._meta.concrete_fields
    rows = rows_of(model).order_by("pk").values_list(*(field.attname for field in fields))
    for row in rows.iterator(chunk_size=BATCH):
        values = [_to_json(field, value) for field, value in zip(fields, row, strict=True)]
        yield json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _to_json(field: models.Field[Any, Any], value: object) -> object:
    """Return a field's value as JSON can hold it; the value of a JSONField is kept as it is."""
    if value is None or isinstance(field, models.JSONField):
        return value
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return value if isinstance(value, str | int | float) else _as_text(value)


def _as_text(value: object) -> str:
    """Return dates, times, decimals and similar values as text that the field's `to_python` parses back."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value) if isinstance(value, Decimal) or not hasattr(value, "isoformat") else value.isoformat()


def _from_json(field: models.Field[Any, Any], said: Any) -> Any:
    """Return the field's value from its JSON form; a foreign key is read as its target field."""
    if said is None or isinstance(field, models.JSONField):
        return said
    if isinstance(field, models.BinaryField):
        return base64.b64decode(said)
    target: Any = field
    while isinstance(target, models.ForeignKey):
        target = target.target_field
    return target.to_python(said)


def _is_numbered(model: type[models.Model]) -> bool:
    """Return True if the database numbers the rows of this model itself (an auto field)."""
    return isinstance(model._meta.pk, models.AutoField | models.BigAutoField | models.SmallAutoField)


def _last_number(model: type[models.Model]) -> int:
    """Return the last number the sequence gave out, even if its row has been deleted: numbers are never reused."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)", _sequence(model))
        row = cursor.fetchone()
    return int(row[0] or 0) if row else 0


def _sequence(model: type[models.Model]) -> list[str]:
    pk: Any = model._meta.pk
    return [connection.ops.quote_name(model._meta.db_table), pk.column]


def applied_migrations() -> tuple[tuple[str, str], ...]:
    """Return the migrations applied to the database that also exist in the code, as sorted (app, name) pairs."""
    loader = MigrationLoader(connection)
    return tuple(
        sorted((app, name) for app, name in loader.applied_migrations if (app, name) in loader.disk_migrations)
    )


def _seal(file: Path) -> None:
    """Write the digest of everything before it into the end of the file, and flush the file to disk."""
    with file.open("r+b") as stream:
        found = _digest(stream, file.stat().st_size - SEAL_LENGTH)
        stream.seek(-SEAL_LENGTH, os.SEEK_END)
        stream.write(SEAL + found)
        stream.flush()
        os.fsync(stream.fileno())


def _digest(stream: IO[bytes], length: int) -> bytes:
    found, left = hashlib.sha256(), length
    stream.seek(0)
    while left > 0 and (piece := stream.read(min(_PIECE, left))):
        found.update(piece)
        left -= len(piece)
    return found.hexdigest().encode()


def read_contents(file: Path) -> Contents:
    """Return the manifest of a backup after verifying its digest.

    Raise BackupRefusedError if the file is no backup, is damaged, or has another format version.
    """
    with file.open("rb") as stream:
        size = file.stat().st_size
        stream.seek(max(0, size - SEAL_LENGTH))
        seal = stream.read()
        if not seal.startswith(SEAL):
            raise BackupRefusedError(_("This is no backup, or its end is missing."))
        if seal != SEAL + _digest(stream, size - SEAL_LENGTH):
            raise BackupRefusedError(_("This backup is damaged: its digest is not that of its contents. Take another."))
    try:
        with zipfile.ZipFile(file) as packed:
            said = json.loads(packed.read(MANIFEST))
    except _DAMAGED as error:
        raise BackupRefusedError(_("This is no backup.")) from error
    if not isinstance(said, dict) or said.get("kind") != KIND or said.get("version") != VERSION:
        raise BackupRefusedError(_("This is no backup that this version of the product reads."))
    return Contents(
        str(said["made_at"]),
        str(said["database"]),
        said["rows"],
        said["columns"],
        tuple((app, name) for app, name in said["migrations"]),
        said["sequences"],
    )


def restore_backup(file: Path, *, replace: bool = False) -> Contents:
    """Restore a backup into this database.

    1. Refuse a file whose digest does not match its bytes.
    2. Run migrations on an empty database; refuse a database with the tables of another version.
    3. Refuse a database that has any rows, unless `replace` is true.
    4. In one transaction: delete all rows, insert every row, check foreign keys and row counts, set the sequences,
       and give the database a new identity, so that ETags of reused version numbers differ from those before.

    Raise BackupRefusedError; the database is then unchanged.
    """
    contents = read_contents(file)
    if not connection.introspection.table_names():
        call_command("migrate", verbosity=0, interactive=False)
    refuse_other_migrations(contents)
    if not replace and (found := filled_tables()):
        raise BackupRefusedError(
            _("The database is not empty (%(tables)s). With --replace everything in it is replaced by the backup.")
            % {"tables": ", ".join(found[:5])}
        )
    with transaction.atomic():
        _empty()
        with zipfile.ZipFile(file) as packed:
            for label, count in contents.rows.items():
                _refill(packed, label, count, contents.columns[label])
        try:
            connection.check_constraints()
        except DatabaseError as error:
            raise BackupRefusedError(_("Rows of this backup refer to rows that are not in it.")) from error
        _reset_sequences(contents)
        _renew_database_life()
    # After the commit: entries were computed from rows that the restore has replaced.
    cache.clear()
    return contents


def refuse_other_migrations(contents: Contents) -> None:
    """Raise BackupRefusedError unless the backup was made with exactly the migrations applied here."""
    # Compared in both directions: a newer schema would lack values as an older one lacks columns.
    here, there = set(applied_migrations()), set(contents.migrations)
    if here == there:
        return
    message = _("This backup was made by a newer version, with the migrations %(names)s. Update first, then restore.")
    if not there - here:
        message = _(
            "This backup was made by an older version, without the migrations %(names)s. Restore it with the version "
            "that made it, then update."
        )
    names = sorted(f"{app}.{name}" for app, name in there - here or here - there)
    raise BackupRefusedError(message % {"names": ", ".join(names)})


def filled_tables() -> list[str]:
    """Return the labels of the tables that have any rows, those filled by migrations aside."""
    return [
        model._meta.label_lower
        for model in kept_models()
        if model._meta.label_lower not in MADE_BY_MIGRATING and rows_of(model).exists()
    ]


def _empty() -> None:
    """Delete every row of every table, sessions included; foreign keys are checked at the end of the restore."""
    left_out = [apps.get_model(label) for label in LEFT_OUT]
    with connection.cursor() as cursor:
        for model in [*kept_models(), *left_out]:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608 - own tables


def _refill(packed: zipfile.ZipFile, label: str, count: int, columns: Sequence[str]) -> None:
    """Insert the rows of a table from the backup, each value into the column it was read from.

    No defaults and no signals are applied. Raise BackupRefusedError where columns or the row count differ.
    """
    model = apps.get_model(label)
    by_column = {field.column: field for field in model._meta.concrete_fields}
    if by_column.keys() != set(columns):
        raise BackupRefusedError(
            _("%(table)s: the backup has other columns than this version of the product.") % {"table": label}
        )
    fields = [by_column[column] for column in columns]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608 - own tables
    written = 0
    with packed.open(f"{label}.jsonl") as table, connection.cursor() as cursor:
        while lines := list(islice(table, BATCH)):
            cursor.executemany(statement, [_values(fields, json.loads(line)) for line in lines])
            written += len(lines)
    if written != count:
        raise BackupRefusedError(
            _("%(table)s: the backup has %(written)s rows and says %(count)s.")
            % {"table": label, "written": written, "count": count}
        )


def _values(fields: Any, row: list[Any]) -> list[Any]:
    """Return a row's values, converted for the database."""
    return [
        field.get_db_prep_save(_from_json(field, said), connection) for field, said in zip(fields, row, strict=True)
    ]


def _renew_database_life() -> None:
    """Give the database a new `database_life` by touching the time of its first migration.

    An older backup gives version numbers out again; ETags contain this time, so that none of them can match a
    cached page.
    """
    recorded = MigrationRecorder(connection).migration_qs
    recorded.filter(pk=recorded.order_by("pk").values_list("pk", flat=True)[0]).update(applied=timezone.now())
    database_life.cache_clear()


def _reset_sequences(contents: Contents) -> None:
    """Set every sequence to continue after the last number given out, even where that row has been deleted."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), kept_models()):
            cursor.execute(statement)
        for label, last in contents.sequences.items():
            model = apps.get_model(label)
            if last and connection.vendor == "sqlite":
                table = model._meta.db_table
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
            elif last:
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [*_sequence(model), last])
