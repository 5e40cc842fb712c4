"""Forms of rankings: a new one, its names, its rules, and the events listed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.forms.fields import DAY_INPUT, field_of
from league.forms.service import EditForm, ServiceForm
from league.models import Competition
from league.services.seasons.rankings import MOST_NUMBER, EventFacts
from league.wording.names import title_in
from rulesets.rankings import load_ranking, ranking_names


class RulesFields(ServiceForm):
    """The rules of a ranking: a file of the product, or the text of one."""

    source = forms.ChoiceField(label=_("Ranking of the product"), required=False)
    text = forms.CharField(
        label=_("Or the text of a file"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(name, title_in(load_ranking(name).title)) for name in ranking_names()]
        self.fields["source"] = forms.ChoiceField(
            label=self.fields["source"].label, required=False, choices=[("", "–"), *named]
        )


class NewRankingForm(RulesFields):
    """A new ranking."""

    name = forms.CharField(label=_("Name"), max_length=100)
    name_en = forms.CharField(label=_("English name"), max_length=100, required=False)
    slug = forms.CharField(
        label=_("Address"), max_length=64, help_text=_("Lower-case letters, digits and hyphens, as in /rankings/name/.")
    )
    is_public = forms.BooleanField(label=_("readable by the public"), required=False)
    field_order = ["name", "name_en", "slug", "source", "text", "is_public"]


class RankingNamesForm(EditForm):
    """The names of a ranking, and whether the public may read it."""

    name = forms.CharField(label=_("Name"), max_length=100)
    name_en = forms.CharField(label=_("English name"), max_length=100, required=False)
    is_public = forms.BooleanField(label=_("readable by the public"), required=False)


class EventFactsForm(ServiceForm):
    """The day of an event, and what its weight depends on."""

    day = forms.DateField(label=_("Last day of the event"), widget=DAY_INPUT)
    days = forms.IntegerField(label=_("Days of play"), min_value=1, max_value=MOST_NUMBER, initial=1)
    countries = forms.IntegerField(label=_("Countries taking part"), min_value=1, max_value=MOST_NUMBER, initial=1)
    needs_qualification = forms.BooleanField(label=_("players had to qualify"), required=False)
    reason = forms.CharField(label=_("Reason"), required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def facts(self) -> EventFacts:
        """Return the facts of valid input."""
        data = self.cleaned_data
        return EventFacts(
            day=data["day"],
            days=data["days"],
            countries=data["countries"],
            needs_qualification=data["needs_qualification"],
        )


class ListEventForm(EventFactsForm):
    """A competition that is to count for a ranking."""

    competition = forms.ModelChoiceField(label=_("Competition"), queryset=Competition.objects.none())
    field_order = ["competition", "day", "days", "countries", "needs_qualification", "reason"]

    def __init__(self, *args: Any, offered: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "competition", forms.ModelChoiceField).queryset = offered
