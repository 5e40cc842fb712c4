"""Fields that the forms of the format builder share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from league.forms.fields import plain

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_TITLE = 60


def number_field(label: StrOrPromise, least: int, most: int, *, required: bool = True) -> forms.IntegerField:
    """Return a field for a whole number in these bounds."""
    return WholeNumber(label=label, min_value=least, max_value=most, required=required)


class WholeNumber(forms.IntegerField):
    """A whole number; full-width digits, as Japanese keyboards type them, are taken too."""

    def to_python(self, value: object) -> int | None:
        """Return the number; None for an empty field."""
        return super().to_python(plain(str(value)) if value is not None else None)


def title_field(label: StrOrPromise) -> forms.CharField:
    """Return a field for a title."""
    return forms.CharField(label=label, max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"autocomplete": "off"}))
