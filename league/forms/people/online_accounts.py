"""Form for the accounts of a player at online services."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.forms.fields import field_of
from league.forms.service import ServiceForm
from league.models import OnlineAccount, OnlineService


class OnlineAccountsForm(ServiceForm):
    """An account to remember, and those to forget."""

    service = forms.ChoiceField(label=gettext_lazy("Online service"), choices=OnlineService.choices)
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), choices=OnlineAccount.Kind.choices, initial=OnlineAccount.Kind.NAME
    )
    text = forms.CharField(
        label=gettext_lazy("Account id or name"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("As the service's logs have it. Games with it are taken for this player's."),
    )
    forget = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Forget"),
        queryset=OnlineAccount.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, accounts: Iterable[OnlineAccount], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ids = [account.pk for account in accounts]
        queryset = OnlineAccount.objects.filter(pk__in=ids)
        field_of(self, "forget", forms.ModelMultipleChoiceField).queryset = queryset
        if not ids:
            del self.fields["forget"]
