"""On which clause a refusal rests: the first of the table that the engine looked into when it refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.ruleset import Ruleset


def clause_of(code: str, params: Mapping[str, object], rules: Ruleset, tables: Mapping[str, str]) -> str:
    """Return the clause that a code rests on; empty where none of the book's says it."""
    clauses = _of_entry(params, rules) or _of_table(tables.get(code, ""), rules)
    return next(iter(clauses), "")


def _of_entry(params: Mapping[str, object], rules: Ruleset) -> Iterable[str]:
    """The clauses of the very ledger or offence that is spoken of."""
    for ledger in rules.ledgers:
        if ledger.key == params.get("ledger"):
            return ledger.clauses
    for offence in rules.play.penalties.offences if rules.play else ():
        if offence.key == params.get("offence"):
            return offence.clauses
    return ()


def _of_table(path: str, rules: Ruleset) -> tuple[str, ...]:
    """The clauses of a table such as "play.riichi.open"; none where the book does not have it."""
    node: object = rules
    for name in path.split("."):
        node = getattr(node, name, None)
    return getattr(node, "clauses", ())
