"""Documents of the money of a parlour: what a guest owes, statements, and the close of a business day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from django.db.models import Sum
from pydantic import Field

from league.api.competitions.seat_documents import Totals
from league.api.parlour.documents import BookSlug, Currency, Day, GuestRef, Money, guest_document
from league.models import Competition, Entrant, Parlour, Payment, Player, Statement, StatementLine
from league.selectors.parlour.board import closed_day
from league.selectors.parlour.charges import terms_of_guests
from league.selectors.parlour.days import DaySheet, day_sheet
from league.selectors.parlour.dues import Due, DueLine, as_line
from league.selectors.parlour.houses import books_of, house_day
from league.selectors.parlour.till import Till, till_closed, till_of
from league.selectors.rulebooks.rules_in_force import every_rules, ledgers_of
from league.services.parlour.terms import stamps_now
from league.web.document_parts import moment, ref
from league.web.documents import Document, Moment, Ref, Values
from scoring.charges import Rate
from scoring.ruleset import Ledger


class DueLineDocument(Document):
    """One thing that a guest owes or has settled."""

    kind: StatementLine.Kind = Field(description="The thing that is charged.")
    day: Day = Field(description="The business day it counts in.")
    money: Money = Field(description="The amount; negative if the house gives it back.")
    amounts: Totals
    book: str | None = Field(description="The slug of its rule book; null for items of none.")
    hanchan: Ref | None = Field(description="The game; null for other things.")
    sitting: Ref | None = Field(description="The sitting of hours and chips; null for other things.")
    extra: Ref | None = Field(description="The other item; null for games and hours.")
    is_late: bool = Field(description="A difference to what a statement settled before.")
    detail: Values = Field(description="The figures it was computed from.")


class BillDocument(Document):
    """A guest's bill: what no statement holds yet, and the amount on account."""

    guest: GuestRef
    currency: Currency
    lines: list[DueLineDocument] = Field(description="What no statement holds yet.")
    money: Money = Field(description="The sum of the lines.")
    on_account: Money = Field(description="The balance of statements that were not paid; negative if the house owes.")
    total: Money = Field(description="The sum of both: what the guest pays now.")
    rate: Rate = Field(description="The rate by which the guest pays.")
    stamps: int | None = Field(description="The stamps on the card now; null without a card.")


class StatementRowDocument(Document):
    """A statement in a list."""

    number: int = Field(description="The statement's number in the parlour.")
    guest: GuestRef
    day: Day = Field(description="The business day on which it was made.")
    at: Moment = Field(description="The moment it was made.")
    money: Money = Field(description="The sum of its lines.")
    paid: Money = Field(description="The money taken for it; less than `money` if the rest went on account.")
    cancelled_at: Moment | None = Field(description="The moment it was cancelled; null if it holds.")
    cancel_reason: str = Field(description="The reason of the cancellation; empty if it holds.")


class StatementDocument(StatementRowDocument):
    """A statement with its lines."""

    currency: Currency
    lines: list[DueLineDocument] = Field(description="The lines.")


class StatementsDocument(Document):
    """The statements of a business day, newest first."""

    day: Day = Field(description="The business day.")
    currency: Currency
    results: list[StatementRowDocument] = Field(description="The statements.")


class SettledDocument(Document):
    """A guest who settled up: the statement, and the bill after it."""

    statement: StatementDocument | None = Field(description="The statement; null if no line was open.")
    bill: BillDocument


class TillDocument(Document):
    """The till of a business day; money is the house's side, so income is positive."""

    settled: Money = Field(description="Money that statements hold of the day as they were made.")
    late: Money = Field(description="Differences of corrections made later.")
    unsettled: Money = Field(description="Money that guests still owe.")
    closing: Money = Field(description="The sum of the three: the money the day earned.")
    earned: dict[str, Money] = Field(description="The same by what was charged, such as `fee`, `top`, `hours`.")
    taken: Money = Field(description="Money taken on the day.")
    given_back: Money = Field(description="Money given back on the day.")
    cash: Money = Field(description="Money taken less money given back.")
    on_account: Money = Field(
        description="The change of what guests have on account: the day's statements less its payments."
    )
    statements: int = Field(description="The number of statements made on the day.")


class GuestDayDocument(Document):
    """A guest's part of a business day in one rule book."""

    guest: GuestRef
    games: int = Field(description="Games played as a guest.")
    house_games: int = Field(description="Games played for the house.")
    places: list[int] = Field(description="The number of games by place, from the first.")
    totals: Totals
    fee: Money = Field(description="Fees of the games by the rule book.")
    house_fee: Money = Field(description="Fees of the games for the house.")


class BookDayDocument(Document):
    """A rule book's part of a business day: as it was closed, or as it is now."""

    book: BookSlug
    is_closed: bool = Field(description="The figures are those of the close.")
    games: int = Field(description="The number of games.")
    guest_fees: Money = Field(description="Fees of guests for games.")
    house_fees: Money = Field(description="Fees of games for the house.")
    set_fees: Money = Field(description="Fees of set tables.")
    guests: list[GuestDayDocument] = Field(description="The guests who played.")


class DayDocument(Document):
    """A business day of a parlour. The figures of a closed day are those of the close."""

    day: Day = Field(description="The business day.")
    currency: Currency
    is_closed: bool = Field(description="The books of the day are closed.")
    closed_at: Moment | None = Field(description="The moment they were closed; null while they are open.")
    till: TillDocument
    books: list[BookDayDocument] = Field(description="The rule books that were played.")


class Ledgers:
    """The ledgers of a parlour's rule books, to write amounts as decimals."""

    def __init__(self, parlour: Parlour) -> None:
        self.slugs = {book.pk: book.slug for book in books_of(parlour)}
        self._books = {book.pk: book for book in books_of(parlour)}
        self._read: dict[int, Mapping[str, Ledger]] = {}

    def text(self, book: int | None, key: str, amount: int) -> str:
        """Return an amount of a book's ledger as a decimal; at its scale if the rules have the ledger no more."""
        found = self._books.get(book or 0)
        if found is None:
            return str(amount)
        if found.pk not in self._read:
            self._read[found.pk] = {ledger.key: ledger for ledger in ledgers_of(every_rules(found))}
        ledger = self._read[found.pk].get(key)
        return str(amount) if ledger is None else ledger.text(amount)


def line_document(line: DueLine, ledgers: Ledgers) -> DueLineDocument:
    """Return one thing that is owed."""
    return DueLineDocument(
        kind=line.kind,
        day=line.day.isoformat(),
        money=line.money,
        amounts={key: ledgers.text(line.book, key, amount) for key, amount in line.amounts.items()},
        book=ledgers.slugs.get(line.book or 0),
        hanchan=ref(line.hanchan),
        sitting=ref(line.sitting),
        extra=ref(line.extra),
        is_late=line.is_late,
        detail=dict(line.detail),
    )


def bill_document(parlour: Parlour, player: Player, due: Due) -> BillDocument:
    """Return a guest's bill."""
    ledgers, day = Ledgers(parlour), house_day(parlour)
    row = terms_of_guests(parlour).at(player.pk, day)
    return BillDocument(
        guest=guest_document(player),
        currency=parlour.currency,
        lines=[line_document(line, ledgers) for line in due.guest_lines],
        money=due.money,
        on_account=due.on_account,
        total=due.total,
        rate=Rate(row.rate) if row else Rate.ORDINARY,
        stamps=stamps_now(parlour, player, day)[1],
    )


def _row_fields(row: Statement, paid: int, house: Competition) -> dict[str, object]:
    return {
        "number": row.number,
        "guest": guest_document(row.player),
        "day": row.day.isoformat(),
        "at": moment(row.at, house),
        "money": row.money,
        "paid": paid,
        "cancelled_at": moment(row.cancelled_at, house),
        "cancel_reason": row.cancel_reason,
    }


def statement_document(row: Statement) -> StatementDocument:
    """Return a statement with its lines."""
    parlour = row.parlour
    ledgers, house = Ledgers(parlour), books_of(parlour)[0]
    paid = Payment.objects.filter(statement=row).aggregate(sum=Sum("money"))["sum"] or 0
    lines = [line_document(as_line(each), ledgers) for each in row.lines.order_by("pk")]
    return StatementDocument.model_validate(
        {**_row_fields(row, paid, house), "currency": parlour.currency, "lines": lines}
    )


def statements_document(parlour: Parlour, day: dt.date) -> StatementsDocument:
    """Return the statements of a business day."""
    rows = Statement.objects.filter(parlour=parlour, day=day).select_related("player__merged_into")
    found, house = list(rows.order_by("-number")), books_of(parlour)[0]
    sums = dict(Payment.objects.filter(statement__in=found).values_list("statement").annotate(sum=Sum("money")))
    return StatementsDocument(
        day=day.isoformat(),
        currency=parlour.currency,
        results=[StatementRowDocument.model_validate(_row_fields(row, sums.get(row.pk, 0), house)) for row in found],
    )


def till_document(till: Till) -> TillDocument:
    """Return the till of a business day."""
    return TillDocument.build(
        till,
        settled=till.settled.money,
        late=till.late.money,
        unsettled=till.unsettled.money,
        closing=till.closing.money,
        earned=dict(till.earned),
    )


def day_document(parlour: Parlour, day: dt.date) -> DayDocument:
    """Return a business day: as it was closed, or as it is now."""
    closed, books = till_closed(parlour, day), books_of(parlour)
    till = till_of(parlour, day) if closed is None else Till.of_json(day, closed.till)
    return DayDocument(
        day=day.isoformat(),
        currency=parlour.currency,
        is_closed=closed is not None,
        closed_at=moment(closed.at, books[0]) if closed else None,
        till=till_document(till),
        books=list(_books_of_day(books, day)),
    )


def _books_of_day(books: Iterable[Competition], day: dt.date) -> Iterable[BookDayDocument]:
    for book in books:
        closed = closed_day(book, day)
        sheet = day_sheet(book, day) if closed is None else DaySheet.of_json(closed.sheet)
        if sheet.games or sheet.tables:
            yield _book_day(book, sheet, is_closed=closed is not None)


def _book_day(book: Competition, sheet: DaySheet, *, is_closed: bool) -> BookDayDocument:
    entrants = Entrant.objects.select_related("player__merged_into").in_bulk([row.entrant for row in sheet.players])
    ledgers = {ledger.key: ledger for ledger in ledgers_of(every_rules(book))}
    guests = [
        GuestDayDocument.build(
            row,
            guest=guest_document(entrants[row.entrant].player),
            places=list(row.places),
            totals={
                key: ledgers[key].text(amount) if key in ledgers else str(amount) for key, amount in row.totals.items()
            },
        )
        for row in sheet.players
    ]
    return BookDayDocument.build(sheet, book=book.slug, is_closed=is_closed, guests=guests)
