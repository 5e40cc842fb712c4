"""Forms around a match night: substitutes, photos and printed slips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from league.forms.fields import ListedInput, field_of
from league.forms.results.entry import SubstituteField
from league.forms.service import ServiceForm
from league.models import Hanchan, HanchanSeat
from league.wording.names import person_name

if TYPE_CHECKING:
    SeatField = forms.ModelChoiceField[HanchanSeat]
else:
    SeatField = forms.ModelChoiceField


class SeatChoice(SeatField):
    """Choice of a seat, labelled with the entrant's name."""

    def label_from_instance(self, obj: HanchanSeat) -> str:
        """Return the entrant's name, followed by the substitute's if there is one already."""
        name = person_name(obj.entrant.player)
        return name if not obj.is_substitute else f"{name} ← {person_name(obj.player)}"


class NameSubstituteForm(ServiceForm):
    """Name a substitute for a seat, with a reason."""

    pointers = {"/entrant": "seat"}

    seat = SeatChoice(queryset=HanchanSeat.objects.none(), label=_("Player"), empty_label=None)
    player = SubstituteField(
        required=False,
        label=_("Substitute"),
        help_text=_("A name, or the key in brackets. Empty: the player sits again."),
        widget=ListedInput("known-players"),
    )
    is_for_all = forms.BooleanField(
        required=False, initial=True, label=_("For the table's later hanchan without a result as well")
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("It is kept with the change, which all visitors can read."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: object, hanchan: Hanchan, known: Sequence[str], **options: object) -> None:
        super().__init__(*args, **options)
        seats = hanchan.seats.select_related("entrant__player", "player").order_by("seat")
        self.fields["player"].widget.listed = known
        field_of(self, "seat", SeatChoice).queryset = seats


class PhotoForm(ServiceForm):
    """Upload one photo."""

    file = forms.FileField(
        label=_("Photo of the slip"),
        help_text=_(
            "JPEG, PNG or WebP, at most 10 MB. Only the staff see it; what the phone wrote into it is removed."
        ),
        widget=forms.FileInput(attrs={"accept": "image/*"}),
    )


class SlipsForm(ServiceForm):
    """Options of the printed slips."""

    with_links = forms.BooleanField(
        required=False,
        label=_("With a QR code for the score sheet on a phone"),
        help_text=_("Makes a new link for the scorer of every table that still plays; it is shown this once."),
    )
    ends_earlier = forms.BooleanField(
        required=False,
        label=_("End the earlier links for scorers"),
        help_text=_("Otherwise slips printed before stay good until their table is done."),
    )
    round = forms.TypedChoiceField(coerce=int, required=False, widget=forms.HiddenInput)

    def __init__(self, data: object = None, *, rounds: Sequence[int], shown: int = 0) -> None:
        super().__init__(data, initial={"round": shown})
        field_of(self, "round", forms.TypedChoiceField).choices = [(number, str(number)) for number in (0, *rounds)]
