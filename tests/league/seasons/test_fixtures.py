"""Fixtures that are pasted: day, time, table and teams of each hanchan."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Block, Competition, Hanchan, Session, TableSession
from league.platform.errors import RuleViolationError
from league.selectors.seasons.pasted_fixtures import planned_fixtures
from league.services.seasons.fixtures import add_fixtures
from tests.factories import SYSTEM, seated
from tests.league.resting_teams import resting_teams

pytestmark = pytest.mark.django_db
PASTED = """\
2027-10-04 19:00, A, 赤, 青, 緑, 黄
2027-10-04 19:00, A, 黄, 赤, 青, 緑
2027-10-11\t19:30\t赤\t青\t緑\t白
"""


@pytest.fixture
def block(db: None) -> Block:
    competition: Competition = resting_teams()
    return competition.blocks.get()


def test_lines_of_one_table_are_its_hanchan_and_days_make_sessions(block: Block) -> None:
    plan = planned_fixtures(block, PASTED)
    assert plan.faults == ()
    assert [(table.table, table.numbers) for table in plan.tables] == [("A", (1, 2)), ("", (3,))]
    assert [count for _team, count in plan.counts] == [3, 3, 3, 2, 1]
    first, second = add_fixtures(block=block, text=PASTED, digest=plan.digest, by=SYSTEM)
    assert Session.objects.filter(competition=block.competition).count() == 2
    one, two = first.hanchan.order_by("number")
    assert [str(team) for team in seated(two)] == ["黄", "赤", "青", "緑"]
    assert [str(team) for team in seated(one)] == ["赤", "青", "緑", "黄"]
    later = planned_fixtures(block, "2027-10-18 19:00, 白, 青, 緑, 黄")
    assert later.tables[0].numbers == (4,)
    assert second.session != first.session


def test_faults_name_their_lines_and_nothing_is_written(block: Block) -> None:
    pasted = "tomorrow, 赤, 青, 緑, 黄\n2027-10-04 19:00, 赤, 青, 緑\n2027-10-04 19:00, 赤, 赤, 緑, 黒"
    with pytest.raises(RuleViolationError) as error:
        add_fixtures(block=block, text=pasted, digest="", by=SYSTEM)
    assert len(error.value.findings) == 3
    twice = "2027-10-04 19:00, A, 赤, 青, 緑, 黄\n2027-10-04 19:00, B, 赤, 青, 緑, 白"
    assert len(planned_fixtures(block, twice).faults) == 3
    often = "\n".join(["2027-10-04 19:00, A, 赤, 青, 緑, 黄"] * 9)
    assert len(planned_fixtures(block, often).faults) == 4
    assert not TableSession.objects.exists()


def test_the_schedule_spreads_fixtures_over_the_sessions_asked_for(chief: Client, block: Block) -> None:
    address = reverse("admin:league_competition_set-up-schedule", args=[block.competition_id])
    page = chief.get(address, follow=True)
    assert "sessions" in page.context["form"].fields
    assert "hanchan" not in page.context["form"].fields
    asked = {**page.context["form"].initial, "sessions": 5, "seed": "a", "tables": ""}
    plan = chief.get(address, asked).context["plan"]
    assert [len(session.tables) for session in plan.sessions] == [2] * 5


def test_later_stages_keep_the_hanchan_a_session_of_the_first(chief: Client, db: None) -> None:
    competition = resting_teams(teams=4, hanchan=24, most=24, final=5)
    address = reverse("admin:league_competition_set-up-schedule", args=[competition.pk])
    initial = chief.get(address, follow=True).context["form"].initial
    assert initial["sessions"] == 6
    plan = chief.get(address, {**initial, "seed": "a", "tables": ""}).context["plan"]
    assert [len(session.tables) for session in plan.sessions] == [4] * 6 + [3, 2]


def test_the_page_shows_the_fixtures_before_it_schedules_them(chief: Client, block: Block) -> None:
    address = reverse("admin:league_block_fixtures", args=[block.pk])
    assert address in chief.get(reverse("admin:league_block_change", args=[block.pk])).content.decode()
    assert chief.post(address, {"text": "tomorrow"}).status_code == 422
    look = chief.post(address, {"text": PASTED})
    assert "The teams do not play equally often yet." in look.content.decode()
    assert not Hanchan.objects.exists()
    assert chief.post(address, {"text": PASTED, "seen": look.context["seen"]}).status_code == 302
    assert Hanchan.objects.filter(block=block).count() == 3
    again = chief.post(address, {"text": PASTED, "seen": look.context["seen"]})
    assert again.status_code == 422
