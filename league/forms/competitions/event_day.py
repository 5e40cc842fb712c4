"""Forms for the day of an event: absences, late arrivals, walkovers, house players."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.competitions.entrants import EntrantField
from league.forms.fields import AmountField
from league.forms.service import ReasonForm
from league.models import Block, Entrant, Hanchan, Player
from league.selectors.competitions.event_day import seat_text
from league.services.competitions.arrivals import NoShowDecision
from league.wording.formatting import points_text
from league.wording.names import title_of
from scoring.ruleset import Ledger


class NoShowForm(ReasonForm):
    """The round of an absence and, where the format leaves it to the organizers, what it counts."""

    def __init__(
        self,
        data: object = None,
        *,
        hanchan: Sequence[Hanchan],
        unseated: Sequence[tuple[Block, int]],
        ledger: Ledger,
        start: NoShowDecision | None,
    ) -> None:
        super().__init__(data)
        seated = [(f"{one.block_id}-{one.number}", f"{title_of(one.block)} · {seat_text(one)}") for one in hanchan]
        others = [
            (f"{block.pk}-{number}", _("%(block)s · hanchan %(number)s, not seated yet") % {
                "block": title_of(block), "number": number,
            })
            for block, number in unseated
        ]  # fmt: skip
        self.blocks = {row.pk: row for row in (*(one.block for one in hanchan), *(block for block, _n in unseated))}
        self.fields["round"] = forms.ChoiceField(label=_("Which round"), choices=[*seated, *others])
        self.asks = start is not None
        if start is not None:
            self.fields["counts"] = forms.ChoiceField(
                label=_("The absent player gets"),
                choices=[("house", _("what the house player wins")), ("points", _("these points"))],
                initial="house" if start.points is None else "points",
            )
            self.fields["points"] = AmountField(
                ledger=ledger,
                label=_("Points"),
                required=False,
                initial="" if start.points is None else points_text(start.points, ledger.scale),
            )
            self.fields["is_last"] = forms.BooleanField(
                label=_("and counts as last at the table"), required=False, initial=start.is_last
            )
        self.order_fields(["round", "counts", "points", "is_last", "reason"])
        self.pointers = {"/number": "round", "/entrant": "round"}

    def clean(self) -> dict[str, object]:
        """Require points where points are chosen."""
        typed = super().clean() or {}
        if typed.get("counts") == "points" and not self.data.get(self.add_prefix("points"), "").strip():
            self.add_error("points", ValidationError(_("Enter the points, 0 for none.")))
        return typed

    def chosen(self) -> tuple[Block, int]:
        """Return the block and the number of the hanchan."""
        block, _dash, number = self.cleaned_data["round"].partition("-")
        return self.blocks[int(block)], int(number)

    def decision(self) -> NoShowDecision | None:
        """Return the organizers' decision; None where the format decides."""
        if not self.asks:
            return None
        typed = self.cleaned_data
        if typed["counts"] == "house":
            return NoShowDecision()
        return NoShowDecision(typed["points"], is_last=typed["is_last"])


class LateForm(ReasonForm):
    """A player who joins after the first round: one who is entered, or a new one by name."""

    newcomer = forms.CharField(
        label=gettext_lazy("Or a new player"),
        required=False,
        max_length=Player._meta.get_field("name").max_length,
    )
    first = forms.IntegerField(label=gettext_lazy("Plays from hanchan"), min_value=2, max_value=1000)

    def __init__(
        self, data: object = None, *, entrants: Sequence[Entrant], blocks: Sequence[Block], first: int
    ) -> None:
        super().__init__(data, initial={"first": first})
        self.blocks = {str(block.pk): block for block in blocks}
        self.fields["entrant"] = EntrantField(offered=entrants, label=_("Entered, without a place"), required=False)
        choices = [(pk, str(block)) for pk, block in self.blocks.items()]
        self.fields["block"] = forms.ChoiceField(label=_("Block"), choices=choices)
        self.order_fields(["entrant", "newcomer", "block", "first", "reason"])
        self.pointers = {"/name": "newcomer"}

    def clean(self) -> dict[str, object]:
        """Require one of the two, not both."""
        typed = super().clean() or {}
        if bool(typed.get("entrant")) == bool(typed.get("newcomer")) and not self.errors:
            raise ValidationError(_("Choose a player or enter a new one, one of the two."))
        return typed

    def block(self) -> Block:
        """Return the chosen block."""
        return self.blocks[self.cleaned_data["block"]]


class WalkoverForm(ReasonForm):
    """A table that does not play, and the points for those who are there if the format leaves them open."""

    def __init__(self, data: object = None, *, ledger: Ledger, asks: bool) -> None:
        super().__init__(data)
        if asks:
            self.fields["points"] = AmountField(ledger=ledger, label=_("Points for each player who is there"))
            self.order_fields(["points", "reason"])
