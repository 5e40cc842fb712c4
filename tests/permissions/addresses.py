"""List all URLs by name and fill their parameters from a place of the test world."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from league.web.access.guest_links import guest_token
from league.web.middleware.probes import PROBES
from tests.permissions.world import Place, World

PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
WHOLE = {
    "admin:app_list": "admin/axes/",
    "admin:anything-else": "admin/nowhere/",
    "api:missing": "api/v1/nowhere/",
}
"""URLs of routes whose patterns are regular expressions."""
OF_WORD = {
    "blocks": "block",
    "entrants": "entrant",
    "teams": "entrant",
    "memberships": "competition",
    "staff": "membership",
    "invitations": "invitation",
    "books": "competition",
    "players": "player",
    "members": "player",
    "guests": "player",
    "people": "player",
    "announcements": "announcement",
    "tables": "tablesession",
    "table": "tablesession",
    "overlay": "tablesession",
    "stages": "stage",
    "sessions": "session",
    "table-sessions": "tablesession",
    "sittings": "sitting",
    "waiting": "waitingguest",
    "house_table": "parlourtable",
    "webhooks": "webhooksubscription",
    "online-games": "competition",
    "delivery": "webhookdelivery",
    "decision": "movedecision",
    "decisions": "movedecision",
    "link": "tablelink",
    "online_account": "onlineaccount",
    "photo": "slipphoto",
    "revision": "sheet",
    "of-hanchan": "hanchan",
    "of": "competition",
    "content_type_id": "contenttype",
    "r": "competition",
}
"""The kind of row for a parameter, or for the word before it."""
WRITING = ("POST", "PUT", "PATCH", "DELETE")
WORDS = {
    "language": "ja",
    "kind": "standings",
    "suffix": "csv",
    "ranking_table": "ranking",
    "term_table": "moves",
    "report": "books",
    "number": 1,
    "of_round": 1,
    "before": 1000,
    "chair": 0,
    "decision_kind": "adjustment",
    "extra": 1,
    "tier": "A",
    "name": "cinderella",
    "id": "CL-022",
    "code": "not_found",
    "bill": "none",
}
"""Values of parameters that are not the number of a row."""


@dataclass(frozen=True, slots=True)
class Route:
    """A named URL pattern and its view."""

    name: str
    pattern: str
    callback: Any
    parameters: tuple[str, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the writing methods to try: those of an API view, otherwise POST."""
        view = getattr(self.callback, "cls", None) or getattr(self.callback, "view_class", None)
        if self.name.startswith("api:") and view is not None:
            allowed = {name.upper() for name in view.http_method_names if hasattr(view, name)}
            return tuple(method for method in WRITING if method in allowed) or ("POST",)
        return ("POST",)


def routes() -> Iterator[Route]:
    """Yield all patterns of the resolver, and the probes that a middleware answers."""
    yield from _walk(get_resolver(), "", "")
    for address in PROBES:
        yield Route(f"probe:{address}", address.lstrip("/"), PROBES[address], ())


def _walk(resolver: URLResolver, before: str, space: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _walk(entry, pattern, f"{space}{entry.namespace}:" if entry.namespace else space)
        elif isinstance(entry, URLPattern):
            # The admin redirects from a row's bare URL to its page; this pattern has no name.
            name = f"{space}{entry.name or unnamed(pattern)}"
            yield Route(name, pattern, entry.callback, tuple(name for _converter, name in PARAMETER.findall(pattern)))


def unnamed(pattern: str) -> str:
    """Return a name for a pattern without one: the admin has one per model, and a catch-all."""
    return f"row-{pattern.split('/')[2]}" if pattern.count("/") > 2 else "anything-else"


def address(route: Route, world: World, place: Place) -> str:
    """Return the route's URL, filled with the rows of this place."""
    if route.name in WHOLE:
        return "/" + WHOLE[route.name]
    filled: list[str] = []
    for part in route.pattern.split("/"):
        before = next((one for one in reversed(filled) if not one.isdigit()), "")
        for converter, parameter in PARAMETER.findall(part):
            wanted = f"<{converter}:{parameter}>" if converter else f"<{parameter}>"
            part = part.replace(wanted, str(value(parameter, before, world, place)))  # noqa: PLW2901 - one parameter after another
        filled.append(part)
    return "/" + "/".join(filled)


def value(parameter: str, before: str, world: World, place: Place) -> Any:
    """Return the value of a parameter, given the word before it in the URL."""
    words = {
        **WORDS,
        **place.words,
        "slug": place.competition.slug,
        "round": place.rows["fourth"].round if "fourth" in place.rows else 1,
        "token": world.link if before == "t" else world.invitation,
    }
    if (parameter, before) == ("token", "g") and place.competition.parlour is not None:
        return guest_token(place.competition.parlour, place.rows["player"])
    if parameter in words and (parameter, before) != ("id", "user"):
        return words[parameter]
    row = place.rows[OF_WORD.get(parameter) or OF_WORD.get(before) or before.replace("-", "")]
    if parameter == "revision":
        return row.revision
    return key_of(row, before) if parameter == "key" else row.pk


def key_of(row: Any, before: str) -> Any:
    """Return the key of a row in URLs: its number, its own key, or its player's."""
    if before in ("tables", "hanchan"):
        return row.pk
    return row.key if hasattr(row, "key") else row.player.key
