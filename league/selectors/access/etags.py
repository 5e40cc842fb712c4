"""ETags made before anything is rendered, of what the answer is made of.

The one idea: an answer is a function of the published version that is read, the audience, the language, the
representation asked for, and the software itself. The tag is a digest of exactly these, so that an answer that has
not changed costs one look at the competition's row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import get_language

from league.models import Competition
from league.selectors.access.readers import Reader

PACKAGES = ("league", "rulesets", "scoring", "templates")
RENDERING = ("*.py", "*.html", "*.toml", "*.mo")
"""The files whose change may change an answer."""


def etag_of(reader: Reader, *parts: Any) -> str:
    """The strong tag of one competition's page or document; `parts` name the representation."""
    return etag(reader_state(reader), *parts)


def etag_of_all(readers: Iterable[Reader], *parts: Any) -> str:
    """The strong tag of a document made from several competitions."""
    return etag([reader_state(reader) for reader in readers], *parts)


def etag(*parts: Any) -> str:
    """A strong tag, quoted, of anything that JSON can write, the language and the software."""
    text = json.dumps([software_digest(), get_language(), *parts], default=str, sort_keys=True)
    return f'"{hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:32]}"'


def reader_state(reader: Reader) -> list[Any]:
    """What an answer of this reader depends on; the row's own columns are there without another query."""
    return [reader.audience, reader.version, reader.until, *competition_state(reader.competition)]


def competition_state(competition: Competition) -> list[Any]:
    """The columns of a competition that show, and that may change without its standings being computed anew.

    When it was created tells it from one that had the same number in a database since thrown away; and what a version
    says is told from what it said before an older backup was restored, where versions are given out again.
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
    ]


@cache
def database_life() -> str:
    """When this database was made, or a backup last put back into it; read once by each process."""
    first = MigrationRecorder(connection).migration_qs.order_by("pk").values_list("applied", flat=True).first()
    return first.isoformat() if first else ""


@cache
def software_digest() -> str:
    """A digest of the running software, the same on every host that runs the same files."""
    root = Path(__file__).resolve().parents[3]
    digest = hashlib.sha256()
    files = (file for package in PACKAGES for pattern in RENDERING for file in (root / package).rglob(pattern))
    for file in sorted(files):
        digest.update(str(file.relative_to(root)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
