"""Tests of exported tables: readable by Excel, without active formulas, limited to the reader's permissions."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from decimal import Decimal

import openpyxl
import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from league.api.renderers import cell as api_cell
from league.files.result_rows import columns_of
from league.files.tables import read_table
from league.files.writing_tables import Cell, Head, Sheet, csv_lines
from league.files.writing_xlsx import xlsx_bytes
from league.models import Competition, Player, Role
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.exchange.table_import import import_results
from league.services.results.batches import BatchOutcome
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Competition:
    """Play two of the hanchan of a final."""
    competition = factories.final_table()
    first, second, *_rest = factories.table(competition.blocks.get(), table="1卓").hanchan.order_by("round")
    factories.play(first, (41200, 30100, 32200, -3500))
    factories.play(second, (30000, 31000, 18000, 21000))
    Player.objects.filter(name="final1").update(name="=1+1")
    publish_standings(competition.pk)
    return competition


@pytest.fixture
def season(played: Competition) -> Competition:
    """Return the final."""
    return fresh(played)


def rows(client: Client, path: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    text = answer.getvalue().decode("utf-8")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.mark.both_databases
def test_csv_files_have_keys_or_japanese_headers(client: Client, season: Competition) -> None:
    standings = rows(client, "/c/final/standings.csv?lang=en")
    assert [row["rank"] for row in standings] == ["1", "2", "3", "4"]
    assert standings[0]["name"] == "'=1+1"
    assert float(standings[-1]["points"]) < 0
    assert "順位" in rows(client, "/c/final/standings.csv?lang=ja")[0]
    assert rows(client, "/c/final/results.csv?lang=en")[0]["score4"] == "-3500"
    assert len(rows(client, "/c/final/seats.csv?lang=en")) == 8
    assert rows(client, "/c/final/roster.csv?lang=en")[0].keys() >= {"key", "name"}
    assert len(rows(client, "/c/final/schedule.csv?lang=en")) == 4


def test_xlsx_cells_are_numbers_or_plain_text_and_never_formulas(client: Client, season: Competition) -> None:
    answer = client.get("/c/final/results.xlsx?lang=en")
    page = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert page is not None
    header, first = map(list, page.iter_rows(max_row=2))
    found = dict(zip([cell.value for cell in header], first, strict=True))
    assert (found["score4"].value, found["score4"].data_type) == (-3500, "n")
    assert (found["player1"].value, found["player1"].data_type) == ("=1+1", "s")


def test_json_contains_amounts_as_strings(client: Client, season: Competition) -> None:
    said = json.loads(client.get("/c/final/standings.json").getvalue())
    assert isinstance(said[0]["points"], str)
    assert "." in said[0]["points"]


def test_embargoed_results_are_in_no_public_file(client: Client, season: Competition) -> None:
    table = factories.table(
        season.blocks.get(), numbers=(3,), table="secret", public_at=timezone.now() + dt.timedelta(days=1)
    )
    factories.play(table.hanchan.get(), (99000, 1000, 0, 0), accept=("extreme_score",))
    publish_standings(season.pk)
    kinds = ("standings", "results", "seats", "schedule")
    public = "".join(str(rows(client, f"/c/final/{kind}.csv?lang=en")) for kind in kinds)
    assert "secret" not in public
    assert "99000" not in public
    client.force_login(factories.user(role=Role.READER, competition=season))
    assert "99000" in str(rows(client, "/c/final/results.csv?lang=en"))


def test_files_of_drafts_and_unknown_files_answer_404(client: Client) -> None:
    factories.final_table("draft", status=None)
    assert client.get("/c/draft/standings.csv").status_code == 404
    factories.final_table("cup")
    assert client.get("/c/cup/secrets.csv").status_code == 404
    assert client.get("/c/cup/standings.exe").status_code == 404


def test_an_unchanged_file_answers_304(client: Client, season: Competition) -> None:
    tag = client.get("/c/final/standings.csv")["ETag"]
    assert client.get("/c/final/standings.csv", headers={"If-None-Match": tag}).status_code == 304


def test_the_same_table_is_the_same_xlsx_file_at_any_time(client: Client, season: Competition) -> None:
    found = []
    for day in (1, 2):
        cache.clear()
        with time_machine.travel(dt.datetime(2031, 5, day, tzinfo=dt.UTC)):
            answer = client.get("/c/final/standings.xlsx")
            found.append((answer.status_code, answer["ETag"], b"".join(answer)))
    assert found[0] == found[1]
    assert found[0][0] == 200


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_exported_results_are_imported_as_unchanged(
    client: Client, season: Competition, suffix: str, language: str
) -> None:
    client.force_login(factories.user(role=Role.DIRECTOR, competition=season))
    answer = client.get(f"/c/final/results.{suffix}?lang={language}")
    data = answer.getvalue()
    table = read_table(data, columns_of(ruleset_of(rules_at(season))))
    report = import_results(competition=season, table=table, by=factories.SYSTEM)
    assert [row.outcome for row in report.rows] == [BatchOutcome.SAME, BatchOutcome.SAME], report.all_faults


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "'=1", "plain", "'quoted'"])
def test_a_text_survives_export_and_import(text: str) -> None:
    from league.files.tables import TableColumn

    sheet = Sheet("x", (Head("name", "名前"), Head("n", "数")), [(text, -30)])
    data = "".join(csv_lines(sheet, "ja")).encode()
    (row,) = read_table(data, (TableColumn("name", ("名前",)), TableColumn("n", ("数",)))).rows
    assert (row.cells["name"], row.cells["n"]) == (text.strip(), "-30")
    (row,) = read_table(
        f"name,n\r\n{api_cell(text, is_text=True)},-30\r\n", (TableColumn("name", ("名前",)), TableColumn("n", ("数",)))
    ).rows
    assert row.cells["name"] == text.strip()
    (row,) = read_table(xlsx_bytes(sheet, "ja"), (TableColumn("name", ("名前",)), TableColumn("n", ("数",)))).rows
    assert (row.cells["name"], row.cells["n"]) == (text.strip(), "-30")


def test_a_spreadsheet_has_columns_as_wide_as_their_texts() -> None:
    heads = [Head("name", "名前"), Head("n", "数"), Head("note", "備考")]
    rows: list[tuple[Cell, ...]] = [("夜凪 つばさ", 12, "x" * 90), ("A", Decimal("-143.9"), None)]
    sheet = Sheet("順位", heads, iter(rows))
    (page,) = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheet, "ja"))).worksheets
    assert [page.column_dimensions[letter].width for letter in "ABC"] == [13, 8, 40]
    assert [[cell.value for cell in row] for row in page] == [
        ["名前", "数", "備考"],
        ["夜凪 つばさ", 12, "x" * 90],
        ["A", -143.9, None],
    ]


def test_file_downloads_are_rate_limited_by_ip_address_and_pages_are_not(
    season: Competition, settings: LazySettings
) -> None:
    cache.clear()
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "file": 3}
    client, other = Client(), Client(REMOTE_ADDR="203.0.113.9")
    with time_machine.travel(timezone.now().replace(second=10), tick=False):
        path = f"/c/{season.slug}/results.xlsx"
        assert [client.get(path).status_code for _time in range(5)] == [200, 200, 200, 429, 429]
        assert client.get(f"/c/{season.slug}/").status_code == 200
        assert other.get(path).status_code == 200
    cache.clear()
