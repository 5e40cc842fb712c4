"""Schedule documents: sessions, table sessions, hanchan, and their result sheets."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from pydantic import Field

from league.api.competitions.moment_documents import Day, Times, day, times
from league.models import Hanchan, HanchanSeat, ResultSheet, RulesInForce, SeatResult, Session, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import GameMoments, local_date, table_moments
from league.selectors.competitions.schedule import PlayedHanchan, PlayedTable
from league.selectors.people.visibility import guards_guests, ledgers_shown, person_shown
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.web.document_parts import (
    CompetitionRef,
    EntrantDocument,
    LineDocument,
    NamedKey,
    OfSeat,
    SessionRef,
    cause_label,
    entrant,
    exact,
    line_floating,
    moment,
    ref,
)
from league.web.documents import Amount, Document, Moment, Ref, Values
from scoring.ruleset import Ruleset

OVER = (Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME)
HanchanState = Annotated[
    Hanchan.State, Field(description="Over only once the result counts in the version that was read.")
]
Round = Annotated[int, Field(description="The hanchan's place in its table session (回戦), from 1.")]
Number = Annotated[int, Field(description="The hanchan's number for those at the table in the block, from 1.")]
SheetState = Annotated[ResultSheet.State, Field(description="The sheet's state at the version that was read.")]
Totals = Annotated[dict[str, Amount], Field(description="Every ledger this audience may see, by its key.")]


class TableFacts(Document):
    """Time and place of a table session."""

    id: Ref = Field(description="The table session's id.")
    table: str = Field(description="The table's name in the hall; may be empty.")
    table_number: int = Field(
        description="The table's number among those of its session that the reader may know of, from 1 in their order; "
        "new tables of a later round count from 1 again."
    )
    date: Day | None = Field(description="The date of the planned beginning in the competition's time zone.")
    starts_at: Moment | None = Field(description="The planned beginning.")
    venue: str = Field(description="Where it is played; may be empty.")
    stream_url: str = Field(description="The address of the broadcast; may be empty.")
    public_at: Moment | None = Field(description="The moment until which results are held back from the public.")
    is_cancelled: bool = Field(description="It will not be played.")


class HanchanRef(Times):
    """A hanchan without its seats."""

    id: Ref = Field(description="The hanchan's id.")
    round: Round
    number: Number
    state: HanchanState


class SessionDocument(Document):
    """A session (節), that is, a day of play."""

    id: Ref = Field(description="The session's id.")
    competition: CompetitionRef
    number: int = Field(description="The session's number in the competition, from 1.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    date: Day | None = Field(description="Its first day in the competition's time zone; null without dated tables.")
    table_sessions: list[Ref] = Field(description="The ids of its table sessions, in order.")


class TableSessionDocument(Times, TableFacts):
    """The players at one table on a date (対局), for one or several hanchan."""

    competition: CompetitionRef
    session: SessionRef
    stage: NamedKey
    block: NamedKey
    is_complete: bool = Field(description="Every hanchan has its result.")
    entrants: list[EntrantDocument] = Field(description="The entrants at the table.")
    hanchan: list[HanchanRef] = Field(description="The hanchan in order.")


class Seated(EntrantDocument, OfSeat):
    """Base of a seat: the entrant who scores, and the player: a substitute, or for a team its member."""

    player: Ref | None = Field(
        description="The id of the player who sits there; null where not public, and of a team without a line-up."
    )
    player_name: str | None = Field(description="The player's name; null likewise.")
    is_substitute: bool = Field(description="Another person sits for the entrant; never true of a team's member.")


class Seat(Seated):
    """A seat of a hanchan; the first dealer's seat comes first."""

    score: int | None = Field(description="The score in table points; null before there is a result.")
    final_score: int | None = Field(description="The score with the deposits given out.")
    chonbo: int | None = Field(description="The number of chonbo.")
    place: int | None = Field(description="The place, from 1.")
    points: Amount | None = Field(description="The points in the ledger that ranks; null where not public.")
    totals: Totals
    lines: list[LineDocument] | None = Field(description="The settlement line by line; null in lists of hanchan.")


class SheetHead(Document):
    """A result sheet without its seats."""

    id: Ref = Field(description="The sheet's id.")
    revision: int = Field(description="The revision of the hanchan's result, from 1.")
    etag: str = Field(description="What a correction of this revision sends in If-Match.")
    state: SheetState
    kyoutaku: int = Field(description="Points of the deposits left on the table.")
    are_seats_known: bool = Field(description="False where the order of seats means nothing.")
    options: Values = Field(description="The table's house options.")
    reason: str = Field(description="The reason for a correction or a rejection; may be empty.")
    accepted_warnings: list[str] = Field(description="Codes of warnings that were looked at and accepted.")
    entered_at: Moment = Field(description="The moment it was entered.")
    confirmed_at: Moment | None = Field(description="The moment it was confirmed.")


class OfHanchan(Document):
    """Base that puts the hanchan before the sheet."""

    hanchan: Ref = Field(description="The hanchan's id.")


class Sheet(SheetHead, OfHanchan):
    """A revision of a hanchan's result."""

    seats: list[Seat] = Field(description="The seats, first dealer first.")
    differs_at: list[str] = Field(
        description="Where two people enter without seeing each other's sheet, in one's own sheet that waits: pointers "
        "into the submission to what the other person entered differently."
    )


class Sheets(Document):
    """All revisions of a hanchan's result, oldest first."""

    results: list[Sheet] = Field(description="The revisions the reader may know of.")


class HanchanDocument(Times):
    """A hanchan with the result sheet that counts."""

    id: Ref = Field(description="The hanchan's id.")
    competition: CompetitionRef
    stage: NamedKey
    block: NamedKey
    session: Ref = Field(description="The session's id.")
    table_session: Ref = Field(description="The table session's id.")
    starts_at: Moment | None = Field(description="The planned beginning of the table session.")
    round: Round
    number: Number
    state: HanchanState
    rules: Ref = Field(description="The id of the rules it is settled by, as in the competition's `rules`.")
    sheet: SheetHead | None = Field(description="The sheet that counts; null before there is a result.")
    seats: list[Seat] = Field(description="The seats, first dealer first.")


class RulesOf:
    """Loads the rulesets of many hanchan with at most one query, because a competition has few rules in force.

    Rules given to the constructor are not queried at all.
    """

    def __init__(self, reader: Reader, *at_hand: RulesInForce) -> None:
        self._reader = reader
        self._rows = {row.pk: row for row in at_hand}

    def of(self, row: Hanchan | ResultSheet) -> Ruleset:
        """Return the ruleset that a hanchan or a sheet refers to, with its options."""
        if row.rules_id not in self._rows:
            rows = RulesInForce.objects.filter(competition=self._reader.competition).select_related("ruleset")
            self._rows |= {found.pk: found for found in rows}
        return ruleset_of(self._rows[row.rules_id], row.options)


def session_document(reader: Reader, row: Session, tables: list[int], date: dt.date | None) -> SessionDocument:
    """Return a session with its first day and the ids of its tables."""
    return SessionDocument.build(row, competition=reader.competition, date=day(date), table_sessions=tables)


def table_document(
    reader: Reader, played: PlayedTable, moments: Mapping[int, GameMoments], number: int
) -> TableSessionDocument:
    """Return a table session with its number and a short form of its hanchan; `moments` are theirs by id."""
    row, competition = played.table_session, reader.competition
    own = [moments[each.hanchan.pk] for each in played.hanchan]
    return TableSessionDocument.build(
        row,
        **table_facts(reader, row, number),
        **times(table_moments(own, is_complete=played.is_complete), competition),
        competition=competition,
        stage=row.block.stage,
        is_complete=played.is_complete,
        entrants=[EntrantDocument(**entrant(reader, seat.entrant)) for seat in played.entrants],
        hanchan=[
            HanchanRef.build(each.hanchan, **times(found, competition), state=state_of(each))
            for each, found in zip(played.hanchan, own, strict=True)
        ],
    )


def table_facts(reader: Reader, row: TableSession, number: int) -> dict[str, object]:
    """Return the fields of `TableFacts` that differ from the row's attributes."""
    return {
        "table_number": number,
        "date": day(local_date(row.starts_at, reader.competition)),
        "starts_at": moment(row.starts_at, reader.competition),
        "stream_url": row.stream_link,
        "public_at": moment(row.public_at, reader.competition),
    }


def state_of(played: PlayedHanchan) -> Hanchan.State:
    """Return the state of a hanchan at the version read: over only once its result counts."""
    return hanchan_state(played.hanchan, is_over=played.sheet is not None)


def hanchan_state(row: Hanchan, *, is_over: bool) -> Hanchan.State:
    """Return the same if the caller knows whether a result counts."""
    # The row may be ahead of the version read: its result is not computed yet, or under embargo.
    return Hanchan.State.RUNNING if not is_over and row.state in OVER else Hanchan.State(row.state)


def hanchan_document(
    reader: Reader, played: PlayedHanchan, rules: RulesOf, moments: GameMoments, *, lines: bool
) -> HanchanDocument:
    """Return a hanchan with the sheet that counts; with `lines`, its settlement is itemised."""
    row, sheet = played.hanchan, played.sheet
    own = rules.of(sheet or row)
    return HanchanDocument.build(
        row,
        competition=reader.competition,
        stage=row.block.stage,
        session=row.table_session.session_id,
        table_session=row.table_session_id,
        starts_at=moment(row.table_session.starts_at, reader.competition),
        **times(moments, reader.competition),
        state=state_of(played),
        rules=row.rules_id,
        sheet=SheetHead(**sheet_head(reader, sheet)) if sheet else None,
        seats=seats_of(reader, played, own, lines=lines),
    )


def seats_of(reader: Reader, played: PlayedHanchan, rules: Ruleset, *, lines: bool) -> Sequence[Seat]:
    """Return the seats of the result, or the planned ones without a result, first dealer first."""
    if played.sheet is None:
        return [planned_seat(reader, seat) for seat in played.planned]
    return [result_seat(reader, seat, rules, lines=lines) for seat in played.results]


def planned_seat(reader: Reader, seat: HanchanSeat) -> Seat:
    """Return a seat without a result."""
    return Seat(
        **seat_of(reader, seat),
        score=None,
        final_score=None,
        chonbo=None,
        place=None,
        points=None,
        totals={},
        lines=None,
    )


def result_seat(reader: Reader, seat: SeatResult, rules: Ruleset, *, lines: bool) -> Seat:
    """Return a seat of a result: the entered values and their settlement."""
    shown = {ledger.key: ledger for ledger in ledgers_shown(reader, rules)}
    ranking = rules.ranking_ledger
    return Seat(
        **seat_of(reader, seat),
        score=seat.score,
        final_score=seat.final_score,
        chonbo=seat.chonbo,
        place=seat.place,
        points=ranking.text(seat.points) if ranking.key in shown else None,
        totals={key: ledger.text(seat.totals[key]) for key, ledger in shown.items() if key in seat.totals},
        lines=[line(each, rules) for each in seat.lines if each["ledger"] in shown] if lines else None,
    )


class SeatedFields(TypedDict):
    """The fields of `Seated`."""

    seat: int
    entrant: str | None
    key: str | None
    name: str | None
    kana: str | None
    romaji: str | None
    affiliation: str | None
    country: str | None
    is_team: bool | None
    player: str | None
    player_name: str | None
    is_substitute: bool


def seat_of(reader: Reader, seat: HanchanSeat | SeatResult) -> SeatedFields:
    """Return the fields of `Seated`: the entrant who scores, and the player unless it is a team without a line-up."""
    player = None if seat.player.is_team else person_shown(reader, seat.player)
    return {
        "seat": seat.seat,
        **entrant(reader, seat.entrant),
        "player": ref(seat.player_id) if player else None,
        "player_name": player.name if player else None,
        "is_substitute": seat.is_substitute,
    }


class StoredLine(TypedDict):
    """A line of a settlement as a result stores it."""

    ledger: str
    amount: str
    cause: str
    clause: str
    params: dict[str, object]


def line(stored: StoredLine, rules: Ruleset) -> LineDocument:
    """Return one itemised amount with its cause and clause."""
    amount = exact(stored["amount"], rules.ledger(stored["ledger"]))
    label = cause_label(stored["cause"], line_floating(stored["params"]))
    return LineDocument.model_validate({**stored, "amount": amount, "label": label})


class SheetFields(TypedDict):
    """The fields of `SheetHead`."""

    id: str
    revision: int
    etag: str
    state: SheetState
    kyoutaku: int
    are_seats_known: bool
    options: dict[str, object]
    reason: str
    accepted_warnings: list[str]
    entered_at: str
    confirmed_at: str | None


def sheet_head(reader: Reader, sheet: ResultSheet) -> SheetFields:
    """Return the fields of `SheetHead`; `etag` is the value for If-Match in a correction."""
    return {
        "id": str(sheet.pk),
        "revision": sheet.revision,
        "etag": sheet_tag(sheet),
        "state": state_at(reader, sheet),
        "kyoutaku": sheet.kyoutaku,
        "are_seats_known": sheet.facts.get("are_seats_known", True),
        "options": {} if guards_guests(reader) else sheet.options,
        "reason": sheet.reason,
        "accepted_warnings": sheet.accepted_warnings,
        "entered_at": moment(sheet.entered_at, reader.competition),
        "confirmed_at": moment(sheet.confirmed_at, reader.competition),
    }


def state_at(reader: Reader, sheet: ResultSheet) -> ResultSheet.State:
    """Return the sheet's state at the version read; a sheet that counted then was confirmed, even if replaced later."""
    counted = sheet.confirmed_n is not None and sheet.confirmed_n <= reader.version
    ended = sheet.ended_n is not None and sheet.ended_n <= reader.version
    return ResultSheet.State.CONFIRMED if counted and not ended else ResultSheet.State(sheet.state)


def sheet_document(reader: Reader, sheet: ResultSheet, rules: RulesOf, differs_at: Sequence[str]) -> Sheet:
    """Return a sheet with its settlement, line by line."""
    own = rules.of(sheet)
    seats = [result_seat(reader, seat, own, lines=True) for seat in sheet.seats.all()]
    head = sheet_head(reader, sheet)
    return Sheet(**head, hanchan=str(sheet.hanchan_id), seats=seats, differs_at=list(differs_at))


def sheet_tag(sheet: ResultSheet) -> str:
    """Return the ETag of a revision, for If-Match."""
    return f'"{sheet.hanchan_id}-r{sheet.revision}"'
