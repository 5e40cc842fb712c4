"""Test what a career lists besides hanchan: awards, lines of rankings, tiers of series; and the REST documents."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Competition, FormatRevision, Player, SeatResult
from league.selectors.people.careers import career_of, entries_of_career
from league.selectors.people.honours import awards_won
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from rulesets.formats import FOLDER
from tests.api.client import Api, Json
from tests.factories import final_table, in_block, league, play, play_all, table
from tests.league.resting_league import NOTE
from tests.league.seasons.pyramid import play as play_tier
from tests.league.seasons.pyramid import publish, series_of_two, tiers
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db
FIRST = (41200, 30100, 18700, 10000)


def page(path: str) -> str:
    answer = Client(headers={"accept-language": "en"}).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def document(path: str) -> Json:
    address, _mark, year = path.partition("?year=")
    return dict(Api().get(address, year=year) if year else Api().get(address))


@pytest.fixture(scope="module")
def final(shared_rows: None) -> Competition:
    """Play two hanchan."""
    season = final_table("final")
    play_all(table(season.blocks.get(), numbers=(1, 2)), FIRST, (41300, 30000, 18700, 10000))
    publish_standings(season.pk)
    return season


@pytest.fixture
def person(final: Competition) -> Player:
    """Return the first player."""
    return in_block(final.blocks.get())[0].player


def test_an_award_is_won_once_its_stage_is_over() -> None:
    text = (FOLDER / "single-table-final.toml").read_text(encoding="utf-8").replace("single-table-final", "awarded")
    award = f'[[awards]]\nkey = "best-score"\nstage = "final"\nby = "best_score"\n{NOTE}\n'
    made = league("awarded", league_format=keep(FormatRevision, "awarded", f"{text}\n{award}"))
    second = in_block(made.blocks.get())[1].player

    def won() -> list[str]:
        return [each.award.key for each in awards_won(career_of(second, entries_of_career(second, None)))]

    *earlier, last = table(made.blocks.get()).hanchan.order_by("round")
    for hanchan in earlier:
        play(hanchan, (30100 + 100 * hanchan.round, 44000, 15900 - 100 * hanchan.round, 10000))
    publish_standings(made.pk)
    assert won() == []
    play(last, FIRST)
    publish_standings(made.pk)
    assert won() == ["best-score"]
    assert "Titles and awards" in page(f"/players/{second.key}/")
    assert [each["key"] for each in document(f"players/{second.pk}/career/")["awards"]] == ["best-score"]


def test_the_page_shows_the_players_tier_in_a_series() -> None:
    series = series_of_two()
    upper = tiers(series.terms.get())
    competition = next(iter(upper.values()))
    play_tier(competition)
    publish(competition)
    player = competition.entrants.order_by("number")[0].player
    assert f'href="/series/{series.slug}/players/{player.key}/"' in page(f"/players/{player.key}/")


@pytest.mark.both_databases
def test_the_rest_document_of_a_career_has_figures_opponents_and_competitions(
    final: Competition, person: Player
) -> None:
    found = document(f"players/{person.pk}/career/")
    (book,) = found["books"]
    points = sum(SeatResult.objects.filter(player=person).values_list("points", flat=True))
    assert (book["hanchan"], book["places"], book["points"]) == (2, [2, 0, 0, 0], f"{points / 10:.1f}")
    assert book["firsts_in_a_row"]["length"] == 2
    (season,) = found["competitions"]
    assert (season["competition"]["slug"], season["team"], season["rank"]) == ("final", None, 1)
    assert {each["ahead"] for each in found["opponents"]} == {2}
    assert Client().get("/api/v1/players/999999/career/").status_code == 404


def test_the_rest_document_of_records_names_holder_hanchan_and_day(final: Competition, person: Player) -> None:
    found = document("records/")
    (only,) = found["tables"]
    highest = next(each for each in only["records"] if each["kind"] == "highest_score")
    assert highest["value"] == "41300"
    (holder,) = highest["holders"]
    assert holder["player"]["key"] == person.key
    assert holder["hanchan"] == str(final.blocks.get().hanchan.get(number=2).pk)
    assert Client().get("/api/v1/records/?year=12").status_code == 400
    assert document("records/?year=1999")["tables"] == []


def test_the_page_of_all_records_takes_every_league_the_visitor_may_read(final: Competition) -> None:
    other = final_table("second")
    play(table(other.blocks.get(), numbers=(1,)).hanchan.get(), (60000, 20000, 15000, 5000))
    publish_standings(other.pk)
    text = page("/records/")
    assert "60,000" in text
    assert 'href="/c/second/hanchan/' in text
    Competition.objects.filter(pk=other.pk).update(status=Competition.Status.DRAFT)
    assert "60,000" not in page("/records/")
    hidden = Client(headers={"accept-language": "en"})
    hidden.get("/c/final/?until=0")
    assert "41,300" not in hidden.get("/records/").content.decode()
    assert Client().get("/records/?year=x").status_code == 404


def test_records_of_a_team_league_are_those_of_teams_and_of_members() -> None:
    made = TeamLeague()
    made.play_evenings(2)
    made.publish()
    text = page("/c/teams/records/")
    best = SeatResult.objects.order_by("-final_score").select_related("player", "entrant__player")[0]
    assert best.player.name_romaji in text
    assert best.entrant.player.name_romaji in text
    assert "Teams" in text
