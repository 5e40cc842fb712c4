"""Tests that services reject an entrant or a block of another competition, e.g. after a wrong id in an API request."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from league.models import Adjustment, Competition, Override, Slot, TableSession
from league.platform.errors import ServiceError
from league.services.competitions.schedule import Fixture, create_session, create_table_session, seat_players
from league.services.results.rulings import adjust_points, override_slot, pass_over
from tests.factories import SYSTEM, final_table, in_block, league, table

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


def passed_over(here: Competition, elsewhere: Competition) -> object:
    stranger = in_block(elsewhere.blocks.get(key="A"))[0]
    return pass_over(block=here.blocks.get(), entrant=stranger, by=SYSTEM, reason="a mistake")


@pytest.mark.parametrize("write", [adjusted, put_into_a_slot, passed_over, seated, scheduled_in_a_block])
def test_services_reject_an_entrant_or_block_of_another_competition(
    write: Callable[[Competition, Competition], object],
) -> None:
    here, elsewhere = final_table(), league()
    with pytest.raises(ServiceError) as refused:
        write(here, elsewhere)
    assert refused.value.findings[0].code == "of_another_competition"
    assert not Adjustment.objects.exists()
    assert not Override.objects.exists()
    assert not TableSession.objects.exists()


def test_seat_players_rejects_entrants_of_another_competition() -> None:
    here, elsewhere = final_table(), league()
    hanchan = table(here.blocks.get(), numbers=(1,)).hanchan.get()
    planned = list(hanchan.seats.values_list("entrant", flat=True))
    with pytest.raises(ServiceError) as refused:
        seat_players(hanchan=hanchan, entrants=in_block(elsewhere.blocks.get(key="A"))[:4], by=SYSTEM)
    assert refused.value.findings[0].code == "of_another_competition"
    assert list(hanchan.seats.values_list("entrant", flat=True)) == planned
