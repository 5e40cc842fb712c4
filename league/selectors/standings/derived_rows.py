"""Derived rows of a competition as they are stored, made from a derivation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from league.models import Audience, Block, Competition, Outcome, Slot, SlotState, Standing
from league.selectors.standings.derivation import Derivation
from league.selectors.standings.facts import id_of, id_or_none
from scoring import stages
from scoring.stages import Awaiting, Resolution
from scoring.standings import Decision, Ranked, Standings


@dataclass(frozen=True, slots=True)
class RowTargets:
    """Blocks by key and slots by block key and number, to which derived rows of a competition belong."""

    competition: Competition
    blocks: Mapping[str, Block]
    slots: Mapping[tuple[str, int], Slot]

    @classmethod
    def of(cls, competition: Competition) -> RowTargets:
        """Read a competition's blocks, in the order of the format, and slots once, for the rows of all audiences."""
        found = Block.objects.filter(competition=competition).select_related("stage")
        blocks = {block.pk: block for block in found.order_by("stage__order", "order")}
        slots = list(Slot.objects.filter(block__in=blocks).order_by())
        for slot in slots:
            slot.block = blocks[slot.block_id]
        return cls(
            competition,
            {block.key: block for block in blocks.values()},
            {(slot.block.key, slot.number): slot for slot in slots},
        )


Rows = tuple[list[Standing], list[SlotState], list[Outcome]]


def known_public(places: RowTargets, rows: Mapping[Audience, Rows]) -> Mapping[str, Any]:
    """Return the public's rows as selectors cache them in `Reader.known`; the rows have no entrants."""
    standings, states, outcomes = rows[Audience.PUBLIC]
    return {
        "blocks": list(places.blocks.values()),
        "standings": sorted(standings, key=lambda row: (row.block.stage.order, row.block.order, row.position)),
        "states": sorted(states, key=lambda state: (state.slot.block_id, state.slot.number)),
        "outcome": outcomes[0],
        "held_back": _certain(rows[Audience.STAFF][1]) - _certain(states),
    }


def _certain(states: Iterable[SlotState]) -> frozenset[tuple[int, int]]:
    """Return block and entrant of every certain slot."""
    certain = (row for row in states if row.state == SlotState.State.CERTAIN)
    return frozenset((row.slot.block_id, row.entrant_id) for row in certain if row.entrant_id)


def derivation_rows(places: RowTargets, derivation: Derivation, audience: Audience) -> Rows:
    """Return a derivation as unsaved rows of this audience, without version."""
    standings = [
        row
        for key, standings in derivation.standings.items()
        for row in standing_rows(places.blocks[key], standings, derivation)
    ]
    states = [
        slot_row(places.slots[state.block, state.number], state)
        for of_block in derivation.resolution.slots.values()
        for state in of_block
    ]
    outcomes = [outcome_row(places.competition, derivation.resolution)]
    for row in (*standings, *states, *outcomes):
        row.audience = str(audience)
    return standings, states, outcomes


def standing_rows(block: Block, standings: Standings, derivation: Derivation) -> Iterator[Standing]:
    """Yield a block's standings as rows, each with the decision that separates it from the neighbour above."""
    decided = {decision.below: decision for decision in standings.decisions}
    leads_to = derivation.resolution.destinations.get(block.key, ())
    for line in standings.ranked:
        yield Standing(
            block=block,
            entrant_id=id_of(line.entrant),
            position=line.position,
            rank=line.rank,
            is_ranked=line.is_ranked,
            is_tied=line.tied,
            total=line.total,
            carried=line.row.carried,
            adjustment=line.row.adjustment,
            credited=line.row.credited,
            status=derivation.facts.leaving.get(id_of(line.entrant), ""),
            played=line.played,
            places=list(line.places),
            destination=leads_to[line.position - 1] if line.position <= len(leads_to) else "",
            decision=decision_json(decided.get(line.entrant), line),
        )


def decision_json(decision: Decision | None, line: Ranked) -> dict[str, object] | None:
    """Return the decision between an entrant and the neighbour above as JSON, with the hanchan that decided."""
    if decision is None:
        return None
    return {
        "above": decision.above,
        "below": line.entrant,
        "criterion": decision.criterion,
        "number": decision.number,
        "above_value": decision.above_value,
        "below_value": decision.below_value,
        "above_hanchan": decision.above_ref,
        "below_hanchan": decision.below_ref,
        "clause": decision.clause,
    }


def slot_row(slot: Slot, state: stages.SlotState) -> SlotState:
    """Return a slot's state as an unsaved row."""
    return SlotState(
        slot=slot,
        state=state.state.value,
        entrant_id=id_or_none(state.entrant),
        source=state.source,
        candidates=list(state.candidates),
        reason=state.reason.value,
        carried=state.carried,
        note=state.note,
    )


def outcome_row(competition: Competition, resolution: Resolution) -> Outcome:
    """Return the competition's outcome as an unsaved row."""
    champion = resolution.champion
    return Outcome(
        competition=competition,
        champion_id=id_or_none(champion.entrant) if champion else None,
        champion_state=champion.state.value if champion else "",
        awaiting=[awaiting_json(tie) for tie in resolution.awaiting],
        pools={
            stage: [
                {"number": slot.number, "state": slot.state.value, "entrant": slot.entrant, "source": slot.source}
                for slot in pool
            ]
            for stage, pool in resolution.pools.items()
        },
    )


def awaiting_json(tie: Awaiting) -> dict[str, object]:
    """Return a tie that awaits a ruling as JSON."""
    return {
        "scope": tie.scope,
        "entrants": list(tie.entrants),
        "ranks": list(tie.ranks),
        "places": list(tie.places),
        "slots": [list(slot) for slot in tie.slots],
    }
