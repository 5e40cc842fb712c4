"""Read-only admin of the rules that each competition plays from a given moment on."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import LeagueModelAdmin, M
from league.admin.lists import RelatedFilter
from league.admin.readable import options_text, rules_text
from league.models import RulesInForce
from league.selectors.rulebooks.rules_in_force import ruleset_of


class RevisionAdmin(LeagueModelAdmin[M]):
    """Base of the lists of revisions of a rule file. A changed file becomes a new revision; none is edited."""

    competition_path = ""
    list_display = ["title", "number", "created_at"]
    list_filter = ["name"]
    search_fields = ["name"]


@admin.register(RulesInForce)
class RulesInForceAdmin(LeagueModelAdmin[RulesInForce]):
    """List which rules are in force from when. New rows are made from the page of the competition."""

    list_display = ["rules", "in_competition", "chosen", "effective_from"]
    fields = ["competition", "rules", "chosen", "effective_from"]
    readonly_fields = ["rules", "chosen"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition", "ruleset", "format"]
    search_fields = ["ruleset__name", "format__name"]
    date_hierarchy = "effective_from"

    @override
    def name_of(self, row: RulesInForce) -> str:
        return rules_text(row)

    @admin.display(description=gettext_lazy("rules"))
    def rules(self, row: RulesInForce) -> str:
        """Return the titles of the ruleset and the format."""
        return rules_text(row)

    @admin.display(description=gettext_lazy("options"))
    def chosen(self, row: RulesInForce) -> str:
        """Return the options that were chosen, in words."""
        return options_text(ruleset_of(row), row.options)
