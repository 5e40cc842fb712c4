"""One finding of a consistency check."""

from __future__ import annotations

from dataclasses import dataclass

from league.files.reading import Path


@dataclass(frozen=True, slots=True)
class FileFinding:
    """A contradiction in a file: its path in the document, the value found, and the allowed values."""

    path: Path
    value: object
    message: str
