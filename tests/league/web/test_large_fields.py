"""Test the pages of large fields: what is open, what is folded, and that nothing is left out."""

from __future__ import annotations

import gzip
import re
from decimal import Decimal

import pytest
from django.test import Client

from league.forms.competitions.setup import SeedsForm
from league.models import Block, Competition, Hanchan, Player, Standing
from league.selectors.access.readers import public_reader_of
from league.selectors.competitions.overview import sessions_around, stamp_of
from league.selectors.standings.tables import StandingLine
from league.services.standings.publishing import publish_standings
from league.web.standings.large_fields import AROUND, FOLD, SLACK, folds, parts_of
from tests.league.large_fields import large_league, many_blocks, open_field

PEOPLE, BEST, ROUNDS = 40, 8, 3
MOST_BYTES = 100 * 1024
FOLDED = re.compile(r"<details class=\"fold\"[^>]*>.*?</details>", re.DOTALL)


def page(path: str, language: str = "en") -> str:
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == 200
    assert len(gzip.compress(response.content, 6)) < MOST_BYTES
    return str(response.content.decode())


def line(*, is_border: bool) -> StandingLine:
    return StandingLine(Standing(total=0), None, None, is_last_before_border=is_border)


@pytest.mark.parametrize("border", [1, 8, 24, 30, 100, 223])
def test_parts_of_any_field_hold_each_place_once_and_none_is_tiny(border: int) -> None:
    other, last = line(is_border=False), line(is_border=True)
    for count in range(4, 301):
        parts = parts_of([last if place == border < count else other for place in range(1, count + 1)], count)
        assert [place for part in parts for place in range(part.first, part.last + 1)] == list(range(1, count + 1))
        shown = {place for part in parts if part.is_open for place in range(part.first, part.last + 1)}
        assert shown >= set(range(1, min(count, FOLD) + 1))
        if border < count:
            assert shown >= set(range(max(1, border - AROUND + 1), min(count, border + AROUND) + 1))
        assert len(shown) < FOLD + 2 * AROUND + 3 * SLACK
        assert all(SLACK <= part.last - part.first + 1 < FOLD + SLACK for part in parts if not part.is_open)


def test_a_list_is_folded_into_parts_with_each_row_once() -> None:
    for count in range(4, 301):
        rows = [row for fold in folds(range(count)) for row in fold.rows]
        assert rows == list(range(count))
        assert sum(fold.is_open for fold in folds(range(count))) == 1
        assert not any(fold.is_open for fold in folds(range(count), opens_first=False)) or count < FOLD + SLACK


@pytest.mark.django_db
def test_a_large_field_shows_the_places_that_lead_on_and_folds_the_rest_with_all_rows_in_the_page() -> None:
    league = large_league(open_field(PEOPLE, ROUNDS, 1, BEST), 1)
    for path, end in (("/c/large/", 'class="mepin"'), ("/c/large/blocks/main/", 'id="needs-title"')):
        html = page(path)
        table = html[html.index('class="strip"') : html.index(end)]
        shown, folded = FOLDED.sub("", table), "".join(FOLDED.findall(table))
        names = {f"/c/large/players/{key}/" for key in league.entrants.values_list("player__key", flat=True)}
        assert len(names) == PEOPLE
        assert sum(f'href="{name}"' in shown for name in names) >= BEST
        assert sum(f'href="{name}"' in folded for name in names) == PEOPLE - FOLD
        assert all(f'href="{name}"' in shown + folded for name in names)
        assert "25th to 40th" in folded
        assert re.findall(r'class="tk[^"]*" d="([^"]*)"', html)[1].count("M") == PEOPLE - BEST
        assert "25位〜40位" in page(path, "ja")
    home = page("/c/large/")
    assert 'class="bd"' in home
    assert "(dashed)" in home
    for html in (home, page(f"/c/large/players/{league.entrants.values_list('player__key', flat=True)[0]}/")):
        mini = html.partition('class="mini"')[2].partition("</svg>")[0]
        assert 0 < len(re.findall(r"M\d+ \d+h44", mini)) < PEOPLE
    _the_schedule_opens_the_rounds_to_come(league)
    _the_border_is_a_document_with_its_gap_and_those_level_across_it()
    _every_long_list_is_searched_and_unfolded_without_javascript(league)
    _every_table_can_be_tried_out(league)
    _a_large_block_is_seeded_by_a_list_of_lines(league)


def _the_schedule_opens_the_rounds_to_come(league: Competition) -> None:
    html = page("/c/large/sessions/")
    rounds = re.findall(r'<details class="fold" id="session-1-(\d)"( open)?>', html)
    assert rounds == [("1", ""), ("2", " open"), ("3", " open")]
    assert html.count("data-people=") == ROUNDS * PEOPLE // 4 + 4 + 1, "tables of the semifinal and the final too"
    first = page("/c/large/sessions/1/")
    assert first.count('class="sheet result"') == PEOPLE // 4
    reader = public_reader_of(league)
    latest, upcoming = sessions_around(reader, stamp_of(reader))
    assert latest is not None
    assert upcoming is not None
    assert {table.newest.hanchan.number for table in latest.tables if table.newest} == {1}
    assert all(table.awaited for table in upcoming.tables)
    assert {table.awaited[0].hanchan.number for table in upcoming.tables} == {2}
    assert "All tables of the session" in page("/c/large/")


def _every_table_can_be_tried_out(league: Competition) -> None:
    first, last = Hanchan.objects.filter(block__competition=league, number=2).order_by("pk")[:40:9]
    assert f'name="s{first.pk}"' in page("/c/large/what-if/")
    seat = last.seats.select_related("entrant")[0]
    Player.objects.filter(pk=seat.entrant.player_id).update(name="筑波 あおい", name_kana="", name_romaji="")
    typed = f"s{first.pk}=400&s{first.pk}=300&s{first.pk}=200&s{first.pk}=100"
    html = page(f"/c/large/what-if/?q=筑波&{typed}")
    assert f'name="s{last.pk}"' in FOLDED.sub("", html)
    assert f'name="s{first.pk}" value="400"' in "".join(FOLDED.findall(html)), "what was typed stays, and counts"
    assert 'class="num total' in html.partition('id="result"')[2]
    link = re.compile(r"/c/large/tables/\d+/share/")
    tables = [len({*link.findall(page(f"/c/large/share/{asked}"))}) for asked in ("", "?q=筑波", "?q=<b>")]
    assert tables == [(ROUNDS - 1) * PEOPLE // 4, ROUNDS - 1, 0]
    assert f"/tables/{last.table_session_id}/share/" in page("/c/large/share/?q=筑波")


def _a_large_block_is_seeded_by_a_list_of_lines(league: Competition) -> None:
    block = Block.objects.get(competition=league, key="main")
    people = list(league.entrants.order_by("number"))
    form = SeedsForm(block=block, all_entrants=people)
    assert list(form.fields) == ["order"]
    assert str(form["order"].value()).startswith("1 ")
    backwards = "\n".join(f"{each.number} {each}" for each in reversed(people))
    good = SeedsForm({"order": backwards}, block=block, all_entrants=people)
    assert good.is_valid()
    assert good.entrants() == people[::-1]
    for order in ("x", f"{backwards}\n1", "1\n1"):
        assert not SeedsForm({"order": order}, block=block, all_entrants=people).is_valid()


def _every_long_list_is_searched_and_unfolded_without_javascript(league: Competition) -> None:
    last = league.entrants.select_related("player").get(number=PEOPLE)
    Player.objects.filter(pk=last.player_id).update(
        name="霞ヶ浦 みさき", name_kana="かすみがうら みさき", name_romaji=""
    )
    publish_standings(league.pk)
    others = list(league.entrants.exclude(pk=last.pk).values_list("player__key", flat=True))
    for path in ("blocks/main/", "players/", "sessions/", "sessions/1/", "ladder/"):
        for text in ("霞ヶ浦", "カスミガウラ", str(PEOPLE)):
            html = page(f"/c/large/{path}?q={text}").partition("<main")[2]
            if path == "ladder/":
                html = html.partition('id="ladder-list"')[2]
            assert "霞ヶ浦 みさき" in FOLDED.sub("", html), (path, text)
            if "sessions" not in path:
                assert not any(f'/players/{key}/"' in html for key in others), (path, text)
        assert "No player is called “&lt;b&gt;”." in page(f"/c/large/{path}?q=<b>"), path
        whole = page(f"/c/large/{path}?show=all")
        parts = re.findall(r'<details class="fold" id="([^"]*)"( open)?>', whole)
        assert all(is_open for _key, is_open in parts if not _key.startswith(("more-", "grid"))), (path, parts)
        assert 'href="?show=all"' in page(f"/c/large/{path}"), path
    tables = page("/c/large/sessions/?q=霞ヶ浦")
    assert tables.count("data-people=") == ROUNDS
    assert "3 found" in tables


def _the_border_is_a_document_with_its_gap_and_those_level_across_it() -> None:
    found = Client().get("/api/v1/standings/?competition=large&block=main").json()["blocks"][0]
    rows, border = found["rows"], found["border"]
    inside, outside = rows[BEST - 1], rows[BEST]
    assert (border["places"], border["in"], border["out"]) == (BEST, inside["entrant"], outside["entrant"])
    assert Decimal(border["gap"]) == Decimal(inside["total"]) - Decimal(outside["total"])
    is_level = inside["rank"] == outside["rank"]
    assert border["level"] == [row["entrant"] for row in rows if is_level and row["rank"] == inside["rank"]]
    assert border["awaits_ruling"] is False
    html = page("/c/large/blocks/main/")
    assert ("level across the border" in html) is is_level
    assert ("8th and 9th: " in html) is not is_level
    semi = Client().get("/api/v1/standings/?competition=large&block=semi").json()["blocks"][0]
    assert semi["border"] is None


@pytest.mark.django_db
def test_many_blocks_are_folded_with_their_leaders() -> None:
    large_league(many_blocks(12, 4, 2), 1)
    html = page("/c/large/")
    assert html.count('id="fold-B') == 12
    assert len(re.findall(r"Group \d+ <small>1st ", html)) == 12
