"""One game played online becomes the log and the result of a hanchan, as if it had been followed live."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Hanchan,
    HanchanSeat,
    OnlineAccount,
    Paifu,
    ResultSheet,
    TableEvent,
    TableSession,
)
from league.platform.errors import conflict, raise_for, refuse
from league.selectors.access.actors import Actor
from league.selectors.exchange.paifu_matching import How, Match, is_nameless
from league.selectors.exchange.paifu_play import PaifuPlayed, digest_of_hands, play_paifu, without_names
from league.selectors.live.log import EventKind
from league.selectors.live.log import events_of as events_written
from league.selectors.parlour.board import business_day, open_block
from league.selectors.parlour.following import counts_chips
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.access.changes import after_last, open_change
from league.services.exchange.paifu_checks import (
    NOT_OVER,
    OTHER_POINTS,
    findings_of_game,
    refuse_awaited_no_more,
    refuse_known,
    refuse_other_size,
    refuse_unmatched,
    require_importer,
)
from league.services.live.log import refuse_locked, start
from league.services.live.start import opening_of
from league.services.parlour.checks import lock_open_table, refuse_closed_day
from league.services.parlour.sittings import session_of_day
from league.services.results.batches import Incoming
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_incoming
from league.services.results.sheets import lock_hanchan, refuse_closed
from scoring import written_log
from scoring.hanchan import result_of
from scoring.paifu.records import Paifu as Record

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A log with the people who played it, seat by seat from the first dealer."""

    record: Record
    content: Mapping[str, object]
    """The record's JSON as the import keeps it."""
    matches: Sequence[Match]

    @property
    def entrants(self) -> list[int]:
        """Return the ids of the entrants; raise RuleViolationError unless each seat has one of its own."""
        refuse_unmatched(self.matches)
        return [match.seated.entrant.pk for match in self.matches if match.seated]


def import_game(
    *, game: OnlineGame, competition: Competition, hanchan: Hanchan | None, by: Actor, accept: Collection[str] = ()
) -> Paifu:
    """Write the hands of a game into the log of its hanchan and record the result; call it in a transaction.

    1. Lock the competition; refuse people who cannot be told apart, and a game that is known already.
    2. Refuse a hanchan that has a log of its own, or a result; without one an open table adds the game to its day.
    3. Refuse unless the actor may enter results there, or holds the link of a player who sat in the game.
    4. Play every hand by the rules in force: refuse impossible ones, warn of other points than the log has.
    5. Write the start and the hands as events, the record without names, and the result.
    6. Remember the accounts of players that a user has confirmed.
    """
    entrants = game.entrants
    if hanchan is None:
        hanchan = open_hanchan(competition, game.record.played_at, by)
    hanchan = lock_hanchan(hanchan)
    require_importer(hanchan, entrants, by)
    refuse_closed(hanchan.block.competition)
    taken_back = refuse_known(game.record, competition, entrants)
    refuse_locked(hanchan, by)
    refuse_awaited_no_more(hanchan)
    rules = ruleset_of(hanchan.rules, hanchan.options)
    refuse_other_size(game.record, rules)
    played = play_paifu(game.record, rules)
    raise_for(findings_of_game(played), accept)
    row = keep_record(hanchan, game, taken_back, by)
    sequence = write_hands(hanchan, game, played, by)
    state = Hanchan.State.FINISHED if played.state.is_over else Hanchan.State.ENDED_BY_TIME
    accepted = set(accept) - {NOT_OVER, OTHER_POINTS}
    entry = sheet_entry_of(played, game.matches, hanchan)
    one = Incoming(hanchan, entry, accept=accepted, ends_as=state, made_from=sequence)
    sheet = record_incoming(one, by)
    if sheet.state == ResultSheet.State.SUBMITTED:
        Hanchan.objects.filter(pk=hanchan.pk).update(state=state)
    if by.user is not None:
        remember_accounts(game, by)
    return row


def open_hanchan(competition: Competition, played_at: dt.datetime | None, by: Actor) -> Hanchan:
    """Add a hanchan to the day of an open table on which the game was played, without a sitting of the house.

    Raise RuleViolationError for a league, whose schedule has its games.
    """
    if competition.kind != Competition.Kind.OPEN:
        message = _("No hanchan of these players awaits a result. Check the players, or schedule the hanchan first.")
        raise refuse("no_such_hanchan", message, "/hanchan")
    competition = lock_open_table(competition, by)
    at = played_at or timezone.now()
    day = business_day(competition, at)
    refuse_closed_day(competition, day)
    session, block = session_of_day(competition, day), open_block(competition)
    table = TableSession.objects.create(
        competition=competition,
        session=session,
        block=block,
        order=after_last(TableSession.objects.filter(session=session), "order"),
        starts_at=at,
    )
    change = open_change(competition, by)
    hanchan = Hanchan.objects.create(
        table_session=table,
        block=block,
        round=1,
        number=after_last(Hanchan.objects.filter(block=block), "number"),
        rules=rules_at(competition),
    )
    change.record("hanchan.added_online", hanchan, after={"day": day.isoformat()}, is_public=False)
    return hanchan


def keep_record(hanchan: Hanchan, game: OnlineGame, taken_back: Sequence[Paifu], by: Actor) -> Paifu:
    """Store the record of a hanchan without names; earlier ones, whose results were taken back, end."""
    record, change = game.record, open_change(hanchan.block.competition, by)
    digest = digest_of_hands(record)
    # The game counts once: a record of it whose result was taken back ends, also in another hanchan.
    ended = Paifu.objects.standing().filter(Q(hanchan=hanchan) | Q(pk__in=[row.pk for row in taken_back]))
    ended.update(ended_n=change.n)
    row = Paifu.objects.create(
        hanchan=hanchan,
        source=record.source.value,
        game=record.game,
        digest=digest,
        content=without_names(game.content, record.seats),
        imported_by=by.user,
        link=by.link,
        made_n=change.n,
    )
    after = {"source": row.source, "game": row.game, "digest": digest, "hands": len(record.hands)}
    change.record("paifu.imported", hanchan, after=after, is_public=False)
    return row


def sheet_entry_of(played: PaifuPlayed, matches: Sequence[Match], hanchan: Hanchan) -> SheetEntry:
    """Return the result of a game as a sheet entry, with the people as they sat."""
    result = result_of(played.state, played.rules)
    chonbo = result.chonbo or (0,) * len(result.scores)
    people = [match.seated for match in matches if match.seated]
    return SheetEntry(
        seats=tuple(
            SeatEntry(seated.entrant.pk, seated.player.pk, score, offences)
            for seated, score, offences in zip(people, result.scores, chonbo, strict=True)
        ),
        kyoutaku=result.kyoutaku,
        options=hanchan.options,
        carried=result.carried if counts_chips(hanchan) else {},
        tobi=result.tobi,
        forced_top=result.forced_top,
    )


def write_hands(hanchan: Hanchan, game: OnlineGame, played: PaifuPlayed, by: Actor) -> int:
    """Write the game into the log of the locked hanchan, and return the number of its newest event.

    A log of an earlier import whose result was taken back goes on: its entries are undone first. Raise ConflictError
    for a log that was kept at the table.
    """
    rows = events_written(hanchan)
    entrants = game.entrants
    events: list[tuple[EventKind, Mapping[str, object]]] = []
    if rows:
        refuse_own_log(hanchan, rows, entrants)
        events.append((EventKind.UNDO, {"to": 0}))
    else:
        events.append((EventKind.START, {"seats": entrants, "options": {}}))
    events += [(EventKind.ENTRY, {"entry": written_log.write_entry(entry)}) for entry in played.entries]
    newest = rows[-1].sequence if rows else 0
    TableEvent.objects.bulk_create(
        TableEvent(
            hanchan=hanchan,
            sequence=sequence,
            client_id=f"paifu-{sequence}",
            kind=kind,
            payload=dict(payload),
            entered_by=by.user,
            link=by.link,
        )
        for sequence, (kind, payload) in enumerate(events, start=newest + 1)
    )
    if not rows:
        members = {str(m.seated.entrant.pk): m.seated.player.pk for m in game.matches if m.seated}
        start(hanchan, opening_of(hanchan, entrants, "/seats", members), hanchan.options, by)
    return newest + len(events)


def refuse_own_log(hanchan: Hanchan, rows: Sequence[TableEvent], entrants: Sequence[int]) -> None:
    """Raise ConflictError unless the log was imported and its result taken back, with the same seats."""
    seats = list(HanchanSeat.objects.filter(hanchan=hanchan).order_by("seat").values_list("entrant", flat=True))
    if not rows[0].client_id.startswith("paifu-") or seats != list(entrants):
        message = _("%(hanchan)s has a log already. A game can only be imported where there is none.")
        raise conflict("has_a_log", message % {"hanchan": hanchan})


def remember_accounts(game: OnlineGame, by: Actor) -> None:
    """Remember ids and names of the players' accounts; what is known of them already stays as it is."""
    names = [match.online.name for match in game.matches]
    rows = [
        OnlineAccount(
            player=match.seated.player, service=game.record.source.value, kind=kind, text=text, made_by=by.user
        )
        for match in game.matches
        if match.seated and match.how is not How.ACCOUNT
        for kind, text in texts_of(match, names)
    ]
    if rows:
        OnlineAccount.objects.bulk_create(rows, ignore_conflicts=True)


def texts_of(match: Match, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return what is remembered of a player's account: its id, and a name that was chosen and stands for one player."""
    found: list[tuple[str, str]] = []
    name, account = match.online.name.strip(), match.online.account
    if account and len(account) <= LONGEST_NAME:
        found.append((OnlineAccount.Kind.ACCOUNT, account))
    if (
        match.how is How.CHOSEN
        and not is_nameless(name)
        and names.count(match.online.name) == 1
        and len(name) <= LONGEST_NAME
    ):
        found.append((OnlineAccount.Kind.NAME, name))
    return found
