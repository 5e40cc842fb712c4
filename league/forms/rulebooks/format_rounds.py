"""Fields of the format builder for the seating of a stage's rounds: parts that follow each other up to the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import field_of
from league.forms.rulebooks.format_fields import number_field
from league.forms.service import ServiceForm
from league.wording.names import Names
from rulesets.format_builder.picks import Draft, table_of
from rulesets.format_builder.rounds import last_round
from scoring.format.arranging import Arrangement
from scoring.format.rounds import PAIRED_SIZE, Avoided, PairingWeights, SeatedBy

BY = (
    (SeatedBy.PLAN.value, gettext_lazy("planned before the start")),
    (SeatedBy.STANDING.value, gettext_lazy("by the standing: neighbours meet")),
    (SeatedBy.DRAW.value, gettext_lazy("by draw before each round")),
)
AVOIDED = (
    (Avoided.MET.value, gettext_lazy("a second meeting")),
    (Avoided.CLUB.value, gettext_lazy("players of one club")),
    (Avoided.COUNTRY.value, gettext_lazy("players of one country")),
    (Avoided.TABLE.value, gettext_lazy("the same table again")),
)
ARRANGED = (
    (Arrangement.STRAIGHT.value, gettext_lazy("1 to 4, 5 to 8: neighbours")),
    (Arrangement.SNAKE.value, gettext_lazy("snake: down the tables and up again")),
)
BANDS = (8, 16, 32, 64)
WEIGHTS: Mapping[str, object] = {
    "spread": gettext_lazy("Distance in the standing, squared, for each pair"),
    "met": gettext_lazy("Each earlier meeting of a pair"),
    "club": gettext_lazy("Each pair of one club"),
    "country": gettext_lazy("Each pair of one country"),
    "table": gettext_lazy("Each return to a table"),
}
HEAVIEST = 1000


class PartRow:
    """A part of the rounds with its fields."""

    def __init__(self, form: forms.Form, number: int, first: int, *, is_last: bool, is_paired: bool) -> None:
        self.number, self.first, self.is_last, self.is_paired = number, first, is_last, is_paired
        self.until, self.by, self.of = (form[f"{name}_{number}"] for name in ("until", "by", "of"))
        self.avoid, self.arrange, self.band = (form[f"{name}_{number}"] for name in ("avoid", "arrange", "band"))
        self.weights = [form[f"{name}_{number}"] for name in WEIGHTS]
        self.is_by_standing = self.by.value() == SeatedBy.STANDING


class RoundsForm(ServiceForm):
    """A form with fields for the parts of a stage's rounds; none if the format does not seat them by round."""

    parts: Sequence[Draft] = ()

    def add_parts(self, draft: Draft, stage: Draft, names: Names) -> None:
        """Add the fields of each part, filled from the draft."""
        hanchan = stage.get("hanchan")
        if stage["seating"] != "rounds" or not hanchan or stage["assignment"] == "arranged":
            return
        self.parts = stage.get("rounds", [{"numbers": f"1-{hanchan}", "by": SeatedBy.PLAN.value}])
        earlier = draft["stages"][: draft["stages"].index(stage)]
        of = [("", _("of this stage")), *((each["key"], names.stage(each["key"])) for each in earlier)]
        for number, plan in enumerate(self.parts):
            self._add(number, plan, hanchan, of)
        if table_of(draft) != PAIRED_SIZE:
            for number in range(len(self.parts)):
                field_of(self, f"by_{number}", forms.ChoiceField).choices = BY[:1]

    def _add(self, number: int, plan: Draft, hanchan: int, of: Sequence[tuple[str, str]]) -> None:
        usual = PairingWeights().model_dump()
        values = {
            "until": min(last_round(plan), hanchan),
            "by": plan["by"],
            "of": plan.get("of", ""),
            "avoid": list(plan.get("avoid", ())),
            "arrange": plan.get("arrange", Arrangement.STRAIGHT.value),
            "band": plan.get("band", ""),
            **{name: plan.get("weights", {}).get(name, usual[name]) for name in WEIGHTS},
        }
        bands = [("", _("all together")), *((band, _("by %(count)s") % {"count": band}) for band in BANDS)]
        if values["band"] not in {"", *BANDS}:
            bands.append((values["band"], _("by %(count)s") % {"count": values["band"]}))
        rounds = [(each, str(each)) for each in range(1, hanchan + 1)]
        found: dict[str, forms.Field] = {
            "until": forms.TypedChoiceField(label=_("to round"), choices=rounds, coerce=int),
            "by": forms.ChoiceField(label=_("Tables of these rounds"), choices=BY),
            "of": forms.ChoiceField(label=_("Standing"), choices=of, required=False),
            "avoid": forms.MultipleChoiceField(
                label=_("Avoid where possible"),
                choices=AVOIDED,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            ),
            "arrange": forms.ChoiceField(label=_("Who meets"), choices=ARRANGED, required=False),
            "band": forms.ChoiceField(label=_("Groups of the standing"), choices=bands, required=False),
            **{name: number_field(str(label), 0, HEAVIEST, required=False) for name, label in WEIGHTS.items()},
        }
        for name, field in found.items():
            self.fields[f"{name}_{number}"] = field
            self.initial[f"{name}_{number}"] = values[name]

    @property
    def part_rows(self) -> list[PartRow]:
        """The parts of the rounds with their fields."""
        rows, first = [], 1
        for number, plan in enumerate(self.parts):
            paired = plan["by"] != SeatedBy.PLAN
            rows.append(PartRow(self, number, first, is_last=number == len(self.parts) - 1, is_paired=paired))
            first = last_round(plan) + 1
        return rows

    def changed_parts(self) -> list[tuple[int, Draft]] | None:
        """Return the parts with their last rounds as typed; None if none was changed."""
        names = ("until", "by", "of", "avoid", "arrange", "band", *WEIGHTS)
        own = {f"{name}_{number}" for number in range(len(self.parts)) for name in names}
        if not own.intersection(self.changed_data):
            return None
        return [self._typed(number, plan) for number, plan in enumerate(self.parts)]

    def _typed(self, number: int, before: Draft) -> tuple[int, Draft]:
        typed: dict[str, Any] = {
            name: self.cleaned_data[f"{name}_{number}"] for name in ("until", "by", "of", "avoid", "arrange", "band")
        }
        plan: Draft = {name: before[name] for name in ("clauses", "note") if name in before} | {"by": typed["by"]}
        if typed["by"] != SeatedBy.PLAN and typed["avoid"]:
            plan["avoid"] = typed["avoid"]
        if typed["by"] == SeatedBy.PLAN and typed["avoid"] and before["by"] == SeatedBy.PLAN:
            plan["avoid"] = typed["avoid"]
        if typed["by"] == SeatedBy.STANDING:
            plan |= {"of": typed["of"]} if typed["of"] else {}
            plan |= {"arrange": typed["arrange"]} if typed["arrange"] == Arrangement.SNAKE else {}
            plan |= {"band": int(typed["band"])} if typed["band"] else {}
            usual = PairingWeights().model_dump()
            weights = {name: self.cleaned_data[f"{name}_{number}"] for name in WEIGHTS}
            different = {name: value for name, value in weights.items() if value is not None and value != usual[name]}
            plan |= {"weights": different} if different else {}
        return typed["until"], plan
