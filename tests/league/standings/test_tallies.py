"""Test the tallies of an open table: they always equal a count from the results alone."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Audience, Block, Competition, Entrant, Hanchan, Player, Session, Sitting, SittingAmount, Tally
from league.selectors.access.readers import Reader
from league.selectors.standings.tables import block_tables
from league.selectors.standings.tallies import Order, StaleCursorError, TallyLine, Wanted, running_table
from league.selectors.standings.tally_sums import ALL_TIME, Key
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.operations.verification import differences_of
from league.services.results.results import void_hanchan
from league.services.results.rulings import adjust_points, take_back
from league.services.standings.publishing import publish_standings, publish_version
from league.services.standings.tallies import rebuilt_tallies
from tests.factories import SYSTEM, entrants, league, play, table

pytestmark = pytest.mark.django_db

DAYS = (dt.date(2026, 10, 31), dt.date(2026, 11, 1), dt.date(2026, 11, 2))


def open_table(slug: str = "parlour") -> Competition:
    """Create an open table with six guests."""
    made = league(slug, league_format="open-play", kind=Competition.Kind.OPEN)
    entrants(made, 6)
    return made


@pytest.fixture(scope="module")
def opened(shared_rows: None) -> Competition:
    return open_table()


@pytest.fixture
def parlour(opened: Competition) -> Competition:
    return Competition.objects.get(pk=opened.pk)


def guests(parlour: Competition) -> list[Entrant]:
    return list(Entrant.objects.filter(competition=parlour).select_related("player").order_by("number"))


def game(parlour: Competition, people: list[Entrant], day: dt.date | None = DAYS[0]) -> Hanchan:
    shown = table(parlour.blocks.get(), people, numbers=(1,))
    if day:
        session, _ = Session.objects.get_or_create(
            competition=parlour, day=day, defaults={"number": 100 + day.toordinal(), "name": str(day)}
        )
        shown.session, shown.order = session, session.table_sessions.count() + 1
        shown.save()
    return shown.hanchan.get()


def tallies(parlour: Competition, audience: Audience = Audience.STAFF) -> dict[Key, tuple[object, ...]]:
    publish_standings(parlour.pk)
    return {
        Key(row.entrant_id, Tally.Period(row.period), row.since): (
            row.games, row.places, row.points, row.totals, row.busts, row.best_score,
        )
        for row in Tally.objects.filter(block__competition=parlour, audience=audience)
    }  # fmt: skip


def counted(parlour: Competition, audience: Audience = Audience.STAFF) -> dict[Key, tuple[object, ...]]:
    parlour.refresh_from_db()
    block: Block = parlour.blocks.select_related("competition").get()
    reader = Reader(parlour, audience, parlour.computed_version)
    return {
        key: tuple(each.as_columns().values())
        for key, each in rebuilt_tallies(reader, block).items()
        if each.says_something
    }


def test_a_game_counts_for_its_month_and_for_all_time(parlour: Competition) -> None:
    people = guests(parlour)
    play(game(parlour, people[:4]))
    found = tallies(parlour)
    own = {(key.period, key.since): value[:3] for key, value in found.items() if key.entrant == people[0].pk}
    assert own == {
        ("all", ALL_TIME): (1, (1, 0, 0, 0), 512),
        ("month", dt.date(2026, 10, 1)): (1, (1, 0, 0, 0), 512),
    }


def test_new_games_are_queried_by_their_sheets_not_by_the_whole_block(parlour: Competition) -> None:
    people = guests(parlour)
    tallies(parlour)
    for start in range(3):
        play(game(parlour, people[start : start + 4]))
    with CaptureQueriesContext(connection) as queries:
        publish_standings(parlour.pk)
    looked_up = [query["sql"] for query in queries if query["sql"].startswith('SELECT "league_seatresult"')]
    assert len(looked_up) == len(Audience)
    assert all('"league_seatresult"."sheet_id" IN' in sql for sql in looked_up)
    assert not any('"league_seatresult"."block_id" =' in sql for sql in looked_up)
    assert tallies(parlour) == counted(parlour)


@pytest.mark.both_databases
@pytest.mark.parametrize("seed", range(3))
def test_tallies_equal_a_count_from_the_results_after_any_sequence_of_changes(parlour: Competition, seed: int) -> None:
    generator = random.Random(seed)
    people = guests(parlour)
    played: list[Hanchan] = []
    for _ in range(30):
        match generator.choice(["play", "play", "play", "void", "correct", "adjust", "publish"]):
            case "play":
                four = generator.sample(people, 4)
                played.append(game(parlour, four, generator.choice((*DAYS, None))))
                scores = [generator.randrange(-50, 600) * 100 for _ in range(3)]
                play(played[-1], (*scores, 100_000 - sum(scores)), accept={"extreme_score"})
            case "void" if played:
                void_hanchan(hanchan=played.pop(), by=SYSTEM, reason="misread slip")
            case "correct" if played:
                sheet = played[-1].sheets.get(state="confirmed")
                play(played[-1], (30000, 27000, 23000, 20000), corrects=sheet.revision, reason="misread slip")
            case "adjust":
                block = parlour.blocks.get()
                adjust_points(block=block, entrant=generator.choice(people), points=-100, by=SYSTEM, reason="late")
            case "publish":
                publish_standings(parlour.pk)
    assert tallies(parlour) == counted(parlour)
    assert tallies(parlour, Audience.PUBLIC) == counted(parlour, Audience.PUBLIC)


def test_a_version_published_twice_is_counted_once(parlour: Competition) -> None:
    play(game(parlour, guests(parlour)[:4]))
    before = tallies(parlour)
    parlour.refresh_from_db()
    assert not publish_version(parlour, parlour.version)
    assert tallies(parlour) == before


def test_a_withdrawn_adjustment_is_subtracted(parlour: Competition) -> None:
    people = guests(parlour)
    play(game(parlour, people[:4]))
    before = tallies(parlour)
    adjustment = adjust_points(block=parlour.blocks.get(), entrant=people[0], points=-100, by=SYSTEM, reason="late")
    assert tallies(parlour) != before
    take_back(decision=adjustment, competition=parlour, by=SYSTEM, reason="was in time")
    assert tallies(parlour) == before


def test_the_highest_score_falls_when_its_game_is_voided(parlour: Competition) -> None:
    people = guests(parlour)
    play(game(parlour, people[:4], DAYS[1]))
    best = game(parlour, people[:4], DAYS[1])
    play(best, (60000, 20000, 15000, 5000))
    tallies(parlour)
    void_hanchan(hanchan=best, by=SYSTEM, reason="misread slip")
    found = {value[5] for key, value in tallies(parlour).items() if key.entrant == people[0].pk}
    assert found == {41200}


def test_a_game_under_embargo_enters_the_public_tallies_after_its_release(parlour: Competition) -> None:
    people = guests(parlour)
    play(game(parlour, people[:4]))
    hidden = game(parlour, people[:4], DAYS[1])
    play(hidden, (60000, 20000, 15000, 5000))
    tallies(parlour)
    hold_back(table_session=hidden.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    assert tallies(parlour, Audience.PUBLIC) == counted(parlour, Audience.PUBLIC)
    assert {value[0] for value in tallies(parlour, Audience.PUBLIC).values()} == {1}
    hold_back(table_session=hidden.table_session, until=None, by=SYSTEM)
    sweep()
    assert tallies(parlour, Audience.PUBLIC) == tallies(parlour)


@pytest.mark.both_databases
def test_results_of_a_merged_entrant_count_for_the_kept_one(parlour: Competition) -> None:
    people = guests(parlour)
    play(game(parlour, people[:4]))
    play(game(parlour, [people[4], *people[1:4]]), (30000, 27000, 23000, 20000))
    tallies(parlour)
    Entrant.objects.filter(pk=people[4].pk).update(merged_into=people[0])
    play(game(parlour, people[:4], DAYS[1]), (35000, 25000, 22000, 18000))
    found = tallies(parlour)
    assert found == counted(parlour)
    assert found[Key(people[0].pk, Tally.Period.ALL, ALL_TIME)][0] == 3
    assert people[4].pk not in {key.entrant for key in found}


def in_order(lines: list[TallyLine], order: Order) -> list[int]:
    """Return the lines' entrants sorted by this order, computed with fractions."""

    def better(line: TallyLine) -> tuple[Fraction, int]:
        tally = line.tally
        places = sum(place * count for place, count in enumerate(tally.places, start=1))
        value = {
            Order.POINTS: Fraction(tally.points),
            Order.GAMES: Fraction(tally.games),
            Order.AVERAGE_PLACE: -Fraction(places, tally.games),
            Order.FIRSTS: Fraction(tally.firsts, tally.games),
            Order.FIRST_OR_SECOND: Fraction(tally.firsts + tally.seconds, tally.games),
            Order.NOT_LAST: -Fraction(tally.fourths, tally.games),
            Order.BEST_SCORE: Fraction(tally.best_score),
        }[order]
        return -value, tally.entrant_id

    return [line.tally.entrant_id for line in sorted(lines, key=better)]


@pytest.fixture(scope="module")
def twelve_games(shared_rows: None) -> Competition:
    """Play twelve games of an open table on three days and publish them."""
    made = open_table("twelve")
    people = guests(made)
    for place in range(12):
        four = [people[(place + step) % 6] for step in range(4)]
        play(game(made, four, DAYS[place % 3]), (40000 + 100 * place, 30000, 20000, 10000 - 100 * place))
    publish_standings(made.pk)
    return made


def pages(reader: Reader, wanted: Wanted) -> list[TallyLine]:
    """Return the lines of all pages."""
    block = reader.competition.blocks.get()
    page = running_table(reader, block, wanted, last_place=4)
    lines = list(page.lines)
    while page.after:
        page = running_table(reader, block, replace(wanted, cursor=page.after), last_place=4)
        lines += page.lines
    return lines


class TestTheRunningTable:
    """Test the ranking that guests and staff read page by page."""

    @pytest.fixture
    def parlour(self, twelve_games: Competition) -> Competition:
        return Competition.objects.get(pk=twelve_games.pk)

    @pytest.fixture
    def reader(self, parlour: Competition) -> Reader:
        return Reader(parlour, Audience.STAFF, parlour.computed_version)

    @pytest.mark.both_databases
    @pytest.mark.parametrize("order", Order)
    def test_pages_concatenate_to_the_whole_ranking_in_every_order(self, reader: Reader, order: Order) -> None:
        block = reader.competition.blocks.get()
        whole = running_table(reader, block, Wanted(order=order, size=200), last_place=4)
        found = pages(reader, Wanted(order=order, size=2))
        assert [(line.rank, line.tally.entrant_id) for line in found] == [
            (line.rank, line.tally.entrant_id) for line in whole.lines
        ]
        assert len(found) == whole.entrants == 6

    def test_a_day_counts_only_the_games_of_that_day(self, reader: Reader) -> None:
        block = reader.competition.blocks.get()
        wanted = Wanted(since=DAYS[0], until=DAYS[0])
        assert sum(line.tally.games for line in running_table(reader, block, wanted, 4).lines) == 16

    @pytest.mark.parametrize(
        ("since", "until"),
        [
            (DAYS[0], DAYS[1]),
            (DAYS[1], DAYS[2]),
            (None, DAYS[0]),
            (DAYS[1], None),
            (dt.date(2026, 10, 1), dt.date(2026, 11, 30)),
            (dt.date(2026, 9, 15), DAYS[1]),
            (dt.date.min, dt.date.max),
        ],
    )
    def test_a_span_of_days_equals_a_count_of_its_games(
        self, reader: Reader, since: dt.date | None, until: dt.date | None
    ) -> None:
        played = reader.seat_results().filter(
            sheet__hanchan__table_session__session__day__gte=since or dt.date.min,
            sheet__hanchan__table_session__session__day__lte=until or dt.date.max,
        )
        counts = Counter(played.values_list("entrant", flat=True))
        points = {entrant: sum(each.points for each in played if each.entrant_id == entrant) for entrant in counts}
        for order in Order:
            lines = pages(reader, Wanted(since=since, until=until, order=order, size=2))
            assert {line.tally.entrant_id: (line.tally.games, line.tally.points) for line in lines} == {
                entrant: (counts[entrant], points[entrant]) for entrant in counts
            }, order
            assert [line.rank for line in lines] == sorted(line.rank for line in lines), order
            assert [line.tally.entrant_id for line in lines] == in_order(lines, order), order

    def test_a_month_is_the_same_from_its_tallies_and_from_its_days(self, reader: Reader) -> None:
        block = reader.competition.blocks.get()
        month = Wanted(since=dt.date(2026, 11, 1), until=dt.date(2026, 11, 30))
        days = Wanted(since=dt.date(2026, 11, 1), until=dt.date(2026, 11, 29))
        for order in Order:
            stored, added = (running_table(reader, block, replace(each, order=order), 4) for each in (month, days))
            assert [(line.rank, line.tally.entrant_id) for line in stored.lines] == [
                (line.rank, line.tally.entrant_id) for line in added.lines
            ]

    def test_a_span_that_ends_before_it_begins_is_empty(self, reader: Reader) -> None:
        wanted = Wanted(since=DAYS[2], until=DAYS[0])
        assert running_table(reader, reader.competition.blocks.get(), wanted, 4).lines == ()

    def test_the_public_sees_no_other_guests_in_a_span_of_days_than_those_who_opted_in(
        self, parlour: Competition, reader: Reader
    ) -> None:
        people = guests(parlour)
        people[0].player.is_public, people[0].player.handle = True, "Night Owl"
        people[0].player.save()
        public = Reader(parlour, Audience.PUBLIC, parlour.public_version)
        shown = running_table(public, parlour.blocks.get(), Wanted(since=DAYS[0], until=DAYS[0]), 4)
        assert {line.tally.entrant_id for line in shown.lines} <= {people[0].pk}

    def test_a_minimum_of_games_excludes_guests_with_fewer(self, reader: Reader) -> None:
        assert running_table(reader, reader.competition.blocks.get(), Wanted(minimum=9), 4).lines == ()

    def test_the_public_sees_only_guests_who_opted_in(self, parlour: Competition, reader: Reader) -> None:
        people = guests(parlour)
        people[0].player.is_public, people[0].player.handle = True, "Night Owl"
        people[0].player.save()
        public = Reader(parlour, Audience.PUBLIC, parlour.public_version)
        shown = running_table(public, parlour.blocks.get(), Wanted(), 4)
        assert [line.tally.entrant_id for line in shown.lines] == [people[0].pk]

    @pytest.mark.parametrize("cursor", ["nonsense", "W10", "WzEsMl0", "e30"])
    def test_an_invalid_cursor_is_refused(self, reader: Reader, cursor: str) -> None:
        with pytest.raises(StaleCursorError):
            running_table(reader, reader.competition.blocks.get(), Wanted(cursor=cursor), 4)

    def test_a_cursor_of_an_older_version_is_refused(self, parlour: Competition, reader: Reader) -> None:
        block = parlour.blocks.get()
        cursor = running_table(reader, block, Wanted(size=2), 4).after
        play(game(parlour, guests(parlour)[:4]))
        publish_standings(parlour.pk)
        parlour.refresh_from_db()
        newer = Reader(parlour, Audience.STAFF, parlour.computed_version)
        with pytest.raises(StaleCursorError):
            running_table(newer, block, Wanted(size=2, cursor=cursor), 4)

    def test_the_block_of_an_open_table_shows_the_top_of_its_ranking(self, reader: Reader) -> None:
        (shown,) = block_tables(reader)
        assert [line.standing.rank for line in shown.lines] == [1, 1, 1, 4, 4, 4]


@pytest.mark.both_databases
def test_chips_of_a_sitting_are_counted_in_a_span_that_includes_its_day(parlour: Competition) -> None:
    people = guests(parlour)
    hanchan = game(parlour, people[:4])
    play(hanchan)
    sitting = Sitting.objects.create(table_session=hanchan.table_session)
    parlour.refresh_from_db()
    SittingAmount.objects.create(sitting=sitting, entrant=people[0], ledger="chips", amount=3, made_n=parlour.version)
    publish_standings(parlour.pk)
    parlour.refresh_from_db()
    for audience in Audience:
        reader = Reader(parlour, audience, parlour.computed_version)
        Player.objects.update(is_public=True, handle="Night Owl")
        wanted = Wanted(since=DAYS[0], until=DAYS[0])
        lines = running_table(reader, parlour.blocks.get(), wanted, 4).lines
        assert {line.tally.entrant_id: line.tally.totals.get("chips", 0) for line in lines}[people[0].pk] == 3


@pytest.mark.both_databases
def test_verification_finds_a_manipulated_tally(parlour: Competition) -> None:
    play(game(parlour, guests(parlour)[:4]))
    tallies(parlour)
    assert list(differences_of(parlour)) == []
    Tally.objects.filter(period="all", audience="staff", points=512).update(points=612)
    assert [(each.what, each.stored, each.rebuilt) for each in differences_of(parlour)] == [("points", 612, 512)]
