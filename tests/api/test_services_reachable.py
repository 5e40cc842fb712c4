"""Test that every change an organizer can make is offered over REST, or that a stated reason says why it is not."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVICES, API = ROOT / "league" / "services", ROOT / "league" / "api"
REASONS = tomllib.loads((Path(__file__).parent / "unreachable_services.toml").read_text(encoding="utf-8"))
REASON_BY_SERVICE = {service: group["reason"] for group in REASONS["groups"] for service in group["services"]}


def trees(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Yield every module of a folder, parsed."""
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def is_service(node: ast.stmt) -> bool:
    """Return True for a public function that writes all or nothing, on behalf of an actor."""
    if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
        return False
    takes = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    marks = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
    return "by" in takes and "all_or_nothing" in marks


@cache
def services() -> dict[str, str]:
    """Return the write services as `package.module.function`, with their modules."""
    found: dict[str, str] = {}
    for path, tree in trees(SERVICES):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        short = module.removeprefix("league.services.")
        found |= {f"{short}.{node.name}": module for node in tree.body if is_service(node) and hasattr(node, "name")}
    return found


def called() -> set[str]:
    """Return what the API imports from services, by full name, and which attributes of imported modules it uses."""
    found: set[str] = set()
    for _path, tree in trees(API):
        modules: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("league.services"):
                for each in node.names:
                    found.add(f"{node.module}.{each.name}")
                    modules[each.asname or each.name] = f"{node.module}.{each.name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                found.add(f"{modules[node.value.id]}.{node.attr}")
    return found


@cache
def unreached() -> set[str]:
    """Return the services that the API does not call."""
    reached = called()
    return {name for name, module in services().items() if f"{module}.{name.rpartition('.')[2]}" not in reached}


def test_every_service_is_reachable_over_rest_or_says_why_not() -> None:
    assert sorted(unreached() - set(REASON_BY_SERVICE)) == []


def test_no_reason_is_given_for_a_service_that_is_reachable_or_gone() -> None:
    assert sorted(set(REASON_BY_SERVICE) - unreached()) == []


def test_services_are_found() -> None:
    assert "results.entry.record_result" not in unreached()
    assert len(services()) > 150
