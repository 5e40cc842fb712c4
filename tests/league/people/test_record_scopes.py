"""Records of a part of all results: of a club as it was in that season, a competition, a series or a ranking."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Entrant, Player, Series
from league.services.competitions.addresses import change_slug
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from league.services.standings.publishing import publish_standings
from tests.api.client import Api, Json
from tests.factories import SYSTEM, final_table, in_block, play, play_all, table
from tests.league.seasons.pyramid import series_of_two

pytestmark = pytest.mark.django_db
FIRST = (41200, 30100, 18700, 10000)
HIGHER = (28000, 52000, 12000, 8000)
DAY = dt.date(2026, 6, 1)


def page(query: str, status: int = 200, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(f"/records/{query}")
    assert answer.status_code == status
    return answer.content.decode()


def document(**query: Any) -> Json:
    return dict(Api().get("records/", **query))


def records(**query: Any) -> dict[str, tuple[str, set[str]]]:
    """Return value and holders of each record, by its kind."""
    return {
        each["kind"]: (each["value"], {holder["player"]["name"] for holder in each["holders"]})
        for found in document(**query)["tables"]
        for each in found["records"]
    }


def in_club(entrant: Entrant, club: str) -> None:
    Entrant.objects.filter(pk=entrant.pk).update(affiliation=club)


def name(entrant: Entrant) -> str:
    return entrant.player.name_romaji or entrant.player.name


@pytest.fixture(scope="module")
def spring(shared_rows: None) -> Competition:
    """Return a final in which the first player, of the club 港, and the second, of 山, each win a hanchan."""
    made = final_table("spring")
    one, two, *_others = in_block(made.blocks.get())
    in_club(one, "港")
    in_club(two, "山")
    play_all(table(made.blocks.get(), numbers=(1, 2)), FIRST, HIGHER)
    publish_standings(made.pk)
    return made


@pytest.fixture
def autumn(spring: Competition) -> Competition:
    """Return a later final in which the same first player, now of 山, has the highest score of all."""
    made = final_table("autumn")
    first = in_block(made.blocks.get())[0]
    Entrant.objects.filter(pk=first.pk).update(player=in_block(spring.blocks.get())[0].player, affiliation="山")
    play(table(made.blocks.get(), numbers=(1,)).hanchan.get(), (70000, 20000, 9000, 1000))
    publish_standings(made.pk)
    return made


@pytest.mark.both_databases
def test_a_club_has_the_records_of_its_players_in_the_seasons_they_were_entered_for_it(autumn: Competition) -> None:
    one, two, *_others = in_block(Competition.objects.get(slug="spring").blocks.get())
    Player.objects.update(affiliation="elsewhere")
    harbour, mountain = records(club="港"), records(club="山")
    assert harbour["highest_score"] == ("41200", {name(one)})
    assert harbour["most_hanchan"] == ("2", {name(one)})
    assert mountain["highest_score"] == ("70000", {name(one)})
    assert mountain["most_firsts"] == ("1", {name(one), name(two)})


def test_the_margin_of_a_club_is_over_the_second_of_any_club(spring: Competition) -> None:
    assert records(club="港")["largest_margin"][0] == "11100"
    assert records(club="山")["largest_margin"][0] == "24000"


def test_a_correction_moves_the_record_of_a_club(spring: Competition) -> None:
    hanchan = spring.blocks.get().hanchan.get(number=1)
    play(hanchan, (35000, 30000, 20000, 15000), corrects=1, reason="misread")
    publish_standings(spring.pk)
    assert records(club="港")["highest_score"][0] == "35000"


def test_a_competition_a_series_and_a_ranking_each_bound_the_records(autumn: Competition, spring: Competition) -> None:
    series = series_of_two("pyramid")
    Competition.objects.filter(pk=spring.pk).update(term=series.terms.get(), tier="a1")
    ranking = create_ranking(
        slug="circuit", name="ランキング", name_en="Circuit", source="season-points", is_public=True, by=SYSTEM
    )
    list_event(ranking=ranking, competition=spring, facts=EventFacts(day=DAY), by=SYSTEM)
    for bounds in ({"competition": "spring"}, {"series": "pyramid"}, {"ranking": "circuit"}):
        assert records(**bounds)["highest_score"][0] == "52000", bounds
    assert records(competition="autumn")["highest_score"][0] == "70000"
    assert document(competition="autumn", series="pyramid")["tables"] == []
    text = page("?series=pyramid")
    assert '<option value="pyramid" selected>' in text
    assert "52,000" in text
    assert "70,000" not in text


def test_the_page_offers_the_parts_that_exist_and_says_where_one_has_no_records(autumn: Competition) -> None:
    text = page("")
    assert '<option value="autumn">' in text
    assert "<option>港</option>" in text
    assert 'name="series"' not in text
    assert "No records in this part." in page("?competition=autumn&club=港")
    assert "この範囲の記録はまだありません" in page("?competition=autumn&club=港", language="ja")
    assert "club is the one entered for that season" in page("?club=山")


def test_a_competition_named_by_a_former_address_is_chosen_on_the_page(autumn: Competition) -> None:
    change_slug(competition=autumn, slug="fall", by=SYSTEM)
    assert '<option value="fall" selected>' in page("?competition=autumn")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?competition=none", "There is no league “none” whose records you may read."),
        ("?series=none", "There is no series “none” that you may read."),
        ("?ranking=none", "There is no ranking “none” that you may read."),
        ("?club=none", "No player was entered for a club “none”."),
    ],
)
def test_a_part_that_does_not_exist_is_refused_by_name(spring: Competition, query: str, words: str) -> None:
    assert words in page(query, 404)
    answer = Client(headers={"accept-language": "en"}).get(f"/api/v1/records/{query}")
    name_of_part = query[1:].partition("=")[0]
    (fault,) = answer.json()["errors"]
    assert (answer.status_code, fault["pointer"], fault["in"]) == (400, f"/{name_of_part}", "query")
    assert words in fault["detail"]


def test_a_part_shows_nothing_that_its_visitor_may_not_know(spring: Competition, autumn: Competition) -> None:
    made = table(spring.blocks.get(), numbers=(3,), public_at=timezone.now() + dt.timedelta(days=1))
    play(made.hanchan.get(), (90000, 5000, 3000, 2000))
    publish_standings(spring.pk)
    assert records(club="港")["highest_score"][0] == "41200"
    series = series_of_two("pyramid", is_public=False)
    Competition.objects.filter(pk=spring.pk).update(term=series.terms.get(), tier="a1")
    assert 'value="pyramid"' not in page("")
    assert "There is no series “pyramid”" in page("?series=pyramid", 404)
    Competition.objects.filter(pk=autumn.pk).update(status=Competition.Status.DRAFT)
    assert records(club="山")["highest_score"][0] == "52000"
    page("?competition=autumn", 404)


def test_a_series_that_becomes_public_is_offered_although_no_result_changed(spring: Competition) -> None:
    series = series_of_two("pyramid", is_public=False)
    Competition.objects.filter(pk=spring.pk).update(term=series.terms.get(), tier="a1")
    assert 'value="pyramid"' not in page("")
    Series.objects.update(is_public=True)
    assert '<option value="pyramid">' in page("")
