"""Test the migration that counts the rounds of stored hanchan in their session."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from league.models import Hanchan
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from tests.factories import SYSTEM, final_table

count_in_the_session = import_module("league.migrations.0025_rounds_counted_in_the_session").count_in_the_session

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_rounds_counted_at_each_table_are_counted_in_the_session() -> None:
    final = final_table()
    session = create_session(competition=final, by=SYSTEM)
    for numbers in ((1, 3), (2, 4)):
        create_table_session(session=session, fixture=Fixture(block=final.blocks.get(), numbers=numbers), by=SYSTEM)
    games = Hanchan.objects.filter(table_session__session=session)
    for number, at_table in ((1, 1), (3, 2), (2, 1), (4, 2)):
        games.filter(number=number).update(round=at_table)
    count_in_the_session(apps, None)
    assert dict(games.values_list("number", "round")) == {1: 1, 2: 2, 3: 3, 4: 4}
    count_in_the_session(apps, None)
    assert dict(games.values_list("number", "round")) == {1: 1, 2: 2, 3: 3, 4: 4}
