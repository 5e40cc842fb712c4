"""Every function that reads a file, pasted text or a typed cell takes time in proportion to its length.

The readers are found by their signatures, so that a new one is tried without being listed here. `test_readers_fuzzed`
tries each regular expression by itself.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import pkgutil
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import ModuleType
from typing import Any

import pytest

import league.files
import rulesets
import scoring.paifu
from league.files.archive import unseal
from league.files.paifu.fields import wholes
from league.files.result_rows import columns_of
from league.files.season_archive import facts_in
from league.files.tables import read_table
from rulesets import loader

PACKAGES = (league.files, rulesets, scoring.paifu)
MODULES = (
    "league.forms.fields", "league.platform.masking", "league.selectors.exchange.row_matching",
    "league.selectors.people.name_parts", "league.selectors.people.rosters", "league.selectors.people.search",
    "league.services.live.log_files", "league.wording.formatting", "league.wording.marks", "scoring.hand.notation",
    "scoring.hand.tiles", "scoring.written_log",
)  # fmt: skip
"""Modules outside the packages that read texts, without a database."""
NAMES = frozenset({"text", "data", "source", "line", "cell", "content", "pasted"})
"""Parameters that hold what a user wrote."""
LENGTH, QUICK = 16_000, 0.04
"""Signs of a text, and the processor seconds below which no growth is measured."""
GROWTH = 8
"""A text four times as long takes four times as long, sixteen times if the time is quadratic."""
PARTS = (
    "(", "[", "{", '"', "'", ",", "\n", "9", "\u0301\u0323", "（", "a,", "[[", "x=[", "\n#", "<a>", "&a;", "0.", '\t"',
    '{"a":', "<!--", "　", "- ", "1-", "\\",
)  # fmt: skip
RULES = loader.load("cinderella")
COLUMNS = columns_of(RULES)
HEAD = "節,卓,回戦,東家,東家の点,南家,南家の点,西家,西家の点,北家,北家の点,供託\n"
LISTED: dict[str, Callable[[Any], object]] = {
    "league.files.archive.unseal": lambda data: unseal(data, lambda _name: True),
    "league.files.season_archive.facts_in": lambda text: (facts_in(text, "series"), facts_in(text, "ranking")),
    "league.files.paifu.fields.wholes": lambda text: wholes(text, "a"),
    "league.files.tables.read_table": lambda text: (read_table(text, COLUMNS), read_table(HEAD + text, COLUMNS)),
}
"""Readers that need more than what was written."""
OTHERS = {
    "rulesets.format_builder.picks.pick_of": "a choice offered by the builder, compared with those it knows",
    "rulesets.loader.read_model": "parses by the functions beside it, which are tried with their models",
}
"""Functions with such a parameter that read nothing which a user wrote, with the reason."""


def modules() -> Iterator[ModuleType]:
    """Yield every module that may hold readers."""
    for package in PACKAGES:
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not each.name.endswith("__main__"):
                yield importlib.import_module(each.name)
    yield from map(importlib.import_module, MODULES)


@cache
def reading_functions() -> dict[str, tuple[Callable[..., object], list[inspect.Parameter]]]:
    """Return the public functions whose first parameter is a text or bytes, with their parameters, by name."""
    found: dict[str, tuple[Callable[..., object], list[inspect.Parameter]]] = {}
    for module in modules():
        for name, each in vars(module).items():
            function = inspect.unwrap(each) if callable(each) else each
            if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            parameters = [*inspect.signature(function).parameters.values()]
            if parameters and parameters[0].name in NAMES and str(parameters[0].annotation) in KINDS:
                found[f"{module.__name__}.{name}"] = function, parameters
    return found


KINDS = ("str", "bytes", "bytes | str", "str | bytes")


def readers() -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield each reader as a function of what was written; one that needs more has to be listed."""
    for name, (function, parameters) in reading_functions().items():
        if name in OTHERS:
            continue
        needed = [each for each in parameters[1:] if each.default is inspect.Parameter.empty]
        if name in LISTED:
            yield name, LISTED[name]
        elif all(each.name in ("source", "name") and str(each.annotation) == "str" for each in needed):
            more = {each.name: "pasted" for each in needed}
            yield name, partial(function, **more)
        else:
            raise AssertionError(f"{name} needs {[each.name for each in needed]}: list it, or say why it reads nothing")


def takes_bytes(name: str) -> bool:
    """Return True if a reader takes bytes alone."""
    return str(reading_functions()[name][1][0].annotation) == "bytes"


def seconds(read: Callable[[Any], object], written: str | bytes) -> float:
    """Return the processor seconds that reading takes; a refusal is as good as an answer, deep recursion is not."""
    gc.disable()  # a collection of all that the tests have loaded takes longer than reading
    begun = time.process_time()
    try:
        read(written)
    except (RecursionError, MemoryError):
        raise
    except Exception:  # noqa: BLE001, S110 - which refusals are clear is told by other tests
        pass
    finally:
        spent = time.process_time() - begun
        gc.enable()
    return spent


FOUND = dict(readers())


@pytest.mark.parametrize("name", FOUND)
def test_a_reader_takes_time_in_proportion_to_what_it_reads(name: str) -> None:
    read = FOUND[name]
    for part in PARTS:
        long = part * (LENGTH // len(part))
        quarter = part * (LENGTH // 4 // len(part))
        given: tuple[Any, Any] = (long.encode(), quarter.encode()) if takes_bytes(name) else (long, quarter)
        if seconds(read, given[0]) > QUICK:
            spent = seconds(read, given[0])  # again: a busy machine may have held up the first
            assert spent < GROWTH * seconds(read, given[1]) + QUICK, repr(part)
