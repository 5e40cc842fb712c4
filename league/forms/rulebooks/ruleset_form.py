"""Form of a ruleset and its house options, which follow the choice of the ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import field_of
from league.forms.rulebooks.options import bound_options, option_fields, sent_untouched
from league.forms.service import ServiceForm
from league.models import RulesInForce
from league.selectors.live.table_options import usual
from league.selectors.rulebooks.rules_in_force import ruleset_of_revision
from league.services.rulebooks.revisions import revision_named
from league.wording.names import title_in
from rulesets import loader
from scoring.ruleset import Option, Ruleset


def ruleset_named(text: str) -> Ruleset | None:
    """Return a shipped ruleset by its name, or a kept revision as `name@number`; None if unknown."""
    if text in loader.names():
        return loader.load(text)
    revision = revision_named(text)
    return ruleset_of_revision(revision) if revision else None


def options_of(ruleset_name: str) -> Mapping[str, Option]:
    """Return the house options of a ruleset; none if it is unknown."""
    rules = ruleset_named(ruleset_name)
    return rules.options if rules else {}


def title_of_ruleset(ruleset_name: str) -> str:
    """Return the title of a ruleset; empty if it is unknown."""
    rules = ruleset_named(ruleset_name)
    return title_in(rules.title) if rules else ""


class RulesetForm(ServiceForm):
    """A ruleset with a field `option_<key>` for each of its house options, which begin as those of rules in force.

    The options in the input count only if they are those of the chosen ruleset (`options_of`); otherwise those that
    the page shows for it do.
    """

    ruleset = forms.ChoiceField(label=gettext_lazy("Ruleset"))
    options_of = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        rulesets: Sequence[tuple[str, str]],
        ruleset_name: str,
        initial: Mapping[str, object],
        in_force: RulesInForce | None = None,
    ) -> None:
        self.ruleset_name, self.in_force = ruleset_name, in_force
        own_fields = self._fields_of(ruleset_name)
        self.lost_options_of = ""
        if data is not None and data.get("options_of") != ruleset_name:
            self.lost_options_of = self._changed_options(data)
            data = self._with_own_options(data, own_fields)
        super().__init__(data, initial={**initial, "ruleset": ruleset_name, "options_of": ruleset_name})
        field_of(self, "ruleset", forms.ChoiceField).choices = rulesets
        self.fields.update(own_fields)

    @classmethod
    def typed_besides_options(cls, data: QueryDict) -> dict[str, object]:
        """Return the input without options, as the initial values of a form that shows another ruleset's."""
        fields = cls.base_fields.items()
        return {name: field.widget.value_from_datadict(data, {}, name) for name, field in fields}

    def values_of(self, ruleset_name: str) -> Mapping[str, object]:
        """Return the options in force that the ruleset knows and allows; none for a ruleset of another name."""
        if self.in_force is None or ruleset_name.partition("@")[0] != self.in_force.ruleset.name:
            return {}
        known, in_force = options_of(ruleset_name), self.in_force.options.items()
        return {key: value for key, value in in_force if key in known and not known[key].refusal(value)}

    def _fields_of(self, ruleset_name: str) -> dict[str, forms.Field]:
        return option_fields(options_of(ruleset_name), self.values_of(ruleset_name))

    def _changed_options(self, data: QueryDict) -> str:
        """Return the title of the ruleset whose options are in the input if any was changed, else empty."""
        shown = data.get("options_of", "")
        sent = {name: data.getlist(name) for name in data if name.startswith("option_")}
        return title_of_ruleset(shown) if sent != sent_untouched(self._fields_of(shown)) else ""

    def _with_own_options(self, data: QueryDict, fields: Mapping[str, forms.Field]) -> QueryDict:
        """Replace the options of the ruleset that the page showed by those of the one chosen, unchanged."""
        kept = data.copy()
        for name in [name for name in kept if name.startswith("option_")]:
            del kept[name]
        for name, texts in sent_untouched(fields).items():
            kept.setlist(name, texts)
        kept["options_of"] = self.ruleset_name
        return kept

    def clean(self) -> dict[str, object]:
        """Refuse once if options were changed and then another ruleset was chosen, which has others."""
        if self.lost_options_of:
            message = _(
                "You changed options of %(before)s, but chose %(now)s now, which has options of its own. Look at them "
                "below, then go on."
            )
            raise ValidationError(message % {"before": self.lost_options_of, "now": self.ruleset_title})
        return super().clean() or {}

    @property
    def ruleset_title(self) -> str:
        """The title of the ruleset whose options are shown."""
        return title_of_ruleset(self.ruleset_name)

    @property
    def option_rows(self) -> list[forms.BoundField]:
        """The bound fields of the ruleset's options."""
        return bound_options(self)

    @property
    def plain_rows(self) -> list[forms.BoundField]:
        """The other visible fields."""
        return [row for row in self.visible_fields() if not row.name.startswith("option_")]

    @property
    def differing(self) -> int:
        """The number of options that are shown with another value than the book's own."""
        known = options_of(self.ruleset_name)
        return sum(value != usual(known[key]) for key, value in self.values_of(self.ruleset_name).items())

    def options_typed(self) -> dict[str, object]:
        """Return the options that differ from the book's defaults."""
        known = options_of(self.ruleset_name)
        typed = {key: self.cleaned_data[f"option_{key}"] for key in known}
        return {key: value for key, value in typed.items() if value != usual(known[key])}
