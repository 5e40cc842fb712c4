"""Choosing one of a competition's players: from a list, or, where a list would be too long, by typing number or name.

Numbers are unique in a competition; each name offered while typing begins with its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.forms.fields import ListedInput, plain
from league.models import Entrant
from league.wording.names import person_name

MOST_IN_A_SELECT = 200
LIST = "entrants"
"""The id of the list of names, of which a page has one."""
LONGEST_NUMBER = 18
_NUMBER = re.compile(r"\d+")


def entrant_label(entrant: Entrant) -> str:
    """Number and name; typing the number finds it in either kind of list."""
    return f"{entrant.number} {person_name(entrant.player)}"


def is_crowd(offered: Sequence[Entrant]) -> bool:
    """Whether so many are offered that one types whom one means."""
    return len(offered) > MOST_IN_A_SELECT


def in_order(offered: Iterable[Entrant]) -> list[Entrant]:
    """By number."""
    return sorted(offered, key=lambda one: one.number)


def labels_of(offered: Sequence[Entrant]) -> list[str]:
    """What a crowd is chosen from while typing; nothing where few are offered."""
    return [entrant_label(one) for one in in_order(offered)] if is_crowd(offered) else []


class EntrantField(forms.Field):
    """One of the players offered; its value is the entrant, None where nobody is chosen.

    `everybody` holds whom the service refuses better than the form does, by id. Among a crowd the first field of a
    form lists the names (`lists`), or else the page does.
    """

    def __init__(
        self,
        *,
        offered: Sequence[Entrant],
        everybody: Mapping[int, Entrant] | None = None,
        lists: bool = True,
        **options: Any,
    ) -> None:
        self.by_id = everybody if everybody is not None else {one.pk: one for one in offered}
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

    def prepare_value(self, value: Any) -> Any:
        """An entrant's id as the field shows it; what was typed stays as it is."""
        if self.is_typed and isinstance(value, int):
            return entrant_label(self.by_id[value])
        return value

    def to_python(self, value: Any) -> Entrant | None:
        """The entrant meant."""
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
        """Whoever has the number it begins with, or else alone has this name."""
        named = [one for one in self.by_id.values() if text in {one.player.name, person_name(one.player)}]
        return self.by_number.get(number_in(text)) or (named[0] if len(named) == 1 else None)


def number_in(text: str) -> int:
    """The number a text begins with; 0, which nobody has, where it begins with none."""
    found = _NUMBER.match(plain(text[:LONGEST_NUMBER]))
    return int(found[0]) if found else 0
