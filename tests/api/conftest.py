"""Fixtures shared by the API tests."""

import pytest
from django.conf import LazySettings

from league.models import Hanchan, TableSession
from league.services.standings.publishing import publish_standings
from tests.league.tables import begun, final_table


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Raise the rate limits so high that no test reaches them."""
    settings.REQUESTS_PER_MINUTE = dict.fromkeys(settings.REQUESTS_PER_MINUTE, 1_000_000)


@pytest.fixture
def table() -> TableSession:
    """Return a table of four with four hanchan."""
    return final_table()


@pytest.fixture
def hanchan(table: TableSession) -> Hanchan:
    """Return the table's first hanchan, begun and shown to the public."""
    found = begun(table)
    publish_standings(table.competition_id)
    return found
