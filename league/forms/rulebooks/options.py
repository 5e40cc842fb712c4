"""Form fields for house options: one for each option of a rule book, whatever its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.forms.fields import plain
from league.selectors.live.table_options import allowed_text
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_settings import setting_text
from scoring.ruleset import Option
from scoring.ruleset.options import Choice, Flag, Integer, Integers, NumberTable, Subset

_PAIR = re.compile(r"(?P<key>[^=]+(?==)|[^=\d]+(?<!-))=?(?P<number>-?\d+)")


PREFIX = "option_"


def option_fields(options: Mapping[str, Option], values: Mapping[str, object]) -> dict[str, forms.Field]:
    """Return a field for each option as `option_<key>`, with the given value or the book's default as initial."""
    fields = {}
    for key, option in options.items():
        field = option_field(option)
        field.label = title_in(option.title)
        field.initial = written(option, values.get(key, option.default))
        field.help_text = "" if isinstance(option, Flag | Choice | Subset) else allowed_text(option)
        fields[f"{PREFIX}{key}"] = field
    return fields


def typed_options(typed: Mapping[str, object]) -> dict[str, object]:
    """Return the values of option fields among cleaned data, by the option's key."""
    return {name.removeprefix(PREFIX): value for name, value in typed.items() if name.startswith(PREFIX)}


def bound_options(form: forms.Form) -> list[forms.BoundField]:
    """Return the bound option fields of a form."""
    return [form[name] for name in form.fields if name.startswith(PREFIX)]


def sent_untouched(fields: Mapping[str, forms.Field]) -> dict[str, list[str]]:
    """Return the POST values of unchanged option fields; an unticked checkbox sends none."""
    return {name: texts for name, field in fields.items() if (texts := _sent(field.initial))}


def _sent(initial: object) -> list[str]:
    match initial:
        case bool():
            return ["on"] if initial else []
        case list():
            return initial
        case _:
            return [str(initial)]


def option_field(option: Option) -> forms.Field:
    """Return the field of an option. Its error for a value the book does not allow lists the allowed ones."""
    match option:
        case Flag():
            return forms.BooleanField(required=False)
        case Choice(values=values):
            known = {str(value): value for value in values}
            return OneOfField(known, option)
        case Subset(values=names):
            return forms.MultipleChoiceField(
                required=False,
                choices=[(name, setting_text("", name)) for name in names],
                widget=forms.CheckboxSelectMultiple,
            )
        case Integer():
            return WrittenField(option, _whole_number)
        case Integers():
            return WrittenField(option, lambda text: [int(part) for part in text.replace("、", ",").split(",")])
        case NumberTable():
            return WrittenField(option, _pairs)


class OneOfField(forms.ChoiceField):
    """One of an option's values."""

    def __init__(self, known: Mapping[str, object], option: Option) -> None:
        self.known, self.option = known, option
        super().__init__(choices=[(text, setting_text("", value)) for text, value in known.items()])

    def clean(self, value: object) -> object:
        """Return the value with the type it has in the book."""
        if str(value) not in self.known:
            raise refusal(self.option, value)
        return self.known[str(value)]


class WrittenField(forms.CharField):
    """A value typed as text: a number, several numbers, or pairs such as p=1 s=1."""

    def __init__(self, option: Option, read: Callable[[str], object]) -> None:
        self.option, self.read = option, read
        super().__init__(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "size": "12"}))

    def clean(self, value: object) -> object:
        """Return the parsed value; raise ValidationError if the book does not allow it."""
        text = super().clean(value)
        try:
            found = self.read(text)
        except ValueError as error:
            raise refusal(self.option, text) from error
        if self.option.refusal(found):
            raise refusal(self.option, text)
        return found


def refusal(option: Option, value: object) -> ValidationError:
    """Return the error for a value, with the values that are allowed."""
    message = _("“%(value)s” is no value of %(option)s. Allowed: %(allowed)s.")
    shown = {"value": value, "option": title_in(option.title), "allowed": allowed_text(option)}
    return ValidationError(message % shown, code="option_value")


def written(option: Option, value: object) -> object:
    """Return an option's value as its field shows it."""
    if isinstance(option, NumberTable) and isinstance(value, Mapping):
        return " ".join(f"{key}={number}" for key, number in value.items())
    if isinstance(option, Integers) and isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return list(value) if isinstance(value, tuple) else value


def _whole_number(text: str) -> int:
    return int(plain(text).replace(",", ""))


def _pairs(text: str) -> dict[str, int]:
    """Parse `p=1 s=1` into a dict. Raise ValueError for anything else."""
    found = {}
    for part in text.replace("、", " ").replace(",", " ").split():
        pair = _PAIR.fullmatch(plain(part))
        if pair is None:
            raise ValueError(part)
        found[pair["key"]] = int(pair["number"])
    return found
