"""What was found by sending odd things, each with the request that found it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "query", ["page=x", "p=x", "all=1&p=-1", "nowhere=1", "id__exact=x", "competition__id__exact=x"]
)
@pytest.mark.parametrize("model", ["change", "organizationchange"])
def test_a_file_of_the_log_with_filters_that_cannot_be_is_no_fault(model: str, query: str) -> None:
    client = Client()
    client.force_login(factories.user(is_staff=True, is_superuser=True), backend="league.sign_in.AccountBackend")
    assert client.get(f"/admin/league/{model}/csv/?{query}").status_code in (200, 302, 400)
