"""Fields of the format builder for teams and awards."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.rulebooks.format_fields import LONGEST_TITLE, number_field
from league.forms.rulebooks.format_rounds import RoundsForm
from league.forms.service import ServiceForm
from league.wording.names import Names
from league.wording.rulebooks.format_builder import shown_title
from league.wording.standings.awards import TITLES
from rulesets.format_builder.edits import MOST_HANCHAN
from rulesets.format_builder.picks import Draft
from rulesets.format_builder.teams import (
    MOST_AWARDS,
    MOST_MEMBERS,
    TEAMS,
    is_for_teams,
    set_awards,
    set_kind,
    set_limit,
    set_members,
)

KINDS = (
    ("players", gettext_lazy("players, each for themselves")),
    (TEAMS, gettext_lazy("teams, for which one member plays each hanchan")),
)


class AwardRow:
    """An award with its fields."""

    def __init__(self, form: forms.Form, number: int) -> None:
        self.number = number
        self.fields = [form[f"{name}_{number}"] for name in ("by", "stage", "least", "title")]


class TeamsForm(ServiceForm):
    """Players or teams, the members of a team, and the awards; the last row of awards is for one more."""

    kind = forms.ChoiceField(label=gettext_lazy("Who enters"), choices=KINDS)
    members_least = number_field(gettext_lazy("Members of a team: at least"), 1, MOST_MEMBERS)
    members_most = number_field(gettext_lazy("Members of a team: at most"), 1, MOST_MEMBERS)
    both_sexes = forms.BooleanField(label=gettext_lazy("Women and men in every team"), required=False)

    def __init__(self, data: object = None, *, draft: Draft, names: Names) -> None:
        team = draft.get("team", {})
        members = team.get("members", {})
        self.awards: list[Draft] = draft.get("awards", [])
        initial: dict[str, object] = {
            "kind": draft.get("kind", "players"),
            "members_least": members.get("least"),
            "members_most": members.get("most"),
            "both_sexes": team.get("both_sexes", False),
        }
        super().__init__(data, initial=initial, prefix="team")
        self.is_for_teams = is_for_teams(draft)
        if not self.is_for_teams or not members:
            for name in ("members_least", "members_most", "both_sexes"):
                del self.fields[name]
        stages = [(stage["key"], names.stage(stage["key"])) for stage in draft["stages"]]
        for number in range(min(len(self.awards) + 1, MOST_AWARDS)):
            award: Draft = self.awards[number] if number < len(self.awards) else {}
            title = shown_title(award["title"]) if "title" in award else ""
            self._add_award(number, award, stages, title)

    def _add_award(self, number: int, award: Draft, stages: list[tuple[str, str]], title: str) -> None:
        figures = [("", _("no award")), *((by.value, text) for by, text in TITLES.items())]
        found: dict[str, tuple[forms.Field, object]] = {
            "by": (forms.ChoiceField(label=_("Award"), choices=figures, required=False), award.get("by", "")),
            "stage": (
                forms.ChoiceField(label=_("Stage of the award"), choices=stages, required=False),
                award.get("stage", stages[0][0]),
            ),
            "least": (
                number_field(_("Least hanchan for the award"), 1, MOST_HANCHAN, required=False),
                award.get("least_hanchan"),
            ),
            "title": (
                forms.CharField(label=_("Name of the award"), max_length=LONGEST_TITLE, required=False),
                title,
            ),
        }
        for name, (field, value) in found.items():
            self.fields[f"{name}_{number}"] = field
            self.initial[f"{name}_{number}"] = value

    @property
    def award_rows(self) -> list[AwardRow]:
        """The awards with their fields, one more than there are."""
        return [AwardRow(self, number) for number in range(min(len(self.awards) + 1, MOST_AWARDS))]

    @property
    def has_awards(self) -> bool:
        """Return whether the draft has an award."""
        return bool(self.awards)

    def edit(self, draft: Draft) -> Draft:
        """Return the draft with the fields that were changed."""
        typed, changed = self.cleaned_data, set(self.changed_data)
        if changed & {"members_least", "members_most", "both_sexes"}:
            draft = set_members(draft, typed["members_least"], typed["members_most"], both_sexes=typed["both_sexes"])
        if any(name.rpartition("_")[2].isdecimal() for name in changed):
            draft = set_awards(draft, [row for row in map(self._award, range(len(self.award_rows))) if row])
        return set_kind(draft, typed["kind"]) if "kind" in changed else draft

    def _award(self, number: int) -> Draft:
        """Return an award as typed, with what has no field; empty if it was taken out."""
        typed = self.cleaned_data
        if not typed[f"by_{number}"]:
            return {}
        known: Draft = self.awards[number] if number < len(self.awards) else {}
        title = typed[f"title_{number}"] if f"title_{number}" in self.changed_data else known.get("title")
        return {
            **known,
            "title": title,
            "stage": typed[f"stage_{number}"] or known.get("stage"),
            "by": typed[f"by_{number}"],
            "least_hanchan": typed[f"least_{number}"],
        }


class LimitForm(RoundsForm):
    """A form with fields for the limit on the hanchan of each member in a stage; none for players."""

    is_for_teams = False
    limit: Draft = {}

    def add_limit(self, draft: Draft, stage: Draft) -> None:
        """Add the fields, filled from the first limit of the stage."""
        self.is_for_teams = is_for_teams(draft)
        if not self.is_for_teams:
            return
        self.limit = next((each for each in draft.get("limits", ()) if each["stage"] == stage["key"]), {})
        self.fields["hanchan"].label = _("Hanchan for each team")
        found: dict[str, tuple[forms.Field, object]] = {
            "least": (
                number_field(_("Each member plays at least"), 1, MOST_HANCHAN, required=False),
                self.limit.get("least"),
            ),
            "most": (
                number_field(_("Each member plays at most"), 1, MOST_HANCHAN, required=False),
                self.limit.get("most"),
            ),
            "note": (
                forms.CharField(label=_("Source and date of this limit"), max_length=LONGEST_TITLE, required=False),
                shown_title(self.limit["note"]) if "note" in self.limit else "",
            ),
        }
        for name, (field, value) in found.items():
            self.fields[f"limit_{name}"] = field
            self.initial[f"limit_{name}"] = value

    @property
    def limit_fields(self) -> list[forms.BoundField]:
        """The fields of the limit."""
        return [field for field in self if field.name.startswith("limit_")]

    def edit_limit(self, draft: Draft, stage: str) -> Draft:
        """Return the draft with the limit of the stage as typed."""
        typed, changed = self.cleaned_data, set(self.changed_data)
        if not changed & {"limit_least", "limit_most", "limit_note"}:
            return draft
        note = typed["limit_note"] if "limit_note" in changed else self.limit.get("note")
        return set_limit(draft, stage, typed["limit_least"], typed["limit_most"], note)
