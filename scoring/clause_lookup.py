"""Clause lookup for refusals: the first clause of the table that the engine consulted when it refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.ruleset import Ruleset


def clause_of(code: str, params: Mapping[str, object], rules: Ruleset, tables: Mapping[str, str]) -> str:
    """Return the clause that a code rests on; empty where no clause of the book covers it."""
    clauses = _of_entry(params, rules) or _of_table(tables.get(code, ""), rules)
    return next(iter(clauses), "")


def _of_entry(params: Mapping[str, object], rules: Ruleset) -> Iterable[str]:
    """Return the clauses of the ledger or offence named in the parameters, or of the first yaku that gives the han."""
    for ledger in rules.ledgers:
        if ledger.key == params.get("ledger"):
            return ledger.clauses
    for offence in rules.play.penalties.offences if rules.play else ():
        if offence.key == params.get("offence"):
            return offence.clauses
    return _of_reason(str(params.get("because", "")).split(", ")[0], rules)


def _of_reason(name: str, rules: Ruleset) -> Iterable[str]:
    """Return the clauses of a yaku or of a prize; none for another name."""
    if rules.play is None or not name:
        return ()
    for yaku, each in rules.play.yaku.items():
        if yaku.value == name:
            return each.clauses
    for event, award in rules.play.chips.awards.items() if rules.play.chips else ():
        if event.value == name:
            return award.clauses
    return {"bazoro": rules.play.value.clauses, "win": rules.play.win.clauses}.get(name, ())


def _of_table(path: str, rules: Ruleset) -> tuple[str, ...]:
    """Return the clauses of a table such as "play.riichi.open"; none if the book does not have the table."""
    node: object = rules
    for name in path.split("."):
        node = getattr(node, name, None)
    return getattr(node, "clauses", ())
