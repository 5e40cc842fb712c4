"""Slips: the lines of a settlement as they are read out at the counter, from what is due or from a statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Competition, Parlour, RulesInForce
from league.selectors.parlour.dues import Due, DueLine, Kind, amounts_of
from league.selectors.parlour.houses import books_of
from league.selectors.parlour.till import Till
from league.selectors.rulebooks.rules_in_force import every_rules, latest, ledgers_of, ruleset_of
from league.wording.formatting import money_text, points_text
from league.wording.names import title_in
from scoring.ruleset import Ledger, Ruleset, Unit


@dataclass(frozen=True, slots=True)
class SlipLine:
    """A line of a slip; `extra` is the id of the other item that it shows."""

    text: str
    money: int
    is_late: bool = False
    extra: int | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """The sum of a ledger on a slip."""

    title: str
    text: str
    is_negative: bool


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A game of a slip: where, which game, the place, the ranking ledger, and the fee."""

    table: str
    round: int
    place: int
    points: str
    money: int
    is_free: bool
    is_late: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A settlement as shown: lines, games, sums of the ledgers, and the money of all lines."""

    lines: tuple[SlipLine, ...]
    games: tuple[PlayedLine, ...]
    figures: tuple[Figure, ...]
    money: int

    @property
    def places(self) -> str:
        """Return the places in the order of play, such as 1-3-2."""
        return "-".join(str(game.place) for game in self.games if not game.is_late)


class Books:
    """The rule books of a parlour with their names and ledgers, read once."""

    def __init__(self, parlour: Parlour) -> None:
        self.currency = parlour.currency
        self._books = {book.pk: book for book in books_of(parlour)}
        self._rules: dict[int, Sequence[RulesInForce]] = {}
        self._ledgers: dict[int, Sequence[Ledger]] = {}

    def rules(self, book: int) -> Ruleset:
        """Return the rules in force of a book."""
        return ruleset_of(latest(self._every_rules(book)))

    def book(self, pk: int) -> Competition:
        """Return a book."""
        return self._books[pk]

    def ledgers(self, book: int) -> Sequence[Ledger]:
        """Return the ledgers without money, also of earlier rules, the ranking ones first."""
        if book not in self._ledgers:
            own = [each for each in ledgers_of(self._every_rules(book)) if each.unit is not Unit.YEN]
            self._ledgers[book] = sorted(own, key=lambda each: not each.ranks)
        return self._ledgers[book]

    def _every_rules(self, book: int) -> Sequence[RulesInForce]:
        if book not in self._rules:
            self._rules[book] = every_rules(self._books[book])
        return self._rules[book]


def money_of(due: Due | None) -> int:
    """Return the open money of a guest's own lines, without the amount on account."""
    return sum(line.money for line in due.guest_lines) if due is not None else 0


@dataclass(frozen=True, slots=True)
class TillSheet:
    """The money of a till as shown: income by kind, and what is still unpaid, on account and in cash."""

    rows: tuple[tuple[str, int], ...]
    money: int
    settled: int
    late: int
    unsettled: int
    on_account: int
    taken: int
    given_back: int
    cash: int
    statements: int


def till_sheet(till: Till) -> TillSheet:
    """Return the money of a till with the names of its kinds."""
    names = {
        "fee": _("Game fees"),
        "top": _("Top's shares"),
        "hours": _("Guests by the hour"),
        "set": _("Set tables"),
        "extra": _("Drinks and other items"),
    }
    return TillSheet(
        rows=tuple((name, till.earned[key]) for key, name in names.items() if till.earned.get(key)),
        money=till.closing.money,
        settled=till.settled.money,
        late=till.late.money,
        unsettled=till.unsettled.money,
        on_account=till.on_account,
        taken=till.taken,
        given_back=till.given_back,
        cash=till.cash,
        statements=till.statements,
    )


def slip_of(lines: Sequence[DueLine], books: Books) -> Slip:
    """Return the slip of some lines; games at the same price share a line."""
    return Slip(
        lines=tuple(_lines(lines, books.currency)),
        games=tuple(_games(lines, books)),
        figures=tuple(figures_of(amounts_of(lines), books)),
        money=sum(line.money for line in lines),
    )


def number_in(line: DueLine, key: str) -> int:
    """Return a number of a line's details, 0 if it is missing."""
    found = line.detail.get(key)
    return found if isinstance(found, int) else 0


def _lines(lines: Sequence[DueLine], currency: str) -> Iterator[SlipLine]:
    """Yield the lines: fees by price, free games, the top's share, hours, other items, and differences."""
    games = [line for line in lines if line.kind == Kind.GAME and not line.is_late]
    for fee, count in _counted(number_in(line, "fee") for line in games):
        text = _("Game fee %(price)s × %(count)s") % {"price": money_text(fee, currency), "count": count}
        yield SlipLine(text, fee * count)
    free = sum(bool(line.detail.get("is_free")) for line in games)
    if free:
        yield SlipLine(
            ngettext("%(count)s free game (stamps)", "%(count)s free games (stamps)", free) % {"count": free}, 0
        )
    for top, count in _counted(number_in(line, "top") for line in games):
        text = _("Top's share %(price)s × %(count)s") % {"price": money_text(top, currency), "count": count}
        yield SlipLine(text, top * count)
    for line in lines:
        if line.is_late:
            yield SlipLine(_late_text(line), line.money, is_late=True)
        elif line.kind in (Kind.HOURS, Kind.SET, Kind.EXTRA):
            yield SlipLine(_text(line, currency), line.money, extra=line.extra)


def _counted(prices: Iterator[int]) -> Iterator[tuple[int, int]]:
    """Yield each price above zero with its number, the most expensive first."""
    yield from sorted(((price, count) for price, count in Counter(prices).items() if price), reverse=True)


def _text(line: DueLine, currency: str) -> str:
    if line.kind == Kind.EXTRA:
        return str(line.detail.get("label", ""))
    shown = {"table": line.detail.get("table", ""), "minutes": number_in(line, "minutes")}
    if line.kind == Kind.SET:
        price = money_text(number_in(line, "per_hour"), currency)
        return _("Set table %(table)s, %(minutes)s min at %(price)s an hour") % {**shown, "price": price}
    price = money_text(number_in(line, "unit"), currency)
    return _("By the hour: %(minutes)s min, %(price)s × %(units)s") % {
        **shown,
        "price": price,
        "units": number_in(line, "units"),
    }


def _late_text(line: DueLine) -> str:
    if line.kind == Kind.GAME:
        return _("Correction: table %(table)s, game %(round)s") % {
            "table": line.detail.get("table", ""),
            "round": number_in(line, "round"),
        }
    what = str(line.detail.get("label") or Kind(line.kind).label)
    return _("Correction: %(what)s") % {"what": what}


def _games(lines: Sequence[DueLine], books: Books) -> Iterator[PlayedLine]:
    for line in lines:
        if line.kind != Kind.GAME or line.book is None:
            continue
        ranking = [each for each in books.ledgers(line.book) if each.ranks]
        ledger = next((each for each in ranking if each.key in line.amounts), ranking[0])
        yield PlayedLine(
            table=str(line.detail.get("table", "")),
            round=number_in(line, "round"),
            place=number_in(line, "place"),
            points=points_text(line.amounts.get(ledger.key, 0), ledger.scale, plus=True),
            money=line.money,
            is_free=bool(line.detail.get("is_free")),
            is_late=line.is_late,
        )


def figures_of(amounts: Mapping[tuple[int, str], int], books: Books) -> Iterator[Figure]:
    """Yield the sums of the ledgers, book by book; the book is named if there are several."""
    played = list(dict.fromkeys(book for book, _ledger in amounts))
    for book in sorted(played):
        for ledger in books.ledgers(book):
            amount = amounts.get((book, ledger.key))
            if amount is None:
                continue
            title = title_in(ledger.title)
            if len(played) > 1:
                title = f"{title_in(books.rules(book).title)} {title}"
            yield Figure(title, points_text(amount, ledger.scale, plus=True), amount < 0)
