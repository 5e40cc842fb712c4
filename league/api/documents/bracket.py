"""The bracket document: flat arrays that name one another by id."""

from __future__ import annotations

from collections.abc import Mapping

from league.api.documents.common import Document, block_ref, both, competition_ref, moment, person, ref, stage_ref
from league.api.documents.competitions import awaiting_documents, champion_document, rules_document
from league.api.documents.schedule import seat_of, state_of, table_facts
from league.api.documents.standings import LANGUAGES, ledger_document
from league.messages import slot_reason, source_label
from league.models import Entrant, Outcome, SlotState
from league.names import Names, names_of
from league.selectors.bracket import Bracket, Link
from league.selectors.people import ledgers_shown, person_shown
from league.selectors.readers import Reader
from league.selectors.schedule import PlayedHanchan, PlayedTable
from league.selectors.standings import BlockTable
from scoring.ruleset import Ledger

FEW = 4
"""Candidates are named once no more than these can still take a slot."""


def bracket_document(found: Bracket) -> Document:
    """The whole ladder."""
    reader = found.reader
    names = {language: names_of([table.block for table in found.tables], language) for language in LANGUAGES}
    ranking = found.ruleset.ranking_ledger
    ledger = ranking if ranking in ledgers_shown(reader, found.ruleset) else None
    awaiting = awaiting_documents(found.outcome)
    return {
        "competition": {**competition_ref(reader.competition), "status": reader.competition.status},
        "as_of": reader.version,
        "final": all(table.is_complete for table in found.tables) and not awaiting,
        "rules": rules_document(found.rules, reader.competition),
        "ledger": ledger_document(ranking),
        "champion": champion_document(found.outcome),
        "awaiting": awaiting,
        "entrants": [
            entrant_document(reader, row) for row in found.entrants if person_shown(reader, row.player) is not None
        ],
        "stages": stage_documents(found),
        "blocks": [block_document(table) for table in found.tables],
        "slots": [slot_document(state, ledger, names) for table in found.tables for state in table.slots],
        "pools": pool_documents(found.outcome, names),
        "sessions": [
            {"id": ref(row.pk), "number": row.number, "name": row.name, "name_en": row.name_en}
            for row in found.sessions
        ],
        "table_sessions": [table_document(reader, played) for played in found.played],
        "hanchan": [hanchan_document(reader, each, ledger) for played in found.played for each in played.hanchan],
        "links": [link_document(link) for link in found.links],
    }


def entrant_document(reader: Reader, row: Entrant) -> Document:
    """An entrant with names and the affiliation of that season."""
    return {
        "id": ref(row.pk),
        "key": row.player.key,
        "player": ref(row.player_id),
        "number": row.number,
        **person(reader, row.player, row.affiliation),
        "withdrawn_at": moment(row.withdrawn_at, reader.competition),
    }


def stage_documents(found: Bracket) -> list[Document]:
    """The stages in order, each with the ids of its blocks."""
    stages: dict[int, Document] = {}
    for table in found.tables:
        stage = table.block.stage
        document = stages.setdefault(
            stage.pk, {**stage_ref(stage), "order": stage.order, "hanchan_count": stage.hanchan_count, "blocks": []}
        )
        document["blocks"].append(ref(table.block.pk))
    return list(stages.values())


def block_document(table: BlockTable) -> Document:
    """A block and how far it is."""
    return {
        **block_ref(table.block),
        "stage": ref(table.block.stage_id),
        "order": table.block.order,
        "planned": table.planned,
        "played": table.played,
        "is_complete": table.is_complete,
    }


def slot_document(state: SlotState, ledger: Ledger | None, names: Mapping[str, Names]) -> Document:
    """A slot: who sits there, how sure that is, where they come from."""
    source = state.source or state.slot.source
    return {
        "id": ref(state.slot_id),
        "block": ref(state.slot.block_id),
        "number": state.slot.number,
        "state": state.state,
        "entrant": ref(state.entrant_id),
        "source": source,
        "label": both(lambda language: source_label(source, names[language])),
        "candidates": [str(pk) for pk in state.candidates] if len(state.candidates) <= FEW else [],
        "candidates_count": len(state.candidates),
        "reason": state.reason,
        "reason_label": both(lambda _language: slot_reason(state.reason)),
        "carried": None if state.carried is None or ledger is None else ledger.text(state.carried),
        "note": state.note,
    }


def pool_documents(outcome: Outcome | None, names: Mapping[str, Names]) -> list[Document]:
    """The entrants of drawn stages, in the order a draw counts them."""
    return [
        {
            "stage": stage,
            "number": place["number"],
            "state": place["state"],
            "entrant": ref(place["entrant"]),
            "source": place["source"],
            "label": both(lambda language, source=place["source"]: source_label(source, names[language])),  # type: ignore[misc]
        }
        for stage, pool in (outcome.pools if outcome else {}).items()
        for place in pool
    ]


def table_document(reader: Reader, played: PlayedTable) -> Document:
    """A table session and the ids of its hanchan."""
    row = played.table_session
    return {
        **table_facts(reader, row),
        "session": ref(row.session_id),
        "block": ref(row.block_id),
        "is_complete": played.is_complete,
        "hanchan": [ref(each.hanchan.pk) for each in played.hanchan],
    }


def hanchan_document(reader: Reader, played: PlayedHanchan, ledger: Ledger | None) -> Document:
    """A hanchan and its seats."""
    row = played.hanchan
    return {
        "id": ref(row.pk),
        "table_session": ref(row.table_session_id),
        "block": ref(row.block_id),
        "round": row.round,
        "number": row.number,
        "state": state_of(played),
        "revision": played.sheet.revision if played.sheet else None,
        "seats": [
            {
                **{key: value for key, value in seat_of(reader, seat).items() if key in SEAT},
                "score": seat.score,
                "place": seat.place,
                "points": ledger.text(seat.points) if ledger else None,
            }
            for seat in played.results
        ]
        or [
            {
                **{key: value for key, value in seat_of(reader, seat).items() if key in SEAT},
                "score": None,
                "place": None,
                "points": None,
            }
            for seat in played.planned
        ],
    }


SEAT = ("seat", "entrant", "player", "is_substitute")


def link_document(link: Link) -> Document:
    """Where the entrant of a slot comes from."""
    return {
        "slot": ref(link.slot.slot_id),
        "to_block": ref(link.slot.slot.block_id),
        "kind": link.kind,
        "from_block": ref(link.block),
        "from_stage": link.stage,
        "rank": link.rank,
        "number": link.number,
        "source": link.slot.source or link.slot.slot.source,
    }
