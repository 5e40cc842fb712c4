"""Form to import a game's log: a file or its text, and the seating if the log does not contain it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.forms.competitions.schedule import SeatsForm
from league.models import Entrant
from league.platform.errors import Finding, ServiceError
from league.services.live.log_files import log_in, tidied
from league.services.live.log_import import ImportedLog
from scoring.ruleset import Ruleset

LARGEST = 2_000_000
ENTRY = re.compile(r"/entries/(?P<number>\d+)(/(?P<key>.+))?")


class LogForm(SeatsForm):
    """An uploaded file becomes the text of the form, so that errors can be corrected there without another upload."""

    file = forms.FileField(
        label=gettext_lazy("File"), required=False, widget=forms.FileInput(attrs={"accept": ".json"})
    )
    text = forms.CharField(
        label=gettext_lazy("Log (JSON)"),
        required=False,
        strip=False,
        max_length=LARGEST,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "false", "class": "log-text"}),
        help_text=gettext_lazy("A file that is chosen takes the place of this text."),
    )

    def __init__(
        self,
        data: object = None,
        files: MultiValueDict[str, UploadedFile[bytes]] | None = None,
        *,
        rules: Ruleset,
        entrants: Sequence[Entrant],
    ) -> None:
        self.unreadable = ""
        file = files.get("file") if files else None
        if isinstance(data, QueryDict) and file is not None:
            data = data.copy()
            data["text"] = self._text_of(file)
        super().__init__(data, files=files, rules=rules, entrants=entrants)
        self.fields["seat_0"].help_text = gettext_lazy(
            "Leave the seats empty to take them as the log has them, or else as planned."
        )
        self.pointers = {"/seats": "seat_0"}
        self.order_fields(["file", "text"])

    def _text_of(self, file: UploadedFile[bytes]) -> str:
        if (file.size or 0) > LARGEST:
            self.unreadable = _("This file is too large to be a log.")
            return ""
        try:
            return tidied(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            self.unreadable = _("This file is not a text in UTF-8.")
            return ""

    def clean(self) -> dict[str, object]:
        """Require a log, as a file or as text."""
        if self.unreadable:
            raise forms.ValidationError(self.unreadable)
        cleaned = self.cleaned_data
        if "text" not in self.errors and not cleaned.get("text", "").strip():
            self.add_error("text", _("Choose a file or paste a log."))
        return cleaned

    def log(self) -> ImportedLog:
        """Return the log with the seats chosen in the form, if any.

        Raise RuleViolationError with all its format errors.
        """
        chosen = [entrant.pk for entrant in self.seated()]
        keys = None if chosen else {pk: entrant.player.key for pk, entrant in self.entrants.items()}
        log = log_in(self.cleaned_data["text"], keys)
        return replace(log, seats=chosen) if chosen else log

    @override
    def take(self, error: ServiceError) -> None:
        """Show every error at the text, with the number of its entry counted from 1."""
        for finding in error.findings:
            self.add_error(self.field_at(finding.pointer) or "text", placed(finding))


def placed(finding: Finding) -> str:
    """Return the message of a finding, preceded by the number of its log entry."""
    found = ENTRY.fullmatch(finding.pointer)
    if found is None:
        return finding.message
    where = _("Entry %(number)s") % {"number": int(found["number"]) + 1}
    return f"{where} ({found['key']}): {finding.message}" if found["key"] else f"{where}: {finding.message}"
