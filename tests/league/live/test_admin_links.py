"""Links at the desk: made, told once, printed as slips, taken back; and how a competition is followed."""

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
from tests.league.tables import final_table, finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> TableSession:
    return final_table()


def desk(table: TableSession, role: Role = Role.SCORER) -> Client:
    """Somebody of the staff at the desk, in English."""
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(factories.user(role, role, table.competition, is_staff=True))
    return client


def address(table: TableSession) -> str:
    return f"/admin/league/tablesession/{table.pk}/links/"


def told(page: str) -> list[str]:
    """The addresses of links on a page."""
    return re.findall(r'href="[^"]*(/t/[\w-]+/)"', page)


def test_the_tables_page_leads_to_its_links_and_its_score_sheet(table: TableSession) -> None:
    page = desk(table).get(f"/admin/league/tablesession/{table.pk}/change/").content.decode()
    assert address(table) in page
    assert f"/tables/{table.pk}/sheet/" in page


def test_a_link_for_the_scorer_is_told_once_with_a_picture_and_works(table: TableSession) -> None:
    client = desk(table)
    page = client.post(address(table), {"action": "scorer"}).content.decode()
    (path,) = told(page)
    drawn = re.findall(r'<svg[^>]*class="segno".*?</svg>', page, re.DOTALL)
    assert len(drawn) == 1
    assert "style=" not in drawn[0]
    assert Client().get(path).status_code == 302
    again = client.get(address(table)).content.decode()
    assert told(again) == []
    assert "Keep the score sheet" in again


def slips(table: TableSession, host: str) -> str:
    """The page with a new link, asked for at a host."""
    return desk(table).post(address(table), {"action": "scorer"}, headers={"host": host}).content.decode()


def test_a_link_has_the_host_by_which_the_organizer_opened_the_page(
    table: TableSession, settings: LazySettings
) -> None:
    settings.ALLOWED_HOSTS = ["192.168.1.20"]
    page = slips(table, "192.168.1.20:8000")
    assert 'href="http://192.168.1.20:8000/t/' in page
    assert "this machine only" not in page


def test_a_link_has_the_configured_address_wherever_the_organizer_is(
    table: TableSession, settings: LazySettings
) -> None:
    settings.BASE_URL = "https://league.example.org"
    assert 'href="https://league.example.org/t/' in slips(table, "localhost:8000")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_a_link_that_opens_on_this_machine_only_says_so_and_what_to_do(table: TableSession, host: str) -> None:
    page = slips(table, host)
    assert f'href="http://{host}/t/' in page
    assert f"Phones cannot open {host}: it leads to this machine only. Start the service with HOST=0.0.0.0" in page


def test_a_link_made_at_localhost_names_the_address_in_the_network_where_the_service_listens_there(
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


@pytest.mark.both_databases
def test_slips_to_print_carry_the_same_address_and_warning(table: TableSession) -> None:
    page = (
        desk(table)
        .post(
            f"/admin/league/session/{table.session_id}/slips/",
            {"with_links": "on"},
            headers={"host": "localhost:8000"},
        )
        .content.decode()
    )
    assert "Phones cannot open localhost:8000" in page


def test_every_player_gets_a_link_of_their_own(table: TableSession) -> None:
    page = desk(table).post(address(table), {"action": "players"}).content.decode()
    assert len(told(page)) == len(set(told(page))) == 4
    for number in range(1, 5):
        assert f"Player final{number}: confirm results" in page


@pytest.mark.both_databases
def test_a_link_is_taken_back_at_the_desk(table: TableSession) -> None:
    client = desk(table)
    client.post(address(table), {"action": "scorer"})
    link = TableLink.objects.get()
    page = client.post(address(table), {"action": "end", "link": link.pk}, follow=True).content.decode()
    assert "The link has ended." in page
    assert "Links that have ended: 1" in page
    assert client.post(address(table), {"action": "end", "link": 999}).status_code == 404


def test_a_table_that_is_done_gets_no_links_and_says_why(table: TableSession) -> None:
    finish(table)
    page = desk(table).post(address(table), {"action": "scorer"}, follow=True).content.decode()
    assert "Every hanchan of this table has its result" in page
    assert TableLink.objects.count() == 0


def test_readers_make_no_links(table: TableSession) -> None:
    assert desk(table, Role.READER).get(address(table)).status_code == 403


@pytest.mark.both_databases
def test_a_director_says_how_late_the_public_follows_and_who_reads_advice(table: TableSession) -> None:
    client, competition = desk(table, Role.DIRECTOR), table.competition
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


def test_a_delay_is_of_the_same_day(table: TableSession) -> None:
    for minutes in (-1, 1441):
        words = CompetitionWords(name="Spring", live_delay=minutes)
        with pytest.raises(RuleViolationError) as refused:
            edit_competition(competition=table.competition, words=words, by=factories.SYSTEM)
        assert refused.value.findings[0].pointer == "/live_delay"
