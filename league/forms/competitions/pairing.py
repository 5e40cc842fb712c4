"""The form that publishes a round paired by the standing or by lot."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from league.forms.service import ServiceForm


class PairingForm(ServiceForm):
    """The round, and the digest of the pairing that the organizer has looked at."""

    number = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    pointers: Mapping[str, str] = {"/number": ""}
