"""The settings of a parlour: house, tables, rule books, fees, staff, printed codes; for its directors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.utils.translation import gettext as _

from league.forms.fields import number_of
from league.forms.parlour.settings import FeesForm, HouseSettingsForm, RulesFromForm, TableForm
from league.forms.parlour.setup import OfferedBook, OptionsForm, offered_books
from league.forms.parlour.tariffs import TariffForm
from league.models import Competition, Parlour, ParlourTable
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.selectors.access.actors import Capability, has_right
from league.selectors.parlour.board import business_day
from league.selectors.parlour.houses import played_books, require_in
from league.selectors.parlour.tariffs import FEES_OF_BOOKS, holding_of, tariffs_of
from league.selectors.rulebooks.rules_in_force import every_rules, rules_at, ruleset_of, ruleset_of_revision
from league.services.parlour.setup import BookPlan, add_book, add_table, edit_parlour, edit_table, remove_table
from league.services.parlour.tariffs import set_tariff
from league.services.rulebooks.revisions import RulesChoice, put_rules_in_force
from league.views.parlour.board import View, actor_of, back_to, frame, staff_page
from league.wording.names import title_of
from scoring.charges import Tariff


def director_page(view: View) -> Callable[..., HttpResponseBase]:
    """Decorate a view as a page for the directors of a parlour; other staff get 403."""

    @wraps(view)
    def page(request: HttpRequest, parlour: Parlour, **keys: object) -> HttpResponseBase:
        require_in(actor_of(request), parlour, Capability.MANAGE)
        return view(request, parlour, **keys)

    return staff_page(page)


@director_page
def settings(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show all settings; change the names, the business day and the readers."""
    books = played_books(parlour)
    form = HouseSettingsForm(request.POST or None, parlour=parlour, book=books[0])
    if request.method == "POST" and form.is_valid():
        try:
            edit_parlour(parlour=parlour, words=form.words(), by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            messages.success(request, _("Saved."))
            return back_to("parlour_settings", parlour.slug)
    return _overview(request, parlour, form=form)


def _overview(request: HttpRequest, parlour: Parlour, *, status: int = 200, **given: object) -> HttpResponse:
    """Render the settings; `given` replaces forms that were sent and refused."""
    books = played_books(parlour)
    rows = list(parlour.tables.filter(removed_at=None).select_related("usual_book"))
    today = business_day(books[0])
    form = given.pop("form", None) or HouseSettingsForm(parlour=parlour, book=books[0])
    faulty = isinstance(form, HouseSettingsForm) and bool(form.errors)
    context = frame(
        request,
        parlour,
        "settings",
        **{
            "form": form,
            "books": [(book, ruleset_of(rules_at(book))) for book in books],
            "tables": [(row, _table_form(parlour, books, row)) for row in rows],
            "new_table": TableForm(parlour=parlour, books=books, prefix="new"),
            "holding": holding_of(tariffs_of(parlour), books, today),
            "today": today,
            "may_add_books": has_right(request.user, "league.add_competition"),
            **given,
        },
    )
    return render(request, "parlour/settings.html", context, status=422 if faulty else status)


def _table_form(
    parlour: Parlour, books: list[Competition], row: ParlourTable, typed: QueryDict | None = None
) -> TableForm:
    """Return the form of a table as it is stored, or as it was typed."""
    return TableForm(typed, parlour=parlour, books=books, table=row, prefix=f"table-{row.pk}")


@director_page
def table_settings(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Save all rows in which something was typed; the button's value says if a table is added or removed besides."""
    if request.method != "POST":
        return back_to("parlour_settings", parlour.slug)
    what, _colon, key = request.POST.get("do", "").partition(":")
    row = ParlourTable.objects.filter(parlour=parlour, pk=number_of(key) or 0).first()
    if row is None and what not in ("add", "save"):
        raise Http404(_("There is no such table."))
    if row is not None and row.removed_at is not None:
        messages.error(request, _("Table %(name)s has been removed already; nothing was changed.") % {"name": row.name})
        return back_to("parlour_settings", parlour.slug)
    removed = row if what == "remove" else None
    forms = _typed_tables(request, parlour, removed, is_adding=what == "add")
    faults = [form for each, form in forms if each is None or each != removed if not form.is_valid()]
    if not faults and _save_tables(request, parlour, forms, removed):
        messages.success(request, _("Saved."))
        return back_to("parlour_settings", parlour.slug)
    return _with_faulty_tables(request, parlour, forms)


_TypedTable = tuple[ParlourTable | None, TableForm]
"""A table, None for a new one, and the form as it was sent."""


def _typed_tables(
    request: HttpRequest, parlour: Parlour, removed: ParlourTable | None, *, is_adding: bool
) -> list[_TypedTable]:
    """Return the table to be removed, those in whose row something was typed, and a new one if it was."""
    books, typed = played_books(parlour), request.POST
    rows = parlour.tables.filter(removed_at=None)
    there = [(row, _table_form(parlour, books, row, typed)) for row in rows]
    new = TableForm(typed, parlour=parlour, books=books, prefix="new")
    found: list[_TypedTable] = [
        (row, form)
        for row, form in sorted(there, key=lambda each: each[0] != removed)
        if row == removed or (form.add_prefix("name") in typed and form.has_changed())
    ]
    return [*found, (None, new)] if is_adding or new.has_changed() else found


def _save_tables(
    request: HttpRequest, parlour: Parlour, forms: Sequence[_TypedTable], removed: ParlourTable | None
) -> bool:
    """Remove, change and add the tables; if one is refused, put the reason on its form, change none, return False."""
    by = actor_of(request)
    with transaction.atomic():
        for row, form in forms:
            try:
                if row is None:
                    add_table(parlour=parlour, **form.cleaned_data, by=by)
                elif row == removed:
                    remove_table(table=row, by=by)
                else:
                    edit_table(table=row, **form.cleaned_data, by=by)
            except ServiceError as error:
                for finding in error.findings:
                    form.add_error("name", finding.message)
                transaction.set_rollback(True)
                return False
    return True


def _with_faulty_tables(request: HttpRequest, parlour: Parlour, forms: Sequence[_TypedTable]) -> HttpResponse:
    """Render the settings with the forms as they were sent; all other rows are as they are stored."""
    books, sent = played_books(parlour), dict(forms)
    rows = parlour.tables.filter(removed_at=None)
    tables = [(row, sent.get(row) or _table_form(parlour, books, row)) for row in rows]
    new = sent.get(None) or TableForm(parlour=parlour, books=books, prefix="new")
    return _overview(request, parlour, status=422, tables=tables, new_table=new)


@director_page
def fees(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show the fees that hold today and every row, the newest first; set fees from a day on."""
    books = played_books(parlour)
    tables = list(parlour.tables.filter(removed_at=None))
    tariffs, today = tariffs_of(parlour), business_day(books[0])
    book = next((each for each in books if str(each.pk) == request.GET.get("book")), None)
    table = next((each.name for each in tables if each.name == request.GET.get("table")), "")
    form = FeesForm(
        request.POST or None,
        parlour=parlour,
        books=books,
        tables=tables,
        tariff=tariffs.at((book or books[0]).pk, table, today),
        initial={"from_day": today, "book": str(book.pk) if book else "", "table": table},
    )
    if request.method == "POST" and form.is_valid():
        try:
            set_tariff(parlour=parlour, plan=form.plan(), by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            messages.success(request, _("The fees are set."))
            return back_to("parlour_fees", parlour.slug)
    holding = holding_of(tariffs, books, today)
    held = {each.row.pk for each in holding if each.row}
    context = frame(
        request,
        parlour,
        "settings",
        form=form,
        holding=holding,
        rows=[(row, row.pk in held) for row in tariffs.rows],
        today=today,
    )
    return render(request, "parlour/settings_fees.html", context, status=422 if form.errors else 200)


@director_page
def book_settings(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Change the house options of a book from a moment on."""
    book = next((each for each in played_books(parlour) if each.pk == pk), None)
    if book is None:
        raise Http404(_("This parlour has no such rule book."))
    now = rules_at(book)
    rules = ruleset_of_revision(now.ruleset)
    form = RulesFromForm(request.POST or None, rules=rules, values=now.options)
    if request.method == "POST" and form.is_valid():
        choice = RulesChoice(
            ruleset=now.ruleset,
            league_format=now.format,
            options=form.options(),
            since=form.cleaned_data["since"],
        )
        try:
            put_rules_in_force(competition=book, choice=choice, by=actor_of(request))
        except ServiceError as error:
            form.take(error)
        else:
            messages.success(request, _("The house options of “%(book)s” are set.") % {"book": title_of(book)})
            return back_to("parlour_settings", parlour.slug)
    history = [each for each in reversed(every_rules(book)) if each != now]
    context = frame(request, parlour, "settings", form=form, book=book, now=now, history=history)
    return render(request, "parlour/settings_book.html", context, status=422 if form.errors else 200)


@director_page
def new_book(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Offer one more rule book: choose it, then its house options and fees."""
    if not has_right(request.user, "league.add_competition"):
        return render(request, "parlour/setup_refused.html", status=403)
    offered = books_to_add(parlour)
    book = offered.get(request.GET.get("book", ""))
    if book is None:
        context = frame(request, parlour, "settings", offered=list(offered.values()))
        return render(request, "parlour/settings_new_book.html", context)
    options = OptionsForm(request.POST or None, rules=book.rules, prefix="options")
    tariff = Tariff.of_book(book.rules) if parlour.currency == FEES_OF_BOOKS else Tariff()
    tables = TariffForm(request.POST or None, currency=parlour.currency, tariff=tariff, prefix="fees")
    if request.method == "POST" and options.is_valid() and tables.is_valid():
        plan = BookPlan(ruleset=book.key, options=options.options(), tariff=tables.tariff())
        try:
            made = add_book(parlour=parlour, plan=plan, by=actor_of(request))
        except ServiceError as error:
            options.take(error)
        else:
            messages.success(request, _("“%(book)s” is offered from now on.") % {"book": title_of(made)})
            return back_to("parlour_settings", parlour.slug)
    context = frame(request, parlour, "settings", chosen=book, options=options, tables=tables)
    status = 422 if options.errors or tables.errors else 200
    return render(request, "parlour/settings_new_book.html", context, status=status)


def books_to_add(parlour: Parlour) -> dict[str, OfferedBook]:
    """Return the rule books that the parlour does not offer yet, by their keys."""
    there = {rules_at(book).ruleset.name for book in played_books(parlour)}
    return {key: book for key, book in offered_books().items() if key.partition("@")[0] not in there}
