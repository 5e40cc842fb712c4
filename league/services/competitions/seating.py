"""Schedules as a whole: write and take back; and seats: draw before a hanchan, swap by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.models import (
    Block,
    Competition,
    Credit,
    Entrant,
    Hanchan,
    HanchanSeat,
    ResultSheet,
    RulesInForce,
    Session,
    SlipPhoto,
    TableEvent,
    TableLink,
    TableSession,
)
from league.platform.errors import Finding, RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.block_rounds import paired_later
from league.selectors.competitions.courses import PlannedSession
from league.selectors.competitions.seating.evenness import exchange_effect
from league.selectors.competitions.seating.plans import (
    SchedulePlan,
    Wishes,
    planned_schedule,
)
from league.selectors.rulebooks.rules_in_force import every_rules, format_of, latest, rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play, entrants_who_may_sit
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.byes import settle_byes
from league.services.competitions.seats import is_any_known, write_seats
from league.services.competitions.wizard import refuse_bad_seed, refuse_odd_rhythm
from scoring.format import Seating
from scoring.seating import Constraints, in_order_of_lots, rotate_seats, seating

Groups = Mapping[tuple[Block, int], Sequence[Hanchan]]
"""Hanchan by block and number, in playing order."""
Seats = Mapping[Hanchan, Sequence[Entrant]]
"""The entrants of each hanchan in the order of their seats."""


@all_or_nothing
def write_schedule(*, competition: Competition, wishes: Wishes, digest: str, by: Actor) -> list[Session]:
    """Write the schedule that the user has previewed: sessions, tables, hanchan, seats.

    1. Compute the plan again under the lock; refuse wishes that cannot be scheduled.
    2. Refuse if its digest differs from the previewed one: roster, blocks or tables have changed since.
    3. Write it; the log keeps seed, form and digest, from which it can be computed again.
    """
    require(by, competition, Capability.MANAGE)
    refuse_bad_seed(wishes.seed)
    refuse_odd_rhythm(wishes.calendar)
    lock(competition)
    # A pure function of the competition and the wishes: under the lock the same digest means the same schedule.
    plan = planned_schedule(competition, wishes)
    if plan.faults:
        raise RuleViolationError(*(Finding("cannot_be_scheduled", fault) for fault in plan.faults))
    if not plan.sessions:
        raise conflict("nothing_to_schedule", _("Every block has its tables already. Take the schedule back first."))
    if plan.digest != digest:
        message = _("The schedule is not the one you looked at: players, blocks or tables have changed. Look again.")
        raise conflict("other_schedule", message)
    return _write(competition, plan, wishes, by)


def _write(competition: Competition, plan: SchedulePlan, wishes: Wishes, by: Actor) -> list[Session]:
    change = open_change(competition, by)
    rules = every_rules(competition)
    sessions = [_write_session(competition, planned, wishes, rules) for planned in plan.sessions]
    for block in dict.fromkeys(table.block for planned in plan.sessions for table in planned.tables):
        settle_byes(block, change)
    change.record(
        "schedule.written",
        competition,
        after={
            "seed": wishes.seed,
            "seating": wishes.seating and wishes.seating.value,
            "tables_at_once": wishes.tables,
            "keeps_clubs_apart": wishes.keeps_clubs_apart,
            "keeps_countries_apart": wishes.keeps_countries_apart,
            "fewer_tables": wishes.fewer_tables,
            "digest": plan.digest,
            "sessions": [session.pk for session in sessions],
            "tables": sum(len(planned.tables) for planned in plan.sessions),
        },
    )
    return sessions


def _write_session(
    competition: Competition, planned: PlannedSession, wishes: Wishes, rules: Sequence[RulesInForce]
) -> Session:
    session = Session.objects.create(
        competition=competition, number=planned.number, name=planned.name, name_en=planned.name_en
    )
    tables = TableSession.objects.bulk_create(
        TableSession(
            competition=competition,
            session=session,
            block=table.block,
            order=order,
            table=_("Table %(number)s") % {"number": table.table},
            starts_at=table.starts_at,
            venue=wishes.calendar.venue,
        )
        for order, table in enumerate(planned.tables, start=1)
    )
    hanchan = Hanchan.objects.bulk_create(
        Hanchan(table_session=row, block=table.block, round=round_, number=number, rules=latest(rules, table.starts_at))
        for row, table in zip(tables, planned.tables, strict=True)
        for round_, number in zip(table.rounds, table.numbers, strict=True)
    )
    HanchanSeat.objects.bulk_create(
        HanchanSeat(hanchan=game, seat=seat, entrant=entrant, player=entrant.player)
        for game, seats in zip(hanchan, (seats for table in planned.tables for seats in table.seats), strict=True)
        for seat, entrant in enumerate(seats)
    )
    return session


@all_or_nothing
def take_back_schedule(*, competition: Competition, by: Actor) -> int:
    """Delete every session and table of a draft in which nothing has been played; return the number of tables.

    The log keeps the schedule's seed, from which it can be computed again.
    """
    require(by, competition, Capability.MANAGE)
    lock(competition)
    competition.refresh_from_db(fields=["status"])
    if competition.status != Competition.Status.DRAFT:
        message = _("Only a draft's schedule can be taken back. Make “%(name)s” a draft again first.")
        raise conflict("not_a_draft", message % {"name": competition})
    tables = TableSession.objects.filter(competition=competition)
    _refuse_played(tables)
    there = list(tables.values_list("pk", flat=True))
    if not there:
        raise conflict("nothing_scheduled", _("There is no schedule to take back."))
    sessions = list(Session.objects.filter(competition=competition).values_list("pk", flat=True))
    change = open_change(competition, by)
    Hanchan.objects.filter(table_session__in=there).delete()
    tables.delete()
    Session.objects.filter(pk__in=sessions).delete()
    byes = Credit.objects.standing().filter(block__competition=competition, kind=Credit.Kind.BYE)
    byes.update(ended_n=change.n)
    change.record(
        "schedule.taken_back", competition, is_public=False, before={"sessions": sessions, "tables": len(there)}
    )
    return len(there)


def _refuse_played(tables: Iterable[TableSession]) -> None:
    """Raise ConflictError if results, logs, photos or links of these tables exist."""
    at_table = {"hanchan__table_session__in": tables}
    used = (
        ResultSheet.objects.filter(**at_table).exists()
        or TableEvent.objects.filter(**at_table).exists()
        or SlipPhoto.objects.filter(**at_table).exists()
        or TableLink.objects.filter(table_session__in=tables).exists()
    )
    if used:
        message = _("Results, logs or links of a table exist already. Change single tables instead.")
        raise conflict("schedule_in_use", message)


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatDraw:
    """Parameters of a seat draw: the seed, the next hanchan or all, and redrawing of seats that are set.

    With `rotates` the seats of the first hanchan are drawn and rotate from there on.
    """

    seed: str
    is_for_all: bool = False
    rotates: bool = False
    redraws: bool = False


@all_or_nothing
def draw_seats(*, session: Session, draw: SeatDraw, by: Actor) -> list[Hanchan]:
    """Draw the seats (場決め) at the session's tables, repeatably; return the hanchan that were drawn.

    Each entrant's lot is the SHA-256 of the seed, the block's key, the hanchan's number and the entrant's number,
    with colons between them. In the order of their lots players fill the tables, the first dealer's seat first.
    Players already assigned to one table stay together; then lots decide about the seats alone. Where tables change
    every round, the lots of the first round drawn are the players' places in a schedule in which as few as possible
    meet again, earlier rounds included.
    """
    competition = session.competition
    require(by, competition, Capability.SUBMIT)
    refuse_bad_seed(draw.seed)
    lock(competition)
    groups = _drawable(session, draw)
    if not groups:
        message = _("No seats are to be drawn here: all are set, have results, or it is open who plays.")
        raise conflict("nothing_to_draw", message)
    change = open_change(competition, by)
    games: list[tuple[Hanchan, Sequence[Entrant]]] = []
    evenly = _evenly(groups, draw)
    for (block, number), tables in groups.items():
        # The lots of a hanchan follow from the seats of those before it.
        lots = list((evenly.get((block, number)) or _lots(block, number, tables, draw)).items())
        write_seats(lots, change, by)
        games += lots
    for block in dict.fromkeys(block for block, _number in groups):
        settle_byes(block, change)
    drawn = [hanchan for hanchan, _entrants in games]
    change.record(
        "seats.drawn",
        session,
        is_public=is_any_known(drawn),
        after={
            "seed": draw.seed.strip(),
            "rotates": draw.rotates,
            "seats": {str(hanchan.pk): [entrant.pk for entrant in entrants] for hanchan, entrants in games},
        },
    )
    return drawn


def _drawable(session: Session, draw: SeatDraw) -> Groups:
    """Return the hanchan to draw, by block and number, in playing order: a block's next number only, or all.

    Rounds that are paired have a draw of their own.
    """
    free = ~Q(pk__in=ResultSheet.objects.filter(hanchan__table_session__session=session).values("hanchan"))
    free &= ~Q(pk__in=TableEvent.objects.filter(hanchan__table_session__session=session).values("hanchan"))
    open_ones = Hanchan.objects.filter(
        free, table_session__session=session, table_session__is_cancelled=False, state=Hanchan.State.SCHEDULED
    )
    if not draw.redraws:
        open_ones = open_ones.filter(seats=None)
    rows = open_ones.select_related("table_session", "block__competition", "rules__ruleset").order_by(
        "block__stage__order", "block__order", "number", "table_session__order"
    )
    groups: dict[tuple[Block, int], list[Hanchan]] = defaultdict(list)
    for hanchan in rows:
        groups[hanchan.block, hanchan.number].append(hanchan)
    firsts: dict[Block, int] = {}
    for block, number in groups:
        firsts.setdefault(block, number)
    paired = {block: paired_later(block) for block in firsts}
    return {
        key: games
        for key, games in groups.items()
        if key[1] not in paired[key[0]] and (draw.is_for_all or key[1] == firsts[key[0]]) and _company_of(key[0], games)
    }


def _company_of(block: Block, games: Sequence[Hanchan]) -> list[list[Entrant]]:
    """Return the entrants at each table, by number; empty while it is unknown which entrants play.

    Those seated stay together only while all of them play in the block: a correction of the stage before may have
    changed who does. Then those stay together who did so in the round before. Else those are drawn who do not sit at
    another table of the round.
    """
    size, elsewhere = ruleset_of(games[0].rules).players, _seated_elsewhere(block, games)
    may_sit = entrants_who_may_sit(block) - elsewhere
    for rounds_ago in (0, 1):
        seated = [_together(hanchan, hanchan.round - rounds_ago) for hanchan in games]
        people = {entrant.pk for company in seated for entrant in company}
        if all(len(company) == size for company in seated) and len(people & may_sit) == size * len(games):
            return seated
    free = Entrant.objects.filter(pk__in=entrants_who_may_play(block) - elsewhere)
    players = list(free.select_related("player").order_by("number"))
    return [players] if len(players) == size * len(games) else []


def _seated_elsewhere(block: Block, games: Sequence[Hanchan]) -> frozenset[int]:
    """Return the ids of the entrants who sit at the other tables of the round."""
    rows = _seats_in(block).filter(hanchan__number=games[0].number).exclude(hanchan__in=[game.pk for game in games])
    return frozenset(rows.values_list("entrant", flat=True))


def _seats_in(block: Block) -> QuerySet[HanchanSeat]:
    """Return the seats of a block's hanchan that are not cancelled or abandoned."""
    rows = HanchanSeat.objects.filter(hanchan__block=block, hanchan__table_session__is_cancelled=False)
    return rows.exclude(hanchan__state=Hanchan.State.ABANDONED)


def _together(hanchan: Hanchan, until: int) -> list[Entrant]:
    """Return the entrants at the hanchan's table in the latest round that has seats, up to a round."""
    seats = HanchanSeat.objects.filter(hanchan__table_session=hanchan.table_session_id, hanchan__round__lte=until)
    latest = seats.order_by("-hanchan__round").values_list("hanchan", flat=True).first()
    rows = HanchanSeat.objects.filter(hanchan=latest) if latest else HanchanSeat.objects.none()
    return [seat.entrant for seat in rows.select_related("entrant__player").order_by("entrant__number")]


def _evenly(groups: Groups, draw: SeatDraw) -> Mapping[tuple[Block, int], Seats]:
    """Return the seats of the rounds that a schedule decides; those of all other rounds are left to lots."""
    blocks: defaultdict[Block, dict[int, Sequence[Hanchan]]] = defaultdict(dict)
    for (block, number), games in groups.items():
        blocks[block][number] = games
    return {
        (block, number): seats
        for block, rounds in blocks.items()
        for number, seats in _even_rounds(block, rounds, draw).items()
    }


def _even_rounds(block: Block, rounds: Mapping[int, Sequence[Hanchan]], draw: SeatDraw) -> Mapping[int, Seats]:
    """Return the seats of a block's rounds by number, with as few as possible meeting again; empty if lots decide.

    Lots decide in a stage whose players stay at their tables, in a first round alone, and in a round of which other
    tables are set or have results.
    """
    whole = {number: games for number, games in rounds.items() if not _seated_elsewhere(block, games)}
    stage = format_of(rules_at(block.competition)).stage(block.stage.key)
    if not whole or stage.seating is not Seating.ROUNDS:
        return {}
    first, games = next(iter(whole.items()))
    drawn = {number: each for number, each in whole.items() if len(each) == len(games)}
    played = _rounds_besides(block, [game for each in rounds.values() for game in each])
    if len(games) == 1 or len(drawn) + len(played) == 1:
        return {}
    companies = _company_of(block, games)
    if len(companies) > 1:
        return {}
    people = _in_order_of_lots(companies[0], block, first, draw)
    place = {entrant.pk: one for one, entrant in enumerate(people)}
    before = tuple(tuple(tuple(place[one] for one in table if one in place) for table in each) for each in played)
    size = ruleset_of(games[0].rules).players
    schedule = seating(len(people), len(drawn), size=size, constraints=Constraints(played=before))
    return {
        number: {game: [people[one] for one in table] for game, table in zip(each, tables, strict=True)}
        for (number, each), tables in zip(drawn.items(), schedule, strict=True)
    }


def _rounds_besides(block: Block, drawn: Sequence[Hanchan]) -> list[list[tuple[int, ...]]]:
    """Return the seated rounds of a block without the hanchan to be drawn: the ids of the entrants at each table."""
    rows = _seats_in(block).exclude(hanchan__in=[game.pk for game in drawn])
    rounds: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    ordered = rows.order_by("hanchan__number", "hanchan__table_session__order", "seat")
    for number, hanchan, entrant in ordered.values_list("hanchan__number", "hanchan", "entrant"):
        rounds[number][hanchan].append(entrant)
    return [[tuple(table) for table in tables.values()] for tables in rounds.values()]


def _lots(block: Block, number: int, games: Sequence[Hanchan], draw: SeatDraw) -> Seats:
    """Return the seats of these hanchan in the order of lots."""
    size = ruleset_of(games[0].rules).players
    if draw.rotates and (turned := _turned(games, size)):
        return turned
    people = [one for company in _company_of(block, games) for one in _in_order_of_lots(company, block, number, draw)]
    return {hanchan: people[place * size : (place + 1) * size] for place, hanchan in enumerate(games)}


def _in_order_of_lots(company: Iterable[Entrant], block: Block, number: int, draw: SeatDraw) -> list[Entrant]:
    by_number = {entrant.number: entrant for entrant in company}
    return [by_number[one] for one in in_order_of_lots(by_number, f"{draw.seed.strip()}:{block.key}:{number}")]


def _turned(games: Sequence[Hanchan], size: int) -> dict[Hanchan, list[Entrant]]:
    """Return the seats of the tables' first hanchan, rotated; empty unless players of the block sit there."""
    turned, may_sit = {}, entrants_who_may_sit(games[0].block)
    for hanchan in games:
        until = _hanchan_until(hanchan, is_alone=len(games) == 1)
        first = HanchanSeat.objects.filter(hanchan=until[0])
        seats = [seat.entrant for seat in first.select_related("entrant__player").order_by("seat")]
        if len(until) == 1 or len(seats) != size or not may_sit.issuperset(one.pk for one in seats):
            return {}
        order = rotate_seats(size, len(until))[-1]
        turned[hanchan] = [seats[place] for place in order]
    return turned


def _hanchan_until(hanchan: Hanchan, *, is_alone: bool) -> list[Hanchan]:
    """Return the hanchan of a table up to this one; alone in its rounds, its block's hanchan of the session.

    Fixtures are a table for each hanchan, also where the same four play on.
    """
    if not is_alone:
        table = Hanchan.objects.filter(table_session=hanchan.table_session_id, round__lte=hanchan.round)
        return list(table.order_by("round"))
    evening = Hanchan.objects.filter(block=hanchan.block_id, table_session__session=hanchan.table_session.session_id)
    evening = evening.filter(number__lte=hanchan.number, table_session__is_cancelled=False)
    return list(evening.order_by("number"))


@all_or_nothing
def swap_players(*, block: Block, numbers: Sequence[int], one: Entrant, other: Entrant, by: Actor) -> list[Hanchan]:
    """Swap two entrants in the hanchan with these numbers; return the hanchan that changed.

    1. Refuse what `swappable_seats` refuses.
    2. Swap the places; two players at one table swap their seats.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    games, seats = swappable_seats(block=block, numbers=numbers, one=one, other=other)
    change = open_change(competition, by)
    before, after = exchanged_costs(block, numbers, one, other)
    swapped = {one.pk: other, other.pk: one}
    write_seats(
        [
            (game, [swapped.get(seat.entrant_id, seat.entrant) for seat in seats if seat.hanchan_id == game.pk])
            for game in games
        ],
        change,
        by,
    )
    change.record(
        "players.swapped",
        block,
        is_public=is_any_known(games),
        before={"unevenness": before},
        after={"numbers": list(numbers), "entrants": [one.pk, other.pk], "unevenness": after},
    )
    return games


def exchanged_costs(block: Block, numbers: Sequence[int], one: Entrant, other: Entrant) -> tuple[int, int]:
    """Return the sum of squared meetings, before and after the swap."""
    found = exchange_effect(block, numbers, one, other)
    return (found.before.figures.squares, found.after.figures.squares) if found else (0, 0)


def swappable_seats(
    *, block: Block, numbers: Sequence[int], one: Entrant, other: Entrant
) -> tuple[list[Hanchan], list[HanchanSeat]]:
    """Return the hanchan in which the two sit, and all seats of the hanchan with these numbers.

    Refuse the same player twice, a player without a seat there, and hanchan that have begun.
    """
    if one == other:
        raise refuse("same_player", _("Choose two different players."), "/other")
    seats = list(
        HanchanSeat.objects.filter(
            hanchan__block=block, hanchan__number__in=numbers, hanchan__table_session__is_cancelled=False
        )
        .select_related("hanchan__table_session", "entrant")
        .order_by("hanchan__number", "seat")
    )
    mine = {seat.hanchan.number: seat for seat in seats if seat.entrant_id == one.pk}
    theirs = {seat.hanchan.number: seat for seat in seats if seat.entrant_id == other.pk}
    for number in numbers:
        for who, own in ((one, mine), (other, theirs)):
            if number not in own:
                message = _("%(name)s is not seated in hanchan %(number)s.") % {"name": who, "number": number}
                raise refuse("not_seated", message, "/one" if who is one else "/other")
    games = list(dict.fromkeys(seat.hanchan for own in (mine, theirs) for seat in own.values()))
    _refuse_begun(games)
    return games, seats


def _refuse_begun(games: Sequence[Hanchan]) -> None:
    """Raise ConflictError if any of these hanchan has begun or has a result: its seats are history."""
    begun = Hanchan.objects.filter(pk__in=[game.pk for game in games]).filter(
        ~Q(state=Hanchan.State.SCHEDULED) | Q(sheets__isnull=False) | Q(events__isnull=False)
    )
    if found := begun.order_by("number").first():
        message = _("Hanchan %(number)s has begun, or has a result; its seats stay.") % {"number": found.round}
        raise conflict("hanchan_begun", message, "/numbers")
