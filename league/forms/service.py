"""Base form for calling a service, whose errors and warnings it shows at the fields."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.html import format_html, strip_tags
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.platform.errors import Finding, Level, ServiceError
from league.selectors.rulebooks.clauses import clause_address, clauses_by_id
from league.wording.formatting import moment_text

if TYPE_CHECKING:
    from django.http import QueryDict


class ServiceForm(forms.Form):
    """A form with the service's findings. The POST parameter `accept` holds the codes of accepted warnings."""

    required_css_class = "required"
    error_css_class = "errors"
    pointers: Mapping[str, str] = {}
    """Field names of those JSON pointers whose first step is not the field's name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.warnings: tuple[Finding, ...] = ()

    @property
    def accepted(self) -> frozenset[str]:
        """Codes of the warnings that the user ticked."""
        getlist = getattr(self.data, "getlist", None)
        return frozenset(getlist(self.add_prefix("accept"))) if getlist else frozenset()

    @property
    def questions(self) -> dict[str, list[str]]:
        """Warnings to accept by their code, each with all its messages under one checkbox."""
        found: dict[str, list[str]] = {}
        for warning in self.warnings:
            found.setdefault(warning.code, []).append(with_clause(warning.message, warning.clause))
        return found

    @property
    def accepted_before(self) -> list[str]:
        """Codes accepted in an earlier submission, which the next one must repeat."""
        return sorted(self.accepted - {warning.code for warning in self.warnings}) if self.warnings else []

    def field_at(self, pointer: str) -> str | None:
        """Return the field that a finding points to, or None if it is about the whole form."""
        name = self.pointers.get(pointer, pointer.strip("/").split("/", maxsplit=1)[0])
        return name if name in self.fields else None

    def take(self, error: ServiceError) -> None:
        """Show a service's findings: errors at their fields, warnings as checkboxes."""
        for finding in error.findings:
            if finding.level is Level.ERROR:
                self.add_error(
                    self.field_at(finding.pointer),
                    forms.ValidationError(with_clause(finding.message, finding.clause), finding.code),
                )
        self.warnings = tuple(finding for finding in error.findings if finding.level is Level.WARNING)


class EditForm(ServiceForm):
    """A form with the values of a row; a field left alone keeps what someone else has saved in it meanwhile."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.initial:
            if name in self.fields:
                self.fields[name].show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        """Replace values that the user has not changed by those of the row; refuse those that both have changed."""
        typed = super().clean() or self.cleaned_data
        shown = {name for name in self.initial if name in typed and self._shown(name) is not None}
        changed = shown & set(self.changed_data)
        for name in sorted(changed):
            self._refuse_if_saved_meanwhile(self[name])
        return typed | {name: self.get_initial_for_field(self.fields[name], name) for name in shown - changed}

    def _shown(self, name: str) -> Any:
        """Return the value that the page showed in a field, as its hidden input has sent it; None without one."""
        widget = self.fields[name].hidden_widget()
        return widget.value_from_datadict(self.data, self.files, self.add_initial_prefix(name))

    def _refuse_if_saved_meanwhile(self, bound: forms.BoundField) -> None:
        """Show what someone else has saved since the page was opened; sent again, the user's own value replaces it."""
        field, shown = bound.field, self._shown(bound.name)
        saved = field.hidden_widget().format_value(field.prepare_value(bound.initial)) or type(shown)()
        if saved == shown or not field.has_changed(bound.initial, bound.data):
            return
        data = self.data = cast("QueryDict", self.data).copy()
        data.setlist(self.add_initial_prefix(bound.name), saved if isinstance(saved, list) else [saved])
        self.add_error(bound.name, _saved_meanwhile(field, bound.initial))


def _saved_meanwhile(field: forms.Field, value: object) -> str:
    """Return the message about a value that someone else has saved in a field that the user has changed too."""
    if value in (None, "", []):
        return gettext("Someone else has emptied this since you opened the page. Save again to enter yours.")
    if isinstance(value, dt.datetime):
        value = moment_text(value)
    elif isinstance(value, dt.time):
        value = value.strftime("%H:%M")
    names = {key: strip_tags(str(label)) for key, label in getattr(field, "choices", ())}
    several = value if isinstance(value, list) else [value]
    return gettext(
        "Someone else has saved “%(value)s” here since you opened the page. Save again to replace it with yours."
    ) % {"value": ", ".join(str(names.get(each, each)) for each in several)}


class ReasonForm(ServiceForm):
    """A form with a required reason, which is stored with the change."""

    reason = forms.CharField(
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("It is published with the decision."),
        strip=True,
    )


class StaffReasonForm(ReasonForm):
    """A form with a required reason that only staff can read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("It is not published.")


def with_clause(message: str, number: str) -> str:
    """Append to an error message the clause it rests on, as a link that opens beside the form."""
    if number not in clauses_by_id():
        return message
    link = '<a class="clause" href="{}" target="_blank" rel="noopener">{}</a>'
    return format_html("{} " + link, message, clause_address(number), number)
