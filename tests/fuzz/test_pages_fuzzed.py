"""Every address and every form of the admin and the pages, filled with odd values: never a server error.

Addresses come from the resolver, forms from the pages themselves, so no list has to be maintained.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.db.models import F
from django.http import HttpResponse
from django.test import Client, override_settings
from hypothesis import given
from hypothesis import strategies as st

from league.models import Draw
from tests.fuzz.examples import ASKED, odd_texts, tried
from tests.fuzz.forms import Form, forms_of
from tests.permissions.addresses import PARAMETER, Route, address, routes
from tests.permissions.world import World, make_world

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

EACH = 1 if ASKED else 40
"""Step between the tested addresses: every 40th in the suite, all in `make fuzz`."""
LOOKED_AT = 1 if ASKED else 6
"""Step between the pages searched for forms; forms are tried at the same rate as addresses."""
ROLES = ("superuser", "anonymous")
NO_LIMIT = dict.fromkeys(("read", "write", "login", "sign_in", "secret", "search", "file"), 10**9)
PARLOURS = re.compile("sitting|waitingguest|dayclose|tally|days/|board/|guests/")
FILES = (
    b"",
    b"\0",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    "節,卓\n1,1".encode(),
    b"[competition]\n",
    b"{" * 5000,
)


@pytest.fixture(scope="module")
def world(shared_rows: None) -> Iterator[World]:
    """Return a league, a draft, an open table and a user in every role."""
    with override_settings(REQUESTS_PER_MINUTE=NO_LIMIT):
        made = make_world()
        Draw.objects.update(ended_n=F("made_n") + 1)  # a draw of a stage that is not drawn: no service creates one
        yield made


def pages() -> list[Route]:
    """Return every route that is not part of the REST API."""
    return [route for route in routes() if not route.name.startswith(("api:", "probe:"))]


def right(route: Route, world: World) -> str | None:
    """Return the address of an existing page of this route; None if there is none."""
    for place in ("open", "here") if PARLOURS.search(route.pattern) else ("here", "open"):
        with suppress(KeyError, AttributeError):
            return address(route, world, world.places[place])
    return None


@dataclass
class Visitor:
    """A client whose every request is rolled back."""

    client: Client

    def ask(self, method: str, path: str, data: Any = None, **options: Any) -> HttpResponse:
        """Send a request and return the response; exceptions of the service are raised."""
        browser = Client(raise_request_exception=True)
        browser.cookies.load({name: morsel.value for name, morsel in self.client.cookies.items()})
        with transaction.atomic():
            answer: HttpResponse = getattr(browser, method)(path, data, **options)
            if getattr(answer, "streaming", False):
                b"".join(answer)
            transaction.set_rollback(True)
        return answer


def visitor(world: World, role: str) -> Visitor:
    """Return a client in this role."""
    return Visitor(world.roles[role])


def faults(tries: dict[str, Callable[[], None]]) -> str:
    """Run every attempt and return the exceptions in short form, one per line."""
    found = []
    for name, attempt in tries.items():
        cache.clear()
        try:
            attempt()
        except Exception as broken:  # noqa: BLE001 - every exception is a finding
            last = [frame for frame in traceback.extract_tb(broken.__traceback__) if "/league/" in frame.filename]
            where = " <- ".join(f"{frame.filename.rpartition('/league/')[2]}:{frame.lineno}" for frame in last[:-4:-1])
            notes = " ".join(getattr(broken, "__notes__", ()))
            found.append(f"{name}: {type(broken).__name__}: {str(broken)[:200]} [{where}] {notes[:600]}")
    return "\n".join(found)


def was_answered(answer: HttpResponse) -> None:
    """Assert that the response is no server error."""
    assert answer.status_code < 500, answer.content[:300]


def forms_everywhere(world: World, role: str) -> dict[Any, Form]:
    """Return all forms of all pages that this role can open, without duplicates."""
    found: dict[Any, Form] = {}
    client = visitor(world, role)
    for route in pages()[::LOOKED_AT]:
        path = right(route, world)
        answer = client.ask("get", path) if path else HttpResponse(status=404)
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            found |= {form.key: form for form in forms_of(path or "", answer.content.decode())}
    return found


@pytest.mark.both_databases
@pytest.mark.parametrize("role", ROLES)
def test_every_form_accepts_or_refuses_odd_values(world: World, role: str) -> None:
    found = forms_everywhere(world, role)
    assert len(found) > (120 if role == "superuser" else 5) // LOOKED_AT
    client = visitor(world, role)

    def filled(form: Form) -> Callable[[], None]:
        @tried(2)
        @given(st.data())
        def sent(data: st.DataObject) -> None:
            body = data.draw(bodies(form))
            answer = client.ask(form.method if form.method == "post" else "get", form.address, body)
            was_answered(answer)

        return sent

    problems = faults(
        {f"{form.method} {form.address}": filled(form) for form in list(found.values())[:: EACH // LOOKED_AT or 1]}
    )
    assert not problems, problems


@st.composite
def bodies(draw: st.DrawFn, form: Form) -> dict[str, Any]:
    """Draw a body of the form with a few fields omitted, chosen differently or filled with odd values."""
    body: dict[str, Any] = {}
    bad = draw(st.integers(0, 3))
    spoilt = draw(st.lists(st.sampled_from(sorted(form.fields)), min_size=bad, max_size=bad)) if form.fields else []
    for name, asked in form.fields.items():
        if name == "csrfmiddlewaretoken":
            continue
        if asked.is_file and form.method == "post":
            if draw(st.booleans()):
                content = draw(st.sampled_from(FILES) | st.binary(max_size=50))
                body[name] = SimpleUploadedFile(draw(st.sampled_from(("a.csv", "b.xlsx", "c\u202e.png", "d"))), content)
            continue
        value = draw(spoilt_values(asked.choices) if name in spoilt else good_values(asked.values, asked.choices))
        if value is not None:
            body[name] = value
    return body


def spoilt_values(choices: list[str]) -> st.SearchStrategy[Any]:
    """Return a strategy for a missing value, an odd one or several."""
    return odd_texts | st.none() | st.lists(odd_texts | st.sampled_from(choices or [""]), max_size=5)


def good_values(values: list[str], choices: list[str]) -> st.SearchStrategy[Any]:
    """Return a strategy for the present values or the choices; "7" if there are none."""
    stands = st.just(values if len(values) > 1 else values[0]) if values and any(values) else st.just("7")
    return stands if not choices else stands | st.sampled_from(choices) | st.lists(st.sampled_from(choices), max_size=3)


@pytest.mark.both_databases
@pytest.mark.parametrize("role", ROLES)
def test_every_address_responds_to_odd_parameters_and_queries(world: World, role: str) -> None:
    client = visitor(world, role)

    def asked(route: Route) -> Callable[[], None]:
        known = right(route, world)

        @tried(2)
        @given(st.data())
        def sent(data: st.DataObject) -> None:
            path = data.draw(st.sampled_from((known, None)) if route.parameters else st.just(known)) or data.draw(
                paths(route)
            )
            query = data.draw(queries)
            method = data.draw(st.sampled_from(("get", "get", "post")))
            if method == "get":
                was_answered(client.ask("get", f"{path}?{urlencode(query)}"))
            elif "/sheet/" in path:
                was_answered(client.ask("post", path, data.draw(documents), content_type="application/json"))
            else:
                was_answered(client.ask("post", path, data.draw(queries)))

        return sent

    problems = faults({f"{route.name} {route.pattern}": asked(route) for route in list(pages())[::EACH]})
    assert not problems, problems


NAMES = (
    "q", "p", "o", "e", "page", "all", "competition", "player", "block", "session", "after", "before", "until", "lang",
    "hanchan", "hand", "day", "month", "to", "with", "next", "search", "view", "_to_field", "_popup", "id__exact",
    "kind", "seen", "value", "rule", "a", "b", "left", "right", "seed", "rows", "token", "term",
    "competition__id__exact", "app_label", "model_name", "field_name", "year", "table", "sort", "period", "since",
    "winner", "loser", "ruleset",
    "action", "_selected_action", "reason", "name", "file", "confirm", "hand_in", "number", "date", "format", "show",
)  # fmt: skip
queries = st.dictionaries(st.sampled_from(NAMES), odd_texts, max_size=4)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | odd_texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("hanchan", "events", "after", "client_id", "kind", "payload", "entry", "seats", "options", "x")
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=8,
)


@st.composite
def paths(draw: st.DrawFn, route: Route) -> str:
    """Draw a path of the route with odd values as its parameters."""
    filled = PARAMETER.sub(lambda _found: quote(draw(odd_texts), safe=""), route.pattern)
    return "/" + filled.replace("^", "").replace("$", "")
