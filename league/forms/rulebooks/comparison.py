"""Form to compare the settlement of one game's final scores under several rulesets."""

from __future__ import annotations

import re

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import plain
from league.selectors.rulebooks.comparison import MOST, ComparedGame, NotComparableError
from league.wording.formatting import ScoreTextError, parse_score

POINTS, HUNDREDS = 1, 100
UNITS = (POINTS, HUNDREDS)
LONGEST_NUMBER = 16
_BETWEEN = re.compile(r"[\s、,]+")


def several(values: list[str]) -> list[str]:
    """Return the values of a parameter that is either repeated or separated by commas; at most `MOST` + 1."""
    if len(values) == 1:
        values = _BETWEEN.split(values[0].strip())
    while values and not values[-1].strip():
        values = values[:-1]
    return values[: MOST + 1]


class ComparisonForm(forms.Form):
    """Scores by seat, deposits and chonbo as query parameters, so that the address can be shared."""

    scores = forms.Field(label=gettext_lazy("Final scores"), required=False)
    deposits = forms.CharField(
        label=gettext_lazy("Deposits left on the table"), required=False, max_length=LONGEST_NUMBER
    )
    chonbo = forms.Field(label=gettext_lazy("Chonbo"), required=False)

    def __init__(self, asked: QueryDict) -> None:
        self.typed_scores = several(asked.getlist("scores"))
        self.typed_chonbo = several(asked.getlist("chonbo"))
        is_asked = any(self.typed_scores)
        # An address without scores shows an empty form without errors.
        super().__init__(asked if is_asked else None)

    @property
    def seats(self) -> list[tuple[int, str, str]]:
        """The number of each seat with the texts of its score and chonbo."""
        return [(seat, _at(self.typed_scores, seat), _at(self.typed_chonbo, seat)) for seat in range(MOST)]

    def clean_scores(self) -> tuple[tuple[int, ...], ...]:
        """Return the scores in both possible readings: as points, and as hundreds."""
        return tuple(tuple(_read(text, unit) for text in self.typed_scores) for unit in UNITS)

    def clean_deposits(self) -> int:
        """Return the deposits in points; 0 if left empty."""
        text = self.cleaned_data["deposits"]
        return _read(text, POINTS) if text.strip() else 0

    def clean_chonbo(self) -> tuple[int, ...]:
        """Return the number of chonbo by seat, or an empty tuple if there were none."""
        if not any(text.strip() not in {"", "0"} for text in self.typed_chonbo):
            return ()
        counts = [plain(text) or "0" for text in self.typed_chonbo]
        for text in counts:
            if not (text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER):
                message = _("“%(text)s” is not a number. Enter how many: 0, 1, 2 ...")
                raise ValidationError(message % {"text": text[:LONGEST_NUMBER]}, code="count")
        players = len(self.typed_scores)
        return tuple(int(text) for text in [*counts, *["0"] * (players - len(counts))])

    def games(self) -> list[ComparedGame]:
        """Return the possible games of a valid form, the likelier reading first."""
        typed = self.cleaned_data
        return [ComparedGame(scores, typed["deposits"], typed["chonbo"]) for scores in typed["scores"]]

    def take(self, error: NotComparableError) -> None:
        """Show at its field the reason why the game cannot be compared."""
        self.add_error(error.field, ValidationError(error.message, code=error.code))


def _at(values: list[str], seat: int) -> str:
    return values[seat] if seat < len(values) else ""


def _read(text: str, unit: int) -> int:
    try:
        return parse_score(text, unit=unit)
    except ScoreTextError as error:
        raise ValidationError(str(error), code="score_text") from error
