"""REST document of the odds: counts with their shares, and a state that explains missing odds."""

from __future__ import annotations

import pytest

from league.models import Competition, Forecast
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.standings.odds import publish_odds
from league.services.standings.publishing import publish_standings
from tests.api.client import Api
from tests.factories import SYSTEM, final_table, league, play, table

pytestmark = pytest.mark.django_db

ADDRESS = "competitions/spring/odds/"


@pytest.fixture
def season(monkeypatch: pytest.MonkeyPatch) -> Competition:
    """Return a season after its first hanchan, with the number of simulated seasons set to 1000."""
    monkeypatch.setattr("league.services.standings.odds.SEASONS", 1000)
    monkeypatch.setattr("league.services.standings.odds.BATCH", 1000)
    competition = league()
    play(table(competition.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    competition.refresh_from_db()
    return competition


def test_the_document_gives_every_count_with_its_share_and_error(season: Competition) -> None:
    odds = Api().get(ADDRESS)
    assert (odds["state"], odds["reason"], odds["seasons"]) == ("ready", None, 1000)
    assert odds["as_of"] == season.public_version
    assert odds["error"] == "1.6"
    assert odds["drawn_from"] == {"own": 1, "made_up": 24}
    assert sum(player["title"]["share"]["count"] for player in odds["players"]) == 1000
    assert len(odds["players"]) == 16
    assert [(block["key"], block["is_under_way"], block["is_last"]) for block in odds["blocks"]] == [
        ("A", True, False), ("B", True, False), ("final", False, True),
    ]  # fmt: skip
    first = odds["blocks"][0]["rows"][0]
    assert first["rank"] == 1
    assert sum(share["count"] for share in first["ranks"]) == 1000
    assert first["advance"]["seasons"] == 1000
    following = next(each for each in odds["next_hanchan"] if each["entrant"] == first["entrant"])
    assert following["number"] == 2
    assert [each["place"] for each in following["places"]] == [1, 2, 3, 4]
    assert sum(each["advance"]["seasons"] for each in following["places"]) == 1000


def test_unchanged_odds_give_304(season: Competition) -> None:
    tag = Api().send("get", ADDRESS).headers["ETag"]
    assert Api().send("get", ADDRESS, headers={"If-None-Match": tag}).status_code == 304


def test_odds_are_pending_before_they_are_computed(season: Competition) -> None:
    Forecast.objects.all().delete()
    odds = Api().get(ADDRESS)
    assert (odds["state"], odds["as_of"], odds["players"]) == ("pending", None, [])


def test_odds_switched_off_by_the_organizers_have_the_state_off(season: Competition) -> None:
    words = CompetitionWords(name=season.name, shows_odds=False)
    edit_competition(competition=season, words=words, by=SYSTEM)
    publish_standings(season.pk)
    assert Api().get(ADDRESS)["state"] == "off"


def test_unforeseeable_odds_have_a_reason_in_both_languages() -> None:
    competition = final_table()
    competition.blocks.get().slots.filter(number=1).update(seeded=None)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    odds = Api().get("competitions/final/odds/")
    assert odds["state"] == "unforeseeable"
    assert odds["reason"]["en"] == "Odds appear once every player of the first stage has been named."
    assert odds["reason"]["ja"]
