"""Read-only admin of the rules that each competition plays from a given moment on."""

from __future__ import annotations

from django.contrib import admin

from league.admin.base import LeagueModelAdmin, M
from league.admin.lists import RelatedFilter
from league.models import RulesInForce


class RevisionAdmin(LeagueModelAdmin[M]):
    """Base of the lists of revisions of a rule file. A changed file becomes a new revision; none is edited."""

    competition_path = ""
    list_display = ["name", "number", "created_at", "sha256"]
    list_filter = ["name"]
    search_fields = ["name"]


@admin.register(RulesInForce)
class RulesInForceAdmin(LeagueModelAdmin[RulesInForce]):
    """List which rules are in force from when. New rows are made from the page of the competition."""

    list_display = ["in_competition", "ruleset", "format", "options", "effective_from"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition", "ruleset", "format"]
    search_fields = ["ruleset__name", "format__name"]
    date_hierarchy = "effective_from"
