"""Tests of the demo season: its content, loading it once, and its complete removal."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from league.demo import demo_season
from league.files.checks import check_file
from league.models import (
    Audience,
    Change,
    Competition,
    Hanchan,
    Outcome,
    Player,
    ResultSheet,
    SeatResult,
    Standing,
    TableSession,
)
from league.platform.errors import PermissionRefusedError
from league.selectors.access.readers import Reader
from league.selectors.live.last_kyoku import last_kyoku_document
from league.selectors.live.log import log_of
from league.services.operations.demo import load_demo, remove_demo
from league.services.operations.verification import differences_of
from tests.factories import SYSTEM, actor, final_table, play, table, user


def test_the_demo_document_has_no_faults() -> None:
    _book, faults = check_file(demo_season(dt.date(2026, 11, 20)))
    assert faults == ()


def test_the_final_is_on_the_given_day_and_all_other_tables_before_it() -> None:
    day = dt.date(2027, 2, 28)
    tables = demo_season(day).document.tables
    days = [one.starts_at.date() for one in tables if one.starts_at]
    assert len(days) == len(tables)
    assert days[-1] == max(days) == day
    assert days == sorted(days)


@pytest.fixture(scope="module")
def loaded(shared_rows: None) -> Competition:
    """Return the demo season, loaded once; each test undoes what it changes."""
    competition = load_demo()
    assert competition is not None
    return competition


@pytest.fixture
def demo(db: None, loaded: Competition) -> Competition:
    return Competition.objects.get(pk=loaded.pk)


def test_the_demo_is_published_and_marked_and_a_second_load_does_nothing(demo: Competition) -> None:
    assert demo.is_demo
    assert demo.is_readable_by_public
    assert demo.public_version == demo.version
    assert list(differences_of(demo)) == []
    before = Change.objects.count()
    assert load_demo() is None
    assert Change.objects.count() == before


def test_the_demo_has_every_special_case_and_one_hanchan_left_to_play(demo: Competition) -> None:
    (left,) = Hanchan.objects.exclude(sheets__state=ResultSheet.State.CONFIRMED)
    assert (left.block.key, left.number, left.seats.count()) == ("final", 4, 4)
    start = left.table_session.starts_at
    assert start is not None
    assert timezone.localdate(start) == timezone.localdate()
    assert left.table_session.stream_url.startswith("https://example.org/")
    assert Outcome.objects.get(competition=demo, audience="public").champion_state == "provisional"
    tied = [row.decision for row in Standing.objects.filter(audience="public") if row.decision]
    assert [(why["criterion"], why["number"]) for why in tied] == [("points", 8)]
    assert SeatResult.objects.filter(chonbo__gt=0).count() == 1
    assert ResultSheet.objects.filter(kyoutaku__gt=0).exists()
    corrected = ResultSheet.objects.exclude(reason="").get()
    assert (corrected.revision, corrected.state) == (2, ResultSheet.State.CONFIRMED)
    assert set(TableSession.objects.values_list("table", flat=True)) == {"1卓", "2卓"}
    assert not TableSession.objects.filter(venue="").exists()
    people = Player.objects.all()
    assert people.count() == 16
    assert all(one.name and one.name_kana and one.name_romaji for one in people)
    assert len({one.affiliation for one in people}) == 4


@pytest.mark.both_databases
def test_two_hanchan_of_the_final_have_logs_and_one_is_in_its_last_kyoku(demo: Competition, client: Client) -> None:
    over, running = Hanchan.objects.filter(block__key="final", number__in=(3, 4)).order_by("number")
    assert ResultSheet.objects.get(hanchan=over).made_from_sequence == over.events.count()
    assert log_of(over).state.ends[0].reason == "last_hand"
    state = log_of(running).state
    assert (state.round, state.number, state.is_over, len(log_of(running).game.refused)) == ("S", 4, False, 0)
    assert "<polyline" in client.get(f"/c/demo/hanchan/{over.pk}/").content.decode()
    assert "<polyline" in client.get(f"/c/demo/hanchan/{running.pk}/live/").content.decode()
    advice = last_kyoku_document(
        running, state, log_of(running).rules, Reader(demo, Audience.STAFF, demo.computed_version)
    )
    assert advice["is_near_end"]


def test_removing_the_demo_deletes_all_its_rows_and_no_others(demo: Competition) -> None:
    final = final_table()
    play(table(final.blocks.get()).hanchan.get(round=1))
    before = {model: model.objects.count() for model in (Player, Change, ResultSheet)}
    assert remove_demo(by=SYSTEM) == 1
    after = {model: model.objects.count() for model in (Player, Change, ResultSheet)}
    assert list(Competition.objects.all()) == [final]
    gone = {model: count - after[model] for model, count in before.items()}
    assert gone == {Player: 16, Change: demo.version, ResultSheet: 48}
    assert remove_demo(by=SYSTEM) == 0


def test_a_demo_player_who_plays_elsewhere_is_kept(demo: Competition) -> None:
    elsewhere = final_table()
    guest = elsewhere.entrants.first()
    assert guest is not None
    guest.player = Player.objects.get(key="demo-yonagi")
    guest.save()
    remove_demo(by=SYSTEM)
    assert Player.objects.filter(key="demo-yonagi").exists()


def test_removing_the_demo_requires_permission(demo: Competition) -> None:
    with pytest.raises(PermissionRefusedError):
        remove_demo(by=actor(user("visitor")))
    assert remove_demo(by=actor(user("root", is_superuser=True))) == 1


def test_the_command_loads_and_removes_the_demo(demo: Competition, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demo", "--remove")
    call_command("load_demo", "--remove")
    call_command("load_demo")
    call_command("load_demo")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "The demo is removed.",
        "There is no demo to remove.",
        "The demo is loaded",
        "The demo is there already.",
    ]


@pytest.mark.both_databases
def test_loading_the_demo_reports_a_taken_slug(demo: Competition) -> None:
    remove_demo(by=SYSTEM)
    final_table("demo")
    with pytest.raises(CommandError, match="there is already a competition at this address"):
        call_command("load_demo")
