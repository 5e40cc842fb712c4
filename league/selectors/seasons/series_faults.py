"""Faults of the moves after a term as findings, in the reader's language."""

from __future__ import annotations

from league.platform.errors import Finding
from league.selectors.seasons.series_moves import TermMoves
from league.selectors.seasons.series_rules import tiers_of_teams
from league.wording.names import person_name
from league.wording.seasons.series_moves import roster_fault_text
from league.wording.seasons.series_sentences import tier_titles


def names_in(found: TermMoves) -> dict[object, str]:
    """Return the names of the players of the moves by id, in the reader's language."""
    return {pk: person_name(player) for pk, player in found.players.items()}


def fault_findings(found: TermMoves) -> list[Finding]:
    """Return a finding for each fault, with the code of the engine."""
    titles, names = tier_titles(found.rules), names_in(found)
    teams = tiers_of_teams(found.rules) if found.faults else frozenset()
    return [
        Finding(
            fault.code.value,
            roster_fault_text(fault, titles, names, teams),
            params={
                "tier": fault.tier,
                "players": [str(player) for player in fault.players],
                "number": fault.number,
                "allowed": fault.allowed,
            },
        )
        for fault in found.faults
    ]
