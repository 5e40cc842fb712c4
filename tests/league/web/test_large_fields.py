"""Test the pages of large fields: what is open, what is folded, and that nothing is left out."""

from __future__ import annotations

import gzip
import re

import pytest
from django.test import Client

from league.models import Competition
from league.selectors.access.readers import public_reader_of
from league.selectors.competitions.overview import sessions_around, stamp_of
from league.web.large_fields import FOLD, SLACK, folded_parts, folds, open_places
from tests.league.large_fields import large_league, many_blocks, open_field

PEOPLE, BEST, ROUNDS = 40, 8, 3
MOST_BYTES = 100 * 1024
FOLDED = re.compile(r"<details class=\"fold\"[^>]*>.*?</details>", re.DOTALL)


def page(path: str, language: str = "en") -> str:
    response = Client(headers={"accept-language": language}).get(path)
    assert response.status_code == 200
    assert len(gzip.compress(response.content, 6)) < MOST_BYTES
    return str(response.content.decode())


def test_parts_of_any_field_hold_each_place_once_and_none_is_tiny() -> None:
    for count in range(4, 301):
        shown = open_places((), count)
        parts = folded_parts((), shown, count)
        places = [place for part in parts for place in range(part.first, part.last + 1)]
        assert [*range(1, shown + 1), *places] == list(range(1, count + 1))
        assert all(SLACK <= part.last - part.first + 1 < FOLD + SLACK for part in parts)
        rows = [row for fold in folds(range(count)) for row in fold.rows]
        assert rows == list(range(count))
        assert sum(fold.is_open for fold in folds(range(count))) == 1


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


@pytest.mark.django_db
def test_many_blocks_are_folded_with_their_leaders() -> None:
    large_league(many_blocks(12, 4, 2), 1)
    html = page("/c/large/")
    assert html.count('id="fold-B') == 12
    assert len(re.findall(r"Group \d+ <small>1st ", html)) == 12
