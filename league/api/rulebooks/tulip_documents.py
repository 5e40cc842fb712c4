"""Tulip document: the state before the first flip, every flip, and the chips with their parts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from league.selectors.rulebooks.catalogue import CatalogueEntry
from league.web.document_parts import InBoth, both
from league.web.documents import Clauses, Document, Values
from league.web.live.hand_documents import RulesetHead, ruleset_head
from league.wording.live.tulip import line_text, remark_text
from scoring.hand import Tile
from scoring.hand.tiles import NAME
from scoring.ruleset import Ruleset
from scoring.ruleset.options import Option
from scoring.tulip import (
    ChipPayers,
    Flip,
    FlipEnd,
    FlipMode,
    PayoutLine,
    Remark,
    StackLevel,
    Tulip,
    WallPlace,
    prizes_of,
)

TILE = r"^[0-9gw][mpszfb]$"
TileName = Annotated[str, Field(json_schema_extra={"pattern": TILE})]


class TulipRemark(Document):
    """A remark on one circumstance or event of a tulip."""

    code: str = Field(description="Stable; decide by this.")
    text: InBoth
    clauses: Clauses
    params: Values = Field(description="The figures and names of the text.")


class TulipPlace(Document):
    """The place of a tile in the wall."""

    stack: int = Field(description="The number of its stack, from 1.")
    row: StackLevel = Field(description="The upper or the lower tile of the stack.")


class TulipStep(Document):
    """One flip with its consequences."""

    number: int = Field(description="The number of the flip, from 1.")
    place: TulipPlace
    tile: TileName = Field(description="The tile that was flipped.")
    hits: int = Field(description="The number of tiles that match.")
    matched: list[TileName] = Field(description="The tiles with the hand that match.")
    chips: int = Field(description="Before anything is multiplied.")
    mode: FlipMode = Field(description="From here on.")
    promoted: bool = Field(description="The mode went up with this flip.")
    joins: bool = Field(description="The tile was taken in.")
    guarantees_left: int = Field(description="The misses that are still forgiven.")
    guarantee_used: bool = Field(description="A miss was forgiven here.")
    end: FlipEnd | None = Field(description="How the tulip ended with this flip; null while it goes on.")
    remarks: list[TulipRemark] = Field(description="What happened with this flip.")


class TulipLine(Document):
    """A part of the chips that one payer pays; all parts add up to the total."""

    name: str = Field(description="The key of the part.")
    label: InBoth = Field(description="The part in words.")
    count: int = Field(description="How often it counts.")
    chips: int = Field(description="The chips of this line.")
    clauses: Clauses


class TulipDocument(Document):
    """A win, the flips after it, and the chips so far."""

    ruleset: RulesetHead
    options: Values = Field(description="The house options and their values.")
    tulip: bool = Field(description="The win is followed by one.")
    start_mode: FlipMode | None = Field(description="The mode before the first flip; null without a tulip.")
    mode: FlipMode | None = Field(description="The mode after the last flip; null without a tulip.")
    guarantees: int = Field(description="The misses forgiven altogether.")
    guarantees_left: int = Field(description="The misses that are still forgiven.")
    joined: list[TileName] = Field(description="Bonus tiles with the hand before the first flip.")
    taken: list[TileName] = Field(description="Flipped tiles that were taken in.")
    remarks: list[TulipRemark] = Field(description="What held before the first flip.")
    steps: list[TulipStep] = Field(description="The flips in order.")
    awaits: TulipPlace | None = Field(description="The tile that is flipped next; null when it is over.")
    end: FlipEnd | None = Field(description="How the tulip ended; null while it goes on.")
    completed: bool = Field(description="The chips for completing it are due.")
    hits: int = Field(description="The number of matches so far.")
    lines: list[TulipLine] = Field(description="The parts of what one payer pays.")
    total: int = Field(description="What one payer pays so far.")
    payers: ChipPayers = Field(description="Who pays: the discarder, or each of the others.")
    prizes: Values = Field(description="The same as a hand in a game's log takes it.")


def tulip_document(book: CatalogueEntry[Ruleset], rules: Ruleset, tulip: Tulip) -> TulipDocument:
    """Return a win, the flips after it, and the chips."""
    start, state = tulip.start, tulip.state
    return TulipDocument.build(
        tulip,
        ruleset=ruleset_head(book),
        options={key: _value(option) for key, option in rules.options.items()},
        tulip=start.mode is not None,
        start_mode=start.mode,
        mode=state.mode,
        guarantees=start.guarantees,
        guarantees_left=state.guarantees,
        joined=_names(start.joined),
        taken=_names(state.taken),
        remarks=[remark_document(each) for each in start.remarks],
        steps=[step_document(step) for step in tulip.steps],
        awaits=_place(state.awaits),
        end=state.end,
        completed=state.is_completed,
        hits=state.hits,
        lines=[line_document(line) for line in tulip.lines],
        prizes=prizes_document(tulip, rules),
    )


def step_document(step: Flip) -> TulipStep:
    """Return one flip with its consequences."""
    return TulipStep.build(
        step,
        place=_place(step.place),
        tile=NAME[step.tile],
        matched=_names(step.matched),
        promoted=step.is_promoted,
        guarantees_left=step.guarantees,
        guarantee_used=step.uses_guarantee,
        end=step.ends,
        remarks=[remark_document(each) for each in step.remarks],
    )


def remark_document(remark: Remark) -> TulipRemark:
    """Return a remark with its text in both languages."""
    return TulipRemark.build(remark, text=both(lambda _language: remark_text(remark)))


def line_document(line: PayoutLine) -> TulipLine:
    """Return a part of the chips that one payer pays."""
    return TulipLine.build(line, label=both(lambda _language: line_text(line.name)))


def prizes_document(tulip: Tulip, rules: Ruleset) -> dict[str, object]:
    """Return the prizes in the form that a kyoku in a game's log takes."""
    prizes = prizes_of(tulip, rules)
    if prizes.fixed is not None:
        return {"fixed": prizes.fixed.value}
    return {"each": prizes.each, "complete": prizes.complete, "times": prizes.times}


def _place(place: WallPlace | None) -> TulipPlace | None:
    return None if place is None else TulipPlace(stack=place.stack, row=place.level)


def _names(tiles: tuple[Tile, ...]) -> list[str]:
    return [NAME[tile] for tile in tiles]


def _value(option: Option) -> object:
    value: object = option.default
    return list(value) if isinstance(value, tuple) else value
