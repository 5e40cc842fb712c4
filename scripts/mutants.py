"""Prove that the tests find faults: each mutant of `tests/mutants.toml` must make one of its tests fail.

`python -m scripts.mutants [--checkout FOLDER] [TEXT ...]` copies a checkout into a temporary folder, runs the tests
named there once in the unchanged code, then applies one mutant at a time. Only a failed test counts as a kill: code
that cannot be imported, or a test that no longer exists, does not.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "mutants.toml"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "var")
TIMEOUT = ("--timeout", "300", "--timeout-method", "signal")
"""Seconds after which a test that a mutant keeps from ending fails, so that the others still run."""
PASSED, FAILED = 0, 1
"""Exit codes of pytest; a process that dies while it starts ends with 1 too."""
SUMMARY = re.compile(r"\d+ (failed|error)")
"""The text in pytest's last line if a test has failed."""


class Verdict(StrEnum):
    """The result of a mutant."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    """Every test passed."""
    BROKEN = "BROKEN"
    """The tests could not be run."""
    MISSING = "text no longer found"
    """The old text does not occur in the file exactly once."""


class Mutant(BaseModel):
    """A fault a programmer could make: a text of a file, its replacement, and the tests that notice it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    file: str
    old: str
    new: str
    breaks: str
    killed_by: list[str]


def mutants(selection: Sequence[str]) -> list[Mutant]:
    """Return the mutants whose file or sentence contains one of the texts; all of them without any."""
    found = [Mutant.model_validate(each) for each in tomllib.loads(RECORD.read_text())["mutants"]]
    return [each for each in found if not selection or any(text in each.file + each.breaks for text in selection)]


def run(folder: Path, targets: Iterable[str], **environment: str) -> Verdict:
    """Run tests in the copy until the first failure; print their output unless they pass or fail."""
    options = ["-m", "", "-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *TIMEOUT]
    command = [sys.executable, "-m", "pytest", *options, *targets]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"CI": "true"} | environment, capture_output=True, text=True, check=False
    )
    if done.returncode == PASSED:
        return Verdict.SURVIVED
    if done.returncode == FAILED and SUMMARY.search("".join(done.stdout.splitlines()[-1:])):
        return Verdict.KILLED
    print(done.stdout[-2000:], done.stderr[-2000:], sep="\n")
    return Verdict.BROKEN


def try_mutant(mutant: Mutant, folder: Path) -> Verdict:
    """Apply a mutant to the copy, run its tests, and restore the file with its modification time."""
    file = folder / mutant.file
    before = file.read_text() if file.exists() else ""
    if before.count(mutant.old) != 1:
        return Verdict.MISSING
    times = file.stat()
    file.write_text(before.replace(mutant.old, mutant.new))
    try:
        return run(folder, mutant.killed_by, PYTHONDONTWRITEBYTECODE="1")
    finally:
        file.write_text(before)
        # Python compares the source's time with the compiled file's: another one would compile the module again.
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def main() -> int:
    """Try the mutants; return 1 unless all are killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout to be copied; by default this one")
    parser.add_argument("selection", nargs="*", metavar="TEXT", help="part of a file's name or of what breaks")
    arguments = parser.parse_args()
    chosen = mutants(arguments.selection)
    if not chosen:  # without targets pytest would run every test
        parser.error("no mutant's file name or sentence contains one of these texts")
    with tempfile.TemporaryDirectory(prefix="jantaku-mutants-") as place:
        folder = shutil.copytree(arguments.checkout, Path(place, "checkout"), ignore=LEFT_OUT)
        unchanged = run(folder, dict.fromkeys(target for each in chosen for target in each.killed_by))
        if unchanged is not Verdict.SURVIVED:
            print("The tests named in the record do not pass in the unchanged code.")
            return 1
        verdicts: Counter[Verdict] = Counter()
        for mutant in chosen:
            verdict = try_mutant(mutant, folder)
            verdicts[verdict] += 1
            print(f"{verdict}: {mutant.file}: {mutant.breaks}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))
    return 0 if set(verdicts) == {Verdict.KILLED} else 1


if __name__ == "__main__":
    sys.exit(main())
