"""On which clause a refusal rests: the first of the table that the engine looked into when it refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.ruleset import Ruleset


def clause_of(code: str, params: Mapping[str, object], rules: Ruleset, tables: Mapping[str, str]) -> str:
    """Return the clause that a code rests on; empty where none of the book's says it."""
    clauses = _of_entry(params, rules) or _of_table(tables.get(code, ""), rules)
    return next(iter(clauses), "")


def _of_entry(params: Mapping[str, object], rules: Ruleset) -> Iterable[str]:
    """The clauses of the very ledger or offence that is spoken of, or of the first yaku that gives the han."""
    for ledger in rules.ledgers:
        if ledger.key == params.get("ledger"):
            return ledger.clauses
    for offence in rules.play.penalties.offences if rules.play else ():
        if offence.key == params.get("offence"):
            return offence.clauses
    return _of_reason(str(params.get("because", "")).split(", ")[0], rules)


def _of_reason(name: str, rules: Ruleset) -> Iterable[str]:
    """The clauses of a yaku or of a prize; none for another name."""
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
    """The clauses of a table such as "play.riichi.open"; none where the book does not have it."""
    node: object = rules
    for name in path.split("."):
        node = getattr(node, name, None)
    return getattr(node, "clauses", ())
