"""Tests of import and export in the admin: preview first, all or nothing, with permission checks."""

from __future__ import annotations

import re
from io import BytesIO

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.files.archive import pack_archive
from league.files.result_rows import columns_of
from league.files.tables import read_table
from league.models import Change, Competition, Door, Entrant, Membership, ResultSheet, Role
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.exchange.archives import archive_of
from tests import factories
from tests.league.exchange.test_readers_fuzzed import with_sheet
from tests.league.shared import fresh
from tests.processor import processor_seconds

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def scheduled(shared_rows: None) -> Competition:
    """Schedule the four hanchan of a final."""
    competition = factories.final_table()
    factories.table(competition.blocks.get(), table="1卓")
    return competition


@pytest.fixture
def final(client: Client, scheduled: Competition) -> Competition:
    """Return the final; log its director in."""
    competition = fresh(scheduled)
    client.force_login(factories.user("director", Role.DIRECTOR, competition, is_staff=True))
    return competition


def address(competition: Competition, name: str) -> str:
    """Return the URL of a page of the competition in the admin."""
    return f"/admin/league/competition/{competition.pk}/{name}/"


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of a form, without the CSRF token."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: value for name, value in found if name != "csrfmiddlewaretoken"}


def filled_template(client: Client, competition: Competition) -> bytes:
    """Return the downloaded template with scores typed into its first two games."""
    answer = client.get(address(competition, "download"), {"kind": "results", "suffix": "xlsx"})
    book = openpyxl.load_workbook(BytesIO(answer.content))
    page = book.active
    assert page is not None
    places = {str(cell.value): number for number, cell in enumerate(page[1], start=1)}
    scores = [name for name in places if name.endswith("の点") or name.startswith("score")]
    for row, typed in ((2, (41200, 30100, 18700, 10000)), (3, (30000, 31000, 42500, -3500))):
        for name, score in zip(scores, typed, strict=True):
            page.cell(row, places[name], score)
    saved = BytesIO()
    book.save(saved)
    return saved.getvalue()


@pytest.mark.both_databases
def test_the_template_contains_the_schedule_so_that_only_scores_are_typed(client: Client, final: Competition) -> None:
    file = SimpleUploadedFile("results.xlsx", filled_template(client, final))
    page = client.post(address(final, "results-in"), {"file": file})
    assert page.status_code == 200
    assert not ResultSheet.objects.exists()
    done = client.post(address(final, "results-in"), hidden(page.content.decode()))
    assert done.status_code == 302
    assert ResultSheet.objects.counting().count() == 2
    assert set(Change.objects.filter(kind="result.confirmed").values_list("door", flat=True)) == {Door.ADMIN}


def test_the_progress_of_an_upload_is_visible_to_its_own_user_only(client: Client, final: Competition) -> None:
    task = hidden(client.get(address(final, "results-in")).content.decode())["task"]
    file = SimpleUploadedFile("results.xlsx", filled_template(client, final))
    assert client.get(address(final, "results-in"), {"task": task}).json() == {}
    page = client.post(address(final, "results-in"), {"file": file, "task": task})
    assert page.status_code == 200
    assert client.get(address(final, "results-in"), {"task": task}).json() == {"done": 2, "rows": 2}
    assert client.get(address(final, "results-in"), {"task": task[::-1]}).json() == {}
    assert client.get(address(final, "results-in"), {"task": "../" + task}).json() == {}
    client.force_login(factories.user("other", Role.DIRECTOR, final, is_staff=True))
    assert client.get(address(final, "results-in"), {"task": task}).json() == {}


def test_faults_are_shown_with_row_and_column_and_without_an_import_button(client: Client, final: Competition) -> None:
    text = "節,卓,回戦,東家の点,南家の点,西家の点,北家の点\n1,1卓,1,41200,30100,18700,x\n1,1卓,2,1,2,3,4"
    page = client.post(address(final, "results-in"), {"pasted": text})
    assert page.status_code == 422
    shown = page.content.decode()
    assert "北家の点" in shown
    assert shown.count("<tr><td>2</td>") == 1
    assert 'class="default"' not in shown


MARKS = "\u0301\u0323" * 30_000
"""Combining marks in an order that makes Unicode normalization take quadratic time."""
SCORES = "score1,score2,score3,score4"


def test_a_huge_cell_is_rejected_quickly_and_quoted_only_in_part(client: Client, final: Competition) -> None:
    rest = "characters; at most {} are read. Shorten it, or leave it out. (found '{}…')"
    tables = {
        f"節,{'(' * 60_000},東家の点\n1,2,3": "row 1: This cell has 60,000 " + rest.format(200, "(" * 40),
        f"節,{'(a' * 101}\n1,2": "row 1: This cell has 202 " + rest.format(200, "(a" * 20),
        f"節,{MARKS}\n1,2": "row 1: This cell has 60,000 " + rest.format(200, MARKS[:40]),
        f"東家,{SCORES}\nx,1,2,3,4\n{'e' * 501},1,2,3,4": "row 3 · 東家: This cell has 501 "
        + rest.format(500, "e" * 40),
        f"東家,{SCORES}\n{MARKS},1,2,3,4": "row 2 · 東家: This cell has 60,000 " + rest.format(500, MARKS[:40]),
    }
    for text, fault in tables.items():
        for source in ({"pasted": text}, {"file": SimpleUploadedFile("results.csv", text.encode())}):
            with processor_seconds(5):
                page = client.post(address(final, "results-in"), source, headers={"Accept-Language": "en"})
            assert (page.status_code, list(map(str, page.context["faults"]))) == (422, [fault])


def test_a_sheet_repeating_a_long_text_in_every_cell_is_rejected_without_copying_it(
    client: Client, final: Competition
) -> None:
    cells = b'<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' * 2_000
    head = b'<row><c t="inlineStr"><is><t>score1</t></is></c></row>'
    sheet = b"<worksheet><sheetData>" + head + cells + b"</sheetData></worksheet>"
    data = with_sheet(sheet, **{"xl/sharedStrings.xml": b"<sst><si><t>" + b" x" * 15_000 + b"</t></si></sst>"})
    for page_name, status in (("results-in", 422), ("roster-in", 422)):
        with processor_seconds(5):
            page = client.post(address(final, page_name), {"file": SimpleUploadedFile("a.xlsx", data)})
        assert (page_name, page.status_code) == (page_name, status)
        assert len(page.content) < 2_000_000


def test_an_unusual_result_is_written_only_after_its_warning_is_accepted(client: Client, final: Competition) -> None:
    rows = "\n".join(f"1,1卓,{number},41200,30100,18700,10000" for number in (1, 2))
    page = client.post(address(final, "results-in"), {"pasted": f"節,卓,回戦,score1,score2,score3,score4\n{rows}"})
    carried = hidden(page.content.decode())
    again = client.post(address(final, "results-in"), carried)
    assert again.status_code == 200
    assert not ResultSheet.objects.exists()
    client.post(address(final, "results-in"), {**carried, "accept": ["same_result_twice"]})
    assert ResultSheet.objects.counting().count() == 2


def test_equal_results_ask_for_one_tick_with_their_number_and_the_rest_on_demand(client: Client) -> None:
    rows = "\n".join(f"1,A,卓,{number},41200,30100,18700,10000" for number in range(1, 9))
    season = factories.league()
    factories.table(season.blocks.get(key="A"), numbers=range(1, 9), table="卓")
    client.force_login(factories.user("many", Role.DIRECTOR, season, is_staff=True))
    text = f"節,ブロック,卓,回戦,score1,score2,score3,score4\n{rows}"
    page = client.post(address(season, "results-in"), {"pasted": text}, headers={"accept-language": "en"})
    (question,) = page.context["questions"]
    assert (question.code, question.count, len(question.first), len(question.more)) == ("same_result_twice", 7, 3, 4)
    body = page.content.decode()
    assert body.count('name="accept"') == 1
    assert "the same result as another hanchan of the table: 7 rows" in body
    assert "4 more rows" in body
    sent = {**hidden(body), "accept": ["same_result_twice"]}
    client.post(address(season, "results-in"), sent, headers={"accept-language": "en"})
    assert ResultSheet.objects.counting().count() == 8


def test_a_previewed_table_cannot_be_altered_or_used_by_another_user(client: Client, final: Competition) -> None:
    text = "節,卓,回戦,score1,score2,score3,score4\n1,1卓,1,41200,30100,18700,10000"
    carried = hidden(client.post(address(final, "results-in"), {"pasted": text}).content.decode())
    client.post(address(final, "results-in"), {**carried, "table": carried["table"][:-1] + "x"})
    client.force_login(factories.user("other", Role.DIRECTOR, final, is_staff=True))
    client.post(address(final, "results-in"), carried)
    assert not ResultSheet.objects.exists()


def test_a_roster_in_shift_jis_is_imported(client: Client, final: Competition) -> None:
    text = "氏名,ふりがな,所属,国・地域\n東風 ひかり,こち ひかり,連盟,日本\n".encode("cp932")
    file = SimpleUploadedFile("roster.csv", text)
    page = client.post(address(final, "roster-in"), {"file": file})
    assert page.status_code == 200, page.content.decode()
    assert client.post(address(final, "roster-in"), hidden(page.content.decode())).status_code == 302
    entrant = Entrant.objects.get(competition=final, player__name="東風 ひかり")
    assert (entrant.affiliation, entrant.country, entrant.player.country) == ("連盟", "日本", "日本")
    answer = client.get(reverse("feeds:export", args=[final.slug, "roster", "csv"]))
    assert "連盟,日本" in answer.getvalue().decode()


@pytest.mark.both_databases
def test_an_archive_is_exported_and_imported_in_the_admin(client: Client, final: Competition) -> None:
    answer = client.get(address(final, "download"), {"kind": "archive"})
    assert answer.content == pack_archive(archive_of(competition=final, by=factories.SYSTEM))
    master = factories.user("master", is_staff=True, is_superuser=True)
    client.force_login(master)
    file = SimpleUploadedFile("a.zip", answer.content)
    done = client.post("/admin/league/competition/archive/", {"file": file, "slug": "again"})
    assert done.status_code == 302
    assert Membership.objects.filter(competition__slug="again", user=master, role=Role.DIRECTOR).exists()
    broken = SimpleUploadedFile("a.zip", answer.content[:-100])
    assert client.post("/admin/league/competition/archive/", {"file": broken}).status_code == 422


@pytest.mark.parametrize("role", [Role.READER, Role.REFEREE, Role.SCORER])
def test_each_role_can_open_only_its_own_pages(client: Client, final: Competition, role: Role) -> None:
    client.force_login(factories.user("someone", role, final, is_staff=True))
    assert client.get(address(final, "data")).status_code == 200
    assert client.get(address(final, "results-in")).status_code == (200 if role is Role.SCORER else 403)
    assert client.get(address(final, "roster-in")).status_code == 403
    assert client.get(address(final, "download"), {"kind": "archive"}).status_code == 403
    assert client.get("/admin/league/competition/archive/").status_code == 403


@pytest.mark.both_databases
def test_downloaded_templates_can_be_read_back(client: Client, final: Competition) -> None:
    for suffix in ("csv", "xlsx"):
        answer = client.get(address(final, "download"), {"kind": "results", "suffix": suffix})
        table = read_table(answer.getvalue(), columns_of(ruleset_of(rules_at(final))))
        assert (len(table.rows), table.faults) == (4, ())


def test_a_roster_with_a_header_alone_says_that_nothing_is_below_it(client: Client, final: Competition) -> None:
    page = client.post(address(final, "roster-in"), {"pasted": "氏名,よみ"})
    assert page.status_code == 422
    assert page.context["faults"] == ["見出しの下に何もありません。"]


TITLED = "春リーグ 最終節\n2026年3月1日\n\n節,卓,回戦,score1,score2,score3,score4\n1,1卓,1,41200,30100,18700,{}"


def test_lines_above_the_header_of_results_are_no_part_of_the_table(client: Client, final: Competition) -> None:
    for text in (TITLED, TITLED.replace(",", "\t")):
        page = client.post(address(final, "results-in"), {"pasted": text.format("10000")})
        assert (page.status_code, [row.number for row in page.context["report"].rows]) == (200, [5])
    faulty = client.post(address(final, "results-in"), {"pasted": TITLED.format("x")})
    assert [fault.row for fault in faulty.context["faults"]] == [5]


def test_a_workbook_whose_first_sheet_is_empty_is_told_that_only_the_first_is_read(
    client: Client, final: Competition
) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("results").append(["score1", "score2"])
    data = BytesIO()
    book.save(data)
    for name in ("results-in", "roster-in"):
        file = SimpleUploadedFile("book.xlsx", data.getvalue())
        page = client.post(address(final, name), {"file": file}, headers={"Accept-Language": "en"})
        assert "only the first sheet is read" in str(page.context["faults"][0])


def test_another_table_starts_from_the_text_that_was_pasted(client: Client, final: Competition) -> None:
    typed = {"pasted": TITLED.format("x").replace("\n", "\r\n"), "reason": "from paper", "schedules": "on"}
    page = client.post(address(final, "results-in"), typed)
    form = client.post(address(final, "results-in"), {**hidden(page.content.decode()), "again": "1"})
    assert form.status_code == 200
    assert form.context["form"].initial["pasted"] == typed["pasted"]
    assert "from paper" in form.content.decode()
    assert "checked" in form.content.decode()


def test_a_pasted_roster_and_a_table_that_is_too_old_are_not_lost(client: Client, final: Competition) -> None:
    text = "氏名\n東風 ひかり\n東風 ひかり"
    page = client.post(address(final, "roster-in"), {"pasted": text})
    carried = hidden(page.content.decode())
    for sent in ({**carried, "again": "1"}, {**carried, "table": carried["table"][:-1] + "x"}):
        form = client.post(address(final, "roster-in"), sent)
        assert "<textarea" in form.content.decode()
        assert text in form.content.decode()
