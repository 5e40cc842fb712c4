"""Test that programs end blocks, draw stages, search for more even seatings, and keep accounts of people."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from league.models import Closing, Competition, Draw, Entrant, OnlineAccount, Role, SeatingSearch, TableSession
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from tests import factories
from tests.api.client import Api
from tests.factories import in_block, league, play, table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
WISHES = {
    "first_day": "2027-04-03",
    "every": 7,
    "starts_at": "13:00",
    "seed": "0403",
    "hanchan": 6,
    "keeps_clubs_apart": True,
}


def director(competition: Competition) -> Api:
    return Api(factories.user("director", Role.DIRECTOR, competition))


def test_a_block_is_ended_early_after_a_preview_and_opened_again() -> None:
    season = league()
    block = season.blocks.get(key="A")
    first, second = table(block), table(block, in_block(block)[4:8])
    api = director(season)
    path = "competitions/spring/blocks/A/close/"
    body = {"reason": "The hall is closed."}
    assert api.post(path, body, status=422)["errors"][0]["code"] == "nothing_played"
    play(first.hanchan.get(round=1))
    leads = [(slot["block"], slot["number"]) for slot in api.post(f"{path}preview/", body)["slot_changes"]]
    assert leads == [("po3", 1), ("final", 1)]
    assert not Closing.objects.exists()
    made = api.post(path, body, status=201)["decision"]
    assert (made["kind"], made["block"], made["reason"]) == ("closing", "A", "The hall is closed.")
    assert TableSession.objects.get(pk=second.pk).is_cancelled
    assert api.post(path, body, status=409)["errors"][0]["code"] == "already_closed"
    api.post(f"competitions/spring/decisions/closing/{made['id']}/take-back/", {"reason": "It is open after all."})
    assert not TableSession.objects.get(pk=second.pk).is_cancelled


def test_a_stage_is_drawn_from_a_seed_and_the_newest_draw_counts() -> None:
    season = league(league_format="cinderella-2018")
    key = next(stage.key for stage in season.stages.order_by("order") if is_drawn(season, stage.key))
    api, body = director(season), {"seed": "8214", "reason": "In public."}
    path = f"competitions/spring/stages/{key}/draw/"
    api.post(f"{path}preview/", body)
    assert not Draw.objects.exists()
    first = api.post(path, body, status=201)["decision"]
    assert (first["kind"], first["stage"]) == ("draw", key)
    api.post(path, {**body, "seed": "8215"}, status=201)
    assert Draw.objects.get(ended_n=None).seed == "8215"
    undrawn = next(stage.key for stage in season.stages.all() if not is_drawn(season, stage.key))
    refused = api.post(f"competitions/spring/stages/{undrawn}/draw/", body, status=422)
    assert refused["errors"][0]["code"] == "nothing_to_draw"
    assert api.send("post", "competitions/spring/stages/none/draw/", body, {"Idempotency-Key": "x"}).status_code == 404


def is_drawn(season: Competition, key: str) -> bool:
    """Return True if the format draws the stage."""
    return bool(format_of(rules_at(season)).pool(key))


def test_searches_for_more_even_seatings_are_begun_listed_and_stopped() -> None:
    season = league(status=None, league_format="open-play")
    for entrant in factories.entrants(season, 24):
        Entrant.objects.filter(pk=entrant.pk).update(affiliation=f"Club {entrant.number % 4}")
    api = director(season)
    path = "competitions/spring/seating-searches/"
    begun = api.post(path, WISHES, status=201)["searches"]
    assert {row["state"] for row in begun} == {"waiting"}
    assert api.get(path)["searches"] == begun
    assert api.post(path, WISHES, status=409)["errors"][0]["code"] == "nothing_to_improve"
    assert api.send("delete", path).status_code == 204
    assert {row["state"] for row in api.get(path)["searches"]} == {"stopped"}
    assert {row.state for row in SeatingSearch.objects.all()} == {"stopped"}


def test_the_first_page_of_the_service_needs_the_right_to_add_competitions() -> None:
    season, other = league(), league("autumn")
    chief = Api(User.objects.create_superuser("chief"))
    path, body = "competitions/{}/first-page/", {"is_first_page": True}
    assert director(season).send("put", path.format("spring"), body).status_code == 403
    for slug in ("spring", "autumn"):
        assert json.loads(chief.send("put", path.format(slug), body).content) == body
    assert list(Competition.objects.filter(is_first_page=True)) == [other]
    assert chief.get(path.format("spring")) == {"is_first_page": False}


def test_an_account_at_an_online_service_is_remembered_once_and_forgotten() -> None:
    season = league()
    api = director(season)
    one, two = [entrant.player for entrant in in_block(season.blocks.get(key="A"))[:2]]
    body = {"service": "tenhou", "text": "KaiAoyama"}
    made = api.post(f"people/{one.pk}/online-accounts/", body, status=201)
    assert made == {"id": made["id"], "service": "tenhou", "kind": "name", "text": "KaiAoyama"}
    assert api.get(f"people/{one.pk}/online-accounts/") == {"accounts": [made]}
    refused = api.post(f"people/{two.pk}/online-accounts/", body, status=409)
    assert refused["errors"][0]["code"] == "account_of_another"
    assert api.send("delete", f"people/{two.pk}/online-accounts/{made['id']}/").status_code == 404
    assert api.send("delete", f"people/{one.pk}/online-accounts/{made['id']}/").status_code == 204
    assert not OnlineAccount.objects.exists()
    Api(factories.user("reader", Role.READER, season)).get(f"people/{one.pk}/online-accounts/", expect=403)
