"""Tests of the import of teams and members in the admin, and of the tables that only a league of teams has."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation

from league.files.tables import read_table
from league.files.team_rows import COLUMNS, MEMBERS, colour_in
from league.models import Entrant, Player, Role, TeamMember
from league.platform.errors import PermissionRefusedError
from league.services.exchange.team_import import import_teams
from league.services.results.batches import BatchOutcome
from tests import factories
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db
TABLE = """チーム,略称,文字,色,選手,加入日,最終日,キャプテン
北斗ウルブス,北斗,狼,石榴,山田 一,,,1
,,,,川口 次,2026-10-01,2026-10-31,
南風ホエールズ,南風,鯨,5,川口 次,2026-11-01,,
,,,,森 三,,,
"""


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of a form, without the CSRF token."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


@pytest.fixture
def league(client: Client) -> TeamLeague:
    """Return a league of teams and log its director in."""
    made = TeamLeague()
    client.force_login(factories.user("director", Role.DIRECTOR, made.competition, is_staff=True))
    return made


def address(league: TeamLeague) -> str:
    """Return the URL of the import."""
    return f"/admin/league/competition/{league.competition.pk}/members-in/"


def test_teams_and_members_are_previewed_and_then_entered(client: Client, league: TeamLeague) -> None:
    with translation.override("ja"):
        colour = next(name for name in ("藍", "朱", "紅") if colour_in(name) not in {None, "unknown"})
    text = TABLE.replace("石榴", colour)
    page = client.post(address(league), {"pasted": text})
    assert page.status_code == 200, page.content.decode()[:2000]
    assert not Player.objects.filter(name="北斗ウルブス").exists()
    done = client.post(address(league), hidden(page.content.decode()))
    assert done.status_code == 302
    wolves, whales = Entrant.objects.filter(player__name__in=["北斗ウルブス", "南風ホエールズ"]).order_by("number")
    assert (wolves.player.is_team, wolves.player.short_name, wolves.player.mark_glyph) == (True, "北斗", "狼")
    assert wolves.player.mark_colour == colour_in(colour)
    assert whales.player.mark_colour == 5
    rows = TeamMember.objects.standing().filter(entrant__in=[wolves, whales]).order_by("entrant__number", "order")
    assert [(row.entrant, row.player.name, row.since, row.until, row.is_captain) for row in rows] == [
        (wolves, "山田 一", None, None, True),
        (wolves, "川口 次", dt.date(2026, 10, 1), dt.date(2026, 10, 31), False),
        (whales, "川口 次", dt.date(2026, 11, 1), None, False),
        (whales, "森 三", None, None, False),
    ]
    assert Player.objects.filter(name="川口 次").count() == 1
    again = import_teams(competition=league.competition, table=read_table(text, COLUMNS), by=factories.SYSTEM)
    assert again.counts == {BatchOutcome.SAME: 4}


def test_the_template_holds_the_members_and_brings_nothing_new(client: Client, league: TeamLeague) -> None:
    answer = client.get(f"/admin/league/competition/{league.competition.pk}/download/?kind=members&suffix=csv")
    table = read_table(answer.getvalue(), COLUMNS)
    report = import_teams(competition=league.competition, table=table, by=factories.SYSTEM)
    assert (report.all_faults, report.counts) == ((), {BatchOutcome.SAME: TeamMember.objects.count()})


FAULTS = (
    ("北斗,,,,青山　あきら子,,,", "Is this one of those known? Write the key: 青山 あきら"),
    ("北斗,,,,青山 あきら,,,", "on some of these days. End that first"),
    ("北斗,,狼狼,,山田 一,,,", "Write one visible character"),
    ("北斗,,,ピンク色,山田 一,,,", "Write a colour's number from 0 to 11, or its name"),
    ("北斗,,,12,山田 一,,,", "Write a colour's number"),
    ("北斗,,,,山田 一,来月,,", "Write a date such as 2026-10-05"),
    ("北斗,,,,山田 一,2026-10-02,2026-10-01,", "The last day is before the first"),
    ("北斗,,,,山田 一,,,たぶん", "Write 1 for the captain"),
    (f"{'北' * 101},,,,山田 二,,,", "At most 100 characters"),
)


def test_faults_of_all_rows_are_told_and_nothing_is_entered(client: Client, league: TeamLeague) -> None:
    before = Player.objects.count(), TeamMember.objects.count()
    head = TABLE.splitlines()[0]
    text = "\n".join((head, ",,,,山田 一,,,", *(line for line, _message in FAULTS)))
    page = client.post(address(league), {"pasted": text}, headers={"accept-language": "en"})
    assert page.status_code == 422
    assert "Name the team" in page.content.decode()
    report = import_teams(competition=league.competition, table=read_table(text, COLUMNS), by=factories.SYSTEM)
    for row, (line, message) in zip(report.rows[1:], FAULTS, strict=True):
        assert message in str(row.faults), line
    done = client.post(address(league), hidden(page.content.decode()))
    assert done.status_code == 422
    assert (Player.objects.count(), TeamMember.objects.count()) == before


def test_the_page_counts_all_faults_and_shows_the_first_five_hundred(client: Client, league: TeamLeague) -> None:
    text = "\n".join((TABLE.splitlines()[0], *[",,,,山田 一,,,"] * 502))
    page = client.post(address(league), {"pasted": text}, headers={"accept-language": "en"}).content.decode()
    assert "502 faults." in page
    assert page.count("Name the team") == 500
    assert "and 2 more" in page


def test_only_those_who_manage_the_competition_enter_teams(league: TeamLeague) -> None:
    scorer = factories.actor(factories.user("scorer", Role.SCORER, league.competition))
    with pytest.raises(PermissionRefusedError):
        import_teams(competition=league.competition, table=read_table(TABLE, COLUMNS), by=scorer, keep=True)


def rows(client: Client, name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file of the league."""
    answer = client.get(f"/c/teams/{name}.csv?lang=en")
    assert answer.status_code == 200, name
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


def test_tables_of_a_league_of_teams_name_teams_and_members(client: Client) -> None:
    league = team_league(2)
    assert rows(client, "members")[0].keys() == {head.key for head in MEMBERS}
    assert len(rows(client, "members")) == TeamMember.objects.standing().count()
    first = rows(client, "results")[0]
    teams = [entrant.player.name for entrant in league.teams]
    people = {person.name for own in league.members for person in own}
    assert {first[f"team{seat}"] for seat in range(1, 5)} <= set(teams)
    assert {first[f"player{seat}"] for seat in range(1, 5)} <= people
    assert not any(key.startswith("substitute") for key in first)
    coming = rows(client, "schedule")[-1]
    assert coming["team1"] in teams
    assert {coming[f"player{seat}"] for seat in range(1, 5)} == {""}
    own = {row["team_key"] for row in rows(client, "line-ups") if not row["player"]}
    assert own <= {entrant.player.key for entrant in league.teams}
    individuals = rows(client, "individuals")
    standings = {row["name"]: row for row in rows(client, "standings")}
    for team in teams:
        total = sum(float(row["points"]) for row in individuals if row["team"] == team)
        assert total == pytest.approx(float(standings[team]["points"]))


def test_a_league_of_players_has_no_tables_of_members(client: Client) -> None:
    factories.league("plain")
    assert client.get("/c/plain/members.csv").status_code == 404
