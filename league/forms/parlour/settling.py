"""Forms for settling up with a guest: the leaving time, other items, terms, payments, and cancelling."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from league.forms.parlour.clock import ClockField
from league.forms.parlour.money import MoneyField
from league.forms.service import EditForm, ServiceForm
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

    def __init__(self, data: object = None, *, currency: str) -> None:
        super().__init__(data)
        self.fields["money"] = MoneyField(
            currency=currency, label=pgettext("money", "Amount"), required=True, signed=True
        )


class PayForm(ServiceForm):
    """Money taken for the amount on account, or given back (negative)."""

    pointers = {"/money": "paid"}

    def __init__(self, data: object = None, *, currency: str, balance: int) -> None:
        super().__init__(data, initial={"paid": balance})
        self.fields["paid"] = MoneyField(
            currency=currency, label=pgettext("money", "Amount received"), required=True, signed=True
        )


class TermsForm(EditForm):
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
