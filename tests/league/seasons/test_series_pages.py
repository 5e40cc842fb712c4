"""Test the pages of series: the admin's list, terms, decisions and roster, and what the public reads."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import MoveDecision, NextRoster, Player, Series
from league.services.people.erasure import erase_player
from league.services.seasons.moves import decide_move
from league.services.seasons.next_rosters import preview_next_roster, write_next_roster
from league.services.seasons.series import SeriesWords, edit_series, revise_rules
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import (
    TWO_TIERS,
    finished_series,
    own_format,
    play,
    player,
    publish,
    series_of_two,
    series_with_special,
    tiers,
)

pytestmark = pytest.mark.django_db
ADMIN = "/admin/league/series/"


def text_of(client: Client, path: str, status: int = 200) -> str:
    """Return a page's text without its tags."""
    answer = client.get(path)
    assert answer.status_code == status, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_series_is_created_from_a_text_and_its_faults_are_shown_with_the_text(chief: Client) -> None:
    own_format(4)
    typed = {"name": "春", "slug": "spring", "first_term": "7", "text": TWO_TIERS.replace('to = "B"', 'to = "X"')}
    refused = chief.post(f"{ADMIN}new/", typed)
    assert refused.status_code == 422
    assert "B#1" in refused.content.decode()
    answer = chief.post(f"{ADMIN}new/", typed | {"text": TWO_TIERS})
    series = Series.objects.get()
    assert answer["Location"] == f"{ADMIN}{series.pk}/change/" or answer.status_code == 302
    assert "Term 7" in text_of(chief, f"{ADMIN}{series.pk}/change/")
    assert "Term 7" in text_of(chief, ADMIN)


def test_a_new_series_that_begins_with_a_ready_one_keeps_the_name_typed_before(chief: Client) -> None:
    typed = {"name": "春", "slug": "spring", "first_term": "7", "is_public": "on", "text": ""}
    page = chief.post(f"{ADMIN}new/", typed | {"from": "title-match"})
    values = {field.name: field.value() for field in page.context["form"]}
    assert (page.status_code, values["name"], values["slug"], values["first_term"]) == (200, "春", "spring", "7")
    assert "title-match" in values["text"]
    assert not Series.objects.exists()


def test_an_empty_list_says_what_a_series_is_and_leads_those_who_may_to_a_new_one(chief: Client) -> None:
    visitor = Client(headers={"accept-language": "en"})
    pages = [one.get("/series/").content.decode() for one in (visitor, chief)]
    assert all("after each term its rules say who goes up and who goes down" in page for page in pages)
    assert [f"{ADMIN}new/" in page for page in pages] == [False, True]


def test_the_term_shows_each_player_with_reason_and_takes_decisions(chief: Client) -> None:
    series = finished_series()
    page = f"{ADMIN}{series.pk}/terms/1/"
    shown = text_of(chief, page)
    assert "1st of League B; 1 goes up" in shown
    assert "4th of League A; 1 goes down" in shown
    typed = {"who": "spring-b1", "kind": "declined", "tier": "", "reason": "moves away"}
    assert chief.post(f"{page}decide/", typed | {"reason": ""}).status_code == 422
    assert chief.post(f"{page}decide/", typed | {"who": "unknown"}).status_code == 422
    assert chief.post(f"{page}decide/", typed).status_code == 302
    assert "Player B1 (1st) declines" in text_of(chief, page)
    row = MoveDecision.objects.get()
    assert chief.post(f"{page}decisions/{row.pk}/back/", {"reason": "stays after all"}).status_code == 302
    assert "1st of League B; 1 goes up" in text_of(chief, page)


def test_a_roster_is_previewed_written_and_taken_back(chief: Client) -> None:
    series = finished_series()
    page = f"{ADMIN}{series.pk}/terms/1/"
    shown = chief.get(f"{page}roster/").content.decode()
    digest = re.search(r'name="digest" value="([0-9a-f]{64})"', shown)
    assert digest is not None
    stale = chief.post(f"{page}roster/", {"digest": "0" * 64, "reason": ""})
    assert stale.status_code == 409
    answer = chief.post(f"{page}roster/", {"digest": digest[1], "reason": "as agreed"})
    assert (answer.status_code, answer["Location"]) == (302, f"{ADMIN}{series.pk}/terms/2/")
    assert "not begun" in text_of(chief, f"{ADMIN}{series.pk}/terms/2/")
    assert chief.post(f"{page}roster/back/", {"reason": "too early"}).status_code == 302
    assert NextRoster.objects.get().ended_at is not None


def test_the_pages_around_a_series_answer(chief: Client) -> None:
    series = finished_series()
    own = f"{ADMIN}{series.pk}/"
    term = "terms/1/tiers/"
    around = ("", "change/", "edit/", "rules/", "terms/add/", "opening-points/")
    for path in (*around, term, f"{term}A/", f"{term}A/out/", "terms/1/decide/?player=spring-a1&kind=leaves"):
        assert chief.get(f"{own}{path}", follow=True).status_code == 200, path
    assert chief.post(f"{own}edit/", {"name": "秋", "name_en": "", "is_public": "on"}).status_code == 302
    assert chief.post(f"{own}terms/add/", {"number": "2"}).status_code == 302
    assert chief.post(f"{own}terms/add/", {"number": "2"}).status_code == 409
    assert (
        chief.post(f"{own}terms/2/tiers/", {"ruleset": "mleague", "entrants_A": "4", "entrants_B": "4"}).status_code
        == 302
    )
    assert sorted(tiers(series.terms.get(number=2))) == ["A", "B"]
    typed = {"who": "spring-a1", "points": "2", "reason": "before"}
    assert chief.post(f"{own}opening-points/", typed).status_code == 302
    assert chief.get(f"{ADMIN}999/change/").status_code == 404
    assert chief.get(f"{own}terms/99/").status_code == 404


def test_only_users_with_the_right_open_the_admin_of_series(client: Client) -> None:
    series = series_of_two()
    user = factories.user("director", is_staff=True)
    client.force_login(user)
    assert client.get(f"{ADMIN}{series.pk}/terms/1/").status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="change_series"))
    assert client.get(f"{ADMIN}{series.pk}/terms/1/").status_code == 200
    assert client.get(f"{ADMIN}new/").status_code == 403


def test_the_public_reads_terms_champions_and_moves(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    series = finished_series()
    assert "Spring series" in text_of(client, "/series/")
    assert "Player B1" in text_of(client, "/series/spring/")
    shown = text_of(client, "/series/spring/terms/1/")
    assert "promotion League A" in shown
    assert "B#1 → A" in shown
    term = series.terms.get()
    write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)
    assert "The roster of the next term was decided" in text_of(client, "/series/spring/terms/1/")
    text_of(client, "/series/spring/terms/2/", 404)
    for row in tiers(series.terms.get(number=2)).values():
        publish(row)
    assert "not begun" in text_of(client, "/series/spring/terms/2/")
    assert "Term 2 League A not begun League B not begun" in text_of(client, "/series/spring/")
    way = text_of(client, "/series/spring/players/spring-b1/")
    assert "Term 2 League A" in way
    assert "Term 1 League B" in way
    text_of(client, "/series/spring/players/nobody/", 404)


def test_no_page_or_file_of_a_tier_without_results_shows_moves_that_follow_from_the_roster_alone(chief: Client) -> None:
    chief.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    series = series_of_two()
    term = series.terms.get()
    decide_move(term=term, player=player("B2"), kind=MoveDecision.Kind.LEAVES, reason="moves house", by=SYSTEM)
    for address in ("/series/spring/terms/1/", f"{ADMIN}{series.pk}/terms/1/"):
        page = chief.get(address).content.decode()
        assert 'class="up"' not in page
        assert "promotion" not in page
        assert "relegation" not in page
    assert "leaves moves house" in text_of(chief, f"{ADMIN}{series.pk}/terms/1/")
    line = ("spring-b1", "Player B1", "B", *[""] * 8)
    for address in ("/series/spring/terms/1/moves.csv?lang=en", "/api/v1/series/spring/terms/1/moves/?format=csv"):
        assert ",".join(line) in chief.get(address).getvalue().decode().splitlines(), address
    play(tiers(term)["B"])
    assert "promotion League A" in text_of(chief, f"{ADMIN}{series.pk}/terms/1/")


@pytest.mark.parametrize("is_written", [False, True])
def test_a_move_by_the_result_beside_the_tiers_names_that_table_and_each_place_is_of_its_own_table(
    chief: Client, is_written: bool
) -> None:
    series = series_with_special()
    term = series.terms.get()
    if is_written:
        write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)
    for page in ("/series/spring/terms/1/", f"{ADMIN}{series.pk}/terms/1/"):
        shown = text_of(chief, page)
        assert "1st of Special league; 1 goes up" in shown
        assert re.search(r" 3(rd)? (\S )?Player B3", shown)
    for name, places in (("b3", (3, 1)), ("b1", (1, 2))):
        way = text_of(chief, f"/series/spring/players/spring-{name}/")
        assert re.search(r" {} Term 1 League B\b.* {} Term 1 Special league ".format(*places), way)


def test_a_term_links_to_the_next_one_as_soon_as_the_visitor_can_open_it(chief: Client) -> None:
    term = finished_series().terms.get()
    write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)
    path, link = "/series/spring/terms/1/", 'href="/series/spring/terms/2/"'
    before = Client().get(path)
    assert link in chief.get(path).content.decode()
    assert link not in before.content.decode()
    publish(tiers(term.series.terms.get(number=2))["A"])
    after = Client().get(path, headers={"if-none-match": before["ETag"]})
    assert (after.status_code, link in after.content.decode()) == (200, True)


def test_links_of_a_term_lead_to_the_way_of_a_player_whose_data_was_erased(client: Client) -> None:
    finished_series()
    erased = erase_player(player=Player.objects.get(key="spring-b1"), by=SYSTEM)
    path = f"/series/spring/players/{erased.key}/"
    assert path in client.get("/series/spring/terms/1/").content.decode()
    assert "第1期 B級" in text_of(client, path)


def test_a_series_that_is_not_public_is_unknown_to_the_public(client: Client) -> None:
    series_of_two(is_public=False)
    assert "Spring" not in text_of(client, "/series/")
    text_of(client, "/series/spring/", 404)
    text_of(client, "/series/spring/terms/1/", 404)


def test_the_page_of_a_competition_links_to_its_term(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    series = series_of_two()
    slug = tiers(series.terms.get())["A"].slug
    assert "Spring series League A · Term 1" in text_of(client, f"/c/{slug}/")
    edit_series(series=series, words=SeriesWords(name="春", name_en="Spring", is_public=False), by=SYSTEM)
    publish_standings(tiers(series.terms.get())["A"].pk)
    assert "Term 1</a>" not in client.get(f"/c/{slug}/").content.decode()


def test_the_spoiler_guard_of_a_competition_hides_its_results_and_the_moves_made_from_them(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    series = finished_series()
    term = series.terms.get()
    write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)
    row = tiers(term)["B"]
    assert client.get(f"/c/{row.slug}/?until=0").status_code == 302
    shown = client.get("/series/spring/terms/1/").content.decode()
    assert "1st of League B; 1 goes up" not in shown
    assert "was decided on" not in shown


def test_the_way_of_a_player_is_not_worked_out_again_while_its_page_is_kept(client: Client) -> None:
    finished_series()
    way = "/series/spring/players/spring-a1/"
    assert client.get(way).status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert client.get(way).status_code == 200
    assert not [query["sql"] for query in queries if "league_standing" in query["sql"]]


def test_the_path_of_a_player_ends_with_the_tier_reached_and_nothing_is_left_to_need(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    upper = tiers(finished_series().terms.get())["A"]
    for key, end in (("a4", "relegation to League B"), ("a3", "staying in League A"), ("a1", "champion")):
        path = text_of(client, f"/c/{upper.slug}/players/spring-{key}/")
        assert re.search(rf"The way here League \S+ \S+ {end} ", path), key
    shown = text_of(client, f"/c/{upper.slug}/conditions/")
    assert "Everything is decided." in shown
    assert "Once a block is under way" not in shown


def test_no_promotion_points_are_shown_for_a_tier_that_has_not_begun(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    series = series_of_two()
    text = f'{TWO_TIERS}\n[[ledger]]\ntier = "B"\ngains = [2]\npromote_at = 3\nwithin_terms = 2\n'
    revise_rules(series=series, text=text, reason="points", by=SYSTEM)
    path, heading = "/series/spring/terms/1/", "Promotion points for the next term"
    assert heading not in text_of(client, path)
    play(tiers(series.terms.get())["B"])
    assert f"{heading} 2 " in text_of(client, path)
