"""Tests of table links in the admin: created, shown once, printed as slips, ended; and of the live settings."""

from __future__ import annotations

import re
from socket import AF_INET
from types import SimpleNamespace

import psutil
import pytest
from django.conf import LazySettings
from django.test import Client

from league.models import Competition, Role, TableLink, TableSession
from league.platform.errors import RuleViolationError
from league.platform.site_url import network_urls
from league.services.competitions.editing import CompetitionWords, edit_competition
from tests import factories
from tests.league.tables import finish

pytestmark = pytest.mark.django_db


def admin_client(table: TableSession, role: Role = Role.SCORER) -> Client:
    """Return an English admin client of a staff member with this role."""
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(factories.user(role, role, table.competition, is_staff=True))
    return client


def address(table: TableSession) -> str:
    return f"/admin/league/tablesession/{table.pk}/links/"


def link_paths(page: str) -> list[str]:
    """Return the paths of the table links on a page."""
    return re.findall(r'href="[^"]*(/t/[\w-]+/)"', page)


def test_the_table_page_links_to_its_links_page_and_its_score_sheet(table: TableSession) -> None:
    page = admin_client(table).get(f"/admin/league/tablesession/{table.pk}/change/").content.decode()
    assert address(table) in page
    assert f"/tables/{table.pk}/sheet/" in page


def test_a_scorer_link_is_shown_once_with_a_qr_code_and_works(table: TableSession) -> None:
    client = admin_client(table)
    page = client.post(address(table), {"action": "scorer"}).content.decode()
    (path,) = link_paths(page)
    drawn = re.findall(r'<svg[^>]*class="segno".*?</svg>', page, re.DOTALL)
    assert len(drawn) == 1
    assert "style=" not in drawn[0]
    assert Client().get(path).status_code == 302
    again = client.get(address(table)).content.decode()
    assert link_paths(again) == []
    assert "Keep the score sheet" in again


@pytest.mark.parametrize(("rulebook", "is_told"), [("mleague", True), ("mleague_full", False)])
def test_the_page_says_that_rules_of_final_scores_alone_have_no_score_sheet(rulebook: str, is_told: bool) -> None:
    own = factories.table(factories.final_table(ruleset=rulebook).blocks.get())
    page = admin_client(own).get(address(own)).content.decode()
    assert ("final scores only" in page) is is_told


def slips(table: TableSession, host: str) -> str:
    """Create a link through this host and return the page that shows it."""
    return admin_client(table).post(address(table), {"action": "scorer"}, headers={"host": host}).content.decode()


def test_a_link_uses_the_host_of_the_request(table: TableSession, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["192.168.1.20"]
    page = slips(table, "192.168.1.20:8000")
    assert 'href="http://192.168.1.20:8000/t/' in page
    assert "this machine only" not in page


def test_a_link_uses_the_configured_base_url_for_any_host(table: TableSession, settings: LazySettings) -> None:
    settings.BASE_URL = "https://league.example.org"
    assert 'href="https://league.example.org/t/' in slips(table, "localhost:8000")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_a_link_to_localhost_shows_a_warning_with_a_solution(table: TableSession, host: str) -> None:
    page = slips(table, host)
    assert f'href="http://{host}/t/' in page
    assert f"Phones cannot open {host}: it leads to this machine only. Start the service with HOST=0.0.0.0" in page


def test_the_localhost_warning_names_the_network_address_if_the_service_listens_on_it(
    table: TableSession, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"host": "0.0.0.0", "port": 8080})
    addresses = {"lo": "127.0.0.1", "unplugged": "10.0.0.5", "without a router": "169.254.3.4", "wlan0": "192.168.1.20"}
    interfaces = {name: [SimpleNamespace(family=AF_INET, address=address)] for name, address in addresses.items()}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: interfaces)
    monkeypatch.setattr(
        psutil, "net_if_stats", lambda: {name: SimpleNamespace(isup=name != "unplugged") for name in addresses}
    )
    assert network_urls() == ("http://192.168.1.20:8080", "http://127.0.0.1:8080")
    assert "Phones cannot open localhost:8080: it leads to this machine only. Open http://192.168.1.20:8080," in slips(
        table, "localhost:8080"
    )


def test_printed_slips_show_the_same_warning(table: TableSession) -> None:
    page = (
        admin_client(table)
        .post(
            f"/admin/league/session/{table.session_id}/slips/",
            {"with_links": "on"},
            headers={"host": "localhost:8000"},
        )
        .content.decode()
    )
    assert "Phones cannot open localhost:8000" in page


def test_the_options_of_printed_slips_are_described_by_their_help(table: TableSession) -> None:
    page = admin_client(table).get(f"/admin/league/session/{table.session_id}/slips/").content.decode()
    [described] = re.findall(r'name="with_links"[^>]* aria-describedby="([^"]+)"', page)
    assert f'id="{described}"' in page


def test_every_player_gets_a_separate_link(table: TableSession) -> None:
    page = admin_client(table).post(address(table), {"action": "players"}).content.decode()
    assert len(link_paths(page)) == len(set(link_paths(page))) == 4
    for number in range(1, 5):
        assert f"Player final{number}: confirm results" in page


@pytest.mark.both_databases
def test_a_link_is_ended_in_the_admin(table: TableSession) -> None:
    client = admin_client(table)
    client.post(address(table), {"action": "scorer"})
    link = TableLink.objects.get()
    page = client.post(address(table), {"action": "end", "link": link.pk}, follow=True).content.decode()
    assert "The link has ended." in page
    assert "Links that have ended: 1" in page
    assert client.post(address(table), {"action": "end", "link": 999}).status_code == 404


def test_a_finished_table_gets_no_links_and_shows_the_reason(table: TableSession) -> None:
    finish(table)
    page = admin_client(table).post(address(table), {"action": "scorer"}, follow=True).content.decode()
    assert "Every hanchan of this table has its result" in page
    assert TableLink.objects.count() == 0


def test_a_reader_cannot_create_links(table: TableSession) -> None:
    assert admin_client(table, Role.READER).get(address(table)).status_code == 403


@pytest.mark.both_databases
def test_a_director_sets_the_live_delay_and_the_audience_of_advice(table: TableSession) -> None:
    client, competition = admin_client(table, Role.DIRECTOR), table.competition
    edit = f"/admin/league/competition/{competition.pk}/edit/"
    values = {
        "name": competition.name,
        "confirmation": "players",
        "audience": "public",
        "time_zone": "Asia/Tokyo",
        "day_starts_at": "00:00",
        "live_delay": "15",
        "advice": "nowhere",
    }
    assert client.post(edit, values).status_code == 302
    competition = Competition.objects.get()
    assert (competition.live_delay, competition.advice, competition.confirmation) == (15, "nowhere", "players")
    assert client.post(edit, values | {"live_delay": "2000"}).status_code == 422
    assert Competition.objects.get().live_delay == 15


def test_the_live_delay_must_be_between_zero_and_one_day(table: TableSession) -> None:
    for minutes in (-1, 1441):
        words = CompetitionWords(name="Spring", live_delay=minutes)
        with pytest.raises(RuleViolationError) as refused:
            edit_competition(competition=table.competition, words=words, by=factories.SYSTEM)
        assert refused.value.findings[0].pointer == "/live_delay"
