"""Test that programs set up and change series and rankings: rules, terms, tiers, newcomers, balances, events."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from league.models import Competition, Door, EventListed, OpeningBalance, OrganizationChange, Ranking, Series
from league.selectors.access.actors import Actor, Capability
from league.services.access.tokens import TokenPlan, make_token
from league.services.competitions.addresses import change_slug
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import TWO_TIERS, series_of_two

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TERM = "series/spring/terms/1/"
DAY = dt.date(2026, 6, 1)


@pytest.fixture
def chief() -> User:
    return User.objects.create_superuser("chief")


@pytest.fixture
def api(chief: User) -> Api:
    return Api(chief)


@pytest.fixture
def series() -> Series:
    return series_of_two()


@pytest.fixture
def ranking() -> Ranking:
    return create_ranking(slug="circuit", name="R", source="mers", is_public=True, by=SYSTEM)


def send(api: Api, method: str, path: str, body: Any, status: int = 200, tag: str = "") -> Any:
    """Send a change by PUT or PATCH and return its document, after checking the status."""
    response = api.send(method, path, body, {"If-Match": tag} if tag else None)
    assert response.status_code == status, response.content.decode()
    return json.loads(response.content) if response.content else None


def test_a_series_is_set_up_with_a_first_term_another_term_and_its_tiers(api: Api, series: Series) -> None:
    body = {"slug": "club", "name": "Club", "text": TWO_TIERS, "first_term": 3}
    assert api.post("series/", body, status=201)["slug"] == "club"
    assert api.post("series/", body, status=409)["errors"][0]["pointer"] == "/slug"
    faults = api.post("series/", {**body, "slug": "other", "text": 'name = "x"'}, status=422)["errors"]
    assert len(faults) > 1
    assert api.get("series/club/terms/") == {
        "terms": [{"number": 3, "name": "第3期", "name_en": "Term 3", "tiers": []}]
    }
    assert api.post("series/club/terms/", {"number": 2}, status=201)["number"] == 2
    assert api.post("series/club/terms/", {"number": 2}, status=409)["errors"][0]["code"] == "term_exists"
    made = api.post("series/club/terms/3/tiers/", {"ruleset": "mleague"}, status=201)
    assert [each["competition"]["slug"] for each in made["tiers"]] == ["club-3-a", "club-3-b"]
    assert [each["number"] for each in api.get("series/club/terms/")["terms"]] == [3, 2]


def test_a_former_address_of_a_competition_serves_in_records_tiers_and_events_of_rankings(
    api: Api, series: Series, ranking: Ranking
) -> None:
    change_slug(competition=Competition.objects.get(slug="spring-1-a"), slug="lenz", by=SYSTEM)
    assert api.get("records/", competition="spring-1-a")["tables"] == []
    api.post(f"{TERM}tiers/A/detach/", {"reason": "Wrong term."})
    back = send(api, "put", f"{TERM}tiers/A/", {"competition": "spring-1-a"})
    assert [each["competition"]["slug"] for each in back["tiers"]] == ["lenz", "spring-1-b"]
    event = api.post("rankings/circuit/events/", {"competition": "spring-1-a", "day": "2026-06-01"}, status=201)
    assert event["competition"] == "lenz"


def test_a_competition_is_taken_out_of_its_term_and_made_a_tier_again(api: Api, series: Series) -> None:
    out = api.post(f"{TERM}tiers/A/detach/", {"reason": "Wrong term."})
    assert [each["tier"] for each in out["tiers"]] == ["B"]
    api.post(f"{TERM}tiers/A/detach/", {"reason": "Again."}, status=404)
    back = send(api, "put", f"{TERM}tiers/A/", {"competition": "spring-1-a"})
    assert [each["tier"] for each in back["tiers"]] == ["A", "B"]
    assert send(api, "put", f"{TERM}tiers/A/", {"competition": "none"}, 422)["errors"][0]["pointer"] == "/competition"
    assert (
        send(api, "put", f"{TERM}tiers/X/", {"competition": "spring-1-a"}, 422)["errors"][0]["code"] == "unknown_tier"
    )


def test_names_and_audience_of_a_series_are_changed_with_the_tag_that_was_read(api: Api, series: Series) -> None:
    tag = api.send("get", "series/spring/settings/").headers["ETag"]
    changed = send(api, "patch", "series/spring/settings/", {"is_public": False}, tag=tag)
    assert changed == {"name": "春リーグ戦", "name_en": "Spring series", "is_public": False}
    send(api, "patch", "series/spring/settings/", {"name": "Other"}, 412, tag)
    assert Api().send("get", "series/spring/").status_code == 404


def test_rules_of_a_series_are_previewed_and_revised(api: Api, series: Series) -> None:
    text = TWO_TIERS.replace('title = { ja = "A級"', 'title = { ja = "1部"')
    body = {"text": text, "reason": "Renamed."}
    preview = api.post("series/spring/rules/preview/", body)
    assert preview["tiers"][0]["title"]["ja"] == "1部"
    assert Series.objects.get().rules_id == series.rules_id
    assert api.post("series/spring/rules/", body)["rules"] == preview["rules"]
    assert Series.objects.get().rules.text == preview["rules"]
    lost = api.post("series/spring/rules/preview/", {**body, "text": text.replace('"B"', '"C"')}, status=422)
    assert lost["errors"]


def test_a_newcomer_is_placed_in_a_tier_of_the_next_term(api: Api, series: Series) -> None:
    moves = api.post(f"{TERM}newcomers/", {"name": "Aoi", "tier": "B", "reason": "Joined."}, status=201)
    (placed,) = [each for each in moves["moves"] if each["player"]["name"] == "Aoi"]
    assert (placed["seat"], placed["decision"]["kind"]) == ("B", "placed")


def test_opening_balances_replace_one_another(api: Api, series: Series) -> None:
    for points in (2, 3):
        body = {"player": "spring-a1", "points": points, "reason": "Books of 2025."}
        assert api.post("series/spring/opening-balances/", body)["points"] == points
    (held,) = api.get("series/spring/opening-balances/")["balances"]
    assert (held["player"]["key"], held["points"]) == ("spring-a1", 3)
    assert OpeningBalance.objects.count() == 2
    unknown = {"player": "none", "points": 1, "reason": "x"}
    assert api.post("series/spring/opening-balances/", unknown, status=422)["errors"][0]["pointer"] == "/player"


def test_names_and_audience_of_a_ranking_are_changed_with_the_tag_that_was_read(api: Api, ranking: Ranking) -> None:
    tag = api.send("get", "rankings/circuit/settings/").headers["ETag"]
    changed = send(api, "patch", "rankings/circuit/settings/", {"name_en": "Circuit"}, tag=tag)
    assert changed == {"name": "R", "name_en": "Circuit", "is_public": True}
    send(api, "patch", "rankings/circuit/settings/", {"name": "Other"}, 412, tag)


def test_a_ranking_follows_other_rules_after_a_preview(api: Api, ranking: Ranking) -> None:
    body = {"rules": "tenhou-r", "reason": "By games."}
    assert api.post("rankings/circuit/rules/preview/", body)["kind"] == "rating"
    assert Ranking.objects.get().rules_id == ranking.rules_id
    assert api.post("rankings/circuit/rules/", body)["kind"] == "rating"
    assert OrganizationChange.objects.get(kind="ranking.rules_changed").reason == "By games."
    assert api.post("rankings/circuit/rules/", {"rules": "none"}, status=422)["errors"][0]["code"] == "unknown_ranking"


def test_the_facts_of_an_event_are_replaced_and_the_row_before_stays(api: Api, ranking: Ranking) -> None:
    season = factories.league()
    event = list_event(ranking=ranking, competition=season, facts=EventFacts(day=DAY), by=SYSTEM)
    path = f"rankings/circuit/events/{event.pk}/"
    changed = send(api, "put", path, {"day": "2026-06-02", "days": 2})
    assert (changed["day"], changed["days"], changed["id"] != str(event.pk)) == ("2026-06-02", 2, True)
    assert EventListed.objects.filter(ended_at=None).count() == 1
    send(api, "put", path, {"day": "2026-06-02"}, 404)
    assert api.send("delete", f"rankings/circuit/events/{changed['id']}/").status_code == 204


def test_those_without_the_right_change_no_series_and_no_ranking(series: Series, ranking: Ranking, chief: User) -> None:
    director = Api(factories.user("director"))
    director.post("series/", {"slug": "club", "name": "Club", "text": TWO_TIERS}, status=403)
    director.post("series/spring/terms/", {"number": 2}, status=403)
    director.post("rankings/circuit/rules/", {"rules": "mers"}, status=403)
    assert Api().send("post", "series/spring/terms/", {"number": 2}, {"Idempotency-Key": "x"}).status_code == 401
    plan = TokenPlan(label="bot", scopes=tuple(Capability), expires_in=dt.timedelta(days=1))
    bot = Api()
    bot.headers["Authorization"] = f"Token {make_token(plan=plan, by=Actor(user=chief, door=Door.PAGE)).token}"
    bot.post("series/spring/terms/", {"number": 2}, status=403)
