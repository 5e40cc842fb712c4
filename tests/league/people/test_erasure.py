"""Test the erasure of players and accounts: names disappear everywhere, results and ranks stay."""

from __future__ import annotations

import datetime as dt
import io
import json
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Permission, User
from django.core import serializers
from django.test import Client
from knox.models import AuthToken
from PIL import Image

from league.models import (
    Change,
    Competition,
    Door,
    Entrant,
    OrganizationChange,
    Player,
    Role,
    SlipPhoto,
    Standing,
    WebhookDelivery,
)
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor
from league.services.access.accounts import note_account_edited
from league.services.competitions.editing import PlayerWords, edit_player
from league.services.competitions.setup import enter_players, new_player
from league.services.parlour.people import merge_players
from league.services.people.erasure import erasable, erase_account, erase_player
from league.services.results.photos import attach_photo
from league.services.standings.publishing import publish_standings
from league.services.webhooks.outbox import queue_all_messages
from league.services.webhooks.subscriptions import subscribe
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
NAMES = ("水無月", "みなづき", "Minazuki", "灯火荘", "Ruritania", "M-4711", "kirin-fan")


@pytest.fixture(scope="module")
def shared_season(shared_rows: None) -> Competition:
    """Create a league in which one player with many names has played."""
    competition = factories.final_table()
    first = Entrant.objects.filter(competition=competition).order_by("number")[0]
    words = PlayerWords(
        name="水無月 澪",
        name_kana="みなづき みお",
        name_romaji="Minazuki Mio",
        affiliation="灯火荘",
        country="Ruritania",
        number="M-4711",
        handle="kirin-fan",
        is_public=True,
    )
    edit_player(player=first.player, words=words, by=SYSTEM)
    Player.objects.filter(pk=first.player_id).update(key="minazuki-mio")
    Entrant.objects.filter(pk=first.pk).update(affiliation="灯火荘", country="Ruritania")
    factories.play(factories.table(competition.blocks.get()).hanchan.get(round=1))
    publish_standings(competition.pk)
    return competition


@pytest.fixture
def season(shared_season: Competition) -> Competition:
    return Competition.objects.get(pk=shared_season.pk)


def person(season: Competition) -> Player:
    return Player.objects.get(entrants__competition=season, entrants__number=1)


def everything() -> str:
    """Return all rows of the service, serialized."""
    rows = (row for model in apps.get_models() if model._meta.managed for row in model._default_manager.all())
    return str(serializers.serialize("json", rows, ensure_ascii=False))


def ranks(season: Competition) -> list[Any]:
    rows = Standing.objects.filter(block__competition=season).order_by("audience", "rank", "entrant")
    return list(rows.values_list("audience", "entrant", "rank", "total"))


def test_erasing_a_player_leaves_no_name_in_any_table_and_changes_no_rank(season: Competition) -> None:
    before, who = ranks(season), person(season)
    assert all(name in everything() for name in NAMES)
    erase_player(player=who, by=SYSTEM)
    publish_standings(season.pk)
    left = everything()
    assert [name for name in (*NAMES, "minazuki") if name in left] == []
    assert ranks(season) == before
    assert len(before) > 0


@pytest.mark.parametrize(("language", "said"), [("ja", "消去された選手"), ("en", "Erased player")])
def test_pages_and_the_api_show_an_erased_player(client: Client, season: Competition, language: str, said: str) -> None:
    who = person(season)
    old = client.get(f"/c/{season.slug}/", headers={"accept-language": language})
    erase_player(player=who, by=SYSTEM)
    publish_standings(season.pk)
    season.refresh_from_db()
    page = client.get(f"/c/{season.slug}/", headers={"accept-language": language, "if-none-match": old.headers["ETag"]})
    assert page.status_code == 200
    assert said in page.content.decode()
    assert "水無月" not in page.content.decode()
    assert client.get("/players/minazuki-mio/").status_code == 404
    assert "水無月" not in json.dumps(Api().get(f"competitions/{season.slug}/bracket/"), ensure_ascii=False)
    found = client.get("/players/", {"q": said}, headers={"accept-language": language}).content.decode()
    assert "/players/p-" not in found


def test_erasure_keeps_the_history_and_logs_only_ids(season: Competition) -> None:
    who, sheets = person(season), season.changes.count()
    by = Actor(user=factories.user("master", is_superuser=True), door=Door.ADMIN)
    erase_player(player=who, by=by)
    assert season.changes.count() == sheets + 1
    line = OrganizationChange.objects.get(kind="player.erased")
    assert (line.actor, line.subject_id, line.after) == (by.user, str(who.pk), {"players": [who.pk], "photos": 0})


def test_merged_duplicates_are_erased_with_the_player(season: Competition) -> None:
    double = new_player(name="水無月　ミオ", by=SYSTEM)
    other = factories.final_table("other", status=None)
    enter_players(competition=other, players=[double], by=SYSTEM)
    merge_players(duplicate=double, keep=person(season), by=SYSTEM)
    with pytest.raises(RuleViolationError):
        erase_player(player=double, by=SYSTEM)
    erase_player(player=person(season), by=SYSTEM)
    assert "水無月" not in everything()


def test_erasure_empties_slip_photos_of_the_players_hanchan(season: Competition) -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (40, 30)).save(drawn, "PNG")
    drawn.seek(0)
    hanchan = season.blocks.get().hanchan.first()
    assert hanchan
    attach_photo(hanchan=hanchan, file=drawn, by=SYSTEM)
    assert erasable(person(season)).photos == 1
    erase_player(player=person(season), by=SYSTEM)
    photo = SlipPhoto.objects.get()
    assert (bytes(photo.picture), photo.removed_at is None) == (b"", False)


def test_erasure_empties_photos_of_a_hanchan_the_player_sits_in_before_it_has_a_result(season: Competition) -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (40, 30)).save(drawn, "PNG")
    drawn.seek(0)
    attach_photo(hanchan=season.blocks.get().hanchan.get(round=2), file=drawn, by=SYSTEM)
    assert erasable(person(season)).photos == 1
    erase_player(player=person(season), by=SYSTEM)
    assert bytes(SlipPhoto.objects.get().picture) == b""


@pytest.mark.parametrize(
    ("language", "said"), [("ja", "1着 消去された選手{} 41,200"), ("en", "1st Erased player {} 41,200")]
)
def test_texts_kept_for_a_chat_service_no_longer_name_an_erased_player(
    season: Competition, language: str, said: str
) -> None:
    who, url = person(season), "https://discord.com/api/webhooks/1/x"
    subscribe(owner=season, by=SYSTEM, service="discord", url=url, language=language)
    factories.play(season.blocks.get().hanchan.get(round=2), accept={"same_scores_elsewhere", "same_result_twice"})
    publish_standings(season.pk)
    queue_all_messages()
    assert [name for name in NAMES if name in WebhookDelivery.objects.get(event="result.confirmed").body]
    erase_player(player=who, by=SYSTEM)
    publish_standings(season.pk)
    left = everything()
    assert [name for name in NAMES if name in left] == []
    assert said.format(who.pk) in WebhookDelivery.objects.get(event="result.confirmed").body


def test_a_repeated_request_no_longer_names_an_erased_player_whose_name_has_quotation_marks() -> None:
    api = Api(factories.user("master", is_superuser=True, is_staff=True))
    sent = {"people": [{"external_id": "x-1", "name": '葉月"凪"', "romaji": "Nagi \\ Hazuki"}]}
    key = {"Idempotency-Key": "first"}
    assert api.send("put", "people/", sent, key).status_code == 200
    erase_player(player=Player.objects.get(external_id="x-1"), by=SYSTEM)
    assert "葉月" not in everything()


def test_erasure_does_not_touch_a_photo_that_was_removed_before(season: Competition) -> None:
    hanchan = season.blocks.get().hanchan.get(round=1)
    long_ago = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    SlipPhoto.objects.create(hanchan=hanchan, picture=b"", width=0, height=0, added_at=long_ago, removed_at=long_ago)
    assert erasable(person(season)).photos == 0
    erase_player(player=person(season), by=SYSTEM)
    assert SlipPhoto.objects.get().removed_at == long_ago


@pytest.mark.both_databases
def test_change_reasons_that_name_the_player_are_counted_before_erasure(season: Competition) -> None:
    Change.objects.filter(competition=season, n=1).update(reason="水無月 澪 came late")
    assert erasable(person(season)).mentions == 1


def test_an_erased_player_can_be_neither_erased_again_nor_edited(season: Competition) -> None:
    who = person(season)
    erase_player(player=who, by=SYSTEM)
    with pytest.raises(ConflictError):
        erase_player(player=who, by=SYSTEM)
    with pytest.raises(ConflictError):
        edit_player(player=who, words=PlayerWords(name="back again"), by=SYSTEM)


def test_erasure_needs_a_permission_of_its_own(season: Competition, client: Client) -> None:
    director = factories.user("director", Role.DIRECTOR, season, is_staff=True)
    who = person(season)
    page = f"/admin/league/player/{who.pk}/erase/"
    with pytest.raises(PermissionRefusedError):
        erase_player(player=who, by=Actor(user=director, door=Door.ADMIN))
    client.force_login(director)
    assert client.get(page).status_code == 403
    assert client.get(f"/admin/league/player/{who.pk}/data/").status_code == 403
    director.user_permissions.add(Permission.objects.get(codename="delete_player"))
    assert client.get(page).status_code == 200
    assert client.post(page, {"word": "yes"}).status_code == 422
    assert person(season).erased_at is None
    assert client.post(page, {"word": "消去"}).status_code == 302
    assert person(season).erased_at is not None


@pytest.mark.both_databases
def test_a_players_data_are_exported_as_one_file(season: Competition, client: Client) -> None:
    who = person(season)
    client.force_login(factories.user("master", is_superuser=True, is_staff=True))
    answer = client.get(f"/admin/league/player/{who.pk}/data/")
    document = json.loads(answer.content)
    assert document["profile"][0]["name"] == "水無月 澪"
    assert document["competitions"][0]["competition"] == season.slug
    assert [row["score"] for row in document["results"]] == [factories.SCORES[0]]
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.both_databases
def test_erasing_an_account_disables_and_anonymizes_it_and_keeps_its_changes(season: Competition) -> None:
    clerk = factories.user(
        "clerk-hanako",
        Role.SCORER,
        season,
        email="hanako@example.org",
        first_name="花子",
        is_staff=True,
        is_superuser=True,
    )
    master = factories.user("master", is_superuser=True)
    edit_by = Actor(user=master, door=Door.ADMIN)
    for who in (clerk, master):
        LogEntry.objects.log_actions(master.pk, [who], CHANGE, "edited", single_object=True)
    client = Client()
    client.force_login(clerk)
    AuthToken.objects.create(clerk)
    Change.objects.filter(competition=season, n=1).update(actor=clerk)
    erase_account(user=clerk, by=edit_by)
    left = everything()
    assert [text for text in ("hanako", "花子") if text in left] == []
    assert Change.objects.get(competition=season, n=1).actor_id == clerk.pk
    assert client.get("/account/").status_code == 302
    assert not AuthToken.objects.exists()
    assert set(LogEntry.objects.values_list("object_repr", flat=True)) == {"", "master"}
    clerk.refresh_from_db()
    assert not clerk.has_usable_password()
    assert (clerk.is_active, clerk.is_staff, clerk.is_superuser) == (False, False, False)


def test_only_superusers_erase_accounts_and_never_their_own() -> None:
    master, other = factories.user("master", is_superuser=True), factories.user("other", is_staff=True)
    with pytest.raises(PermissionRefusedError):
        erase_account(user=master, by=Actor(user=other, door=Door.ADMIN))
    with pytest.raises(RuleViolationError):
        erase_account(user=master, by=Actor(user=master, door=Door.ADMIN))


def test_accounts_are_never_deleted_and_each_edit_is_logged(client: Client) -> None:
    master = factories.user("master", is_superuser=True, is_staff=True)
    clerk = factories.user("clerk")
    client.force_login(master)
    assert client.post(f"/admin/auth/user/{clerk.pk}/delete/", {"post": "yes"}).status_code == 403
    typed = {"username": "clerk", "first_name": "Hana", "date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    assert client.post(f"/admin/auth/user/{clerk.pk}/change/", typed).status_code == 302
    line = OrganizationChange.objects.get(kind="account.edited")
    assert line.after
    assert "first_name" in line.after["fields"]
    assert not User.objects.get(pk=clerk.pk).is_active


def test_deactivating_a_user_ends_their_sessions_and_another_edit_does_not(client: Client) -> None:
    clerk = factories.user("clerk")
    client.force_login(clerk)
    note_account_edited(user=clerk, fields=("first_name",), address_before="", by=SYSTEM)
    assert client.get("/account/").status_code == 200
    clerk.is_active = False
    clerk.save()
    note_account_edited(user=clerk, fields=("is_active",), address_before="", by=SYSTEM)
    clerk.is_active = True
    clerk.save()
    assert client.get("/account/").status_code == 302


def test_setting_a_users_password_is_logged(client: Client) -> None:
    client.force_login(factories.user("master", is_superuser=True, is_staff=True))
    clerk = factories.user("clerk")
    typed = {"password1": "a new and long one", "password2": "a new and long one", "usable_password": "true"}
    assert client.post(f"/admin/auth/user/{clerk.pk}/password/", typed).status_code == 302
    line = OrganizationChange.objects.get(kind="account.password_given")
    assert (line.actor.username if line.actor else "", line.subject_id) == ("master", str(clerk.pk))
