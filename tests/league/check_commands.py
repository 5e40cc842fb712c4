"""Run a command that checks a file, and write the file."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command


def run_check(command: str, *arguments: str) -> tuple[int, str, str]:
    """Run the command; return its exit status, its output and its errors."""
    out, err = StringIO(), StringIO()
    try:
        call_command(command, *arguments, stdout=out, stderr=err, no_color=True)
    except CommandError as error:
        return error.returncode, out.getvalue(), f"{err.getvalue()}{error}"
    return 0, out.getvalue(), err.getvalue()


def written(folder: Path, text: str, name: str = "own.toml") -> str:
    """Write the text to a file of this name; return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
