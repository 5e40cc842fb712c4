"""State machine of a parlour's night: any step in any order; seats, day sheets and tallies stay consistent."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from league.models import (
    Audience,
    Competition,
    DayClose,
    Door,
    Entrant,
    Hanchan,
    Player,
    ResultSheet,
    SeatResult,
    Session,
    Sitting,
    SittingSeat,
    Tally,
    WaitingGuest,
)
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import Running, open_sittings, running
from league.selectors.parlour.days import day_sheet
from league.selectors.parlour.following import submitted_sheet
from league.services.competitions.setup import set_status
from league.services.live.links import code_link
from league.services.live.results import submit_log
from league.services.parlour.chairs import move_guest, swap_guests
from league.services.parlour.chips import record_sitting_amounts
from league.services.parlour.days import close_day, reopen_day
from league.services.parlour.following import abandon_followed_game, confirm_followed_game, start_followed_game
from league.services.parlour.games import (
    GameEntry,
    Person,
    correct_last_game,
    preview_game,
    record_game,
    take_back_last_game,
)
from league.services.parlour.people import (
    GuestChoice,
    add_guest,
    add_waiting,
    choose_guest,
    drop_waiting,
    enter_guest,
    merge_players,
    seat_waiting,
)
from league.services.parlour.sittings import (
    Guest,
    SittingPlan,
    close_sitting,
    join,
    leave,
    mark_last_game,
    open_sitting,
    reopen_sitting,
    set_house,
    set_stand_in,
)
from league.services.results.corrections import revert_result
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import void_hanchan
from tests.factories import SYSTEM
from tests.fuzz.examples import ODD_TEXTS
from tests.fuzz.machine import HUGE, Machine, picks, reasons, try_anything, with_people
from tests.league import parlours
from tests.league.parlours import house

pytestmark = pytest.mark.django_db

LEDGERS = {"banchi3": "g", "superbingo": "chips"}
ALL = ("extreme_score", "same_result_twice", "unusual_score", "chips_not_counted", "seats_other_people")
tables = st.sampled_from(("1", "1", "2", "3", *ODD_TEXTS, "\ud800"))
days_off = st.sampled_from((0, 0, 0, 1, -1, -40, 400, 10**6))
amounts = st.sampled_from((0, 0, 0, 1, 100, 500, -500, *HUGE))
games = st.sampled_from(
    ((62000, 33000, 10000), (45000, 30000, 15000), (35000, 35000, 35000), (30000, 30000, 30000), (105000, 0, 0),
     (120000, -5000, -10000), (1, 2, 3), (), (25000,) * 5, (2**31, -(2**31), 105000), (10**30, -(10**30), 90000))
)  # fmt: skip


@pytest.fixture(scope="module", params=LEDGERS)
def parlour(request: Any, django_db_setup: None, django_db_blocker: Any) -> Iterator[Competition]:
    """Return an open table with guests, one running sitting and a waiting guest; rolled back afterwards."""
    with django_db_blocker.unblock(), transaction.atomic():
        competition = parlours.parlour(request.param, audience=Audience.PUBLIC)
        people = parlours.guests(competition, 5)
        parlours.play(parlours.sitting(competition, people[:3]))
        add_waiting(competition=competition, player=people[3].player, by=SYSTEM)
        with_people(competition)
        yield competition
        transaction.set_rollback(True)


def test_a_parlour_stays_consistent_whatever_steps_are_taken(parlour: Competition) -> None:
    try_anything(Night, parlour)


class Night(Machine):
    """Rules for every action at the counter; each step is accepted or refused."""

    def sitting(self, number: int) -> Sitting:
        """Return a sitting, in most cases a running one."""
        rows = Sitting.objects.filter(table_session__competition=self.competition_id)
        found: Sitting | None = self.one(rows.filter(closed_at=None), number) if number % 4 else None
        return self.one(rows, number) if found is None else found

    def guest(self, number: int) -> Entrant:
        """Return a guest."""
        found: Entrant = self.one(Entrant.objects.filter(competition=self.competition_id), number)
        return found

    def chair(self, number: int) -> SittingSeat:
        """Return a chair, in most cases an occupied one."""
        rows = SittingSeat.objects.filter(sitting__table_session__competition=self.competition_id)
        found: SittingSeat | None = self.one(rows.filter(left_at=None), number) if number % 4 else None
        return self.one(rows, number) if found is None else found

    def person(self, number: int) -> Player:
        """Return a player of the house."""
        found: Player = self.one(Player.objects.all(), number)
        return found

    def day(self, number: int, off: int) -> Any:
        """Return a business day, or one some days off."""
        played = Session.objects.filter(competition=self.competition_id).exclude(day=None).order_by("pk")
        return _later(self.one(played, number).day, off)

    @rule(who=picks, table=tables, first=picks, many=st.integers(0, 4), dealer=st.sampled_from((0, 0, 1, 2, -1, *HUGE)),
          kind=st.sampled_from(list(Sitting.Kind)), chips=st.sampled_from(list(Sitting.Chips)), off=days_off,
          yen=st.sampled_from((0, 1500, -1, *HUGE)),
          options=st.sampled_from(({}, {}, {"dx": True}, {"dx": 7}, {"\0": 1}, {"x": [[]]},
                                   {"chip_tiles": {"p": 10**30}})))  # fmt: skip
    def open(  # noqa: PLR0913, PLR0917 - a table has many parts
        self, who: int, table: str, first: int, many: int, dealer: int, kind: Sitting.Kind, chips: Sitting.Chips,
        off: int, yen: int, options: dict[str, Any],
    ) -> None:  # fmt: skip
        """Open a table."""
        sitting_now = SittingSeat.objects.filter(left_at=None).values("entrant")
        free = Entrant.objects.filter(competition=self.competition_id, merged_into=None).exclude(pk__in=sitting_now)
        people = [self.one(free, first + place) or self.guest(first) for place in range(many)]
        people = people if first % 5 else [self.guest(first + place) for place in range(many)]
        plan = SittingPlan(
            table=table,
            people=[Guest(entrant=one, is_house=first % 7 == place) for place, one in enumerate(people)],
            first_dealer=dealer,
            kind=kind,
            chips=chips,
            options=options,
            yen_per_hour=yen,
            at=_later(timezone.now(), off) if off else None,
        )
        self.attempt(lambda: open_sitting(competition=self.competition, plan=plan, by=self.actor(who)))

    @rule(which=picks, who=picks)
    def play(self, which: int, who: int) -> None:
        """Fill the empty chairs and play a correct game."""
        table = running(self.sitting(which))
        for place in table.empty_chairs:
            self.attempt(
                lambda place=place: join(  # type: ignore[misc]
                    sitting=table.sitting, seat=place, guest=Guest(entrant=self.guest(which + place)), by=SYSTEM
                )
            )
        self.attempt(lambda: parlours.play(table.sitting, by=self.actor(who), accept=ALL))

    @rule(which=picks, who=picks, scores=games, dealer=st.sampled_from((None, 0, 1, 2, 3, -1, *HUGE)),
          kyoutaku=st.sampled_from((0, 0, 1, -1, *HUGE)), amount=amounts, chonbo=st.sampled_from((0, 0, 1, -1, *HUGE)),
          tobi=st.sampled_from(((), (), ((2, 0),), ((0, 0),), ((9, -1),), ((10**30, 0),))),
          top=st.sampled_from((None, None, 0, 7, *HUGE)), expected=st.sampled_from((None, 1, 2, *HUGE)), off=days_off,
          options=st.sampled_from(({}, {}, {"\0": "\0"}, {"dx": True})))  # fmt: skip
    def enter(  # noqa: PLR0913, PLR0917 - a game has many parts
        self, which: int, who: int, scores: tuple[int, ...], dealer: int | None, kyoutaku: int, amount: int,
        chonbo: int, tobi: tuple[tuple[int, int], ...], top: int | None, expected: int | None, off: int,
        options: dict[str, Any],
    ) -> None:  # fmt: skip
        """Record a game, correct or not."""
        sitting = self.sitting(which)
        now = timezone.now()
        game = GameEntry(
            scores=scores,
            first_dealer=dealer,
            kyoutaku=kyoutaku,
            chonbo=(0, chonbo),
            carried={self.ledger: (amount, -amount, 0)} if amount else {},
            tobi=tobi,
            forced_top=top,
            options=options,
            entrants=() if which % 3 else tuple(range(which % 5)),
        )
        self.attempt(
            lambda: record_game(
                sitting=sitting,
                game=game,
                by=self.actor(who),
                accept=ALL,
                expected_round=expected,
                day=self.day(which, off) if which % 2 else None,
                at=_later(now, off) if off else None,
            )
        )
        people = [Person(10**30, -1)] * 5
        self.attempt(lambda: preview_game(table=running(sitting), entry=game.sheet(people)))

    @property
    def ledger(self) -> str:
        """Return the ledger of the chips."""
        return LEDGERS[self.competition.slug]

    @rule(which=picks, who=picks, scores=games, amount=amounts, reason=reasons, deed=st.integers(0, 3),
          corrects=st.sampled_from((1, 1, 2, None, *HUGE)))  # fmt: skip
    def mend(
        self, which: int, who: int, scores: tuple[int, ...], amount: int, reason: str, deed: int, corrects: Any
    ) -> None:
        """Correct, take back, void or revert a game."""
        sitting, by = self.sitting(which), self.actor(who)
        games = Hanchan.objects.filter(table_session__competition=self.competition_id)
        last = running(sitting).last
        sheet = last.sheet if last else None
        seats = () if sheet is None else tuple(
            SeatEntry(row.entrant_id, row.player_id, score)
            for row, score in zip(sheet.seats.order_by("seat"), scores, strict=False)
        )  # fmt: skip
        carried = {self.ledger: (amount, -amount, 0)} if amount else {}
        entry = SheetEntry(seats=seats, are_seats_known=which % 3 > 0, carried=carried)
        deeds: tuple[Callable[[], object], ...] = (
            lambda: correct_last_game(
                sitting=sitting, entry=entry, corrects=corrects, by=by, reason=reason, accept=ALL,
            ),
            lambda: take_back_last_game(sitting=sitting, by=by, reason=reason),
            lambda: void_hanchan(hanchan=self.one(games, which), by=by, reason=reason, accept=ALL),
            lambda: revert_result(
                hanchan=self.one(games, which), revision=1, corrects=corrects, by=by, reason=reason, accept=ALL
            ),
        )  # fmt: skip
        if games.exists():
            self.attempt(deeds[deed])

    @rule(which=picks, who=picks, deed=st.integers(0, 3), dealer=st.sampled_from((0, 1, 2, -1, *HUGE)), reason=reasons)
    def follow(self, which: int, who: int, deed: int, dealer: int, reason: str) -> None:
        """Start a game hand by hand, hand it in as guests do, confirm it, or abandon it."""
        table, by = running(self.sitting(which)), self.actor(who)
        if deed == 0 or table.followed is None:
            self.attempt(lambda: start_followed_game(sitting=table.sitting, first_dealer=dealer, by=by))
        elif deed == 1:
            hanchan, guest = table.followed, Actor(None, Door.TABLE, link=code_link(table.followed.table_session, by))
            self.attempt(lambda: submit_log(hanchan=hanchan, sequence=1, by=guest, accept=ALL, ended_by_time=True))
        elif deed == 2 and (sheet := submitted_sheet(table.followed)) is not None:
            self.attempt(lambda: confirm_followed_game(sheet=sheet, by=by, accept=ALL))
        else:
            self.attempt(lambda: abandon_followed_game(sitting=table.sitting, by=by, reason=reason))

    @rule(which=picks, who=picks, one=amounts, other=amounts, known=st.booleans())
    def count_chips(self, which: int, who: int, one: int, other: int, known: bool) -> None:
        """Record the chips of a whole sitting."""
        sitting = self.sitting(which)
        ids = list(SittingSeat.objects.filter(sitting=sitting).values_list("entrant", flat=True)) or [10**30]
        given = {ids[0]: one, ids[-1]: other} if known else {ids[0]: one, 10**30: -one}
        balanced = given if which % 2 else {ids[0]: one, ids[-1]: -one}
        self.attempt(
            lambda: record_sitting_amounts(
                sitting=sitting, ledger=self.ledger if which % 5 else "\0", amounts=balanced, by=self.actor(who)
            )
        )

    @rule(which=picks, who=picks, one=picks, place=st.sampled_from((0, 1, 2, 3, -1, *HUGE)), deed=st.integers(0, 6),
          off=days_off)  # fmt: skip
    def sit(self, which: int, who: int, one: int, place: int, deed: int, off: int) -> None:
        """Join, leave, mark the last game, set a stand-in or a house player, or change chairs."""
        seat, by = self.chair(which), self.actor(who)
        at = _later(timezone.now(), off) if off else None
        stands_in = None if one % 3 == 0 else self.person(one)
        guest = Guest(entrant=self.guest(one), stand_in=stands_in)
        deeds: tuple[Callable[[], object], ...] = (
            lambda: join(sitting=self.sitting(which), seat=place, guest=guest, by=by, at=at),
            lambda: leave(seat=seat, by=by, at=at),
            lambda: mark_last_game(seat=seat, by=by, is_last=one % 2 == 0),
            lambda: set_stand_in(seat=seat, player=stands_in, by=by, stays=one % 2 == 0),
            lambda: set_house(seat=seat, by=by, is_house=one % 2 == 0),
            lambda: move_guest(seat=seat, sitting=self.sitting(one), chair=place, by=by, at=at),
            lambda: swap_guests(one=seat, other=self.chair(one), by=by, at=at),
        )
        self.attempt(deeds[deed])

    @rule(which=picks, who=picks, off=days_off, accepts=st.booleans())
    def close(self, which: int, who: int, off: int, accepts: bool) -> None:
        """Close a table."""
        at = _later(timezone.now(), off) if off else None
        self.attempt(
            lambda: close_sitting(sitting=self.sitting(which), by=self.actor(who), at=at, accept=ALL if accepts else ())
        )

    @rule(which=picks, who=picks)
    def open_again(self, which: int, who: int) -> None:
        """Reopen a closed table."""
        self.attempt(lambda: reopen_sitting(sitting=self.sitting(4 * which), by=self.actor(who)))

    @rule(which=picks, who=picks, off=days_off, reason=reasons, closes=st.booleans(), leaves_open=st.booleans())
    def day_ends(self, which: int, who: int, off: int, reason: str, closes: bool, leaves_open: bool) -> None:
        """Close or reopen a business day."""
        if not closes:
            self.attempt(
                lambda: reopen_day(
                    parlour=house(self.competition), day=self.day(which, off), by=self.actor(who), reason=reason
                )
            )
            return
        if not leaves_open:
            for table in open_sittings([self.competition]):
                self.attempt(lambda table=table: close_sitting(sitting=table.sitting, by=SYSTEM, accept=ALL))  # type: ignore[misc]
        self.attempt(
            lambda: close_day(parlour=house(self.competition), day=self.day(which, off), by=self.actor(who), accept=ALL)
        )

    @rule(who=picks, name=st.sampled_from(("新顔", "Guest", *ODD_TEXTS, "\ud800")),
          kana=st.sampled_from(("", *ODD_TEXTS)),
          number=st.sampled_from(("", "7", *ODD_TEXTS, "\ud800")), one=picks, deed=st.integers(0, 3),
          chosen=st.sampled_from((None, 1, -1, *HUGE)))  # fmt: skip
    def greet(self, who: int, name: str, kana: str, number: str, one: int, deed: int, chosen: int | None) -> None:
        """Add, choose or enter a guest, or put one on the waiting list."""
        competition, by = self.competition, self.actor(who)
        choice = GuestChoice(text=name, player=chosen, is_new=one % 2 == 0)
        deeds: tuple[Callable[[], object], ...] = (
            lambda: add_guest(competition=competition, name=name, by=by, name_kana=kana, number=number),
            lambda: choose_guest(competition=competition, choice=choice, by=by),
            lambda: enter_guest(competition=competition, player=self.person(one), by=by),
            lambda: add_waiting(competition=competition, player=self.person(one), by=by, party=one, wish=kana),
        )
        self.attempt(deeds[deed])

    @rule(who=picks, which=picks, place=st.sampled_from((0, 1, 2, 3, -1, *HUGE)), stays=st.booleans())
    def call(self, who: int, which: int, place: int, stays: bool) -> None:
        """Seat a waiting guest, or drop them from the waiting list."""
        waiting, by = self.one(WaitingGuest.objects.filter(competition=self.competition_id), which), self.actor(who)
        if stays:
            self.attempt(lambda: seat_waiting(waiting=waiting, sitting=self.sitting(which), seat=place, by=by))
        else:
            self.attempt(lambda: drop_waiting(waiting=waiting, by=by))

    @rule(who=picks, one=picks, other=picks, reason=reasons)
    def merge(self, who: int, one: int, other: int, reason: str) -> None:
        """Merge two players."""
        self.attempt(
            lambda: merge_players(
                duplicate=self.person(one), keep=self.person(other), by=self.actor(who), reason=reason
            )
        )

    @rule(who=picks, status=st.sampled_from(list(Competition.Status)))
    def shut(self, who: int, status: Competition.Status) -> None:
        """Hide or close the open table, and publish it again."""
        self.attempt(lambda: set_status(competition=self.competition, status=status, by=self.actor(who)))
        self.attempt(lambda: set_status(competition=self.competition, status=Competition.Status.PUBLISHED, by=SYSTEM))

    @invariant()
    def each_player_sits_once(self) -> None:
        """No guest has two chairs, no chair two guests, and only a running table has guests."""
        there = SittingSeat.objects.filter(left_at=None, sitting__table_session__competition=self.competition_id)
        assert max(Counter(there.values_list("entrant", flat=True)).values(), default=0) <= 1
        assert max(Counter(there.values_list("sitting", "seat")).values(), default=0) <= 1
        assert not there.exclude(sitting__closed_at=None).exists()

    @invariant()
    def every_table_can_be_shown(self) -> None:
        """The counter can show every running table, and table names are unique among them."""
        tables = open_sittings([self.competition])
        assert all(isinstance(table, Running) for table in tables)
        assert max(Counter(table.table for table in tables).values(), default=0) <= 1

    @invariant()
    def a_day_that_is_closed_is_counted_out(self) -> None:
        """A closed day has no running table; its stored sheet is current unless a result changed later."""
        for row in DayClose.objects.filter(competition=self.competition_id, ended_n=None):
            there = Sitting.objects.filter(
                table_session__competition=self.competition_id, table_session__session__day=row.day
            )
            assert not there.filter(closed_at=None).exists()
            changed = ResultSheet.objects.filter(
                hanchan__table_session__session__day=row.day, hanchan__table_session__competition=self.competition_id
            )
            if (
                not changed.filter(confirmed_n__gt=row.made_n).exists()
                and not changed.filter(ended_n__gt=row.made_n).exists()
            ):
                assert day_sheet(self.competition, row.day).games == row.sheet["games"]

    @invariant()
    def tallies_are_sums_of_games(self) -> None:
        """The all-time tally counts every seat of every confirmed game once."""
        whole = Tally.objects.filter(
            block__competition=self.competition_id, audience=Audience.STAFF, period=Tally.Period.ALL
        )
        counted = SeatResult.objects.filter(
            block__competition=self.competition_id, sheet__state=ResultSheet.State.CONFIRMED
        )
        assert (whole.aggregate(sum=Sum("games"))["sum"] or 0) == counted.count()

    @invariant()
    def whose_entry_counts_for_another_is_not_in_use(self) -> None:
        """A merged entrant points to an unmerged one and has no chair."""
        merged = Entrant.objects.filter(competition=self.competition_id).exclude(merged_into=None)
        assert not merged.exclude(merged_into__merged_into=None).exists()
        assert not SittingSeat.objects.filter(entrant__in=merged, left_at=None).exists()
        assert not merged.filter(merged_into=F("pk")).exists()


def _later(moment: Any, days: int) -> Any:
    """Return the moment some days later, clamped to the years 1 and 9999."""
    try:
        return moment + dt.timedelta(days=days)
    except OverflowError:
        return moment.replace(year=9999 if days > 0 else 1)
