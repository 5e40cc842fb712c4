"""Tests of the embargo: no selector shows embargoed data to the public, and the public version does not reveal it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Adjustment, Audience, Change, Competition, Hanchan, Role, SlotState, Standing, TableSession
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.competitions.schedule import session_tables
from league.selectors.standings.tables import block_tables, result_grid
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.results.results import record_result, void_hanchan
from league.services.results.rulings import adjust_points, rule_on_tie, take_back
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, entry, final_table, in_block, league, play, seated, table, user

pytestmark = pytest.mark.django_db

TOMORROW = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def shared_season(shared_rows: None) -> Competition:
    return league()


@pytest.fixture
def season(shared_season: Competition) -> Competition:
    return Competition.objects.get(pk=shared_season.pk)


@pytest.fixture
def held_back(season: Competition) -> TableSession:
    """Return a recorded table that was played and is embargoed until tomorrow."""
    recorded = table(season.blocks.get(key="A"), public_at=timezone.now() + TOMORROW)
    play(recorded.hanchan.get(round=1))
    return recorded


def read(competition: Competition, audience: Audience = Audience.PUBLIC) -> Reader:
    publish_standings(competition.pk)
    competition.refresh_from_db()
    version = competition.public_version if audience == Audience.PUBLIC else competition.computed_version
    return Reader(competition, audience, version)


def totals(reader: Reader) -> set[int]:
    return {line.standing.total for shown in block_tables(reader) for line in shown.lines}


@pytest.mark.both_databases
def test_the_public_sees_nothing_of_an_embargoed_table(season: Competition, held_back: TableSession) -> None:
    reader = read(season)
    assert not reader.table_sessions().exists()
    assert not reader.hanchan().exists()
    assert not reader.sheets().exists()
    assert not reader.seat_results().exists()
    assert totals(reader) == {0}
    assert result_grid(reader, held_back.block) == {}
    assert session_tables(reader) == ()


def test_a_later_public_version_reveals_nothing_of_an_embargoed_table(
    season: Competition, held_back: TableSession
) -> None:
    block = held_back.block
    adjust_points(block=block, entrant=in_block(block)[0], points=-50, by=SYSTEM, reason="left early")
    play(table(season.blocks.get(key="B")).hanchan.get(round=1))
    public, staff = read(season), read(season, Audience.STAFF)
    assert public.version > Change.objects.get(kind="points.adjusted").n
    for reader, seen in ((public, False), (staff, True)):
        assert reader.sheets().filter(hanchan__table_session=held_back).exists() is seen
        assert reader.seat_results(block=block).exists() is seen
        assert reader.decisions(Adjustment, block=block).exists() is seen
        assert reader.deciding_changes().filter(kind="points.adjusted").exists() is seen


def test_a_decision_taken_back_after_an_embargoed_result_stays_in_force_for_the_public(season: Competition) -> None:
    block = season.blocks.get(key="A")
    decided = adjust_points(block=block, entrant=in_block(block)[0], points=-50, by=SYSTEM, reason="left early")
    before = totals(read(season))
    recorded = table(block, public_at=timezone.now() + TOMORROW)
    play(recorded.hanchan.get(round=1))
    take_back(decision=decided, competition=season, by=SYSTEM, reason="the wrong player")
    play(table(season.blocks.get(key="B"), public_at=timezone.now() + TOMORROW).hanchan.get(round=1))
    public, staff = read(season), read(season, Audience.STAFF)
    assert totals(public) == before == {-50, 0}
    assert public.decisions(Adjustment, block=block).exists()
    assert not staff.decisions(Adjustment, block=block).exists()
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    assert not read(season).decisions(Adjustment, block=block).exists()


@pytest.mark.parametrize("then", ["corrected", "voided", "voided and played again"])
def test_a_decision_stays_hidden_whatever_becomes_of_the_embargoed_result_before_it(
    season: Competition, held_back: TableSession, then: str
) -> None:
    block, hanchan = held_back.block, held_back.hanchan.get(round=1)
    adjust_points(block=block, entrant=in_block(block)[0], points=-50, by=SYSTEM, reason="left early")
    if then == "corrected":
        changed = entry(seated(hanchan), (41300, 30000, 18700, 10000))
        record_result(hanchan=hanchan, entry=changed, corrects=1, reason="read wrongly", by=SYSTEM)
    else:
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="the wrong table")
    if then == "voided and played again":
        play(hanchan)
    public = read(season)
    assert totals(public) == {0}
    assert not public.decisions(Adjustment, block=block).exists()
    assert not public.deciding_changes().filter(kind="points.adjusted").exists()
    hold_back(table_session=held_back, until=None, by=SYSTEM)
    assert read(season).decisions(Adjustment, block=block).exists()


def test_organizers_see_an_embargoed_table(season: Competition, held_back: TableSession) -> None:
    reader = read(season, Audience.STAFF)
    assert reader.sheets().count() == 1
    assert 512 in totals(reader)
    assert [len(shown.tables) for shown in session_tables(reader)] == [1]


def test_an_embargoed_result_does_not_advance_the_public_version(season: Competition) -> None:
    recorded = table(season.blocks.get(key="A"), public_at=timezone.now() + TOMORROW)
    before = read(season)
    play(recorded.hanchan.get(round=1))
    after = read(season)
    assert after.version == before.version
    assert season.computed_version > season.public_version
    assert not after.changes().filter(kind__startswith="result.").exists()


def test_the_sweep_releases_a_table_when_its_embargo_ends(season: Competition, held_back: TableSession) -> None:
    before = read(season).version
    sweep()
    assert read(season).version == before
    with time_machine.travel(timezone.now() + TOMORROW + dt.timedelta(minutes=1)):
        sweep()
    reader = read(season)
    assert reader.version > before
    assert 512 in totals(reader)
    assert Change.objects.filter(competition=season, kind="table_session.released").count() == 1


def test_a_public_table_can_be_embargoed_again_and_released(season: Competition) -> None:
    shown = table(season.blocks.get(key="A"))
    play(shown.hanchan.get(round=1))
    assert 512 in totals(read(season))
    hold_back(table_session=shown, until=timezone.now() + TOMORROW, by=SYSTEM)
    assert totals(read(season)) == {0}
    hold_back(table_session=shown, until=None, by=SYSTEM)
    assert 512 in totals(read(season))


def test_a_ruling_on_a_tie_at_an_embargoed_table_is_embargoed_too() -> None:
    season = final_table()
    block = season.blocks.get()
    recorded = table(block, public_at=timezone.now() + TOMORROW)
    for hanchan in recorded.hanchan.order_by("round"):
        play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
    before = read(season).version
    first, second = in_block(block)[:2]
    rule_on_tie(competition=season, scope=block.key, order=[second, first], by=SYSTEM, reason="drawn by lot")
    assert read(season).version == before
    assert Standing.objects.get(audience="staff", position=1).entrant == second
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    assert read(season).version > before
    assert Standing.objects.get(audience="public", position=1).entrant == second


def test_seats_of_an_announced_table_do_not_reveal_the_advanced_players(season: Competition) -> None:
    for key in ("A", "B"):
        people = in_block(season.blocks.get(key=key))
        for lead, four in ((0, people[:4]), (3000, people[4:])):
            later = table(season.blocks.get(key=key), four, numbers=range(1, 9), public_at=timezone.now() + TOMORROW)
            for place, hanchan in enumerate(later.hanchan.order_by("round")):
                first = 40000 + lead + 100 * place
                play(hanchan, (first, 30000 + lead, 20000 - lead, 50000 - first))
    read(season)
    states = SlotState.objects.filter(slot__block__key="final", audience="staff", state="certain")
    po1 = SlotState.objects.filter(slot__block__key="po1", audience="staff", state="certain")
    assert states.count() == 2
    announced = table(
        season.blocks.get(key="po1"), [slot.entrant for slot in po1.select_related("entrant__player") if slot.entrant]
    )
    seats = {
        reader.audience: {len(played.planned) for shown in session_tables(reader) for one in shown.tables
                          if one.table_session == announced for played in one.hanchan}
        for reader in (read(season), read(season, Audience.STAFF))
    }  # fmt: skip
    assert seats == {"public": {0}, "staff": {4}}


class TestReaders:
    """Tests of the audience that each kind of user reads as."""

    def test_staff_of_the_competition_read_embargoed_data(self, season: Competition) -> None:
        assert reader_of(season, user(role=Role.READER, competition=season)).is_staff

    @pytest.mark.parametrize("visitor", [None, AnonymousUser()])
    def test_visitors_read_only_public_data(self, season: Competition, visitor: AnonymousUser | None) -> None:
        assert not reader_of(season, visitor).is_staff

    def test_staff_of_another_competition_read_as_visitors(self, season: Competition) -> None:
        assert not reader_of(season, user(role=Role.DIRECTOR, competition=final_table("other"))).is_staff

    def test_drafts_and_staff_only_competitions_are_visible_to_their_staff_only(self, season: Competition) -> None:
        draft = final_table("draft", status=None)
        parlour = final_table("parlour", audience=Audience.STAFF)
        shown = final_table("shown")
        member = user(role=Role.READER, competition=draft)
        assert set(visible_competitions(AnonymousUser())) == {season, shown}
        assert set(visible_competitions(member)) == {season, draft, shown}
        assert set(visible_competitions(user(is_superuser=True))) == {season, draft, parlour, shown}

    def test_a_reader_sees_the_results_as_of_its_version(self, season: Competition) -> None:
        shown = table(season.blocks.get(key="A"))
        play(shown.hanchan.get(round=1))
        earlier = read(season)
        play(shown.hanchan.get(round=1), (41100, 30200, 18700, 10000), corrects=1, reason="misread slip")
        play(shown.hanchan.get(round=2))
        assert sorted(earlier.seat_results().values_list("score", flat=True)) == [10000, 18700, 30100, 41200]
        assert read(season).sheets().count() == 2
        assert Hanchan.objects.count() == 4


def hidden_and_missing(season: Competition, held_back: TableSession) -> Iterator[tuple[str, str]]:
    """Yield addresses of something hidden from the public, each with that of something that is not there."""
    hanchan, table = held_back.hanchan.earliest("round").pk, held_back.pk
    for path in ("", "results/", "results/1/", "live/", "log/", "advice/", "changes/", "paifu/"):
        yield f"/api/v1/hanchan/{hanchan}/{path}", f"/api/v1/hanchan/{hanchan + 900}/{path}"
    yield f"/api/v1/table-sessions/{table}/", f"/api/v1/table-sessions/{table + 900}/"
    yield f"/api/v1/sessions/{held_back.session_id}/", f"/api/v1/sessions/{held_back.session_id + 900}/"
    for path in ("", "follow/", "replay/", "score/"):
        yield f"/c/spring/hanchan/{hanchan}/{path}", f"/c/spring/hanchan/{hanchan + 900}/{path}"
    for path in ("", "bracket/", "odds/"):
        yield f"/api/v1/competitions/draft/{path}", f"/api/v1/competitions/nothing/{path}"
        yield f"/c/draft/{path}", f"/c/nothing/{path}"


def test_what_is_hidden_takes_the_same_queries_as_what_is_missing(season: Competition, held_back: TableSession) -> None:
    final_table("draft", status=None)
    publish_standings(season.pk)
    client = Client()

    def asked(path: str) -> tuple[int, list[str]]:
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            status = client.get(path).status_code
        return status, [re.sub(r"\d+", "N", each["sql"].replace("nothing", "draft")) for each in captured]

    client.get("/c/nothing/")  # what is read once in a process
    different = {}
    for hidden, missing in hidden_and_missing(season, held_back):
        (status, there), (absent, away) = asked(hidden), asked(missing)
        assert status == absent == 404, hidden
        if there != away:
            different[hidden] = (len(there), len(away))
    assert different == {}
