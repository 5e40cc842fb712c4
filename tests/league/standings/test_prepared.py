"""Test prepared rows: written when a version is published, and equal to the content computed from the facts."""

from __future__ import annotations

import datetime as dt
import json
from copy import copy

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Competition, Hanchan, Player, Prepared, Session, TableSession
from league.selectors.standings.prepared import LAYOUT
from league.services.competitions.schedule import Fixture, create_session, create_table_session, hold_back
from league.services.competitions.setup import new_player
from league.services.operations.sweep import sweep
from league.services.operations.verification import differences_of
from league.services.results.rulings import adjust_points
from league.services.results.substitutes import name_substitute
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.played_season import BY, TABLES, Season
from tests.league.resting_teams import evening, resting_teams

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HOME, BRACKET = "/c/spring/", "/api/v1/competitions/spring/bracket/"
PAGES = (
    HOME,
    "/c/spring/blocks/A/",
    "/c/spring/blocks/po1/",
    "/c/spring/conditions/",
    "/c/spring/odds/",
    "/c/spring/players/spring-sakuragi/",
    "/c/spring/blocks/A/charts/",
    "/embed/spring/ladder/",
    "/c/spring/projector/",
    "/api/v1/standings/?competition=spring",
    BRACKET,
)
"""Pages and documents that read prepared rows."""


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Season:
    """Play a season with an embargoed table, an adjustment, a substitute, a chonbo and hanchan left to play."""
    season = Season()
    for key in ("A", "B"):
        company = factories.in_block(season.block(key))
        for index, table in enumerate(TABLES):
            numbers = range(1, 5) if index < 2 else range(5, 9)
            played = season.schedule(key, [company[seat] for seat in table], numbers, day=1 + index // 2)
            for hanchan in played.hanchan.filter(number__lt=8):
                season.play(hanchan, chonbo=hanchan.number if hanchan.number < 2 else None)
    one = factories.in_block(season.block("A"))[0]
    adjust_points(block=season.block("A"), entrant=one, points=-50, by=BY, reason="came late")
    standing_in = new_player(name="代打 一郎", key="stand-in", by=BY)
    last = season.block("A").hanchan.filter(number=8, seats__entrant=one).get()
    name_substitute(hanchan=last, entrant=one, player=standing_in, by=BY, reason="ill")
    season.play(last)
    held = season.block("B").table_sessions.order_by("-session__number", "-order")[0]
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=BY)
    season.publish()
    return season


@pytest.fixture
def season(played: Season) -> Season:
    """Return the season as stored."""
    again = copy(played)
    again.competition = Competition.objects.get(pk=played.competition.pk)
    return again


def shown(path: str, language: str = "ja") -> bytes:
    """Return the page as a first request gets it, without the cache."""
    cache.clear()
    answer = Client(headers={"accept-language": language}).get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content


def queries(path: str) -> int:
    """Count the queries of a first request."""
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        Client().get(path)
    return len(captured)


def test_every_page_is_the_same_with_and_without_prepared_rows(season: Season) -> None:
    prepared = {(path, language): shown(path, language) for path in PAGES for language in ("ja", "en")}
    Prepared.objects.all().delete()
    for (path, language), page in prepared.items():
        assert page == shown(path, language), (path, language)


def test_the_home_page_needs_six_queries_and_the_bracket_five_for_any_number_of_hanchan(season: Season) -> None:
    before = {path: queries(path) for path in (HOME, BRACKET)}
    season.play_rest("A")
    season.publish()
    assert {path: queries(path) for path in (HOME, BRACKET)} == before
    assert before[HOME] <= 6
    assert before[BRACKET] <= 5


def test_a_result_rewrites_only_the_rows_of_its_season_table_and_block(season: Season) -> None:
    hanchan = Hanchan.objects.filter(block=season.block("A"), state=Hanchan.State.SCHEDULED)[0]
    season.play(hanchan)
    season.publish()
    version = season.competition.computed_version
    written = set(Prepared.objects.filter(version=version).values_list("part", "key"))
    assert written == {("season", 0), ("block", hanchan.block_id), ("table", hanchan.table_session_id)}


def test_a_change_of_entrants_rewrites_every_row(season: Season) -> None:
    factories.entrants(season.competition, 1, "late")
    season.publish()
    assert not Prepared.objects.exclude(version=season.competition.computed_version).exists()


def test_prepared_rows_match_the_facts_and_verification_finds_one_that_does_not(season: Season) -> None:
    assert list(differences_of(season.competition)) == []
    row = Prepared.objects.get(part="season")
    row.data["held_back"] = [[1, 1]]
    row.save()
    (difference,) = differences_of(season.competition)
    assert str(difference).startswith("spring, prepared season 0: held_back is [[1, 1]], but the facts give")
    call_command("recompute", "spring")
    assert list(differences_of(season.competition)) == []


def test_prepared_rows_hold_no_names_and_a_new_name_shows_at_once(season: Season) -> None:
    kept = json.dumps(list(Prepared.objects.values_list("data", flat=True)), ensure_ascii=False)
    assert not [player.name for player in Player.objects.all() if player.name in kept]
    Player.objects.filter(key="spring-sakuragi").update(name="改名 花子")
    assert "改名 花子" in shown(HOME).decode()


def test_a_table_under_embargo_is_in_no_prepared_row(season: Season) -> None:
    held = TableSession.objects.get(is_released=False)
    assert not Prepared.objects.filter(part="table", key=held.pk).exists()
    games = set(held.hanchan.values_list("pk", flat=True))
    for row in Prepared.objects.filter(part="block"):
        assert not games & {cell[1] for cell in row.data["cells"]}


def test_an_embargo_set_later_removes_a_table_from_prepared_rows_and_pages(season: Season) -> None:
    table = season.block("A").table_sessions.order_by("session__number", "order")[0]
    game = table.hanchan.order_by("round")[0]
    assert f'"id":"{game.pk}"' in shown(BRACKET).decode()
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=BY)
    season.publish()
    assert not Prepared.objects.filter(part="table", key=table.pk).exists()
    assert f'"table_session":"{table.pk}"' not in shown(BRACKET).decode()
    assert list(differences_of(season.competition)) == []


def test_a_season_without_stages_keeps_only_the_tables_of_its_home_page_prepared() -> None:
    season = factories.league("free", league_format="open-play")
    company, block = factories.entrants(season, 4), season.blocks.get()
    kept = []
    for number in range(1, 4):
        fixture = Fixture(block=block, numbers=[number], entrants=company, table="1")
        table = create_table_session(session=create_session(competition=season, by=BY), fixture=fixture, by=BY)
        factories.play(table.hanchan.get(), (41200 - 100 * number, 30100, 18700, 10000 + 100 * number))
        publish_standings(season.pk)
        kept.append(list(season.prepared.filter(part="table").values_list("key", flat=True)))
    assert kept == [[row.pk] for row in season.table_sessions.order_by("pk")]
    season.refresh_from_db()
    assert list(differences_of(season)) == []
    assert "41,200" not in shown("/c/free/").decode()
    assert "40,900" in shown("/c/free/").decode()


def test_the_sweep_prepares_a_league_published_by_an_earlier_release(season: Season) -> None:
    kept = {(row.part, row.key): row.data for row in Prepared.objects.all()}
    Prepared.objects.all().delete()
    sweep()
    assert {(row.part, row.key): row.data for row in Prepared.objects.all()} == kept


def test_a_deleted_table_leaves_no_prepared_row(season: Season) -> None:
    extra = season.schedule("A", factories.in_block(season.block("A"))[:4], [8], day=3)
    season.publish()
    assert Prepared.objects.filter(part="table", key=extra.pk).exists()
    extra.hanchan.get().seats.all().delete()
    extra.hanchan.all().delete()
    extra.delete()
    Session.objects.filter(number=3).delete()
    call_command("recompute", "spring")
    assert not Prepared.objects.filter(part="table", key=extra.pk).exists()


def test_rows_of_another_layout_are_ignored_and_the_sweep_rewrites_them(season: Season) -> None:
    before = shown(HOME)
    Prepared.objects.filter(part="season").update(layout=LAYOUT - 1, data={})
    assert shown(HOME) == before
    assert list(differences_of(season.competition)) == []
    sweep()
    assert set(Prepared.objects.values_list("layout", flat=True)) == {LAYOUT}
    assert list(differences_of(season.competition)) == []


def test_where_teams_rest_prepared_rows_do_not_say_who_plays_at_a_table_under_embargo() -> None:
    season = resting_teams()
    for public_at in (None, timezone.now() + dt.timedelta(days=1)):
        evening(season, public_at=public_at)
    publish_standings(season.pk)
    season.refresh_from_db()
    assert list(differences_of(season)) == []
    shown_table = season.table_sessions.get(is_released=True)
    (row,) = season.prepared.filter(part="season")
    awaited = {hanchan for _number, hanchan, _teams in row.data["facts"]["awaited"]["A"]}
    assert awaited == set(shown_table.hanchan.values_list("pk", flat=True))
