"""A guest's own page: games, totals and public rank in every book of a parlour, without money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Q

from league.models import Audience, Competition, Entrant, Parlour, Player, SeatResult, SittingAmount
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.competitions.overview import shown_tables
from league.selectors.parlour.houses import books_of
from league.selectors.people.player_records import Record, record_of
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from scoring.ruleset import Ledger, Ruleset, Unit

GAMES_SHOWN = 50
"""Games on the page, the newest first; the figures count all."""


@dataclass(frozen=True, slots=True)
class LedgerTotal:
    """A guest's amounts in one ledger at its scale: the sum of all games and sittings."""

    ledger: Ledger
    total: int
    games: int

    @property
    def average(self) -> Fraction | None:
        """Return the average of a game in the ledger's unit, None before the first game."""
        return Fraction(self.total, self.ledger.scale * self.games) if self.games else None


@dataclass(frozen=True, slots=True)
class GuestGame:
    """A game of a guest: its result, and each ledger with the amount at its scale."""

    result: SeatResult
    amounts: tuple[tuple[Ledger, int], ...]


@dataclass(frozen=True, slots=True)
class GuestBook:
    """A guest's games in one book. `rank` is the rank in the public ranking, None if the guest is not in it."""

    book: Competition
    rules: Ruleset
    record: Record
    totals: tuple[LedgerTotal, ...]
    games: Sequence[GuestGame]
    """The newest games, newest first."""
    rank: int | None


def guest_books(parlour: Parlour, player: Player) -> list[GuestBook]:
    """Return the books in which a guest has played, in the order of the parlour."""
    people = Q(player=player) | Q(player__merged_into=player)
    entrants = Entrant.objects.filter(people, competition__parlour=parlour).values_list("competition", "pk")
    found = []
    for book in books_of(parlour):
        own = [pk for competition, pk in entrants if competition == book.pk]
        if own and (of_book := _guest_book(book, player, own)).record.played:
            found.append(of_book)
    return found


def _guest_book(book: Competition, player: Player, own: list[int]) -> GuestBook:
    # A guest reads the own games as the staff does: those of an open table are closed to the public.
    reader = Reader(book, Audience.STAFF, book.computed_version)
    rules = ruleset_of(rules_at(book))
    results = reader.seat_results(entrant__in=own)
    newest = results.select_related("sheet__hanchan__table_session__session").order_by(
        "-sheet__hanchan__table_session__session__number", "-sheet__hanchan__number"
    )
    ledgers = [ledger for ledger in rules.ledgers if ledger.unit is not Unit.YEN]
    return GuestBook(
        book=book,
        rules=rules,
        record=record_of(results, rules.players),
        totals=tuple(_totals(ledgers, results, own)),
        games=[
            GuestGame(row, tuple((each, row.totals.get(each.key, 0)) for each in ledgers))
            for row in newest[:GAMES_SHOWN]
        ],
        rank=public_rank(book, player, own),
    )


def _totals(ledgers: Sequence[Ledger], results: Iterable[SeatResult], own: list[int]) -> Iterator[LedgerTotal]:
    """Yield the sums of these ledgers, with the amounts counted once for a sitting."""
    sums: Counter[str] = Counter()
    games = 0
    for row in results:
        games += 1
        for key, amount in row.totals.items():
            sums[key] += amount
    for ledger, amount in SittingAmount.objects.filter(entrant__in=own, ended_n=None).values_list("ledger", "amount"):
        sums[ledger] += amount
    for each in ledgers:
        yield LedgerTotal(each, sums[each.key], games)


def public_rank(book: Competition, player: Player, own: list[int]) -> int | None:
    """Return the guest's rank in the ranking that the public reads, None unless the guest agreed to be in it."""
    if not (player.is_public and book.is_readable_by_public):
        return None
    lines = (line for table in shown_tables(public_reader_of(book)) for line in table.lines)
    return next((line.standing.rank for line in lines if line.standing.entrant_id in own), None)
