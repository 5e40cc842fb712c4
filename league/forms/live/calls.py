"""Form of a call for a referee."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from league.forms.service import ServiceForm
from league.models import RefereeCall

LONGEST = RefereeCall._meta.get_field("about").max_length


class CallForm(ServiceForm):
    """The reason for a call, in the table's words."""

    about = forms.CharField(label=_("What is it about? (optional)"), max_length=LONGEST, required=False)
