"""Tests of the pages that import online games: in the admin, and at a table by a player's link."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.models import Hanchan, OnlineAccount, Paifu, PaifuImport, ResultSheet, TableLink
from league.services.live.links import make_link
from tests import factories
from tests.league.online import brought, four, game, named, online_league, table_of

pytestmark = pytest.mark.django_db


def files(*seeds: int, names: tuple[str, ...] = ()) -> list[SimpleUploadedFile]:
    """Return simulated games as uploaded files."""
    logs = brought(*(game(seed, names) for seed in seeds))
    return [SimpleUploadedFile(log.label, bytes(log.data)) for log in logs if isinstance(log.data, bytes)]


def test_games_are_brought_looked_at_and_imported_in_the_admin(chief: Client) -> None:
    competition = online_league()
    table = table_of(competition)
    address = f"/admin/league/competition/{competition.pk}/paifu-in/"
    assert b'type="file"' in chief.get(address).content
    done = chief.post(address, {"logs_in_files": files(1, 2, names=named(competition)), "pasted": ""})
    assert done.status_code == 302
    page = chief.get(done["Location"]).content.decode()
    assert "Import 2 games" in page
    assert "Score in the log" in page
    assert not Paifu.objects.exists()
    first = table.hanchan.get(round=1)
    assert f'name="hanchan-1" value="{first.pk}"' in page
    sent = {"do": "apply", "game-1": "1", "hanchan-1": first.pk, "game-2": "1", "leave-2": "on"}
    page = chief.post(done["Location"], sent, follow=True).content.decode()
    assert "1 of 2 games are imported." in page
    assert ResultSheet.objects.counting_of(first) is not None
    assert Hanchan.objects.filter(state=Hanchan.State.FINISHED).count() == 1
    progress = chief.get(done["Location"] + "&searches=1").content.decode()
    assert 'id="searches"' in progress
    assert "data-searching" not in progress


def test_the_form_asks_for_players_who_are_not_known(chief: Client) -> None:
    competition = online_league()
    table_of(competition)
    address = f"/admin/league/competition/{competition.pk}/paifu-in/"
    done = chief.post(address, {"logs_in_files": files(1), "pasted": ""})
    page = chief.get(done["Location"]).content.decode()
    assert "No player of this competition is known as" in page
    seats = {f"seat-1-{seat}": f"{one.pk}.{one.player_id}" for seat, one in enumerate(four(competition))}
    page = chief.post(done["Location"], {"do": "look", "game-1": "1", **seats}, follow=True).content.decode()
    assert "Import 1 game" in page
    chief.post(done["Location"], {"do": "apply", "game-1": "1", **seats})
    assert Paifu.objects.count() == 1
    assert OnlineAccount.objects.filter(kind="name").count() == 4


def test_nothing_to_bring_and_too_much_is_refused_at_the_form(chief: Client) -> None:
    competition = online_league()
    address = f"/admin/league/competition/{competition.pk}/paifu-in/"
    assert chief.post(address, {"pasted": ""}).status_code == 422
    lines = "\n".join(["https://tenhou.net/0/?log=x"] * 101)
    assert chief.post(address, {"pasted": lines}).status_code == 422
    assert not PaifuImport.objects.exists()
    assert chief.get(address + "?batch=999").status_code == 404
    assert chief.get(address + "?batch=x").status_code == 404


def test_a_player_imports_the_games_of_the_own_table_by_their_link(client: Client) -> None:
    competition = online_league()
    table = table_of(competition)
    address = f"/tables/{table.pk}/paifu/"
    link = make_link(table_session=table, kind=TableLink.Kind.PLAYER, entrant=four(competition)[0], by=factories.SYSTEM)
    assert client.get(address).status_code == 302
    client.get(f"/t/{link.token}/")
    assert client.get(address).status_code == 200
    done = client.post(address, {"logs_in_files": files(1, names=named(competition)), "pasted": ""})
    page = client.get(done["Location"]).content.decode()
    assert "1" in page
    client.post(done["Location"], {"do": "apply", "game-1": "1"})
    sheet = ResultSheet.objects.get(hanchan=table.hanchan.get(round=1))
    assert sheet.state == ResultSheet.State.SUBMITTED
    other = Client()
    second = make_link(
        table_session=table, kind=TableLink.Kind.PLAYER, entrant=four(competition)[1], by=factories.SYSTEM
    )
    other.get(f"/t/{second.token}/")
    assert other.get(done["Location"]).status_code == 404


@pytest.mark.parametrize(("ruleset", "is_offered"), [("tenhou4", True), ("mleague", False)])
def test_online_games_are_offered_only_under_rules_that_know_hands(
    chief: Client, client: Client, ruleset: str, *, is_offered: bool
) -> None:
    competition = factories.final_table(ruleset=ruleset)
    table = table_of(competition)
    data = chief.get(f"/admin/league/competition/{competition.pk}/data/").content.decode()
    assert ("../paifu-in/" in data) is is_offered
    for kind, entrant in ((TableLink.Kind.SCORER, None), (TableLink.Kind.PLAYER, four(competition)[0])):
        link = make_link(table_session=table, kind=kind, entrant=entrant, by=factories.SYSTEM)
        page = client.get(f"/t/{link.token}/", follow=True).content.decode()
        assert (f"/tables/{table.pk}/paifu/" in page) is is_offered


def test_accounts_of_a_player_are_kept_in_the_admin(chief: Client) -> None:
    competition = online_league()
    player = four(competition)[0].player
    address = f"/admin/league/player/{player.pk}/accounts/"
    given = {"service": "mahjongsoul", "kind": "account", "text": "12345"}
    assert chief.post(address, given).status_code == 302
    account = OnlineAccount.objects.get(player=player)
    assert "12345" in chief.get(address).content.decode()
    chief.post(address, {**given, "text": "", "forget": [account.pk]})
    assert not OnlineAccount.objects.exists()
