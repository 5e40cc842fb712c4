"""Forms of a parlour's settings: the house, one table, one more rule book, fees, house options from a moment on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.competitions.setup import in_force_from
from league.forms.fields import DAY_INPUT, field_of
from league.forms.parlour.setup import LONGEST_TABLE, OptionsForm, ReadersForm, business_day_field, name_fields
from league.forms.parlour.tariffs import TariffForm
from league.forms.service import EditForm
from league.models import Competition, Parlour, ParlourTable
from league.services.parlour.setup import HouseWords, settings_of
from league.services.parlour.tariffs import TariffPlan
from league.wording.names import book_name
from scoring.charges import Tariff
from scoring.ruleset import Ruleset


class HouseSettingsForm(EditForm, ReadersForm):
    """Names of the house, start of its business day, and who may read its rankings."""

    name, name_en = name_fields().values()
    day_starts_at = business_day_field()

    def __init__(self, data: object = None, *, parlour: Parlour, book: Competition) -> None:
        now = settings_of(book)
        super().__init__(
            data,
            initial={
                "name": parlour.name,
                "name_en": parlour.name_en,
                "day_starts_at": now.day_starts_at,
                "is_public": "yes" if now.is_public else "",
            },
        )

    def words(self) -> HouseWords:
        """Return the settings of a valid form."""
        names = ("name", "name_en", "day_starts_at", "is_public")
        return HouseWords(**{name: self.cleaned_data[name] for name in names})


class BookChoiceField(forms.TypedChoiceField):
    """One of a parlour's books, or none; the value is the book."""

    def __init__(self, parlour: Parlour, books: Sequence[Competition], *, none: str, **options: object) -> None:
        by_id = {str(book.pk): book for book in books}
        choices = [("", none), *((key, book_name(book, parlour)) for key, book in by_id.items())]
        super().__init__(choices=choices, coerce=by_id.__getitem__, empty_value=None, required=False, **options)  # type: ignore[arg-type]


class TableForm(forms.Form):
    """A table of the house; the errors of the service are shown at its row."""

    name = forms.CharField(
        label=pgettext_lazy("parlour", "Table"),
        max_length=LONGEST_TABLE,
        widget=forms.TextInput(attrs={"autocomplete": "off", "size": "8"}),
        # A row counts as changed by what the page showed: another director may have renamed the table meanwhile.
        show_hidden_initial=True,
    )

    def __init__(
        self,
        data: object = None,
        *,
        parlour: Parlour,
        books: Sequence[Competition],
        table: ParlourTable | None = None,
        prefix: str | None = None,
    ) -> None:
        initial = {"name": table.name, "usual_book": str(table.usual_book_id or "")} if table else {}
        super().__init__(data, initial=initial, prefix=prefix)  # type: ignore[arg-type]
        label = _("Usually played")
        self.fields["usual_book"] = BookChoiceField(
            parlour, books, none=_("any"), label=label, show_hidden_initial=True
        )


class FeesForm(TariffForm):
    """Fees from a business day on, for all rule books or one, for all tables or one."""

    from_day = forms.DateField(
        label=gettext_lazy("From business day"),
        widget=DAY_INPUT,
        help_text=gettext_lazy("Days whose books are closed keep their fees."),
    )
    table = forms.ChoiceField(label=pgettext_lazy("parlour", "Table"), required=False)

    def __init__(
        self,
        data: object = None,
        *,
        parlour: Parlour,
        books: Sequence[Competition],
        tables: Sequence[ParlourTable],
        tariff: Tariff,
        initial: Mapping[str, object],
    ) -> None:
        super().__init__(data, currency=parlour.currency, tariff=tariff)
        self.fields["book"] = BookChoiceField(parlour, books, none=_("all rule books"), label=_("Rule book"))
        names = [(table.name, table.name) for table in tables]
        field_of(self, "table", forms.ChoiceField).choices = [("", _("all tables")), *names]
        self.initial.update(initial)

    def plan(self) -> TariffPlan:
        """Return the fees of a valid form with their scope and day."""
        typed = self.cleaned_data
        return TariffPlan(from_day=typed["from_day"], tariff=self.tariff(), book=typed["book"], table=typed["table"])


class RulesFromForm(OptionsForm):
    """The house options of a book that is offered already, from a moment on."""

    def __init__(self, data: object = None, *, rules: Ruleset, values: Mapping[str, object]) -> None:
        super().__init__(data, rules=rules, values=values, prefix="options")
        self.fields["since"] = in_force_from()
