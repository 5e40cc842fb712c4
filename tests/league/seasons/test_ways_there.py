"""Series and rankings can be found: from the first page, the sitemap, the admin's header and its search."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import EventListed, Ranking, Series
from league.models.ranking import EventResult
from league.services.operations.verification import differences_of
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from league.services.seasons.series import SeriesWords, edit_series
from tests.factories import SYSTEM, final_table, user
from tests.league.seasons.pyramid import series_of_two
from tests.league.seasons.ranked_events import DAY, played, players

pytestmark = pytest.mark.django_db


def ranking(*, is_public: bool = True) -> Ranking:
    return create_ranking(
        slug="circuit", name="ランキング", name_en="Circuit", source="season-points", is_public=is_public, by=SYSTEM
    )


def body(path: str, client: Client | None = None) -> str:
    answer = (client or Client(headers={"accept-language": "en"})).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def links(page: str) -> str:
    """Return the paragraph of links below the list of competitions."""
    return page.partition('<p class="links">')[2].partition("</p>")[0]


def public_series(*, is_public: bool = True) -> Series:
    series = series_of_two()
    words = SeriesWords(name=series.name, name_en=series.name_en, is_public=is_public)
    edit_series(series=series, words=words, by=SYSTEM)
    return series


def test_the_list_of_competitions_leads_to_what_the_visitor_may_read() -> None:
    final_table("cup")
    before = links(body("/competitions/"))
    assert 'href="/records/"' in before
    assert "/series/" not in before
    assert "/rankings/" not in before
    row = ranking(is_public=False)
    assert "/rankings/" not in links(body("/competitions/"))
    Ranking.objects.filter(pk=row.pk).update(is_public=True)
    assert 'href="/rankings/"' in links(body("/competitions/"))


def test_the_records_of_a_competition_lead_to_the_rankings_that_count_it_as_soon_as_they_do() -> None:
    competition = played("cup")
    assert "/rankings/circuit/" not in body("/c/cup/records/")
    list_event(ranking=ranking(), competition=competition, facts=EventFacts(day=DAY), by=SYSTEM)
    assert 'href="/rankings/circuit/">Circuit' in body("/c/cup/records/")
    Ranking.objects.update(is_public=False)
    assert "/rankings/circuit/" not in body("/c/cup/records/")


def test_the_sitemap_has_public_series_with_their_terms_and_public_rankings() -> None:
    series, row = public_series(), ranking()
    shown = body("/sitemap.xml")
    for path in ("/series/", f"/series/{series.slug}/", "/rankings/", "/rankings/circuit/", "/records/"):
        assert f"{path}?lang=en" in shown
        assert f'{path}?lang=en">' in body(path), path
    Ranking.objects.filter(pk=row.pk).update(is_public=False)
    Series.objects.filter(pk=series.pk).update(is_public=False)
    hidden = body("/sitemap.xml")
    assert "/series/" not in hidden
    assert "/rankings/" not in hidden


def test_the_admin_leads_to_series_and_rankings_for_those_who_may_change_them(chief: Client) -> None:
    series, row = public_series(), ranking()
    start = body("/admin/", chief)
    assert 'href="/admin/league/series/"' in start
    assert 'href="/admin/league/ranking/"' in start
    assert f"/admin/league/ranking/{row.pk}/change/" in body("/admin/search/?q=circuit", chief)
    assert f"/admin/league/series/{series.pk}/change/" in body(f"/admin/search/?q={series.slug}", chief)
    other = Client()
    other.force_login(user("helper", is_staff=True))
    assert "/admin/league/series/" not in body("/admin/", other)
    assert "/admin/league/ranking/" not in body("/admin/search/?q=circuit", other)


def test_a_tampered_copy_of_a_final_table_is_found_and_so_is_one_that_is_behind() -> None:
    competition = played("cup")
    event = list_event(ranking=ranking(), competition=competition, facts=EventFacts(day=DAY), by=SYSTEM)
    assert list(differences_of(competition)) == []
    first = players(competition)[0]
    EventResult.objects.filter(event=event, player=first).update(place=3)
    (difference,) = differences_of(competition)
    assert str(difference).startswith(f"cup, ranking circuit: place, players and points of player {first.pk} is (3, 4,")
    EventListed.objects.filter(pk=event.pk).update(seen_version=0)
    assert [each.what for each in differences_of(competition)] == ["version copied"]
