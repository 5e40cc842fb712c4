"""Write docs/permissions.md from the table: `python -m tests.permissions.document`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby

import django

from league.platform.environment import ROOT
from tests.permissions.table import Access, Table, read_table

FILE = ROOT / "docs" / "permissions.md"
INTRODUCTION = """# Who may do what

Written from `tests/permissions/access.toml` by `python -m tests.permissions.document`; tests ask every address in every
role and compare. A page that is not in the table fails them: whoever adds one says who may.

Roles belong to one competition: a scorer of one league is a stranger in another. What each may do:

"""
HOW = """
Who may not is refused before anything they sent is looked at: by the way to the sign-in page, 401, 403, or, where they
may not even know of it (a draft, a table that is held back, a parlour's pages), 404. The services ask again, so that no
door can forget to.

A competition's tokens may do what they were made for, there and nowhere else, and only in REST; a token stands for its
maker and loses what its maker loses. A link to a table is good for that table until its last result is in. Whoever
signs in with a code is nobody before it was typed.
"""


def document() -> str:
    """Return the whole text."""
    table = read_table()
    return "".join((INTRODUCTION, *roles(table), HOW, *groups(table)))


def roles(table: Table) -> Iterator[str]:
    """Yield the rights of each role and each token of the tests."""
    yield "| who | may |\n| --- | --- |\n"
    for name, given in {**table.roles, **table.tokens}.items():
        yield f"| {name} | {', '.join(sorted(given)) or 'nothing here'} |\n"


def groups(table: Table) -> Iterator[str]:
    """Yield each group of URLs with its rules."""
    from tests.permissions.addresses import routes

    patterns: dict[str, list[str]] = {}
    for route in routes():
        patterns.setdefault(route.name, []).append(route.pattern)
    by_group = groupby(table.accesses.items(), key=lambda each: each[1].group)
    for title, found in by_group:
        yield f"\n## {title}\n\n| address | to read | to change |\n| --- | --- | --- |\n"
        yield from lines(table, list(found), patterns)


def lines(table: Table, found: Iterable[tuple[str, Access]], patterns: dict[str, list[str]]) -> Iterator[str]:
    """Yield one line for each URL."""
    for name, access in found:
        for pattern in patterns[name]:
            shown = "/" + pattern.replace("|", "\\|")
            yield f"| `{shown}` | {said(table, access.read)} | {said(table, access.write)} |\n"


def said(table: Table, rule: str) -> str:
    """Return a rule in words."""
    return table.rules[rule] if rule else "–"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    FILE.write_text(document(), encoding="utf-8")
