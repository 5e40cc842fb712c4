"""Follow a table hand by hand in tests, with a device that writes through the score sheet's own URLs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from league.models import Competition, Entrant, Hanchan, ResultSheet, Role, TableLink, TableSession
from league.selectors.access.actors import Actor
from league.selectors.live.log import newest_sequence
from league.services.live.links import make_link
from league.services.live.log import NewEvent, append_events
from league.services.live.results import submit_log
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.replayed import replayed

Json = dict[str, Any]
_ids = count(1)

RIICHI: Json = {"type": "riichi", "seat": 1}
RON: Json = {"type": "ron", "loser": 3, "wins": [{"seat": 1, "value": {"han": 3, "fu": 40}}]}
DEALER_TSUMO: Json = {"type": "tsumo", "win": {"seat": 0, "value": {"limit": "mangan"}}}
DRAW: Json = {"type": "draw", "tenpai": [0, 2]}
BUSTED: Json = {"type": "ron", "loser": 3, "wins": [{"seat": 0, "value": {"yakuman": 2}}]}


@replayed
def final_table(**plan: Any) -> TableSession:
    """Create a table of four with four hanchan."""
    return factories.table(factories.final_table(**plan).blocks.get())


def first(table: TableSession) -> Hanchan:
    """Return the table's first hanchan."""
    return table.hanchan.get(round=1)


def event(kind: str, client_id: str = "", **payload: Any) -> NewEvent:
    """Build an event with its own client id."""
    return NewEvent(client_id or f"event-{next(_ids)}", kind, payload)


def entered(*entries: Json) -> list[NewEvent]:
    """Return one event for each entry."""
    return [event("entry", entry=entry) for entry in entries]


def write(hanchan: Hanchan, *events: NewEvent, after: int | None = None, by: Actor = factories.SYSTEM) -> int:
    """Append events after the newest one and return the new sequence number."""
    seen = newest_sequence(hanchan) if after is None else after
    return append_events(hanchan=hanchan, events=events, after=seen, by=by)


def begun(table: TableSession) -> Hanchan:
    """Start the table's first hanchan as scheduled."""
    hanchan = first(table)
    write(hanchan, event("start"))
    return hanchan


def finish(table: TableSession, but: int = 0) -> None:
    """Play all of the table's hanchan except the last `but`, each with different scores."""
    rows = list(table.hanchan.order_by("round"))
    for place, hanchan in enumerate(rows[: len(rows) - but]):
        factories.play(hanchan, (41200 - 100 * place, 30100 + 100 * place, 18700, 10000))


@dataclass
class Device:
    """A phone or tablet at the table."""

    table: TableSession
    client: Client = field(default_factory=Client)

    @classmethod
    def of_user(cls, table: TableSession, who: User) -> Device:
        """Return a device with a logged-in user."""
        client = Client()
        client.force_login(who)
        return cls(table, client)

    @classmethod
    def of_scorer(cls, table: TableSession) -> Device:
        """Return a device that opened a scorer's link."""
        made = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=factories.SYSTEM)
        return cls.by_token(table, made.token)

    @classmethod
    def of_player(cls, table: TableSession, entrant: Entrant) -> Device:
        """Return a device that opened a player's link."""
        made = make_link(table_session=table, kind=TableLink.Kind.PLAYER, entrant=entrant, by=factories.SYSTEM)
        return cls.by_token(table, made.token)

    @classmethod
    def by_token(cls, table: TableSession, token: str) -> Device:
        """Return a device that opened the link with this token."""
        device = cls(table)
        device.client.get(f"/t/{token}/")
        return device

    def address(self, name: str) -> str:
        """Return a URL of the sheet's JSON."""
        return f"/tables/{self.table.pk}/sheet/{name}/"

    def get(self, name: str = "state", **query: Any) -> HttpResponse:
        """Send a GET request for the sheet's JSON."""
        return self.client.get(self.address(name), query, headers={"Accept-Language": "en"})  # type: ignore[return-value]

    def document(self, **query: Any) -> Json:
        """Return the table's document."""
        found: Json = json.loads(self.get("state", **query).content)
        return found

    def post(self, name: str, **body: Any) -> HttpResponse:
        """Post a body; without a `hanchan` it applies to the first."""
        body = {"hanchan": first(self.table).pk, **body}
        return self.client.post(  # type: ignore[return-value]
            self.address(name), json.dumps(body), content_type="application/json", headers={"Accept-Language": "en"}
        )

    def enter(self, *entries: Json, after: int | None = None, to: str = "events") -> HttpResponse:
        """Send entries on top of the events that this device has seen."""
        events = [{"client_id": f"d{next(_ids)}", "kind": "entry", "payload": {"entry": entry}} for entry in entries]
        return self.send(*events, after=after, to=to)

    def send(self, *events: Json, after: int | None = None, to: str = "events") -> HttpResponse:
        """Send events on top of those that this device has seen."""
        seen = newest_sequence(first(self.table)) if after is None else after
        return self.post(to, after=seen, events=list(events))


def scorer(competition: Competition) -> User:
    """Create a user with the role of scorer."""
    return factories.user("scorer", Role.SCORER, competition)


def followed(hanchan: Hanchan, *entries: Json, **submitted: Any) -> ResultSheet:
    """Start the hanchan, play these entries and submit it; an unfinished game is ended by time."""
    write(hanchan, event("start"))
    sequence = write(hanchan, *entered(*entries))
    submitted = {"by": factories.SYSTEM, "accept": ["extreme_score"], "ended_by_time": True, **submitted}
    sheet = submit_log(hanchan=hanchan, sequence=sequence, **submitted)
    publish_standings(hanchan.table_session.competition_id)
    return sheet


def code_of(response: HttpResponse) -> str:
    """Return the code of the first error."""
    return str(json.loads(response.content)["errors"][0]["code"])


def phones(table: TableSession) -> list[Device]:
    """Return a device for each player."""
    return [Device.of_player(table, who) for who in factories.seated(first(table))]
