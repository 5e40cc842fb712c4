"""Test the public page of corrections and decisions: old and new values, reasons, and the embargo."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Role
from league.selectors.results import corrections
from league.services.competitions.schedule import hold_back
from league.services.results.results import void_hanchan
from league.services.results.rulings import adjust_points, override_slot, pass_over, rule_on_tie, take_back
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, final_table, in_block, league, play, play_all, table, user

pytestmark = pytest.mark.django_db
TOMORROW = dt.timedelta(days=1)


@pytest.fixture
def season() -> Competition:
    return league()


def page(competition: Competition, language: str = "en", path: str = "", client: Client | None = None) -> str:
    publish_standings(competition.pk)
    visitor = client or Client(headers={"accept-language": language})
    answer = visitor.get(path or f"/c/{competition.slug}/corrections/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_without_corrections_says_so(season: Competition) -> None:
    assert "Nothing has been corrected." in page(season)


def test_a_corrected_result_is_listed_by_seat_with_reason_and_hanchan(season: Competition) -> None:
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (41200, 31100, 17700, 10000), corrects=1, reason="two slips were mixed up", chonbo=(1, 0, 0, 0))
    text = page(season)
    assert "Player A1: 41,200 → 41,200 (Chonbo 1)" in text
    assert "Player A2: 30,100 → 31,100" in text
    assert "Player A4" not in text
    assert "Reason: two slips were mixed up" in text
    assert f'<a href="/c/spring/hanchan/{hanchan.pk}/">' in text


def test_changed_deposits_are_listed(season: Competition) -> None:
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (40200, 30100, 18700, 10000), kyoutaku=1000, corrects=1, reason="a deposit lay there")
    assert "Deposits left on the table: 0 → 1,000" in page(season)


def test_a_voided_result_is_listed_with_its_scores(season: Competition) -> None:
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="wrong table")
    text = page(season)
    assert "Result taken back" in text
    assert "Player A1: 41,200 → –" in text
    assert "Reason: wrong table" in text


def test_the_page_of_a_hanchan_whose_result_is_taken_back_bears_no_seal(season: Competition) -> None:
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (41200, 31100, 17700, 10000), corrects=1, reason="two slips were mixed up")
    path = f"/c/spring/hanchan/{hanchan.pk}/"
    assert 'class="seal"' in page(season, path=path)
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="wrong table")
    text = page(season, path=path)
    assert 'class="seal"' not in text
    assert "wrong table" in text


def test_adjustments_and_overrides_are_listed_in_the_readers_language(season: Competition) -> None:
    block = season.blocks.get(key="A")
    person = in_block(block)[0]
    adjust_points(block=block, entrant=person, points=-200, by=SYSTEM, reason="遅刻")
    other = in_block(season.blocks.get(key="B"))[7]
    place = season.blocks.get(key="po2").slots.get(number=1)
    override_slot(slot=place, source="ruling", entrant=other, by=SYSTEM, reason="辞退")
    pass_over(block=block, entrant=person, by=SYSTEM, reason="欠場")
    english = page(season)
    assert "Player A1: -20.0 in Block A" in english
    assert "Player A1 does not go on from Block A" in english
    assert ", place 1: " in english
    assert "→ Player B8" in english
    japanese = page(season, "ja")
    assert "A1" in japanese
    assert "▲20.0" in japanese


@pytest.mark.both_databases
def test_a_ruling_is_listed_with_its_order_and_so_is_its_withdrawal() -> None:
    competition = final_table()
    block = competition.blocks.get()
    for number, hanchan in enumerate(table(block).hanchan.order_by("round")):
        play(hanchan, (35000, 35000, 20000 + 100 * number, 10000 - 100 * number), accept={"same_result_twice"})
    publish_standings(competition.pk)
    first, second = in_block(block)[:2]
    ruling = rule_on_tie(competition=competition, scope=block.key, order=[second, first], by=SYSTEM, reason="by lot")
    assert "in this order Player final2, Player final1" in page(competition)
    take_back(decision=ruling, competition=competition, by=SYSTEM, reason="drawn wrongly")
    text = page(competition)
    assert text.index("Ruling taken back") < text.index("Ruling on a tie")


def test_a_correction_at_a_table_under_embargo_is_not_listed(season: Competition) -> None:
    recorded = table(season.blocks.get(key="A"), public_at=timezone.now() + TOMORROW)
    hanchan = recorded.hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (41200, 31100, 17700, 10000), corrects=1, reason="secret")
    assert "Nothing has been corrected." in page(season)


@pytest.mark.both_databases
def test_an_embargo_set_later_hides_a_tables_corrections(season: Competition) -> None:
    shown = table(season.blocks.get(key="A"))
    hanchan = shown.hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (41200, 31100, 17700, 10000), corrects=1, reason="mixed up")
    assert "mixed up" in page(season)
    hold_back(table_session=shown, until=timezone.now() + TOMORROW, by=SYSTEM)
    assert "mixed up" not in page(season)


def test_a_decision_made_and_withdrawn_during_an_embargo_is_listed_after_it(season: Competition) -> None:
    block = season.blocks.get(key="A")
    recorded = table(block, public_at=timezone.now() + TOMORROW)
    play(recorded.hanchan.get(round=1))
    made = adjust_points(block=block, entrant=in_block(block)[0], points=-200, by=SYSTEM, reason="late for it")
    take_back(decision=made, competition=season, by=SYSTEM, reason="was not late")
    assert "late" not in page(season)
    staff = Client(headers={"accept-language": "en"})
    staff.force_login(user(role=Role.READER, competition=season))
    assert "late for it" in page(season, client=staff)
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    assert "late for it" in page(season)
    assert "was not late" in page(season)


@pytest.mark.both_databases
def test_corrections_are_paginated(season: Competition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrections, "PAGE", 2)
    block = season.blocks.get(key="A")
    for place, person in enumerate(in_block(block)[:3], start=1):
        adjust_points(block=block, entrant=person, points=-100 * place, by=SYSTEM, reason=f"reason {place}")
    first = page(season)
    assert ("reason 3" in first, "reason 2" in first, "reason 1" in first) == (True, True, False)
    link = first.split('rel="next" href="')[1].split('"')[0]
    second = page(season, path=link)
    assert "reason 1" in second
    assert 'rel="next"' not in second


def test_the_competition_page_and_a_corrected_hanchan_link_to_the_corrections(season: Competition) -> None:
    made = table(season.blocks.get(key="A"), numbers=(1,))
    play_all(made)
    play(made.hanchan.get(), (41200, 31100, 17700, 10000), corrects=1, reason="mixed up")
    for path in ("/c/spring/", f"/c/spring/hanchan/{made.hanchan.get().pk}/"):
        assert 'href="/c/spring/corrections/"' in page(season, path=path)


def test_an_open_table_has_no_public_corrections_page() -> None:
    league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    assert Client().get("/c/parlour/corrections/").status_code == 404
