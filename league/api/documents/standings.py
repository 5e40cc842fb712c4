"""A stage's standings: columns that describe themselves, and rows that say what decided each rank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from league.api.documents.common import Document, block_ref, both, competition_ref, entrant, ref, stage_ref
from league.api.documents.competitions import awaiting_documents, champion_document
from league.messages import decision_sentence, destination_label
from league.models import Block, Outcome
from league.names import Names, names_of
from league.selectors.people import ledgers_shown, person_shown
from league.selectors.readers import Reader
from league.selectors.standings import BlockTable, StandingLine
from scoring.ruleset import Ledger, Ruleset
from scoring.tiebreak import Criterion

LANGUAGES = ("ja", "en")


def standings_document(
    reader: Reader, tables: Sequence[BlockTable], every_block: Sequence[Block], outcome: Outcome | None, rules: Ruleset
) -> Document:
    """The tables of the blocks asked for, from one version."""
    names = {language: names_of(every_block, language) for language in LANGUAGES}
    ledger = rules.ranking_ledger if rules.ranking_ledger in ledgers_shown(reader, rules) else None
    keys = {table.block.key for table in tables}
    stages = {table.block.stage.key for table in tables}
    awaiting = [tie for tie in awaiting_documents(outcome) if scope_of(tie["scope"]) in keys | stages]
    return {
        "competition": competition_ref(reader.competition),
        "as_of": reader.version,
        "final": bool(tables) and all(table.is_complete for table in tables) and not awaiting,
        "ledger": ledger_document(rules.ranking_ledger),
        "columns": list(columns()),
        "champion": champion_document(outcome),
        "awaiting": awaiting,
        "blocks": [block_standings(reader, table, ledger, names) for table in tables],
    }


def scope_of(scope: str) -> str:
    """The block or the stage a ruling's scope is about."""
    return scope.removeprefix("best:").partition("#")[0]


def ledger_document(ledger: Ledger) -> Document:
    """In what totals are counted."""
    return {
        "key": ledger.key,
        "unit": ledger.unit.value,
        "scale": ledger.scale,
        "label": {"ja": ledger.title.ja, "en": ledger.title.en},
    }


def columns() -> Iterator[Document]:
    """What each column of a row means; `direction` says which values are better."""
    described = (
        ("rank", "asc", lambda: _("Rank; entrants that nothing separates share it")),
        ("name", None, lambda: _("Entrant")),
        ("total", "desc", lambda: _("Points, with those carried over and adjustments")),
        ("played", None, lambda: _("Hanchan played")),
        ("places", None, lambda: _("How often first, second, third and fourth")),
        ("gap_to_above", None, lambda: _("Points behind the entrant above")),
        ("gap_to_border", None, lambda: _("Points missing to the next better destination")),
        ("destination", None, lambda: _("Where this rank leads")),
    )
    for key, direction, say in described:
        yield {"key": key, "direction": direction, "label": both(lambda _language, say=say: say())}  # type: ignore[misc]


def block_standings(reader: Reader, table: BlockTable, ledger: Ledger | None, names: Mapping[str, Names]) -> Document:
    """One block's table."""
    shown = [line for line in table.lines if person_shown(reader, line.standing.entrant.player)]
    return {
        **block_ref(table.block),
        "stage": stage_ref(table.block.stage),
        "planned": table.planned,
        "played": table.played,
        "is_complete": table.is_complete,
        "is_empty": table.is_empty,
        "rows": [row(reader, line, table.planned, ledger, names) for line in shown],
    }


def row(
    reader: Reader, line: StandingLine, planned: int | None, ledger: Ledger | None, names: Mapping[str, Names]
) -> Document:
    """One entrant's line."""
    standing = line.standing
    return {
        "rank": standing.rank,
        "position": standing.position,
        "tied": standing.is_tied,
        **entrant(reader, standing.entrant),
        "total": points(standing.total, ledger),
        "carried": points(standing.carried, ledger),
        "adjustment": points(standing.adjustment, ledger),
        "played": standing.played,
        "planned": planned,
        "places": standing.places,
        "gap_to_above": points(line.gap_to_above, ledger),
        "gap_to_border": points(line.gap_to_border, ledger),
        "is_last_before_border": line.is_last_before_border,
        "destination": destination(standing.destination, names, standing.goes),
        "decision": decision(standing.decision, ledger),
    }


def points(value: int | None, ledger: Ledger | None) -> str | None:
    """An amount of the ranking ledger; None where there is none, or where this audience may not see it."""
    return None if value is None or ledger is None else ledger.text(value)


def destination(key: str, names: Mapping[str, Names], goes: str = "") -> Document | None:
    """Return where a rank leads; the label says where its holder goes once that is certain (`goes`)."""
    return {"key": key, "label": both(lambda language: destination_label(key, names[language], goes))} if key else None


def decision(stored: Mapping[str, Any] | None, ledger: Ledger | None) -> Document | None:
    """What separates the entrant from the neighbour above with the same total."""
    if stored is None or ledger is None:
        return None
    is_points = stored["criterion"] == Criterion.POINTS
    values = {
        side: ledger.text(stored[side]) if is_points else str(stored[side]) for side in ("above_value", "below_value")
    }
    return {
        "above": ref(stored["above"]),
        "below": ref(stored["below"]),
        "criterion": stored["criterion"],
        "number": stored["number"],
        **values,
        "above_hanchan": ref(stored["above_hanchan"]),
        "below_hanchan": ref(stored["below_hanchan"]),
        "clause": stored["clause"],
        "label": both(lambda _language: decision_sentence(stored, ledger.scale)),
    }
