"""Tests of the page behind the code on a parlour's table, and of the counter's part for followed games."""

from __future__ import annotations

import json

import pytest
from django.http import HttpResponse
from django.test import Client

from league.models import Competition, Hanchan, Parlour, ParlourTable, ResultSheet, Role, Sitting
from league.selectors.parlour.board import running
from league.selectors.parlour.following import code_of
from league.services.parlour.following import renew_table_code, start_followed_game
from league.services.parlour.sittings import leave
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.shared import fresh
from tests.league.tables import Device

pytestmark = pytest.mark.django_db
EN = {"Accept-Language": "en"}
TSUMO = {"type": "tsumo", "win": {"seat": 0, "value": {"limit": "mangan"}}}
SEE_OTHER = 302


@pytest.fixture(scope="module")
def seated(shared_rows: None) -> Sitting:
    """Seat three guests at table 1 under the ruleset kansai3; one more guest exists."""
    competition = parlours.parlour("kansai3")
    return parlours.sitting(competition, parlours.guests(competition, 4)[:3])


@pytest.fixture
def sitting(seated: Sitting) -> Sitting:
    """Return the sitting."""
    return fresh(seated)


@pytest.fixture
def table(sitting: Sitting) -> ParlourTable:
    """Return the house's table at which they sit."""
    return ParlourTable.objects.create(parlour=house(sitting), name="1", order=1)


def house(sitting: Sitting) -> Parlour:
    """Return the parlour of a sitting."""
    found = sitting.table_session.competition.parlour
    assert found is not None
    return found


def scan(client: Client, table: ParlourTable) -> HttpResponse:
    """Open the address of the table's code."""
    return client.get(f"/t/{code_of(table)}/", headers=EN)  # type: ignore[return-value]


def clerk(sitting: Sitting) -> Client:
    """Return a browser of a member of the staff."""
    client = Client()
    client.force_login(factories.user("clerk", Role.SCORER, sitting.table_session.competition))
    return client


def counter(client: Client, sitting: Sitting, what: str = "", **data: str | int) -> HttpResponse:
    """Open the counter of the sitting's table, or press one of its buttons."""
    address = f"/p/{house(sitting).slug}/sittings/{sitting.pk}/"
    if not what:
        return client.get(address, data, headers=EN)  # type: ignore[return-value]
    return client.post(f"{address}{what}/", data, headers=EN, follow=True)  # type: ignore[return-value]


def test_guests_start_a_game_by_the_code_play_it_and_the_counter_confirms_it(
    sitting: Sitting, table: ParlourTable
) -> None:
    phone = Client()
    page = scan(phone, table)
    assert page.status_code == 200
    assert (page["X-Robots-Tag"], "no-store" in page["Cache-Control"]) == ("noindex", True)
    assert "Start the game" in page.content.decode()
    assert phone.post(f"/t/{code_of(table)}/", {"first_dealer": "1"}).status_code == SEE_OTHER
    assert scan(phone, table)["Location"] == f"/tables/{sitting.table_session_id}/sheet/"
    device = Device(sitting.table_session, phone)
    document = device.document()
    assert (document["phase"], document["you"]["kind"]) == ("playing", "scorer")
    assert document["seats"][0]["name"] == parlours.THREE[1]
    sequence = json.loads(device.enter(TSUMO).content)["sequence"]
    assert json.loads(device.post("submit", sequence=sequence, ended_by_time=True).content)["phase"] == "waiting"
    desk = clerk(sitting)
    shown = counter(desk, sitting).content.decode()
    sheet = ResultSheet.objects.get()
    assert "check and confirm" in shown
    assert 'id="game"' not in shown
    for seat in sheet.seats.all():
        assert f"{seat.score:,}" in shown
    otherwise = counter(desk, sitting, otherwise="1").content.decode()
    scores = [f'value="{seat.score / 1000:g}"' for seat in sheet.seats.all()]
    assert all(score in otherwise for score in scores), scores
    counter(desk, sitting, "follow/confirm", sheet=sheet.pk)
    assert running(sitting).games == 1
    assert device.document()["phase"] == "confirmed"


def test_a_phone_of_an_earlier_game_sees_nothing_of_the_next_one(sitting: Sitting, table: ParlourTable) -> None:
    phone = Client()
    phone.post(f"/t/{code_of(table)}/", {"first_dealer": "0"})
    scan(phone, table)
    parlours.play(sitting)
    device = Device(sitting.table_session, phone)
    first = Hanchan.objects.get()
    assert device.document()["hanchan"]["id"] == first.pk
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    assert device.get("state").status_code == 403
    parlours.play(sitting, scores=(50000, 40000, 15000))
    document = device.document()
    assert [each["id"] for each in document["hanchan_list"]] == [first.pk]
    assert device.get("state", hanchan=hanchan.pk).status_code == 404


def test_guests_are_shown_under_their_handles_where_they_chose_one(sitting: Sitting, table: ParlourTable) -> None:
    player = parlours.chair(sitting, 0).entrant.player
    player.handle, player.is_public = "みなと丸", True
    player.save()
    phone = Client()
    page = scan(phone, table).content.decode()
    assert ("みなと丸" in page, parlours.THREE[0] in page, parlours.THREE[1] in page) == (True, False, True)
    phone.post(f"/t/{code_of(table)}/", {"first_dealer": "0"})
    scan(phone, table)
    names = [seat["name"] for seat in Device(sitting.table_session, phone).document()["seats"]]
    assert names == ["みなと丸", parlours.THREE[1], parlours.THREE[2]]


def test_the_code_says_why_it_opens_no_game(sitting: Sitting, table: ParlourTable) -> None:
    leave(seat=parlours.chair(sitting, 0), by=SYSTEM)
    assert "A chair is empty" in scan(Client(), table).content.decode()
    table.name = "2"
    table.save()
    assert "No guests sit" in scan(Client(), table).content.decode()
    code = code_of(table)
    renew_table_code(table=table, by=SYSTEM)
    worthless = Client().get(f"/t/{code}/", headers=EN)
    assert (worthless.status_code, "no longer valid" in worthless.content.decode()) == (410, True)
    assert Client().get(f"/t/{code[:-4]}AAAA/").status_code == 404


@pytest.mark.parametrize("typed", ["", "7", "-1", "x", "０"])
def test_a_game_starts_with_a_first_dealer_who_sits_there(sitting: Sitting, table: ParlourTable, typed: str) -> None:
    answer = Client().post(f"/t/{code_of(table)}/", {"first_dealer": typed}, headers=EN)
    assert answer.status_code == 422
    assert not Hanchan.objects.exists()


def test_a_second_phone_that_starts_the_game_too_opens_the_same_one(sitting: Sitting, table: ParlourTable) -> None:
    for _phone in range(2):
        answer = Client().post(f"/t/{code_of(table)}/", {"first_dealer": "0"})
        assert answer.status_code == SEE_OTHER
    assert Hanchan.objects.count() == 1


def test_the_counter_starts_and_abandons_a_followed_game(sitting: Sitting) -> None:
    desk = clerk(sitting)
    assert "Follow this game hand by hand" in counter(desk, sitting).content.decode()
    started = counter(desk, sitting, "follow", first_dealer="2").content.decode()
    assert "Game 1 is followed hand by hand" in started
    assert running(sitting).next_dealer == 2
    refused = counter(desk, sitting, "seats", chair="0", action="leave").content.decode()
    assert "Enter its result or abandon it first" in refused
    assert "Please give a reason" in counter(desk, sitting, "follow/abandon", reason=" ").content.decode()
    counter(desk, sitting, "follow/abandon", reason="The guests stopped playing")
    assert running(sitting).followed is None
    assert "No game is followed" in counter(desk, sitting, "follow/abandon", reason="Again").content.decode()


def test_nothing_of_a_followed_game_is_public(sitting: Sitting) -> None:
    Competition.objects.update(audience="public")
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    competition, public = sitting.table_session.competition, Client()
    before = Competition.objects.get().public_version
    for path in ("", "live/", "live/now/", "live/box/", "live/screen/"):
        assert public.get(f"/c/{competition.slug}/hanchan/{hanchan.pk}/{path}").status_code in {403, 404}
    for path in (f"/tables/{sitting.table_session_id}/sheet/", f"/tables/{sitting.table_session_id}/sheet/state/"):
        assert public.get(path).status_code in {302, 404}
    api = f"/api/v1/competitions/{competition.slug}"
    for path in ("hanchan/", "changes/", f"hanchan/{hanchan.pk}/", f"hanchan/{hanchan.pk}/live/", "table-sessions/"):
        answer = public.get(f"{api}/{path}")
        shown = answer.content.decode()
        assert answer.status_code in {403, 404} or parlours.THREE[0] not in shown, path
        assert "hanchan.started" not in shown, path
    assert public.get(f"/c/{competition.slug}/").status_code == 200
    assert parlours.THREE[0] not in public.get(f"/c/{competition.slug}/").content.decode()
    assert Competition.objects.get().public_version == before


def test_staff_print_the_codes_and_a_director_renews_one(sitting: Sitting, table: ParlourTable) -> None:
    desk, address = clerk(sitting), f"/p/{house(sitting).slug}/codes/"
    page = desk.get(address, headers=EN).content.decode()
    assert f"/t/{code_of(table)}/" in page
    assert page == desk.get(address, headers=EN).content.decode()
    assert desk.post(f"{address}renew/", {"table": table.pk}).status_code == 403
    director = Client()
    director.force_login(factories.user("director", Role.DIRECTOR, sitting.table_session.competition))
    renewed = director.post(f"{address}renew/", {"table": table.pk}, headers=EN, follow=True).content.decode()
    assert "has a new code" in renewed
    assert f"/t/{code_of(table)}/" not in renewed
    assert director.post(f"{address}renew/", {"table": "x"}).status_code == 404
