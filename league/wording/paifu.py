"""Differences between logs of online games and our rules, in the reader's words."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.paifu.compare import Difference


def difference_text(found: Difference, names: Sequence[str]) -> str:
    """Return a difference as a sentence, preceded by the winner whom it concerns; `names` are by seat."""
    return str(found) if found.seat is None else f"{names[found.seat]}: {found}"
