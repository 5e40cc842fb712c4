"""Template tags for clauses: every clause number becomes a link to its text."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.selectors.rulebooks.clauses import Paid, clause_address, clauses_by_id
from league.wording.formatting import score_text
from league.wording.names import title_in
from rulesets.clauses import books, load_book

register = template.Library()

_NUMBER = re.compile(r"(?<![A-Z0-9])[A-Z][A-Z0-9]*+-\d{3}")


register.filter("text_in", title_in)


@register.simple_tag
def clause_link(number: str) -> str:
    """Return a clause's number as a link to its place in the rule book, or as plain text if no book has it."""
    found = clauses_by_id().get(number)
    if found is None:
        return format_html('<small class="clause">{}</small>', number)
    title = title_in(load_book(found.book).title)
    return format_html('<a class="clause" href="{}" title="{}">{}</a>', clause_address(number), title, number)


@register.filter
def linked(text: str) -> SafeString:
    """Return an escaped text in which known clause numbers are links."""
    # Escape before linking: the pattern matches letters and digits only, which escaping leaves unchanged.
    escaped = str(conditional_escape(text))
    return SafeString(_NUMBER.sub(lambda number: _link(number.group()), escaped))


def _link(number: str) -> str:
    return format_html('<a href="{}">{}</a>', clause_address(number), number) if number in clauses_by_id() else number


@register.filter
def has_rulebook(name: str) -> bool:
    """Return True if the rule book of this ruleset is available here."""
    return name in books()


@register.simple_tag
def paid_text(paid: Paid | None, *, tsumo: bool, dealer: bool) -> str:
    """Format the payment for a hand: by the discarder, by each, or by each non-dealer and the dealer."""
    if paid is None:
        return "–"
    if not tsumo:
        return score_text(paid.ron)
    if dealer:
        return _("%(points)s all") % {"points": score_text(paid.from_other)}
    return f"{score_text(paid.from_other)}/{score_text(paid.from_dealer)}"
