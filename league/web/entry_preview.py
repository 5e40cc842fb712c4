"""The preview of a typed sheet as JSON, for the admin's entry page and the counter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from django.utils.translation import gettext as _

from league.platform.errors import Finding
from league.selectors.live.clauses import clause_link
from league.wording.formatting import score_text
from scoring.ruleset import Ruleset


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
