"""Test a director's own pages and API with ids of another competition's rows.

Each form choice, and one of the objects in each URL that names two, is replaced by one of another competition. No
row of the other competition may change, and no row of the director's own may point to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.http import HttpResponse
from django.test import Client

from league.models import Competition, Membership, Role
from tests import factories
from tests.fuzz.examples import ASKED
from tests.fuzz.forms import Form, forms_of
from tests.permissions.addresses import PARAMETER, Route, address, routes
from tests.permissions.table import read_table
from tests.permissions.world import Place, World, rolled_back, signed_in

pytestmark = pytest.mark.django_db

ROUTES = tuple(routes())
SHARED = ("league.player", "league.rulesetrevision", "league.formatrevision", "auth.user", "contenttypes.contenttype")
"""Models whose rows are shared by all competitions."""
EACH = 1 if ASKED else 5
"""The suite tries every n-th id, in the forms of pages that accept one; the long run tries all ids and pages."""
OWN, FOREIGN = "elsewhere", "here"
WRITTEN_TO = re.compile(r'^(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(league_\w+)"')
Row = tuple[str, int]
Written = dict[str, dict[Row, tuple[frozenset[int], tuple[Any, ...]]]]


@pytest.fixture(scope="module")
def director(world: World) -> Client:
    """Return the client of a director of one competition without any role in the other."""
    user = factories.user("only-elsewhere", is_staff=True)
    Membership.objects.create(competition=world.places[OWN].competition, user=user, role=Role.DIRECTOR)
    return signed_in(user)


def owners(key: Row, known: dict[Row, frozenset[int]]) -> frozenset[int]:
    """Return the competitions that a row belongs or points to, directly or indirectly; `known` keeps those of rows."""
    if key not in known:
        row = apps.get_model(key[0])._default_manager.get(pk=key[1])
        if isinstance(row, Competition):
            known[key] = frozenset({row.pk})
        else:
            others = (other for other in pointed_to(row) if other[0] not in SHARED)
            known[key] = frozenset[int]().union(*(owners(other, known) for other in others))
    return known[key]


def pointed_to(row: models.Model) -> Iterator[Row]:
    """Yield the rows that a row has foreign keys to."""
    for field in row._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and (value := getattr(row, field.attname)) is not None:
            yield field.related_model._meta.label_lower, value


def rows_of(tables: Container[str]) -> dict[Row, tuple[Any, ...]]:
    """Return every row of these tables of the league."""
    return {
        (model._meta.label_lower, row[0]): row
        for model in apps.get_app_config("league").get_models()
        if model._meta.db_table in tables
        for row in model._default_manager.order_by().values_list(
            "pk", *(f.attname for f in model._meta.concrete_fields)
        )
    }


@pytest.fixture(scope="module")
def before(director: Client) -> Written:
    """Return every row of the league's tables with its owners, by table; each test restores this state."""
    known: dict[Row, frozenset[int]] = {}
    return {
        table: {key: (owners(key, known), row) for key, row in rows_of({table}).items()}
        for table in connection.introspection.django_table_names()
    }


def touched(before: Written, own: int, tables: set[str]) -> list[str]:
    """Return changed, added or deleted rows of these tables that concern another competition than one's own."""
    after, known = rows_of(tables), dict[Row, frozenset[int]]()
    stood = {key: found for table in tables for key, found in before[table].items()}
    gone = {key: found for key, found in stood.items() if after.get(key) != found[1]}
    there = {key: (owners(key, known), row) for key, row in after.items() if key not in stood or key in gone}
    return sorted({f"{key}: {row}" for each in (gone, there) for key, (whose, row) in each.items() if whose - {own}})


@contextmanager
def written() -> Iterator[set[str]]:
    """Collect the league's tables that are written to."""
    found: set[str] = set()

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        found.update(WRITTEN_TO.findall(sql))
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        yield found


def fault_of(client: Client, world: World, method: str, path: str, data: Any, before: Written) -> str:
    """Send a request, return a description of its forbidden effect or "" if none, and roll back."""
    with rolled_back(client), written() as tables:
        if isinstance(data, dict) or data is None:
            got = client.generic(method, path, json.dumps(data or {}), content_type="application/json")
        else:
            got = client.post(path, dict(data))
        if got.status_code >= 500:
            return f"{method} {path} {data}: {got.status_code}"
        wrong = touched(before, world.places[OWN].competition.pk, tables)
    return f"{method} {path} {data}: {wrong}" if wrong else ""


def numbers_of(place: Place) -> list[int]:
    """Return the ids of a place's rows."""
    return sorted({row.pk for row in place.rows.values() if row is not None})


def fillings(form: Form, foreign: Place) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the form's data with one field after another set to an id of the other competition."""
    stands = {name: (field.values or field.choices or ["1"])[-1] for name, field in form.fields.items()}
    for name, field in form.fields.items():
        if not field.is_file and any(text.isdigit() for text in (*field.choices, *field.values)):
            for number in numbers_of(foreign)[::EACH]:
                if str(number) not in field.choices:
                    yield tuple((stands | {name: str(number)}).items())


def page_of(route: Route, world: World, client: Client) -> tuple[str, HttpResponse] | None:
    """Return the page of one's own competition at this route, or None."""
    with suppress(KeyError, AttributeError), rolled_back(client):
        path = address(route, world, world.places[OWN])
        answer = client.get(path)
        if answer.status_code == 200 and "html" in answer.headers["Content-Type"]:
            return path, answer  # type: ignore[return-value]
    return None


def own_forms(world: World, client: Client) -> Iterator[Form]:
    """Yield every form on the director's own pages once."""
    seen, accesses = set(), read_table().accesses
    for route in ROUTES:
        is_page = not route.name.startswith(("api:", "probe:")) and (ASKED or accesses[route.name].write)
        found = page_of(route, world, client) if is_page else None
        for form in forms_of(found[0], found[1].content.decode()) if found else ():
            if form.method == "post" and form.key not in seen:
                seen.add(form.key)
                yield form


def crossed(route: Route, world: World) -> Iterator[str]:
    """Yield the URL with only its first, then only its other parameters taken from the other competition."""
    with suppress(KeyError, AttributeError):
        own = address(route, world, world.places[OWN]).split("/")[1:]
        foreign = address(route, world, world.places[FOREIGN]).split("/")[1:]
        places = [n for n, part in enumerate(route.pattern.split("/")) if PARAMETER.search(part)]
        for taken in ({places[0]}, set(places[1:])):
            yield "/" + "/".join((foreign if n in taken else own)[n] for n in range(len(own)))


def test_no_form_accepts_an_id_of_another_competition(world: World, director: Client, before: Written) -> None:
    wrong, sent = [], 0
    for form in own_forms(world, director):
        for filled in fillings(form, world.places[FOREIGN]):
            sent += 1
            wrong.append(fault_of(director, world, "POST", form.address, filled, before))
    assert sent > 100
    assert not [each for each in wrong if each]


def test_no_url_with_two_parameters_accepts_one_of_another_competition(
    world: World, director: Client, before: Written
) -> None:
    table = read_table()
    foreign = world.places[FOREIGN].rows
    player = world.places[OWN].rows["entrant"].player_id
    wrong: list[str] = []
    asked = 0
    for route in ROUTES:
        if len(route.parameters) < 2:
            continue
        body = {
            name: str(text).format(slug=OWN, player=player)
            for name, text in table.accesses[route.name].json.items()
            if "{" in text
        }
        for path in crossed(route, world):
            asked += 1
            wrong.extend(fault_of(director, world, method, path, body, before) for method in route.methods)
    assert asked > 20
    assert foreign
    assert not [each for each in wrong if each]
