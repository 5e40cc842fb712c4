"""Forms for settling up with a guest: the leaving time, other items, terms, payments, and cancelling."""

from __future__ import annotations

import re
import unicodedata

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.parlour.clock import ClockField
from league.forms.service import ServiceForm
from league.models import Competition
from scoring.charges import Rate


class SettleForm(ServiceForm):
    """Settle up: the total that the clerk saw, and the time at which the guest left if that was not now."""

    expected = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: object = None, *, book: Competition) -> None:
        super().__init__(data)
        self.fields["at"] = ClockField(book=book, label=gettext_lazy("Left at (if not now)"))


class ExtraForm(ServiceForm):
    """Another item on a guest's bill; a discount is negative."""

    label = forms.CharField(
        label=gettext_lazy("Item"),
        max_length=100,
        widget=forms.TextInput(attrs={"size": "14", "autocomplete": "off", "list": "labels"}),
    )
    money = forms.CharField(
        label=pgettext_lazy("money", "Amount"),
        max_length=12,
        widget=forms.TextInput(attrs={"size": "6", "inputmode": "text", "autocomplete": "off"}),
    )

    def clean_money(self) -> int:
        """Return the amount; ▲ and − are signs, and full-width digits are digits."""
        return whole_money(self.cleaned_data["money"])


def whole_money(text: str) -> int:
    """Parse an amount in the smallest unit of the currency."""
    typed = unicodedata.normalize("NFKC", text).replace(",", "").replace(" ", "")
    typed = re.sub(r"^[▲△▼−–ー]", "-", typed)
    if not re.fullmatch(r"[-+]?\d{1,8}", typed):
        raise ValidationError(_("Write the amount as a whole number, such as 300 or -200."), "money")
    return int(typed)


class PayForm(ServiceForm):
    """Money taken for what is on account, or given back."""

    paid = forms.CharField(
        label=pgettext_lazy("money", "Amount"), max_length=12, widget=forms.TextInput(attrs={"size": "7"})
    )
    pointers = {"/money": "paid"}

    def clean_paid(self) -> int:
        """Return the amount."""
        return whole_money(self.cleaned_data["paid"])


class TermsForm(ServiceForm):
    """The rate of a guest, and the stamps on the card as the business day began; empty without a card."""

    rate = forms.ChoiceField(
        label=gettext_lazy("Rate"),
        choices=[
            (Rate.ORDINARY.value, gettext_lazy("ordinary rate")),
            (Rate.STUDENT.value, gettext_lazy("student rate")),
            (Rate.HOUR.value, gettext_lazy("by the hour")),
        ],
    )
    stamps = forms.IntegerField(
        label=pgettext_lazy("card", "Stamps at the start of the day (empty: no card)"),
        required=False,
        min_value=0,
        max_value=1000,
        widget=forms.TextInput(attrs={"size": "3", "inputmode": "numeric", "autocomplete": "off"}),
    )
