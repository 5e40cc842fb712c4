"""Rules as they were kept, which of them a competition plays from when, and the log of changes."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league.admin.base import DeskAdmin
from league.models import Change, FormatRevision, RulesInForce


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

    list_display = ["competition", "ruleset", "format", "options", "effective_from"]
    list_filter = [("competition", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["competition", "ruleset", "format"]
    search_fields = ["ruleset__name", "format__name"]
    date_hierarchy = "effective_from"


@admin.register(Change)
class ChangeAdmin(DeskAdmin[Change]):
    """Everything that happened, in order; never edited, never deleted."""

    list_display = ["n", "at", "kind", "actor", "door", "about", "reason", "competition", "is_public"]
    list_filter = ["door", ("competition", admin.RelatedOnlyFieldListFilter), "kind"]
    list_select_related = ["competition", "actor"]
    search_fields = ["kind", "reason", "actor__username", "=subject_id", "=request_id"]
    date_hierarchy = "at"
    ordering = ["-at", "-n"]

    @admin.display(description=gettext_lazy("about"))
    def about(self, row: Change) -> str:
        """What was changed."""
        return f"{row.subject_type} {row.subject_id}"

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """A row's history is a part of the log."""
        return lookup in {"subject_type", "subject_id"} or super().lookup_allowed(lookup, value, request)
