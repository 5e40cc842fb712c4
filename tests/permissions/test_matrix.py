"""Test every URL against the permission table: what it allows a role works, everything else is refused.

A request is one cell of the matrix. Its response is of one of a few kinds; the expected kind follows from
`access.toml` alone. A refused request has written nothing, not even temporarily. All requests of a role are one
test, which reports every failure at once. The suite tries a rule in the roles that it tells apart (`is_tried`), `make
fuzz` in every role.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from tests.fuzz.examples import ASKED
from tests.permissions.addresses import Route, address, routes
from tests.permissions.table import DESK, PUBLIC, SENT_LINKS, WITH_ACCOUNT, Access, read_table
from tests.permissions.world import STAFF, Place, World, rolled_back

pytestmark = pytest.mark.django_db

TABLE = read_table()
ROUTES = tuple(routes())
ROLES = (
    "anonymous", *WITH_ACCOUNT, *DESK, "code not typed", "scorer's link", "player's link", "link to another table",
    *TABLE.tokens, *SENT_LINKS,
)  # fmt: skip
IN_A_PARLOUR = (
    "/p/<", "/parlours/<", "/board/", "waitingguest", "dayclose", "sitting/", "tally", "statement/", "payment/",
    "tillclose/",
)  # fmt: skip
AT_A_TABLE = ("hanchan/", "tables/", "table-sessions/", "tablesession/")
ONLY_AT_A_TABLE = ("player's link", "link to another table", "player's link sent", "other link sent")
"""A scorer's link is tried at every address, these at the addresses of a table alone."""
ONE_TOKEN = "broadcast token"
"""The token that tries the pages, which read none."""
TOKENS_OF_ONE = (ONE_TOKEN, "token to submit")
"""The tokens of one competition, with the fewest rights first."""
NOT_AT_THE_DESK = ("code not typed", "scorer's link", *ONLY_AT_A_TABLE, *TABLE.tokens)
"""The admin refuses these before it looks for a page, like anonymous clients: only its start page is tried."""
MAY_DO_MORE_THAN_READ = DESK[DESK.index("reader") + 1 :]
TRY_WHAT_ALL_MAY = ("anonymous", "superuser", ONE_TOKEN)
CLOSES_CONNECTIONS = frozenset({"probe:/health/ready"})
"""Routes that would end the transaction of these tests; tests/league/web/test_probes.py covers them."""
WRITTEN_TO = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"(?! SET "used_at")')
ABOUT_VISITS = frozenset({"django_session", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog"})
"""Tables about visits, written for any request; also, the time of a token's last use."""


LEADS_TO_THE_DESK = ("admin:login", "admin:desk_demo")
"""Pages of the admin that redirect to its start page after their action."""


def test_every_url_is_in_the_permission_table() -> None:
    known = {route.name for route in ROUTES}
    assert not known - set(TABLE.accesses), "a new page needs its permissions in tests/permissions/access.toml"
    assert not set(TABLE.accesses) - known, "the table names URLs that no longer exist"


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_do_exactly_what_the_table_allows(world: World, role: str) -> None:
    wrong = []
    for method, route, access, place in requests_of(role):
        with rolled_back(world.roles[role]) as client, noted() as written:
            answer = ask(client, method, route, access, world, world.places[place])
        if fault := fault_of(answer, method, route, access, role, place):
            wrong.append(f"{method} {route.name} ({place}): {fault}")
        if written and not may(method, route, access, role, place):
            wrong.append(f"{method} {route.name} ({place}): {told(answer)}, and wrote to {sorted(written)}")
    assert not wrong, "\n".join([f"{role}:", *wrong])


def test_admin_lists_show_no_rows_of_other_competitions(world: World) -> None:
    told = []
    for route in ROUTES:
        if not route.name.endswith("_changelist") or TABLE.accesses[f"{route.name[:-10]}change"].read != "read":
            continue
        place = world.places[places_of(route, TABLE.accesses[route.name])[0]]
        row = place.rows[route.name.rsplit("_", 2)[-2]]
        with rolled_back(world.roles["scorer of another"]) as client:
            page = client.get(address(route, world, place)).content.decode()
        with rolled_back(world.roles["reader"]) as client:
            own = client.get(address(route, world, place)).content.decode()
        link = f"/{row.pk}/change/"
        assert link in own, f"{route.name} shows its own staff nothing"
        if link in page:
            told.append(route.name)
    assert not told


def requests_of(role: str) -> Iterator[tuple[str, Route, Access, str]]:
    """Yield the requests to send in a role: the method, the route with its rules, and the place."""
    for route in ROUTES:
        access = TABLE.accesses[route.name]
        if route.name in CLOSES_CONNECTIONS or (role in SENT_LINKS and not route.name.startswith("api:")):
            continue
        for place in places_of(route, access):
            for method in ("GET", *writing(route, access)):
                if ASKED or is_tried(method, route, access, role, place):
                    yield method, route, access, place


def is_tried(method: str, route: Route, access: Access, role: str, place: str) -> bool:
    """Return whether the suite sends a request in this role, or the same rule is tried in another.

    1. Links, in a session or a header, are tried at the addresses of a table, and one of each kind at all others, as
       most addresses refuse even a valid link.
    2. What all roles may do is tried by an anonymous client, by a superuser and in REST by a token; what none may do,
       and a method that an address does not offer, by the superuser, who has every right.
    3. What one role at the desk may do, those with more rights may do as well; the superuser tries it again.
    4. What one of them may not do, those with fewer rights may not either; staff of another competition try it again.
       The same is true of two tokens of one competition.
    5. A captain is tried in the league of teams alone: elsewhere it is an account without rights, like the player's.
    6. A method that an address does not offer is tried in one place. The staff's rights besides reading are tried
       there and in public places: drafts and embargoes hide rows from people outside the staff alone.
    """
    by_rest = route.name.startswith("api:")
    rule = access.read if method == "GET" else access.write
    is_first = place == places_of(route, access)[0]
    if (
        (role in NOT_AT_THE_DESK and route.name.startswith("admin:") and route.name != "admin:index")
        or (role in ONLY_AT_A_TABLE and not any(word in route.pattern for word in AT_A_TABLE))
        or (role in TABLE.tokens and not by_rest and role != ONE_TOKEN)
        or (role == "captain" and place != "teams")
        or (not rule and not is_first)
    ):
        return False
    if role in SENT_LINKS:
        return True
    if is_alike(rule, place, by_rest=by_rest):
        is_allowed = TABLE.may(rule, role, place, by_rest=by_rest)
        return role in (TRY_WHAT_ALL_MAY if is_allowed else ("superuser",)) and (by_rest or role != ONE_TOKEN)
    if role in MAY_DO_MORE_THAN_READ and not (is_first or place in PUBLIC):
        return False
    among = DESK if role in STAFF else TOKENS_OF_ONE if role in TOKENS_OF_ONE else ()
    given = {name: TABLE.given(name, place, by_rest=by_rest) for name in among}
    may = {name: TABLE.may(rule, name, place, by_rest=by_rest) for name in among}
    nearer = (name for name in among if (given[name] < given[role] if may[role] else given[name] > given[role]))
    return not any(may[name] == may[role] for name in nearer)


@functools.cache
def is_alike(rule: str, place: str, *, by_rest: bool) -> bool:
    """Return whether a rule decides alike for all roles in a place, such as for a page that is public there."""
    return len({TABLE.may(rule, role, place, by_rest=by_rest) for role in ROLES}) == 1


def places_of(route: Route, access: Access) -> tuple[str, ...]:
    """Return the places to try: a competition, a draft, a table under embargo, a parlour."""
    if access.places:
        return access.places
    if any(word in f"/{route.pattern}" for word in IN_A_PARLOUR):
        return ("open",)
    if route.name.startswith("admin:") or not (route.parameters or "{slug}" in access.query):
        return ("here",)
    if {access.read, access.write} <= {"anyone", "secret", "account", "no_one", ""}:
        return ("here",)
    is_of_table = route.parameters and any(word in route.pattern for word in AT_A_TABLE)
    return ("here", "draft", "held") if is_of_table else ("here", "draft")


def writing(route: Route, access: Access) -> tuple[str, ...]:
    """Return the methods to try besides GET; read-only pages of Django's admin treat POST like GET."""
    if route.name.startswith("admin:") and not access.write:
        return ()
    return route.methods


def ask(client: Client, method: str, route: Route, access: Access, world: World, place: Place) -> HttpResponse:
    """Send the request."""
    path = address(route, world, place)
    if method == "GET":
        query = f"?{filled(access.query, place)}" if access.query else ""
        return client.get(path + query)  # type: ignore[return-value]
    if route.name.startswith("api:") or "/sheet/" in route.pattern:
        body = json.dumps({key: filled(value, place) for key, value in access.json.items()})
        return client.generic(method, path, body, content_type="application/json")  # type: ignore[return-value]
    query = f"?{filled(access.query, place)}" if access.query else ""
    return client.post(path + query, {key: filled(text, place) for key, text in access.body.items()})  # type: ignore[return-value]


def filled(text: Any, place: Place) -> Any:
    """Fill a text of the table with the slug and ids of a place; other values stay as they are."""
    if not isinstance(text, str):
        return text
    rows = {name: row.pk for name, row in place.rows.items() if row is not None}
    return text.format(slug=place.competition.slug, **rows)


@contextmanager
def noted() -> Iterator[set[str]]:
    """Collect the tables that are written to."""
    written: set[str] = set()

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        written.update({found[1] for found in WRITTEN_TO.finditer(sql)} - ABOUT_VISITS)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield written


def may(method: str, route: Route, access: Access, role: str, place: str) -> bool:
    """Return whether the table allows a request."""
    rule = access.read if method == "GET" else access.write
    if role in SENT_LINKS and route.name not in TABLE.accepts_links:
        return False
    return TABLE.may(rule, role, place, by_rest=route.name.startswith("api:"))


def fault_of(answer: HttpResponse, method: str, route: Route, access: Access, role: str, place: str) -> str:
    """Return the fault of a response, or "" if it is of the expected kind."""
    by_rest = route.name.startswith("api:")
    rule = access.read if method == "GET" else access.write
    kind = kind_of(answer)
    if kind == "elsewhere" and (not route.name.startswith("admin:") or route.name in LEADS_TO_THE_DESK):
        kind = "allowed"  # a redirect to the admin's start page
    if kind == "fault":
        return f"a fault: {answer.status_code}"
    if may(method, route, access, role, place):
        return "" if kind in ("allowed", "none" if access.vague else "") else f"may ({rule}), but got {told(answer)}"
    if kind not in refusals(route, role, by_rest=by_rest, offered=bool(rule)):
        return f"may not ({rule or 'no such method'}), but got {told(answer)}"
    is_hidden = place not in PUBLIC and "read" not in TABLE.given(role, place, by_rest=by_rest)
    if is_hidden and kind == "forbidden" and not route.name.startswith("admin:"):
        return f"learns that there is something: {told(answer)}"
    return ""


def kind_of(answer: HttpResponse) -> str:
    """Return the kind of a response."""
    to = answer.headers.get("Location", "").split("?")[0]
    if answer.status_code == 302 and to in ("/login/", "/admin/login/"):
        return "sign in"
    if answer.status_code == 302 and to == "/admin/":
        return "elsewhere"
    if answer.status_code >= 500:
        return "fault"
    return {401: "sign in", 403: "forbidden", 404: "none", 405: "not offered"}.get(answer.status_code, "allowed")


def refusals(route: Route, role: str, *, by_rest: bool, offered: bool) -> set[str]:
    """Return the kinds of responses that refuse a role at this route."""
    is_desk = route.name.startswith("admin:")
    is_known = role in DESK or (role in WITH_ACCOUNT and not is_desk) or (by_rest and role in TABLE.tokens)
    asks = {"sign in"} if not is_known or route.name in ("pages:second_step", "api:logout") else set()
    elsewhere = {"elsewhere"} if is_desk else set()
    return {"forbidden", "none"} | asks | elsewhere | ({"not offered"} if not offered else set())


def told(answer: HttpResponse) -> str:
    """Return a response's status and redirect target."""
    to: Any = answer.headers.get("Location", "")
    return f"{answer.status_code} {to}".strip()
