"""Provide a table for the tests of live games."""

import pytest

from league.models import TableSession
from tests.league.tables import final_table


@pytest.fixture
def table() -> TableSession:
    """Return a table of four with four hanchan."""
    return final_table()
