"""Rules as they were kept, and which of them a competition plays from when."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from league.admin.base import DeskAdmin
from league.admin.lists import RelatedFilter
from league.models import FormatRevision, RulesInForce


@admin.register(FormatRevision)
class RevisionAdmin(DeskAdmin[Any]):
    """A rule file as it was read; a changed rule is a new revision."""

    competition_path = ""
    list_display = ["name", "number", "created_at", "sha256"]
    list_filter = ["name"]
    search_fields = ["name"]


@admin.register(RulesInForce)
class RulesInForceAdmin(DeskAdmin[RulesInForce]):
    """New ones are put in force from the page of the competition."""

    list_display = ["in_competition", "ruleset", "format", "options", "effective_from"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition", "ruleset", "format"]
    search_fields = ["ruleset__name", "format__name"]
    date_hierarchy = "effective_from"
