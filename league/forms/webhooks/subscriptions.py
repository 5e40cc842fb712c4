"""Forms of webhook subscriptions: address, events, and whether embargoed results are included."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.forms.service import ServiceForm
from league.models import Audience
from league.services.webhooks.events import EVENTS, events_of_owner
from league.services.webhooks.subscriptions import LONGEST_URL


def event_choices(owner: str = "competition") -> list[tuple[str, object]]:
    """Return the events of an owner with their meaning in words and their technical name."""
    return [(name, format_html("{} <code>{}</code>", EVENTS[name].meaning, name)) for name in events_of_owner(owner)]


class WebhookWordsForm(ServiceForm):
    """Address and events of a webhook."""

    url = forms.CharField(
        label=pgettext_lazy("webhook", "Address"),
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

    def __init__(self, *args: Any, owner: str = "competition", **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["events"].choices = event_choices(owner)  # type: ignore[attr-defined]  # a MultipleChoiceField


class WebhookForm(WebhookWordsForm):
    """The same for a new webhook, with its audience, which cannot be changed later."""

    audience = forms.ChoiceField(
        label=_("Hears what"),
        choices=Audience.choices,
        initial=Audience.PUBLIC,
        widget=forms.RadioSelect,
        help_text=_("What organizers see includes results that are held back. This cannot be changed later."),
    )
