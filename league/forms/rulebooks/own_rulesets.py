"""Forms to write a ruleset and to put it in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.competitions.setup import ruleset_choices
from league.forms.fields import field_of
from league.forms.service import ServiceForm
from league.models import Competition, RulesetRevision
from league.services.rulebooks.own_rulesets import LONGEST_NAME, LONGEST_TEXT
from league.wording.names import title_of
from rulesets import loader

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_TITLE = 100
SEEN_DIGITS = 6


class CloneForm(ServiceForm):
    """The ruleset to start from, and the new one's name and titles."""

    source = forms.ChoiceField(label=gettext_lazy("Start from"), choices=ruleset_choices)
    name = forms.RegexField(
        r"^[a-z][a-z0-9_-]*$",
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("Lower-case letters, digits, hyphens and underscores, such as tomoshibi. It stays."),
    )
    title_ja = forms.CharField(label=gettext_lazy("Title"), max_length=LONGEST_TITLE)
    title_en = forms.CharField(label=gettext_lazy("English title"), max_length=LONGEST_TITLE, required=False)

    def clean_name(self) -> str:
        """Require a name that no shipped and no kept ruleset has."""
        name: str = self.cleaned_data["name"]
        if name in loader.names():
            raise ValidationError(_("“%(name)s” belongs to a ruleset of the product.") % {"name": name})
        if RulesetRevision.objects.filter(name=name).exists():
            message = _("There is a ruleset “%(name)s” already. Open it and edit it as a new revision.")
            raise ValidationError(message % {"name": name})
        return name


class TextFieldOptions(TypedDict, total=False):
    """Options of a `TextField`."""

    label: StrOrPromise | None
    required: bool


class TextField(forms.CharField):
    """A TOML text, kept exactly as typed."""

    def __init__(self, **options: Unpack[TextFieldOptions]) -> None:
        area = forms.Textarea(
            attrs={"rows": 32, "cols": 90, "wrap": "off", "spellcheck": "false", "autocapitalize": "off"}
        )
        super().__init__(strip=False, max_length=LONGEST_TEXT, widget=area, **options)


class WritingForm(ServiceForm):
    """The texts of a ruleset and its examples; `seen` is the revision they were edited from."""

    text = TextField(label=gettext_lazy("Ruleset (ruleset.toml)"))
    examples = TextField(label=gettext_lazy("Worked examples (examples.toml)"), required=False)
    seen = forms.IntegerField(
        widget=forms.HiddenInput, min_value=0, max_value=10**SEEN_DIGITS, required=False, initial=0
    )

    @property
    def is_unreadable(self) -> bool:
        """Return True if a text is missing or too long to be parsed."""
        codes = {error.code for errors in self.errors.as_data().values() for error in errors}
        return bool(codes & {"required", "max_length"})

    def clean_seen(self) -> int:
        """Return the revision edited from, 0 for a new ruleset."""
        return self.cleaned_data["seen"] or 0


if TYPE_CHECKING:
    CompetitionFieldBase = forms.ModelChoiceField[Competition]
else:
    CompetitionFieldBase = forms.ModelChoiceField


class CompetitionChoiceField(CompetitionFieldBase):
    """Choice of a competition by its title."""

    def label_from_instance(self, obj: Competition) -> str:
        """Return the title in the user's language."""
        return title_of(obj)


class ForceForm(ServiceForm):
    """The competition whose rules change to a revision."""

    competition = CompetitionChoiceField(label=gettext_lazy("Competition"), queryset=Competition.objects.none())

    def __init__(self, data: object = None, *, competitions: QuerySet[Competition]) -> None:
        super().__init__(data)
        field_of(self, "competition", CompetitionChoiceField).queryset = competitions
