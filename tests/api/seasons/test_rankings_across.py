"""Rankings over REST: lines of a day, terms, the place needed, and events written with the right alone."""

import datetime as dt

import pytest
from django.contrib.auth.models import Permission
from rest_framework.test import APIClient

from league.models import EventListed
from league.services.competitions.addresses import change_slug
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from tests.factories import SYSTEM, user
from tests.league.seasons.ranked_events import DAY, again, played, players, publish

pytestmark = pytest.mark.django_db

ROOT = "/api/v1/rankings"
AT = "?day=2026-08-01"


@pytest.mark.both_databases
def test_lines_terms_and_the_place_needed_are_read_as_documents() -> None:
    spring = played("spring")
    summer = again("summer", players(spring)[::-1])
    row = create_ranking(slug="circuit", name="年間", name_en="Circuit", source="mers", is_public=True, by=SYSTEM)
    for competition, day in ((spring, DAY), (summer, DAY + dt.timedelta(30))):
        list_event(ranking=row, competition=competition, facts=EventFacts(day=day), by=SYSTEM)
    one, two, *_others = players(spring)
    client = APIClient()
    assert [each["slug"] for each in client.get(f"{ROOT}/").json()["results"]] == ["circuit"]
    across = client.get(f"{ROOT}/circuit/{AT}")
    assert across.json()["day"] == "2026-08-01"
    assert [line["counting"] for line in across.json()["lines"]] == [2] * 4
    assert client.get(f"{ROOT}/circuit/{AT}", headers={"if-none-match": across.headers["ETag"]}).status_code == 304
    person = client.get(f"{ROOT}/circuit/players/{one.key}/{AT}").json()
    assert [(term["event"]["competition"], term["base"], term["status"]) for term in person["terms"]] == [
        ("summer", "0", "counts"),
        ("spring", "1000", "counts"),
    ]
    assert [part["fills"] for part in person["parts"]] == [3, 2]
    wanted = client.get(f"{ROOT}/circuit/players/{two.key}/what-if/{AT}&rival={one.key}&players=16&days=3").json()
    assert wanted["needed"] is not None
    assert len(wanted["places"]) == 16
    assert client.get(f"{ROOT}/circuit/players/{two.key}/what-if/{AT}&rival={two.key}&players=16").status_code == 422
    assert client.get(f"{ROOT}/circuit/players/nemo/{AT}").status_code == 404
    assert client.get(f"{ROOT}/circuit/?day=soon").status_code == 400


def test_rankings_and_events_are_written_with_the_right_alone() -> None:
    played("spring")
    client = APIClient()
    body = {"slug": "circuit", "name": "年間", "rules": "season-points", "is_public": True}
    client.force_authenticate(user("reader"))
    assert client.post(f"{ROOT}/", body, format="json").status_code == 403
    writer = user("writer")
    writer.user_permissions.add(Permission.objects.get(codename="change_ranking"))
    client.force_authenticate(type(writer).objects.get(pk=writer.pk))
    unknown = client.post(f"{ROOT}/", {**body, "rules": "none"}, format="json")
    assert (unknown.status_code, unknown.json()["errors"][0]["pointer"]) == (422, "/rules")
    assert client.post(f"{ROOT}/", body, format="json").status_code == 201
    assert client.post(f"{ROOT}/", body, format="json").status_code == 409
    event = {"competition": "spring", "day": "2026-06-01"}
    made = client.post(f"{ROOT}/circuit/events/", event, format="json")
    assert made.status_code == 201
    assert made.json()["is_final"]
    assert client.post(f"{ROOT}/circuit/events/", {**event, "competition": "x"}, format="json").status_code == 404
    assert client.get(f"{ROOT}/circuit/events/").json()["events"] == [made.json()]
    assert client.delete(f"{ROOT}/circuit/events/{made.json()['id']}/").status_code == 204
    assert not EventListed.objects.filter(ended_at=None).exists()


def test_exact_numbers_are_decimals_where_they_are_finite() -> None:
    row = create_ranking(slug="circuit", name="年間", source="tenhou-r", is_public=True, by=SYSTEM)
    list_event(ranking=row, competition=played("spring"), facts=EventFacts(day=DAY), by=SYSTEM)
    client = APIClient()
    lines = client.get(f"{ROOT}/circuit/{AT}").json()["lines"]
    assert (lines[0]["total"], lines[0]["exact"]) == ("1615.24", "1615.2408")
    person = client.get(f"{ROOT}/circuit/players/{lines[0]['player']}/{AT}").json()
    assert person["steps"][0]["after"] == "1615.2408"


@pytest.mark.parametrize("source", ["mers", "tenhou-r"])
def test_the_etags_of_a_ranking_follow_address_and_english_name_of_a_competition(source: str) -> None:
    spring = played("spring")
    row = create_ranking(slug="circuit", name="年間", source=source, is_public=True, by=SYSTEM)
    list_event(ranking=row, competition=spring, facts=EventFacts(day=DAY), by=SYSTEM)
    publish(spring)
    client = APIClient(headers={"accept-language": "en"})
    key = players(spring)[0].key
    addresses = [f"{ROOT}/circuit/{each}" for each in (f"players/{key}/", "exports/terms/", "events/")]

    def tags() -> set[str]:
        return {client.get(address).headers["ETag"] for address in addresses}

    before = tags()
    change_slug(competition=spring, slug="lenz", by=SYSTEM)
    assert not before & tags()
    before = tags()
    edit_competition(competition=spring, words=CompetitionWords(name=spring.name, name_en="Lenz Cup"), by=SYSTEM)
    assert not before & tags()
