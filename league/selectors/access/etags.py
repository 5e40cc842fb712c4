"""Strong ETags computed before rendering, from the inputs of a response.

A response is a function of the published version, the audience, the language, the requested representation and
the software. The ETag is a digest of exactly these, so that a conditional request for an unchanged response
costs one query for the competition's row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import get_language

from league.models import Competition
from league.selectors.access.readers import Reader

PACKAGES = ("league", "rulesets", "scoring", "templates")
RENDERING = ("*.py", "*.html", "*.xml", "*.toml", "*.mo")
"""The files whose change may change a response."""
ENCODER = json.JSONEncoder(default=str, sort_keys=True)


def etag_of(reader: Reader, *parts: object) -> str:
    """Return the strong ETag of one competition's page or document; `parts` identify the representation."""
    return etag(reader_state(reader), *parts)


def etag_of_all(readers: Iterable[Reader], *parts: object) -> str:
    """Return the strong ETag of a document made from several competitions."""
    return etag([reader_state(reader) for reader in readers], *parts)


def etag(*parts: object) -> str:
    """Return a quoted strong ETag of any JSON-serializable parts, the active language and the software."""
    text = ENCODER.encode([software_digest(), get_language(), *parts])
    return f'"{hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:32]}"'


def reader_state(reader: Reader) -> list[object]:
    """Return the inputs of a response for this reader; the columns come from the row already loaded."""
    return [reader.audience, reader.shown_version, reader.until, *competition_state(reader.competition)]


def competition_state(competition: Competition) -> list[object]:
    """Return the visible columns of a competition, which may change without its standings being recomputed.

    `created_at` distinguishes it from a competition that had the same id in a database since discarded.
    `database_life` distinguishes a version from the same number before an older backup was restored, since a
    restored backup gives version numbers out again.
    """
    return [
        database_life(),
        competition.pk,
        competition.created_at.isoformat(),
        competition.slug,
        competition.name,
        competition.name_en,
        competition.kind,
        competition.status,
        competition.audience,
        competition.time_zone,
        competition.mark_glyph,
        competition.mark_colour,
        competition.picture,
        competition.accent,
    ]


@cache
def database_life() -> str:
    """Return when this database was created or last restored from a backup; read once per process."""
    # A restore sets the first migration's time to now (`services.operations.backups`) and clears this process's cache.
    first = MigrationRecorder(connection).migration_qs.order_by("pk").values_list("applied", flat=True).first()
    return first.isoformat() if first else ""


@cache
def software_digest() -> str:
    """Return a digest of the running software, the same on every host with the same files."""
    root = Path(__file__).resolve().parents[3]
    digest = hashlib.sha256()
    files = (file for package in PACKAGES for pattern in RENDERING for file in (root / package).rglob(pattern))
    for file in sorted(files):
        # Relative paths: hosts that install into different directories must give equal ETags.
        digest.update(str(file.relative_to(root)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
