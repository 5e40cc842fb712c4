"""Tests of the admin's decision pages, which preview the effect first, and of the revisions of a result."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Adjustment, Competition, Hanchan, Override, ResultSheet, Role
from league.services.standings.publishing import publish_standings
from tests.factories import final_table, in_block, league, play, table, user
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(shared_rows: None) -> Competition:
    """Play the first hanchan of a final."""
    made = final_table()
    play(table(made.blocks.get()).hanchan.get(round=1))
    publish_standings(made.pk)
    return made


@pytest.fixture
def season(played: Competition) -> Competition:
    """Return the final."""
    return fresh(played)


def test_points_are_adjusted_only_after_a_preview_of_their_effect(chief: Client, season: Competition) -> None:
    block = season.blocks.get()
    who = in_block(block)[0]
    typed = {"entrant": who.pk, "points": "-60", "reason": "Left early"}
    address = f"/admin/league/block/{block.pk}/adjust/"
    looked = chief.post(address, typed)
    assert looked.status_code == 200
    (moved, *_others) = [
        row for _block, rows, _others in looked.context["effect"].blocks for row in rows if row.name == "Player final1"
    ]
    assert (moved.rank_before, moved.rank_after) == ("1st", "2nd")
    assert not Adjustment.objects.exists()
    seen = {"seen": looked.context["seen"]}
    other = chief.post(address, {**typed, "points": "-70", **seen})
    assert other.status_code == 200
    assert not Adjustment.objects.exists()
    assert chief.post(address, {**typed, **seen}).status_code == 302
    assert Adjustment.objects.get().points == -600


def test_a_preview_that_became_stale_is_shown_again(chief: Client, season: Competition) -> None:
    block = season.blocks.get()
    typed = {"entrant": in_block(block)[0].pk, "points": "-60", "reason": "Left early"}
    address = f"/admin/league/block/{block.pk}/adjust/"
    seen = chief.post(address, typed).context["seen"]
    play(Hanchan.objects.get(round=2), (30100, 41200, 18700, 10000))
    assert "Something has changed since you looked" in chief.post(address, {**typed, "seen": seen}).content.decode()
    other = chief.post(address, {**typed, "points": "-70", "seen": seen})
    assert "Something has changed since you looked" not in other.content.decode()
    assert not Adjustment.objects.exists()


@pytest.mark.both_databases
def test_the_void_page_previews_the_effect_on_get_and_needs_only_a_reason(chief: Client, season: Competition) -> None:
    hanchan = Hanchan.objects.get(round=1)
    address = f"/admin/league/hanchan/{hanchan.pk}/void/"
    looked = chief.get(address)
    assert looked.context["effect"].blocks
    assert ResultSheet.objects.counting().exists()
    assert chief.post(address, {"reason": "Wrong table", "seen": looked.context["seen"]}).status_code == 302
    assert not ResultSheet.objects.counting().exists()


def test_the_filters_of_a_list_come_before_its_rows_for_the_keyboard(chief: Client, season: Competition) -> None:
    page = chief.get("/admin/league/hanchan/").content.decode()
    assert page.index('id="searchbar"') < page.index('id="changelist-filter"') < page.index('id="changelist-form"')


@pytest.mark.both_databases
def test_two_slots_are_swapped_on_one_page(chief: Client) -> None:
    season = league()
    first, second = season.blocks.get(key="po2").slots.order_by("number")[:2]
    address = f"/admin/league/slot/{first.pk}/swap/"
    assert "Playoff 2, place 2" in chief.get(address).content.decode()
    typed = {"other": second.pk, "reason": "Wrong way round"}
    looked = chief.post(address, typed)
    assert chief.post(address, {**typed, "seen": looked.context["seen"]}).status_code == 302
    assert set(Override.objects.values_list("slot", "source")) == {(first.pk, second.source), (second.pk, first.source)}
    publish_standings(season.pk)
    assert "Playoff 2, place 1 ⇄ Playoff 2, place 2" in chief.get(f"/c/{season.slug}/corrections/").content.decode()


def test_the_revisions_page_marks_changed_values_and_links_to_the_revert_page(
    chief: Client, season: Competition
) -> None:
    hanchan = Hanchan.objects.get(round=1)
    play(hanchan, (40200, 31100, 18700, 10000), corrects=1, reason="Misread slip")
    address = f"/admin/league/resultsheet/of-hanchan/{hanchan.pk}/"
    newest, first = chief.get(address).context["revisions"]
    assert [cell.before for cell in newest.rows[0]] == ["", "41,200", "", "", "+51.2"]
    assert not any(cell.has_changed for row in first.rows for cell in row)
    assert newest.door == "command line"
    shown = chief.get(address).content.decode()
    assert "Misread slip" in shown
    revert = f"/admin/league/resultsheet/{first.sheet.pk}/revert/"
    assert revert in shown
    seen = chief.get(revert).context["seen"]
    assert chief.post(revert, {"reason": "It was right", "seen": seen}).status_code == 302
    assert ResultSheet.objects.counting().get().revision == 3


@pytest.mark.both_databases
def test_a_scorer_can_read_the_revisions_but_not_revert_them(season: Competition) -> None:
    hanchan = Hanchan.objects.get(round=1)
    play(hanchan, (40200, 31100, 18700, 10000), corrects=1, reason="Misread slip")
    client = Client()
    client.force_login(user(role=Role.SCORER, competition=season, is_staff=True))
    assert "/revert/" not in client.get(f"/admin/league/resultsheet/of-hanchan/{hanchan.pk}/").content.decode()
    first = hanchan.sheets.get(revision=1)
    assert client.get(f"/admin/league/resultsheet/{first.pk}/revert/").status_code == 403


def test_staff_of_another_competition_cannot_read_the_revisions(season: Competition) -> None:
    stranger = Client()
    stranger.force_login(user(role=Role.DIRECTOR, competition=league("other"), is_staff=True))
    hanchan = Hanchan.objects.get(round=1)
    assert stranger.get(f"/admin/league/resultsheet/of-hanchan/{hanchan.pk}/").status_code == 403
    assert stranger.get("/admin/league/resultsheet/of-hanchan/999999/").status_code == 404


@pytest.mark.both_databases
def test_admin_pages_contain_no_inline_style_or_script(chief: Client, season: Competition) -> None:
    for path in (
        "",
        "lists/",
        "search/?q=a",
        "demo/",
        "league/tablesession/",
        "league/change/?q=zzz",
        f"league/competition/{season.pk}/change/",
    ):
        shown = chief.get(f"/admin/{path}").content.decode()
        assert "<style" not in shown
        assert " style=" not in shown
        assert "<script>" not in shown
    assert "Nothing fits" in chief.get("/admin/league/change/?q=zzz").content.decode()
