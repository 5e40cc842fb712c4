"""Field to choose an entrant: a select for few, number or name with suggestions for more than `MOST_IN_A_SELECT`.

Numbers are unique in a competition, and each suggestion begins with the number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.forms.fields import ListedInput, plain
from league.models import Entrant
from league.wording.names import person_name

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_IN_A_SELECT = 200
LIST = "entrants"
"""HTML id of the datalist of names; a page has one."""
LONGEST_NUMBER = 18
_NUMBER = re.compile(r"\d+")


def entrant_label(entrant: Entrant) -> str:
    """Return number and name: typing the number finds the entrant in a select and in a datalist."""
    return f"{entrant.number} {person_name(entrant.player)}"


def is_crowd(offered: Sequence[Entrant]) -> bool:
    """Return True if there are too many entrants for a select."""
    return len(offered) > MOST_IN_A_SELECT


def in_order(offered: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants by number."""
    return sorted(offered, key=lambda one: one.number)


def labels_of(offered: Sequence[Entrant]) -> list[str]:
    """Return the suggestions for a typed field; empty if a select is used."""
    return [entrant_label(one) for one in in_order(offered)] if is_crowd(offered) else []


class EntrantFieldOptions(TypedDict, total=False):
    """Options of an `EntrantField`, which makes its widget itself."""

    label: StrOrPromise | None
    required: bool
    initial: object
    error_messages: Mapping[str, StrOrPromise]


class EntrantField(forms.Field):
    """Field whose value is one of the entrants offered, or None if left empty.

    The argument with entrants by id may contain more than are offered: the form accepts them too, since the service
    refuses them with a better message. If names are typed, the form's first field contains the datalist (`lists`), or
    else the page does.
    """

    def __init__(
        self,
        *,
        offered: Sequence[Entrant],
        all_entrants: Mapping[int, Entrant] | None = None,
        lists: bool = True,
        **options: Unpack[EntrantFieldOptions],
    ) -> None:
        self.by_id = all_entrants if all_entrants is not None else {one.pk: one for one in offered}
        self.is_typed = is_crowd(offered)
        widget: forms.Widget
        if self.is_typed:
            self.by_number = {one.number: one for one in self.by_id.values()}
            widget = ListedInput(LIST, labels_of(offered) if lists else ())
            widget.attrs["placeholder"] = _("Number or name")
        else:
            choices = [(str(one.pk), entrant_label(one)) for one in in_order(offered)]
            widget = forms.Select(choices=[("", "—"), *choices])
        super().__init__(widget=widget, **options)

    def prepare_value(self, value: object) -> object:
        """Return an entrant's id as the label shown in a typed field; typed text stays as it is."""
        if self.is_typed and isinstance(value, int):
            return entrant_label(self.by_id[value])
        return value

    def to_python(self, value: object) -> Entrant | None:
        """Return the chosen entrant; raise ValidationError if there is no such one."""
        text = str(value or "").strip()
        if not text:
            return None
        found = self.typed(text) if self.is_typed else self.by_id.get(number_in(text))
        if found is None:
            raise ValidationError(
                _("There is no player “%(text)s” here. Type the number, or choose from the list.") % {"text": text},
                code="unknown_entrant",
            )
        return found

    def typed(self, text: str) -> Entrant | None:
        """Return the entrant with the number that the text begins with, else the only one of this name."""
        named = [one for one in self.by_id.values() if text in {one.player.name, person_name(one.player)}]
        return self.by_number.get(number_in(text)) or (named[0] if len(named) == 1 else None)


def number_in(text: str) -> int:
    """Return the number that a text begins with, or 0, which no entrant has."""
    found = _NUMBER.match(plain(text[:LONGEST_NUMBER]))
    return int(found[0]) if found else 0
