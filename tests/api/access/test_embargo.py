"""The embargo leaks nowhere: every GET address is compared before and after, as an anonymous client."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from league.api.exchange.views import KINDS
from league.models import Competition, Entrant, Hanchan, Player, Role, Session, Stage, TableSession
from league.services.competitions.schedule import Fixture, create_session, create_table_session, hold_back
from league.services.competitions.setup import new_player
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from league.services.results.rulings import adjust_points
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api, document

pytestmark = pytest.mark.django_db

MODELS: Mapping[str, type[Model]] = {
    "stages": Stage,
    "sessions": Session,
    "table-sessions": TableSession,
    "hanchan": Hanchan,
    "players": Player,
}
QUERIES: Mapping[str, tuple[str, ...]] = {
    "/api/v1/rankings/{slug}/players/{key}/what-if/": ("rival=a&players=8",),
    **{
        f"/api/v1/{name}/": ("", "updated_since=2026-01-01T00:00:00Z")
        for name in ("competitions", "sessions", "stages")
    },
    "/api/v1/hanchan/": (
        "",
        "updated_since=2026-01-01T00:00:00Z",
        "block=A",
        "session=1",
        "session=2",
        "number=4",
        "state=finished",
    ),
    "/api/v1/table-sessions/": ("", "updated_since=2026-01-01T00:00:00Z", "block=A", "session=1", "session=2"),
    "/api/v1/standings/": ("", "stage=preliminary", "block=A", "format=csv"),
    "/api/v1/players/": ("", "search=Hidden", "updated_since=2026-01-01T00:00:00Z"),
    "/api/v1/comparisons/": ("scores=40000,30000,20000,10000",),
}
NEEDS_COMPETITION = ("stages", "standings", "sessions", "table-sessions", "hanchan", "ranking")


class Walk:
    """Every GET address of the OpenAPI document, with every id a row has now or will have soon."""

    def __init__(self) -> None:
        self.ids = {segment: list(ids_of(model)) for segment, model in MODELS.items()}
        self.addresses = list(self.walked())

    def walked(self) -> Iterator[str]:
        """Yield each address."""
        for template, operations in document()["paths"].items():
            if "get" in operations:
                names = [part["name"] for part in operations["get"].get("parameters", ()) if part["in"] == "path"]
                for values in product(*(self.values_of(template, name) for name in names)):
                    path = template.format(**dict(zip(names, values, strict=True)))
                    yield from with_queries(template, path)

    def values_of(self, template: str, name: str) -> list[Any]:
        """Return the values to try for one path parameter."""
        if name == "id":
            return self.ids.get(template.split("/")[3], ["CL-022"])
        others: dict[str, list[Any]] = {"slug": ["spring"], "key": ["A"], "name": ["cinderella"], "revision": [1, 2]}
        others |= {"ranking_table": ["ranking", "terms"], "term_table": ["moves", "tables"], "kind": list(KINDS)}
        return others.get(name, [1])

    def everything(self, api: Api) -> dict[str, tuple[int, str, bytes]]:
        """Return status, ETag and body of every address."""
        return {address: answer(api, address) for address in self.addresses}


def ids_of(model: type[Model]) -> Iterator[int]:
    """Yield the ids of all rows, and the next five."""
    taken = sorted(model._default_manager.values_list("pk", flat=True))
    yield from taken
    yield from range(taken[-1] + 1, taken[-1] + 6)


def answer(api: Api, address: str) -> tuple[int, str, bytes]:
    """Return status, ETag and (for a 200) the body of the response at an address."""
    response = api.client.get(address, headers=api.headers)
    whole = b"".join(response)
    assert response.status_code in (200, 401, 404), f"{address}: {whole.decode()}"
    body = whole if response.status_code == 200 else b""
    return response.status_code, response.headers.get("ETag", ""), body


def with_queries(template: str, path: str) -> Iterator[str]:
    """Yield the path with each query string to test."""
    needed = "competition=spring" if template.strip("/").split("/")[-1] in NEEDS_COMPETITION else ""
    for query in QUERIES.get(template, ("",)):
        joined = "&".join(filter(None, (needed, query)))
        yield f"{path}?{joined}" if joined else path


@pytest.fixture
def competition() -> Competition:
    made = factories.league()
    shown = factories.table(made.blocks.get(key="A"), numbers=(1, 2))
    create_session(competition=made, by=factories.SYSTEM, name="Hidden Day")
    for hanchan, scores in zip(shown.hanchan.all(), (factories.SCORES, factories.SCORES[::-1]), strict=True):
        factories.play(hanchan, scores)
    publish_standings(made.pk)
    return made


@pytest.fixture
def stand_in() -> Player:
    return new_player(name="Hidden Stand-In", by=factories.SYSTEM)


def held_back(competition: Competition) -> TableSession:
    """Create a table session under embargo, with two hanchan, in a separate session."""
    session = competition.sessions.get(number=2)
    block = competition.blocks.get(key="A")
    fixture = Fixture(
        block=block,
        numbers=(3, 4),
        entrants=tuple(factories.in_block(block)[:4]),
        venue="Hidden Hall",
        public_at=timezone.now() + dt.timedelta(days=1),
    )
    return create_table_session(session=session, fixture=fixture, by=factories.SYSTEM)


def play_hidden(hanchan: Hanchan, stand_in: Player) -> None:
    """Record a result that is easy to recognize, with a substitute in the first seat."""
    people: list[Entrant] = factories.seated(hanchan)
    players = [stand_in.pk, *(who.player_id for who in people[1:])]
    seats = zip(people, players, (-7700, 41700, 33000, 33000), strict=True)
    entry = SheetEntry(seats=tuple(SeatEntry(who.pk, player, score) for who, player, score in seats))
    accept = {"not_as_scheduled", "same_result_twice"}
    record_result(hanchan=hanchan, entry=entry, by=factories.SYSTEM, accept=accept)


def test_no_address_reveals_a_table_under_embargo(competition: Competition, stand_in: Player) -> None:
    visitor = Api()
    walk = Walk()
    before = walk.everything(visitor)
    assert sum(status == 200 for status, _tag, _body in before.values()) > 20
    table = held_back(competition)
    publish_standings(competition.pk)
    assert walk.everything(visitor) == before, "a response reveals that the table was scheduled"
    for hanchan in table.hanchan.all():
        play_hidden(hanchan, stand_in)
    publish_standings(competition.pk)
    assert walk.everything(visitor) == before, "a response reveals the result"
    block = competition.blocks.get(key="A")
    who = factories.in_block(block)[0]
    adjust_points(block=block, entrant=who, points=-400, by=factories.SYSTEM, reason="Hidden fault.")
    publish_standings(competition.pk)
    after = walk.everything(visitor)
    assert after == before, "a response reveals an adjustment after the result"
    assert not any(b"Hidden" in body for _status, _tag, body in after.values())


def test_staff_of_another_competition_see_only_public_data(competition: Competition, stand_in: Player) -> None:
    other = factories.league("other")
    stranger = Api(factories.user("stranger", Role.DIRECTOR, other))
    paths = (f"/api/v1/{path}" for path in ("competitions/spring/bracket/", "hanchan/?competition=spring"))
    before = {path: stranger.client.get(path, headers=stranger.headers).content for path in paths}
    play_hidden(held_back(competition).hanchan.get(number=3), stand_in)
    publish_standings(competition.pk)
    for path, body in before.items():
        assert stranger.client.get(path, headers=stranger.headers).content == body


@pytest.mark.both_databases
def test_staff_see_embargoed_tables_and_results(competition: Competition, stand_in: Player) -> None:
    reader = Api(factories.user("reader", Role.READER, competition))
    table = held_back(competition)
    play_hidden(table.hanchan.get(number=3), stand_in)
    publish_standings(competition.pk)
    assert reader.get(f"table-sessions/{table.pk}/")["venue"] == "Hidden Hall"
    [hanchan] = reader.get("hanchan/", competition="spring", number=3)["results"]
    assert hanchan["seats"][0]["player_name"] == "Hidden Stand-In"
    assert len(reader.get("sessions/", competition="spring")["results"]) == 2


@pytest.mark.both_databases
def test_a_released_table_appears_at_every_address(competition: Competition, stand_in: Player) -> None:
    table = held_back(competition)
    play_hidden(table.hanchan.get(number=3), stand_in)
    publish_standings(competition.pk)
    visitor = Api()
    hanchan = table.hanchan.get(number=3)
    addresses = (
        "competitions/spring/bracket/",
        "standings/?competition=spring",
        "hanchan/?competition=spring",
        f"hanchan/{hanchan.pk}/",
        f"table-sessions/{table.pk}/",
        f"sessions/{table.session_id}/",
    )
    before = {f"/api/v1/{address}": answer(visitor, f"/api/v1/{address}") for address in addresses}
    hold_back(table_session=table, until=None, by=factories.SYSTEM)
    publish_standings(competition.pk)
    after = Walk().everything(visitor)
    assert not [address for address, was in before.items() if after[address] == was]
    assert visitor.get(f"hanchan/{hanchan.pk}/")["seats"][0]["score"] == -7700
