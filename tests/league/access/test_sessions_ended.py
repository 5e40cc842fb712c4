"""Tests of forms sent after the session has ended: the sign-in page says that nothing was saved."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db
UNSAVED = "Nothing was saved"


@pytest.mark.parametrize("path", ["/admin/league/player/add/", "/p/new/", "/p/somewhere/board/open/"])
def test_a_form_sent_after_the_session_has_ended_is_said_to_be_unsaved(client: Client, path: str) -> None:
    english = {"Accept-Language": "en"}
    asked = client.get(path, follow=True, headers=english)
    assert UNSAVED not in asked.content.decode()
    sent = client.post(path, {"name": "東風 ひかり"}, follow=True, headers=english)
    assert UNSAVED in sent.content.decode()


def test_signing_out_twice_says_nothing_about_saving(client: Client) -> None:
    client.force_login(factories.user("director", is_staff=True))
    client.post("/admin/logout/")
    assert UNSAVED not in client.post("/admin/logout/", follow=True, headers={"Accept-Language": "en"}).content.decode()
