"""Tests of the replay of hanchan played online: the pages, their link, and what hides them."""

from __future__ import annotations

import datetime as dt
import json
import re

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Hanchan, Paifu, Role
from league.services.competitions.schedule import hold_back
from league.services.people.erasure import erase_player
from league.services.results.results import void_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.online import applied, four, game, named, online_league, scorer, table_of

pytestmark = pytest.mark.django_db


def imported(seed: int = 1) -> tuple[Competition, Hanchan]:
    """Import a game and publish it; return its competition and hanchan."""
    competition = online_league()
    table_of(competition)
    applied(competition, game(seed, named(competition)), by=scorer(competition))
    publish_standings(competition.pk)
    return competition, Paifu.objects.get().hanchan


def address(hanchan: Hanchan, kyoku: int | None = None) -> str:
    """Return the address of the list of kyoku, or of one of them."""
    return f"/c/online/hanchan/{hanchan.pk}/replay/" + (f"{kyoku}/" if kyoku else "")


def content(client: Client, path: str) -> str:
    """Return a page in English."""
    response = client.get(path, headers={"accept-language": "en"})
    assert response.status_code == 200, path
    return response.content.decode()


def test_hanchan_table_and_live_page_lead_to_the_replay_and_that_to_every_kyoku(client: Client) -> None:
    _competition, hanchan = imported()
    for path in (f"hanchan/{hanchan.pk}/", f"tables/{hanchan.table_session_id}/", f"hanchan/{hanchan.pk}/live/"):
        assert address(hanchan) in content(client, f"/c/online/{path}"), path
    hands, page = game().hands, content(client, address(hanchan))
    assert [f'href="{address(hanchan, n)}"' in page for n in (1, len(hands), len(hands) + 1)] == [True, True, False]
    assert client.get(address(hanchan, len(hands) + 1)).status_code == 404
    assert client.get(address(hanchan, len(hands))).status_code == 200


def test_without_scripts_every_step_is_a_line_and_the_board_shows_the_final_hands(client: Client) -> None:
    competition, hanchan = imported()
    page, kyoku = content(client, address(hanchan, 1)), game().hands[0]
    lines = page[page.index('<ol start="0">') :].split("<li>")[1:]
    assert len(lines) == len(kyoku.steps) + 1
    assert lines[0].startswith("The tiles are dealt; dora indicator: ")
    assert re.match(
        rf"{four(competition)[0].player.name_romaji} draws .+ <span class=\"tile-row\"><svg .*aria-hidden", lines[1]
    )
    discards = sum(step.kind == "discard" for step in kyoku.steps)
    assert page.count("data-made=") == discards
    assert page.count('class="controls" hidden') == 1


def test_the_data_of_the_script_names_only_what_each_step_changes(client: Client) -> None:
    _competition, hanchan = imported()
    page, kyoku = content(client, address(hanchan, 1)), game().hands[0]
    found = re.search(r'<script id="replay-data" type="application/json">(.*?)</script>', page)
    assert found
    frames = json.loads(found[1])["frames"]
    assert len(frames) == len(kyoku.steps) + 1
    assert [len(frame["seats"]) for frame in frames[:2]] == [4, 1]
    assert frames[1]["seats"]["0"]["drawn"]


def test_the_outcome_has_the_yaku_and_points_as_our_rules_count_them(client: Client) -> None:
    _competition, hanchan = imported()
    hands = game().hands
    number = next(n for n, kyoku in enumerate(hands, start=1) if kyoku.wins)
    page, win = content(client, address(hanchan, number)), hands[number - 1].wins[0]
    assert f"{win.han} han" in page
    assert 'class="tile-face won"' in page
    assert all(f"{abs(change):,}" in page for change in hands[number - 1].deltas)


def test_a_public_hanchan_without_a_record_or_a_result_has_no_replay(client: Client) -> None:
    competition, hanchan = imported()
    other = hanchan.table_session.hanchan.exclude(pk=hanchan.pk).first()
    assert other is not None
    assert client.get(address(other)).status_code == 404
    void_hanchan(hanchan=hanchan, reason="Wrong table", by=factories.SYSTEM)
    publish_standings(competition.pk)
    assert client.get(address(hanchan, 1)).status_code == 404
    assert "Replay tile by tile" not in content(client, f"/c/online/hanchan/{hanchan.pk}/")


def test_a_replay_under_embargo_is_shown_to_organizers_alone(client: Client) -> None:
    competition, hanchan = imported()
    until = timezone.now() + dt.timedelta(days=1)
    hold_back(table_session=hanchan.table_session, until=until, by=factories.SYSTEM)
    publish_standings(competition.pk)
    assert [client.get(address(hanchan, kyoku)).status_code for kyoku in (None, 1)] == [404, 404]
    client.force_login(factories.user("second", Role.SCORER, competition))
    assert [client.get(address(hanchan, kyoku)).status_code for kyoku in (None, 1)] == [200, 200]


def test_the_spoiler_guard_hides_the_replay_of_a_later_session(client: Client) -> None:
    _competition, hanchan = imported()
    client.get("/c/online/", {"until": 0})
    assert [client.get(address(hanchan, kyoku)).status_code for kyoku in (None, 1)] == [404, 404]
    assert "Replay tile by tile" not in content(client, f"/c/online/hanchan/{hanchan.pk}/")


def test_an_erased_person_has_no_name_in_the_replay(client: Client) -> None:
    competition, hanchan = imported()
    player = four(competition)[0].player
    name = player.name_romaji
    assert name in content(client, address(hanchan, 1))
    erase_player(player=player, by=factories.actor(factories.user("root", is_superuser=True)))
    publish_standings(competition.pk)
    pages = [content(Client(), address(hanchan, kyoku)) for kyoku in (None, 1)]
    assert not any(name in page for page in pages)
