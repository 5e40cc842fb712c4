"""Tests of the pages of a table with a live log, for scorers, players and the public: access and content."""

from __future__ import annotations

import datetime as dt
import json
import re
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from league.models import Competition, Hanchan, Role, TableLink, TableSession
from league.services.live.links import make_link
from league.services.live.log import NewEvent, append_events
from league.views.live.score_graph import BETWEEN_LABELS, HEIGHT, TOP, grid, score_graph
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours

NAMES = ("東雲", "南田", "西尾", "北村")


@pytest.fixture(scope="module")
def scheduled(shared_rows: None) -> TableSession:
    """Schedule a table of four players with two hanchan."""
    return factories.table(factories.final_table().blocks.get(), numbers=(1, 2))


@pytest.fixture
def table(scheduled: TableSession, db: None) -> TableSession:
    return TableSession.objects.get(pk=scheduled.pk)


@pytest.fixture
def league(table: TableSession) -> Competition:
    return table.competition


def hanchan_of(table: TableSession) -> Hanchan:
    """Return the table's first hanchan."""
    return table.hanchan.get(round=1)


def enter(hanchan: Hanchan, *entries: dict[str, object]) -> None:
    """Start the hanchan if needed and write these entries."""
    count = hanchan.events.count()
    events = [NewEvent(f"entry{count + place}", "entry", {"entry": entry}) for place, entry in enumerate(entries)]
    begin = [] if count else [NewEvent("begin", "start", {})]
    append_events(hanchan=hanchan, events=[*begin, *events], after=count, by=SYSTEM)


MANGAN: dict[str, object] = {"type": "ron", "loser": 0, "wins": [{"seat": 2, "value": {"limit": "mangan"}}]}


def sheet_data(html: str) -> dict[str, object]:
    """Return the JSON data that the page passes to its script."""
    found = re.search(r'<script id="sheet-data" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


@pytest.mark.both_databases
def test_a_link_opens_only_the_score_sheet_of_its_own_table(client: Client, table: TableSession) -> None:
    other = factories.table(table.block, numbers=(3,))
    link = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=SYSTEM)
    answer = client.get(f"/t/{link.token}/", follow=True)
    assert answer.status_code == 200
    data = sheet_data(answer.content.decode())
    assert data["table"] == table.pk
    assert "csrf" in data
    assert client.get(f"/tables/{other.pk}/sheet/").status_code == 302


def test_the_score_sheet_redirects_anonymous_users_to_login_and_answers_404_to_others(table: TableSession) -> None:
    address = f"/tables/{table.pk}/sheet/"
    assert "login" in Client().get(address).headers["Location"]
    stranger = Client()
    stranger.force_login(factories.user("stranger"))
    assert stranger.get(address).status_code == 404


def test_the_score_sheet_of_a_table_without_hanchan_answers_404_with_a_message(client: Client, db: None) -> None:
    competition = parlours.parlour("banchi3")
    sitting = parlours.sitting(competition, parlours.guests(competition, 3))
    client.force_login(factories.user("counter", Role.DIRECTOR, competition))
    answer = client.get(f"/tables/{sitting.table_session_id}/sheet/", headers={"Accept-Language": "en"})
    assert answer.status_code == 404
    assert "Nothing is planned at this table yet" in answer.content.decode()


@pytest.mark.both_databases
def test_the_score_sheet_of_an_unknown_hanchan_answers_404_and_links_to_the_tables_own(
    client: Client, table: TableSession
) -> None:
    client.force_login(factories.user("scorer", Role.SCORER, table.competition))
    answer = client.get(f"/tables/{table.pk}/sheet/?hanchan=999999", headers={"Accept-Language": "en"})
    assert answer.status_code == 404
    assert f'href="/tables/{table.pk}/sheet/"' in answer.content.decode()


def test_without_javascript_staff_get_a_link_to_the_entry_form(client: Client, table: TableSession) -> None:
    client.force_login(factories.user("scorer", Role.SCORER, table.competition, is_staff=True))
    page = client.get(f"/tables/{table.pk}/sheet/").content.decode()
    assert f"/admin/league/tablesession/{table.pk}/entry/" in page.split("<noscript>")[1]


def test_a_player_link_redirects_to_the_confirmation_page_and_its_script(client: Client, table: TableSession) -> None:
    entrant = hanchan_of(table).seats.get(seat=1).entrant
    link = make_link(table_session=table, kind=TableLink.Kind.PLAYER, by=SYSTEM, entrant=entrant)
    answer = client.get(f"/t/{link.token}/", follow=True)
    assert answer.redirect_chain[-1][0] == f"/tables/{table.pk}/confirm/"
    assert "sheet/confirm.js" in answer.content.decode()


def test_a_hand_given_in_tiles_is_valued_by_the_rules_of_the_hanchan(client: Client, db: None) -> None:
    competition = parlours.parlour("superbingo")
    table = factories.table(competition.blocks.get(), parlours.guests(competition, 3), numbers=(1,))
    link = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=SYSTEM)
    client.get(f"/t/{link.token}/")
    address = f"/tables/{table.pk}/sheet/hand/"
    hand = {"hand": "234p678s789p555z9s + 9s", "seat": "S", "round": "E", "by": "ron", "riichi": "riichi"}
    answer = client.get(address, hand).json()
    assert (answer["value"]["han"], answer["value"]["fu"], answer["errors"]) == (2, 30, [])
    assert client.get(address, {**hand, "hand": "234p678s789p555z9s + 8s"}).json()["value"] is None
    broken = client.get(address, {"hand": "99999p", "round": "X"}).json()
    assert broken["value"] is None
    assert broken["errors"]
    assert Client().get(address).status_code == 404


def test_the_service_worker_script_is_served_uncached(client: Client, db: None) -> None:
    answer = client.get("/tables/worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]


def test_the_public_live_page_shows_scores_graph_and_round(client: Client, table: TableSession) -> None:
    hanchan = hanchan_of(table)
    address = f"/c/final/hanchan/{hanchan.pk}/live/"
    assert "has not begun" in client.get(address, headers={"accept-language": "en"}).content.decode()
    enter(hanchan, MANGAN, {"type": "riichi", "seat": 1})
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "33,000" in page
    assert "17,000" in page
    assert page.count("<polyline") == 4
    assert "East 2" in page


def test_the_unchanged_live_fragment_answers_304(client: Client, table: TableSession) -> None:
    hanchan = hanchan_of(table)
    enter(hanchan, MANGAN)
    address = f"/c/final/hanchan/{hanchan.pk}/live/now/"
    assert client.get(address).headers["Cache-Control"] == "public, max-age=1"
    tag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": tag}).status_code == 304
    enter(hanchan, {"type": "riichi", "seat": 1})
    assert client.get(address, headers={"if-none-match": tag}).status_code == 200


@pytest.mark.both_databases
def test_the_public_live_page_respects_the_live_delay(client: Client, table: TableSession) -> None:
    Competition.objects.update(live_delay=10)
    hanchan = hanchan_of(table)
    enter(hanchan, MANGAN)
    address = f"/c/final/hanchan/{hanchan.pk}/live/"
    assert "33,000" not in client.get(address).content.decode()
    with time_machine.travel(timezone.now() + dt.timedelta(minutes=11)):
        assert "33,000" in client.get(address).content.decode()
    client.force_login(factories.user("scorer", Role.SCORER, table.competition))
    assert "33,000" in client.get(address).content.decode()


LAST_HAND: dict[str, object] = {
    "type": "ruling",
    "reason": "as it stood",
    "goes_on": {"round": "S", "number": 4, "honba": 0},
}


def shows_advice(client: Client, hanchan: Hanchan) -> bool:
    """Return True if the live page shows the needs of the last hand; require that page and fragment agree."""
    address = f"/c/final/hanchan/{hanchan.pk}/live/"
    pages = [
        client.get(each, headers={"accept-language": "en"}).content.decode() for each in (address, f"{address}now/")
    ]
    told = ["What the last hand needs" in page and "to win the game" in page for page in pages]
    assert told[0] == told[1]
    return told[0]


def test_advice_for_the_last_hand_is_shown_by_the_competitions_setting(table: TableSession) -> None:
    hanchan = hanchan_of(table)
    enter(hanchan, MANGAN)
    staff = Client()
    staff.force_login(factories.user("boss", Role.DIRECTOR, table.competition))
    assert not shows_advice(staff, hanchan)
    enter(hanchan, LAST_HAND)
    for advice, expected in (("staff", (True, False)), ("public", (True, True)), ("nowhere", (False, False))):
        Competition.objects.update(advice=advice)
        assert (shows_advice(staff, hanchan), shows_advice(Client(), hanchan)) == expected


def test_a_device_with_a_link_gets_no_advice_on_the_public_page(client: Client, table: TableSession) -> None:
    Competition.objects.update(advice="public")
    hanchan = hanchan_of(table)
    enter(hanchan, MANGAN, LAST_HAND)
    assert shows_advice(client, hanchan)
    link = make_link(
        table_session=table, kind=TableLink.Kind.PLAYER, entrant=hanchan.seats.get(seat=0).entrant, by=SYSTEM
    )
    client.get(f"/t/{link.token}/")
    assert not shows_advice(client, hanchan)


def test_advice_for_the_last_hand_respects_the_live_delay(client: Client, table: TableSession) -> None:
    Competition.objects.update(advice="public", live_delay=10)
    hanchan = hanchan_of(table)
    enter(hanchan, MANGAN, LAST_HAND)
    assert not shows_advice(client, hanchan)
    with time_machine.travel(timezone.now() + dt.timedelta(minutes=11)):
        assert shows_advice(client, hanchan)


def test_an_embargoed_table_answers_404_to_the_public(client: Client, league: Competition) -> None:
    later = timezone.now() + dt.timedelta(days=1)
    held = factories.table(league.blocks.get(), numbers=(1,), public_at=later)
    hanchan = hanchan_of(held)
    enter(hanchan, MANGAN)
    assert client.get(f"/c/final/hanchan/{hanchan.pk}/live/").status_code == 404
    assert client.get(f"/c/final/hanchan/{hanchan.pk}/live/now/").status_code == 404


def test_the_public_live_page_of_an_open_table_answers_404(client: Client, db: None) -> None:
    competition = parlours.parlour("banchi3")
    table = factories.table(competition.blocks.get(), parlours.guests(competition, 3), numbers=(1,))
    assert client.get(f"/c/banchi3/hanchan/{hanchan_of(table).pk}/live/").status_code == 404


def test_the_overlay_page_is_static_and_loads_its_data_by_script(client: Client, db: None) -> None:
    answer = client.get("/overlay/987654/")
    assert answer.status_code == 200
    assert "overlay.js" in answer.content.decode()


def test_pages_of_a_running_table_link_to_the_live_page(
    client: Client, table: TableSession, django_capture_on_commit_callbacks: Any
) -> None:
    hanchan = hanchan_of(table)
    address = f"/c/final/hanchan/{hanchan.pk}/live/"
    assert address not in client.get(f"/c/final/tables/{table.pk}/").content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        enter(hanchan, MANGAN)
    assert address in client.get(f"/c/final/tables/{table.pk}/").content.decode()
    assert address in client.get(f"/c/final/hanchan/{hanchan.pk}/").content.decode()


def test_a_score_graph_needs_a_finished_kyoku() -> None:
    assert score_graph(NAMES, [(25000,) * 4], []) is None


def test_every_score_lies_within_the_graph_and_its_levels_are_round_numbers() -> None:
    rows = [(25000,) * 4, (57000, 17000, 9000, 17000), (-4200, 48300, 20100, 35800)]
    graph = score_graph(NAMES, rows, ["東1", "東2"])
    assert graph is not None
    ys = [int(point.split(",")[1]) for curve in graph.curves for point in curve.points.split()]
    assert min(ys) >= TOP
    assert max(ys) <= HEIGHT
    assert [level.value for level in graph.levels] == [-20000, 0, 20000, 40000, 60000]
    assert [mark.text for mark in graph.hands] == ["東1", "東2"]


def test_labels_of_lines_keep_a_distance_even_with_equal_scores() -> None:
    graph = score_graph(NAMES, [(25000,) * 4, (25000,) * 4], ["東1"])
    assert graph is not None
    places = sorted(curve.label_y for curve in graph.curves)
    assert all(lower - upper >= BETWEEN_LABELS for upper, lower in pairwise(places))
    assert places[-1] <= HEIGHT


def test_a_graph_of_many_kyoku_labels_only_some_and_always_the_last() -> None:
    rows = [(25000,) * 4] * 21
    graph = score_graph(NAMES, rows, [str(number) for number in range(20)])
    assert graph is not None
    assert graph.hands[-1].text == "19"
    assert len(graph.hands) <= 6


@pytest.mark.parametrize(
    ("low", "high", "levels"), [(0, 0, [0, 10]), (2000, 2000, [2000, 2010]), (90, 1010, [*range(0, 1201, 200)])]
)
def test_a_grid_has_at_least_two_levels_and_holds_every_score(low: int, high: int, levels: list[int]) -> None:
    assert grid(low, high) == levels
