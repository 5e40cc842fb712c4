"""Set up a parlour in one transaction, add rule books to it later, and change its tables and settings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Audience, Competition, Parlour, ParlourTable, RulesetRevision, Sitting
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.addresses import is_taken, numbered
from league.selectors.parlour.board import business_day
from league.selectors.parlour.tariffs import as_tariff, tariffs_of
from league.selectors.rulebooks.rules_in_force import ruleset_of_revision
from league.services.access.changes import after_last, record_organization_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.editing import CompetitionWords, edit_competition, refuse_without_name
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    create_parlour,
    refuse_strangers,
    set_status,
)
from league.services.parlour.checks import lock_parlour
from league.services.parlour.tariffs import TariffPlan, first_day_of_new_fees, set_tariff
from league.services.rulebooks.revisions import keep_ruleset
from league.wording.formatting import currencies
from scoring.charges import Tariff

FORMAT = "open-play"
"""The format of every open table: any number of games, one ranking by total."""
MOST_TABLES = 200
LONGEST_NAME = 100
LONGEST_STEM = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class BookPlan:
    """A rule book of a parlour; `ruleset` names an installed book or is a stored revision.

    `tariff` are the fees for it in the smallest unit of the parlour's currency; None takes those the book names.
    """

    ruleset: str | RulesetRevision
    options: Mapping[str, object] = field(default_factory=dict)
    tariff: Tariff | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TablePlan:
    """A table of a parlour; `usual_book` is the index of a book in the plan, None if no book is usual."""

    name: str
    usual_book: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ParlourPlan:
    """Parameters of a new parlour. `is_public` lets visitors read the rankings, guests by their handles."""

    slug: str
    name: str
    books: Sequence[BookPlan]
    tables: Sequence[TablePlan] = ()
    name_en: str = ""
    currency: str = "JPY"
    time_zone: str = "Asia/Tokyo"
    day_starts_at: dt.time = dt.time(10, 0)
    is_public: bool = False


@all_or_nothing
def set_up_parlour(*, plan: ParlourPlan, by: Actor) -> Parlour:
    """Create a parlour with its books, tables and fees, ready for its first guest; the actor becomes its director.

    1. Refuse actors without the right to add competitions, a taken address, and a plan without a book.
    2. Open a table of play for each book, published at once, and store its fees if they are not the book's own.
    3. Add the tables of the house.
    """
    refuse_strangers(by)
    refuse_without_name(plan.name)
    refuse_too_long(Parlour, {"slug": plan.slug, "name": plan.name, "name_en": plan.name_en})
    refuse_odd_currency(plan.currency)
    if not plan.books:
        raise refuse("book_needed", _("Choose at least one rule book."), "/books")
    parlour = create_parlour(
        slug=plan.slug, name=plan.name.strip(), name_en=plan.name_en.strip(), currency=plan.currency, by=by
    )
    settings = HouseSettings(time_zone=plan.time_zone, day_starts_at=plan.day_starts_at, is_public=plan.is_public)
    books = [_open_book(parlour, each, settings, by) for each in plan.books]
    for each in plan.tables:
        usual = None if each.usual_book is None else books[_index(each.usual_book, len(books))]
        add_table(parlour=parlour, name=each.name, usual_book=usual, by=by)
    return parlour


def _index(number: int, length: int) -> int:
    """Return the index of a book in the plan; raise for a number out of range."""
    if not 0 <= number < length:
        raise refuse("unknown_book", _("A table names a rule book that this parlour does not offer."), "/tables")
    return number


def refuse_odd_currency(code: str) -> None:
    """Raise unless a parlour may count in the currency, given by its ISO 4217 code."""
    if code not in currencies():
        shown = {"code": code, "known": ", ".join(currencies())}
        message = _("“%(code)s” is no currency a parlour can count in. Choose one of %(known)s.") % shown
        raise refuse("unknown_currency", message, "/currency")


@dataclass(frozen=True, kw_only=True, slots=True)
class HouseSettings:
    """The settings that all books of a parlour share."""

    time_zone: str
    day_starts_at: dt.time
    is_public: bool

    @property
    def audience(self) -> Audience:
        """Return the readers of the books."""
        return Audience.PUBLIC if self.is_public else Audience.STAFF


def settings_of(book: Competition) -> HouseSettings:
    """Return the settings of a parlour, read from one of its books."""
    is_public = book.audience == Audience.PUBLIC
    return HouseSettings(time_zone=book.time_zone, day_starts_at=book.day_starts_at, is_public=is_public)


@all_or_nothing
def add_book(*, parlour: Parlour, plan: BookPlan, by: Actor) -> Competition:
    """Offer one more rule book, with the parlour's staff, business day and public ranking."""
    refuse_strangers(by)
    books = lock_parlour(parlour, by, Capability.MANAGE)
    return _open_book(parlour, plan, settings_of(books[0]), by)


def _open_book(parlour: Parlour, plan: BookPlan, settings: HouseSettings, by: Actor) -> Competition:
    """Create the open table of a rule book, publish it, and store its fees from the first day on that is not closed."""
    revision = keep_ruleset(plan.ruleset)
    rules = ruleset_of_revision(revision)
    book = create_competition(
        plan=CompetitionPlan(
            slug=_free_book_slug(parlour, revision.name),
            name=_title(parlour.name, rules.title.ja),
            name_en=_title(parlour.name_en or parlour.name, rules.title.en),
            kind=Competition.Kind.OPEN,
            parlour=parlour,
            ruleset=revision,
            league_format=FORMAT,
            options=plan.options,
            time_zone=settings.time_zone,
            day_starts_at=settings.day_starts_at,
            audience=settings.audience,
        ),
        by=by,
    )
    set_status(competition=book, status=Competition.Status.PUBLISHED, by=by)
    since = first_day_of_new_fees(parlour, business_day(book))
    if plan.tariff is not None and plan.tariff != tariffs_of(parlour).at(book.pk, "", since):
        set_tariff(parlour=parlour, plan=TariffPlan(from_day=since, tariff=plan.tariff, book=book), by=by)
    return book


def _title(house: str, book: str) -> str:
    """Return the name of a book's open table: the house and the rules, as long as a name may be."""
    return f"{house} {book}"[:LONGEST_NAME].strip()


def _free_book_slug(parlour: Parlour, ruleset: str) -> str:
    """Return a free address for a book: that of the parlour and the name of the ruleset, numbered if taken."""
    stem = f"{parlour.slug}-{ruleset}"[:LONGEST_STEM].strip("-_")
    return next(slug for slug in numbered(stem) if not is_taken(slug))


@all_or_nothing
def add_table(*, parlour: Parlour, name: str, by: Actor, usual_book: Competition | None = None) -> ParlourTable:
    """Add a table to the house; raise ConflictError if another table there has the name."""
    books = lock_parlour(parlour, by, Capability.MANAGE)
    _refuse_foreign(usual_book, books)
    there = ParlourTable.objects.filter(parlour=parlour)
    if there.filter(removed_at=None).count() >= MOST_TABLES:
        raise refuse("too_many_tables", _("A parlour has at most %(most)s tables.") % {"most": MOST_TABLES}, "/name")
    name = _table_name(parlour, name)
    table = ParlourTable.objects.create(
        parlour=parlour, name=name, order=after_last(there, "order"), usual_book=usual_book
    )
    record_organization_change("parlour.table_added", table, by=by, after={"name": name})
    return table


def _table_name(parlour: Parlour, name: str, own: ParlourTable | None = None) -> str:
    """Return the name without blanks around it; raise unless it is given, short enough and free."""
    name = name.strip()
    refuse_without_name(name)
    refuse_too_long(ParlourTable, {"name": name})
    same = ParlourTable.objects.filter(parlour=parlour, name=name, removed_at=None)
    if (same.exclude(pk=own.pk) if own else same).exists():
        raise conflict("table_named_twice", _("There is a table %(table)s already.") % {"table": name}, "/name")
    return name


def _refuse_foreign(book: Competition | None, books: Sequence[Competition]) -> None:
    if book is not None and book not in books:
        raise refuse("not_of_this_parlour", _("This rule book is none of this parlour's."), "/usual_book")


@all_or_nothing
def edit_table(*, table: ParlourTable, name: str, by: Actor, usual_book: Competition | None = None) -> ParlourTable:
    """Rename a table, or change the book usually played there; fees of the table go with its name.

    Raise ConflictError while guests play at a table that would be renamed, and for one that was removed.
    """
    parlour = table.parlour
    books = lock_parlour(parlour, by, Capability.MANAGE)
    _refuse_foreign(usual_book, books)
    table = _present_table(table)
    name = _table_name(parlour, name, table)
    before = {"name": table.name, "usual_book": table.usual_book_id}
    after = {"name": name, "usual_book": usual_book.pk if usual_book else None}
    if before == after:
        return table
    if name != table.name:
        _refuse_in_use(table)
        _copy_fees(parlour, table.name, name, business_day(books[0]), by)
    table.name, table.usual_book = name, usual_book
    table.save(update_fields=["name", "usual_book"])
    record_organization_change("parlour.table_edited", table, by=by, before=before, after=after)
    return table


def _copy_fees(parlour: Parlour, before: str, name: str, today: dt.date, by: Actor) -> None:
    """Append the fees of a table under its new name: those that hold today, and those to come.

    The books of today may be closed: no game is played any more on it, so the fees hold from the next day on.
    """
    today = first_day_of_new_fees(parlour, today)
    rows = [row for row in tariffs_of(parlour).rows if row.table == before]
    for place, row in reversed(list(enumerate(rows))):
        is_over = any(newer.book_id == row.book_id and newer.from_day <= today for newer in rows[:place])
        if not is_over:
            plan = TariffPlan(from_day=max(row.from_day, today), tariff=as_tariff(row), book=row.book, table=name)
            set_tariff(parlour=parlour, plan=plan, by=by)


@all_or_nothing
def remove_table(*, table: ParlourTable, by: Actor) -> None:
    """Take a table out of the house; its games stay, and its printed code is worthless from now on."""
    lock_parlour(table.parlour, by, Capability.MANAGE)
    table = _present_table(table)
    _refuse_in_use(table)
    table.removed_at = timezone.now()
    table.save(update_fields=["removed_at"])
    record_organization_change("parlour.table_removed", table, by=by, before={"name": table.name})


def _present_table(table: ParlourTable) -> ParlourTable:
    """Return the table as stored now; raise ConflictError if it was removed."""
    found = ParlourTable.objects.select_related("parlour").get(pk=table.pk)
    if found.removed_at is not None:
        raise conflict("table_removed", _("Table %(table)s was removed.") % {"table": found.name})
    return found


def _refuse_in_use(table: ParlourTable) -> None:
    sittings = Sitting.objects.filter(table_session__competition__parlour=table.parlour_id, closed_at=None)
    if sittings.filter(table_session__table=table.name).exists():
        message = _("Guests play at table %(table)s now. Close it first.") % {"table": table.name}
        raise conflict("table_open", message, "/name")


@dataclass(frozen=True, kw_only=True, slots=True)
class HouseWords:
    """The names of a parlour and what its books share."""

    name: str
    name_en: str
    day_starts_at: dt.time
    is_public: bool


@all_or_nothing
def edit_parlour(*, parlour: Parlour, words: HouseWords, by: Actor) -> Parlour:
    """Change the names of a parlour, the start of its business day, and whether visitors may read its rankings.

    Books named after the house follow its new name. Raise ConflictError if the business day would start at another
    hour while guests play: their games would move to another day.
    """
    books = lock_parlour(parlour, by, Capability.MANAGE)
    refuse_without_name(words.name)
    parlour = Parlour.objects.get(pk=parlour.pk)
    names = {"name": words.name.strip(), "name_en": words.name_en.strip()}
    refuse_too_long(Parlour, names)
    before = {"name": parlour.name, "name_en": parlour.name_en}
    for book in books:
        # The first one has changed the business day of all.
        book.refresh_from_db()
        edit_competition(competition=book, words=_book_words(book, before, names, words), by=by)
    if before != names:
        Parlour.objects.filter(pk=parlour.pk).update(**names)
        parlour.refresh_from_db()
        record_organization_change("parlour.edited", parlour, by=by, before=before, after=names)
    return parlour


def _book_words(
    book: Competition, before: Mapping[str, str], names: Mapping[str, str], words: HouseWords
) -> CompetitionWords:
    """Return the words of a book with the house's new ones; a name that begins with the house's begins so again."""
    kept = {each.name: getattr(book, each.name) for each in fields(CompetitionWords)}
    renamed = {}
    for key in names:
        old, new = before[key] or before["name"], names[key] or names["name"]
        if getattr(book, key).startswith(old):
            renamed[key] = _title(new, getattr(book, key).removeprefix(old).strip())
    audience = Audience.PUBLIC if words.is_public else Audience.STAFF
    return CompetitionWords(**{**kept, **renamed, "day_starts_at": words.day_starts_at, "audience": audience})
