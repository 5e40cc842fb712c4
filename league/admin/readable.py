"""Values of rows as organizers read them: seats as winds, amounts of ledgers, options and sources in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Audience, Competition, RulesInForce
from league.selectors.rulebooks.rules_in_force import format_of, ruleset_of
from league.wording.formatting import amount_text, points_text
from league.wording.messages import line_name, source_label, wind_name
from league.wording.names import names_of, title_in
from league.wording.rulebooks.ruleset_settings import setting_text
from scoring.ruleset import Ruleset

EMPTY = "–"
BLOCKS_OF_BLOCK = "block__competition__blocks__stage"
"""Relations that lists prefetch for `source_text`, so that no row costs a query."""


class AudienceFilter(admin.SimpleListFilter):
    """Filter derived rows, which exist once for each audience: by default those of the staff, never both."""

    title = gettext_lazy("as seen by")
    parameter_name = "audience"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]) -> list[tuple[str, str]]:
        """Return the audiences."""
        return [(Audience.STAFF, str(gettext_lazy("the staff"))), (Audience.PUBLIC, str(gettext_lazy("the public")))]

    def value(self) -> str:
        """Return the chosen audience."""
        return Audience.PUBLIC if super().value() == Audience.PUBLIC else Audience.STAFF

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        """Return the rows of one audience."""
        return queryset.filter(audience=self.value())

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, object]]:  # type: ignore[override]  # stubs: a private dict
        """Yield the two choices, without one for all rows."""
        for audience, label in self.lookup_choices:
            query = changelist.get_query_string({self.parameter_name: audience})
            yield {"selected": audience == self.value(), "query_string": query, "display": label}


def wind_of(rules: Ruleset, seat: int) -> str:
    """Return the wind of a seat."""
    return wind_name(rules.setup.seat_winds[seat])


def rules_text(rules: RulesInForce) -> str:
    """Return the titles of the ruleset and of the format, once if they are the same."""
    titles = (title_in(ruleset_of(rules).title), title_in(format_of(rules).title))
    return " · ".join(dict.fromkeys(titles))


def options_text(rules: Ruleset, options: Mapping[str, object]) -> str:
    """Return chosen options with their values in words, or a dash."""
    named = rules.options
    chosen = ((named[key].title, value) for key, value in options.items() if key in named)
    return _(", ").join(f"{title_in(title)}: {setting_text('', value)}" for title, value in chosen) or EMPTY


def totals_text(rules: Ruleset, totals: Mapping[str, int]) -> str:
    """Return the amounts of all ledgers with their names."""
    known = {ledger.key: ledger for ledger in rules.ledgers}
    return _(", ").join(
        f"{title_in(known[key].title)} {points_text(amount, known[key].scale, plus=True)}"
        for key, amount in totals.items()
        if key in known
    )


def lines_text(rules: Ruleset, lines: list[Mapping[str, Any]]) -> SafeString:
    """Return the lines of a settlement as an HTML list: ledger, cause and amount."""
    known = {ledger.key: ledger for ledger in rules.ledgers}
    rows = (
        (
            title_in(known[line["ledger"]].title),
            line_name(line["cause"], line["params"]),
            amount_text(Fraction(line["amount"]), known[line["ledger"]].scale, plus=True),
        )
        for line in lines
        if line["ledger"] in known
    )
    return format_html_join(SafeString("<br>"), "{} · {} {}", rows) or SafeString(EMPTY)


def source_text(source: str, competition: Competition) -> str:
    """Return the source of a slot in words. Lists prefetch the competition's blocks with their stages."""
    return source_label(source, names_of(competition.blocks.all())) if source else EMPTY
