"""Form to merge two entries of one person: chooses the entry that is kept."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import field_of
from league.forms.service import ServiceForm
from league.models import Player
from league.selectors.people.rosters import players_like


def describe_player(player: Player) -> str:
    """Return name, reading, affiliation and key, which tell people with the same name apart."""
    return " · ".join(filter(None, (player.name, player.name_kana, player.affiliation, player.key)))


class MergeForm(ServiceForm):
    """Choose the entry to keep: one with a similar name, or any other by its key."""

    like = forms.ChoiceField(label=gettext_lazy("Names like it"), required=False, widget=forms.RadioSelect)
    key = forms.CharField(
        label=gettext_lazy("Key of the entry that is kept"),
        max_length=64,
        required=False,
        help_text=gettext_lazy("Where the entry is not among those above."),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200, required=False)
    pointers = {"/duplicate": "__all__"}

    def __init__(self, data: object = None, *, duplicate: Player) -> None:
        super().__init__(data)
        self.candidates = {player.key: player for player in players_like(duplicate)}
        choices = [(key, describe_player(player)) for key, player in self.candidates.items()]
        field_of(self, "like", forms.ChoiceField).choices = choices
        if not self.candidates:
            del self.fields["like"]

    def clean(self) -> dict[str, object]:
        """Add the entry to keep as `keep`; raise ValidationError if there is no such player."""
        typed = super().clean() or {}
        key = typed.get("key") or typed.get("like") or ""
        keep = Player.objects.filter(key=key, merged_into=None, erased_at=None).first()
        if keep is None:
            raise ValidationError(
                _("Choose the entry that is kept, or write its key.") if not key else _("There is no such player.")
            )
        return {**typed, "keep": keep}
