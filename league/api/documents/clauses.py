"""Clauses of the rule books in both languages, with the values that cite them."""

from __future__ import annotations

from django.urls import reverse

from league.api.documents.common import Document
from league.selectors.clauses import ClauseInBook, settings_by_clause
from rulesets.clauses import SECTION_TITLES, Text
from rulesets.proofs import proofs_for
from scoring.ruleset import Title


def clause_document(found: ClauseInBook) -> Document:
    """A clause: what the book says, what the house reads, what the software does with it."""
    clause = found.clause
    return {
        "id": clause.id,
        "ruleset": found.book,
        "section": {"key": clause.section.value, "title": in_both(SECTION_TITLES[clause.section])},
        "depth": clause.depth.value,
        "status": clause.status.value,
        "why": text(clause.why),
        "says": text(clause.says),
        "gap": clause.gap,
        "ambiguous": text(clause.ambiguous),
        "decision": text(clause.decision),
        "reconstructed": clause.reconstructed,
        "terms": list(clause.terms),
        "options": list(clause.options),
        "yaku": [name.value for name in clause.yaku],
        "values": [
            {"path": each.path, "value": each.value} for each in settings_by_clause(found.book).get(clause.id, ())
        ],
        "proved_by": [{"kind": each.kind, "id": each.id} for each in proofs_for(found.book, clause.id)],
        "page": f"{reverse('pages:rulebook', args=[found.book])}#{clause.id}",
    }


def text(said: Text | None) -> Document | None:
    """A text in both languages, null where there is none."""
    return None if said is None else in_both(said)


def in_both(said: Text | Title) -> Document:
    """What a rule file says in both languages."""
    return {"ja": said.ja, "en": said.en}
