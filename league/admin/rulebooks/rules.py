"""Read-only admin of the rules that each competition plays from a given moment on."""

from __future__ import annotations

from typing import TypeVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import LeagueModelAdmin
from league.admin.lists import RelatedFilter
from league.admin.readable import options_text, rules_text
from league.models import RulesInForce
from league.models.rules import Revision
from league.selectors.rulebooks.rules_in_force import ruleset_of

R = TypeVar("R", bound=Revision)


class RevisionAdmin(LeagueModelAdmin[R]):
    """Base of the lists of revisions of a rule file. A changed file becomes a new revision; none is edited."""

    competition_path = ""
    list_display = ["title", "number", "created_at"]
    list_filter = ["name"]
    search_fields = ["name"]

    def title(self, row: R) -> str:
        """Return the title that the file gives itself."""
        raise NotImplementedError

    @override
    def name_of(self, row: R) -> str:
        return _("%(title)s (revision %(number)s)") % {"title": self.title(row), "number": row.number}

    @override
    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show Django's own history: a revision belongs to no competition, so the change log lacks it."""
        return super(LeagueModelAdmin, self).history_view(request, object_id, extra_context)


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
