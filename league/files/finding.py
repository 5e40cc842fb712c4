"""One thing that a file contradicts in itself."""

from __future__ import annotations

from dataclasses import dataclass

from league.files.reading import Path


@dataclass(frozen=True, slots=True)
class Found:
    """Where it stands in the document, with which value, and what is allowed."""

    path: Path
    value: object
    message: str
