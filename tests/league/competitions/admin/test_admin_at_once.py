"""Tests of two concurrent decisions on the same row: one succeeds, the other gets an error, nothing is done twice."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.files.tables import read_table
from league.files.team_rows import COLUMNS
from league.models import Adjustment, Change, Entrant, HanchanSeat, Override, Player, ResultSheet, Ruling, TableSession
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import enter_players, new_player
from league.services.exchange.team_import import import_teams
from league.services.parlour.people import merge_players
from league.services.results.corrections import revert_result
from league.services.results.rulings import adjust_points, rule_on_tie, swap_slots, take_back
from league.services.seasons.series import SeriesPlan, create_series
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, final_table, in_block, league, play, table, user
from tests.fuzz.forms import forms_of
from tests.league.results.test_concurrency import at_once, same_as_rebuilt, together
from tests.league.roster_texts import roster
from tests.league.seasons.pyramid import TWO_TIERS
from tests.league.team_league import TeamLeague

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def desk() -> Client:
    """Return a logged-in organizer."""
    client = Client()
    client.force_login(user("director", is_staff=True, is_superuser=True))
    return client


def looked_at(desk: Client, path: str, field: str, data: dict[str, Any]) -> dict[str, Any]:
    """Submit a form that is looked at first; return what its second page sends."""
    page = desk.post(path, data).content.decode()
    return dict(next(form.untouched for form in forms_of(path, page) if field in form.fields))


def test_one_of_two_concurrent_rulings_on_a_tie_succeeds() -> None:
    season = final_table()
    for hanchan in table(season.blocks.get()).hanchan.order_by("round"):
        play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
    publish_standings(season.pk)
    first, second = in_block(season.blocks.get())[:2]
    rule = partial(rule_on_tie, competition=season, scope="final", by=SYSTEM, reason="by lot")
    answers = together(lambda: rule(order=[first, second]), lambda: rule(order=[second, first]))
    assert sorted(type(answer).__name__ for answer in answers) == ["Ruling", "str"]
    assert "ruled_already" in answers
    assert Ruling.objects.count() == 1
    assert same_as_rebuilt(season)


def test_one_of_two_concurrent_requests_takes_a_decision_back() -> None:
    season = league()
    block = season.blocks.get(key="A")
    made = adjust_points(block=block, entrant=in_block(block)[0], points=-200, by=SYSTEM, reason="late")
    undo = partial(take_back, decision=made, competition=season, by=SYSTEM, reason="was not late")
    assert set(together(undo, undo)) == {None, "already_taken_back"}
    assert Adjustment.objects.get().ended_n is not None


def test_one_of_two_concurrent_reverts_of_a_revision_succeeds() -> None:
    hanchan = table(league().blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (41100, 30200, 18700, 10000), corrects=1, reason="misread")
    revert = partial(revert_result, hanchan=hanchan, revision=1, corrects=2, by=SYSTEM, reason="it was right")
    assert "stale_revision" in together(revert, revert)
    assert ResultSheet.objects.counting().get().revision == 3


def test_a_table_released_by_three_people_at_once_has_one_entry_in_the_log() -> None:
    season = league()
    held = table(season.blocks.get(key="A"))
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    copies = [TableSession.objects.get(pk=held.pk) for _person in range(3)]
    together(*[partial(hold_back, table_session=each, until=None, by=SYSTEM) for each in copies])
    changes = Change.objects.filter(competition=season, kind="table_session.held_back").order_by("n")
    assert [bool((change.after or {})["public_at"]) for change in changes] == [True, False]
    held.refresh_from_db()
    assert (held.public_at, held.is_released) == (None, True)


def test_two_concurrent_swaps_of_the_same_slots_run_one_after_the_other() -> None:
    season = league()
    first, second = season.blocks.get(key="po2").slots.order_by("number")[:2]
    swap = partial(swap_slots, first=first, second=second, by=SYSTEM, reason="wrong way round")
    together(swap, swap)
    newest = [Override.objects.filter(slot=slot).order_by("made_n").last() for slot in (first, second)]
    assert [row.source for row in newest if row] == [first.source, second.source]


def test_an_adjustment_whose_button_is_pressed_twice_counts_once(desk: Client) -> None:
    block = league().blocks.get(key="A")
    play(table(block).hanchan.get(round=1))
    path = f"/admin/league/block/{block.pk}/adjust/"
    typed = {"entrant": in_block(block)[0].pk, "points": "-20", "reason": "late"}
    sent = {**typed, "seen": looked_at(desk, path, "seen", typed)["seen"]}
    answers: list[Any] = at_once(*[lambda: desk.post(path, sent)] * 2)
    assert Adjustment.objects.count() == 1
    assert sorted(answer.status_code for answer in answers) == [200, 302]


def test_a_roster_whose_button_is_pressed_twice_enters_each_player_once(desk: Client) -> None:
    season = league(status=None)
    before = Entrant.objects.count()
    path = f"/admin/league/competition/{season.pk}/set-up-players/"
    sent = {**looked_at(desk, path, "pasted", {"pasted": roster(16)}), "enter": "1"}
    answers: list[Any] = at_once(*[lambda: desk.post(path, sent)] * 3)
    assert Entrant.objects.count() == before + 16
    assert {answer.status_code for answer in answers} == {302}


def test_players_from_a_table_whose_button_is_pressed_twice_are_entered_once(desk: Client) -> None:
    season = league(status=None)
    before = Entrant.objects.count()
    path = f"/admin/league/competition/{season.pk}/roster-in/"
    sent = looked_at(desk, path, "table", {"pasted": roster(16)})
    at_once(*[lambda: desk.post(path, sent)] * 3)
    assert Entrant.objects.count() == before + 16


def test_players_whose_change_of_places_is_pressed_twice_have_changed_places(desk: Client) -> None:
    block = league().blocks.get(key="A")
    hanchan = table(block).hanchan.get(round=1)
    one, other = in_block(block)[:2]
    path = f"/admin/league/block/{block.pk}/swap/"
    sent = {
        **looked_at(desk, path, "seen", {"numbers": "1", "one": one.pk, "other": other.pk, "look": "1"}),
        "save": "1",
    }
    assert desk.post(path, sent).status_code == 302
    again: Any = desk.post(path, sent)
    assert again.context["has_changed"]
    seats = HanchanSeat.objects.filter(hanchan=hanchan).order_by("seat")
    assert [seat.entrant for seat in seats][:2] == [other, one]


def test_a_form_opened_earlier_leaves_what_another_tab_has_saved_meanwhile(desk: Client) -> None:
    season = league()
    entrant = in_block(season.blocks.get(key="A"))[0]
    for row, own, other in (
        (entrant.player, {"name": "港 一郎"}, {"affiliation": "灯台会"}),
        (season, {"name": "初春リーグ"}, {"name_en": "New Year League"}),
        (table(season.blocks.get(key="A")), {"venue": "荘"}, {"stream_url": "https://example.org/live"}),
    ):
        path = f"/admin/league/{row._meta.model_name}/{row.pk}/edit/"
        page = desk.get(path).content.decode()
        shown = dict(next(form.untouched for form in forms_of(path, page) if next(iter(own)) in form.fields))
        assert desk.post(path, {**shown, **own}).status_code == 302
        assert desk.post(path, {**shown, **other}).status_code == 302
        row.refresh_from_db()
        assert {name: getattr(row, name) for name in own | other} == own | other


def shown_at(desk: Client, path: str, name: str) -> dict[str, Any]:
    """Return the untouched fields of the form that has this one."""
    page = desk.get(path).content.decode()
    return dict(next(form.untouched for form in forms_of(path, page) if name in form.fields))


def test_a_value_that_two_tabs_change_is_shown_to_the_second_before_it_is_replaced(desk: Client) -> None:
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    season = league()
    series = create_series(plan=SeriesPlan(slug="spring", name="春", text=TWO_TIERS), by=SYSTEM)
    for row, name, first, second, said in (
        (season, "name", "初春リーグ", "新春リーグ", "“初春リーグ”"),
        (season, "confirmation", "second", "players", "“a second person”"),
        (series, "name", "A", "B", "“A”"),
        (table(season.blocks.get(key="A")), "starts_at_1", "19:00", "20:00", "19:00”"),
    ):
        path = f"/admin/league/{row._meta.model_name}/{row.pk}/edit/"
        shown = {**shown_at(desk, path, name), **({"starts_at_0": "2027-04-01"} if "starts" in name else {})}
        assert desk.post(path, {**shown, name: first}).status_code == 302
        # The same value from both is no contradiction.
        assert desk.post(path, {**shown, name: first}).status_code == 302
        refused: Any = desk.post(path, {**shown, name: second})
        assert refused.status_code == 422
        [message] = refused.context["form"].errors[name.removesuffix("_1")]
        assert message.startswith("Someone else has saved")
        assert said in message
        assert shown_at(desk, path, name)[name] == [first]
        again = next(form for form in forms_of(path, refused.content.decode()) if name in form.fields).untouched
        assert dict(again)[name] == [second]
        assert desk.post(path, dict(again)).status_code == 302
        assert shown_at(desk, path, name)[name] == [second]


def test_a_start_that_another_tab_has_moved_stays_if_this_one_changes_the_stream(desk: Client) -> None:
    row = table(league().blocks.get(key="A"), starts_at=dt.datetime(2027, 4, 1, 10, tzinfo=dt.UTC))
    path = f"/admin/league/tablesession/{row.pk}/edit/"
    shown = shown_at(desk, path, "starts_at_1")
    assert desk.post(path, {**shown, "starts_at_1": "21:30"}).status_code == 302
    # A refusal in between keeps what the page had shown.
    refused = desk.post(path, {**shown, "stream_url": "no address"})
    again = next(form for form in forms_of(path, refused.content.decode()) if "stream_url" in form.fields).untouched
    assert desk.post(path, {**dict(again), "stream_url": "https://example.org/live"}).status_code == 302
    row.refresh_from_db()
    assert row.starts_at == dt.datetime(2027, 4, 1, 12, 30, tzinfo=dt.UTC)
    assert row.stream_url == "https://example.org/live"


@pytest.mark.parametrize(("page", "field"), [("set-up-players", "pasted"), ("roster-in", "table")])
def test_a_roster_entered_in_the_admin_and_the_merge_of_one_of_its_players_do_not_wait_for_each_other(
    desk: Client, page: str, field: str
) -> None:
    for number in range(4):
        season = league(f"season-{number}", status=None)
        duplicate, keep = new_player(name=f"Twice {number}", by=SYSTEM), new_player(name=f"Once {number}", by=SYSTEM)
        enter_players(competition=season, players=[duplicate], by=SYSTEM)
        path = f"/admin/league/competition/{season.pk}/{page}/"
        sent = {**looked_at(desk, path, field, {"pasted": f"name,key\n{keep.name},{keep.key}"}), "enter": "1"}
        _merged, shown = at_once(
            partial(merge_players, duplicate=duplicate, keep=keep, by=SYSTEM), partial(desk.post, path, sent)
        )
        assert shown.status_code in {200, 302, 422}  # type: ignore[attr-defined]
        assert season.entrants.filter(player=keep).exists()


def test_teams_imported_and_the_merge_of_one_of_them_do_not_wait_for_each_other() -> None:
    for number in range(4):
        season = TeamLeague(f"season-{number}")
        keep = Player.objects.create(key=f"known-{number}", name=f"Known {number}", is_team=True)
        rows = read_table(f"team,name\n{keep.name},", COLUMNS)
        merge = partial(merge_players, duplicate=season.teams[0].player, keep=keep, by=SYSTEM)
        bring = partial(import_teams, competition=season.competition, table=rows, by=SYSTEM, keep=True)
        at_once(merge, bring)
        assert season.competition.entrants.filter(player=keep).count() == 1
