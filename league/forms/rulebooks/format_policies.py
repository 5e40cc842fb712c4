"""Fields of the format builder for the policies: one question each, with a whole sentence for each answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import plain
from league.forms.rulebooks.format_fields import number_field
from league.forms.service import ServiceForm
from rulesets.format_builder.picks import Draft
from rulesets.format_builder.rounds import set_policies
from scoring.format.policies import Declined, NoShowBy, OddBy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_WAIT = 120
AMOUNT = re.compile(r"[+-]?\d{1,7}(\.\d{1,4})?")

ODD = (
    ("", gettext_lazy("The number must fill the tables; any other is refused.")),
    (OddBy.BYES.value, gettext_lazy("Those over sit out a round each, as few as possible.")),
    (OddBy.SUBSTITUTES.value, gettext_lazy("House players fill the last table; they have no rank.")),
)
NO_SHOW = (
    (NoShowBy.ASK.value, gettext_lazy("The organizer decides on the day.")),
    (NoShowBy.SUBSTITUTES.value, gettext_lazy("A house player sits down instead.")),
)
TWICE = (
    ("ask", gettext_lazy("Absent twice: the organizer decides.")),
    ("withdrawal", gettext_lazy("Absent twice counts as a withdrawal.")),
)
PLACE = (
    ("none", gettext_lazy("The absence has no place.")),
    ("last", gettext_lazy("The absence counts as last place.")),
)
WITHDRAWAL = (
    ("", gettext_lazy("Those who leave are ranked by what they have.")),
    ("ranked", gettext_lazy("Those who leave rank behind all who finish.")),
    ("unranked", gettext_lazy("Those who leave have no rank.")),
)
RESULTS = (
    ("stay", gettext_lazy("Their results stay.")),
    ("annul", gettext_lazy("Their results no longer count for the others.")),
)
WALKOVER = (
    ("ruling", gettext_lazy("A table that is not played: the organizer rules.")),
    ("worth", gettext_lazy("A table that is not played: all who were there get these points.")),
)
DECLINED = (
    (Declined.NEXT.value, gettext_lazy("A place declined after a cut goes to the next in rank.")),
    (Declined.EMPTY.value, gettext_lazy("A place declined after a cut stays empty.")),
)


def amount_field(label: StrOrPromise) -> forms.CharField:
    """Return a field for points."""
    return AmountField(label=label, max_length=14, required=False)


class AmountField(forms.CharField):
    """Points, typed as leagues write them; full-width digits and ▲ are taken too."""

    def clean(self, value: object) -> str:
        """Return the points as text; raise ValidationError for what is no number."""
        text = plain(str(super().clean(value)).strip())
        if text and not AMOUNT.fullmatch(text):
            raise ValidationError(_("Write points such as -15.0."))
        return text


class PoliciesForm(ServiceForm):
    """The policies of a format. A policy that is as usual is not written."""

    odd = forms.ChoiceField(label=gettext_lazy("A number that does not fill the tables"), choices=ODD, required=False)
    odd_points = amount_field(gettext_lazy("Points of such a round (empty: the average of the own hanchan)"))
    no_show = forms.ChoiceField(label=gettext_lazy("A player is not there at the start"), choices=NO_SHOW)
    no_show_after = number_field(gettext_lazy("after minutes"), 0, LONGEST_WAIT, required=False)
    no_show_points = amount_field(gettext_lazy("Points of the absent player"))
    no_show_place = forms.ChoiceField(label=gettext_lazy("Place of the absent player"), choices=PLACE)
    no_show_twice = forms.ChoiceField(label=gettext_lazy("Absent twice"), choices=TWICE)
    late = amount_field(gettext_lazy("A player joins late: points for each round missed"))
    withdrawal = forms.ChoiceField(
        label=gettext_lazy("A player leaves between two rounds"), choices=WITHDRAWAL, required=False
    )
    withdrawal_results = forms.ChoiceField(label=gettext_lazy("Results of those who leave"), choices=RESULTS)
    walkover = forms.ChoiceField(label=gettext_lazy("A table is not played"), choices=WALKOVER)
    walkover_worth = amount_field(gettext_lazy("Points of a table not played"))
    declined = forms.ChoiceField(label=gettext_lazy("A place is declined"), choices=DECLINED)

    def __init__(self, data: object = None, *, draft: Draft) -> None:
        self.before: Mapping[str, Any] = draft.get("policies", {})
        odd, no_show = self.before.get("odd", {}), self.before.get("no_show", {})
        leaves, walkover = self.before.get("withdrawal"), self.before.get("walkover", {})
        points = odd.get("points", "")
        ranked = "" if leaves is None else ("ranked" if leaves.get("ranked", True) else "unranked")
        initial: dict[str, object] = {
            "odd": "" if odd.get("by") in {None, OddBy.REFUSE} else odd["by"],
            "odd_points": "" if points == "average" else points,
            "no_show": no_show.get("by", NoShowBy.ASK.value),
            "no_show_after": no_show.get("after_minutes"),
            "no_show_points": no_show.get("points", ""),
            "no_show_place": no_show.get("place", "none"),
            "no_show_twice": no_show.get("twice", "ask"),
            "late": self.before.get("late", {}).get("worth", ""),
            "withdrawal": ranked,
            "withdrawal_results": (leaves or {}).get("results", "stay"),
            "walkover": walkover.get("by", "ruling"),
            "walkover_worth": walkover.get("worth", ""),
            "declined": self.before.get("declined", Declined.NEXT.value),
        }
        super().__init__(data, initial=initial, prefix="policy")

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields of all policies but the one for odd numbers."""
        return [field for field in self if not field.name.startswith("odd")]

    @property
    def is_usual(self) -> bool:
        """Return whether all policies but the one for odd numbers are the usual ones."""
        return not set(self.before) - {"odd"}

    def clean(self) -> dict[str, Any]:
        """Ask for the points of a table that is not played if such a table gives points."""
        typed = super().clean() or self.cleaned_data
        if typed.get("walkover") == "worth" and not typed.get("walkover_worth") and not self.errors:
            self.add_error("walkover_worth", _("Write points such as -15.0."))
        return typed

    def edit(self, draft: Draft) -> Draft:
        """Return the draft with the policies that were changed."""
        changed = {name.partition("_")[0] for name in self.changed_data}
        # "no_show" and its fields begin alike.
        changed |= {"no_show"} if any(name.startswith("no_show") for name in self.changed_data) else set()
        makes = {
            "odd": self._odd,
            "no_show": self._no_show,
            "late": self._late,
            "withdrawal": self._withdrawal,
            "walkover": self._walkover,
            "declined": self._declined,
        }
        policies = {name: make() for name, make in makes.items() if name in changed}
        return set_policies(draft, policies) if policies else draft

    def _written(self, name: str, value: Mapping[str, object], usual: Mapping[str, object]) -> Draft | None:
        """Return a policy without what is usual, with the note that it had; None if nothing is left."""
        own = {key: each for key, each in value.items() if each not in {None, ""} and usual.get(key) != each}
        kept = {key: each for key, each in self.before.get(name, {}).items() if key in {"clauses", "note"}}
        return {**own, **kept} if own else None

    def _odd(self) -> Draft | None:
        by, points = self.cleaned_data["odd"], amount(self.cleaned_data["odd_points"])
        worth = points if points != "" else ("average" if by == OddBy.BYES else None)
        if not by:
            return {"by": OddBy.REFUSE.value} if self.before.get("odd", {}).get("by") == OddBy.REFUSE else None
        return self._written("odd", {"by": by, "points": worth}, {})

    def _no_show(self) -> Draft | None:
        typed = self.cleaned_data
        value = {
            "by": typed["no_show"],
            "after_minutes": typed["no_show_after"],
            "points": amount(typed["no_show_points"]),
            "place": typed["no_show_place"],
            "twice": typed["no_show_twice"],
        }
        return self._written("no_show", value, {"by": "ask", "place": "none", "twice": "ask"})

    def _late(self) -> Draft | None:
        return self._written("late", {"worth": amount(self.cleaned_data["late"])}, {"worth": 0})

    def _withdrawal(self) -> Draft | None:
        ranked, results = self.cleaned_data["withdrawal"], self.cleaned_data["withdrawal_results"]
        if not ranked and results == "stay":
            return None
        return self._written("withdrawal", {"ranked": ranked != "unranked", "results": results}, {"results": "stay"})

    def _walkover(self) -> Draft | None:
        typed = self.cleaned_data
        worth = amount(typed["walkover_worth"]) if typed["walkover"] == "worth" else None
        return self._written("walkover", {"by": typed["walkover"], "worth": worth}, {"by": "ruling"})

    def _declined(self) -> str | None:
        chosen: str = self.cleaned_data["declined"]
        return None if chosen == Declined.NEXT else chosen


def amount(text: str) -> int | str:
    """Return points as a file has them: a whole number bare, others as text."""
    return int(text) if text.lstrip("+-").isdecimal() else text
