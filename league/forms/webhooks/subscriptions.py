"""Who is told of what: the address, the events, and whether what is held back is told, too."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from league.forms.service import ServiceForm
from league.models import Audience
from league.services.webhooks.events import CHOSEN, EVENTS
from league.services.webhooks.subscriptions import LONGEST_URL


def event_choices() -> list[tuple[str, Any]]:
    """What can be told, in words, with the name that programs see."""
    return [(name, format_html("{} <code>{}</code>", EVENTS[name].meaning, name)) for name in CHOSEN]


class WebhookWordsForm(ServiceForm):
    """Where to, and what."""

    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_URL,
        widget=forms.URLInput(attrs={"class": "vURLField", "placeholder": "https://", "autocomplete": "off"}),
        help_text=_("Begins with https:// and leads to a host on the public internet."),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=event_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: all of them, those added later too."),
    )


class WebhookForm(WebhookWordsForm):
    """The same for one that is made; who hears what stays as it is made."""

    audience = forms.ChoiceField(
        label=_("Hears what"),
        choices=Audience.choices,
        initial=Audience.PUBLIC,
        widget=forms.RadioSelect,
        help_text=_("What organizers see includes results that are held back. This cannot be changed later."),
    )
