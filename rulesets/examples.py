"""Run worked examples against the engine: `python -m rulesets.examples FILE.toml ... [--ruleset NAME]`.

A file opens with `[conventions]` (its ruleset, its format, the meaning of an absent key); each table after that is
one example of its kind. A file of examples about formats needs no ruleset; the formats it names are read from
`formats.examples.toml` beside it. Failures are printed with the expected and the actual result, disputed examples are
listed separately, and the last line has the counts. The exit status is 0 if nothing failed, 1 on a failure, 2 on a
file that cannot be read.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeGuard, TypeVar

from pydantic import ValidationError

from rulesets import loader
from rulesets.example_kinds import FORMAT_KINDS, KINDS, Context, Example, FormatContext, Mismatch
from rulesets.example_kinds.shape import Conventions
from rulesets.formats import format_names, load_format
from rulesets.lines import line_of, syntax_line
from rulesets.toml_text import toml_of
from scoring.format import Format
from scoring.ruleset import Fault, FaultsError, Ruleset
from scoring.ruleset.base import Strict
from scoring.ruleset.faults import faults_of

FILE = "examples.toml"
FORMATS_FILE = "formats.examples.toml"

Table = TypeVar("Table", bound=Strict)


class ExampleFileError(FaultsError):
    """Raised for a file of examples that cannot be run."""


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """The outcome of one example."""

    source: str
    kind: str
    example: Example
    differences: tuple[Mismatch, ...]

    @property
    def is_passed(self) -> bool:
        """True if the engine agrees with the example."""
        return not self.differences


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of all examples."""

    outcomes: tuple[ExampleOutcome, ...] = ()

    def __add__(self, other: "Report") -> "Report":
        return Report(self.outcomes + other.outcomes)

    @property
    def passed(self) -> list[ExampleOutcome]:
        """Undisputed examples that agree with the engine."""
        return [each for each in self.outcomes if each.is_passed and not each.example.disputed]

    @property
    def failed(self) -> list[ExampleOutcome]:
        """Undisputed examples that differ from the engine."""
        return [each for each in self.outcomes if not each.is_passed and not each.example.disputed]

    @property
    def disputed(self) -> list[ExampleOutcome]:
        """Examples that are thought to be wrong themselves."""
        return [each for each in self.outcomes if each.example.disputed]


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """A parsed file of examples: every example with its kind, in the order of the file."""

    source: str
    context: Context
    examples: tuple[tuple[str, Example], ...]


@dataclass(frozen=True, slots=True)
class FormatExampleFile:
    """A parsed file of examples about formats."""

    source: str
    context: FormatContext
    examples: tuple[tuple[str, Example], ...]


def text_of(name: str) -> str:
    """Return the text of the worked examples that come with a ruleset; empty if it has none."""
    path = loader.FOLDER / name / FILE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def read(path: Path, ruleset: str | None = None) -> ExampleFile:
    """Read a file of examples; raise ExampleFileError with all its faults."""
    source = str(path)
    try:
        return parse(path.read_text(encoding="utf-8"), source, ruleset)
    except (OSError, UnicodeDecodeError) as error:
        raise ExampleFileError((Fault(source, "", None, f"this file cannot be read: {error}"),)) from error


def read_any(path: Path, ruleset: str | None = None) -> ExampleFile | FormatExampleFile:
    """Read a file of examples under rules, or about formats; raise ExampleFileError with all its faults."""
    source = str(path)
    try:
        text = path.read_text(encoding="utf-8")
        data = _toml(text, source)
        if not data.keys() & FORMAT_KINDS.keys():
            return parse(text, source, ruleset)
        beside = path.with_name(FORMATS_FILE)
        return parse_formats(text, source, beside.read_text(encoding="utf-8") if beside.is_file() else "")
    except (OSError, UnicodeDecodeError) as error:
        raise ExampleFileError((Fault(source, "", None, f"this file cannot be read: {error}"),)) from error


def parse_formats(text: str, source: str, formats: str = "") -> FormatExampleFile:
    """Parse examples about formats; `formats` is the text of a file whose formats they may name.

    Raise ExampleFileError with every fault.
    """
    data = _toml(text, source)
    faults = list(_unknown_kinds(source, data, FORMAT_KINDS))
    examples: list[tuple[str, Example]] = []
    for kind, index, table in _tables(data, FORMAT_KINDS):
        example, found = _table(FORMAT_KINDS[kind].model, table, source, f"{kind}.{index}")
        faults += found
        examples += [(kind, example)] if example else []
    faults += _ids_used_twice(source, examples)
    texts = {**_format_texts(_toml(formats, FORMATS_FILE)), **_format_texts(data)}
    if faults:
        raise ExampleFileError(tuple(replace(each, line=each.line or line_of(each.key, text)) for each in faults))
    return FormatExampleFile(source, FormatContext(texts), tuple(examples))


def _format_texts(data: Mapping[str, object]) -> dict[str, str]:
    """Return the texts of the formats in a file of examples, by name."""
    tables = data.get("format", [])
    found = [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []
    return {str(each["name"]): str(each["text"]) for each in found if {"name", "text"} <= each.keys()}


def parse(text: str, source: str, ruleset: str | Ruleset | None = None) -> ExampleFile:
    """Parse examples from their text; a ruleset given here replaces the one that their conventions name.

    Raise ExampleFileError with every fault.
    """
    data = _toml(text, source)
    faults = list(_unknown_kinds(source, data, KINDS))
    conventions, found = _table(Conventions, data.get("conventions", {}), source, "conventions")
    faults += found
    examples: list[tuple[str, Example]] = []
    for kind, index, table in _tables(data, KINDS):
        example, found = _table(KINDS[kind].model, table, source, f"{kind}.{index}")
        faults += found
        examples += [(kind, example)] if example else []
    faults += _ids_used_twice(source, examples)
    rules, found = _ruleset(source, ruleset or (conventions.ruleset if conventions else None))
    faults += found
    format_, found = _format(source, conventions.format if conventions else None)
    faults += found
    if faults or rules is None or conventions is None:
        raise ExampleFileError(tuple(replace(each, line=each.line or line_of(each.key, text)) for each in faults))
    return ExampleFile(source, Context(rules, conventions.absent, format_), tuple(examples))


def run(file: ExampleFile | FormatExampleFile) -> Report:
    """Run every example of a file, in its order."""
    outcomes = (
        ExampleOutcome(file.source, kind, example, _differences(kind, example, file.context))
        for kind, example in file.examples
    )
    return Report(tuple(outcomes))


def _differences(kind: str, example: Example, context: Context | FormatContext) -> tuple[Mismatch, ...]:
    """Return the differences of an example; one on which the rules raise an error has failed too."""
    kinds = KINDS if isinstance(context, Context) else FORMAT_KINDS
    try:
        return tuple(kinds[kind].run(example, context))
    except (ValueError, ArithmeticError, LookupError) as error:
        return (Mismatch(kind, "an answer", f"{type(error).__name__}: {error}"),)


def _toml(text: str, source: str) -> dict[str, object]:
    try:
        return toml_of(text)
    except ValueError as error:
        fault = Fault(source, "", None, f"this file cannot be read: {error}", syntax_line(error, text))
        raise ExampleFileError((fault,)) from error


def _unknown_kinds(source: str, data: Mapping[str, object], kinds: Iterable[str]) -> Iterator[Fault]:
    """Yield faults of the top level of a file: only conventions and lists of known kinds are allowed."""
    known = ("conventions", *kinds)
    for key, value in data.items():
        if key not in known:
            yield Fault(source, key, None, f"there is no such kind of example; there are {', '.join(known[1:])}")
        elif key != "conventions" and not _is_list_of_tables(value):
            yield Fault(source, key, value, f"write each example as a table [[{key}]]")


def _is_list_of_tables(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _tables(data: Mapping[str, object], kinds: Iterable[str]) -> Iterator[tuple[str, int, object]]:
    """Yield every example of these kinds with its kind and its number in the file."""
    for kind in kinds:
        tables = data.get(kind, [])
        if _is_list_of_tables(tables):
            yield from ((kind, index, table) for index, table in enumerate(tables))


def _table(model: type[Table], table: object, source: str, key: str) -> tuple[Table | None, list[Fault]]:
    """Return one table as its model, or its faults."""
    try:
        return model.model_validate_json(json.dumps(table, default=str)), []
    except ValidationError as error:
        faults = faults_of(error, model, table, source)
        return None, [replace(each, key=f"{key}.{each.key}".rstrip(".")) for each in faults]


def _ids_used_twice(source: str, examples: Sequence[tuple[str, Example]]) -> Iterator[Fault]:
    for id_, count in Counter(example.id for _, example in examples).items():
        if count > 1:
            yield Fault(source, "id", id_, f"{count} examples have this id; each needs its own")


def _ruleset(source: str, name: str | Ruleset | None) -> tuple[Ruleset | None, list[Fault]]:
    """Return a ruleset as given, by its name, or from the user's own file; or its faults."""
    if isinstance(name, Ruleset):
        return name, []
    if name is None:
        allowed = "name the ruleset here or with --ruleset; there are " + ", ".join(loader.names())
        return None, [Fault(source, "conventions.ruleset", None, allowed)]
    try:
        if name.endswith(".toml"):
            return loader.parse(Path(name).read_text(encoding="utf-8"), name), []
        return loader.load(name), []
    except loader.RulesetError as error:
        return None, list(error.faults)
    except (KeyError, OSError, UnicodeDecodeError):
        allowed = "a file ending in .toml, or one of " + ", ".join(loader.names())
        return None, [Fault(source, "conventions.ruleset", name, f"there is no such ruleset; allowed is {allowed}")]


def _format(source: str, name: str | None) -> tuple[Format | None, list[Fault]]:
    if name is None or name in format_names():
        return (load_format(name) if name else None), []
    allowed = ", ".join(format_names())
    return None, [Fault(source, "conventions.format", name, f"there is no such format; there are {allowed}")]


def lines(report: Report) -> Iterator[str]:
    """Yield the lines to print: failures, disputed examples, and the counts last."""
    for outcome in report.failed:
        yield f"FAILED {outcome.example.id} ({outcome.source}, {outcome.kind})"
        yield from (f"    {difference}" for difference in outcome.differences)
    for outcome in report.disputed:
        verdict = "agrees with the engine" if outcome.is_passed else "differs from the engine"
        yield f"disputed {outcome.example.id} ({verdict}): {outcome.example.disputed}"
    counts = [f"{len(report.passed)} passed", f"{len(report.failed)} failed"]
    if report.disputed:
        counts.append(f"{len(report.disputed)} disputed")
    yield ", ".join(counts)


def main(arguments: Sequence[str]) -> int:
    """Run the named files and return the exit status; no file is run if one of them cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m rulesets.examples", description="Run worked examples.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.toml")
    parser.add_argument("--ruleset", help="the ruleset to follow instead of the file's: a name, or a file of your own")
    options = parser.parse_args(arguments)
    files: list[ExampleFile | FormatExampleFile] = []
    faults: list[Fault] = []
    for path in options.files:
        try:
            files.append(read_any(path, options.ruleset))
        except ExampleFileError as error:
            faults += error.faults
    if faults:
        print("\n".join(map(str, faults)), file=sys.stderr)
        return 2
    report = sum(map(run, files), Report())
    print("\n".join(lines(report)))
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
