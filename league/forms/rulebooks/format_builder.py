"""Forms of the format builder: one for the format, one for each stage. What differs from the draft becomes an edit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from league.forms.fields import field_of, plain
from league.forms.rulebooks.format_fields import LONGEST_TITLE, number_field, title_field
from league.forms.rulebooks.format_policies import AMOUNT, PoliciesForm, amount
from league.forms.rulebooks.format_teams import KINDS, LimitForm, TeamsForm
from league.forms.service import ServiceForm
from league.wording.messages import criterion_name
from league.wording.names import Names
from league.wording.rulebooks.format_builder import draft_names, offer_label, origin_label, shown_title
from rulesets.format_builder import edits, rounds
from rulesets.format_builder.offers import offers
from rulesets.format_builder.picks import (
    MOST_TABLES,
    USUAL_TABLE,
    Draft,
    Entry,
    Pick,
    PickKind,
    Spread,
    blocks_in,
    blocks_of,
    entry_of,
    grows,
    seeds_of,
    table_of,
)
from rulesets.format_builder.proposals import MOST_BLOCKS
from rulesets.format_builder.teams import is_for_teams
from scoring.format import Arrangement, Carry, CarryRounding, Seating
from scoring.tiebreak import Criterion, Further

MOST_CRITERIA = len(Criterion)

SPREADS = (
    (Spread.STRAIGHT.value, gettext_lazy("in order: the first block is filled first")),
    (Spread.SNAKE.value, gettext_lazy("snake: to and fro over the blocks")),
    (Spread.DRAWN.value, gettext_lazy("by draw, held when the stage begins")),
)
SEATINGS = (
    (Seating.ROUNDS.value, gettext_lazy("new tables for every hanchan")),
    (Seating.STAY.value, gettext_lazy("one table for a whole session")),
)
PLACES = (
    ("blocks", gettext_lazy("in blocks, each with a standing of its own")),
    ("tables", gettext_lazy("at tables of four, made from the ranks")),
)
ARRANGEMENTS = (
    (Arrangement.SNAKE.value, gettext_lazy("snake: down the tables and up again")),
    (Arrangement.CROSSED.value, gettext_lazy("crossed: the two of one table apart")),
    (Arrangement.STRAIGHT.value, gettext_lazy("by rank: 1 to 4 at the first table")),
    (Arrangement.LISTED.value, gettext_lazy("as listed, table by table")),
)
SHARES = ("1/3", "1/4", "2/3", "3/4")
CARRIES = (
    (Carry.NONE.value, gettext_lazy("from zero")),
    (Carry.HALF.value, gettext_lazy("half of the points")),
    (Carry.PART.value, ""),
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


class StartForm(ServiceForm):
    """The start of a new draft: players or teams, their number, and a title if there is one already."""

    kind = forms.ChoiceField(label=gettext_lazy("Who enters"), choices=KINDS, initial="players", required=False)
    players = number_field(gettext_lazy("Number of players or teams"), 3, edits.MOST_PLAYERS)
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


FURTHER = (
    ("", gettext_lazy("the organizer rules where a place depends on it")),
    (Further.PLACES.value, gettext_lazy("more first places")),
    (Further.BEST_SCORE.value, gettext_lazy("the best final score of one hanchan")),
    (Further.HEAD_TO_HEAD.value, gettext_lazy("points in the hanchan against each other")),
    (Further.SEED.value, gettext_lazy("the better seed")),
    (Further.LOT.value, gettext_lazy("the lot")),
)


class FormatForm(ServiceForm):
    """The fields of the format as a whole."""

    title = title_field(gettext_lazy("Name of the format"))
    players = number_field(gettext_lazy("Players"), 3, edits.MOST_PLAYERS)
    most = number_field(gettext_lazy("or up to"), 3, edits.MOST_PLAYERS, required=False)
    table = forms.TypedChoiceField(label=gettext_lazy("Players at a table"), choices=TABLES, coerce=int)
    further = forms.ChoiceField(label=gettext_lazy("Still level"), choices=FURTHER, required=False)
    tie_0 = forms.ChoiceField(label=gettext_lazy("Equal totals: first"), choices=CRITERIA, required=False)
    tie_1 = forms.ChoiceField(label=gettext_lazy("then"), choices=CRITERIA, required=False)
    tie_2 = forms.ChoiceField(label=gettext_lazy("at last"), choices=CRITERIA, required=False)
    champion = forms.ChoiceField(label=gettext_lazy("Champion"), required=False)

    def __init__(self, data: object = None, *, draft: Draft) -> None:
        steps = [step["by"] for step in draft["tiebreak"].get("back_tracking", ())]
        entrants, self.then = draft.get("entrants"), draft["tiebreak"].get("then", [])
        least, most = (entrants["least"], entrants["most"]) if isinstance(entrants, dict) else (entrants, None)
        initial: dict[str, object] = {
            "title": shown_title(draft["title"]),
            "players": least,
            "most": most,
            "further": " ".join(self.then),
            "table": draft.get("players") or 4,
            "champion": draft.get("champion", {}).get("block", ""),
            **{f"tie_{number}": by for number, by in enumerate(steps)},
        }
        super().__init__(data, initial=initial, prefix="format")
        if draft.get("entrants") is None:
            del self.fields["players"], self.fields["most"]
        if len(self.then) > 1 or self.then == [Further.PRIOR]:
            told = _(", ").join(map(criterion_name, self.then))
            field_of(self, "further", forms.ChoiceField).choices = [*FURTHER, (" ".join(self.then), told)]
        self.policies = PoliciesForm(data, draft=draft)
        names = draft_names(draft)
        self.teams = TeamsForm(data, draft=draft, names=names)
        if is_for_teams(draft) and "players" in self.fields:
            self.fields["players"].label = _("Teams")
        blocks = [("", _("no player"))]
        for stage in draft["stages"]:
            blocks += [(each["key"], _winner(each["key"], stage["key"], names)) for each in blocks_in(stage)]
        self.fields["champion"] = forms.ChoiceField(
            label=gettext_lazy("Champion"), choices=blocks, required=False, initial=initial["champion"]
        )

    def is_valid(self) -> bool:
        """Return whether the fields and those of policies and teams can be read."""
        return self.policies.is_valid() & self.teams.is_valid() & super().is_valid()

    def edit(self, draft: Draft) -> Draft:
        """Return the draft with the fields that were changed."""
        typed, changed = self.cleaned_data, set(self.changed_data)
        if "title" in changed:
            draft = edits.set_title(draft, typed["title"])
        if changed & {"players", "most"}:
            draft = edits.set_players(draft, typed["players"], typed["most"])
        if "further" in changed:
            draft = rounds.set_further(draft, typed["further"].split())
        draft = self.teams.edit(self.policies.edit(draft))
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
        known = {key for own in blocks_of(draft).values() for key in own}
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


class StageForm(LimitForm):
    """The fields of a stage."""

    title = title_field(gettext_lazy("Name"))
    places = forms.ChoiceField(label=gettext_lazy("They play"), choices=PLACES, required=False)
    blocks = forms.TypedChoiceField(label=gettext_lazy("Blocks"), coerce=int)
    arrange = forms.ChoiceField(label=gettext_lazy("Spread over the tables"), choices=ARRANGEMENTS, required=False)
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
        self.is_tables = self.entry.arrange is not None
        self.grows = grows(draft, stage)
        self.names = draft_names(draft)
        super().__init__(data, initial=self._initial(), prefix=f"s-{stage['key']}")
        self.key: str = stage["key"]
        self.add_limit(draft, stage)
        if self.is_for_teams or stage["seating"] == Seating.FIXTURES:
            fixtures = (Seating.FIXTURES.value, _("as the organizer sets each hanchan"))
            field_of(self, "seating", forms.ChoiceField).choices = [*SEATINGS, fixtures]
        field_of(self, "carry", forms.ChoiceField).choices = list(_carries(stage["carry_over"].get("of", "")))
        most = MOST_TABLES if self.is_tables else MOST_BLOCKS
        field_of(self, "blocks", forms.TypedChoiceField).choices = [
            (number, str(number)) for number in range(1, most + 1)
        ]
        if self.is_tables:
            self.fields["blocks"].label = pgettext("number", "Tables")
            del self.fields["spread"]
        else:
            del self.fields["arrange"]
            if self.grows:
                field_of(self, "blocks", forms.TypedChoiceField).choices = [(1, "1")]
        if table_of(draft) != USUAL_TABLE or any(block.get("is_open") for block in blocks_in(stage)):
            del self.fields["places"]
        self.add_parts(draft, stage, self.names)
        field_of(self, "offer", forms.ChoiceField).choices = list(self._offers(draft))
        if not self.is_tables:
            self._add_blocks()
        for number, pick in enumerate(self.entry.picks):
            self._add_ranks(number, pick, _most_of(draft, pick))
        self.counts = _counts(draft, self.entry)

    def _initial(self) -> dict[str, object]:
        """Return the values of the stage by field."""
        stage, carry = self.stage, self.stage["carry_over"]
        return {
            "title": shown_title(stage["title"]),
            "places": PLACES[self.is_tables][0],
            "arrange": self.entry.arrange.value if self.entry.arrange else Arrangement.SNAKE.value,
            "blocks": len(self.entry.sizes),
            "spread": self.entry.spread.value,
            "hanchan": stage.get("hanchan"),
            "sessions": stage.get("sessions"),
            "seating": stage["seating"],
            "carry": _carry_choice(carry["kind"], carry.get("of", "")),
            "rounding": carry.get("rounding", CarryRounding.UP.value),
            "points": ", ".join(map(str, carry.get("points", ()))),
        }

    def _add_blocks(self) -> None:
        """Add the fields for the size and the name of each block."""
        for number, (block, size) in enumerate(zip(blocks_in(self.stage), self.entry.sizes, strict=True)):
            named = _("Players of %(block)s") % {"block": self.names.block(block["key"])}
            self.fields[f"size_{number}"] = number_field(named, 1, edits.MOST_PLAYERS)
            self.initial[f"size_{number}"] = size
            label = _("Name of block %(number)s") % {"number": number + 1}
            self.fields[f"name_{number}"] = title_field(label)
            self.initial[f"name_{number}"] = shown_title(block["title"])

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
        if pick.is_rest:
            ranks = [*ranks[: pick.last - 1], (pick.last, _("the last"))]
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
            if not AMOUNT.fullmatch(point):
                message = _("“%(part)s” is no number. Write points such as 30, 10, -10, -30.")
                raise ValidationError(message % {"part": part})
        return points

    @property
    def is_rounded(self) -> bool:
        """Return True if a share of the points is carried over."""
        return str(self["carry"].value()).partition(" ")[0] in {Carry.HALF, Carry.PART}

    @property
    def is_drawn_or_split(self) -> bool:
        """Return True if the stage has several blocks."""
        return len(self.entry.sizes) > 1 and not self.is_tables

    @property
    def size_rows(self) -> list[forms.BoundField]:
        """The fields for the players of each block."""
        return [self[f"size_{number}"] for number in self._numbers]

    @property
    def name_rows(self) -> list[forms.BoundField]:
        """The fields for the names of several blocks."""
        return self.name_fields if self.is_drawn_or_split else []

    @property
    def name_fields(self) -> list[forms.BoundField]:
        """The fields for the names of all blocks; that of an only block is sent along unseen."""
        return [self[f"name_{number}"] for number in self._numbers]

    @property
    def _numbers(self) -> range:
        """The numbers of the blocks that have fields; tables have none."""
        return range(0 if self.is_tables else len(self.entry.sizes))

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
        draft = self.edit_limit(self._edit_play(draft, changed), self.key)
        typed = self.cleaned_data
        if "title" in changed:
            draft = edits.set_stage_title(draft, self.key, typed["title"])
        if changed & {"carry", "rounding", "points"}:
            kind, _sep, share = typed["carry"].partition(" ")
            draft = edits.set_carry(
                draft,
                self.key,
                kind,
                typed["rounding"] or "up",
                [amount(point) for point in typed["points"]],
                share=share,
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
        numbers = self._numbers
        if "places" in changed:
            return edits.set_places(draft, self.key, is_tables=typed["places"] == "tables")
        if "arrange" in changed:
            draft = edits.set_arrange(draft, self.key, Arrangement(typed["arrange"]))
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
        typed = self.cleaned_data
        if (parts := self.changed_parts()) is not None:
            draft = rounds.set_rounds(draft, self.key, parts)
        if changed & {"hanchan", "sessions", "seating"}:
            draft = edits.set_play(draft, self.key, typed["hanchan"], typed["sessions"], typed["seating"])
        return draft


def _carry_choice(kind: str, share: str) -> str:
    """Return the value that stands for points carried over: a part with its share."""
    return f"{kind} {share}" if share else kind


def _carries(own: str) -> Iterator[tuple[str, object]]:
    """Yield the choices of the points at the start, with the usual shares and the draft's own."""
    for value, label in CARRIES:
        if value != Carry.PART:
            yield value, label
            continue
        for share in dict.fromkeys((*SHARES, *([own] if own else []))):
            yield _carry_choice(value, share), _("%(share)s of the points") % {"share": share}


def _sizes(draft: Draft) -> Iterator[tuple[str, int]]:
    for stage in draft["stages"]:
        yield from zip((block["key"] for block in blocks_in(stage)), entry_of(draft, stage).sizes, strict=True)


def _most_of(draft: Draft, pick: Pick) -> int:
    """Return the last rank, seed or n-th best that a pick can reach."""
    if pick.kind is PickKind.SEEDS:
        return seeds_of(draft) or pick.last
    sizes, blocks = dict(_sizes(draft)), blocks_of(draft)
    if pick.kind is PickKind.BEST:
        return len(blocks.get(pick.of, ())) - 1
    own = blocks.get(pick.of, (pick.of,)) if pick.kind is PickKind.EACH else (pick.of,)
    return min((sizes.get(block, pick.last) for block in own), default=pick.last)


def _counts(draft: Draft, entry: Entry) -> list[int]:
    """Return the number of entrants of each pick."""
    return [len(pick.sources(blocks_of(draft))) for pick in entry.picks]
