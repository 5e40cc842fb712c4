"""Addresses of competitions: proposed from names, changed, redirected, and kept from others."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.utils import timezone

from league.files.archive import pack_archive
from league.models import Audience, Change, Competition, FormerSlug, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.competitions.addresses import free_slug
from league.services.competitions.addresses import change_slug
from league.services.competitions.first_page import set_first_page
from league.services.competitions.setup import CompetitionPlan, create_competition
from league.services.exchange.archives import archive_of, import_archive
from league.services.rulebooks.own_formats import cloned_format, keep_own_format
from tests.factories import SYSTEM, actor, final_table, league, play, table, user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("第7期 春雀リーグ", "league-7"),
        ("ちゅんちゅんカップ 2027", "chunchun-cup-2027"),
        ("2027年度 東京マスターズ", "tokyo-masters-2027"),
        ("とうきょう まっちゃリーグ 第３回", "tokyo-matcha-league-3"),
        ("第7期", "cinderella-7"),
        ("師走の一晩大会 2027", "tournament-2027"),
        ("師走の会 2027", "cinderella-2027"),
        ("Tōkyō League 7", "tokyo-league-7"),
    ],
)
def test_an_address_is_proposed_from_the_name_and_never_a_bare_number(name: str, slug: str) -> None:
    assert free_slug(name, "cinderella") == slug


def test_the_year_is_added_to_a_name_without_a_number() -> None:
    assert free_slug("春季リーグ", "cinderella") == f"spring-league-{timezone.localdate().year}"


def test_a_proposal_avoids_present_and_former_addresses() -> None:
    season = league("cup-7", status=None)
    assert free_slug("Cup 7") == "cup-7-2"
    change_slug(competition=season, slug="moved", by=SYSTEM)
    assert free_slug("Cup 7") == "cup-7-2"


@pytest.mark.both_databases
def test_a_former_address_redirects_pages_calendars_files_and_widgets(client: Client) -> None:
    season = final_table("before")
    change_slug(competition=season, slug="after", by=SYSTEM)
    paths = ["c/{}/", "c/{}/sessions/", "c/{}/calendar.ics", "c/{}/standings.csv", "embed/{}/ladder/", "c/{}/version/"]
    for path in paths:
        moved = client.get(f"/{path.format('before')}", {"theme": "dark"})
        assert (moved.status_code, moved["Location"]) == (301, f"/{path.format('after')}?theme=dark")
        assert moved["Cache-Control"] == "private, no-cache"
        assert client.get(moved["Location"]).status_code == 200
    told = Change.objects.get(competition=season, kind="competition.moved")
    assert (told.before, told.after) == ({"slug": "before"}, {"slug": "after"})


def test_a_form_is_sent_again_to_the_new_address(client: Client) -> None:
    season = league("before")
    change_slug(competition=season, slug="after", by=SYSTEM)
    sent = client.post("/c/before/me/", {"name": "x"})
    assert (sent.status_code, sent["Location"]) == (308, "/c/after/me/")


def test_only_visitors_who_may_see_a_competition_are_redirected_to_it(client: Client) -> None:
    draft = league("draft-before", status=None)
    change_slug(competition=draft, slug="draft-after", by=SYSTEM)
    assert client.get("/c/draft-before/").content == client.get("/c/draft-before/").content
    assert client.get("/c/draft-before/").status_code == client.get("/c/never-was/").status_code == 404
    assert client.get("/api/v1/competitions/draft-before/").status_code == 404
    client.force_login(user("d", Role.DIRECTOR, draft))
    assert client.get("/c/draft-before/")["Location"] == "/c/draft-after/"
    private = final_table("private-before")
    change_slug(competition=private, slug="private-after", by=SYSTEM)
    Competition.objects.filter(pk=private.pk).update(audience=Audience.STAFF)
    assert client.get("/c/private-before/").status_code == 404


def test_rest_finds_a_competition_by_its_former_address_too(client: Client) -> None:
    season = final_table("before")
    change_slug(competition=season, slug="after", by=SYSTEM)
    paths = ["competitions/before/", "standings/?competition=before", "players/?competition=before"]
    for path in paths:
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 200
        assert answer["ETag"]
    assert json.loads(client.get("/api/v1/competitions/before/").content)["slug"] == "after"
    client.force_login(user("d", Role.DIRECTOR, season))
    assert client.get("/api/v1/competitions/before/").status_code == 200
    assert client.get("/api/v1/players/?competition=never-was").status_code == 404


def test_the_spoiler_guard_goes_along_to_the_new_address(client: Client) -> None:
    season = final_table("before")
    client.cookies["until-before"] = "1"
    change_slug(competition=season, slug="after", by=SYSTEM)
    assert client.get("/c/before/").cookies["until-after"].value == "1"


def test_a_former_address_is_kept_for_its_competition_which_may_take_it_back(client: Client) -> None:
    season, other = final_table("before"), league("other")
    change_slug(competition=season, slug="after", by=SYSTEM)
    with pytest.raises(ConflictError, match="There is already a competition at “before”"):
        change_slug(competition=other, slug="before", by=SYSTEM)
    with pytest.raises(ConflictError):
        create_competition(
            plan=CompetitionPlan(slug="before", name="x", ruleset="cinderella", league_format="cinderella"), by=SYSTEM
        )
    change_slug(competition=season, slug="before", by=SYSTEM)
    assert client.get("/c/before/").status_code == 200
    assert client.get("/c/after/")["Location"] == "/c/before/"
    assert FormerSlug.objects.get().slug == "after"


def test_an_archive_goes_in_and_out_whatever_the_addresses_were_before() -> None:
    season = final_table("before")
    change_slug(competition=season, slug="after", by=SYSTEM)
    packed = pack_archive(archive_of(competition=season, by=SYSTEM))
    assert import_archive(data=packed, by=SYSTEM, slug="copy").slug == "copy"


@pytest.mark.parametrize("slug", ["", "Große", "a b", "第7期", "x" * 65])
def test_a_malformed_address_is_refused(slug: str) -> None:
    with pytest.raises(RuleViolationError):
        change_slug(competition=league("before"), slug=slug, by=SYSTEM)


def test_only_directors_change_the_address() -> None:
    season = league("before")
    with pytest.raises(PermissionRefusedError):
        change_slug(competition=season, slug="after", by=actor(user("s", Role.SCORER, season)))


def test_the_page_shows_the_whole_address_and_changes_it(client: Client) -> None:
    season = final_table("before")
    client.force_login(user("d", Role.DIRECTOR, season, is_staff=True))
    page = f"/admin/league/competition/{season.pk}/address/"
    assert "http://testserver/c/before/" in client.get(page).content.decode()
    assert client.post(page, {"slug": "No Good"}).status_code == 422
    changed = client.post(page, {"slug": "after"}, follow=True)
    assert "http://testserver/c/after/" in changed.content.decode()
    assert "before" in client.get(page).content.decode()


def test_the_proposed_address_is_told_while_the_name_is_typed(client: Client) -> None:
    page = "/admin/league/competition/set-up/address/"
    client.force_login(user("d", is_staff=True))
    assert client.get(page).status_code == 403
    client.force_login(user("root", is_staff=True, is_superuser=True))
    told = json.loads(client.get(page, {"name": "第7期 春雀リーグ", "format": "cinderella"}).content)
    assert told == {"slug": "league-7", "address": "http://testserver/c/league-7/"}


def test_an_address_from_which_lots_follow_stays_as_soon_as_results_are_in() -> None:
    text = cloned_format("single-table-final", "by-lot").replace("[tiebreak]\n", '[tiebreak]\nthen = ["lot"]\n')
    made = league(league_format=keep_own_format(text=text, by=SYSTEM))
    change_slug(competition=made, slug="autumn", by=SYSTEM)
    play(table(made.blocks.get()).hanchan.get(round=1))
    with pytest.raises(ConflictError) as refused:
        change_slug(competition=made, slug="winter", by=SYSTEM)
    assert [finding.code for finding in refused.value.findings] == ["lots_follow_from_address"]
    made.refresh_from_db()
    assert made.slug == "autumn"


def test_one_competition_can_be_the_first_page_and_the_list_keeps_an_address(client: Client) -> None:
    one, other = league("one"), league("other")
    assert "/c/one/" in client.get("/").content.decode()
    for season in (one, other):
        set_first_page(competition=season, is_first=True, by=SYSTEM)
        found = client.get("/")
        assert (found.status_code, found["Location"]) == (302, f"/c/{season.slug}/")
        assert found["Cache-Control"] == "private, no-cache"
    assert list(Competition.objects.filter(is_first_page=True)) == [other]
    assert "/c/one/" in client.get("/competitions/").content.decode()
    set_first_page(competition=other, is_first=False, by=SYSTEM)
    assert client.get("/").status_code == 200
    kinds = Change.objects.filter(kind="first_page.chosen").order_by("pk")
    assert [(change.competition.slug, change.after) for change in kinds] == [
        ("one", {"is_first_page": True}),
        ("one", {"is_first_page": False}),
        ("other", {"is_first_page": True}),
        ("other", {"is_first_page": False}),
    ]


def test_visitors_see_the_list_while_the_first_page_is_a_draft(client: Client) -> None:
    draft = league("draft", status=None)
    set_first_page(competition=draft, is_first=True, by=SYSTEM)
    assert client.get("/").status_code == 200
    client.force_login(user("d", Role.DIRECTOR, draft))
    assert client.get("/")["Location"] == "/c/draft/"


def test_a_director_without_the_right_to_add_competitions_cannot_take_the_first_page() -> None:
    season = league("mine")
    with pytest.raises(PermissionRefusedError):
        set_first_page(competition=season, is_first=True, by=actor(user("d", Role.DIRECTOR, season)))
    assert not Competition.objects.filter(is_first_page=True).exists()


def test_the_first_page_is_chosen_in_the_admin_which_says_where_both_addresses_lead(admin_client: Client) -> None:
    season = league("mine")
    page = f"/admin/league/competition/{season.pk}/first-page/"
    assert "http://testserver/competitions/" in admin_client.get(page).content.decode()
    assert admin_client.post(page).status_code == 302
    assert admin_client.get("/")["Location"] == "/c/mine/"
    assert "変更すると大会一覧になります" in admin_client.get(page).content.decode()
