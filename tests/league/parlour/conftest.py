"""A parlour under Banchi's ruleset that the tests of a module share; modules override `opened` and `seated`."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Competition, Role, Sitting
from tests import factories
from tests.league import parlours
from tests.league.shared import fresh


@pytest.fixture(scope="module")
def opened(shared_rows: None) -> Competition:
    """Open a table for three players under Banchi's ruleset."""
    return parlours.parlour()


@pytest.fixture
def parlour(opened: Competition) -> Competition:
    """Return the open table."""
    return fresh(opened)


@pytest.fixture
def table(seated: Sitting) -> Sitting:
    """Return the sitting with the guests whom the module's fixture `seated` has seated."""
    return fresh(seated)


@pytest.fixture
def clerk(parlour: Competition) -> Client:
    """Return an English client of a scorer at the counter."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("clerk", Role.SCORER, parlour))
    return client


@pytest.fixture
def director(parlour: Competition) -> Client:
    """Return an English client of the parlour's director."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("director", Role.DIRECTOR, parlour))
    return client
