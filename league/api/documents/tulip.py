"""A tulip as a document: what held before the first flip, every flip, and the chips part by part."""

from __future__ import annotations

from league.api.documents.common import Document, both
from league.api.documents.rules import ruleset_head
from league.selectors.rulebooks import Book
from league.tulip_words import line_text, remark_text
from scoring.hand import Tile
from scoring.hand.tiles import NAME
from scoring.ruleset import Ruleset
from scoring.ruleset.options import Option
from scoring.tulip import Line, Place, Remark, Step, Tulip, prizes_of


def tulip_document(book: Book[Ruleset], rules: Ruleset, tulip: Tulip) -> Document:
    """A win, the flips after it, and the chips."""
    start, state = tulip.start, tulip.state
    return {
        "ruleset": ruleset_head(book),
        "options": {key: _value(option) for key, option in rules.options.items()},
        "tulip": start.mode is not None,
        "start_mode": start.mode.value if start.mode else None,
        "mode": state.mode.value if state.mode else None,
        "guarantees": start.guarantees,
        "guarantees_left": state.guarantees,
        "joined": _names(start.joined),
        "taken": _names(state.taken),
        "remarks": [remark_document(each) for each in start.remarks],
        "steps": [step_document(step) for step in tulip.steps],
        "awaits": _place(state.awaits),
        "end": state.end.value if state.end else None,
        "completed": state.is_completed,
        "hits": state.hits,
        "lines": [line_document(line) for line in tulip.lines],
        "total": tulip.total,
        "payers": tulip.payers.value,
        "prizes": prizes_document(tulip, rules),
    }


def step_document(step: Step) -> Document:
    """One flip."""
    return {
        "number": step.number,
        "place": _place(step.place),
        "tile": NAME[step.tile],
        "hits": step.hits,
        "matched": _names(step.matched),
        "chips": step.chips,
        "mode": step.mode.value,
        "promoted": step.is_promoted,
        "joins": step.joins,
        "guarantees_left": step.guarantees,
        "guarantee_used": step.uses_guarantee,
        "end": step.ends.value if step.ends else None,
        "remarks": [remark_document(each) for each in step.remarks],
    }


def remark_document(remark: Remark) -> Document:
    """One thing that is so or that happened."""
    return {
        "code": remark.code,
        "text": both(lambda _language: remark_text(remark)),
        "clauses": list(remark.clauses),
        "params": dict(remark.params),
    }


def line_document(line: Line) -> Document:
    """A part of what one payer pays."""
    return {
        "name": line.name,
        "label": both(lambda _language: line_text(line.name)),
        "count": line.count,
        "chips": line.chips,
        "clauses": list(line.clauses),
    }


def prizes_document(tulip: Tulip, rules: Ruleset) -> Document:
    """The same as a hand in a game's log takes it."""
    prizes = prizes_of(tulip, rules)
    if prizes.fixed is not None:
        return {"fixed": prizes.fixed.value}
    return {"each": prizes.each, "complete": prizes.complete, "times": prizes.times}


def _place(place: Place | None) -> Document | None:
    return None if place is None else {"stack": place.stack, "row": place.level.value}


def _names(tiles: tuple[Tile, ...]) -> list[str]:
    return [NAME[tile] for tile in tiles]


def _value(option: Option) -> object:
    value: object = option.default
    return list(value) if isinstance(value, tuple) else value
