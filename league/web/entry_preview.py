"""The preview of a typed sheet as JSON, for the admin's entry page and the counter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from django.forms import BoundField
from django.utils.translation import gettext as _

from league.platform.errors import Finding
from league.selectors.live.clauses import clause_link
from league.wording.formatting import score_text
from scoring.ruleset import Ruleset


class TypedSheet(Protocol):
    """Protocol of a result-sheet form that can be previewed: the organizers', the players' or the parlour's."""

    rules: Ruleset

    @property
    def errors(self) -> Mapping[str, Sequence[object]]:
        """Errors of fields that cannot be parsed, by field name."""

    def __getitem__(self, name: str) -> BoundField:
        """Return the bound field of this name."""

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field in the HTML form."""

    def field_at(self, pointer: str) -> str | None:
        """Return the name of the field that a finding's pointer refers to, or None."""

    def scores_typed(self) -> list[int | None]:
        """Return the scores by seat, None where a score is missing or cannot be parsed."""

    def deposits_typed(self) -> int:
        """Return the points of the riichi deposits left on the table, as far as they can be parsed."""


def sum_json(form: TypedSheet) -> dict[str, str]:
    """Return the running sum; once every score is typed, also the points missing or in excess."""
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
    """Yield an error for each field that cannot be parsed. A field still empty is not an error while typing."""
    for name, errors in form.errors.items():
        if str(form[name].value() or "").strip():
            yield {"code": "unreadable", "level": "error", "message": str(errors[0]), "field": form.add_prefix(name)}


def finding_json(form: TypedSheet, finding: Finding) -> dict[str, object]:
    """Return a finding as JSON with the name of the field it belongs to."""
    field = form.field_at(finding.pointer)
    return {
        "code": finding.code,
        "level": finding.level.value,
        "message": finding.message,
        "field": form.add_prefix(field) if field else "",
        "clause": clause_link(finding.clause),
    }
