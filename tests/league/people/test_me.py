"""Test the visitor as a player ("me"): chosen without an account, kept on the device, and never in a shared page."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Competition
from league.services.competitions.addresses import change_slug
from league.services.competitions.roster import add_house_players
from league.services.competitions.setup import new_player
from league.services.parlour.people import merge_players
from tests.factories import SYSTEM, entrants, final_table, league

pytestmark = pytest.mark.django_db
ME = "/c/final/me/"
CARD = "/c/final/me/card/"
KEY = "final-final1"


@pytest.fixture(scope="module")
def final(shared_rows: None) -> Competition:
    """Return a published final of four players."""
    return final_table("final")


def visitor() -> Client:
    """Return an anonymous client that reads English and whose forms are checked for forgery."""
    return Client(enforce_csrf_checks=True, headers={"accept-language": "en"})


def choose(client: Client, key: str) -> object:
    """Send the form as the page has it."""
    client.get(f"{ME}?player={KEY}")
    token = client.cookies["csrftoken"].value
    return client.post(ME, {"player": key, "csrfmiddlewaretoken": token})


def test_a_chosen_player_is_kept_for_a_year_in_a_cookie_of_this_competition(final: Competition) -> None:
    client = visitor()
    assert choose(client, KEY).headers["Location"] == ME  # type: ignore[attr-defined]
    kept = client.cookies["me-final"]
    assert (kept.value, kept["samesite"], kept["max-age"], kept["httponly"]) == (KEY, "Lax", 365 * 24 * 3600, True)
    page = client.get(ME)
    assert 'id="me-name"' in page.content.decode()
    assert "keep it on this device" not in page.content.decode()
    assert f'data-key="{KEY}"' in client.get(CARD).content.decode()


def test_without_a_choice_both_addresses_ask_and_keep_nothing(final: Competition) -> None:
    client = visitor()
    for path in (ME, CARD):
        answer = client.get(path)
        assert "Which player are you?" in answer.content.decode()
        assert answer.headers["Cache-Control"] == "private, no-store"
    assert not client.cookies, "asking alone sets no cookie"


def test_a_player_is_looked_at_before_they_are_kept(final: Competition) -> None:
    client = visitor()
    page = client.get(f"{ME}?player={KEY}").content.decode()
    assert 'id="me-name"' in page
    assert "This is me: keep it on this device" in page
    assert "me-final" not in client.cookies


def test_a_choice_can_be_forgotten(final: Competition) -> None:
    client = visitor()
    choose(client, KEY)
    assert "Forget" in client.get(f"{ME}?player=").content.decode()
    choose(client, "")
    assert client.cookies["me-final"].value == ""
    assert "Which player are you?" in client.get(ME).content.decode()


@pytest.mark.parametrize("key", ["nobody", "x" * 500, "../../", "<script>"])
def test_an_unknown_player_is_asked_again_and_not_kept(final: Competition, key: str) -> None:
    client = visitor()
    answer = choose(client, key)
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert "me-final" not in client.cookies
    client.cookies["me-final"] = key.replace(";", "")
    assert "Which player are you?" in client.get(ME).content.decode()


def test_another_site_cannot_choose(final: Competition) -> None:
    client = visitor()
    assert client.post(ME, {"player": KEY}).status_code == 403
    assert "me-final" not in client.cookies


def test_shared_pages_are_the_same_bytes_with_and_without_a_choice(final: Competition) -> None:
    plain, chosen = visitor(), visitor()
    chosen.cookies["me-final"] = KEY
    for path in ("/c/final/", f"/c/final/players/{KEY}/", "/c/final/conditions/"):
        answers = [client.get(path) for client in (plain, chosen)]
        assert answers[0].content == answers[1].content, path
        assert answers[0].headers["ETag"] == answers[1].headers["ETag"], path
        assert all("public" in each.headers["Cache-Control"] for each in answers), path


def test_a_choice_follows_a_competition_to_its_new_address(final: Competition) -> None:
    client = visitor()
    choose(client, KEY)
    change_slug(competition=final, slug="moved", by=SYSTEM)
    assert client.get(ME).headers["Location"] == "/c/moved/me/"
    assert client.cookies["me-moved"].value == KEY
    assert 'id="me-name"' in client.get("/c/moved/me/").content.decode()


def test_a_choice_follows_an_entry_that_is_merged_to_the_player_kept(final: Competition) -> None:
    client = visitor()
    choose(client, KEY)
    keep = new_player(name="本人", key="kept", by=SYSTEM)
    merge_players(duplicate=final.entrants.get(player__key=KEY).player, keep=keep, by=SYSTEM)
    for path, shown in ((CARD, 'data-key="kept"'), (ME, 'id="me-name"')):
        client.cookies["me-final"] = KEY
        assert shown in client.get(path).content.decode()
        assert client.cookies["me-final"].value == "kept"
    client.cookies["me-final"] = KEY
    choose(client, "")
    assert client.cookies["me-final"].value == ""


def test_an_open_table_has_no_player_to_be(final: Competition) -> None:
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    guest = entrants(parlour, 1)[0].player
    client = visitor()
    client.cookies["me-parlour"] = guest.key
    for path in ("/c/parlour/me/", "/c/parlour/me/card/"):
        assert client.get(path).status_code == 404
    assert "data-me" not in client.get("/c/parlour/").content.decode()


def test_house_players_are_not_among_those_who_are_asked(final: Competition) -> None:
    add_house_players(competition=final, count=1, by=SYSTEM)
    shown = visitor().get(ME).content.decode()
    assert shown.count("<option") == 4
    assert "House player" not in shown
