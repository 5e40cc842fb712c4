"""Form fields for numbers as typed in Japan: full-width digits, ▲ for minus, points with one decimal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.wording.formatting import ScoreTextError, parse_score, score_text
from rulesets.normalization import normalize
from scoring.ruleset import Ledger, Ruleset

if TYPE_CHECKING:
    from django.forms.renderers import BaseRenderer
    from django_stubs_ext import StrOrPromise

K = TypeVar("K", bound=forms.Field)

LONGEST_NUMBER = 18
MOST_TABLES = 2
"""No score is larger than this multiple of a table's points: a larger one was typed in points instead of units."""
_MINUS = str.maketrans(dict.fromkeys("▲△▼−–—―ー‐‑", "-"))
_AMOUNT = re.compile(r"[+-]?\d+(\.\d+)?")
_NUMBERS = re.compile(r"(\d+)(?:-(\d+))?")

DAY_INPUT = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
TIME_INPUT = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
"""The browser's pickers, in the notation that HTML demands in every language; a field copies its widget."""


def plain(text: str) -> str:
    """Return the text with ASCII digits and signs and without spaces."""
    return "".join(normalize("NFKC", text).translate(_MINUS).split())


def number_of(text: str | None) -> int | None:
    """Return the number in a form or an address; None for any text that is no id or count of 64 bits."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


class OptionalFieldOptions(TypedDict, total=False):
    """Options that each field takes, where the field itself decides if it is required."""

    label: StrOrPromise | None
    help_text: StrOrPromise
    initial: object
    widget: forms.Widget | type[forms.Widget] | None
    error_messages: Mapping[str, StrOrPromise]


class FieldOptions(OptionalFieldOptions, total=False):
    """Options that each field takes."""

    required: bool


def field_of(form: forms.BaseForm, name: str, kind: type[K]) -> K:
    """Return a form's field, which must be of this class."""
    field = form.fields[name]
    if not isinstance(field, kind):
        raise TypeError(f"{name} is a {type(field).__name__}, not a {kind.__name__}")
    return field


class ListedInput(forms.TextInput):
    """Text input with suggestions. If any are given, it renders the datalist with this id as well."""

    def __init__(self, list_id: str, listed: Sequence[str] = ()) -> None:
        super().__init__(attrs={"list": list_id, "autocomplete": "off"})
        self.listed = listed

    def render(
        self, name: str, value: object, attrs: dict[str, object] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        """Return the HTML of the input, followed by its datalist if there are suggestions."""
        field = super().render(name, value, attrs, renderer)
        if not self.listed:
            return field
        options = format_html_join("", '<option value="{}"></option>', ((each,) for each in self.listed))
        return format_html('{}<datalist id="{}">{}</datalist>', field, self.attrs["list"], options)


class ScoreField(forms.CharField):
    """A score in the unit of the rules: with 100, "412" is 41,200. `base` is added to what is typed."""

    def __init__(self, *, rules: Ruleset, base: int = 0, **options: Unpack[FieldOptions]) -> None:
        self.rules, self.base = rules, base
        super().__init__(max_length=16, **options)

    def clean(self, value: object) -> object:
        """Return the score in points; None if the field is optional and empty."""
        text = super().clean(value)
        if text == "":
            return None
        unit, most = self.rules.entry.unit, MOST_TABLES * self.rules.table_total
        try:
            score, points = (parse_score(text, unit=each) for each in (unit, 1))
        except ScoreTextError as error:
            raise ValidationError(str(error), code="score_text") from error
        if abs(points) < most < abs(score) and points % unit == 0:
            raise ValidationError(self._did_you_mean(text, score, points), code="score_in_points")
        return score + self.base

    def _did_you_mean(self, text: str, score: int, points: int) -> str:
        """Return the question about a number that no score can be in units, but can be in points."""
        message = _(
            "“%(text)s” is read as %(score)s. Did you mean %(points)s? Then type %(short)s, else %(score)s in full."
        )
        return message % {
            "text": text,
            "score": score_text(score),
            "points": score_text(points),
            "short": points // self.rules.entry.unit,
        }


LONGEST_COUNT = 4


def count_in(text: str) -> int:
    """Return an incomplete input as a count; 0 if it is not a number."""
    digits = plain(text) if len(text) <= LONGEST_COUNT else ""
    return int(digits) if digits.isascii() and digits.isdigit() else 0


class CountField(forms.CharField):
    """A count of 0 or more; empty counts as 0."""

    def __init__(self, **options: Unpack[OptionalFieldOptions]) -> None:
        super().__init__(max_length=LONGEST_COUNT, required=False, **options)

    def clean(self, value: object) -> object:
        """Return the number; raise ValidationError if it is not one or negative."""
        text = plain(super().clean(value))
        if not text:
            return 0
        if not (text.isascii() and text.isdigit()):
            raise ValidationError(_("“%(text)s” is not a number. Enter how many: 0, 1, 2 ...") % {"text": value})
        return int(text)


class AmountField(forms.CharField):
    """An amount of a ledger, such as -20.5, converted to its stored integer."""

    def __init__(self, *, ledger: Ledger, **options: Unpack[FieldOptions]) -> None:
        self.ledger = ledger
        super().__init__(max_length=16, **options)

    def clean(self, value: object) -> object:
        """Return the amount in the ledger's scale."""
        text = plain(super().clean(value))
        if not text and not self.required:
            return 0
        if not _AMOUNT.fullmatch(text):
            raise ValidationError(_("“%(text)s” is not an amount. Write it like 20 or ▲20.5.") % {"text": value})
        try:
            return self.ledger.stored(Fraction(text))
        except ValueError as error:
            raise ValidationError(
                _("“%(text)s” has more decimals than this is counted in.") % {"text": value}
            ) from error


class NumbersField(forms.CharField):
    """Numbers of hanchan: "1-4" or "1, 2, 5"."""

    def __init__(self, **options: Unpack[FieldOptions]) -> None:
        super().__init__(max_length=200, **options)

    def clean(self, value: object) -> object:
        """Return the numbers in the order written; raise ValidationError for duplicates or too many."""
        text = plain(super().clean(value).replace("～", "-").replace("〜", "-"))
        numbers: list[int] = []
        for part in filter(None, text.split(",")):
            found = _NUMBERS.fullmatch(part)
            if found is None:
                raise ValidationError(_("“%(text)s” names no hanchan. Write it like 1-4 or 1, 2, 5.") % {"text": value})
            first, last = int(found[1]), int(found[2] or found[1])
            # Cap the range first: 1-999999999 would fill the memory before it is refused.
            numbers += range(first, min(last, first + LONGEST_DAY) + 1)
        if not numbers or min(numbers) < 1 or len(set(numbers)) != len(numbers) or len(numbers) > LONGEST_DAY:
            raise ValidationError(_("Name each hanchan once, from 1 on, such as 1-4."))
        return numbers


LONGEST_DAY = 24
