"""Misreadings of clauses as data: `tests/clause_mutants/<ruleset>.toml`.

Each entry breaks one clause, as a value of `ruleset.toml` or as text of a file, and one example or test that cites the
clause must contradict it. Text mutants are applied to a copy of the tree, one process each.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, model_validator

from rulesets.clauses import books
from rulesets.toml_text import toml_of
from scripts.conformance.citations import ROOT

RECORD = Path("tests") / "clause_mutants"
COPIED = ("scoring", "rulesets", "scripts/conformance", "tests/scoring", "tests/rulesets", "pyproject.toml")
"""The part of the tree that the engine, its examples and its tests need."""
TIMEOUT = 600
"""Seconds after which a mutant that runs on has not been detected; on a loaded machine one can take minutes."""


class Edit(BaseModel):
    """A text that stands in a file exactly once, and the text that replaces it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    before: str
    after: str


class ClauseMutant(BaseModel):
    """One misreading of a clause: another value, or another text of a file."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    clause: str
    misreading: str
    """The misreading in one sentence."""
    value: str = ""
    """The path of a value in `ruleset.toml` ..."""
    to: JsonValue = None
    """... and its other value; left out, the entry or row is removed. A row or entry that is not there is added."""
    also: dict[str, JsonValue] = {}
    """Other values, by path, that have to go along with it."""
    file: str = ""
    """A file of the project ..."""
    before: str = ""
    """... the text that stands in it exactly once ..."""
    after: str = ""
    """... and the text that replaces it."""
    more: list[Edit] = []
    """Further edits of that file that go along with it."""

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> ClauseMutant:
        if bool(self.value) == bool(self.file and self.before) or not self.misreading:
            raise ValueError("give either a value, or a file with the text before and after; and the misreading")
        return self

    @property
    def is_text(self) -> bool:
        """It changes a file and runs in a process of its own."""
        return bool(self.file)

    def applied(self, text: str) -> str:
        """Return the changed text of the file; empty if a text is not there exactly once."""
        for edit in (Edit(before=self.before, after=self.after), *self.more):
            if text.count(edit.before) != 1:
                return ""
            text = text.replace(edit.before, edit.after)
        return text


def mutated_books() -> tuple[str, ...]:
    """Return the books whose values and clauses are broken one by one: those with a record of misreadings.

    The clauses of the other books are cited by their examples, and nothing in them is changed.
    """
    return tuple(name for name in books() if (ROOT / RECORD / f"{name}.toml").is_file())


def load_mutants(ruleset: str) -> dict[str, tuple[ClauseMutant, ...]]:
    """Return the misreadings written down for a ruleset, by clause; each of a clause must be detected."""
    path = ROOT / RECORD / f"{ruleset}.toml"
    tables = toml_of(path.read_text(encoding="utf-8")).get("mutants", []) if path.is_file() else []
    found = TypeAdapter(list[ClauseMutant]).validate_python(tables)
    clauses = dict.fromkeys(each.clause for each in found)
    return {clause: tuple(each for each in found if each.clause == clause) for clause in clauses}


def find_stale_mutants(ruleset: str) -> Iterator[str]:
    """Yield a complaint for each text mutant whose text does not stand in its file exactly once."""
    for mutants in load_mutants(ruleset).values():
        for each in mutants:
            if each.is_text and not each.applied((ROOT / each.file).read_text(encoding="utf-8")):
                yield f"{ruleset}: {each.clause}: the text to be changed is not in {each.file} exactly once"


def detect_mutants(ruleset: str, mutants: Sequence[ClauseMutant]) -> Iterator[tuple[ClauseMutant, str]]:
    """Yield each text mutant with the example or test that detects it; empty if none does."""
    if not mutants:
        return
    with tempfile.TemporaryDirectory(prefix="jantaku-clauses-") as place:
        folder = _copy(Path(place), COPIED)
        yield from ((mutant, _detect(ruleset, mutant, folder)) for mutant in mutants)


def _copy(folder: Path, parts: Iterable[str]) -> Path:
    """Copy parts of the tree into a folder, to apply mutants in."""
    for part in parts:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    (folder / "scripts" / "__init__.py").touch()
    return folder


def _detect(ruleset: str, mutant: ClauseMutant, folder: Path) -> str:
    """Apply a mutant to a copy, ask the proofs of its clause there, and restore the file."""
    file = folder / mutant.file
    before = file.read_text(encoding="utf-8")
    changed = mutant.applied(before)
    if not changed:
        return ""
    file.write_text(changed, encoding="utf-8")
    _forget_compiled(file)
    command = [sys.executable, "-B", "-m", "scripts.conformance.clause_proofs", ruleset, mutant.clause]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return ""
    finally:
        file.write_text(before, encoding="utf-8")
        _forget_compiled(file)
    if done.returncode:
        error = done.stderr.splitlines()[-1:] or [f"exit code {done.returncode}"]
        print(f"{ruleset}: {mutant.clause}: the proofs could not run: {error[0]}", file=sys.stderr)
        return ""
    return str(json.loads(done.stdout.splitlines()[-1]))


def _forget_compiled(file: Path) -> None:
    """Remove the compiled module: a second change within the same second, of the same length, would go unseen."""
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()
