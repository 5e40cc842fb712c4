"""Whoever belongs to another competition is not written into this one, though a program names an id by mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from league.models import Adjustment, Competition, Override, Slot, TableSession
from league.services.errors import ServiceError
from league.services.rulings import adjust_points, override_slot
from league.services.scheduling import Fixture, create_session, create_table_session
from tests.factories import SYSTEM, final_table, in_block, league

pytestmark = pytest.mark.django_db


def adjusted(here: Competition, elsewhere: Competition) -> object:
    stranger = in_block(elsewhere.blocks.get(key="A"))[0]
    return adjust_points(block=here.blocks.get(), entrant=stranger, points=100, by=SYSTEM, reason="a mistake")


def put_into_a_slot(here: Competition, elsewhere: Competition) -> object:
    stranger, slot = in_block(elsewhere.blocks.get(key="A"))[0], Slot.objects.filter(block__competition=here)[0]
    return override_slot(slot=slot, source="ruling", entrant=stranger, by=SYSTEM, reason="a mistake")


def seated(here: Competition, elsewhere: Competition) -> object:
    strangers = tuple(in_block(elsewhere.blocks.get(key="A"))[:4])
    fixture = Fixture(block=here.blocks.get(), numbers=(1,), entrants=strangers)
    return create_table_session(session=create_session(competition=here, by=SYSTEM), fixture=fixture, by=SYSTEM)


def scheduled_in_a_block(here: Competition, elsewhere: Competition) -> object:
    people = tuple(in_block(here.blocks.get())[:4])
    fixture = Fixture(block=elsewhere.blocks.get(key="A"), numbers=(1,), entrants=people)
    return create_table_session(session=create_session(competition=here, by=SYSTEM), fixture=fixture, by=SYSTEM)


@pytest.mark.parametrize("write", [adjusted, put_into_a_slot, seated, scheduled_in_a_block])
def test_nobody_from_elsewhere_is_written_down(write: Callable[[Competition, Competition], object]) -> None:
    here, elsewhere = final_table(), league()
    with pytest.raises(ServiceError) as refused:
        write(here, elsewhere)
    assert refused.value.findings[0].code == "of_another_competition"
    assert not Adjustment.objects.exists()
    assert not Override.objects.exists()
    assert not TableSession.objects.exists()
