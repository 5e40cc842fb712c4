"""Documents of the sittings of a parlour: the chairs with their guests, and the games that were played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Prefetch
from pydantic import Field

from league.api.competitions.seat_documents import Totals
from league.api.parlour.documents import BookSlug, Day, GuestRef, Money, guest_document
from league.models import ResultSheet, SeatResult, Sitting, SittingAmount, SittingSeat
from league.selectors.parlour.board import Running, running, table_rules
from league.selectors.parlour.following import submitted_sheet
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref, Values
from scoring.ruleset import Ruleset


class ChairDocument(Document):
    """A chair of a table, in turn order."""

    chair: int = Field(description="The chair, from 0.")
    guest: GuestRef | None = Field(description="The guest; null while the chair is empty.")
    stand_in: GuestRef | None = Field(description="The player who sits for the guest; null without one.")
    stand_in_stays: bool = Field(description="The stand-in plays until the guest is back, not one game alone.")
    is_house: bool = Field(description="The guest plays for the house.")
    is_last_game: bool = Field(description="The guest leaves after this game.")
    joined_at: Moment | None = Field(description="The moment the guest sat down; null while the chair is empty.")


class LastGameDocument(Document):
    """The newest game of a sitting that counts."""

    hanchan: Ref = Field(description="The hanchan's id.")
    round: int = Field(description="The number of the game in the sitting.")
    revision: int = Field(description="The revision of its result that counts.")


class FollowedDocument(Document):
    """The game that is followed hand by hand; it is the next game."""

    hanchan: Ref = Field(description="The hanchan's id, under which its log is kept.")
    round: int = Field(description="The number of the game in the sitting.")
    submitted: int | None = Field(description="The revision the table has submitted; null while it is played.")


class ChipsDocument(Document):
    """Amounts of a ledger that is counted once for a sitting."""

    ledger: str = Field(description="The ledger's key.")
    guest: GuestRef
    amount: str = Field(description="The amount won, as a decimal.")


class SittingDocument(Document):
    """A sitting: the same table, game after game. Send its ETag in If-Match to change it only as you saw it."""

    id: Ref = Field(description="The sitting's id.")
    book: BookSlug
    table: str = Field(description="The table's name.")
    day: Day | None = Field(description="The business day its games belong to.")
    kind: Sitting.Kind = Field(description="A free table, or a set table that a party rents.")
    chips: Sitting.Chips = Field(description="The moment at which chips are counted.")
    options: Values = Field(description="The table's house options.")
    per_hour: Money = Field(description="The fee of a set table for an hour; 0 for a free table.")
    opened_at: Moment = Field(description="The moment it was opened.")
    closed_at: Moment | None = Field(description="The moment it was closed; null while it is open.")
    chairs: list[ChairDocument] = Field(description="The chairs, in turn order.")
    games: int = Field(description="The number of games that count.")
    next_round: int = Field(description="The number of the next game.")
    next_first_dealer: int | None = Field(description="The chair that deals first in it; null if it is drawn.")
    last_game: LastGameDocument | None = Field(description="The newest game; null before the first one.")
    followed: FollowedDocument | None = Field(description="The game followed hand by hand; null without one.")
    sitting_chips: list[ChipsDocument] = Field(description="Chips that were counted once for the sitting.")


class SittingsDocument(Document):
    """Sittings of a parlour."""

    results: list[SittingDocument] = Field(description="The sittings, by rule book and table.")


class GameSeat(Document):
    """A seat of a game with its result."""

    seat: int = Field(description="The seat, 0 for the first dealer.")
    guest: GuestRef
    player: GuestRef | None = Field(description="The stand-in who played; null if the guest did.")
    score: int = Field(description="The final score in table points.")
    place: int = Field(description="The place, from 1.")
    chonbo: int = Field(description="The number of chonbo.")
    totals: Totals


class GameDocument(Document):
    """A game of a sitting that counts."""

    hanchan: Ref = Field(description="The hanchan's id.")
    round: int = Field(description="The number of the game in the sitting.")
    revision: int = Field(description="The revision of its result that counts.")
    are_seats_known: bool = Field(description="False if the seats were not noted.")
    is_verdict: bool = Field(description="True if the scores were not counted and stand for a verdict.")
    kyoutaku: int = Field(description="Points of the deposits left on the table.")
    options: Values = Field(description="The house options it was played with.")
    seats: list[GameSeat] = Field(description="The seats, first dealer first.")


class GamesDocument(Document):
    """The games of a sitting that count."""

    sitting: Ref = Field(description="The sitting's id.")
    results: list[GameDocument] = Field(description="The games, newest first.")


class PlayedDocument(Document):
    """A game that was entered or corrected, and the sitting after it."""

    game: GameDocument | None = Field(description="The game; null while its result awaits confirmation.")
    sitting: SittingDocument


def sitting_document(sitting: Sitting) -> SittingDocument:
    """Return the present state of a sitting."""
    return running_document(running(sitting))


def running_document(table: Running) -> SittingDocument:
    """Return the state of a sitting that has been read."""
    sitting, book = table.sitting, table.competition
    return SittingDocument(
        id=str(sitting.pk),
        book=book.slug,
        table=table.table,
        day=table.day.isoformat() if table.day else None,
        kind=Sitting.Kind(sitting.kind),
        chips=Sitting.Chips(sitting.chips),
        options=dict(sitting.options),
        per_hour=sitting.yen_per_hour,
        opened_at=moment(sitting.opened_at, book),
        closed_at=moment(sitting.closed_at, book),
        chairs=[_chair(table, number, seat) for number, seat in enumerate(table.chairs)],
        games=table.games,
        next_round=table.next_round,
        next_first_dealer=table.next_dealer,
        last_game=_last_game(table),
        followed=_followed(table),
        sitting_chips=_sitting_chips(sitting, table.rules),
    )


def _chair(table: Running, number: int, seat: SittingSeat | None) -> ChairDocument:
    return ChairDocument(
        chair=number,
        guest=guest_document(seat.entrant.player) if seat else None,
        stand_in=guest_document(seat.stand_in) if seat and seat.stand_in else None,
        stand_in_stays=seat is not None and seat.stand_in_stays,
        is_house=seat is not None and seat.is_house,
        is_last_game=seat is not None and seat.is_last_game,
        joined_at=moment(seat.joined_at, table.competition) if seat else None,
    )


def _last_game(table: Running) -> LastGameDocument | None:
    if table.last is None:
        return None
    hanchan = table.last.hanchan
    return LastGameDocument(hanchan=str(hanchan.pk), round=hanchan.round, revision=table.last.sheet.revision)


def _followed(table: Running) -> FollowedDocument | None:
    if table.followed is None:
        return None
    sheet = submitted_sheet(table.followed)
    return FollowedDocument(
        hanchan=str(table.followed.pk), round=table.followed.round, submitted=sheet.revision if sheet else None
    )


def _sitting_chips(sitting: Sitting, rules: Ruleset) -> list[ChipsDocument]:
    if sitting.chips != Sitting.Chips.PER_SITTING:
        return []
    rows = SittingAmount.objects.filter(sitting=sitting, ended_n=None).select_related("entrant__player__merged_into")
    return [
        ChipsDocument(
            ledger=row.ledger,
            guest=guest_document(row.entrant.player),
            amount=_amount_text(rules, row.ledger, row.amount),
        )
        for row in rows.order_by("ledger", "pk")
    ]


def _amount_text(rules: Ruleset, key: str, amount: int) -> str:
    """Return an amount as a decimal; one of a ledger that the rules have no more is given at its scale."""
    ledger = next((each for each in rules.ledgers if each.key == key), None)
    return str(amount) if ledger is None else ledger.text(amount)


def games_document(sitting: Sitting) -> GamesDocument:
    """Return the games of a sitting that count, newest first."""
    return GamesDocument(sitting=str(sitting.pk), results=[game_document(sheet) for sheet in counting_sheets(sitting)])


def counting_sheets(sitting: Sitting) -> Sequence[ResultSheet]:
    """Return the counting sheets of a sitting, newest first, with all that a game's document needs."""
    seats = SeatResult.objects.select_related("entrant__player__merged_into", "player__merged_into").order_by("seat")
    return list(
        ResultSheet.objects.counting()
        .filter(hanchan__table_session=sitting.table_session_id)
        .select_related("hanchan", "rules__ruleset")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("-hanchan__round")
    )


def game_document(sheet: ResultSheet) -> GameDocument:
    """Return a game by the sheet that counts."""
    rules = table_rules(sheet.rules, sheet.options)
    return GameDocument(
        hanchan=str(sheet.hanchan_id),
        round=sheet.hanchan.round,
        revision=sheet.revision,
        are_seats_known=sheet.facts.get("are_seats_known", True),
        is_verdict=sheet.facts.get("is_verdict", False),
        kyoutaku=sheet.kyoutaku,
        options=dict(sheet.options),
        seats=[_game_seat(row, rules) for row in sheet.seats.all()],
    )


def _game_seat(row: SeatResult, rules: Ruleset) -> GameSeat:
    totals: Mapping[str, int] = row.totals
    return GameSeat(
        seat=row.seat,
        guest=guest_document(row.entrant.player),
        player=None if row.player_id == row.entrant.player_id else guest_document(row.player),
        score=row.score,
        place=row.place,
        chonbo=row.chonbo,
        totals={key: _amount_text(rules, key, amount) for key, amount in totals.items()},
    )


def played_document(sheet: ResultSheet) -> PlayedDocument:
    """Return a game that was just entered, and its sitting: after the changeover a new one in the next day's books."""
    sitting = Sitting.objects.get(table_session=sheet.hanchan.table_session_id)
    found = next((each for each in counting_sheets(sitting) if each.hanchan_id == sheet.hanchan_id), None)
    return PlayedDocument(game=game_document(found) if found else None, sitting=sitting_document(sitting))
