"""Test a result as a text for social media: content, both languages, length, and the embargo."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone, translation

from league.models import Audience, Competition, TableSession
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import played_tables
from league.selectors.results.bulletin import (
    LONGEST,
    Bulletin,
    bulletins_of_hanchan,
    bulletins_of_session,
    bulletins_of_table,
)
from league.services.standings.publishing import publish_standings
from league.wording.formatting import text_width
from tests.factories import final_table, in_block, league, play, table

pytestmark = pytest.mark.django_db
EVENING = dt.datetime(2026, 12, 5, 10, 0, tzinfo=dt.UTC)


@pytest.fixture
def evening() -> TableSession:
    """Schedule two hanchan of a final and play the first."""
    competition = final_table()
    made = table(competition.blocks.get(), numbers=(1, 2), table="1卓", starts_at=EVENING)
    play(made.hanchan.get(round=1))
    return made


def read(competition: Competition) -> Reader:
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return Reader(competition, Audience.PUBLIC, competition.public_version)


def of_hanchan(row: TableSession, number: int = 1) -> dict[str, Bulletin]:
    reader = read(row.competition)
    rows = reader.table_sessions().filter(pk=row.pk).select_related("session", "block__stage")
    (played,) = played_tables(reader, list(rows))
    return {each.language: each for each in bulletins_of_hanchan(reader, 10, played, played.hanchan[number - 1])}


def test_the_text_of_a_hanchan_has_places_totals_and_the_next_hanchan(evening: TableSession) -> None:
    assert of_hanchan(evening)["en"].text == (
        "[Spring League] Session 1 Final Table 1 Hanchan 1\n"
        "1st Player final1 41,200 (+51.2)\n"
        "2nd Player final2 30,100 (+10.1)\n"
        "3rd Player final3 18,700 (-21.3)\n"
        "4th Player final4 10,000 (-40.0)\n"
        "Next: Session 1 Final Table 1 Hanchan 2"
    )


def test_the_japanese_text_is_japanese_on_an_english_page(evening: TableSession) -> None:
    with translation.override("en"):
        text = of_hanchan(evening)["ja"].text
    assert "春リーグ" in text
    assert "1着 final1 41,200 (+51.2)" in text
    assert "3着 final3 18,700 (▲21.3)" in text


def test_the_text_in_the_readers_language_comes_first(evening: TableSession) -> None:
    for language in ("ja", "en"):
        with translation.override(language):
            assert next(iter(of_hanchan(evening))) == language


def test_a_text_fits_into_a_post_and_wide_characters_count_double(evening: TableSession) -> None:
    assert text_width("A1卓") == 4
    for each in of_hanchan(evening).values():
        assert text_width(each.text) <= LONGEST


def test_totals_are_dropped_before_the_next_hanchan_if_space_is_short(evening: TableSession) -> None:
    assert "Totals in" not in of_hanchan(evening)["en"].text
    for entrant in in_block(evening.block):
        entrant.player.name_romaji = entrant.player.name_romaji.removeprefix("Player final")
        entrant.player.save()
    text = of_hanchan(evening)["en"].text
    assert "Totals in Final: 1st 1 +51.2, 2nd 2 +10.1, 3rd 3 -21.3, 4th 4 -40.0" in text
    assert text.endswith("Next: Session 1 Final Table 1 Hanchan 2")


def test_the_result_itself_is_never_shortened(evening: TableSession) -> None:
    for entrant in in_block(evening.block):
        entrant.player.name_romaji = f"{entrant.player.name_romaji} {'x' * 70}"
        entrant.player.save()
    text = of_hanchan(evening)["en"].text
    assert text_width(text) > LONGEST
    assert text.count("x" * 70) == 4
    assert "Next" not in text


def test_the_texts_of_a_table_and_of_a_session_list_each_players_points(evening: TableSession) -> None:
    play(evening.hanchan.get(round=2), (10000, 41300, 18600, 30100))
    reader = read(evening.competition)
    rows = reader.table_sessions().select_related("session", "block__stage")
    (played,) = played_tables(reader, list(rows))
    (text,) = [each.text for each in bulletins_of_table(reader, 10, played) if each.language == "en"]
    assert text.splitlines()[:3] == [
        "[Spring League] Session 1 Final Table 1",
        "Player final2 +61.4",
        "Player final1 +11.2",
    ]
    (text,) = [
        each.text for each in bulletins_of_session(reader, 10, evening.session, [played]) if each.language == "en"
    ]
    assert text.splitlines()[1].startswith("Final Table 1: Player final2 +61.4, Player final1 +11.2")


def test_a_hanchan_without_a_result_has_no_text(evening: TableSession) -> None:
    assert of_hanchan(evening, number=2) == {}


def test_a_result_under_embargo_changes_no_text(evening: TableSession) -> None:
    competition = league()
    block = competition.blocks.get(key="A")
    shown = table(block, numbers=(1,))
    play(shown.hanchan.get())
    before = of_hanchan(shown)
    recorded = table(block, numbers=(2, 3), public_at=timezone.now() + dt.timedelta(days=1))
    play(recorded.hanchan.get(round=2), (70000, 20000, 10000, 0), accept={"extreme_score"})
    assert of_hanchan(shown) == before


def test_pages_of_hanchan_table_and_session_contain_the_texts(evening: TableSession) -> None:
    read(evening.competition)
    visitor = Client(headers={"accept-language": "en"})
    hanchan = evening.hanchan.get(round=1)
    for path in (f"hanchan/{hanchan.pk}/", f"tables/{evening.pk}/", "sessions/1/"):
        text = visitor.get(f"/c/final/{path}").content.decode()
        assert '<textarea id="bulletin-en" lang="en"' in text
        assert '<textarea id="bulletin-ja" lang="ja"' in text
        assert text.index("bulletin-en") < text.index("bulletin-ja")
