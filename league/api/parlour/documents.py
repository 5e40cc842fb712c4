"""Documents of a parlour as its staff read it: the house with its books, tables and fees, guests, and the waiting list.

Moments are in the time zone of the house, business days are dates, money is an integer in the smallest unit of the
house's currency. Nothing depends on the language of the request.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from league.models import Competition, Entrant, HouseTariff, Parlour, ParlourTable, Player
from league.selectors.parlour.houses import house_day, played_books
from league.selectors.parlour.tariffs import tariffs_of
from league.selectors.parlour.waits import WaitingLine
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.parlour.setup import settings_of
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref

Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
"""A business day, such as 2026-11-20."""
Money = int
"""An amount in the smallest unit of the parlour's currency."""
BookSlug = Annotated[str, Field(description="The slug of the rule book's competition.")]
Currency = Annotated[str, Field(description="The ISO 4217 code of the parlour's money.")]


class GuestRef(Document):
    """A guest inside another document."""

    player: Ref = Field(description="The player's id.")
    key: str = Field(description="The player's key in addresses.")
    name: str = Field(description="The name.")
    kana: str = Field(description="The reading of the name in kana; empty where there is none.")
    number: str = Field(description="The member number; empty where there is none.")


class TariffDocument(Document):
    """The fees of a table, in the smallest unit of the parlour's currency."""

    per_game: Money = Field(description="The fee for a game.")
    student_per_game: Money | None = Field(description="The fee for students; null where they pay the ordinary one.")
    top: Money = Field(description="The fee that the top pays besides.")
    stamps_for_a_free_game: int = Field(description="Stamps on a card that make a game free; 0 without cards.")
    hour_unit_minutes: int = Field(description="Minutes of a unit for guests by the hour; 0 if none pay by the hour.")
    hour_unit: Money = Field(description="The fee for such a unit.")
    set_hour: Money = Field(description="The fee of a set table for an hour.")


class TariffRowDocument(TariffDocument):
    """Fees that were set from a business day on."""

    from_day: Day = Field(description="The first business day they hold for.")
    book: str | None = Field(description="The slug of the rule book they are for; null for all.")
    table: str = Field(description="The name of the table they are for; empty for all.")


class TariffsDocument(Document):
    """All fees that were set, the newest first. The row with the narrowest scope holds: table, then book, then all."""

    currency: Currency
    results: list[TariffRowDocument] = Field(description="The rows; without one the fees of the rule book hold.")


class BookDocument(Document):
    """A rule book that a parlour offers: an open table of its own."""

    slug: BookSlug
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    ruleset: str = Field(description="The ruleset's key.")
    players: int = Field(description="The number of players at a table.")
    ledgers: list[str] = Field(description="Ledgers whose amounts are entered with a game, such as chips.")
    tariff: TariffDocument


class HouseTableDocument(Document):
    """A table of the house."""

    id: Ref = Field(description="The table's id.")
    name: str = Field(description="The table's name.")
    usual_book: str | None = Field(description="The slug of the rule book usually played there; null without one.")


class ParlourDocument(Document):
    """A parlour with its rule books and tables."""

    slug: str = Field(description="The parlour's name in addresses.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    currency: Currency
    time_zone: str = Field(description="The time zone of the house.")
    day_starts_at: str = Field(description="The time of day at which a business day begins, such as 10:00.")
    day: Day = Field(description="The present business day.")
    is_public: bool = Field(description="Visitors may read the rankings.")
    books: list[BookDocument] = Field(description="The rule books under way.")
    tables: list[HouseTableDocument] = Field(description="The tables, in order.")


class ParlourRow(Document):
    """A parlour in the list of those that the caller works for."""

    slug: str = Field(description="The parlour's name in addresses.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    currency: Currency


class ParloursDocument(Document):
    """The parlours that the caller works for; without any the list is empty."""

    results: list[ParlourRow] = Field(description="The parlours.")


class GuestRow(GuestRef):
    """A guest in a list."""

    is_guest: bool = Field(description="The person is a guest of the house already.")
    table: str | None = Field(description="The name of the table where the guest sits now; null if nowhere.")


class GuestsDocument(Document):
    """Guests that were found, or without a search those who sit now."""

    results: list[GuestRow] = Field(description="The guests.")


class GuestLinkDocument(Document):
    """The address of a guest's own page in a parlour: games, places and points, without money."""

    url: str = Field(description="The address; its holder needs no account.")


class WaitingDocument(Document):
    """A guest on the waiting list."""

    id: Ref = Field(description="The row's id.")
    book: BookSlug
    guest: GuestRef
    party: int = Field(description="The number of people who wait under this name.")
    wish: str = Field(description="The wish that was noted; empty without one.")
    since: Moment = Field(description="The moment from which the guest waits.")
    is_company: bool = Field(description="The named guest sits already, and the rest of the party waits.")
    minutes: int | None = Field(description="The expected wait in minutes; null if nothing can be said.")


class WaitingListDocument(Document):
    """The waiting list of a parlour, the longest waiting first."""

    results: list[WaitingDocument] = Field(description="The guests who wait.")


def guest_ref(player: Player) -> dict[str, object]:
    """Return the fields of a guest."""
    kept = player.kept
    return {"player": kept.pk, "key": kept.key, "name": kept.name, "kana": kept.name_kana, "number": kept.number}


def guest_document(player: Player) -> GuestRef:
    """Return a guest."""
    return GuestRef.model_validate(guest_ref(player))


def tariff_row(row: HouseTariff) -> TariffRowDocument:
    """Return fees as they were set."""
    return TariffRowDocument.build(row, from_day=row.from_day.isoformat(), book=row.book.slug if row.book else None)


def tariffs_document(parlour: Parlour) -> TariffsDocument:
    """Return all fees that were set in a parlour."""
    rows = [tariff_row(row) for row in tariffs_of(parlour).rows]
    return TariffsDocument(currency=parlour.currency, results=rows)


def house_table(row: ParlourTable) -> HouseTableDocument:
    """Return a table of the house."""
    return HouseTableDocument(id=str(row.pk), name=row.name, usual_book=row.usual_book.slug if row.usual_book else None)


def parlour_document(parlour: Parlour) -> ParlourDocument:
    """Return a parlour with its rule books and tables."""
    books = played_books(parlour)
    settings, day = settings_of(books[0]), house_day(parlour)
    tables = ParlourTable.objects.filter(parlour=parlour, removed_at=None).select_related("usual_book")
    return ParlourDocument.build(
        parlour,
        time_zone=settings.time_zone,
        day_starts_at=f"{settings.day_starts_at:%H:%M}",
        day=day.isoformat(),
        is_public=settings.is_public,
        books=_books(parlour, books, day),
        tables=[house_table(row) for row in tables.order_by("order", "pk")],
    )


def _books(parlour: Parlour, books: Iterable[Competition], day: dt.date) -> list[BookDocument]:
    tariffs, found = tariffs_of(parlour), []
    for book in books:
        rules = ruleset_of(rules_at(book))
        found.append(
            BookDocument(
                slug=book.slug,
                name=book.name,
                name_en=book.name_en,
                ruleset=rules.name,
                players=rules.players,
                ledgers=[ledger.key for ledger in rules.entered_ledgers],
                tariff=TariffDocument.build(tariffs.at(book.pk, "", day)),
            )
        )
    return found


def guest_row(player: Player, entrant: Entrant | None, tables: Mapping[int, str]) -> GuestRow:
    """Return a guest in a list; `tables` are the names of tables by the players who sit there."""
    return GuestRow.model_validate(
        {**guest_ref(player), "is_guest": entrant is not None, "table": tables.get(player.pk)}
    )


def waiting_document(line: WaitingLine) -> WaitingDocument:
    """Return a row of the waiting list."""
    row = line.row
    return WaitingDocument.build(
        row,
        id=str(row.pk),
        book=row.competition.slug,
        guest=guest_document(row.player),
        since=moment(row.since, row.competition),
        is_company=line.is_company,
        minutes=line.wait.minutes,
    )
