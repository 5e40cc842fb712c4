"""The schedule: sessions, table sessions and their hanchan, seats, and the time from which a table is public."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    Block,
    Closing,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    ResultSheet,
    RulesInForce,
    Session,
    TableSession,
)
from league.models.schedule import is_web_address
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.courses import round_numbers
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.services.access.changes import after_last, lock, open_change
from league.services.access.guard import all_or_nothing, refuse_strangers, refuse_too_long
from league.services.competitions.byes import settle_byes
from league.services.competitions.seats import write_seats
from scoring.rests import last_number


@all_or_nothing
def create_session(
    *, competition: Competition, by: Actor, name: str = "", name_en: str = "", number: int | None = None
) -> Session:
    """Add a session (節), by default with the next number."""
    require(by, competition, Capability.MANAGE)
    lock(competition)
    rows = Session.objects.filter(competition=competition)
    session = new_session(competition, after_last(rows, "number") if number is None else number, name, name_en)
    if rows.filter(number=session.number).exists():
        raise conflict(
            "session_number_taken", _("There is already a session %(number)s.") % {"number": session.number}, "/number"
        )
    change = open_change(competition, by)
    session.save(force_insert=True)
    change.record("session.created", session, after={"number": session.number})
    return session


def new_session(competition: Competition, number: int, name: str = "", name_en: str = "") -> Session:
    """Return an unsaved session."""
    refuse_too_long(Session, {"name": name, "name_en": name_en})
    refuse_below_one([number], "/number")
    return Session(
        competition=competition, number=number, name=name or f"第{number}節", name_en=name_en or f"Session {number}"
    )


def refuse_below_one(numbers: Sequence[int], pointer: str) -> None:
    """Raise unless all numbers are at least 1."""
    if min(numbers, default=1) < 1:
        raise refuse("number_below_one", _("Sessions and games are numbered from 1."), pointer)


def refuse_beyond_stage(block: Block, numbers: Sequence[int]) -> None:
    """Raise if the block's stage has no hanchan of such a number."""
    number = max(numbers, default=0)
    if number <= (block.stage.hanchan_count or number):
        return
    rules = rules_at(block.competition)
    last = last_number(format_of(rules), block.key, ruleset_of(rules).players)
    if last is not None:
        message = _(
            "%(block)s has hanchan 1 to %(last)s, not %(number)s. A hanchan that is played again keeps its number; "
            "one that decides a tie is entered as a ruling."
        )
        said = {"block": block, "last": last, "number": number}
        raise refuse("number_beyond_stage", message % said, "/numbers")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fixture:
    """A table of a schedule: the block's hanchan with these numbers, played one after the other.

    `entrants`, if known, take the seats in this order, or those of `rounds` in each hanchan; seats may be changed until
    the result is entered.
    """

    block: Block
    numbers: Sequence[int]
    entrants: Sequence[Entrant] = ()
    rounds: Sequence[Sequence[Entrant]] = ()
    table: str = ""
    starts_at: dt.datetime | None = None
    venue: str = ""
    stream_url: str = ""
    public_at: dt.datetime | None = None
    rules: RulesInForce | None = None
    """The rules that its hanchan pin; None for those in force when the table starts."""

    @property
    def seats(self) -> Sequence[Sequence[Entrant]]:
        """Return who sits in each hanchan."""
        return self.rounds or [self.entrants] * len(self.numbers)


@all_or_nothing
def create_table_session(*, session: Session, fixture: Fixture, by: Actor) -> TableSession:
    """Schedule a table; each of its hanchan pins the rules in force when it starts."""
    competition = session.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    table_session, hanchan = new_table(session, fixture)
    refuse_tables_of_closed(fixture.block)
    change = open_change(competition, by)
    table_session.order = after_last(TableSession.objects.filter(session=session), "order")
    table_session.save(force_insert=True)
    for one in hanchan:
        one.table_session = table_session
    HanchanSeat.objects.bulk_create(
        HanchanSeat(hanchan=one, seat=seat, entrant=entrant, player_id=entrant.player_id)
        for one, entrants in zip(Hanchan.objects.bulk_create(hanchan), fixture.seats, strict=True)
        for seat, entrant in enumerate(entrants)
    )
    change.record(
        "table_session.created",
        table_session,
        is_public=table_session.is_released,
        after={
            "block": fixture.block.pk,
            "numbers": list(fixture.numbers),
            "entrants": [entrant.pk for entrant in next(iter(fixture.seats), ())],
        },
    )
    return table_session


def new_table(
    session: Session, fixture: Fixture, *, beside: Collection[int] = ()
) -> tuple[TableSession, list[Hanchan]]:
    """Return an unsaved table session with its unsaved hanchan.

    `beside` has the numbers of the block's hanchan in the session that are not saved either.
    """
    competition = session.competition
    refuse_too_long(TableSession, fixture)
    refuse_odd_stream(fixture.stream_url)
    refuse_below_one(fixture.numbers, "/numbers")
    refuse_strangers(competition, fixture.block, *chain.from_iterable(fixture.seats))
    refuse_beyond_stage(fixture.block, fixture.numbers)
    rules = fixture.rules or rules_at(competition, fixture.starts_at)
    for entrants in fixture.seats:
        refuse_wrong_company(entrants, players=ruleset_of(rules).players)
    table_session = TableSession(
        competition=competition,
        session=session,
        block=fixture.block,
        table=fixture.table,
        starts_at=fixture.starts_at,
        venue=fixture.venue,
        stream_url=fixture.stream_url,
        public_at=fixture.public_at,
        is_released=fixture.public_at is None or fixture.public_at <= timezone.now(),
    )
    hanchan = [
        Hanchan(table_session=table_session, block=fixture.block, round=round_, number=number, rules=rules)
        for round_, number in zip(_rounds(session, fixture, beside), fixture.numbers, strict=True)
    ]
    return table_session, hanchan


def _rounds(session: Session, fixture: Fixture, beside: Collection[int]) -> Sequence[int]:
    """Return the rounds of a table's hanchan; without the block's own numbers they count at the table alone."""
    numbers = fixture.numbers
    if session.competition.kind == Competition.Kind.OPEN or len(set(numbers)) < len(numbers):
        return range(1, len(numbers) + 1)
    others = Hanchan.objects.filter(block=fixture.block, table_session__session=session)
    rounds = round_numbers([*others.values_list("number", flat=True), *beside, *numbers])
    return [rounds[number] for number in numbers]


@all_or_nothing
def seat_players(*, hanchan: Hanchan, entrants: Sequence[Entrant], by: Actor) -> None:
    """Assign the seats of a hanchan that has no result yet; the first entrant is the first dealer."""
    competition = hanchan.block.competition
    require(by, competition, Capability.SUBMIT)
    refuse_strangers(competition, *entrants)
    lock(competition)
    if ResultSheet.objects.counting().filter(hanchan=hanchan).exists():
        raise conflict(
            "hanchan_confirmed",
            _("This hanchan already has a confirmed result; its seats are corrected together with it."),
        )
    refuse_wrong_company(entrants, players=ruleset_of(hanchan.rules).players)
    change = open_change(competition, by)
    before = list(hanchan.seats.order_by("seat").values_list("entrant", flat=True))
    write_seats([(hanchan, entrants)], change, by)
    settle_byes(hanchan.block, change)
    change.record(
        "hanchan.seated",
        hanchan,
        is_public=hanchan.table_session.is_released,
        before={"entrants": before},
        after={"entrants": [entrant.pk for entrant in entrants]},
    )


@all_or_nothing
def hold_back(*, table_session: TableSession, until: dt.datetime | None, by: Actor) -> TableSession:
    """Hide a table from the public until the time `until`; None shows it at once. The same again changes nothing."""
    competition = table_session.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    table_session.refresh_from_db(fields=["public_at", "is_released"])
    before, was_released = table_session.public_at, table_session.is_released
    is_released = until is None or until <= timezone.now()
    if (until, is_released) == (before, was_released):
        return table_session
    change = open_change(competition, by)
    table_session.public_at = until
    table_session.is_released = is_released
    table_session.save(update_fields=["public_at", "is_released"])
    change.record(
        "table_session.held_back",
        table_session,
        # A table that was hidden and stays hidden must not move the public's version, or ETags would reveal it.
        is_public=was_released or table_session.is_released,
        before={"public_at": before and before.isoformat()},
        after={"public_at": until and until.isoformat()},
    )
    return table_session


def refuse_tables_of_closed(block: Block) -> None:
    """Raise ConflictError if the organizer has closed the block: its tables could take no result."""
    if Closing.objects.standing().filter(block=block).exists():
        message = _("%(block)s is closed. Take that back first if another table is to be played.")
        raise conflict("block_closed", message % {"block": block})


def refuse_odd_stream(address: str) -> None:
    """Raise unless the stream's URL is empty or a web address that a browser can open."""
    if address and not is_web_address(address):
        message = _("A stream's address begins with https:// or http:// and has no blanks.")
        raise refuse("stream_no_web_address", message, "/stream_url")


def refuse_wrong_company(entrants: Sequence[Entrant], *, players: int) -> None:
    """Raise unless there are no entrants, or exactly as many different ones as the rules have players."""
    if entrants and (len(entrants) != players or len({entrant.pk for entrant in entrants}) != players):
        raise refuse(
            "wrong_number_of_players",
            _("A table seats %(players)s different players; %(given)s were given.")
            % {"players": players, "given": len({entrant.pk for entrant in entrants})},
            "/entrants",
        )
