"""Write docs/permissions.md from the table: `python -m tests.permissions.document`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby

import django

from league.platform.environment import ROOT
from tests.permissions.table import Access, Table, read_table

FILE = ROOT / "docs" / "permissions.md"
INTRODUCTION = """# Permissions

Generated from `tests/permissions/access.toml` by `python -m tests.permissions.document`. Tests request every URL in
the roles that its rules tell apart (`make fuzz`: in every role) and compare the responses with this table; a new page
without an entry fails them.

Roles belong to one competition: a scorer of one league has no rights in another. The capabilities of each role:

"""
HOW = """
Unauthorized requests are refused before their content is read: with a redirect to the login page, 401, 403, or, where
their existence is not public (a draft, a table that is held back, a parlour's pages), 404. The services check again, so
that every entry point is covered.

A competition's tokens have their scopes in that competition only, and only in REST; a token never has more rights than
its owner has now. A link to a table is valid for that table until its last result is in, and only on the table's pages
and, in the Authorization header, for the REST operations whose rules name it. A user with two-factor login
counts as anonymous until the code is entered.
"""


def document() -> str:
    """Return the whole text."""
    table = read_table()
    return "".join((INTRODUCTION, *roles(table), HOW, *groups(table)))


def roles(table: Table) -> Iterator[str]:
    """Yield the rights of each role and each token of the tests."""
    yield "| role or token | capabilities |\n| --- | --- |\n"
    for name, given in {**table.roles, **table.tokens}.items():
        yield f"| {name} | {', '.join(sorted(given)) or 'none here'} |\n"


def groups(table: Table) -> Iterator[str]:
    """Yield each group of URLs with its rules."""
    from tests.permissions.addresses import routes

    patterns: dict[str, list[str]] = {}
    for route in routes():
        patterns.setdefault(route.name, []).append(route.pattern)
    by_group = groupby(table.accesses.items(), key=lambda each: each[1].group)
    for title, found in by_group:
        yield f"\n## {title}\n\n| URL | read | change |\n| --- | --- | --- |\n"
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
