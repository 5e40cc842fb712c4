"""Forms of teams: entering them, their members, transfers, captains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import DAY_INPUT
from league.forms.results.entry import SubstituteField
from league.forms.service import ReasonForm, ServiceForm
from league.models import Entrant, Player
from league.selectors.seasons.pasted_teams import MOST_MEMBERS, MOST_TEAMS, digest_of, pasted_teams
from league.services.competitions.wizard import Newcomer
from league.wording.names import person_name

if TYPE_CHECKING:
    TeamChoice = forms.ModelChoiceField[Entrant]
else:
    TeamChoice = forms.ModelChoiceField


class TeamField(TeamChoice):
    """Choice of a team, by its name."""

    def label_from_instance(self, obj: Entrant) -> str:
        """Return the team's name."""
        return person_name(obj.player)


class TeamsForm(ServiceForm):
    """Teams with their members, pasted."""

    pasted = forms.CharField(
        label=gettext_lazy("Teams"),
        strip=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 16, "cols": 60, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "One team to a line: name / short name / reading. Its members follow on indented lines, after a colon, or "
            "in the next cells of a spreadsheet."
        ),
        error_messages={"required": gettext_lazy("Name at least one team.")},
    )
    has_captains = forms.BooleanField(
        required=False, initial=True, label=gettext_lazy("The first member of each team is its captain")
    )
    pointers = {"/teams": "pasted"}

    @property
    def digest(self) -> str:
        """The digest of the pasted text."""
        return digest_of(str(self.data.get("pasted", "")))

    @property
    def is_seen(self) -> bool:
        """Return True if the preview showed this very text."""
        return bool(self.data.get("seen") == self.digest)

    def clean_pasted(self) -> str:
        """Refuse more teams or members than any league has."""
        text: str = self.cleaned_data["pasted"]
        found = pasted_teams(text)
        if len(found) > MOST_TEAMS or any(len(team.members) > MOST_MEMBERS for team in found):
            message = _("At most %(teams)s teams of %(members)s members.")
            raise forms.ValidationError(message % {"teams": MOST_TEAMS, "members": MOST_MEMBERS})
        return text


class PersonField(SubstituteField):
    """A person by name, or by the key in brackets; a name that is not known yet stands for a new person."""

    def clean(self, value: object) -> object:
        """Return the player, or a newcomer of this name."""
        try:
            return super().clean(value)
        except forms.ValidationError as error:
            text = forms.CharField(max_length=100).clean(value)
            if error.code != "unknown_player" or Player.objects.filter(name=text).exists() or "(" in text:
                raise
            return Newcomer(name=text)


class MemberForm(ServiceForm):
    """A person who plays for a team from a day on."""

    player = PersonField(
        label=gettext_lazy("Member"),
        help_text=gettext_lazy("By name, or by the key in brackets. A name not known yet makes a new person."),
        widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"}),
    )
    since = forms.DateField(required=False, label=gettext_lazy("From"), widget=DAY_INPUT)
    until = forms.DateField(required=False, label=gettext_lazy("Until"), widget=DAY_INPUT)
    reason = forms.CharField(
        required=False, label=gettext_lazy("Reason"), widget=forms.Textarea(attrs={"rows": 2}), max_length=1000
    )


class EndMemberForm(ReasonForm):
    """The last day of a membership."""

    until = forms.DateField(
        required=False,
        label=gettext_lazy("Last day"),
        widget=DAY_INPUT,
        help_text=gettext_lazy("Empty: the membership was entered by mistake and is taken back."),
    )
    field_order = ("until", "reason")


class TransferForm(ReasonForm):
    """Another team for a member, from a day on."""

    since = forms.DateField(label=gettext_lazy("From"), widget=DAY_INPUT)
    field_order = ("to", "since", "reason")

    def __init__(self, data: object = None, *, member_of: Entrant) -> None:
        super().__init__(data)
        teams = Entrant.objects.filter(competition=member_of.competition, player__is_team=True).exclude(pk=member_of.pk)
        self.fields["to"] = TeamField(
            queryset=teams.select_related("player").order_by("number"), label=_("To the team")
        )
        self.order_fields(self.field_order)
