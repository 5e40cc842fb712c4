"""Form of a finished game at a parlour's counter: one row for each chair, scores and chips in the book's units."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Unpack

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import CountField, OptionalFieldOptions, ScoreField, count_in, plain
from league.forms.parlour.bust import bust_fields, read_bust
from league.forms.parlour.columns import EntryColumn, score_column, settled_column, typed_column
from league.forms.parlour.verdict import is_typed, read_verdict, refuse_contradiction, typed_verdict, verdict_fields
from league.forms.results.entry import digest, score_if_read, typed_score
from league.forms.rulebooks.options import bound_options, option_fields, typed_options
from league.forms.service import ServiceForm
from league.selectors.live.table_options import table_options
from league.services.parlour.games import GameEntry, Person
from league.services.results.entry import SheetEntry
from league.wording.formatting import day_text
from league.wording.messages import wind_name
from scoring.ruleset import Ledger, Ruleset
from scoring.ruleset.settling import PrizeTime

TYPED = {"autocomplete": "off", "inputmode": "numeric", "size": "6", "maxlength": "16"}


def amount_attrs(ledger: Ledger) -> dict[str, str | int]:
    """Return the attributes by which the script fills in the last amount of a ledger that adds up to 0."""
    return {**TYPED, "data-step": ledger.step, **({"data-sums-to": 0} if ledger.zero_sum else {})}


class ChipsField(forms.CharField):
    """An amount of a ledger in its steps: where amounts are multiples of 100, "5" and "500" are both 500."""

    def __init__(self, *, ledger: Ledger, **options: Unpack[OptionalFieldOptions]) -> None:
        self.ledger = ledger
        super().__init__(max_length=16, required=False, **options)

    def clean(self, value: object) -> object:
        """Return the amount in the ledger's scale; 0 if left empty."""
        text = plain(super().clean(value)).replace(",", "")
        if not text:
            return 0
        try:
            amount = self.ledger.stored(Fraction(text))
        except (ValueError, ZeroDivisionError) as error:
            message = _("“%(text)s” is not an amount. Type it like 5 or -12.")
            raise ValidationError(message % {"text": value}, code="amount_text") from error
        return amount * self.ledger.step if abs(amount) < self.ledger.step else amount


@dataclass(frozen=True, kw_only=True, slots=True)
class CounterGame:
    """The game to enter: a table's next one, or its last one to correct."""

    rules: Ruleset
    people: tuple[Person, ...]
    """Guests by chair, in turn order."""
    names: tuple[str, ...]
    round: int
    dealer: int | None
    asks_chips: bool
    options: Mapping[str, object] = field(default_factory=dict)
    entry: SheetEntry | None = None
    """The sheet to correct; its seats are the chairs."""
    corrects: int | None = None
    own_day: dt.date | None = None
    """The sitting's business day, if another one has begun since."""
    is_late: bool = False
    """True if that day was closed and reopened: a game entered now had been forgotten then."""


@dataclass(frozen=True, slots=True)
class ChairFields:
    """The bound fields of one chair."""

    chair: int
    wind: str
    name: str
    score: BoundField
    carried: tuple[tuple[EntryColumn, BoundField], ...]
    chonbo: BoundField | None
    tobi: BoundField | None

    @property
    def errors(self) -> list[tuple[str, str]]:
        """The errors of this row; the first one of a field has the id by which the field names it."""
        fields = (self.score, *(field for _, field in self.carried), self.chonbo, self.tobi)
        return [
            (f"{each.auto_id}_error" if place == 0 else "", str(error))
            for each in fields
            if each is not None
            for place, error in enumerate(each.errors)
        ]


class GameForm(ServiceForm):
    """One game. Fields are numbered by chair, so that changing the first dealer keeps the input in its row."""

    pointers = {"/are_seats_known": "dealer", "/first_dealer": "dealer", "/kyoutaku": "sticks"}

    def __init__(self, data: object = None, *, game: CounterGame) -> None:
        super().__init__(data, initial=initial_of(game))
        self.is_verdict = False
        """True if the scores are not typed and follow from the verdict."""
        self.game, self.rules = game, game.rules
        for chair in range(game.rules.players):
            self.fields.update(self._chair_fields(chair))
        self.fields.update(self._whole_fields())
        for name, each in self.fields.items():
            of_chair = name[-1].isdigit()
            each.widget.attrs["data-role"] = name.rsplit("_", 1)[0] if of_chair else name
            if of_chair:
                # The column's head is no label of a field; a screen reader needs guest and column with each.
                each.widget.attrs["aria-label"] = str(each.label)

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        """The ledgers whose amounts are entered with each game."""
        return self.rules.entered_ledgers if self.game.asks_chips else ()

    @property
    def shown_ledgers(self) -> tuple[Ledger, ...]:
        """The ledgers in which a game can have an amount; the house's fees take the place of a book's own."""
        return tuple(each for each in self.rules.ledgers if each.ranks or each.entered)

    @property
    def score_column(self) -> EntryColumn:
        """The head of the scores."""
        return score_column(self.rules)

    @property
    def typed_columns(self) -> list[EntryColumn]:
        """The heads of the amounts entered with each game."""
        return [typed_column(ledger, self.rules) for ledger in self.ledgers]

    @property
    def settled_columns(self) -> list[EntryColumn]:
        """The heads of the totals that the game comes to."""
        return [settled_column(ledger, self.rules, is_typed=ledger in self.ledgers) for ledger in self.shown_ledgers]

    def _chair_fields(self, chair: int) -> dict[str, forms.Field]:
        """Return the fields of a chair as the book needs them: score, chips, chonbo, tobi."""
        name = self.game.names[chair]
        total = self.rules.table_total - self.rules.players * self.rules.typed_from
        fields: dict[str, forms.Field] = {
            f"score_{chair}": ScoreField(
                rules=self.rules,
                base=self.rules.typed_from,
                # Where a verdict can stand for the scores, `clean` requires one of the two.
                required=self.rules.settlement.top_payment is None,
                label=_("%(name)s: score") % {"name": name},
                widget=forms.TextInput(attrs={**TYPED, "data-step": self.rules.entry.unit, "data-sums-to": total}),
                error_messages={"required": _("Enter this player's score.")},
            )
        }
        for ledger in self.ledgers:
            fields[f"carried_{ledger.key}_{chair}"] = ChipsField(
                ledger=ledger,
                label=f"{name}: {typed_column(ledger, self.rules).label}",
                widget=forms.TextInput(attrs=amount_attrs(ledger)),
            )
        if self.rules.settlement.chonbo is not None:
            widget = forms.TextInput(attrs={**TYPED, "size": "2"})
            fields[f"chonbo_{chair}"] = CountField(label=_("%(name)s: chonbo") % {"name": name}, widget=widget)
        prize = self.rules.settlement.tobi
        if prize is not None and prize.paid is PrizeTime.AT_SETTLEMENT:
            fields[f"tobi_{chair}"] = forms.TypedMultipleChoiceField(
                label=_("%(name)s was taken out by") % {"name": name},
                required=False,
                coerce=int,
                choices=[(other, each) for other, each in enumerate(self.game.names) if other != chair],
                widget=forms.CheckboxSelectMultiple,
            )
        return fields

    def _whole_fields(self) -> dict[str, forms.Field]:
        """Return the fields of the whole table: first dealer, deposits, options, reason of a correction."""
        chairs = list(enumerate(self.game.names))
        fields: dict[str, forms.Field] = {
            "dealer": forms.TypedChoiceField(
                label=gettext_lazy("First dealer"),
                required=False,
                coerce=int,
                empty_value=None,
                choices=[("", _("not noted")), *chairs],
            )
        }
        kyoutaku = self.rules.settlement.kyoutaku
        if kyoutaku is not None:
            fields["sticks"] = CountField(
                label=_("Deposits left on the table (sticks of %(unit)s)") % {"unit": f"{kyoutaku.unit:,}"},
                widget=forms.TextInput(attrs={**TYPED, "size": "2"}),
            )
        top = self.rules.settlement.top_payment
        if top is not None and top.forced_top:
            fields["forced_top"] = forms.TypedChoiceField(
                label=gettext_lazy("A yakuman ended the game: won by"),
                required=False,
                coerce=int,
                empty_value=None,
                choices=[("", "–"), *chairs],
            )
        fields.update(verdict_fields(self.rules, self.game.names))
        fields.update(bust_fields(self.rules, self.game.names, TYPED))
        fields.update(option_fields(table_options(self.rules), self.game.options))
        if self.game.own_day is not None:
            day = day_text(self.game.own_day)
            fields["of_own_day"] = forms.BooleanField(
                required=False, label=_("This game was still of %(day)s") % {"day": day}
            )
        if self.game.corrects is not None:
            fields["reason"] = forms.CharField(
                label=gettext_lazy("Reason for the correction"),
                max_length=200,
                error_messages={"required": gettext_lazy("Please give a reason: it is kept with the correction.")},
            )
        return fields

    def clean(self) -> dict[str, object]:
        """Complete the scores from the verdict, and the receiver of a bust prize from the payments.

        Either may stand beside what it replaces, and must not contradict it then.
        """
        typed = self.cleaned_data
        if not self.errors:
            self._complete_scores(typed)
        if not self.errors and (pair := read_bust(typed, self.rules, self._seat_of())) is not None:
            busted, receiver = pair
            marked = typed.get(f"tobi_{busted}") or [receiver]
            if marked != [receiver]:
                message = _("By the payments %(name)s takes this player out. Correct the mark or the payments.")
                error = ValidationError(message % {"name": self.game.names[receiver]}, code="bust_contradicts")
                self.add_error(f"tobi_{busted}", error)
            typed[f"tobi_{busted}"] = marked
        return typed

    def _complete_scores(self, typed: dict[str, Any]) -> None:
        """Require all scores or a verdict; where both are typed, they must agree."""
        payment = self.rules.settlement.top_payment
        if payment is None:
            return
        missing = [name for name in self._score_names() if typed.get(name) is None]
        has_verdict = is_typed(typed)
        if missing and not (has_verdict and len(missing) == self.rules.players):
            for name in missing:
                self.add_error(name, ValidationError(self.fields[name].error_messages["required"], code="required"))
            return
        self.is_verdict = bool(missing)
        if not has_verdict:
            return
        seat_of, forced = self._seat_of(), typed.get("forced_top")
        chairs = read_verdict(typed, self.rules)
        verdict = replace(chairs, top=seat_of[chairs.top], payers=tuple(sorted(seat_of[one] for one in chairs.payers)))
        if self.is_verdict:
            scores = verdict.scores(self.rules.players, payment, self.rules.entry.unit)
            typed.update({f"score_{chair}": scores[seat] for chair, seat in seat_of.items()})
        in_order = [typed[f"score_{chair}"] for chair in self.order()]
        names = [self.game.names[chair] for chair in self.order()]
        refuse_contradiction(verdict, in_order, seat_of[forced] if isinstance(forced, int) else None, self.rules, names)

    def _score_names(self) -> list[str]:
        return [f"score_{chair}" for chair in range(self.rules.players)]

    def _seat_of(self) -> dict[int, int]:
        """Return the seat of each chair."""
        return {chair: seat for seat, chair in enumerate(self.order())}

    def order(self) -> list[int]:
        """Return the chairs in seat order, beginning with the first dealer."""
        first = self._dealer() or 0
        return [(first + seat) % self.rules.players for seat in range(self.rules.players)]

    def _dealer(self) -> int | None:
        """Return the first dealer's chair as typed or proposed, or None if not noted."""
        text = str(self["dealer"].value() if self["dealer"].value() is not None else "")
        return int(text) if text.isascii() and text.isdigit() and int(text) < self.rules.players else None

    def rows(self) -> Iterator[ChairFields]:
        """Yield the chairs from the first dealer on; winds are empty until the first dealer is known."""
        winds = self.rules.setup.seat_winds
        is_known = self._dealer() is not None
        for seat, chair in enumerate(self.order()):
            yield ChairFields(
                chair=chair,
                wind=wind_name(winds[seat]) if is_known else "",
                name=self.game.names[chair],
                score=self[f"score_{chair}"],
                carried=tuple(
                    (typed_column(ledger, self.rules), self[f"carried_{ledger.key}_{chair}"]) for ledger in self.ledgers
                ),
                chonbo=self._if_there(f"chonbo_{chair}"),
                tobi=self._if_there(f"tobi_{chair}"),
            )

    def _if_there(self, name: str) -> BoundField | None:
        return self[name] if name in self.fields else None

    @property
    def winds(self) -> list[str]:
        """The names of the winds, for the script that reorders the rows."""
        return [wind_name(wind) for wind in self.rules.setup.seat_winds]

    def whole(self) -> Iterator[BoundField]:
        """Yield the fields of the whole table, except those the template places elsewhere."""
        for name in ("sticks", "forced_top", "of_own_day", "reason"):
            if name in self.fields:
                yield self[name]

    @property
    def verdict(self) -> list[BoundField]:
        """The fields of a verdict."""
        return [self[name] for name in verdict_fields(self.rules, self.game.names)]

    @property
    def bust(self) -> list[BoundField]:
        """The fields of a bust over several payments."""
        return [self[name] for name in bust_fields(self.rules, self.game.names, {})]

    def options(self) -> list[BoundField]:
        """Return the bound fields of the table's options."""
        return bound_options(self)

    @property
    def accepted(self) -> frozenset[str]:
        """Codes of the ticked warnings; empty if the input has changed since they were shown."""
        shown_for = self.data.get("accepted_for", "")
        # A tick belongs to the numbers it was given for; a changed score asks again.
        return super().accepted if self.is_valid() and shown_for == digest(self.sheet()) else frozenset()

    @property
    def entry_digest(self) -> str:
        """The digest of the input that the shown warnings are about."""
        return digest(self.sheet()) if self.is_bound and self.is_valid() else ""

    def entry(self) -> GameEntry:
        """Return the input as the service takes it."""
        typed, order = self.cleaned_data, self.order()
        kyoutaku = self.rules.settlement.kyoutaku
        seat_of = self._seat_of()
        forced = typed.get("forced_top")
        return GameEntry(
            scores=tuple(typed[f"score_{chair}"] for chair in order),
            first_dealer=typed.get("dealer"),
            kyoutaku=typed.get("sticks", 0) * kyoutaku.unit if kyoutaku else 0,
            chonbo=tuple(typed.get(f"chonbo_{chair}", 0) for chair in order),
            carried={
                ledger.key: tuple(typed[f"carried_{ledger.key}_{chair}"] for chair in order) for ledger in self.ledgers
            },
            tobi=tuple(
                (seat_of[chair], seat_of[other]) for chair in order for other in sorted(typed.get(f"tobi_{chair}", ()))
            ),
            forced_top=None if forced is None else seat_of[forced],
            is_verdict=self.is_verdict,
            options=typed_options(typed),
            entrants=tuple(self.game.people[chair].entrant for chair in order),
        )

    def sheet(self) -> SheetEntry:
        """Return the game as a result sheet."""
        return self.entry().sheet(self.game.people)

    def scores_typed(self) -> list[int | None]:
        """Return the scores by chair, None where a score cannot be parsed yet."""
        return [score_if_read(self.data.get(name, ""), self.rules) for name in self._score_names()]

    def amounts_typed(self, ledger: Ledger) -> list[int | None]:
        """Return a ledger's amounts by chair, None where a field is empty or cannot be parsed yet."""
        names = [f"carried_{ledger.key}_{chair}" for chair in range(self.rules.players)]
        return [self.cleaned_data.get(name) if self.data.get(name, "").strip() else None for name in names]

    def deposits_typed(self) -> int:
        """Return the points of the deposits left on the table, as far as they can be parsed yet."""
        kyoutaku = self.rules.settlement.kyoutaku
        return count_in(self.data.get("sticks", "")) * kyoutaku.unit if kyoutaku else 0

    def field_at(self, pointer: str) -> str | None:
        """Return the field of a pointer: `/scores/2` is the third seat from the first dealer, not the third chair."""
        match pointer.strip("/").split("/"):
            case ["scores" | "seats", seat, *_rest]:
                name = f"score_{self._chair(seat)}"
            case ["chonbo", seat]:
                name = f"chonbo_{self._chair(seat)}"
            case ["carried", ledger, *seat]:
                name = f"carried_{ledger}_{self._chair(seat[0] if seat else '0')}"
            case ["tobi", number]:
                name = f"tobi_{self._busted(number)}"
            case ["options", key, *_rest]:
                name = f"option_{key}"
            case _:
                return super().field_at(pointer)
        return name if name in self.fields else None

    def _chair(self, seat: str) -> int:
        return self.order()[int(seat)] if seat.isdigit() and int(seat) < self.rules.players else -1

    def _busted(self, number: str) -> int:
        """Return the chair of the n-th tobi mark."""
        pairs = self.entry().tobi
        return self.order()[pairs[int(number)][0]] if number.isdigit() and int(number) < len(pairs) else -1

    def first_to_mend(self) -> str:
        """Return the name of the field to focus: the first with an error, else the first score."""
        wrong = [f"score_{chair}" for chair in self.order()] + list(self.fields)
        return next((name for name in wrong if name in self.errors), wrong[0]) if self.is_bound else wrong[0]


def initial_of(game: CounterGame) -> dict[str, object]:
    """Return the initial values: an empty sheet with the proposed dealer, or the sheet to correct."""
    initial: dict[str, object] = {"dealer": "" if game.dealer is None else game.dealer, "of_own_day": game.is_late}
    if game.corrects is not None:
        initial["reason"] = _("Mistyped at the counter")
    entry = game.entry
    if entry is None:
        return initial
    stick = game.rules.settlement.kyoutaku.unit if game.rules.settlement.kyoutaku else 1
    initial["sticks"] = entry.kyoutaku // stick or ""
    initial["forced_top"] = "" if entry.forced_top is None else entry.forced_top
    if entry.is_verdict:
        initial.update(typed_verdict([each.score for each in entry.seats], entry.forced_top, game.rules))
    for seat, each in enumerate(entry.seats):
        initial[f"score_{seat}"] = "" if entry.is_verdict else typed_score(each.score, game.rules)
        initial[f"chonbo_{seat}"] = each.chonbo or ""
        initial[f"tobi_{seat}"] = [receiver for busted, receiver in entry.tobi if busted == seat]
    for key, amounts in entry.carried.items():
        for seat, amount in enumerate(amounts):
            initial[f"carried_{key}_{seat}"] = game.rules.ledger(key).text(amount) if amount else ""
    return initial
