"""Competitions, their stages and the rules they are played by."""

from __future__ import annotations

from collections.abc import Sequence

from league.api.documents.common import Document, block_ref, moment, ref
from league.models import Competition, Outcome, RulesInForce, Stage
from league.selectors.readers import Reader


def competition_document(reader: Reader) -> Document:
    """A competition by itself."""
    row = reader.competition
    return {
        "id": ref(row.pk),
        "slug": row.slug,
        "name": row.name,
        "name_en": row.name_en,
        "kind": row.kind,
        "status": row.status,
        "time_zone": row.time_zone,
        "as_of": reader.version,
    }


def competition_detail(reader: Reader, rules: Sequence[RulesInForce], stages: Sequence[Stage]) -> Document:
    """A competition with its stages and its rules, those in force last."""
    return {
        **competition_document(reader),
        "rules": [rules_document(row, reader.competition) for row in rules],
        "stages": [stage_document(stage) for stage in stages],
    }


def rules_document(row: RulesInForce, competition: Competition) -> Document:
    """Rules in force: which revisions, with which options, since when."""
    return {
        "id": ref(row.pk),
        "ruleset": row.ruleset.name,
        "ruleset_revision": row.ruleset.number,
        "format": row.format.name,
        "format_revision": row.format.number,
        "options": row.options,
        "digest": row.digest,
        "effective_from": moment(row.effective_from, competition),
    }


def stage_document(stage: Stage) -> Document:
    """A stage with its blocks."""
    return {
        "id": ref(stage.pk),
        "key": stage.key,
        "order": stage.order,
        "name": stage.name,
        "name_en": stage.name_en,
        "hanchan_count": stage.hanchan_count,
        "blocks": [block_ref(block) for block in stage.blocks.all()],
    }


def champion_document(outcome: Outcome | None) -> Document | None:
    """Who has won or leads; None where the format has no champion."""
    if outcome is None or not outcome.champion_state:
        return None
    return {"state": outcome.champion_state, "entrant": ref(outcome.champion_id)}


def awaiting_documents(outcome: Outcome | None) -> list[Document]:
    """The ties that wait for a ruling."""
    return [
        {
            "scope": tie["scope"],
            "entrants": [str(entrant) for entrant in tie["entrants"]],
            "ranks": tie["ranks"],
            "places": tie["places"],
            "slots": [{"block": block, "number": number} for block, number in tie["slots"]],
        }
        for tie in (outcome.awaiting if outcome else [])
    ]
