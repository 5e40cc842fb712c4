"""Forms of the format builder: one for the format, one for each stage. What differs from the draft becomes an edit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league.forms.fields import field_of, plain
from league.forms.service import ServiceForm
from league.wording.format_builder import draft_names, offer_label, origin_label
from league.wording.formatting import language_of
from league.wording.names import Names
from rulesets.format_builder import edits
from rulesets.format_builder.offers import offers
from rulesets.format_builder.picks import Draft, Entry, Pick, PickKind, Spread, entry_of
from rulesets.format_builder.proposals import MOST_BLOCKS, in_two
from scoring.format import Carry, CarryRounding, Seating
from scoring.tiebreak import Criterion

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_TITLE = 60
MOST_CRITERIA = len(Criterion)
_POINTS = re.compile(r"[+-]?\d{1,7}(\.\d{1,4})?")

SPREADS = (
    (Spread.STRAIGHT.value, gettext_lazy("in order: the first block is filled first")),
    (Spread.SNAKE.value, gettext_lazy("snake: to and fro over the blocks")),
    (Spread.DRAWN.value, gettext_lazy("by draw, held when the stage begins")),
)
SEATINGS = (
    (Seating.ROUNDS.value, gettext_lazy("new tables for every hanchan")),
    (Seating.STAY.value, gettext_lazy("one table for a whole session")),
)
CARRIES = (
    (Carry.NONE.value, gettext_lazy("from zero")),
    (Carry.HALF.value, gettext_lazy("half of the points")),
    (Carry.PART.value, gettext_lazy("a third of the points")),
    (Carry.FULL.value, gettext_lazy("all points")),
    (Carry.TABLE.value, gettext_lazy("points by place, typed below")),
)
ROUNDINGS = (
    (CarryRounding.UP.value, gettext_lazy("up")),
    (CarryRounding.DOWN.value, gettext_lazy("down")),
    (CarryRounding.TOWARDS_ZERO.value, gettext_lazy("towards zero")),
    (CarryRounding.AWAY_FROM_ZERO.value, gettext_lazy("away from zero")),
)
CRITERIA = (
    ("", "–"),
    (Criterion.POINTS.value, gettext_lazy("points of the latest hanchan")),
    (Criterion.PLACE.value, gettext_lazy("place in the latest hanchan")),
    (Criterion.SCORE.value, gettext_lazy("final score of the latest hanchan")),
)
TABLES = ((4, gettext_lazy("four")), (3, gettext_lazy("three")))


def shown_title(title: object) -> str:
    """Return a title in the reader's language."""
    return in_two(title)[language_of() != "ja"]


def number_field(label: StrOrPromise, least: int, most: int, *, required: bool = True) -> forms.IntegerField:
    """Return a field for a whole number in these bounds."""
    return WholeNumber(label=label, min_value=least, max_value=most, required=required)


class WholeNumber(forms.IntegerField):
    """A whole number; full-width digits, as Japanese keyboards type them, are taken too."""

    def to_python(self, value: object) -> int | None:
        """Return the number; None for an empty field."""
        return super().to_python(plain(str(value)) if value is not None else None)


def title_field(label: StrOrPromise) -> forms.CharField:
    """Return a field for a title."""
    return forms.CharField(label=label, max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class StartForm(ServiceForm):
    """What a new draft begins with: the number of players, and a title if there is one already."""

    players = number_field(gettext_lazy("Players"), 3, edits.MOST_PLAYERS)
    table = forms.TypedChoiceField(label=gettext_lazy("Players at a table"), choices=TABLES, coerce=int, initial=4)
    title = forms.CharField(
        label=gettext_lazy("Name of the format"),
        max_length=LONGEST_TITLE,
        required=False,
        help_text=gettext_lazy("Empty: the number of players."),
    )


class VenueForm(ServiceForm):
    """The tables that the venue has, to count the rounds; no part of the format."""

    venue = number_field(gettext_lazy("Tables in the venue"), 1, edits.MOST_PLAYERS, required=False)


class FormatTextForm(ServiceForm):
    """The text of a format, pasted or as a file."""

    text = forms.CharField(
        label=gettext_lazy("Text of a format (TOML)"),
        required=False,
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("or its file"), required=False)

    def clean(self) -> dict[str, object]:
        """Put the text of the file into `text`; a file goes before the field."""
        typed = super().clean() or self.cleaned_data
        file = typed.get("file")
        if file is not None:
            try:
                typed["text"] = file.read(200_001).decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("This is no text. Choose the .toml file of a format."))
        elif not str(typed.get("text") or "").strip() and not self.errors:
            self.add_error("text", _("Paste the text of a format, or choose its file."))
        return typed


class FormatForm(ServiceForm):
    """The fields of the format as a whole."""

    title = title_field(gettext_lazy("Name of the format"))
    players = number_field(gettext_lazy("Players"), 3, edits.MOST_PLAYERS)
    table = forms.TypedChoiceField(label=gettext_lazy("Players at a table"), choices=TABLES, coerce=int)
    tie_0 = forms.ChoiceField(label=gettext_lazy("Equal totals: first"), choices=CRITERIA, required=False)
    tie_1 = forms.ChoiceField(label=gettext_lazy("then"), choices=CRITERIA, required=False)
    tie_2 = forms.ChoiceField(label=gettext_lazy("at last"), choices=CRITERIA, required=False)
    champion = forms.ChoiceField(label=gettext_lazy("Champion"), required=False)

    def __init__(self, data: object = None, *, draft: Draft) -> None:
        steps = [step["by"] for step in draft["tiebreak"].get("back_tracking", ())]
        initial: dict[str, object] = {
            "title": shown_title(draft["title"]),
            "players": draft.get("entrants"),
            "table": draft.get("players") or 4,
            "champion": draft.get("champion", {}).get("block", ""),
            **{f"tie_{number}": by for number, by in enumerate(steps)},
        }
        super().__init__(data, initial=initial, prefix="format")
        if draft.get("entrants") is None:
            del self.fields["players"]
        names = draft_names(draft, language_of(get_language()))
        blocks = [("", _("no player"))]
        for stage in draft["stages"]:
            blocks += [(each["key"], _winner(each["key"], stage["key"], names)) for each in stage["blocks"]]
        self.fields["champion"] = forms.ChoiceField(
            label=gettext_lazy("Champion"), choices=blocks, required=False, initial=initial["champion"]
        )

    def edit(self, draft: Draft) -> Draft:
        """Return the draft with the fields that were changed."""
        typed, changed = self.cleaned_data, set(self.changed_data)
        if "title" in changed:
            draft = edits.set_title(draft, typed["title"])
        if "players" in changed:
            draft = edits.set_players(draft, typed["players"])
        if "table" in changed:
            draft = edits.set_table(draft, typed["table"])
        ties = [f"tie_{number}" for number in range(MOST_CRITERIA)]
        if changed.intersection(ties):
            draft = edits.set_tiebreak(draft, [typed[tie] for tie in ties if typed[tie]])
        return draft

    def crown(self, draft: Draft) -> Draft:
        """Return the draft with the chosen champion, if that choice was changed; last, since it names a block."""
        if "champion" not in self.changed_data:
            return draft
        chosen = self.cleaned_data["champion"] or None
        known = {block["key"] for stage in draft["stages"] for block in stage["blocks"]}
        return edits.set_champion(draft, chosen) if chosen is None or chosen in known else draft


def _winner(block: str, stage: str, names: Names) -> str:
    where = names.block(block)
    if block != stage and names.stage(stage) not in where:
        where = f"{names.stage(stage)} {where}"
    return _("first of %(block)s") % {"block": where}


class PickRow:
    """One pick of a stage, with the fields for its first and last rank."""

    def __init__(self, form: StageForm, number: int, pick: Pick, count: int) -> None:
        self.number, self.pick, self.count = number, pick, count
        self.label = origin_label(pick, form.names)
        self.first, self.last = form[f"first_{number}"], form[f"last_{number}"]


class StageForm(ServiceForm):
    """The fields of a stage."""

    title = title_field(gettext_lazy("Name"))
    blocks = forms.TypedChoiceField(label=gettext_lazy("Blocks"), coerce=int)
    spread = forms.ChoiceField(label=gettext_lazy("Spread over the blocks"), choices=SPREADS, required=False)
    hanchan = number_field(gettext_lazy("Hanchan for each player"), 1, edits.MOST_HANCHAN, required=False)
    sessions = number_field(gettext_lazy("Sessions (evenings)"), 1, edits.MOST_HANCHAN, required=False)
    seating = forms.ChoiceField(label=gettext_lazy("Seating"), choices=SEATINGS)
    carry = forms.ChoiceField(label=gettext_lazy("Points at the start"), choices=CARRIES)
    rounding = forms.ChoiceField(label=gettext_lazy("Rounding of a half"), choices=ROUNDINGS, required=False)
    points = forms.CharField(label=gettext_lazy("Points by place"), max_length=2_000, required=False)
    offer = forms.ChoiceField(label=gettext_lazy("Add players"), required=False)

    def __init__(self, data: object = None, *, draft: Draft, stage: Draft) -> None:
        self.stage, self.entry = stage, entry_of(draft, stage)
        self.names = draft_names(draft, language_of(get_language()))
        carry = stage["carry_over"]
        initial: dict[str, object] = {
            "title": shown_title(stage["title"]),
            "blocks": len(stage["blocks"]),
            "spread": self.entry.spread.value,
            "hanchan": stage.get("hanchan"),
            "sessions": stage.get("sessions"),
            "seating": stage["seating"],
            "carry": carry["kind"],
            "rounding": carry.get("rounding", CarryRounding.UP.value),
            "points": ", ".join(map(str, carry.get("points", ()))),
        }
        super().__init__(data, initial=initial, prefix=f"s-{stage['key']}")
        self.key: str = stage["key"]
        if stage["seating"] == Seating.FIXTURES:
            fixtures = (Seating.FIXTURES.value, _("as the organizer sets each hanchan"))
            field_of(self, "seating", forms.ChoiceField).choices = [*SEATINGS, fixtures]
        if share := carry.get("of"):
            told = (Carry.PART.value, _("%(share)s of the points") % {"share": share})
            choices = [told if value == Carry.PART else (value, label) for value, label in CARRIES]
            field_of(self, "carry", forms.ChoiceField).choices = choices
        field_of(self, "blocks", forms.ChoiceField).choices = [
            (number, str(number)) for number in range(1, MOST_BLOCKS + 1)
        ]
        field_of(self, "offer", forms.ChoiceField).choices = list(self._offers(draft))
        for number, (block, size) in enumerate(zip(stage["blocks"], self.entry.sizes, strict=True)):
            named = _("Players of %(block)s") % {"block": self.names.block(block["key"])}
            self.fields[f"size_{number}"] = number_field(named, 1, edits.MOST_PLAYERS)
            self.initial[f"size_{number}"] = size
            label = _("Name of block %(number)s") % {"number": number + 1}
            self.fields[f"name_{number}"] = title_field(label)
            self.initial[f"name_{number}"] = shown_title(block["title"])
        for number, pick in enumerate(self.entry.picks):
            self._add_ranks(number, pick, _most_of(draft, pick))
        self.counts = _counts(draft, self.entry)

    def _offers(self, draft: Draft) -> Iterator[tuple[str, object]]:
        """Yield the choices of `offer`, grouped by the stage that they come from."""
        sizes = dict(_sizes(draft))
        yield "", _("choose…")
        for stage, group in groupby(offers(draft, self.stage["key"]), lambda offer: offer.stage):
            label = self.names.stage(stage) if stage else _("Entrants of the competition")
            choices = [(offer.pick.text, offer_label(offer, self.names, sizes)) for offer in group if not offer.is_used]
            if choices:
                yield label, choices

    def _add_ranks(self, number: int, pick: Pick, most: int) -> None:
        ranks = [(rank, str(rank)) for rank in range(1, max(most, pick.last) + 1)]
        origin = origin_label(pick, self.names)
        for name, label, value in (
            ("first", _("%(origin)s: from"), pick.first),
            ("last", _("%(origin)s: to"), pick.last),
        ):
            self.fields[f"{name}_{number}"] = forms.TypedChoiceField(
                label=label % {"origin": origin}, choices=ranks, coerce=int
            )
            self.initial[f"{name}_{number}"] = value

    def clean_points(self) -> list[str]:
        """Return the points by place; raise ValidationError for what is no number."""
        found = [part for part in re.split(r"[,、,\s]+", self.cleaned_data["points"]) if part]
        points = [plain(part) for part in found]
        for part, point in zip(found, points, strict=True):
            if not _POINTS.fullmatch(point):
                message = _("“%(part)s” is no number. Write points such as 30, 10, -10, -30.")
                raise ValidationError(message % {"part": part})
        return points

    @property
    def is_drawn_or_split(self) -> bool:
        """Return True if the stage has several blocks."""
        return len(self.entry.sizes) > 1

    @property
    def size_rows(self) -> list[forms.BoundField]:
        """The fields for the players of each block."""
        return [self[f"size_{number}"] for number in range(len(self.entry.sizes))]

    @property
    def name_rows(self) -> list[forms.BoundField]:
        """The fields for the names of several blocks."""
        return self.name_fields if self.is_drawn_or_split else []

    @property
    def name_fields(self) -> list[forms.BoundField]:
        """The fields for the names of all blocks; that of an only block is sent along unseen."""
        return [self[f"name_{number}"] for number in range(len(self.entry.sizes))]

    @property
    def pick_rows(self) -> list[PickRow]:
        """The picks with their fields."""
        return [
            PickRow(self, number, pick, count)
            for number, (pick, count) in enumerate(zip(self.entry.picks, self.counts, strict=True))
        ]

    @property
    def entrants(self) -> int:
        """Return the number of entrants who come in."""
        return sum(self.counts)

    def edit(self, draft: Draft) -> Draft:
        """Return the draft with the fields that were changed; sizes typed for other blocks than there are now lapse."""
        changed = set(self.changed_data)
        draft = self._edit_picks(draft, changed)
        draft = self._edit_blocks(draft, changed)
        draft = self._edit_play(draft, changed)
        typed = self.cleaned_data
        if "title" in changed:
            draft = edits.set_stage_title(draft, self.key, typed["title"])
        if changed & {"carry", "rounding", "points"}:
            draft = edits.set_carry(
                draft, self.key, typed["carry"], typed["rounding"] or "up", _amounts(typed["points"])
            )
        return draft

    def _edit_picks(self, draft: Draft, changed: set[str]) -> Draft:
        typed = self.cleaned_data
        numbers = range(len(self.entry.picks))
        if changed & {f"{name}_{number}" for number in numbers for name in ("first", "last")}:
            ranks = [(typed[f"first_{number}"], typed[f"last_{number}"]) for number in numbers]
            draft = edits.set_ranks(draft, self.key, ranks)
        if typed["offer"]:
            draft = edits.add_pick(draft, self.key, typed["offer"])
        return draft

    def _edit_blocks(self, draft: Draft, changed: set[str]) -> Draft:
        typed = self.cleaned_data
        numbers = range(len(self.entry.sizes))
        for number in numbers:
            if f"name_{number}" in changed and len(numbers) > 1:
                draft = edits.set_block_title(draft, self.key, number, typed[f"name_{number}"])
        if "blocks" in changed:
            return edits.set_blocks(draft, self.key, typed["blocks"])
        if "spread" in changed and typed["spread"]:
            draft = edits.set_spread(draft, self.key, Spread(typed["spread"]))
        if any(f"size_{number}" in changed for number in numbers):
            draft = edits.set_sizes(draft, self.key, [typed[f"size_{number}"] for number in numbers])
        return draft

    def _edit_play(self, draft: Draft, changed: set[str]) -> Draft:
        if not changed & {"hanchan", "sessions", "seating"}:
            return draft
        typed = self.cleaned_data
        return edits.set_play(draft, self.key, typed["hanchan"], typed["sessions"], typed["seating"])


def _amounts(points: list[str]) -> list[int | str]:
    """Return points as a file has them: whole numbers bare, others as text."""
    return [int(point) if point.lstrip("+-").isdecimal() else point for point in points]


def _sizes(draft: Draft) -> Iterator[tuple[str, int]]:
    for stage in draft["stages"]:
        yield from zip((block["key"] for block in stage["blocks"]), entry_of(draft, stage).sizes, strict=True)


def _most_of(draft: Draft, pick: Pick) -> int:
    """Return the last rank, seed or n-th best that a pick can reach."""
    if pick.kind is PickKind.SEEDS:
        return int(draft.get("entrants") or pick.last)
    sizes = dict(_sizes(draft))
    blocks: Mapping[str, list[str]] = {
        stage["key"]: [block["key"] for block in stage["blocks"]] for stage in draft["stages"]
    }
    if pick.kind is PickKind.BEST:
        return len(blocks.get(pick.of, ())) - 1
    own = blocks.get(pick.of, [pick.of]) if pick.kind is PickKind.EACH else [pick.of]
    return min((sizes.get(block, pick.last) for block in own), default=pick.last)


def _counts(draft: Draft, entry: Entry) -> list[int]:
    """Return the number of entrants of each pick."""
    blocks = {stage["key"]: tuple(block["key"] for block in stage["blocks"]) for stage in draft["stages"]}
    return [len(pick.sources(blocks)) for pick in entry.picks]
