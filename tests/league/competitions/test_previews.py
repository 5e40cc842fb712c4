"""Test link previews: meta tags, the cards that applications show beside a link, the sitemap and accent colours."""

from __future__ import annotations

import datetime as dt
import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from PIL import Image

from league.models import Competition, Hanchan, Player
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.people.pictures import set_picture
from league.services.standings.publishing import publish_standings
from league.web.card_image import drawable, japanese_font
from league.web.operations.checks import check_card_font
from tests import factories
from tests.league.parlours import guests, parlour
from tests.league.played_season import Season, almost_finished, preliminary

pytestmark = pytest.mark.django_db
SITE = "https://league.example"
PAGES = ("/c/spring/", "/c/spring/blocks/A/", "/c/spring/players/spring-hoshino/")


@pytest.fixture(autouse=True)
def _site(settings: LazySettings) -> None:
    settings.BASE_URL = SITE
    settings.ALLOWED_HOSTS = ["league.example", "testserver"]


@pytest.fixture
def season() -> Season:
    return preliminary()


def get(path: str, language: str = "en") -> HttpResponse:
    response = Client(headers={"accept-language": language}).get(path)
    assert isinstance(response, HttpResponse)
    return response


def metas(path: str, language: str = "en") -> dict[str, str]:
    """Return the content of each meta tag of a page by its name or property."""
    page = get(path, language).content.decode()
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in found}


def card(path: str) -> bytes:
    response = get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "image/png"), path
    return response.content


def held_back(season: Season) -> Hanchan:
    """Return a hanchan of block A whose table is under embargo."""
    block = season.block("A")
    session = create_session(competition=season.competition, by=factories.SYSTEM)
    fixture = Fixture(
        block=block,
        numbers=(3,),
        entrants=tuple(factories.in_block(block)[:4]),
        public_at=timezone.now() + dt.timedelta(days=1),
    )
    found: Hanchan = create_table_session(session=session, fixture=fixture, by=factories.SYSTEM).hanchan.get()
    return found


@pytest.mark.parametrize("language", ["ja", "en"])
def test_pages_have_a_title_a_sentence_of_standing_and_a_card_in_the_readers_language(
    season: Season, language: str
) -> None:
    leader = {"ja": "1位", "en": "1st"}[language]
    key = season.competition.entrants.select_related("player")[0].player.key
    for path in (*PAGES[:2], f"/c/spring/players/{key}/"):
        found = metas(path, language)
        assert found["og:title"]
        assert found["description"] == found["og:description"]
        assert leader in found["description"] or "players" in path, path
        assert found["og:url"] == f"{SITE}{path}"
        assert found["og:locale"] == {"ja": "ja_JP", "en": "en_US"}[language]
        assert found["twitter:card"] == "summary_large_image"
        image = found["og:image"].removeprefix(SITE)
        assert f"/card/{language}.png?v=" in image
        assert Image.open(BytesIO(card(image))).size == (1200, 630)


def test_the_sentence_names_the_three_first_of_the_furthest_block(season: Season) -> None:
    said = metas("/c/spring/")["description"]
    assert len(re.findall(r"\d(?:st|nd|rd) ", said)) == 3, said


def test_the_page_names_its_language_alternates_and_each_is_its_own_canonical(season: Season) -> None:
    page = get("/c/spring/").content.decode()
    alternates = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"', page))
    assert alternates["x-default"] == f"{SITE}/c/spring/"
    for language in ("ja", "en"):
        # Search engines send no Accept-Language, and get the language without a redirect.
        there = Client().get(alternates[language].removeprefix(SITE))
        text = there.content.decode()
        assert there.status_code == 200
        assert f'<html lang="{language}">' in text
        assert f'<link rel="canonical" href="{alternates[language]}">' in text


def test_a_browser_that_chooses_a_language_is_still_redirected_and_keeps_it() -> None:
    chosen = get("/?lang=ja", "en")
    assert (chosen.status_code, chosen["Location"]) == (302, "/")


def test_a_card_differs_by_language_and_changes_with_the_published_version_only() -> None:
    season = preliminary(2)
    own = "/c/spring/blocks/A/card/ja.png"
    before = {language: card(f"/c/spring/card/{language}.png") for language in ("ja", "en")}
    block = card(own)
    assert before["ja"] != before["en"]
    hidden = held_back(season)
    season.play(hidden)
    season.publish()
    assert card("/c/spring/card/ja.png") == before["ja"], "an embargoed result changes the card"
    assert card(own) == block, "an embargoed result changes the card of its block"
    season.play_rest("B")
    season.publish()
    assert card("/c/spring/card/ja.png") != before["ja"]


def test_the_cards_of_one_hanchan_need_a_result_that_the_public_may_see() -> None:
    season = preliminary(2)
    played = Hanchan.objects.filter(block=season.block("A"), number=1)[0]
    awaited = Hanchan.objects.filter(block=season.block("A"), number=3)[0]
    hidden = held_back(season)
    season.play(hidden)
    season.publish()
    assert card(f"/c/spring/hanchan/{played.pk}/card/ja.png")
    assert metas(f"/c/spring/hanchan/{played.pk}/")["og:image"].startswith(f"{SITE}/c/spring/hanchan/")
    assert "og:image" not in metas(f"/c/spring/hanchan/{awaited.pk}/")
    for missing in (awaited.pk, hidden.pk):
        assert get(f"/c/spring/hanchan/{missing}/card/ja.png").status_code == 404


def test_the_card_behind_the_spoiler_guard_shows_no_later_session(season: Season) -> None:
    guarded = Client(headers={"accept-language": "en"})
    guarded.get("/c/spring/?until=1")
    hidden = guarded.get("/c/spring/card/en.png").content
    assert hidden != card("/c/spring/card/en.png")


def test_the_champions_card_and_sentence_name_the_champion() -> None:
    season = almost_finished()
    season.play_rest("final")
    season.publish()
    said = metas("/c/spring/champion/", "ja")
    assert said["description"].startswith("優勝")
    assert card("/c/spring/card/ja.png") != card("/c/spring/card/en.png")


def test_without_a_japanese_font_every_card_is_in_english(season: Season, settings: LazySettings) -> None:
    with_font = card("/c/spring/card/ja.png")
    settings.CARD_FONT = "/nowhere/font.ttc"
    assert not japanese_font()
    without = card("/c/spring/card/ja.png")
    assert Image.open(BytesIO(without)).size == (1200, 630)
    assert without != with_font
    assert without == card("/c/spring/card/en.png")
    assert (drawable("桜木 Sakuragi"), drawable("▲12.5")) == ("Sakuragi", "▲12.5")


def test_the_check_warns_of_a_missing_japanese_font_where_the_service_is_public(settings: LazySettings) -> None:
    assert check_card_font(None) == []
    settings.CARD_FONT = "/nowhere/font.ttc"
    assert [found.id for found in check_card_font(None)] == ["league.W001"]
    settings.BASE_URL = ""
    assert check_card_font(None) == []


def test_the_large_tile_of_a_card_shows_the_picture_of_the_player_or_the_league(season: Season) -> None:
    player = season.competition.entrants.select_related("player")[0].player
    not_begun = factories.final_table("bare")
    for subject, path in (
        (not_begun, "/c/bare/card/ja.png"),
        (player, f"/c/spring/players/{player.key}/card/ja.png"),
    ):
        drawn = BytesIO()
        Image.new("RGB", (64, 64), (30, 60, 220)).save(drawn, "PNG")
        drawn.seek(0)
        set_picture(subject=subject, file=drawn, by=factories.SYSTEM)
        publish_standings(season.competition.pk)
        publish_standings(not_begun.pk)
        red, _green, blue = Image.open(BytesIO(card(path))).convert("RGB").getpixel((180, 300))  # type: ignore[misc]
        assert blue > red + 100


def test_a_card_answers_304_to_its_etag(season: Season) -> None:
    first = get("/c/spring/card/en.png")
    again = Client(headers={"if-none-match": first["ETag"]}).get("/c/spring/card/en.png")
    assert again.status_code == 304


def test_drafts_unknown_languages_and_guests_of_open_tables_have_no_card() -> None:
    Season("hidden", status="draft")
    room = parlour()
    guest = guests(room, 4)[0]
    for path in (
        "/c/hidden/card/ja.png",
        f"/c/{room.slug}/card/fr.png",
        f"/c/{room.slug}/players/{guest.player.key}/card/ja.png",
    ):
        assert get(path).status_code == 404, path
    assert get(f"/c/{room.slug}/card/ja.png").status_code in {200, 404}


def test_without_a_base_url_no_host_of_a_visitor_stands_in_a_page(season: Season, settings: LazySettings) -> None:
    settings.BASE_URL = ""
    page = Client(headers={"accept-language": "en", "host": "testserver"}).get("/c/spring/").content.decode()
    assert "og:image" not in page
    assert "testserver" not in page[: page.index("</head>")]


def test_pages_for_staff_and_errors_have_no_preview(season: Season) -> None:
    for path in ("/c/nowhere/", "/login/", "/players/?q=a"):
        assert "og:title" not in get(path).content.decode(), path


def test_the_sitemap_lists_what_an_anonymous_visitor_may_see_and_each_url_is_canonical(season: Season) -> None:
    Season("hidden", status="draft", name="秘密の杯", name_en="Secret Cup")
    room = parlour()
    guest = guests(room, 4)[0].player
    client = Client()
    tree = ET.fromstring(client.get("/sitemap.xml").content)  # noqa: S314 - our own
    urls = [each.text or "" for each in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert f"{SITE}/c/spring/?lang=ja" in urls
    assert not any("hidden" in url or guest.key in url for url in urls)
    listed = {url for url in urls if "/players/" in url}
    assert len(listed) == 2 * Player.objects.filter(entrants__competition__slug="spring").count()
    others = [url for url in urls if url not in listed]
    # The pages of rule books are large and alike.
    books = [url for url in others if "/rules/" in url]
    for url in (*others[: -len(books)], *books[:2], *sorted(listed)[:2]):
        page = client.get(url.removeprefix(SITE))
        assert page.status_code == 200, url
        assert f'<link rel="canonical" href="{url}">' in page.content.decode(), url


def test_robots_txt_names_the_sitemap() -> None:
    assert f"Sitemap: {SITE}/sitemap.xml" in get("/robots.txt").content.decode()


def test_an_accent_is_a_stylesheet_of_its_own_and_is_linked_only_if_set(season: Season) -> None:
    assert "accent.css" not in get("/c/spring/").content.decode()
    assert get("/c/spring/accent.css").status_code == 404
    competition = Competition.objects.get(slug="spring")
    edit_competition(
        competition=competition, words=CompetitionWords(name=competition.name, accent="#7a1f3d"), by=factories.SYSTEM
    )
    assert '<link rel="stylesheet" href="/c/spring/accent.css">' in get("/c/spring/").content.decode()
    sheet = get("/c/spring/accent.css")
    assert sheet["Content-Type"].startswith("text/css")
    assert "--house:light-dark(#7a1f3d," in sheet.content.decode()
