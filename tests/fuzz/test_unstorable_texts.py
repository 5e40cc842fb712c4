"""Texts that a database cannot store (NUL, lone surrogates) are refused at every entry point, on every database."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from league.models import Role
from league.platform.errors import RuleViolationError
from league.platform.storable import unstorable_places
from league.services.results.results import void_hanchan
from league.services.results.rulings import adjust_points
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/?q=%00", "/players/?q=a%00b", "/admin/r/1/%00/", "/p/x/days/%00/", "/?%00=1"])
def test_an_address_with_a_nul_gives_an_error_page(address: str) -> None:
    client = Client()
    client.force_login(factories.user(is_staff=True, is_superuser=True), backend="league.web.sign_in.AccountBackend")
    answer = client.get(address, headers={"Accept-Language": "en"})
    assert answer.status_code == 400
    assert "This address cannot be understood." in answer.content.decode()


def test_a_form_with_a_nul_in_any_field_is_refused() -> None:
    assert Client().post("/login/", {"username": "a", "password": "b", "next": "/\0"}).status_code == 400


def test_a_cookie_with_a_nul_is_ignored() -> None:
    factories.final_table()
    client = Client()
    client.cookies["sessionid"] = "0123456789\0abcdef"
    client.cookies["until-final"] = "1\0"
    assert client.get("/c/final/").status_code == 200


def test_the_api_reports_the_pointer_of_each_unstorable_value() -> None:
    competition = factories.final_table()
    director = Api(factories.user(role=Role.DIRECTOR, competition=competition))
    hanchan = factories.table(competition.blocks.get(), numbers=(1,)).hanchan.get()
    body = '{"reason": "\\u0000", "options": {"a~/\\ud800": 1, "x": 1e999}}'
    answer = director.change(f"hanchan/{hanchan.pk}/void/", body)
    assert answer.status_code == 400
    named = {(each["code"], each["pointer"]) for each in json.loads(answer.content)["errors"]}
    assert ("unstorable_text", "/reason") in named
    assert len(named) == 3


def test_every_unstorable_value_in_a_document_is_found() -> None:
    document = {"a": ["\0", "fine", {"b\ud800": 1}], "c": float("inf"), "d": 10**400}
    assert sorted(unstorable_places(document)) == ["/a/0", "/a/2/b\ud800", "/c"]


def test_deep_nesting_causes_no_recursion_error() -> None:
    nested: object = "\0"
    for _level in range(50_000):
        nested = [nested]
    assert len(list(unstorable_places(nested))) == 1


@pytest.mark.parametrize("reason", ["\0", "wrong\ud800seat"])
def test_an_unstorable_reason_is_refused_by_the_service(reason: str) -> None:
    competition = factories.final_table()
    block = competition.blocks.get()
    hanchan = factories.table(block, numbers=(1,)).hanchan.get()
    factories.play(hanchan)
    with pytest.raises(RuleViolationError):
        void_hanchan(hanchan=hanchan, by=factories.SYSTEM, reason=reason)
    with pytest.raises(RuleViolationError):
        adjust_points(block=block, entrant=factories.in_block(block)[0], points=1, by=factories.SYSTEM, reason=reason)
