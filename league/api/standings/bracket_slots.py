"""The slots of a bracket: their entrants, how certain those are, and the sources they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, TypedDict

from pydantic import Field

from league.api.competitions.competition_documents import SlotStateName
from league.models import SlotState
from league.selectors.standings.bracket import Link
from league.web.document_parts import InBoth, both, ref
from league.web.documents import Amount, Document, Ref
from league.wording.messages import slot_reason
from scoring.ruleset import Ledger

FEW = 4
"""The candidates of a slot are listed once there are no more than this number."""
SOURCE = "Such as A#2 (second of block A), seed:3, best:preliminary#5."


class SlotDocument(Document):
    """A place in a block: its entrant, the certainty of that, and the source of the entrant."""

    id: Ref = Field(description="The slot's id.")
    block: Ref = Field(description="The block's id.")
    number: int = Field(description="The slot's number in the block, from 1.")
    state: SlotStateName
    entrant: Ref | None = Field(description="The entrant's id; null while open.")
    source: str = Field(description=SOURCE)
    label: InBoth = Field(description="The source in words.")
    candidates: list[Ref] = Field(description="Who can still take it, once they are few.")
    candidates_count: int = Field(description="The number of entrants who can still take it.")
    reason: str = Field(description="A code for why it is not certain; may be empty.")
    reason_label: InBoth = Field(description="The reason in words.")
    carried: Amount | None = Field(description="Points the entrant carries into the block.")
    note: str = Field(description="The organizer's reason for an override.")


class PlaceInPool(TypedDict):
    """An entrant of a drawn stage as the outcome stores it."""

    number: int
    state: str
    entrant: int | None
    source: str


class Pool(Document):
    """An entrant of a drawn stage."""

    stage: str = Field(description="The stage's key.")
    number: int = Field(description="The place in the order in which a draw counts them.")
    state: SlotStateName
    entrant: Ref | None = Field(description="The entrant's id; null while open.")
    source: str = Field(description=SOURCE)
    label: InBoth = Field(description="The source in words.")


class LinkDocument(Document):
    """The source of a slot's entrant."""

    slot: Ref = Field(description="The slot's id.")
    to_block: Ref = Field(description="The id of the slot's block.")
    kind: Literal["seed", "rank", "best", "draw", "ruling"] = Field(
        description="A seed, a rank of a block, a comparison across a stage, a draw, or a ruling."
    )
    from_block: Ref | None = Field(description="The id of the block the entrant comes from.")
    from_stage: str | None = Field(description="The key of the stage it is drawn from or compared across.")
    rank: int | None = Field(description="The rank in the block.")
    number: int | None = Field(description="The n-th best of a comparison, or the number of a seed.")
    source: str = Field(description=SOURCE)


def source_of(state: SlotState) -> str:
    """Return the source of a slot's entrant: that of its state (an override), else the format's."""
    return state.source or state.slot.source


def slot_document(state: SlotState, ledger: Ledger | None, sources: Mapping[str, InBoth]) -> SlotDocument:
    """Return a slot with its entrant, certainty and source; `sources` maps a source to its label."""
    source = source_of(state)
    return SlotDocument(
        id=str(state.slot_id),
        block=str(state.slot.block_id),
        number=state.slot.number,
        state=SlotState.State(state.state),
        entrant=ref(state.entrant_id),
        source=source,
        label=sources[source],
        candidates=[str(pk) for pk in state.candidates] if len(state.candidates) <= FEW else [],
        candidates_count=len(state.candidates),
        reason=state.reason,
        reason_label=reason_label(state.reason),
        carried=None if state.carried is None or ledger is None else ledger.text(state.carried),
        note=state.note,
    )


@lru_cache(maxsize=16)
def reason_label(reason: str) -> InBoth:
    """Return the reason for a slot's state in both languages."""
    return both(lambda _language: slot_reason(reason))


def pool_documents(pools: Mapping[str, Iterable[PlaceInPool]], sources: Mapping[str, InBoth]) -> list[Pool]:
    """Return the entrants of drawn stages, in the order in which a draw counts them."""
    return [
        Pool.model_validate({**place, "stage": stage, "label": sources[place["source"]]})
        for stage, pool in pools.items()
        for place in pool
    ]


def link_document(link: Link) -> LinkDocument:
    """Return the source of a slot's entrant as a line of the bracket."""
    return LinkDocument.build(
        link,
        slot=link.slot.slot_id,
        to_block=link.slot.slot.block_id,
        from_block=link.block,
        from_stage=link.stage,
        source=source_of(link.slot),
    )
