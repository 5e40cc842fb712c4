"""Form of a tulip log: the tiles flipped so far and the number of stacks, as query parameters beside the hand."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import plain
from league.wording.live.hands import unreadable_text
from scoring.hand import NotationError, Tile, parse_tiles

LONGEST_LOG = 200


class TulipForm(forms.Form):
    """The flipped tiles in order, and the number of stacks if it was counted."""

    flips = forms.CharField(label=gettext_lazy("Flipped so far"), required=False, max_length=LONGEST_LOG)
    stacks = forms.CharField(label=gettext_lazy("Stacks with an upper tile, if counted"), required=False, max_length=4)

    def clean_flips(self) -> tuple[Tile, ...]:
        """Return the tiles in the order in which they were flipped."""
        try:
            return parse_tiles(plain(self.cleaned_data["flips"]))
        except NotationError as error:
            raise ValidationError(unreadable_text(error), code=error.code) from error

    def clean_stacks(self) -> int | None:
        """Return the number of stacks, or None if it was left empty."""
        text = plain(self.cleaned_data["stacks"])
        if not text:
            return None
        if not (text.isascii() and text.isdigit()):
            message = _("“%(text)s” is not a number. Enter how many stacks are left, or nothing.")
            raise ValidationError(message % {"text": text}, code="number")
        return int(text)
