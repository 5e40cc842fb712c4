"""Forms for importing tables and archives, and the signed token that carries a table from preview to import."""

from __future__ import annotations

from dataclasses import asdict

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.files.tables import LARGEST_FILE, ParsedTable, TableFault, TableRow
from league.forms.service import ServiceForm

SALT = "league.files"
LONGEST_TOKEN = 2_000_000
"""Most characters of a token that a form may carry."""
LONGEST_PASTED = 500_000
"""Most characters of a pasted text, as forms are sent, that a form may carry beside the token."""
AGE = 24 * 60 * 60


class SourceForm(ServiceForm):
    """A table as an uploaded file or as pasted text."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("CSV (UTF-8, UTF-16 or Shift_JIS) or XLSX, up to 10 MB and 50,000 rows."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or paste the table"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "cols": 80}),
        help_text=gettext_lazy("With its header, as a spreadsheet copies it."),
    )

    def clean(self) -> dict[str, object]:
        """Require a file or a text."""
        typed = super().clean() or {}
        if not self.errors and not typed.get("file") and not typed.get("pasted", "").strip():
            raise ValidationError(_("Choose a file or paste a table."))
        return typed

    def source(self) -> bytes | str:
        """Return the file's bytes or the text. Of an oversized file only one byte over the limit is read."""
        file = self.cleaned_data.get("file")
        return bytes(file.read(LARGEST_FILE + 1)) if file else str(self.cleaned_data["pasted"])


class ResultsForm(SourceForm):
    """A table of results with the reason for corrections."""

    reason = forms.CharField(
        label=gettext_lazy("Reason for corrections"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("Needed where a row changes a result that counts, unless the row says why itself."),
    )
    schedules = forms.BooleanField(
        label=gettext_lazy("Schedule games that are not in the schedule"),
        required=False,
        help_text=gettext_lazy("For seasons kept elsewhere until now: each row says session, block and players."),
    )


class ArchiveForm(ServiceForm):
    """An archive of a competition, with another address and name if wanted."""

    file = forms.FileField(label=gettext_lazy("Archive"), widget=forms.FileInput(attrs={"accept": ".zip"}))
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=64,
        required=False,
        help_text=gettext_lazy("Empty: the one in the archive."),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Empty: the one in the archive."),
    )


class KeptTable:
    """Carry a previewed table through the browser in a signed token, bound to user and competition."""

    @staticmethod
    def to_token(table: ParsedTable, whose: list[int]) -> str:
        """Return the table as a signed token; `whose` are the ids of the competition and the user."""
        said = {
            "whose": whose,
            "rows": [[row.number, dict(row.cells)] for row in table.rows],
            "headers": dict(table.headers or {}),
            "ignored": list(table.ignored),
            "faults": [asdict(fault) for fault in table.faults],
        }
        # Signed, not encrypted: the user may read the table, which came from the user, but not change it.
        return signing.dumps(said, salt=SALT, compress=True)

    @staticmethod
    def from_token(text: str, whose: list[int]) -> ParsedTable | None:
        """Return the table of a token; None if it was altered, is older than `AGE` or belongs to others."""
        try:
            said = signing.loads(text, salt=SALT, max_age=AGE)
        except signing.BadSignature:
            return None
        if said["whose"] != whose:
            return None
        return ParsedTable(
            tuple(TableRow(number, cells) for number, cells in said["rows"]),
            tuple(TableFault(**fault) for fault in said["faults"]),
            said["headers"],
            tuple(said["ignored"]),
        )
