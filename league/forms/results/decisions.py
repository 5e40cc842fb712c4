"""Forms of decisions by organizers, each with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.competitions.entrants import EntrantField
from league.forms.fields import AmountField, field_of
from league.forms.results.entry import MemberField
from league.forms.service import ReasonForm
from league.models import Entrant, Player, Slot
from league.wording.formatting import rank_text
from league.wording.names import title_in, title_of
from league.wording.rulebooks.ruleset_ways import penalty_cost
from scoring.ruleset import Ledger
from scoring.ruleset.settling import PointPenalty


class ForEntrantForm(ReasonForm):
    """A decision about one entrant."""

    field_order = ["entrant", "points", "source", "reason"]

    def __init__(self, data: object = None, *, entrants: Sequence[Entrant], **options: object) -> None:
        super().__init__(data, **options)
        self.fields["entrant"] = EntrantField(offered=entrants, label=_("Player"))
        self.order_fields(self.field_order)

    def chosen(self) -> Entrant:
        """Return the entrant."""
        chosen: Entrant = self.cleaned_data["entrant"]
        return chosen


class AdjustmentForm(ForEntrantForm):
    """Points added or deducted outside a hanchan."""

    def __init__(
        self,
        data: object = None,
        *,
        ledger: Ledger,
        entrants: Sequence[Entrant],
        members: Mapping[Entrant, Sequence[Player]] | None = None,
        penalties: Sequence[PointPenalty] = (),
    ) -> None:
        super().__init__(data, entrants=entrants)
        if penalties:
            self.fields["cause"] = forms.ChoiceField(
                label=_("Penalty"),
                required=False,
                choices=[
                    ("", _("none of the list")),
                    *((each.key, f"{title_in(each.title)} ({penalty_cost(each, ledger)})") for each in penalties),
                ],
                help_text=_("A penalty from the list of the rules is deducted from the total."),
            )
        if members:
            help_text = _("Whose points these are too; empty: the team's alone.")
            self.fields["player"] = MemberField(members, label=_("Member"), help_text=help_text)
        self.fields["points"] = AmountField(
            ledger=ledger, label=_("Points"), help_text=_("Such as 20 or ▲20.5, as they stand in the table.")
        )
        self.order_fields(["entrant", "player", "cause", "points", "reason"])

    def clean(self) -> dict[str, object]:
        """Take the points of a listed penalty as a deduction, with or without the sign."""
        typed = super().clean() or {}
        points = typed.get("points")
        if typed.get("cause") and isinstance(points, int):
            typed["points"] = -abs(points)
        return typed


class OverrideForm(ForEntrantForm):
    """Another source for a slot, or an entrant by name."""

    source = forms.CharField(
        label=gettext_lazy("New source"),
        required=False,
        max_length=64,
        help_text=gettext_lazy("Such as po2#3 for the third of playoff 2. Leave it empty to name a player instead."),
    )

    def __init__(self, data: object = None, *, entrants: Sequence[Entrant]) -> None:
        super().__init__(data, entrants=entrants)
        self.fields["entrant"].required = False
        self.fields["entrant"].label = _("Or this player")
        self.order_fields(["source", "entrant", "reason"])

    def chosen_if_any(self) -> Entrant | None:
        """Return the entrant, or None if a source was entered."""
        chosen: Entrant | None = self.cleaned_data["entrant"]
        return chosen

    def clean(self) -> dict[str, object]:
        """Require either a source or an entrant, not both."""
        typed = super().clean() or {}
        if bool(typed.get("source")) == bool(typed.get("entrant")):
            raise ValidationError(_("Enter either a source or a player."))
        return typed


class SlotSwapForm(ReasonForm):
    """The slot to swap with."""

    other = forms.ChoiceField(label=gettext_lazy("Changes with"))
    field_order = ["other", "reason"]

    def __init__(self, data: object = None, *, slots: Sequence[Slot]) -> None:
        super().__init__(data)
        self.slots = {slot.pk: slot for slot in slots}
        choices = [(str(slot.pk), slot_label(slot)) for slot in slots]
        field_of(self, "other", forms.ChoiceField).choices = [("", "—"), *choices]

    def chosen(self) -> Slot:
        """Return the other slot."""
        return self.slots[int(self.cleaned_data["other"])]


def slot_label(slot: Slot) -> str:
    """Return a slot's block and number as text."""
    return _("%(block)s, place %(number)s") % {"block": title_of(slot.block), "number": slot.number}


class TieForm(ReasonForm):
    """Tied entrants in the order of the ruling."""

    def __init__(self, data: object = None, *, tied: Sequence[Entrant]) -> None:
        super().__init__(data)
        self.tied = tied
        for place in range(1, len(tied) + 1):
            self.fields[f"place_{place}"] = EntrantField(
                offered=tied, lists=place == 1, label=_("%(rank)s of them") % {"rank": rank_text(place)}
            )
        self.order_fields([*(f"place_{place}" for place in range(1, len(tied) + 1)), "reason"])
        self.pointers = {"/order": "place_1"}

    def clean(self) -> dict[str, object]:
        """Require each tied entrant exactly once."""
        typed = super().clean() or {}
        if not self.errors and len(set(self.order())) < len(self.tied):
            raise ValidationError(_("A player is named twice. Put each player in one place."))
        return typed

    def order(self) -> list[Entrant]:
        """Return the tied entrants, best first."""
        return [self.cleaned_data[f"place_{place}"] for place in range(1, len(self.tied) + 1)]


class DrawForm(ReasonForm):
    """The seed of a draw, with which the draw can be repeated and verified."""

    seed = forms.CharField(
        label=gettext_lazy("Seed"),
        max_length=64,
        help_text=gettext_lazy("Anything not known before, such as a number drawn in public."),
    )
    field_order = ["seed", "reason"]
