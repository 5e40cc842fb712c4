"""State machine of a season: any step in any order; the stored rows always follow from the facts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Sum
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from league.models import (
    Adjustment,
    Audience,
    Closing,
    Competition,
    Draw,
    Entrant,
    Hanchan,
    Override,
    Player,
    ResultSheet,
    Ruling,
    SeatResult,
    Session,
    Slot,
    Standing,
    TableSession,
)
from league.selectors.access.readers import Reader
from league.services.competitions.departures import withdraw
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.competitions.schedule import Fixture, create_table_session, hold_back, seat_players
from league.services.competitions.seating import SeatDraw, draw_seats, swap_players
from league.services.competitions.setup import seed_block, set_status
from league.services.operations.sweep import release
from league.services.results.corrections import revert_result
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import (
    abandon_hanchan,
    confirm_result,
    record_result,
    reject_result,
    resume_hanchan,
    void_hanchan,
)
from league.services.results.rulings import (
    adjust_points,
    close_block,
    draw_stage,
    override_slot,
    pass_over,
    rule_on_tie,
    swap_slots,
    take_back,
)
from league.services.results.substitutes import name_substitute
from tests import factories
from tests.factories import SYSTEM
from tests.fuzz.examples import ODD_TEXTS
from tests.fuzz.machine import HUGE, Machine, picks, reasons, try_anything, with_people

pytestmark = pytest.mark.django_db

ALL = (
    "extreme_score",
    "same_result_twice",
    "same_scores_elsewhere",
    "at_two_tables",
    "seats_not_as_scheduled",
    "not_as_scheduled",
    "later_stage_begun",
    "substitute_plays_here",
    "unusual_score",
    "seats_other_people",
    "score_sheet_in_progress",
)
WHOLE = 100_000
scores = st.sampled_from(
    (
        (41200, 30100, 18700, 10000), (25000, 25000, 25000, 25000), (40000, 30000, 20000, 10000),
        (70000, 20000, 15000, -5000), (100000, 0, 0, 0), (25100, 25000, 25000, 24900), (10000, 18700, 30100, 41200),
        (1, 2, 3, 4), (), (25000,) * 5, (10**30, -(10**30), 50000, 50000), (2**31, -(2**31), 50000, 50000),
        (2**31 - 1, 1 - 2**31, 50000, 50000),
    )
)  # fmt: skip


@pytest.fixture(scope="module")
def season(shared_rows: None) -> Competition:
    """Return a whole Cinderella season before its first game."""
    competition = factories.league()
    for block in competition.blocks.filter(stage__order=1):
        factories.table(block)
    factories.table(competition.blocks.get(key="A"), numbers=(5, 6), public_at=timezone.now() + dt.timedelta(days=9))
    with_people(competition)
    return competition


def test_a_season_stays_consistent_whatever_steps_are_taken(season: Competition) -> None:
    try_anything(Season, season)


class Season(Machine):
    """Rules for every action in a league; each step is accepted or refused."""

    def hanchan(self, number: int) -> Hanchan:
        """Return a hanchan."""
        found: Hanchan = self.one(Hanchan.objects.filter(block__competition=self.competition_id), number)
        return found

    def entrant(self, number: int) -> Entrant:
        """Return an entrant."""
        found: Entrant = self.one(Entrant.objects.filter(competition=self.competition_id), number)
        return found

    @rule(game=picks, points=scores, who=picks, shuffled=picks, kyoutaku=st.sampled_from((0, 0, 0, 1, -1, *HUGE)),
          corrects=st.sampled_from((None, None, 1, 2, 10**30)), reason=reasons, accepts=st.booleans(),
          chonbo=st.sampled_from((0, 0, 0, 1, -1, 40_000, *HUGE)))  # fmt: skip
    def record(  # noqa: PLR0913, PLR0917 - a sheet has many parts
        self, game: int, points: tuple[int, ...], who: int, shuffled: int, kyoutaku: int, corrects: int | None,
        reason: str, accepts: bool, chonbo: int,
    ) -> None:  # fmt: skip
        """Record a result, correct or not."""
        hanchan = self.hanchan(game)
        people = factories.seated(hanchan) or [self.entrant(shuffled + place) for place in range(4)]
        if shuffled % 5 == 0:
            people = [self.entrant(shuffled + place * (shuffled % 3)) for place in range(4)]
        pairs = [(one.pk, one.player_id) for one in people] + [(10**30, -1)]
        seats = tuple(
            SeatEntry(*pairs[place % len(pairs)], score, chonbo if place == 0 else 0)
            for place, score in enumerate(points)
        )
        entry = SheetEntry(seats=seats, kyoutaku=kyoutaku, are_seats_known=shuffled % 7 != 0)
        self.attempt(
            lambda: record_result(
                hanchan=hanchan,
                entry=entry,
                by=self.actor(who),
                accept=ALL if accepts else (),
                corrects=corrects,
                reason=reason,
            )
        )

    @rule(game=picks, who=picks, points=scores)
    def plainly(self, game: int, who: int, points: tuple[int, ...]) -> None:
        """Record a correct result."""
        hanchan = self.hanchan(game)
        if len(points) == len(factories.seated(hanchan)):
            self.attempt(lambda: factories.play(hanchan, points, by=self.actor(who), accept=ALL))

    def sheet(self, number: int) -> ResultSheet | None:
        """Return a result sheet; None if there is none."""
        found: ResultSheet | None = self.one(
            ResultSheet.objects.filter(hanchan__block__competition=self.competition_id), number
        )
        return found

    @rule(which=picks, who=picks, deed=st.sampled_from(("confirm", "reject", "revert")), reason=reasons,
          corrects=st.sampled_from((None, 1, 2, 3)))  # fmt: skip
    def decide_on_sheet(self, which: int, who: int, deed: str, reason: str, corrects: int | None) -> None:
        """Confirm, reject or revert to a sheet."""
        sheet = self.sheet(which)
        if sheet is None:
            return
        by = self.actor(who)
        deeds: dict[str, Callable[[], object]] = {
            "confirm": lambda: confirm_result(sheet=sheet, by=by, accept=ALL),
            "reject": lambda: reject_result(sheet=sheet, by=by, reason=reason),
            "revert": lambda: revert_result(
                hanchan=sheet.hanchan, revision=sheet.revision, corrects=corrects, by=by, reason=reason, accept=ALL
            ),
        }
        self.attempt(deeds[deed])

    @rule(game=picks, who=picks, deed=st.sampled_from((void_hanchan, abandon_hanchan, resume_hanchan)), reason=reasons)
    def decide_on_hanchan(self, game: int, who: int, deed: Any, reason: str) -> None:
        """Void, abandon or resume a hanchan."""
        more = {"accept": ALL} if deed is void_hanchan else {}
        self.attempt(lambda: deed(hanchan=self.hanchan(game), by=self.actor(who), reason=reason, **more))

    @rule(game=picks, who=picks, one=picks, other=picks, reason=reasons)
    def substitute(self, game: int, who: int, one: int, other: int, reason: str) -> None:
        """Name a substitute for an entrant, or remove one."""
        player = None if other % 3 == 0 else self.one(Player.objects.all(), other)
        self.attempt(
            lambda: name_substitute(
                hanchan=self.hanchan(game),
                entrant=self.entrant(one),
                player=player,
                by=self.actor(who),
                reason=reason,
                accept=ALL,
            )
        )

    @rule(who=picks, one=picks, block=picks, reason=reasons,
          points=st.sampled_from((0, 5, -200, 2**31 - 1, -(2**31), *HUGE)))  # fmt: skip
    def adjust(self, who: int, one: int, block: int, reason: str, points: int) -> None:
        """Adjust points outside a game."""
        self.attempt(
            lambda: adjust_points(
                block=self.one(self.competition.blocks, block),
                entrant=self.entrant(one),
                points=points,
                by=self.actor(who),
                reason=reason,
                accept=ALL,
            )
        )

    @rule(who=picks, scope=st.sampled_from(("A", "B", "final", "preliminary#4", "nowhere", "\0")), start=picks,
          many=st.integers(0, 8), reason=reasons)  # fmt: skip
    def rule_tie(self, who: int, scope: str, start: int, many: int, reason: str) -> None:
        """Rule on a tie, which may not exist."""
        block = next((each for each in self.competition.blocks.all() if each.key == scope), None)
        people = factories.in_block(block) if block else []
        order = people[:many] if many % 2 else [self.entrant(start + place) for place in range(many)]
        self.attempt(
            lambda: rule_on_tie(
                competition=self.competition, scope=scope, order=order, by=self.actor(who), reason=reason, accept=ALL
            )
        )

    @rule(who=picks, first=picks, second=picks, one=picks, reason=reasons,
          source=st.sampled_from(("po2#1", "A#1", "ruling", "seed:1", "nowhere#9", "", "x" * 10_000, "A#" + "9" * 30,
                                   "\0")),
          deed=st.sampled_from(("override", "swap", "pass_over", "close")))  # fmt: skip
    def override(self, who: int, first: int, second: int, one: int, reason: str, source: str, deed: str) -> None:
        """Override a slot, swap two, pass over an entrant, or close a block."""
        slots, by = Slot.objects.filter(block__competition=self.competition_id), self.actor(who)
        slot, other, entrant = self.one(slots, first), self.one(slots, second), self.entrant(one)
        chosen = entrant if one % 2 else None
        deeds: dict[str, Callable[[], object]] = {
            "override": lambda: override_slot(
                slot=slot, source=source, by=by, reason=reason, entrant=chosen, accept=ALL
            ),
            "swap": lambda: swap_slots(first=slot, second=other, by=by, reason=reason, accept=ALL),
            "pass_over": lambda: pass_over(block=slot.block, entrant=entrant, by=by, reason=reason, accept=ALL),
            "close": lambda: close_block(block=slot.block, by=by, reason=reason, accept=ALL),
        }
        self.attempt(deeds[deed])

    @rule(who=picks, which=picks, model=st.sampled_from((Ruling, Adjustment, Override, Closing, Draw)), reason=reasons)
    def take_back_decision(self, who: int, which: int, model: Any, reason: str) -> None:
        """Take back a decision."""
        if decision := self.one(model.objects.all(), which):
            self.attempt(
                lambda: take_back(
                    decision=decision, competition=self.competition, by=self.actor(who), reason=reason, accept=ALL
                )
            )

    @rule(who=picks, stage=picks, seed=st.sampled_from(("1", "", *ODD_TEXTS, "\ud800")), reason=reasons)
    def draw(self, who: int, stage: int, seed: str, reason: str) -> None:
        """Draw a stage, and the seats of a session."""
        self.attempt(
            lambda: draw_stage(
                stage=self.one(self.competition.stages, stage), by=self.actor(who), seed=seed, reason=reason, accept=ALL
            )
        )
        session = self.one(Session.objects.filter(competition=self.competition_id), stage)
        wished = SeatDraw(seed=seed, is_for_all=stage % 2 == 0, rotates=stage % 3 == 0, redraws=stage % 5 == 0)
        self.attempt(lambda: draw_seats(session=session, draw=wished, by=self.actor(who)))

    @rule(who=picks, which=picks, days=st.sampled_from((None, -1, 1, 30)))
    def hold(self, who: int, which: int, days: int | None) -> None:
        """Set or lift the embargo of a table."""
        until = None if days is None else timezone.now() + dt.timedelta(days=days)
        table = self.one(TableSession.objects.filter(competition=self.competition_id), which)
        self.attempt(lambda: hold_back(table_session=table, until=until, by=self.actor(who)))

    @rule(which=picks)
    def let_out(self, which: int) -> None:
        """Release a table whose embargo ends."""
        self.attempt(lambda: release(self.one(TableSession.objects.filter(competition=self.competition_id), which)))

    @rule(who=picks, status=st.sampled_from(list(Competition.Status)))
    def close(self, who: int, status: Competition.Status) -> None:
        """Close, hide or reopen the season."""
        self.attempt(lambda: set_status(competition=self.competition, status=status, by=self.actor(who)))
        if status == Competition.Status.CLOSED:
            self.attempt(
                lambda: set_status(competition=self.competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
            )

    @rule(who=picks, how=st.sampled_from(list(Competition.Confirmation)),
          name=st.sampled_from(("春", *ODD_TEXTS, "\ud800")), delay=st.sampled_from((0, 5, -1, *HUGE)),
          zone=st.sampled_from(("Asia/Tokyo", "Asia/Tokyo", "Nowhere", "../etc", "", "\0")))  # fmt: skip
    def edit(self, who: int, how: Competition.Confirmation, name: str, delay: int, zone: str) -> None:
        """Change the way of confirmation and other settings of the competition."""
        words = CompetitionWords(name=name, confirmation=how, live_delay=delay, time_zone=zone)
        self.attempt(lambda: edit_competition(competition=self.competition, words=words, by=self.actor(who)))

    @rule(who=picks, block=picks, first=picks, many=st.integers(0, 5), number=st.sampled_from((0, 1, 5, 7, -1, *HUGE)),
          table=st.sampled_from(("", "1", *ODD_TEXTS, "\ud800")))  # fmt: skip
    def schedule(self, who: int, block: int, first: int, many: int, number: int, table: str) -> None:
        """Create a table session, seat players, and swap two of them."""
        chosen = self.one(self.competition.blocks, block)
        people = [self.entrant(first + place) for place in range(many)]
        session = self.one(Session.objects.filter(competition=self.competition_id), block)
        fixture = Fixture(block=chosen, numbers=(number,), entrants=people, table=table)
        by = self.actor(who)
        self.attempt(lambda: create_table_session(session=session, fixture=fixture, by=by))
        self.attempt(lambda: seat_players(hanchan=self.hanchan(first), entrants=people, by=by))
        self.attempt(
            lambda: swap_players(
                block=chosen, numbers=(number,), one=self.entrant(first), other=self.entrant(first + 1), by=by
            )
        )

    @rule(who=picks, one=picks, block=picks, reason=reasons, many=st.integers(0, 9))
    def people(self, who: int, one: int, block: int, reason: str, many: int) -> None:
        """Withdraw an entrant, and seed a block."""
        self.attempt(lambda: withdraw(entrant=self.entrant(one), by=self.actor(who), reason=reason))
        chosen = [self.entrant(one + place) for place in range(many)]
        self.attempt(
            lambda: seed_block(block=self.one(self.competition.blocks, block), entrants=chosen, by=self.actor(who))
        )

    @invariant()
    def points_are_all_there(self) -> None:
        """A sheet holds all points of the table; a total is the sum of results and adjustments."""
        for sheet in ResultSheet.objects.counting().filter(hanchan__block__competition=self.competition_id):
            total = sum(sheet.seats.values_list("score", flat=True)) + sheet.kyoutaku * 1000
            assert total == WHOLE
        for line in Standing.objects.filter(
            block__competition=self.competition_id, audience=Audience.STAFF, block__stage__order=1
        ):
            of = {"block": line.block_id, "entrant": line.entrant_id}
            played = SeatResult.objects.filter(**of, sheet__state=ResultSheet.State.CONFIRMED)
            given = Adjustment.objects.standing().filter(**of)
            sums = (rows.aggregate(sum=Sum("points"))["sum"] or 0 for rows in (played, given))
            assert line.total == sum(sums), line

    @invariant()
    def the_public_sees_nothing_held_back(self) -> None:
        """Public standings and results are made of released tables only."""
        competition = self.competition
        reader = Reader(competition, Audience.PUBLIC, competition.public_version)
        assert not reader.seat_results().filter(sheet__hanchan__table_session__is_released=False).exists()
        shown = Standing.objects.filter(block__competition=competition, audience=Audience.PUBLIC, block__stage__order=1)
        for line in shown:
            held = SeatResult.objects.filter(
                block=line.block_id, entrant=line.entrant_id, sheet__state=ResultSheet.State.CONFIRMED,
                sheet__hanchan__table_session__is_released=False,
            )  # fmt: skip
            known = reader.seat_results().filter(block=line.block_id, entrant=line.entrant_id)
            if held.exists():
                assert line.played == known.count()
