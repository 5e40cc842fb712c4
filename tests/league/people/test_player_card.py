"""Test a player's page in a league: what it answers in every state of a season, in both languages, with few queries."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Entrant, Hanchan, Standing
from league.selectors.access.readers import public_reader_of
from league.selectors.people.player_card import Fate, PlayerCard
from league.services.competitions.departures import withdraw
from league.services.live.log import NewEvent, append_events
from league.services.results.rulings import adjust_points
from league.services.standings.odds import publish_odds
from tests.factories import SYSTEM
from tests.league.played_season import BY, Season, almost_finished, preliminary

pytestmark = pytest.mark.django_db
TAG = re.compile(r"<[^>]*>")


def page(key: str, language: str = "en") -> str:
    """Return the text of a player's page."""
    answer = Client(headers={"accept-language": language}).get(f"/c/spring/players/{key}/")
    assert answer.status_code == 200
    return " ".join(TAG.sub(" ", answer.content.decode().partition("<main")[2]).split())


def ranked(season: Season, block: str) -> list[Entrant]:
    """Return the entrants of a block as the public sees them ranked."""
    rows = Standing.objects.filter(block=season.block(block), audience="public").order_by("position")
    return [row.entrant for row in rows.select_related("entrant__player", "entrant__competition")]


def card(season: Season, entrant: Entrant) -> PlayerCard:
    """Return the public's card of an entrant."""
    season.competition.refresh_from_db()
    return PlayerCard(public_reader_of(season.competition), entrant)


def test_before_the_first_result_nothing_is_claimed(db: None) -> None:
    season = Season()
    season.publish()
    entrant = ranked(season, "A")[0]
    shown = card(season, entrant)
    assert (shown.has_rank, shown.fate, shown.chance, shown.border) == (False, Fate.OPEN, None, None)
    text = page(entrant.player.key)
    assert "No table is planned." in text
    assert "No result yet." in text
    assert "eliminated" not in text


def test_outside_the_border_is_not_eliminated_while_it_is_open() -> None:
    season = preliminary(1)
    last = ranked(season, "A")[-1]
    assert card(season, last).fate is Fate.OPEN
    assert "below the cut" in page(last.player.key)
    japanese = page(last.player.key, "ja")
    assert "圏外" in japanese
    assert "敗退" not in japanese


def test_a_card_in_a_final_says_rank_gap_chance_needs_next_game_and_path() -> None:
    season = almost_finished()
    publish_odds(season.competition.pk)
    second = ranked(season, "final")[1]
    shown = card(season, second)
    assert shown.chance is not None
    assert shown.border is not None
    assert (shown.border.is_title, shown.border.is_in, shown.border.gap) == (True, False, -303)
    text = page(second.player.key)
    for told in ("Total 17.9", "To the lead 30.3", f"Title chance {shown.chance.text}%", "30.3 behind Asahina (1st)"):
        assert told in text
    assert "16.9 ahead of Otowa (3rd)" in text
    assert re.search(r"1st if Asahina is 2nd: 300 ahead or more otherwise always enough", text)
    assert "with Shiratori, Otowa, Asahina" in text
    assert re.search(r"Block A 4th 1\.9 .*Playoff 3 1st 14\.0 .*Final 2nd 17\.9 here now", text)
    japanese = page(second.player.key, "ja")
    for told in (
        "トータル 17.9",
        "首位まで 30.3",
        "優勝確率",
        "1位朝比奈まで30.3、3位音羽とは16.9差",
        "3着以下 届かず",
    ):
        assert told in japanese


def test_who_was_spared_a_stage_sees_it_on_the_path() -> None:
    season = almost_finished()
    first = ranked(season, "A")[0]
    assert [stop.spared != () for stop in card(season, first).path] == [False, True, False]
    assert "Playoff 1, Playoff 2, Playoff 3 spared seeded" in page(first.player.key)


def test_champion_placed_and_eliminated_are_named_once_they_are_certain() -> None:
    season = almost_finished()
    season.play_rest("final")
    season.publish()
    order = ranked(season, "final")
    assert [card(season, each).fate for each in order] == [Fate.CHAMPION, *[Fate.PLACED] * 3]
    assert "Title won" in page(order[0].player.key)
    assert "Final rank 2nd" in page(order[1].player.key)
    out = ranked(season, "A")[-1]
    assert card(season, out).fate is Fate.OUT
    assert "勝ち上がり 敗退" in page(out.player.key, "ja")


def test_a_player_who_goes_on_is_certain_before_the_next_stage_begins() -> None:
    season = preliminary()
    first = ranked(season, "A")[0]
    shown = card(season, first)
    assert shown.standing is not None
    assert shown.standing.block.key == "final", "the place there is theirs"
    assert not shown.has_rank
    assert "Block A 1st" in page(first.player.key)


def test_a_withdrawn_player_needs_nothing() -> None:
    season = preliminary(1)
    entrant = ranked(season, "A")[2]
    withdraw(entrant=entrant, by=BY, reason="moved away")
    season.publish()
    entrant.refresh_from_db()
    assert card(season, entrant).fate is Fate.WITHDRAWN
    text = page(entrant.player.key)
    assert "State withdrawn" in text
    assert "What it takes" not in text


def test_a_penalty_is_a_row_of_the_results_and_the_total_is_one_everywhere() -> None:
    season = preliminary(1)
    entrant = ranked(season, "A")[0]
    before = Standing.objects.get(block=season.block("A"), entrant=entrant, audience="public").total
    adjust_points(block=season.block("A"), entrant=entrant, points=-200, by=BY, reason="late twice")
    season.publish()
    total = f"{(before - 200) / 10:.1f}"
    text = page(entrant.player.key)
    assert "late twice" in text
    assert "-20.0" in text
    assert text.count(f"Total {total}") == 2, "on the card and below the results"
    assert total in Client(headers={"accept-language": "en"}).get("/c/spring/").content.decode()
    rest = Client().get("/api/v1/standings/?competition=spring&block=A").json()
    assert total in str(rest)


def test_a_running_game_says_where_the_player_would_end() -> None:
    season = almost_finished()
    second = ranked(season, "final")[1]
    hanchan = Hanchan.objects.get(block=season.block("final"), number=4)
    client = Client(headers={"accept-language": "en"})
    address = f"/c/spring/players/{second.player.key}/"
    before = client.get(address)
    append_events(hanchan=hanchan, events=[NewEvent("begin", "start", {})], by=SYSTEM, after=0)
    after = client.get(address)
    assert after.headers["ETag"] != before.headers["ETag"], "a page with a running game follows its log"
    text = page(second.player.key)
    assert "Live" in text
    assert "25,000" in text
    assert re.search(r"if it ended now: -?[\d.]+", text)


def test_a_cold_page_takes_few_queries_however_many_hanchan_were_played() -> None:
    counts = []
    season = preliminary(1)
    for _more in range(2):
        key = ranked(season, "A")[0].player.key
        with CaptureQueriesContext(connection) as found:
            assert Client().get(f"/c/spring/players/{key}/").status_code == 200
        counts.append(len(found))
        season.play_rest("A")
        season.publish()
    assert max(counts) <= 12
