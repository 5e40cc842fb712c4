"""A form whose fields a service may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from league.platform.errors import Finding, Level, ServiceError
from league.selectors.rulebooks.clauses import clause_address, clauses_by_id


class ServiceForm(forms.Form):
    """Fields, and what the service said about them. `accept` holds the codes of warnings ticked as accepted."""

    required_css_class = "required"
    error_css_class = "errors"
    pointers: Mapping[str, str] = {}
    """JSON pointers whose field is not named by their first step."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.warnings: tuple[Finding, ...] = ()

    @property
    def accepted(self) -> frozenset[str]:
        """Codes of the warnings that were ticked."""
        getlist = getattr(self.data, "getlist", None)
        return frozenset(getlist(self.add_prefix("accept"))) if getlist else frozenset()

    @property
    def questions(self) -> dict[str, list[str]]:
        """What to tick: one box for each code, with all that is said under it."""
        found: dict[str, list[str]] = {}
        for warning in self.warnings:
            found.setdefault(warning.code, []).append(with_clause(warning.message, warning.clause))
        return found

    @property
    def accepted_before(self) -> list[str]:
        """Warnings accepted earlier, which the next answer must carry along with the new ones."""
        return sorted(self.accepted - {warning.code for warning in self.warnings}) if self.warnings else []

    def field_at(self, pointer: str) -> str | None:
        """The field a finding belongs to; None where it is about the whole."""
        name = self.pointers.get(pointer, pointer.strip("/").split("/", maxsplit=1)[0])
        return name if name in self.fields else None

    def take(self, error: ServiceError) -> None:
        """Show what the service refused: errors at their fields, warnings with a tick to accept them."""
        for finding in error.findings:
            if finding.level is Level.ERROR:
                self.add_error(
                    self.field_at(finding.pointer),
                    forms.ValidationError(with_clause(finding.message, finding.clause), finding.code),
                )
        self.warnings = tuple(finding for finding in error.findings if finding.level is Level.WARNING)


class ReasonForm(ServiceForm):
    """A reason, which is kept with the change."""

    reason = forms.CharField(
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("It is published with the decision."),
        strip=True,
    )


def with_clause(message: str, number: str) -> str:
    """What is wrong with something typed, and the clause behind it, which opens beside what was typed."""
    if number not in clauses_by_id():
        return message
    link = '<a class="clause" href="{}" target="_blank" rel="noopener">{}</a>'
    return format_html("{} " + link, message, clause_address(number), number)
