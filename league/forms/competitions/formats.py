"""Form to find a format by the number of players, evenings and tables."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from scoring.format.fit import FormatWish
from scoring.format.numbers import USUAL_PLAYERS

MOST_PLAYERS = 500


class FormatFinderForm(forms.Form):
    """The size of a league that has no format yet."""

    error_css_class = "errors"

    players = forms.IntegerField(label=gettext_lazy("Number of players"), min_value=3, max_value=MOST_PLAYERS)
    at_table = forms.TypedChoiceField(
        label=gettext_lazy("Players at a table"),
        choices=((USUAL_PLAYERS, "4"), (3, "3")),
        coerce=int,
        initial=USUAL_PLAYERS,
        required=False,
    )
    evenings = forms.IntegerField(label=gettext_lazy("Evenings (sessions)"), min_value=1, max_value=366, required=False)
    tables = forms.IntegerField(label=gettext_lazy("Tables at a time"), min_value=1, max_value=200, required=False)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        if data is None:
            self.fields["players"].widget.attrs["autofocus"] = True

    def clean_at_table(self) -> int:
        """Return the players at a table, by default the usual number."""
        return self.cleaned_data["at_table"] or USUAL_PLAYERS

    def wish(self) -> FormatWish:
        """Return the input of a valid form."""
        return FormatWish(**self.cleaned_data)
