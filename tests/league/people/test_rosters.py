"""Test pasted rosters: recognition of columns, matching of rows to known players, and questions."""

from __future__ import annotations

from typing import Any

import pytest

from league.forms.competitions.setup import PastedRosterForm, PlayersField
from league.forms.fields import field_of
from league.models import Competition, Entrant, OrganizationChange, Player
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, ServiceError
from league.selectors.people.rosters import NameReading, RosterRow, Who, matched_roster, name_folded, roster_rows
from league.services.competitions.setup import CompetitionPlan, create_competition, enter_players
from league.services.competitions.wizard import Newcomer, enter_roster
from tests.factories import SYSTEM, actor, user


@pytest.fixture
def season(db: None) -> Competition:
    """Create a draft without entrants."""
    plan = CompetitionPlan(slug="autumn", name="秋リーグ", ruleset="cinderella", league_format="cinderella")
    return create_competition(plan=plan, by=SYSTEM)


def known(name: str, **words: Any) -> Player:
    """Create a player that the service knows already."""
    return Player.objects.create(name=name, key=words.pop("key", f"k-{name_folded(name)}"), **words)


def who(season: Competition, text: str) -> list[Who]:
    return [row.who for row in matched_roster(season, text)]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            "山田 花\tやまだ はな\tYamada Hana\t灯台会",
            RosterRow(1, "山田 花", "やまだ はな", "Yamada Hana", "灯台会"),
        ),
        ("1\t山田 花\t灯台会\tやまだ はな", RosterRow(1, "山田 花", "やまだ はな", "", "灯台会")),
        ("山田　花，やまだ、Yamada", RosterRow(1, "山田 花", "やまだ", "Yamada")),
        ("所属,ローマ字,氏名,ふりがな\n灯台会,Yamada,山田,やまだ", RosterRow(2, "山田", "やまだ", "Yamada", "灯台会")),
        ("No.\t会員番号\tName\tKana\n7\t０１２\tBob\tぼぶ", RosterRow(2, "Bob", "ぼぶ", number="012")),
        ("ＮＡＭＥ\tＫＥＹ\n山田\tdemo-yamada", RosterRow(2, "山田", key="demo-yamada")),
        ("氏名,国・地域,所属\n山田,日本,灯台会", RosterRow(2, "山田", affiliation="灯台会", country="日本")),
        ("春の大会 参加者\n\n2026年4月5日\t16名\n氏名\tよみ\n山田\tやまだ", RosterRow(5, "山田", "やまだ")),
        ('"山田",""', RosterRow(1, "山田")),
        ("やまだ はな", RosterRow(1, "やまだ はな")),
        ("山田\t\t\t灯台会", RosterRow(1, "山田", affiliation="灯台会")),
    ],
)
def test_columns_are_recognized_by_their_heading_or_by_their_content(text: str, row: RosterRow) -> None:
    assert roster_rows(text) == [row]


def test_empty_lines_are_skipped_and_rows_keep_their_line_numbers() -> None:
    assert [(row.line, row.name) for row in roster_rows("\n山田\n\n林\n")] == [(2, "山田"), (4, "林")]
    assert roster_rows("  \n") == []


@pytest.mark.parametrize(
    ("one", "other"), [("髙橋 花", "高橋花"), ("渡邊", "渡辺"), ("山﨑", "山崎"), ("ハナ", "はな")]
)
def test_spelling_variants_of_a_name_fold_to_the_same_text(one: str, other: str) -> None:
    assert name_folded(one) == name_folded(other)


def test_a_full_name_a_key_or_a_member_number_identifies_a_player(season: Competition) -> None:
    hana = known("山田 花", key="demo-hana", number="012")
    for text in ("山田　花", "demo-hana", "会員番号,氏名\n012,山田花", "key\tname\ndemo-hana\t"):
        (row,) = matched_roster(season, text)
        assert (row.who, row.players) == (Who.KNOWN, (hana,)), text


def test_a_member_number_with_a_different_name_raises_a_question(season: Competition) -> None:
    hana = known("山田 花", number="012")
    (row,) = matched_roster(season, "会員番号,氏名\n012,佐藤 次郎")
    assert (row.who, row.players) == (Who.SIMILAR, (hana,))


@pytest.mark.parametrize(
    "text",
    [
        "高橋花子",
        "たかはし はなこ",
        "TAKAHASHI Hanako",
        "髙橋 花\tタカハシ ハナコ",
        "花\t\tHanako Takahashi",
        "髙橋 花江子",
    ],
)
def test_a_name_similar_to_a_known_one_raises_a_question(season: Competition, text: str) -> None:
    hana = known("髙橋 花子", name_kana="たかはし はなこ", name_romaji="Takahashi Hanako")
    (row,) = matched_roster(season, text)
    assert (row.who, row.players) == (Who.SIMILAR, (hana,))


def test_two_known_players_with_the_same_name_raise_a_question(season: Competition) -> None:
    both = (known("林 薫", key="hayashi-1"), known("林 薫", key="hayashi-2"))
    (row,) = matched_roster(season, "林 薫")
    assert (row.who, set(row.players)) == (Who.SIMILAR, set(both))


def test_a_team_called_like_a_person_raises_no_question_and_is_not_offered(season: Competition) -> None:
    person = known("林 薫", key="hayashi")
    team = known("林 薫", key="team-hayashi", is_team=True)
    known("灯台会", key="lighthouse", is_team=True)
    rows = matched_roster(season, "林 薫\n灯台会")
    assert [(row.who, row.players) for row in rows] == [(Who.KNOWN, (person,)), (Who.NEW, ())]
    form = PastedRosterForm({"pasted": "林 薫"}, competition=season)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["pasted"] == [person]
    offered = field_of(form, "known", PlayersField).queryset
    assert offered is not None
    assert (person in offered, team in offered) == (True, False)


def test_duplicates_within_the_paste_are_found_in_any_spelling(season: Competition) -> None:
    known("髙橋 花", key="demo-hana")
    rows = matched_roster(season, "渡邊 薫\n佐藤\n渡辺薫\ndemo-hana\n髙橋 花")
    assert [(row.who, row.double_of) for row in rows[2:]] == [(Who.DOUBLE, 1), (Who.KNOWN, None), (Who.DOUBLE, 4)]


def test_a_player_who_is_already_entered_is_reported(season: Competition) -> None:
    enter_players(competition=season, players=[known("山田")], by=SYSTEM)
    assert who(season, "山田\n林") == [Who.ENTERED, Who.NEW]


def test_a_player_merged_into_another_is_not_suggested(season: Competition) -> None:
    kept = known("花井", key="kept")
    Player.objects.create(name="山田", key="gone", merged_into=kept)
    assert who(season, "山田") == [Who.NEW]


def test_unusable_rows_state_their_fault(season: Competition) -> None:
    rows = matched_roster(season, f"氏名,かな,key\n,やまだ,\n{'長' * 101},,\n林,,nobody-has-it")
    assert [row.who for row in rows] == [Who.FAULTY] * 3
    assert ["no name" in rows[0].fault, "100" in rows[1].fault, "nobody-has-it" in rows[2].fault] == [True] * 3


def test_a_roster_is_entered_in_its_order_and_new_players_are_logged(season: Competition) -> None:
    hana = known("山田 花")
    enter_roster(competition=season, people=[Newcomer(name="林", name_kana="はやし"), hana], by=SYSTEM)
    assert [entrant.player.name for entrant in season.entrants.order_by("number")] == ["林", "山田 花"]
    assert OrganizationChange.objects.filter(kind="player.added").count() == 1
    assert "林" not in str(list(OrganizationChange.objects.values()))


def test_a_refused_roster_writes_nothing(season: Competition) -> None:
    hana, gone = known("山田"), Player.objects.create(name="林", key="gone", merged_into=known("林 薫"))
    before = Player.objects.count()
    refused: list[tuple[list[Player | Newcomer], type[ServiceError]]] = [
        ([Newcomer(name="佐藤"), hana, hana], RuleViolationError),
        ([Newcomer(name="佐藤"), gone], ConflictError),
        ([Newcomer(name="佐藤"), Newcomer(name=" ")], RuleViolationError),
        ([], RuleViolationError),
    ]
    for people, error in refused:
        with pytest.raises(error):
            enter_roster(competition=season, people=people, by=SYSTEM)
    assert (Player.objects.count(), Entrant.objects.count()) == (before, 0)


def test_entering_a_roster_needs_the_right_to_manage_the_competition(season: Competition) -> None:
    with pytest.raises(PermissionRefusedError):
        enter_roster(competition=season, people=[Newcomer(name="佐藤")], by=actor(user()))
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("pasted", "name", "kana", "more"),
    [
        ("渡辺 誠 わたなべまこと", "渡辺 誠", "わたなべまこと", ""),
        ("渡辺　誠　わたなべ　まこと", "渡辺 誠", "わたなべ まこと", ""),
        ("渡辺誠 わたなべ まこと 灯台会", "渡辺誠", "わたなべ まこと", "灯台会"),
        ("渡辺誠 ワタナベマコト チームすずめ", "渡辺誠", "ワタナベマコト チームすずめ", ""),
        ("渡辺誠 わたなべまこと チームすずめ", "渡辺誠", "わたなべまこと", "チームすずめ"),
    ],
)
def test_a_reading_behind_blanks_is_proposed_and_the_whole_cell_offered_as_a_name(
    season: Competition, pasted: str, name: str, kana: str, more: str
) -> None:
    (asked,) = matched_roster(season, pasted, {})
    assert (asked.row.name, asked.row.kana, asked.row.affiliation) == (name, kana, more)
    assert (asked.reading, list(asked.readings)) == (NameReading.SPLIT, [NameReading.SPLIT, NameReading.WHOLE])
    (whole,) = matched_roster(season, pasted, {1: "whole"})
    assert (whole.row.name, whole.row.kana) == (" ".join(pasted.split()), "")
    (unasked,) = matched_roster(season, pasted)
    assert (unasked.row, unasked.readings) == (whole.row, {})


def test_a_short_name_in_kana_is_rather_a_given_name_than_a_reading(season: Competition) -> None:
    (row,) = matched_roster(season, "渡辺 まこと", {})
    assert (row.row.name, row.reading) == ("渡辺 まこと", NameReading.WHOLE)
    (chosen,) = matched_roster(season, "渡辺 まこと", {1: "split"})
    assert (chosen.row.name, chosen.row.kana) == ("渡辺", "まこと")


def test_roman_letters_and_a_number_are_parts_too(season: Competition) -> None:
    (row,) = matched_roster(season, "渡辺 誠 Watanabe Makoto A-12", {})
    assert (row.row.name, row.row.romaji, row.row.number) == ("渡辺 誠", "Watanabe Makoto", "A-12")


def test_names_and_cells_with_a_reading_of_their_own_raise_no_question(season: Competition) -> None:
    text = "渡辺 まこと\tわたなべ まこと\nやまだ はな\tやまだ はな\nJane Doe\tじぇーん"
    assert not any(row.readings for row in matched_roster(season, text, {}))


def test_a_known_player_with_this_whole_name_is_found_without_splitting_it(season: Competition) -> None:
    makoto = known("渡辺 まこりん たろう")
    (row,) = matched_roster(season, "渡辺 まこりん たろう", {})
    assert (row.players, row.reading) == ((makoto,), NameReading.WHOLE)
