"""Where a clause of a rule book is read."""

from __future__ import annotations

from league.selectors.rulebooks.clauses import clause_address, clauses_by_id


def clause_link(number: str) -> dict[str, str] | None:
    """A clause's number with its address, which is empty where no book has it; nothing without a number."""
    if not number:
        return None
    return {"id": number, "url": clause_address(number) if number in clauses_by_id() else ""}
