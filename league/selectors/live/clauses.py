"""Links from the live score sheet to the clauses of a rule book."""

from __future__ import annotations

from league.selectors.rulebooks.clauses import clause_address, clauses_by_id


def clause_link(number: str) -> dict[str, str] | None:
    """Return a clause's number and URL.

    The URL is empty for a clause that no book has, and None is returned without a number.
    """
    if not number:
        return None
    return {"id": number, "url": clause_address(number) if number in clauses_by_id() else ""}
