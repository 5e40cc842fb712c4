"""Forms of webhooks, for programs and for people: address, events, and whether embargoed results are included."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.html import format_html
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.forms.fields import field_of
from league.forms.service import EditForm
from league.models import Audience, WebhookSubscription
from league.services.webhooks.events import EVENTS, events_for_people, events_of_owner
from league.services.webhooks.subscriptions import LONGEST_URL


def event_choices(owner: str = "competition") -> list[tuple[str, object]]:
    """Return the events of an owner with their meaning in words and their technical name."""
    return [(name, format_html("{} <code>{}</code>", EVENTS[name].meaning, name)) for name in events_of_owner(owner)]


def audience_field() -> forms.ChoiceField:
    """Return the field for what a receiver hears of."""
    return forms.ChoiceField(
        label=_("Hears what"),
        choices=Audience.choices,
        initial=Audience.PUBLIC,
        widget=forms.RadioSelect,
        help_text=_("What organizers see includes results that are held back. This cannot be changed later."),
    )


class WebhookWordsForm(EditForm):
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
        field_of(self, "events", forms.MultipleChoiceField).choices = event_choices(owner)


class WebhookForm(WebhookWordsForm):
    """The same for a new webhook, with its audience, which cannot be changed later."""

    audience = audience_field()


def people_choices() -> list[tuple[str, object]]:
    """Return the events of a competition that people can be told of, with their meaning in words."""
    return [(name, EVENTS[name].meaning) for name in events_for_people("competition")]


class PeopleWordsForm(EditForm):
    """Address, events and language of a receiver of texts for people."""

    url = forms.CharField(
        label=pgettext_lazy("webhook", "Address"),
        max_length=LONGEST_URL,
        widget=forms.TextInput(attrs={"class": "vURLField", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "Discord and Slack: the address of a webhook made there. LINE: the id of a group, a room or a user. "
            "Mail: one address, such as that of a mailing list."
        ),
    )
    token = forms.CharField(
        label=_("LINE's channel access token"),
        max_length=LONGEST_URL,
        required=False,
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("For LINE alone, from the LINE Developers console."),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=people_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: all of them."),
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, initial=get_language, widget=forms.RadioSelect
    )


class PeopleForm(PeopleWordsForm):
    """The same for a new receiver, with its service and audience, which cannot be changed later."""

    field_order = ("service", "url", "token", "events", "language", "audience")
    service = forms.ChoiceField(
        label=_("Service"),
        choices=[(each.value, each.label) for each in WebhookSubscription.Service if each.is_for_people],
        widget=forms.RadioSelect,
    )
    audience = audience_field()
