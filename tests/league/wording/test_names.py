"""Test the names of tables, players and other rows in each language."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.models import Announcement, Entrant, HanchanSeat, Player, Role, Session
from league.wording.names import sitter_name, table_name
from tests import factories


@pytest.mark.parametrize(
    ("label", "ja", "en"),
    [
        ("1卓", "1卓", "Table 1"),
        ("Table 12", "12卓", "Table 12"),
        ("１２卓", "12卓", "Table 12"),
        ("A卓", "A卓", "Table A"),
        ("A 卓", "A卓", "Table A"),
    ],
)
def test_a_table_with_a_number_or_letter_has_a_name_in_both_languages(label: str, ja: str, en: str) -> None:
    assert (table_name(label, "ja"), table_name(label, "en")) == (ja, en)


@pytest.mark.django_db
def test_rows_are_named_in_the_readers_language() -> None:
    competition = factories.final_table()
    table = factories.table(competition.blocks.get(), table="1卓")
    rows = [
        competition,
        competition.stages.get(),
        table.session,
        table,
        factories.seated(table.hanchan.get(round=1))[0],
    ]
    notice = Announcement(session=table.session, text="昼休み", text_en="Lunch")
    with translation.override("ja"):
        assert [str(row) for row in (*rows, notice)] == [
            "春リーグ",
            "決勝",
            "第1節",
            "第1節 決勝 1卓",
            "final1",
            "昼休み",
        ]
    with translation.override("en"):
        assert [str(row) for row in (*rows, notice)] == [
            "Spring League", "Final", "Session 1", "Session 1 Final Table 1", "Player final1", "Lunch",
        ]  # fmt: skip


def test_a_row_with_a_single_name_keeps_it_in_every_language() -> None:
    with translation.override("en"):
        assert [str(Session(name="開幕戦")), str(Player(name="山田"))] == ["開幕戦", "山田"]


@pytest.mark.django_db
def test_the_admin_names_linked_rows_in_english_for_english_readers() -> None:
    competition = factories.final_table()
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user(role=Role.DIRECTOR, competition=competition, is_staff=True))
    slot = competition.blocks.get().slots.get(number=1)
    shown = client.get(reverse("admin:league_slot_change", args=[slot.pk])).content.decode()
    assert "Player final1" in shown
    assert "決勝" not in shown


def test_english_readers_are_told_the_short_name_of_a_team_only_if_they_can_read_it() -> None:
    seat = HanchanSeat(
        entrant=Entrant(
            player=Player(pk=1, name="港リベルタス", name_romaji="Minato Libertas", short_name="港", is_team=True)
        ),
        player=Player(pk=2, name="青山 あきら", name_romaji="Aoyama Akira"),
    )
    with translation.override("ja"):
        assert sitter_name(seat) == "青山 あきら (港)"
    with translation.override("en"):
        assert sitter_name(seat) == "Aoyama Akira (Minato Libertas)"
        seat.entrant.player.short_name = "Libertas"
        assert sitter_name(seat) == "Aoyama Akira (Libertas)"


@pytest.mark.parametrize("label", ["放送卓", "第1会場 1卓", "Feature table", "3", ""])
def test_a_table_with_its_own_name_keeps_it(label: str) -> None:
    assert (table_name(label, "ja"), table_name(label, "en")) == (label, label)
