"""What the entry screen shows while a sheet is typed, as JSON: sum, places and points, findings, what it moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from django.utils.translation import gettext as _

from league.formatting import place_text, points_text, rank_text, score_text
from league.forms.entry import SheetForm, digest
from league.models import Hanchan
from league.names import names_of, person_name
from league.selectors.live_clauses import clause_link
from league.services.actor import Actor
from league.services.errors import Finding
from league.services.preview import Movement, Preview, SlotChange, downstream_finding, preview_result
from scoring.ruleset import Ruleset
from scoring.settlement import Settlement


def preview_json(form: SheetForm, by: Actor) -> dict[str, Any]:
    """Everything that can be said of what is typed so far."""
    shown: dict[str, Any] = {"sum": sum_json(form), "seats": [], "findings": [], "moves": [], "digest": ""}
    form.errors.pop("reason", None)
    if form.errors:
        return {**shown, "findings": list(unreadable(form))}
    entry = form.entry()
    preview = preview_result(hanchan=form.hanchan, entry=entry)
    findings = [*preview.findings, *downstream(form.hanchan, preview, by)]
    return {
        **shown,
        "digest": digest(entry),
        "findings": [finding_json(form, finding) for finding in findings],
        "seats": seats_json(preview.settlement, form) if preview.settlement else [],
        "moves": [*moves(form, preview.movements), *slots(form, preview.slot_changes)],
    }


class TypedSheet(Protocol):
    """A sheet being typed, at whichever door."""

    rules: Ruleset

    @property
    def errors(self) -> Any:
        """What cannot be read, by field."""

    def __getitem__(self, name: str) -> Any:
        """A field with what was typed."""

    def add_prefix(self, field_name: str) -> str:
        """A field's name on the page."""

    def field_at(self, pointer: str) -> str | None:
        """The field a finding belongs to."""

    def scores_typed(self) -> list[int | None]:
        """Scores as far as they can be read."""

    def deposits_typed(self) -> int:
        """Points of the deposits left, as far as they can be read."""


def sum_json(form: TypedSheet) -> dict[str, str]:
    """The running sum: what is there, and what is missing or over once all scores are in."""
    scores = form.scores_typed()
    there = sum(score for score in scores if score is not None) + form.deposits_typed()
    if None in scores:
        text = _("%(sum)s so far") % {"sum": score_text(there)} if any(s is not None for s in scores) else ""
        return {"state": "open", "text": text}
    difference = there - form.rules.table_total
    if difference == 0:
        return {"state": "ok", "text": _("%(sum)s OK") % {"sum": score_text(there)}}
    if difference > 0:
        return {"state": "wrong", "text": _("+%(points)s over") % {"points": score_text(difference)}}
    return {"state": "wrong", "text": _("%(points)s missing") % {"points": score_text(-difference)}}


def unreadable(form: TypedSheet) -> Iterable[dict[str, str]]:
    """Texts that cannot be read; a field still empty is no fault while somebody types."""
    for name, errors in form.errors.items():
        if str(form[name].value() or "").strip():
            yield {"code": "unreadable", "level": "error", "message": str(errors[0]), "field": form.add_prefix(name)}


def downstream(hanchan: Hanchan, preview: Preview, by: Actor) -> Iterable[Finding]:
    """What the result would change in a stage that has begun."""
    damage = [change for change in preview.slot_changes if change.has_results]
    if damage:
        yield downstream_finding(hanchan.block.competition, damage, by)


def finding_json(form: TypedSheet, finding: Finding) -> dict[str, Any]:
    """A finding, at the field it belongs to."""
    field = form.field_at(finding.pointer)
    return {
        "code": finding.code,
        "level": finding.level.value,
        "message": finding.message,
        "field": form.add_prefix(field) if field else "",
        "clause": clause_link(finding.clause),
    }


def seats_json(settlement: Settlement, form: SheetForm) -> list[dict[str, str | int]]:
    """Each seat's place and points."""
    ledger = form.rules.ranking_ledger
    points = settlement.totals[ledger.key]
    return [
        {"place": place, "place_text": place_text(place), "points": points_text(points[seat], ledger.scale, plus=True)}
        for seat, place in enumerate(settlement.places)
    ]


def moves(form: SheetForm, movements: Iterable[Movement]) -> Iterable[str]:
    """Who changes rank, and what the total becomes."""
    scale = form.rules.ranking_ledger.scale
    nobody = "–"
    for move in movements:
        yield _("%(name)s: %(before)s → %(after)s, total %(total)s") % {
            "name": person_name(form.company.everybody[move.entrant].player),
            "before": rank_text(move.rank_before) if move.rank_before else nobody,
            "after": rank_text(move.rank_after) if move.rank_after else nobody,
            "total": points_text(move.total_after, scale),
        }


def slots(form: SheetForm, changes: Iterable[SlotChange]) -> Iterable[str]:
    """Which places on the ladder change hands."""
    names = names_of(form.hanchan.block.competition.blocks.select_related("stage"))
    people = form.company.everybody
    for change in changes:
        yield _("%(block)s, place %(number)s: %(before)s → %(after)s") % {
            "block": names.block(change.block),
            "number": change.number,
            "before": person_name(people[change.before].player) if change.before else _("open"),
            "after": person_name(people[change.after].player) if change.after else _("open"),
        }
