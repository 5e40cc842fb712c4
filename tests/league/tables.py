"""A table followed hand by hand, as tests need it: a device that writes to it through the sheet's own addresses."""

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
from league.services.live.links import make_link
from league.services.live.log import NewEvent, append_events
from league.services.live.results import submit_log
from league.services.standings.publishing import publish_standings
from tests import factories

Json = dict[str, Any]
_ids = count(1)

RIICHI: Json = {"type": "riichi", "seat": 1}
RON: Json = {"type": "ron", "loser": 3, "wins": [{"seat": 1, "value": {"han": 3, "fu": 40}}]}
DEALER_TSUMO: Json = {"type": "tsumo", "win": {"seat": 0, "value": {"limit": "mangan"}}}
DRAW: Json = {"type": "draw", "tenpai": [0, 2]}
BUSTED: Json = {"type": "ron", "loser": 3, "wins": [{"seat": 0, "value": {"yakuman": 2}}]}


def final_table(**plan: Any) -> TableSession:
    """One table of four with four hanchan."""
    return factories.table(factories.final_table(**plan).blocks.get())


def first(table: TableSession) -> Hanchan:
    """The table's first hanchan."""
    return table.hanchan.get(round=1)


def event(kind: str, client_id: str = "", **payload: Any) -> NewEvent:
    """An event with an id of its own."""
    return NewEvent(client_id or f"e{next(_ids)}", kind, payload)


def entered(*entries: Json) -> list[NewEvent]:
    """One event for each entry."""
    return [event("entry", entry=entry) for entry in entries]


def write(hanchan: Hanchan, *events: NewEvent, after: int | None = None, by: Actor = factories.SYSTEM) -> int:
    """Write events on top of what stands; the newest number comes back."""
    newest = hanchan.events.order_by("-sequence").values_list("sequence", flat=True).first() or 0
    return append_events(hanchan=hanchan, events=events, after=newest if after is None else after, by=by)


def begun(table: TableSession) -> Hanchan:
    """The table's first hanchan, started as planned."""
    hanchan = first(table)
    write(hanchan, event("start"))
    return hanchan


def finish(table: TableSession, but: int = 0) -> None:
    """Play the table's hanchan but the last `but` of them, each with other scores."""
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
        """Somebody of the staff."""
        client = Client()
        client.force_login(who)
        return cls(table, client)

    @classmethod
    def of_scorer(cls, table: TableSession) -> Device:
        """Whoever keeps the sheet by a link."""
        made = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=factories.SYSTEM)
        return cls.by_token(table, made.token)

    @classmethod
    def of_player(cls, table: TableSession, entrant: Entrant) -> Device:
        """A player's own phone."""
        made = make_link(table_session=table, kind=TableLink.Kind.PLAYER, entrant=entrant, by=factories.SYSTEM)
        return cls.by_token(table, made.token)

    @classmethod
    def by_token(cls, table: TableSession, token: str) -> Device:
        """Whoever opens a link."""
        device = cls(table)
        device.client.get(f"/t/{token}/")
        return device

    def address(self, name: str) -> str:
        """An address of the sheet's JSON."""
        return f"/tables/{self.table.pk}/sheet/{name}/"

    def get(self, name: str = "state", **query: Any) -> HttpResponse:
        """Read."""
        return self.client.get(self.address(name), query, headers={"Accept-Language": "en"})  # type: ignore[return-value]

    def document(self, **query: Any) -> Json:
        """The table's document."""
        found: Json = json.loads(self.get("state", **query).content)
        return found

    def post(self, name: str, **body: Any) -> HttpResponse:
        """Send a body to an address; where it names no hanchan it is about the first."""
        body = {"hanchan": first(self.table).pk, **body}
        return self.client.post(  # type: ignore[return-value]
            self.address(name), json.dumps(body), content_type="application/json", headers={"Accept-Language": "en"}
        )

    def enter(self, *entries: Json, after: int | None = None, to: str = "events") -> HttpResponse:
        """Enter entries on top of what this device sees."""
        events = [{"client_id": f"d{next(_ids)}", "kind": "entry", "payload": {"entry": entry}} for entry in entries]
        return self.send(*events, after=after, to=to)

    def send(self, *events: Json, after: int | None = None, to: str = "events") -> HttpResponse:
        """Send events on top of what this device sees."""
        seen = self.document(hanchan=first(self.table).pk)["sequence"] if after is None else after
        return self.post(to, after=seen, events=list(events))


def scorer(competition: Competition) -> User:
    """Somebody who may hand in results."""
    return factories.user("scorer", Role.SCORER, competition)


def followed(hanchan: Hanchan, *entries: Json, **submitted: Any) -> ResultSheet:
    """The hanchan begun, played by these entries, and handed in; where the game is not over, its time was up."""
    write(hanchan, event("start"))
    sequence = write(hanchan, *entered(*entries))
    submitted = {"by": factories.SYSTEM, "accept": ["extreme_score"], "ended_by_time": True, **submitted}
    sheet = submit_log(hanchan=hanchan, sequence=sequence, **submitted)
    publish_standings(hanchan.table_session.competition_id)
    return sheet
