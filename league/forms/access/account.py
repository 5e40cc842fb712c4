"""Forms of a user's own account: two-factor codes, API tokens, accepting an invitation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.forms.fields import field_of
from league.forms.service import ServiceForm
from league.models import Competition
from league.selectors.access.actors import Capability, capability_name, competitions_where

DAYS = ((1, _("1 day")), (7, _("7 days")), (30, _("30 days")), (90, _("90 days")), (365, _("a year")))


def code_field() -> forms.CharField:
    """Return a field for a one-time or recovery code that lets browsers fill in the code from a text message."""
    attributes = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false", "size": "12"}
    return forms.CharField(label=_("Code"), max_length=32, widget=forms.TextInput(attrs=attributes))


def password_field() -> forms.CharField:
    """Return a field that asks for the current password."""
    widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
    return forms.CharField(label=_("Password"), max_length=1000, strip=False, widget=widget)


class CodeForm(ServiceForm):
    """A code of the authenticator app, or a recovery code."""

    code = code_field()


class TurnOffForm(ServiceForm):
    """Confirm with password and code that two-factor authentication is turned off."""

    password = password_field()
    code = code_field()


class TokenForm(ServiceForm):
    """Label, capabilities, competition and lifetime of a new API token."""

    label = forms.CharField(label=_("Used for"), max_length=100, help_text=_("Such as: overlay of the stream."))
    scopes = forms.MultipleChoiceField(label=_("Allowed to"), widget=forms.CheckboxSelectMultiple)
    competition = forms.ModelChoiceField(
        label=_("Only in"),
        queryset=Competition.objects.none(),
        required=False,
        empty_label=_("every competition you work for"),
    )
    days = forms.TypedChoiceField(label=_("Good for"), choices=DAYS, coerce=int, initial=30)

    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "competition", forms.ModelChoiceField).queryset = competitions_where(user, Capability.READ)
        field_of(self, "scopes", forms.MultipleChoiceField).choices = list(scopes_of(user))

    @property
    def expires_in(self) -> dt.timedelta:
        """The lifetime of the token."""
        return dt.timedelta(days=self.cleaned_data["days"])


def scopes_of(user: User) -> Iterable[tuple[str, str]]:
    """Yield the capabilities that the user has in some competition, as choices for a token."""
    for capability in Capability:
        if competitions_where(user, capability).exists():
            yield capability.value, capability_name(capability)


class NewAccountForm(ServiceForm):
    """Create an account after an invitation."""

    username = forms.CharField(
        label=_("Name to sign in with"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 12 characters; not one that many people use."),
    )
    again = forms.CharField(
        label=_("The password once more"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, object]:
        """Require the same password twice."""
        typed = super().clean() or self.cleaned_data
        if "again" in typed and typed.get("password") != typed["again"]:
            self.add_error("again", _("The two passwords differ."))
        return typed
