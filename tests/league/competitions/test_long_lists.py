"""Tests that the admin's lists and choices stay fast and usable with very many rows."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from league.admin import lists
from league.forms.competitions import entrants, setup
from league.models import Change, Hanchan, HanchanSeat, ResultSheet, Role, SeatResult, TableSession
from tests import factories
from tests.league.parlours import guests, parlour

pytestmark = pytest.mark.django_db


def listed(client: Client, model: str, **query: str | int) -> list[object]:
    """Return the rows of an admin list."""
    answer = client.get(f"/admin/league/{model}/", query)
    assert answer.status_code == 200, answer
    return list(answer.context["cl"].result_list)


class TestCounting:
    def test_a_list_counts_only_up_to_a_limit_and_shows_that_there_are_more(
        self, chief: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lists, "COUNTED", 3)
        factories.table(factories.league().blocks.get(key="A"))
        shown = chief.get("/admin/league/hanchan/")
        assert "The first 3 of more. Search or filter" in shown.content.decode()
        assert shown.context["cl"].result_count == 3

    def test_a_short_list_shows_the_total_number_of_rows(self, chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lists, "COUNTED", 4)
        factories.table(factories.league().blocks.get(key="A"))
        assert "4 hanchan" in chief.get("/admin/league/hanchan/").content.decode()
        assert "of more" not in chief.get("/admin/league/hanchan/").content.decode()


class TestDays:
    @pytest.fixture
    def sheets(self) -> list[ResultSheet]:
        """Return three results entered on 2, 3 and 4 May 2026 in Japan, just before midnight."""
        table = factories.table(factories.league().blocks.get(key="A"))
        games = table.hanchan.order_by("round")[:3]
        made = [
            factories.play(game, (41200 + 100 * one, 30100, 18700, 10000 - 100 * one)) for one, game in enumerate(games)
        ]
        for day, sheet in enumerate(made, start=2):
            moment = dt.datetime(2026, 5, day, 23, 59, tzinfo=dt.timezone(dt.timedelta(hours=9)))
            ResultSheet.objects.filter(pk=sheet.pk).update(entered_at=moment)
        return made

    @pytest.mark.both_databases
    @pytest.mark.parametrize(
        ("query", "days"),
        [
            ({"entered_at__from": "2026-05-03"}, [3, 4]),
            ({"entered_at__until": "2026-05-03"}, [2, 3]),
            ({"entered_at__from": "2026-05-03", "entered_at__until": "2026-05-03"}, [3]),
            ({"entered_at__from": "2026-05-05"}, []),
            ({"entered_at__from": "", "entered_at__until": ""}, [2, 3, 4]),
        ],
    )
    def test_a_list_is_filtered_by_days_including_the_last(
        self, chief: Client, sheets: list[ResultSheet], query: dict[str, str], days: list[int]
    ) -> None:
        assert listed(chief, "resultsheet", **query) == [sheets[day - 2] for day in reversed(days)]

    @pytest.mark.both_databases
    def test_the_date_form_keeps_the_other_filters(self, chief: Client, sheets: list[ResultSheet]) -> None:
        query = {"state__exact": "confirmed", "q": "A1", "entered_at__from": "2026-05-04"}
        page = chief.get("/admin/league/resultsheet/", query).content.decode()
        form = page.split('<form method="get" class="days">')[1].split("</form>")[0]
        assert '<input type="hidden" name="state__exact" value="confirmed">' in form
        assert '<input type="hidden" name="q" value="A1">' in form
        assert 'name="entered_at__from" min="1900-01-01" max="2999-12-31" value="2026-05-04"' in form
        assert form.count("entered_at__from") == 1

    @pytest.mark.parametrize("typed", ["yesterday", "0001-01-01", "9999-12-31", "2026-02-30"])
    def test_an_invalid_day_is_rejected_with_a_redirect(self, chief: Client, typed: str) -> None:
        answer = chief.get("/admin/league/change/", {"at__until": typed})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/league/change/?e=1")

    @pytest.mark.both_databases
    def test_the_csv_download_uses_the_same_day_filter(self, chief: Client, sheets: list[ResultSheet]) -> None:
        Change.objects.update(at=dt.datetime(2026, 5, 1, tzinfo=dt.UTC))
        Change.objects.filter(n=sheets[0].entered_n).update(at=dt.datetime(2026, 5, 2, tzinfo=dt.UTC))
        answer = chief.get("/admin/league/change/csv/", {"at__from": "2026-05-02"})
        assert len(b"".join(answer.streaming_content).splitlines()) == 2  # type: ignore[attr-defined]


def test_the_list_of_tables_names_them_in_the_readers_language(chief: Client) -> None:
    factories.table(factories.league().blocks.get(key="A"), table="2卓")
    for language, name in (("en", "Table 2"), ("ja", "2卓")):
        page = chief.get("/admin/league/tablesession/", headers={"accept-language": language})
        assert f'<td class="field-named">{name}</td>' in page.content.decode()


class TestChoices:
    def test_the_block_filter_offers_only_blocks_of_the_chosen_competition(self, chief: Client) -> None:
        season, other = factories.league(), factories.league("other")
        for each in (season, other):
            factories.table(each.blocks.get(key="A"))
        specs = {spec.field_path: spec for spec in chief.get("/admin/league/tablesession/").context["cl"].filter_specs}
        assert {pk for pk, _name in specs["competition"].lookup_choices} == {str(season.pk), str(other.pk)}
        assert len(specs["block"].lookup_choices) == season.blocks.count() + other.blocks.count()
        narrowed = chief.get("/admin/league/tablesession/", {"competition__id__exact": season.pk}).context["cl"]
        specs = {spec.field_path: spec for spec in narrowed.filter_specs}
        assert {pk for pk, _name in specs["block"].lookup_choices} == {
            str(pk) for pk in season.blocks.values_list("pk", flat=True)
        }

    @pytest.mark.both_databases
    def test_a_filter_with_too_many_choices_is_hidden_and_still_works_by_url(
        self, chief: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lists, "OFFERED", 5)
        season = factories.league()
        table = factories.table(season.blocks.get(key="A"))
        factories.table(season.blocks.get(key="B"))
        page = chief.get("/admin/league/tablesession/", {"block__id__exact": table.block_id}).context["cl"]
        offered = {
            spec.field_path: spec.lookup_choices for spec in page.filter_specs if isinstance(spec, lists.RelatedFilter)
        }
        assert offered["block"] == [(str(table.block_id), str(table.block))]
        assert list(page.result_list) == [table]
        page = chief.get("/admin/league/tablesession/").context["cl"]
        assert "block" not in {spec.field_path for spec in page.filter_specs}

    @pytest.mark.both_databases
    def test_filters_select_the_right_rows_when_a_list_is_not_fully_counted(
        self, chief: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        season, other = factories.league(), factories.league("other")
        tables = [factories.table(each.blocks.get(key="A")) for each in (season, other)]
        for table in tables:
            factories.play(table.hanchan.get(round=1))
        monkeypatch.setattr(lists, "COUNTED", 0)
        monkeypatch.setattr(lists.CountedPages, "count", 100)
        chosen = {"hanchan__block__competition__id__exact": season.pk}
        assert listed(chief, "resultsheet", **chosen) == list(
            ResultSheet.objects.filter(hanchan__table_session=tables[0])
        )
        assert listed(chief, "tablesession", competition__id__exact=other.pk) == [tables[1]]
        assert listed(chief, "tablesession", competition__id__exact=other.pk, q="A2") == [tables[1]]

    @pytest.mark.both_databases
    def test_filters_offer_nothing_of_competitions_the_user_does_not_work_for(self, client: Client) -> None:
        season, other = factories.league(), factories.league("other")
        client.force_login(factories.user("director", Role.DIRECTOR, season, is_staff=True))
        page = client.get("/admin/league/standing/", {"block__competition__id__exact": other.pk}).context["cl"]
        assert [spec.lookup_choices for spec in page.filter_specs if getattr(spec, "field_path", "") == "block"] == []


class TestSearch:
    @pytest.fixture
    def table(self) -> TableSession:
        """Return a table of block A with a result; create one of block B without results."""
        season = factories.league()
        table = factories.table(season.blocks.get(key="A"))
        factories.play(table.hanchan.get(round=1))
        factories.table(season.blocks.get(key="B"))
        return table

    @pytest.mark.both_databases
    def test_results_and_their_seats_are_found_by_a_player(self, chief: Client, table: TableSession) -> None:
        (sheet,) = ResultSheet.objects.all()
        assert listed(chief, "resultsheet", q="player a2") == [sheet]
        assert listed(chief, "resultsheet", q="Player B2") == []
        assert listed(chief, "seatresult", q="A2") == [SeatResult.objects.get(entrant__player__name="A2")]
        assert listed(chief, "seatresult", q="nobody") == []

    @pytest.mark.both_databases
    def test_hanchan_and_tables_are_found_by_player_block_or_session(self, chief: Client, table: TableSession) -> None:
        seated = HanchanSeat.objects.filter(entrant__player__name="A2").values("hanchan")
        assert set(listed(chief, "hanchan", q="A2")) == set(Hanchan.objects.filter(pk__in=seated))
        assert listed(chief, "tablesession", q="A2") == [table]
        assert set(listed(chief, "tablesession", q=table.block.name_en)) == {table}
        assert len(listed(chief, "hanchan", q=table.session.name)) == 8

    @pytest.mark.both_databases
    def test_every_search_word_must_occur_in_the_row_or_in_one_name(self, chief: Client, table: TableSession) -> None:
        assert listed(chief, "tablesession", q="Player A2") == [table]
        assert listed(chief, "tablesession", q="A2 B2") == []

    @pytest.mark.both_databases
    @pytest.mark.parametrize("written_out", [0, 1, 1000])
    def test_the_search_finds_the_same_rows_with_few_and_with_many_matching_names(
        self, chief: Client, table: TableSession, monkeypatch: pytest.MonkeyPatch, written_out: int
    ) -> None:
        monkeypatch.setattr(lists, "WRITTEN_OUT", written_out)
        assert len(listed(chief, "seatresult", q="Player")) == 4
        assert len(listed(chief, "tablesession", q="Player")) == 2
        assert listed(chief, "tablesession", q="A2") == [table]

    @pytest.mark.both_databases
    def test_a_sheet_is_found_by_its_own_reason(self, chief: Client, table: TableSession) -> None:
        ResultSheet.objects.update(reason="Slip misread")
        assert listed(chief, "resultsheet", q="misread slip") == list(ResultSheet.objects.all())


class TestACrowd:
    """Tests of typing a player's number where there are too many players for a select."""

    @pytest.fixture
    def hanchan(self, monkeypatch: pytest.MonkeyPatch) -> Hanchan:
        monkeypatch.setattr(entrants, "MOST_IN_A_SELECT", 7)
        return factories.table(factories.league().blocks.get(key="A")).hanchan.get(round=1)

    def test_seats_accept_a_number_or_a_name_with_one_shared_datalist(self, chief: Client, hanchan: Hanchan) -> None:
        people = factories.seated(hanchan)
        address = f"/admin/league/hanchan/{hanchan.pk}/seats/"
        page = chief.get(address).content.decode()
        assert page.count('<datalist id="entrants">') == 1
        assert page.count('list="entrants"') == 4
        assert f'value="{entrants.entrant_label(people[0])}"' in page
        typed = [str(people[3].number), f" {people[2].number} anything", people[1].player.name, "１"]
        assert people[0].number == 1
        answer = chief.post(address, {f"seat_{seat}": text for seat, text in enumerate(typed)})
        assert answer.status_code == 302
        assert factories.seated(hanchan) == people[::-1]

    @pytest.mark.parametrize("typed", ["99", "Player", "-", "9" * 400])
    def test_an_unknown_number_is_rejected_and_stays_in_the_form(
        self, chief: Client, hanchan: Hanchan, typed: str
    ) -> None:
        answer = chief.post(f"/admin/league/hanchan/{hanchan.pk}/seats/", {"seat_0": typed})
        assert answer.status_code == 422
        assert f"There is no player “{typed}” here." in answer.context["form"].errors["seat_0"][0]
        assert f'value="{typed}"' in answer.content.decode()

    def test_a_result_is_entered_by_numbers(self, chief: Client, hanchan: Hanchan) -> None:
        people = factories.seated(hanchan)
        address = f"/admin/league/tablesession/{hanchan.table_session_id}/entry/"
        page = chief.get(address).content.decode()
        assert page.count('<datalist id="entrants">') == 1
        assert f'value="{entrants.entrant_label(people[0])}"' in page
        values = {f"h{hanchan.pk}-entrant_{seat}": str(one.number) for seat, one in enumerate(people)}
        scores = {f"h{hanchan.pk}-score_{seat}": str(score) for seat, score in enumerate((412, 305, 203, 80))}
        answer = chief.post(address, {"hanchan": hanchan.pk, **values, **scores})
        assert answer.status_code == 302, answer.content.decode()
        assert list(ResultSheet.objects.get().seats.order_by("seat").values_list("entrant", flat=True)) == [
            one.pk for one in people
        ]

    def test_an_adjustment_accepts_a_typed_entrant_number(self, chief: Client, hanchan: Hanchan) -> None:
        block, number = hanchan.block, factories.in_block(hanchan.block)[2].number
        answer = chief.post(
            f"/admin/league/block/{block.pk}/adjust/", {"entrant": number, "points": "20", "reason": "Late"}
        )
        assert answer.context["form"].chosen() == factories.in_block(block)[2]


def test_with_too_many_known_players_for_a_list_they_are_entered_by_name_or_key(
    chief: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "MOST_KNOWN", 3)
    made = parlour()
    known = guests(parlour("superbingo"), 4)
    for page in ("enter", "set-up-players"):
        shown = chief.get(f"/admin/league/competition/{made.pk}/{page}/").content.decode()
        assert "<select" not in shown.split('id="content-main"')[1]
        assert known[0].player.key not in shown
    written = "\n".join(one.player.key for one in known)
    assert chief.post(f"/admin/league/competition/{made.pk}/enter/", {"pasted": written}).status_code == 302
    assert set(made.entrants.values_list("player", flat=True)) == {one.player_id for one in known}


def test_an_open_table_has_no_link_to_the_balance_page(chief: Client) -> None:
    made = parlour()
    page = chief.get(f"/admin/league/block/{made.blocks.get().pk}/change/").content.decode()
    assert "/balance/" not in page
    league = factories.league()
    page = chief.get(f"/admin/league/block/{league.blocks.get(key='A').pk}/change/").content.decode()
    assert "/balance/" in page


def test_the_revisions_page_of_a_hanchan_without_result_shows_that_nothing_was_submitted(chief: Client) -> None:
    hanchan = factories.table(factories.league().blocks.get(key="A")).hanchan.get(round=1)
    page = chief.get(f"/admin/league/resultsheet/of-hanchan/{hanchan.pk}/")
    assert page.status_code == 200
    assert "Nothing has been handed in yet." in page.content.decode()
