"""Forms of a parlour's sitting: open a table, and enter chips counted once for the whole sitting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.parlour.clock import ClockField
from league.forms.parlour.columns import typed_column
from league.forms.parlour.counter import ChipsField, amount_attrs
from league.forms.parlour.money import MoneyField
from league.forms.parlour.picker import GuestPicker
from league.forms.rulebooks.options import bound_options, option_fields, typed_options
from league.forms.service import ServiceForm
from league.models import Competition, Entrant, Parlour, ParlourTable, Sitting
from league.platform.errors import ServiceError
from league.selectors.live.table_options import table_options
from league.selectors.parlour.board import open_sittings
from league.wording.names import person_name
from scoring.ruleset import Ledger, Ruleset

MOST_TABLES = 200


class SittingForm(ServiceForm):
    """Open a table: its name, kind and options. The guest pickers of its chairs are not fields of the form."""

    table = forms.CharField(
        label=pgettext_lazy("parlour", "Table"),
        max_length=32,
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": "6"}),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Sitting.Kind.choices, initial=Sitting.Kind.FREE)
    chips = forms.ChoiceField(
        label=gettext_lazy("Chips are counted"), choices=Sitting.Chips.choices, initial=Sitting.Chips.PER_GAME
    )

    def __init__(self, data: object = None, *, rules: Ruleset, books: Sequence[Competition]) -> None:
        super().__init__(data, initial={"table": free_name(books)})
        self.rules = rules
        self.parlour_id = books[0].parlour_id
        self.chair_errors: dict[int, list[str]] = {}
        self.taken_chairs: list[int] = []
        """The chairs of those who were chosen, in the order in which they are seated."""
        if not rules.entered_ledgers:
            del self.fields["chips"]
        parlour = Parlour.objects.get(books=books[0])
        self.fields["per_hour"] = MoneyField(
            currency=parlour.currency,
            label=_("Set table: fee for an hour"),
            help_text=_("For the whole table, by whole minutes. Empty: the house's fee."),
        )
        self.fields["at"] = ClockField(book=books[0], label=gettext_lazy("Opened at (if not now)"))
        self.fields.update(option_fields(table_options(rules), {}))

    def clean(self) -> dict[str, object]:
        """Set `chips` to none if the rule book has no ledger for them."""
        return {"chips": Sitting.Chips.NONE, **(super().clean() or {})}

    def options(self) -> dict[str, object]:
        """Return the values of the table's options."""
        return typed_options(self.cleaned_data)

    def option_rows(self) -> list[BoundField]:
        """Return the bound fields of the table's options."""
        return bound_options(self)

    def field_at(self, pointer: str) -> str | None:
        """Return the field of a pointer: `/options/dx` is the option's. Errors of guests go to the chairs."""
        match pointer.strip("/").split("/"):
            case ["options", key]:
                return f"option_{key}" if f"option_{key}" in self.fields else None
            case _:
                return super().field_at(pointer)

    def take(self, error: ServiceError) -> None:
        """Show a service's errors: those of a guest at the chair, the others at their fields."""
        for finding in error.findings:
            match finding.pointer.strip("/").split("/"):
                case ["people", place]:
                    self.chair_errors.setdefault(self.taken_chairs[int(place)], []).append(finding.message)
                    self.add_error(None, ValidationError(finding.message, finding.code))
                case _:
                    self.add_error(self.field_at(finding.pointer), ValidationError(finding.message, finding.code))

    def refuse_guest(self, chair: int, error: ServiceError) -> None:
        """Show at a chair why its guest cannot be found or added."""
        for finding in error.findings:
            self.chair_errors.setdefault(chair, []).append(finding.message)
            self.add_error(None, ValidationError(finding.message, finding.code))

    def table_errors(self) -> list[str]:
        """Return the errors that belong to no field and no chair."""
        at_chairs = {message for messages in self.chair_errors.values() for message in messages}
        return [str(error) for error in self.non_field_errors() if str(error) not in at_chairs]

    def chairs(self) -> Iterator[SittingChair]:
        """Yield each chair with its input, in turn order; the first one that asks something has the focus."""
        pickers = [GuestPicker.typed(self.parlour_id, self.data, f"_{chair}") for chair in range(self.rules.players)]
        asking = next((at for at, each in enumerate(pickers) if each.question or self.chair_errors.get(at)), 0)
        for chair, picker in enumerate(pickers):
            yield SittingChair(
                number=chair,
                picker=replace(picker, is_focused=chair == asking),
                is_house=self.data.get(f"house_{chair}") == "1",
                is_dealer=self.data.get("first_dealer", "0") == str(chair),
                errors=self.chair_errors.get(chair, []),
            )


@dataclass(frozen=True, slots=True)
class SittingChair:
    """A chair of the form to open a table, with the input for it."""

    number: int
    picker: GuestPicker
    is_house: bool
    is_dealer: bool
    errors: list[str]


def free_name(books: Sequence[Competition]) -> str:
    """Return the first table of the house that is not open, else the lowest number that is no open table's name."""
    taken = {table.table for table in open_sittings(books)}
    own = ParlourTable.objects.filter(parlour__books__in=books, removed_at=None).order_by("order", "pk")
    numbers = map(str, range(1, MOST_TABLES + 1))
    return next(name for name in (*own.values_list("name", flat=True), *numbers) if name not in taken)


class ChipsForm(ServiceForm):
    """Amounts won or lost by each guest in each ledger over the whole sitting."""

    def __init__(
        self, data: object = None, *, rules: Ruleset, people: list[Entrant], initial: Mapping[str, object]
    ) -> None:
        super().__init__(data, initial=initial)
        self.ledgers, self.people = rules.entered_ledgers, people
        self.columns = [typed_column(ledger, rules) for ledger in self.ledgers]
        for ledger in self.ledgers:
            for one in people:
                attrs = amount_attrs(ledger)
                self.fields[f"{ledger.key}_{one.pk}"] = ChipsField(
                    ledger=ledger, label=person_name(one.player), widget=forms.TextInput(attrs=attrs)
                )

    def amounts(self, ledger: Ledger) -> dict[int, int]:
        """Return the amounts of a ledger by entrant id."""
        return {one.pk: self.cleaned_data[f"{ledger.key}_{one.pk}"] for one in self.people}

    def take_of(self, ledger: Ledger, error: ServiceError) -> None:
        """Show a service's errors at the amounts of a ledger."""
        for finding in error.findings:
            entrant = finding.pointer.removeprefix("/amounts").strip("/")
            name = f"{ledger.key}_{entrant}"
            self.add_error(name if name in self.fields else None, ValidationError(finding.message, finding.code))

    def rows(self) -> Iterator[tuple[Entrant, list[BoundField]]]:
        """Yield each guest with the bound fields."""
        for one in self.people:
            yield one, [self[f"{ledger.key}_{one.pk}"] for ledger in self.ledgers]
