"""The field in which a guest is typed, and the question it asks where the text may mean several guests or a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from league.forms.fields import number_of
from league.selectors.parlour.guests import NewGuest, TypedGuest, typed_guest
from league.services.parlour.people import GuestChoice
from league.wording.names import person_name

NEW = "new"
"""The value of a picker's choice that adds the text as a new guest."""


@dataclass(frozen=True, slots=True)
class GuestPicker:
    """A guest field as it is shown: `suffix` tells several of one form apart, `player` is an id, `new` or empty."""

    suffix: str = ""
    text: str = ""
    player: str = ""
    question: TypedGuest | None = None
    is_focused: bool = False
    is_known: bool = False
    """True if the guest must be known: no new one is added."""

    @classmethod
    def typed(
        cls,
        parlour_id: int | None,
        data: Mapping[str, str],
        suffix: str = "",
        *,
        focus: bool = False,
        known: bool = False,
    ) -> GuestPicker:
        """Return the field as typed: a text that means one guest is that guest, any other unclear one is a question."""
        text, player = data.get(f"guest{suffix}", "").strip(), data.get(f"player{suffix}", "")
        if player or not text:
            return cls(suffix, text, player, is_focused=focus, is_known=known)
        found = typed_guest(parlour_id, text)
        if found.player is not None:
            return cls(suffix, person_name(found.player), str(found.player.pk), is_focused=focus, is_known=known)
        is_question = bool(found.options) or (found.may_add and found.new is None and not known)
        return cls(suffix, text, "", found if is_question else None, is_focused=focus, is_known=known)

    @property
    def may_add(self) -> bool:
        """Return True if the question offers to add a new guest."""
        return self.question is not None and self.question.may_add and not self.is_known

    @property
    def new(self) -> NewGuest:
        """Return the text as a new guest."""
        return NewGuest.of(self.text)


def choice_in(data: Mapping[str, str], suffix: str = "") -> GuestChoice:
    """Return the guest chosen in a form."""
    player = data.get(f"player{suffix}", "")
    return GuestChoice(text=data.get(f"guest{suffix}", "").strip(), player=number_of(player), is_new=player == NEW)
