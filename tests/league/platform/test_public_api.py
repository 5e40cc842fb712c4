"""Test that the product uses no private or undocumented name of its frameworks."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import league
from league.platform.environment import ROOT

PUBLIC = {"_meta", "_asdict", "_replace"}
"""Documented names with an underscore."""
UNDOCUMENTED = {
    "as_sql",
    "fields_cache",
    "get_compiler",
    "get_conditional_response",
    "nr_conns",
    "re_accepts_gzip",
    "sql_with_params",
}
FRAMEWORKS = ("celery", "django", "django_otp", "gunicorn", "rest_framework", "knox", "kombu", "waitress")


def sources() -> Iterator[tuple[str, ast.Module]]:
    for package in ("league", "rulesets", "scoring", "deploy"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def private_names(tree: ast.Module) -> Iterator[str]:
    """Yield names that are undocumented or private to another object or module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            is_super = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "super"
            if is_private(node.attr) and (is_super or not is_own):
                yield node.attr
            if node.attr in UNDOCUMENTED:
                yield node.attr
        if isinstance(node, ast.ImportFrom):
            yield from (name.name for name in node.names if is_private(name.name) or name.name in UNDOCUMENTED)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and not name.endswith("_") and name not in PUBLIC


def test_no_private_or_undocumented_name_is_used_or_imported() -> None:
    found = [(path, name) for path, tree in sources() for name in private_names(tree)]
    assert found == []


def test_no_class_overrides_a_private_method_of_a_framework() -> None:
    found = []
    for module in pkgutil.walk_packages(league.__path__, "league."):
        if ".migrations." in module.name:
            continue
        for _name, cls in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if cls.__module__ != module.name:
                continue
            bases = [base for base in cls.__mro__[1:] if base.__module__.split(".")[0] in FRAMEWORKS]
            private = [name for name, value in vars(cls).items() if is_private(name) and inspect.isfunction(value)]
            found += [(cls.__qualname__, name) for name in private if any(name in vars(base) for base in bases)]
    assert found == []
