"""Form of pasted fixtures."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.service import ServiceForm
from league.selectors.seasons.pasted_fixtures import MOST_LINES


class FixturesForm(ServiceForm):
    """Fixtures, one hanchan to a line."""

    text = forms.CharField(
        label=gettext_lazy("Fixtures"),
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 16, "cols": 70, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One hanchan to a line: day and time, table (may be left out), and the teams from the first dealer on. "
            "Lines with the same day, table and teams are one evening. From a spreadsheet or with commas: 2026-10-05 "
            "19:00, A, Red, Blue, Green, Yellow"
        ),
    )

    def clean_text(self) -> str:
        """Refuse a text of too many lines."""
        text: str = self.cleaned_data["text"]
        if len(text.splitlines()) > MOST_LINES:
            raise forms.ValidationError(_("At most %(most)s lines at a time.") % {"most": MOST_LINES})
        return text
