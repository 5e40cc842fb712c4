"""Forms of the set-up of a parlour: the house, its rule books with their house options, tables and fees, readers.

The set-up is one form in steps. Every page sends everything typed so far, so that no step is stored before the last
one and going back loses nothing. `seen` lists the parts that a page has shown; a part not shown yet has its defaults.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.fields import TIME_INPUT, field_of, plain
from league.forms.parlour.tariffs import TariffForm
from league.forms.rulebooks.options import option_fields
from league.forms.service import ServiceForm
from league.platform.errors import ServiceError
from league.selectors.competitions.addresses import free_parlour_slug
from league.selectors.live.table_options import usual
from league.selectors.parlour.tariffs import FEES_OF_BOOKS
from league.selectors.rulebooks.catalogue import own_rulesets
from league.selectors.rulebooks.clauses import clauses_by_id
from league.services.parlour.setup import MOST_TABLES, BookPlan, ParlourPlan, TablePlan
from league.wording.formatting import currencies
from league.wording.names import title_in
from rulesets import loader
from scoring.charges import Tariff
from scoring.ruleset import Option, OptionError, Ruleset, Scope, Unit

LONGEST_HOUSE = 60
"""The longest name of a house, so that a rule book's title fits behind it."""
FALLBACK = "parlour"
CURRENCY_NAMES = {
    "JPY": gettext_lazy("Japanese yen"),
    "EUR": gettext_lazy("euro"),
    "USD": gettext_lazy("US dollar"),
    "GBP": gettext_lazy("pound sterling"),
    "TWD": gettext_lazy("Taiwan dollar"),
    "CNY": gettext_lazy("renminbi"),
    "KRW": gettext_lazy("South Korean won"),
}
"""Names of the currencies by code, the most usual first."""
_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})")
_SEPARATORS = re.compile(r"[,、，\n]+")


def business_day_field() -> forms.TimeField:
    """Return the field for the hour at which a business day begins."""
    return forms.TimeField(
        label=gettext_lazy("Business day starts at"),
        initial=dt.time(10, 0),
        widget=TIME_INPUT,
        help_text=gettext_lazy("Games after midnight belong to the day before until this hour."),
    )


def name_fields() -> dict[str, forms.Field]:
    """Return the fields for the names of a house."""
    return {
        "name": forms.CharField(label=pgettext_lazy("a parlour", "Name"), max_length=LONGEST_HOUSE),
        "name_en": forms.CharField(
            label=gettext_lazy("English name"),
            max_length=LONGEST_HOUSE,
            required=False,
            help_text=gettext_lazy("Shown on English pages. Empty: the name as it is."),
        ),
    }


class HouseForm(ServiceForm):
    """The house: its names, address, business day and currency."""

    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=50,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}),
        help_text=gettext_lazy("Lower-case letters, digits and hyphens. Empty: made from the name."),
    )
    day_starts_at = business_day_field()
    currency = forms.ChoiceField(
        label=gettext_lazy("Currency"),
        choices=[(code, CURRENCY_NAMES[code]) for code in sorted(currencies(), key=list(CURRENCY_NAMES).index)],
        initial="JPY",
        help_text=gettext_lazy("Of fees alone. Points and chips stay in their own units."),
    )
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-zone": ""}))
    field_order = ["name", "name_en"]

    def __init__(self, data: object = None, *, prefix: str | None = None) -> None:
        super().__init__(data, prefix=prefix)
        self.fields = {**name_fields(), **self.fields}

    def clean_time_zone(self) -> str:
        """Return the browser's time zone, or the server's if that is unknown."""
        typed: str = self.cleaned_data["time_zone"]
        return typed if typed in available_timezones() else settings.TIME_ZONE

    def proposed_slug(self) -> str:
        """Return the address typed, or a free one made from the names."""
        typed = [str(self[name].value() or "")[:100] for name in ("slug", "name_en", "name")]
        return typed[0].strip() or free_parlour_slug(*typed[1:], FALLBACK)


@dataclass(frozen=True, slots=True)
class OfferedBook:
    """A rule book that a parlour can offer; `key` is its name, or `name@number` for a revision of an own one."""

    key: str
    rules: Ruleset

    @property
    def title(self) -> str:
        """Return the title in the active language."""
        return title_in(self.rules.title)

    @property
    def is_for_parlours(self) -> bool:
        """Return True if it settles more than league points: chips, prizes, units or fees."""
        return any(ledger.unit is not Unit.LEAGUE_POINTS for ledger in self.rules.ledgers)

    @property
    def is_installed(self) -> bool:
        """Return True for a book that comes with the product, which has a page."""
        return self.key in loader.names()


def offered_books() -> dict[str, OfferedBook]:
    """Return every rule book by its key: those for parlours first, then the organizers' own, then the others."""
    installed = [OfferedBook(name, loader.load(name)) for name in loader.names()]
    own = [OfferedBook(f"{row.name}@{row.number}", rules) for row, rules in own_rulesets()]
    ordered = sorted([*installed, *own], key=lambda book: (not book.is_for_parlours, book.rules.players))
    return {book.key: book for book in ordered}


class BooksForm(ServiceForm):
    """The rule books that a parlour offers."""

    books = forms.MultipleChoiceField(
        label=gettext_lazy("Rule books"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one rule book.")},
    )

    def __init__(self, data: object = None, *, prefix: str | None = None) -> None:
        super().__init__(data, prefix=prefix)
        self.offered = offered_books()
        choices = [(key, book.title) for key, book in self.offered.items()]
        field_of(self, "books", forms.MultipleChoiceField).choices = choices

    def chosen(self) -> list[OfferedBook]:
        """Return the books chosen so far, also of a form that is not valid."""
        typed = self["books"].value() or ()
        return [book for key, book in self.offered.items() if key in typed]

    def rows(self) -> Iterator[tuple[OfferedBook, bool]]:
        """Yield each book with True if it is chosen."""
        chosen = self.chosen()
        for book in self.offered.values():
            yield book, book in chosen


@dataclass(frozen=True, slots=True)
class OptionRow:
    """A house option on a page: its field, and what the rule book says of it, clause by clause."""

    field: BoundField
    option: Option
    says: tuple[tuple[str, str, str], ...]
    """For each clause its id, its rule book (empty for a text of the house's own), and its text."""

    @property
    def is_of_table(self) -> bool:
        """Return True if each table may choose otherwise."""
        return self.option.scope is Scope.TABLE


class OptionsForm(ServiceForm):
    """The house options of one rule book."""

    def __init__(
        self,
        data: object = None,
        *,
        rules: Ruleset,
        values: Mapping[str, object] | None = None,
        prefix: str | None = None,
    ) -> None:
        super().__init__(data, prefix=prefix)
        self.rules = rules
        self.fields.update(option_fields(rules.options, values or {}))

    def clean(self) -> dict[str, object]:
        """Refuse values that are allowed only separately."""
        typed = super().clean() or {}
        if not self.errors:
            try:
                self.rules.with_options(self.options())
            except OptionError as error:
                message = _("These options do not go together: %(why)s.")
                raise ValidationError([message % {"why": fault.message} for fault in error.faults]) from error
        return typed

    def options(self) -> dict[str, object]:
        """Return the options that differ from the book's defaults."""
        typed = {key: self.cleaned_data[f"option_{key}"] for key in self.rules.options}
        return {key: value for key, value in typed.items() if value != usual(self.rules.options[key])}

    def rows(self) -> Iterator[OptionRow]:
        """Yield each option with the text of its clauses."""
        known = clauses_by_id()
        for key, option in self.rules.options.items():
            found = [(number, known[number]) for number in option.clauses if number in known]
            says = tuple((number, each.book, title_in(each.clause.says)) for number, each in found)
            yield OptionRow(self[f"option_{key}"], option, says)


class TablesField(forms.CharField):
    """Tables as a number, or as names with commas between them; 1-4 are four names."""

    def clean(self, value: object) -> object:
        """Return a number of tables, or the list of their names."""
        text = super().clean(value).strip()
        number = plain(text)
        if number.isascii() and number.isdigit():
            if int(number[:6]) > MOST_TABLES or len(number) > len(str(MOST_TABLES)):
                raise ValidationError(_("A parlour has at most %(most)s tables.") % {"most": MOST_TABLES})
            return int(number)
        names: list[str] = []
        for part in filter(None, (each.strip() for each in _SEPARATORS.split(text))):
            span = _RANGE.fullmatch(plain(part))
            if span and int(span[1]) < int(span[2]) < int(span[1]) + MOST_TABLES:
                names += map(str, range(int(span[1]), int(span[2]) + 1))
            else:
                names.append(part)
        if len(names) > MOST_TABLES:
            raise ValidationError(_("A parlour has at most %(most)s tables.") % {"most": MOST_TABLES})
        if long := next((name for name in names if len(name) > LONGEST_TABLE), ""):
            raise ValidationError(_("“%(name)s” is longer than 32 characters.") % {"name": long})
        return names


LONGEST_TABLE = 32


class BookTablesForm(TariffForm):
    """The tables on which a book is usually played, and its fees."""

    tables = TablesField(
        label=pgettext_lazy("furniture", "Tables"),
        required=False,
        max_length=1_000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": "16"}),
        help_text=gettext_lazy(
            "On which this book is usually played: a number such as 3, or names such as 1, 2, VIP. Others can be "
            "played there too."
        ),
    )


class ReadersForm(ServiceForm):
    """The explicit choice whether visitors may read the rankings."""

    is_public = forms.ChoiceField(
        label=gettext_lazy("Public rankings"),
        choices=[("", gettext_lazy("No, staff only")), ("yes", gettext_lazy("Yes, for all visitors"))],
        required=False,
        initial="",
        widget=forms.RadioSelect,
    )

    def clean_is_public(self) -> bool:
        """Return the choice as True or False."""
        return bool(self.cleaned_data["is_public"])


@dataclass(frozen=True, slots=True)
class BookParts:
    """A chosen book with its parts of the set-up."""

    book: OfferedBook
    options: OptionsForm
    tables: BookTablesForm


class SetUpForm:
    """The whole set-up, read from what a page has sent; `step` is the page to show."""

    steps = ("house", "books", "options", "tables", "readers")

    def __init__(self, data: QueryDict | None = None) -> None:
        self.data = data
        self.seen = data.getlist("seen") if data is not None else []
        self.house = HouseForm(self._sent("house"), prefix="house")
        self.books = BooksForm(self._sent("books"), prefix="books")
        self.parts = [self._parts(place, book) for place, book in enumerate(self.books.chosen())]
        self.readers = ReadersForm(self._sent("readers"), prefix="readers")

    def _sent(self, part: str) -> QueryDict | None:
        """Return the input if a page has shown this part; else None, so that the part has its defaults."""
        return self.data if part in self.seen else None

    def _parts(self, place: int, book: OfferedBook) -> BookParts:
        options, tables = f"options-{book.key}", f"tables-{book.key}"
        typed = str(self.house["currency"].value())
        currency = typed if typed in currencies() else FEES_OF_BOOKS
        names_fees = currency == FEES_OF_BOOKS
        form = BookTablesForm(
            self._sent(tables),
            currency=currency,
            tariff=Tariff.of_book(book.rules) if names_fees else Tariff(),
            prefix=tables,
        )
        form.fields["tables"].initial = "3" if place == 0 else ""
        form.order_fields(["tables"])
        return BookParts(book, OptionsForm(self._sent(options), rules=book.rules, prefix=options), form)

    def forms_of(self, step: str) -> list[ServiceForm]:
        """Return the forms of a step."""
        match step:
            case "house":
                return [self.house]
            case "books":
                return [self.books]
            case "options":
                return [part.options for part in self.parts]
            case "tables":
                return [part.tables for part in self.parts]
            case _:
                return [self.readers]

    def is_valid(self, step: str) -> bool:
        """Return True if everything typed in a step is valid; a part that was never shown has its defaults."""
        faulty = [form for form in self.forms_of(step) if form.is_bound and not form.is_valid()]
        return not faulty

    def is_shown(self, step: str) -> bool:
        """Return True if a page has shown every part of the step."""
        return all(form.is_bound for form in self.forms_of(step))

    def first_open_step(self) -> str | None:
        """Return the first step that was not shown yet or has an error; None if the set-up is complete."""
        for step in self.steps:
            if not self.is_shown(step) or not self.is_valid(step):
                return step
        return None

    def carried(self, step: str) -> Iterator[tuple[str, str]]:
        """Yield the input of all other steps, as hidden fields repeat it, the address filled in."""
        if self.data is None:
            return
        shown = tuple(f"{form.prefix}-" for form in self.forms_of(step))
        keys = {str(form.prefix) for form in self.forms_of(step)}
        for name, values in self.data.lists():
            if name in {"csrfmiddlewaretoken", "step", "go"} or name.startswith(shown):
                continue
            yield from ((name, value) for value in values if name != "seen" or value not in keys)

    def take(self, error: ServiceError) -> str:
        """Show a refusal of the service at its step, and return that step."""
        for finding in error.findings:
            name = finding.pointer.strip("/").split("/", maxsplit=1)[0]
            field = name if name in self.house.fields else None
            form = self.house if field or name == "slug" else self.readers
            form.add_error(field, ValidationError(finding.message, finding.code))
        return "house" if self.house.errors else "readers"

    def plan(self) -> ParlourPlan:
        """Return the plan of a complete set-up."""
        typed = self.house.cleaned_data
        return ParlourPlan(
            **{name: typed[name] for name in ("name", "name_en", "currency", "time_zone", "day_starts_at")},
            slug=self.house.proposed_slug(),
            is_public=self.readers.cleaned_data["is_public"],
            books=[
                BookPlan(ruleset=part.book.key, options=part.options.options(), tariff=part.tables.tariff())
                for part in self.parts
            ],
            tables=list(self.tables()),
        )

    def tables(self) -> Iterator[TablePlan]:
        """Yield the tables: names as typed; a number of tables gets the next free numbers."""
        typed = [part.tables.cleaned_data["tables"] for part in self.parts]
        taken = {name for names in typed if isinstance(names, list) for name in names}
        free = (str(number) for number in range(1, 2 * MOST_TABLES * len(typed)) if str(number) not in taken)
        for place, wanted in enumerate(typed):
            for name in wanted if isinstance(wanted, list) else islice(free, wanted):
                yield TablePlan(name=name, usual_book=place)
