"""The score sheet of a team league: the first deal announces line-ups, and names the members who are missing."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from league.models import HanchanSeat, LineUp
from league.platform.errors import RuleViolationError
from league.selectors.live.log import log_of
from league.selectors.live.seats import seats_of
from league.selectors.live.setup import setup_document
from league.services.seasons.line_ups import name_line_up, set_line_up_deadline
from tests.factories import SYSTEM, seated
from tests.league.resting_teams import evening, hanchan_of, people_of, resting_teams
from tests.league.tables import event, write

pytestmark = pytest.mark.django_db


def test_the_first_deal_announces_secret_line_ups_and_names_missing_members() -> None:
    one = hanchan_of(evening(resting_teams(ruleset="cinderella")))[0]
    red, *others = seated(one)
    due = timezone.now() + dt.timedelta(hours=1)
    set_line_up_deadline(table=one.table_session, due_at=due, are_secret=True, by=SYSTEM)
    name_line_up(hanchan=one, entrant=red, player=people_of(red)[2], by=SYSTEM)
    setup = setup_document(log_of(one), list(HanchanSeat.objects.filter(hanchan=one).select_related("entrant__player")))
    members = setup["members"]
    assert isinstance(members, list)
    assert [team["id"] for team in members] == [team.pk for team in others]
    assert people_of(red)[2].name not in str(setup)
    for named in ({}, {str(others[0].pk): people_of(red)[0].pk}):
        with pytest.raises(RuleViolationError) as error:
            write(one, event("start", members=named))
        assert error.value.findings[0].code in {"member_missing", "not_a_member"}
    write(one, event("start", members={str(team.pk): people_of(team)[1].pk for team in others}))
    one.refresh_from_db()
    assert [seat.player for seat in seats_of(one)] == [people_of(red)[2], *(people_of(team)[1] for team in others)]
    assert not LineUp.objects.filter(hanchan=one, is_secret=True).exists()
    assert LineUp.objects.standing().filter(hanchan=one).count() == 4
