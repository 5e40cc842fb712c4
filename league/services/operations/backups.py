"""The whole database as one file, and back: the same for SQLite and PostgreSQL, so that it also moves between them.

The one idea: rows are read in one transaction that sees one moment, while the service runs, and are written as what
their fields hold, exactly. A backup ends with the digest of every byte before it. It is read through once before
anything is touched; then everything is put back in one transaction, or nothing.
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
from league.selectors.access.snapshots import one_moment

KIND = "jantaku-backup"
VERSION = 2
MANIFEST = "manifest.json"
SEAL = b"sha256:"
SEAL_LENGTH = len(SEAL) + 64
BATCH = 500
LEFT_OUT = frozenset({"sessions.session"})
"""Sign-ins end with the installation: one that was ended meanwhile must not begin again."""
MADE_BY_MIGRATING = frozenset({"contenttypes.contenttype", "auth.permission"})
"""What an empty database already has."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, ValueError, NotImplementedError, RuntimeError)
_PIECE = 1024 * 1024


class BackupRefusedError(Exception):
    """Nothing was changed; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a backup: when it was made, rows and columns by table, migrations it needs, the numbers given out."""

    made_at: str
    database: str
    rows: Mapping[str, int]
    columns: Mapping[str, Sequence[str]]
    migrations: tuple[tuple[str, str], ...]
    sequences: Mapping[str, int]

    @property
    def count(self) -> int:
        """All rows together."""
        return sum(self.rows.values())


def kept_models() -> list[type[models.Model]]:
    """Every table there is, those of accounts, tokens and second factors among them."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return [model for model in found if not model._meta.proxy and model._meta.label_lower not in LEFT_OUT]


def rows_of(model: type[models.Model]) -> models.QuerySet[Any]:
    """Every row of a table, whatever its manager leaves out."""
    return models.QuerySet(model=model)


def write_backup(file: Path) -> Contents:
    """Write everything as it stood at one moment; the file appears when it is whole, readable by its owner alone."""
    part = file.with_name(f".{file.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            contents = _write(stream)
        _seal(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return contents


def _write(stream: IO[bytes]) -> Contents:
    with one_moment(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as packed:
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
            sequences={model._meta.label_lower: _last_number(model) for model in kept_models() if _counts(model)},
        )
        packed.writestr(MANIFEST, json.dumps({"kind": KIND, "version": VERSION, **_as_json(contents)}, indent=1))
        packed.comment = SEAL + b"0" * 64
    return contents


def _as_json(contents: Contents) -> dict[str, Any]:
    return {name: getattr(contents, name) for name in Contents.__dataclass_fields__}


def _lines(model: type[models.Model]) -> Iterator[bytes]:
    """Each row as a list of what its fields hold."""
    fields = model._meta.concrete_fields
    rows = rows_of(model).order_by("pk").values_list(*(field.attname for field in fields))
    for row in rows.iterator(chunk_size=BATCH):
        values = [_said(field, value) for field, value in zip(fields, row, strict=True)]
        yield json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _said(field: models.Field[Any, Any], value: Any) -> Any:
    """A value as JSON has it; a JSON field's own value stands as it is."""
    if value is None or isinstance(field, models.JSONField):
        return value
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return value if isinstance(value, str | int | float) else _as_text(value)


def _as_text(value: Any) -> str:
    """Moments, days, hours and the like by the text their fields read."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value) if isinstance(value, Decimal) or not hasattr(value, "isoformat") else value.isoformat()


def _meant(field: models.Field[Any, Any], said: Any) -> Any:
    """The value that a field held."""
    if said is None or isinstance(field, models.JSONField):
        return said
    if isinstance(field, models.BinaryField):
        return base64.b64decode(said)
    target: Any = field
    while isinstance(target, models.ForeignKey):
        target = target.target_field
    return target.to_python(said)


def _counts(model: type[models.Model]) -> bool:
    """Whether the database numbers the model's rows."""
    return isinstance(model._meta.pk, models.AutoField | models.BigAutoField | models.SmallAutoField)


def _last_number(model: type[models.Model]) -> int:
    """The last number given out, though its row may be gone: numbers are never given twice."""
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
    """Which migrations the database has."""
    loader = MigrationLoader(connection)
    return tuple(
        sorted((app, name) for app, name in loader.applied_migrations if (app, name) in loader.disk_migrations)
    )


def _seal(file: Path) -> None:
    """Write the digest of everything before it to the file's end, and all of it to the disk."""
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
    """What a backup holds, once every byte of it is as it was written."""
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
    """Put a backup back.

    1. Refuse a file of which a byte is not as it was written.
    2. Give an empty database its tables; refuse one whose tables are those of another version.
    3. Refuse a database with anything in it, unless it is to be replaced.
    4. In one transaction: empty it, write every row, hold every reference, count, go on numbering from there, and let
       tags tell what versions say from now on from what they said before.
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
        _go_on_numbering(contents)
        _begin_anew()
    cache.clear()
    return contents


def refuse_other_migrations(contents: Contents) -> None:
    """A backup fits tables of the very version it was made by."""
    here, there = set(applied_migrations()), set(contents.migrations)
    if here == there:
        return
    missing = ", ".join(sorted(f"{app}.{name}" for app, name in there - here)) or "-"
    beyond = ", ".join(sorted(f"{app}.{name}" for app, name in here - there)) or "-"
    raise BackupRefusedError(
        _(
            "This backup was made by another version: it needs the migrations %(missing)s, and knows nothing of "
            "%(beyond)s. Restore it with the version that made it, then update."
        )
        % {"missing": missing, "beyond": beyond}
    )


def filled_tables() -> list[str]:
    """The tables in which there is anything."""
    return [
        model._meta.label_lower
        for model in kept_models()
        if model._meta.label_lower not in MADE_BY_MIGRATING and rows_of(model).exists()
    ]


def _empty() -> None:
    """Take out every row; references are held at the end."""
    left_out = [apps.get_model(label) for label in LEFT_OUT]
    with connection.cursor() as cursor:
        for model in [*kept_models(), *left_out]:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608 - own tables


def _refill(packed: zipfile.ZipFile, label: str, count: int, columns: Sequence[str]) -> None:
    """Write the rows of a table as they are: nothing is made up, each value goes into the column it was in."""
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
    """A row as the database takes it."""
    return [field.get_db_prep_save(_meant(field, said), connection) for field, said in zip(fields, row, strict=True)]


def _begin_anew() -> None:
    """Versions are given out again after an older backup: tags take this moment for the making of the database."""
    recorded = MigrationRecorder(connection).migration_qs
    recorded.filter(pk=recorded.order_by("pk").values_list("pk", flat=True)[0]).update(applied=timezone.now())
    database_life.cache_clear()


def _go_on_numbering(contents: Contents) -> None:
    """No number is given twice, though its row may be gone."""
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
