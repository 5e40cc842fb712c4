"""The board of a parlour: each running table with its guests' games, points, chips and what they owe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.models import Competition, Parlour, ParlourTable, Player, SittingSeat, WaitingGuest
from league.selectors.parlour.board import Running, business_day, open_sittings, waiting_list
from league.selectors.parlour.days import minutes_of
from league.selectors.parlour.dues import Due, dues_of
from league.selectors.parlour.houses import played_books
from league.selectors.parlour.till import till_closed, till_of
from league.views.parlour.slips import TillSheet, money_of, till_sheet
from league.wording.formatting import points_text
from league.wording.names import person_name, title_in
from scoring.ruleset import Ledger, Unit

MOST_LEDGERS = 2
"""Ledgers beside the ranking one for which a card has room."""
LETTERS = "abcdefgh"
MINUTES = 60


@dataclass(frozen=True, slots=True)
class CellAmount:
    """An amount of a ledger in a cell."""

    text: str
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair of a running table; `due` is what its guest owes, None for an empty chair."""

    number: int
    seat: SittingSeat | None
    due: Due | None
    amounts: tuple[CellAmount, ...]
    is_next_dealer: bool

    @property
    def letter(self) -> str:
        """Return the key that opens the guest's settlement once the table is chosen."""
        return LETTERS[self.number]

    @property
    def money(self) -> int:
        """Return the open money of the guest."""
        return money_of(self.due)


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A running table on the board."""

    table: Running
    ledgers: tuple[Ledger, ...]
    chairs: tuple[Chair, ...]

    @property
    def titles(self) -> list[str]:
        """Return the heads of the ledgers' columns."""
        return [title_in(each.title) for each in self.ledgers]

    @property
    def running_for(self) -> str:
        """Return the time since the table was opened, as hours and minutes."""
        hours, minutes = divmod(minutes_of(self.table.sitting), MINUTES)
        return f"{hours}:{minutes:02d}"


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a parlour: the running tables of all its books, the free ones, and the waiting list."""

    parlour: Parlour
    books: tuple[Competition, ...]
    cards: tuple[BoardCard, ...]
    free_tables: tuple[ParlourTable, ...]
    all_tables: int
    waiting: tuple[WaitingGuest, ...]
    is_closed: bool
    dues: Mapping[int, Due] = field(default_factory=dict)
    till: TillSheet | None = None

    @property
    def tables(self) -> list[Running]:
        """Return the running tables."""
        return [card.table for card in self.cards]

    @property
    def guests(self) -> int:
        """Return the number of guests who sit, without players for the house."""
        return sum(not seat.is_house for table in self.tables for seat in table.seated)

    @property
    def unpaid(self) -> int:
        """Return the open money of all guests."""
        return sum(money_of(due) for due in self.dues.values())


def board_of(parlour: Parlour, *, money: bool = True) -> Board:
    """Return the board of a parlour, without the debts if `money` is False."""
    books = played_books(parlour)
    tables = open_sittings(books)
    dues = dues_of(parlour) if money else {}
    own = ParlourTable.objects.filter(parlour=parlour, removed_at=None).select_related("usual_book")
    names = {table.table for table in tables}
    free = tuple(row for row in own if row.name not in names)
    return Board(
        parlour=parlour,
        books=tuple(books),
        cards=tuple(card_of(table, dues) for table in tables),
        free_tables=free,
        all_tables=len(free) + len(tables),
        waiting=tuple(waiting_list(books)),
        is_closed=till_closed(parlour, business_day(books[0])) is not None,
        dues=dues,
        till=till_sheet(till_of(parlour, business_day(books[0]), dues)) if money else None,
    )


def card_of(table: Running, dues: Mapping[int, Due]) -> BoardCard:
    """Return a running table with what its guests owe."""
    others = [each for each in table.rules.ledgers if not each.ranks and each.unit is not Unit.YEN]
    ledgers = (table.rules.ranking_ledger, *others[:MOST_LEDGERS])
    return BoardCard(
        table, ledgers, tuple(_chair(table, number, seat, dues, ledgers) for number, seat in enumerate(table.chairs))
    )


def _chair(
    table: Running, number: int, seat: SittingSeat | None, dues: Mapping[int, Due], ledgers: tuple[Ledger, ...]
) -> Chair:
    due = None
    if seat is not None:
        person = seat.entrant.player.kept_id
        due = dues.get(person, Due(person, ()))
    sums = due.amounts() if due is not None else {}
    amounts = [sums.get((table.competition.pk, each.key), 0) for each in ledgers]
    texts = zip(amounts, ledgers, strict=True)
    return Chair(
        number,
        seat,
        due,
        tuple(CellAmount(points_text(amount, each.scale), amount < 0) for amount, each in texts),
        table.next_dealer == number,
    )


def seats_now(parlour: Parlour, people: Sequence[int]) -> Mapping[int, SittingSeat]:
    """Return the seats that these persons take now."""
    rows = SittingSeat.objects.filter(
        sitting__table_session__competition__parlour=parlour, entrant__player__in=people, left_at=None
    )
    rows = rows.select_related("sitting__table_session", "entrant__player")
    return {row.entrant.player_id: row for row in rows}


@dataclass(frozen=True, slots=True)
class Debtor:
    """A guest with an open due: the player, what is due, and the present seat."""

    player: Player
    due: Due
    seat: SittingSeat | None

    @property
    def money(self) -> int:
        """Return the open money of the guest's own lines."""
        return money_of(self.due)


def debtors_of(parlour: Parlour, dues: Mapping[int, Due]) -> list[Debtor]:
    """Return the guests with open lines, those who have left their table first."""
    owing = {person: due for person, due in dues.items() if due.guest_lines}
    people = Player.objects.in_bulk(list(owing))
    seats = seats_now(parlour, list(owing))
    found = [Debtor(people[person], due, seats.get(person)) for person, due in owing.items() if person in people]
    return sorted(found, key=lambda each: (each.seat is not None, person_name(each.player)))
