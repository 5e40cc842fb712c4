"""Decisions over REST: rulings, adjustments and who advances, with previews, embargo and take-back."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.utils import timezone

from league.models import Adjustment, Competition, Hanchan, HanchanSeat, Override, Role, Ruling
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import new_player
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db


def api(competition: Competition, role: Role) -> Api:
    """Return the client of a user with this role, by a token."""
    return Api(factories.user(role, role, competition))


def total(reader: Api, slug: str, entrant: int) -> str:
    """Return an entrant's total in block A of the preliminary stage."""
    rows = reader.get("standings/", competition=slug, block="A")["blocks"][0]["rows"]
    return next(str(row["total"]) for row in rows if row["entrant"] == str(entrant))


@pytest.mark.both_databases
def test_a_referee_rules_on_a_tie_and_a_director_takes_the_ruling_back() -> None:
    final = factories.final_table()
    table = factories.table(final.blocks.get())
    for place, hanchan in enumerate(table.hanchan.order_by("round")):
        factories.play(hanchan, (35000, 35000, 16000 - place * 100, 14000 + place * 100))
    publish_standings(final.pk)
    referee, director = api(final, Role.REFEREE), api(final, Role.DIRECTOR)
    (tie,) = director.get("standings/", competition=final.slug)["awaiting"]
    path, scope = f"competitions/{final.slug}/rulings/", tie["scope"]
    order = tie["entrants"][::-1]
    body = {"scope": scope, "order": order, "reason": "By lot"}
    preview = referee.post(f"{path}preview/", body)
    assert {row["entrant"] for row in preview["movements"]} <= set(order)
    assert not Ruling.objects.exists()
    assert referee.post(path, {**body, "order": order[:1] * 2}, status=422)["errors"][0]["code"] == "no_such_tie"
    made = referee.post(path, body, status=201)["decision"]
    assert (made["kind"], made["order"], made["reason"]) == ("ruling", order, "By lot")
    assert referee.post(path, body, status=409)["errors"][0]["code"] == "ruled_already"
    (listed,) = director.get(f"competitions/{final.slug}/decisions/")["results"]
    assert listed == made
    back = f"competitions/{final.slug}/decisions/ruling/{made['id']}/take-back/"
    assert referee.send("post", back, {"reason": "x"}).status_code == 403
    director.post(f"{back}preview/", {"reason": "Wrong note"})
    assert Ruling.objects.get().ended_n is None
    assert director.post(back, {"reason": "Wrong note"})["decision"] is None
    assert director.post(back, {"reason": "Wrong note"}, status=409)["errors"][0]["code"] == "already_taken_back"
    assert director.get(f"competitions/{final.slug}/decisions/")["results"] == []
    assert director.send("post", back.replace("ruling/", "nothing/"), {"reason": "x"}).status_code == 404


def test_an_adjustment_while_a_result_is_held_back_is_shown_to_the_staff_alone() -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    entrant = factories.in_block(block)[0]
    table = factories.table(block)
    first = table.hanchan.order_by("round")[0]
    factories.play(first)
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    referee, public = api(season, Role.REFEREE), Api()
    path = f"competitions/{season.slug}/blocks/A/adjustments/"
    body = {"entrant": str(entrant.pk), "points": "-20.5", "reason": "Late"}
    assert referee.post(path, {**body, "points": "0.05"}, status=422)["errors"][0]["pointer"] == "/points"
    assert referee.post(path, {**body, "entrant": "999999"}, status=422)["errors"][0]["code"] == "unknown_entrant"
    (moved,) = [row for row in referee.post(f"{path}preview/", body)["movements"] if row["entrant"] == str(entrant.pk)]
    assert not Adjustment.objects.exists()
    publish_standings(season.pk)
    before = total(public, season.slug, entrant.pk)
    made = referee.post(path, body, status=201)
    assert (made["decision"]["points"], made["decision"]["block"]) == ("-20.5", "A")
    publish_standings(season.pk)
    assert total(referee, season.slug, entrant.pk) == moved["total_after"]
    assert total(public, season.slug, entrant.pk) == before
    assert public.send("get", f"competitions/{season.slug}/decisions/").status_code == 401


def test_an_adjustment_sent_again_with_its_key_is_made_once() -> None:
    season = factories.league()
    entrant = factories.in_block(season.blocks.get(key="A"))[0]
    referee, path = api(season, Role.REFEREE), f"competitions/{season.slug}/blocks/A/adjustments/"
    body = {"entrant": str(entrant.pk), "points": "-20.5", "reason": "Late"}
    first, again = (referee.change(path, body, key="same") for _time in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert Adjustment.objects.count() == 1
    assert json.loads(referee.send("post", path, body).content)["code"] == "idempotency_key_missing"


def test_a_director_decides_who_advances() -> None:
    season = factories.league()
    people = factories.in_block(season.blocks.get(key="A"))
    director, slots = api(season, Role.DIRECTOR), f"competitions/{season.slug}/blocks/final/slots"
    path = f"competitions/{season.slug}/blocks/A/pass-over/"
    body: dict[str, Any] = {"entrant": str(people[0].pk), "reason": "Withdrew"}
    director.post(f"{path}preview/", body)
    assert director.post(path, body, status=201)["decision"]["entrant"] == str(people[0].pk)
    assert director.post(f"{slots}/1/override/", {"reason": "Ill"}, status=422)["errors"][0]["code"] == (
        "source_or_entrant"
    )
    filled = {"source": "A#6", "reason": "Ill"}
    director.post(f"{slots}/1/override/preview/", filled)
    made = director.post(f"{slots}/1/override/", filled, status=201)["decision"]
    assert (made["source"], made["slot"], made["block"]) == ("A#6", 1, "final")
    named = director.post(f"{slots}/2/override/", {"entrant": str(people[7].pk), "reason": "Invited"}, status=201)
    assert (named["decision"]["source"], named["decision"]["entrant"]) == ("ruling", str(people[7].pk))
    swapped = {"block": "final", "slot": 2, "reason": "Both asked"}
    director.post(f"{slots}/1/swap/preview/", swapped)
    director.post(f"{slots}/1/swap/", swapped, status=201)
    assert Override.objects.filter(kind="replace").count() == 4
    assert director.post(f"{slots}/1/swap/", {**swapped, "slot": 99}, status=422)["errors"][0]["code"] == "unknown_slot"
    referee = api(season, Role.REFEREE)
    assert referee.send("post", f"{slots}/1/swap/", swapped).status_code == 403


@pytest.mark.both_databases
def test_a_substitute_sits_and_an_earlier_revision_is_submitted_again() -> None:
    final = factories.final_table()
    table = factories.table(final.blocks.get())
    hanchan = table.hanchan.order_by("round")[0]
    entrant, player = factories.in_block(final.blocks.get())[0], new_player(name="Ersatz", by=SYSTEM)
    scorer, director = api(final, Role.SCORER), api(final, Role.DIRECTOR)
    path = f"hanchan/{hanchan.pk}"
    body = {"entrant": str(entrant.pk), "player": str(player.pk), "reason": "Ill"}
    scorer.post(f"{path}/substitute/", body)
    assert HanchanSeat.objects.get(hanchan=hanchan, entrant=entrant).player_id == player.pk
    scorer.post(f"{path}/substitute/", {**body, "player": None})
    assert HanchanSeat.objects.get(hanchan=hanchan, entrant=entrant).player_id == entrant.player_id
    director.post(f"{path}/abandon/", {"reason": "Power cut"})
    assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.ABANDONED
    assert director.post(f"{path}/resume/", {"reason": "Played on"})["hanchan"]["state"] == "scheduled"
    factories.play(hanchan, (40000, 30000, 20000, 10000))
    director.post(f"{path}/void/", {"reason": "x"}, if_match=f'"{hanchan.pk}-r1"')
    factories.play(hanchan, (10000, 20000, 30000, 40000))
    back = f"{path}/results/1/revert/"
    assert scorer.send("post", back, {"reason": "x"}).status_code == 403
    assert director.change(back, {"reason": "x"}).status_code == 428
    assert director.change(back, {"reason": "x"}, if_match=f'"{hanchan.pk}-r1"').status_code == 412
    made = director.post(back, {"reason": "The first was right"}, if_match=f'"{hanchan.pk}-r2"')
    assert [seat["score"] for seat in made["sheet"]["seats"]] == [40000, 30000, 20000, 10000]


def test_ids_in_a_body_that_are_not_known_are_refused_at_their_pointers() -> None:
    final = factories.final_table()
    hanchan = factories.table(final.blocks.get()).hanchan.get(round=1)
    director = api(final, Role.DIRECTOR)
    absence = {"entrant": "999999", "reason": "x"}
    table = {"session": "999999", "block": final.blocks.get().key, "numbers": [4], "entrants": []}
    for path, body, pointer in (
        (f"hanchan/{hanchan.pk}/no-show/", absence, "/entrant"),
        (f"hanchan/{hanchan.pk}/substitute/", absence | {"player": None}, "/entrant"),
        (f"competitions/{final.slug}/table-sessions/", table, "/session"),
    ):
        refused = director.change(path, body)
        assert refused.status_code == 422, (path, refused.content)
        assert json.loads(refused.content)["errors"][0]["pointer"] == pointer
