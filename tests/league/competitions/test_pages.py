"""Tests of the public pages as visitors see them."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter, deque
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone, translation

from league.models import Competition, Credit, Hanchan, Role
from league.services.access.changes import open_change
from league.services.competitions.departures import withdraw
from league.services.competitions.schedule import create_session, hold_back
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result, void_hanchan
from league.services.results.rulings import adjust_points, rule_on_tie
from league.services.standings.publishing import publish_standings
from league.web import error_pages
from league.web.rulebooks.rule_facts import value_text
from tests import factories
from tests.league.played_season import BY, Season, almost_finished, preliminary

pytestmark = pytest.mark.django_db
OWN_SCRIPT = r' src="/static/[\w./-]+" defer(\s+data-[a-z]+="[^"<>]*")*></script>'
"""A script file of the project, with data attributes for its texts."""
LARGEST_PAGE = 150 * 1024
LINK = re.compile(r'href="([^"]+)"')
TABLE_OF_FOUR = ((0, 1, 2, 3), (4, 5, 6, 7))


@pytest.fixture
def visitor() -> Client:
    """Return an anonymous client that reads English."""
    return Client(headers={"accept-language": "en"})


def text_of(client: Client, path: str) -> str:
    """Return the page's text; require status 200."""
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def walk(client: Client, most: int) -> Iterator[tuple[str, str]]:
    """Yield linked pages with their texts, at most `most` of each view; no admin and no API."""
    waiting, seen, found = deque(["/"]), {"/"}, Counter[str]()
    while waiting:
        path = waiting.popleft()
        page = text_of(client, path)
        yield path, page
        for link in LINK.findall(page):
            where = urlsplit(link)
            target = "" if where.netloc else where.path
            if is_page(target) and target not in seen:
                seen.add(target)
                view = resolve(target).view_name
                found[view] += 1
                if found[view] <= most:
                    waiting.append(target)


def is_page(path: str) -> bool:
    """Return True if a path is a page of the site, not a calendar, a file or a widget."""
    is_ours = path.startswith("/") and not path.startswith(("/admin", "/api", "/static", "/embed"))
    return is_ours and not path.endswith((".ics", ".csv", ".xlsx", ".json"))


def sent(path: str) -> int:
    """Return the number of bytes sent to a browser that accepts gzip."""
    return len(Client(headers={"accept-encoding": "gzip"}).get(path).content)


def test_every_page_of_a_season_exists_in_both_languages_is_small_and_has_no_inline_or_external_code() -> None:
    almost_finished()
    for language, most, least in (("ja", 4, 80), ("en", 2, 20)):
        pages = dict(walk(Client(headers={"accept-language": language}), most))
        assert len(pages) > least
        for path, page in pages.items():
            assert f'<html lang="{language}">' in page
            assert len(page.encode()) < LARGEST_PAGE or sent(path) < LARGEST_PAGE, path
            assert " style=" not in page, path
            assert " at 0x" not in page, f"{path} shows an object of the program"
            assert not re.search(r"<script(?!" + OWN_SCRIPT + ")", page), path
            assert not re.search(r"<(?!a )[a-z]+ [^>]*(src|href)=\"(https?:)?//", page), path
            assert page.count("<h1") == 1, path


def test_amounts_and_names_are_written_as_the_language_writes_them(visitor: Client) -> None:
    almost_finished()
    assert "▲48.0" in text_of(Client(headers={"accept-language": "ja"}), "/c/spring/blocks/A/")
    page = text_of(visitor, "/c/spring/blocks/A/")
    assert "-48.0" in page
    assert "Hoshino Rin" in page
    assert "星野 りん" in page, "the Japanese name is shown beside it"
    assert "Block A" in page


def test_the_ladder_links_every_node_and_distinguishes_the_states_of_its_lines(visitor: Client) -> None:
    season = preliminary(5)
    page = text_of(visitor, "/c/spring/")
    drawing = page[page.index('<section class="ladder') : page.index("</svg></div>")]
    assert drawing.count('class="line provisional') == 10, "ten ranks of two blocks lead on"
    assert drawing.count('class="line open') == 6, "two of each playoff go up"
    glyphs = Counter(re.findall(r'<g class="glyph (\w+)"', drawing))
    assert glyphs == {"provisional": 10, "open": 6}, "every place in the playoffs and the final shows its state"
    assert drawing.count("<a ") == 16 + 4 * 4 + 6, "every row and every head is a link"
    listed = page[page.index('f-main"') : page.index('id="ladder"')]
    assert listed.count("provisional") >= 10
    assert "1st of Playoff 3" in listed
    season.play_rest("A")
    season.publish()
    page = text_of(visitor, "/c/spring/")
    drawing = page[page.index('<section class="ladder') : page.index("</svg></div>")]
    assert len(re.findall(r'class="line certain[^"]*" d="M2', drawing)) == 5, "block A is finished, block B is not"


def test_pages_of_a_season_without_results_show_what_comes_next(visitor: Client) -> None:
    Season()
    home = text_of(visitor, "/c/spring/")
    assert "The first one appears here" in home
    assert 'class="line open"' in home
    block = text_of(visitor, "/c/spring/blocks/A/")
    assert "Border:" not in block
    assert "Where each rank leads" in block
    assert "No players here yet." in text_of(visitor, "/c/spring/blocks/final/")
    assert "No session is scheduled yet." in text_of(visitor, "/c/spring/sessions/")


def test_the_start_page_without_competitions_suggests_creating_one(visitor: Client) -> None:
    assert "Log in and create a competition" in text_of(visitor, "/")


def test_the_start_page_lists_leagues_before_open_tables_created_later(visitor: Client) -> None:
    factories.league("season")
    factories.league("parlour", kind=Competition.Kind.OPEN, league_format="open-play", name="フリー")
    page = visitor.get("/").content.decode()
    assert page.index('href="/c/season/"') < page.index('href="/c/parlour/"')


def test_the_start_page_shows_the_progress_and_the_leader_or_champion_of_each_competition(visitor: Client) -> None:
    won = almost_finished("won")
    leads = text_of(visitor, "/")
    assert "3 of 4 hanchan played" in leads
    assert "Leading in Final" in leads
    won.play(Hanchan.objects.get(block=won.block("final"), number=4))
    won.publish()
    Season("later")
    page = text_of(visitor, "/")
    assert "Champion" in page
    assert "Not started yet" in page
    assert 'class="champ"' in text_of(visitor, "/c/won/")


def test_the_block_page_shows_borders_and_explains_equal_totals(visitor: Client) -> None:
    season = Season()
    people = factories.in_block(season.block("A"))
    scores = ((40_000, 30_000, 20_000, 10_000), (30_000, 40_000, 20_000, 10_000))
    for table in TABLE_OF_FOUR:
        played = season.schedule("A", [people[seat] for seat in table], (1, 2), day=1)
        for hanchan, row in zip(played.hanchan.order_by("round"), scores, strict=True):
            season.play(hanchan, row)
    season.publish()
    page = text_of(visitor, "/c/spring/blocks/A/")
    assert "Border: ↑ Final · ↓ Playoff 3" in page
    assert "Border: ↑ Playoff 1 · ↓ below the cut" in page
    assert "hanchan 2 decides by points:" in page
    assert "CL-022" in page
    assert "they share rank 1st with 60.0" in page, "two tables alike: nothing separates the two winners"
    assert "played 2/8" in page


def test_a_tie_that_decides_places_is_shown_as_awaiting_a_ruling(visitor: Client) -> None:
    season = Season()
    people = factories.in_block(season.block("A"))
    for table in TABLE_OF_FOUR:
        played = season.schedule("A", [people[seat] for seat in table], range(1, 9), day=1)
        for hanchan in played.hanchan.order_by("round"):
            season.play(hanchan, (40_000, 30_000, 20_000, 10_000))
    season.publish()
    home = text_of(visitor, "/c/spring/")
    assert "A tie awaits the organizers' ruling" in home
    assert 'class="line ruling"' in home
    block = text_of(visitor, "/c/spring/blocks/A/")
    assert "stay open until the organizers have ruled" in block
    for pair in ((0, 4), (1, 5), (2, 6), (3, 7)):
        rule_on_tie(
            competition=season.competition, scope="A", order=[people[seat] for seat in pair], by=BY, reason="lots drawn"
        )
        season.publish()
    ruled = text_of(visitor, "/c/spring/blocks/A/")
    assert "the organizers ruled." in ruled
    assert "lots drawn" in ruled
    assert "A tie awaits" not in text_of(visitor, "/c/spring/")


def test_the_hanchan_page_itemises_the_settlement_with_causes_and_clauses(visitor: Client) -> None:
    competition = factories.final_table()
    table = factories.table(competition.blocks.get())
    hanchan = table.hanchan.get(round=1)
    factories.play(hanchan, (41_200, 30_100, 18_700, 9_000), kyoutaku=1_000, chonbo=(0, 0, 1, 0))
    publish_standings(competition.pk)
    page = text_of(visitor, f"/c/final/hanchan/{hanchan.pk}/")
    for words in ("East", "North", "oka", "uma", "deposits left", "chonbo", "CL-037", "CL-082", "-40.0", "+1.0"):
        assert words in page, words
    assert "Deposits left on the table: 1,000" in page
    assert "Hanchan 2" in text_of(visitor, f"/c/final/hanchan/{table.hanchan.get(round=2).pk}/")


def test_a_correction_is_shown_with_its_reason_and_both_scores(visitor: Client) -> None:
    competition = factories.final_table()
    hanchan = factories.table(competition.blocks.get()).hanchan.get(round=1)
    first = factories.play(hanchan, (41_200, 30_100, 18_700, 10_000))
    people = factories.seated(hanchan)
    seats = (42_200, 29_100, 18_700, 10_000)
    corrected = SheetEntry(
        tuple(SeatEntry(who.pk, who.player_id, score) for who, score in zip(people, seats, strict=True))
    )
    record_result(hanchan=hanchan, entry=corrected, by=BY, corrects=first.revision, reason="misread slip")
    publish_standings(competition.pk)
    page = text_of(visitor, f"/c/final/hanchan/{hanchan.pk}/")
    assert "misread slip" in page
    assert re.search(r"41,200</span> → <span class=\"num\">42,200", page)
    assert "corrected" in text_of(visitor, f"/c/final/tables/{hanchan.table_session_id}/")
    void_hanchan(hanchan=hanchan, by=BY, reason="to be played again")
    publish_standings(competition.pk)
    page = text_of(visitor, f"/c/final/hanchan/{hanchan.pk}/")
    assert "to be played again" in page
    assert "taken back" in page


def test_pages_show_adjustments_substitutes_and_withdrawals(visitor: Client) -> None:
    competition = factories.final_table()
    block = competition.blocks.get()
    hanchan = factories.table(block).hanchan.get(round=1)
    people = factories.seated(hanchan)
    stand_in = factories.entrants(competition, 1, prefix="Z")[0]
    scores = (41_200, 30_100, 18_700, 10_000)
    seats = [SeatEntry(who.pk, who.player_id, score) for who, score in zip(people, scores, strict=True)]
    seats[0] = SeatEntry(people[0].pk, stand_in.player_id, scores[0])
    record_result(hanchan=hanchan, entry=SheetEntry(tuple(seats)), by=BY, accept={"not_as_scheduled"})
    adjust_points(block=block, entrant=people[1], points=-200, by=BY, reason="late")
    withdraw(entrant=people[3], by=BY, reason="ill")
    publish_standings(competition.pk)
    page = text_of(visitor, f"/c/final/blocks/{block.key}/")
    assert "late" in page
    assert "-20.0" in page
    assert "withdrawn" in page
    assert "substitute: Player Z1" in text_of(visitor, f"/c/final/hanchan/{hanchan.pk}/")
    standings = visitor.get("/c/final/blocks/final/").content.decode()
    assert standings.count('href="#substituted"') == 2, "once beside the name, once at the hanchan"
    assert 'id="substituted"' in standings
    for path in ("/c/final/", "/embed/final/standings/", "/embed/final/ladder/"):
        shown = visitor.get(path).content.decode()
        assert (path, shown.count('href="#substituted"'), shown.count('id="substituted"')) == (path, 1, 1)
    assert text_of(visitor, "/c/final/projector/").count("with a substitute") == 1
    assert "substitute: Player Z1" in text_of(visitor, "/c/final/projector/")
    assert "substitute: Player Z1" in text_of(visitor, f"/c/final/players/{people[0].player.key}/")


def test_points_outside_the_hanchan_are_told_wherever_a_total_is_shown(visitor: Client) -> None:
    competition = factories.final_table()
    block = competition.blocks.get()
    hanchan = factories.table(block).hanchan.get(round=1)
    people = factories.seated(hanchan)
    factories.play(hanchan)
    adjust_points(block=block, entrant=people[1], points=-200, by=BY, reason="late")
    change = open_change(competition, BY)
    Credit.objects.create(
        block=block, entrant=people[2], number=2, kind="no_show", points=-300, reason="not here", made_n=change.n
    )
    change.record("credit.given", block)
    publish_standings(competition.pk)
    slug = "/c/final/"
    for path in (slug, f"{slug}blocks/{block.key}/", "/embed/final/standings/", f"{slug}projector/"):
        html = visitor.get(path).content.decode()
        assert "adjusted -20.0" in html, path
        assert "not played -30.0" in html, path
    own = text_of(visitor, f"{slug}players/{people[2].player.key}/")
    assert "hanchan 2 (no-show)" in own
    assert "not here" in own
    assert "not played -30.0" in text_of(visitor, f"{slug}me/?player={people[2].player.key}")
    table = visitor.get(f"{slug}standings.csv?lang=en").getvalue().decode("utf-8-sig").splitlines()
    column = table[0].split(",").index("credited")
    assert [line.split(",")[column] for line in table[1:]].count("-30.0") == 1


def test_the_public_sees_only_adjustments_of_open_table_guests_that_opted_in(visitor: Client) -> None:
    competition = factories.league("free", league_format="open-play", kind=Competition.Kind.OPEN)
    block = competition.blocks.get()
    guests = factories.entrants(competition, 4, prefix="Kyaku")
    factories.play(factories.table(block, guests, (1,)).hanchan.get())
    for guest, reason in zip(guests, ("late", "broke a tile"), strict=False):
        adjust_points(block=block, entrant=guest, points=-200, by=BY, reason=reason)
    type(guests[0].player).objects.filter(pk=guests[0].player_id).update(is_public=True, handle="White Hat")
    publish_standings(competition.pk)
    page = text_of(visitor, f"/c/free/blocks/{block.key}/")
    assert re.search(r"White Hat <span class=\"num\">-20.0</span>: late", page)
    assert "Kyaku" not in page
    assert "broke a tile" not in page


def test_a_players_page_counts_places_and_names_the_next_table(visitor: Client) -> None:
    competition = factories.final_table()
    table = factories.table(competition.blocks.get(), starts_at=dt.datetime(2027, 1, 9, 10, tzinfo=dt.UTC))
    first, second, *_rest = table.hanchan.order_by("round")
    factories.play(first, (41_200, 30_100, 18_700, 10_000))
    factories.play(second, (10_000, 20_000, 30_000, 40_000))
    publish_standings(competition.pk)
    key = factories.seated(first)[0].player.key
    idle = factories.entrants(competition, 1, prefix="Z")[0].player.key
    publish_standings(competition.pk)
    assert "The first one appears here" in text_of(visitor, f"/c/final/players/{idle}/")
    page = text_of(visitor, f"/c/final/players/{key}/")
    assert "2.50" in page, "first and fourth"
    assert "41,200" in page
    assert "Sat 9 Jan 2027 19:00" in page, "in the competition's time zone"
    assert "Player" in text_of(visitor, f"/players/{key}/")


def test_the_rules_page_shows_the_rules_in_force_with_their_clauses(visitor: Client) -> None:
    factories.league("stairs", league_format="cinderella-2018")
    page = text_of(visitor, "/c/stairs/ruleset/")
    for words in ("25,000", "30,000", "20,000 to the first place", "+20 / +10 / -10 / -20", "CL-037", "drawn from"):
        assert words in page, words


def test_a_draft_is_visible_to_its_staff_only(visitor: Client) -> None:
    competition = factories.league("draft", status=None)
    publish_standings(competition.pk)
    assert visitor.get("/c/draft/").status_code == 404
    assert "draft" not in text_of(visitor, "/")
    staff = Client(headers={"accept-language": "en"})
    staff.force_login(factories.user("reader", role=Role.READER, competition=competition))
    assert "only organizers see it" in text_of(staff, "/c/draft/")
    assert "/c/draft/" in text_of(staff, "/")


@pytest.mark.both_databases
def test_the_public_cannot_reach_or_read_anything_of_an_embargoed_table(visitor: Client) -> None:
    competition = factories.final_table()
    block = competition.blocks.get()
    shown = factories.table(block, numbers=(1,))
    factories.play(shown.hanchan.get(), (41_200, 30_100, 18_700, 10_000))
    session = create_session(competition=competition, by=BY, name="Night of the recording", name_en="Recorded night")
    hidden = factories.table(block, numbers=(2,), public_at=timezone.now() + dt.timedelta(days=2), venue="Secret hall")
    type(hidden).objects.filter(pk=hidden.pk).update(session=session)
    factories.play(hidden.hanchan.get(), (10_500, 20_300, 33_300, 35_900))
    publish_standings(competition.pk)
    pages = dict(walk(visitor, 5))
    assert len(pages) > 10
    for path, page in pages.items():
        for secret in ("Secret hall", "33,300", "35,900", "Recorded night"):
            assert secret not in page, (path, secret)
        assert f"/tables/{hidden.pk}/" not in page
    for path in (f"tables/{hidden.pk}", f"hanchan/{hidden.hanchan.get().pk}", f"sessions/{session.number}"):
        assert visitor.get(f"/c/final/{path}/").status_code == 404
    staff = Client(headers={"accept-language": "en"})
    staff.force_login(factories.user("reader", role=Role.READER, competition=competition))
    assert "33,300" in text_of(staff, f"/c/final/hanchan/{hidden.hanchan.get().pk}/")
    assert "held back" in text_of(staff, "/c/final/sessions/")
    assert "organizers' view" in text_of(staff, "/c/final/")
    hold_back(table_session=hidden, until=None, by=BY)
    publish_standings(competition.pk)
    assert "33,300" in text_of(visitor, f"/c/final/hanchan/{hidden.hanchan.get().pk}/")


def test_the_public_sees_only_open_table_guests_that_opted_in_by_their_handle(visitor: Client) -> None:
    competition = factories.league("free", league_format="open-play", kind=Competition.Kind.OPEN)
    guests = factories.entrants(competition, 4, prefix="Kyaku")
    table = factories.table(competition.blocks.get(), guests, (1,))
    factories.play(table.hanchan.get())
    type(guests[0].player).objects.filter(pk=guests[0].player_id).update(is_public=True, handle="White Hat")
    publish_standings(competition.pk)
    pages = dict(open_table_pages(visitor))
    assert "White Hat" in pages["/c/free/"]
    assert all("Kyaku" not in page for page in pages.values())
    for path in ("sessions", f"tables/{table.pk}", "players", f"players/{guests[0].player.key}"):
        assert visitor.get(f"/c/free/{path}/").status_code == 404
    assert visitor.get(f"/players/{guests[0].player.key}/").status_code == 404
    staff = Client(headers={"accept-language": "en"})
    staff.force_login(factories.user("reader", role=Role.READER, competition=competition))
    assert "Player Kyaku1" in text_of(staff, "/c/free/")


def open_table_pages(client: Client) -> Iterator[tuple[str, str]]:
    """Yield the public pages of an open table."""
    pages = dict(walk(client, 5))
    closed = ("sessions", "tables", "hanchan", "players")
    assert not [path for path in pages if path.startswith(tuple(f"/c/free/{part}/" for part in closed))]
    assert {"/", "/c/free/", "/c/free/blocks/open/", "/c/free/ranking/", "/c/free/ruleset/"} <= set(pages)
    yield from pages.items()


def test_an_unchanged_page_answers_304_with_one_query_until_a_result_is_published(visitor: Client) -> None:
    competition = factories.final_table()
    hanchan = factories.table(competition.blocks.get()).hanchan.get(round=1)
    publish_standings(competition.pk)
    for path in ("/", "/c/final/", f"/c/final/hanchan/{hanchan.pk}/"):
        first = visitor.get(path)
        with CaptureQueriesContext(connection) as queries:
            again = visitor.get(path, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, len(queries)) == (304, 1)
        assert first["Cache-Control"] == "public, max-age=5, stale-while-revalidate=30"
        assert {"Accept-Language", "Cookie"} <= set(first["Vary"].split(", "))
        assert first["ETag"] != visitor.get(path, headers={"accept-language": "ja"})["ETag"]
    before = visitor.get("/c/final/")["ETag"]
    factories.play(hanchan)
    publish_standings(competition.pk)
    changed = visitor.get("/c/final/", headers={"if-none-match": before})
    assert changed.status_code == 200
    visitor.force_login(factories.user())
    assert visitor.get("/c/final/")["Cache-Control"] == "private, no-cache"


def test_queries_do_not_grow_with_the_number_of_hanchan(visitor: Client) -> None:
    few, many = Season("few"), Season("many")
    few.play_preliminary(hanchan_each=1)
    many.play_preliminary(hanchan_each=7)
    pages = (
        "", "projector/", "blocks/A/", "blocks/A/charts/", "sessions/", "sessions/1/", "tables/{table}/",
        "hanchan/{hanchan}/", "players/", "players/{player}/", "conditions/", "what-if/", "odds/", "records/",
        "corrections/", "ruleset/", "spoilers/",
    )  # fmt: skip
    many_things_on_a_page = {"blocks/A/": 45, "conditions/": 30}
    naming_the_next_match = 1
    counted = {path: (queries_of(visitor, few, path), queries_of(visitor, many, path)) for path in pages}
    grown = {path: pair for path, pair in counted.items() if pair[1] > pair[0] + naming_the_next_match}
    dear = {path: pair for path, pair in counted.items() if max(pair) > many_things_on_a_page.get(path, 26)}
    assert (grown, dear) == ({}, {})


def queries_of(visitor: Client, season: Season, path: str) -> int:
    """Return the number of queries for a page of the season that is not cached yet."""
    table = season.block("A").table_sessions.order_by("pk")[0]
    hanchan = table.hanchan.order_by("pk")[0]
    slug = season.competition.slug
    address = path.format(table=table.pk, hanchan=hanchan.pk, player=f"{slug}-sakuragi")
    with CaptureQueriesContext(connection) as queries:
        text_of(visitor, f"/c/{slug}/{address}")
    return len(queries)


def test_queries_of_the_start_page_do_not_grow_with_the_number_of_competitions(visitor: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            text_of(visitor, "/")
        return len(queries)

    factories.league("one")
    alone = count()
    factories.league("two")
    factories.league("three")
    assert count() == alone <= 8


def test_the_language_is_chosen_by_the_url_and_remembered() -> None:
    client = Client(headers={"accept-language": "fr"})
    answer = client.get("/?lang=en")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert answer.cookies[settings.LANGUAGE_COOKIE_NAME]["httponly"]
    assert '<html lang="en">' in text_of(client, "/")
    assert client.get("/?page=2&lang=ja")["Location"] == "/?page=2"
    assert client.get("/?lang=xx").status_code == 200
    assert '<html lang="ja">' in text_of(client, "/")


@pytest.mark.parametrize(
    "path", ["/nothing/", "/c/none/", "/c/final/blocks/none/", "/c/final/tables/99999999999999999999/"]
)
def test_the_404_page_is_in_the_visitors_language_and_links_to_the_start_page(visitor: Client, path: str) -> None:
    publish_standings(factories.final_table().pk)
    answer = visitor.get(path)
    assert answer.status_code == 404
    page = answer.content.decode()
    assert "There is no such page." in page
    assert 'href="/"' in page


@pytest.mark.parametrize("page", ["hanchan/0", "sessions/9", "players/nobody"])
def test_unknown_pages_of_a_competition_answer_404(visitor: Client, page: str) -> None:
    publish_standings(factories.final_table().pk)
    assert visitor.get(f"/c/final/{page}/").status_code == 404
    assert visitor.get("/players/nobody/").status_code == 404


def test_error_pages_explain_the_error_in_words(visitor: Client, rf: RequestFactory) -> None:
    request = rf.get("/", headers={"accept-language": "en"})
    with translation.override("en"):
        refused = error_pages.forbidden(request, PermissionDenied())
        garbled = error_pages.bad_request(request, SuspiciousOperation())
    assert (refused.status_code, garbled.status_code) == (403, 400)
    assert "You may not see this." in refused.content.decode()
    assert "This address cannot be understood." in garbled.content.decode()
    broken = error_pages.server_error(request)
    assert broken.status_code == 500
    assert "うまく表示できませんでした" in broken.content.decode()
    assert "Something went wrong here." in broken.content.decode()


def test_the_rules_page_shows_options_of_every_type(visitor: Client) -> None:
    competition = factories.league("parlour", ruleset="boo", league_format="open-play")
    publish_standings(competition.pk)
    page = text_of(visitor, "/c/parlour/ruleset/")
    assert "House options" in page
    assert "open to all players" in page
    assert [value_text(value) for value in (True, False, {"E": 1}, (), (1, 2), "nearest")] == [
        "yes", "no", "E: 1", "none", "1, 2", "nearest",
    ]  # fmt: skip


def test_a_scheduled_table_shows_that_its_players_are_not_decided_yet(visitor: Client) -> None:
    season = Season()
    table = season.schedule("final", (), (1, 2), day=1)
    publish_standings(season.competition.pk)
    assert "depends on results still to come" in text_of(visitor, f"/c/spring/tables/{table.pk}/")
    assert "players to be announced" in text_of(visitor, f"/c/spring/hanchan/{table.hanchan.all()[0].pk}/")
    assert "players to be announced" in text_of(visitor, "/c/spring/")


def test_a_page_is_rendered_once_for_all_visitors_and_again_after_publishing(visitor: Client) -> None:
    competition = factories.final_table()
    hanchan = factories.table(competition.blocks.get()).hanchan.get(round=1)
    publish_standings(competition.pk)
    first = visitor.get("/c/final/")
    with CaptureQueriesContext(connection) as queries:
        second = Client(headers={"accept-language": "en"}).get("/c/final/")
    assert len(queries) == 1
    assert second.content == first.content
    assert "41,200" not in second.content.decode()
    factories.play(hanchan)
    publish_standings(competition.pk)
    assert "41,200" in text_of(visitor, "/c/final/")


def test_before_the_first_result_a_player_page_shows_no_destination(visitor: Client) -> None:
    Season()
    page = text_of(visitor, "/c/spring/players/spring-sakuragi/")
    [stands] = re.findall(r'<article class="mecard.*?</article>', page, re.DOTALL)
    assert "–" in stands
    assert ("Final" in stands, "0.0" in stands) == (False, False)


def test_an_empty_open_table_explains_how_guests_appear_in_it(visitor: Client) -> None:
    factories.league("free", league_format="open-play", kind=Competition.Kind.OPEN)
    for path in ("/c/free/", "/c/free/blocks/open/"):
        page = text_of(visitor, path)
        assert "No players in this table yet." in page
        assert "No players here yet." not in page
    assert "asked to be shown" in text_of(visitor, "/c/free/blocks/open/")
