"""Every address there is, by its name, and how each is filled with what a place has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from league.web.middleware.probes import PROBES
from tests.permissions.world import Place, World

PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
WHOLE = {
    "admin:app_list": "admin/axes/",
    "admin:anything-else": "admin/nowhere/",
    "api:missing": "api/v1/nowhere/",
}
"""Addresses that patterns of another kind lead to."""
OF_WORD = {
    "blocks": "block",
    "players": "player",
    "tables": "tablesession",
    "table": "tablesession",
    "overlay": "tablesession",
    "stages": "stage",
    "sessions": "session",
    "table-sessions": "tablesession",
    "sittings": "sitting",
    "webhooks": "webhooksubscription",
    "delivery": "webhookdelivery",
    "link": "tablelink",
    "photo": "slipphoto",
    "revision": "sheet",
    "of-hanchan": "hanchan",
    "of": "competition",
    "content_type_id": "contenttype",
    "r": "competition",
}
"""What a parameter, or the word before it, is about."""
WRITING = ("POST", "PUT", "PATCH", "DELETE")
WORDS = {
    "kind": "standings",
    "suffix": "csv",
    "number": 1,
    "before": 1000,
    "name": "cinderella",
    "id": "CL-022",
    "code": "not_found",
}
"""What stands in addresses and is no row"s number."""


@dataclass(frozen=True, slots=True)
class Route:
    """A named address and what leads to it."""

    name: str
    pattern: str
    callback: Any
    parameters: tuple[str, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """The writing methods that are worth a try: all there are in REST, else a form"s."""
        view = getattr(self.callback, "cls", None) or getattr(self.callback, "view_class", None)
        if self.name.startswith("api:") and view is not None:
            allowed = {name.upper() for name in view.http_method_names if hasattr(view, name)}
            return tuple(method for method in WRITING if method in allowed) or ("POST",)
        return ("POST",)


def routes() -> Iterator[Route]:
    """All that the resolver knows, and what is answered before it is asked."""
    yield from _walk(get_resolver(), "", "")
    for address in PROBES:
        yield Route(f"probe:{address}", address.lstrip("/"), PROBES[address], ())


def _walk(resolver: URLResolver, before: str, space: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _walk(entry, pattern, f"{space}{entry.namespace}:" if entry.namespace else space)
        elif isinstance(entry, URLPattern):
            # Django"s admin leads from a row"s bare address to its page without giving that a name
            name = f"{space}{entry.name or unnamed(pattern)}"
            yield Route(name, pattern, entry.callback, tuple(name for _converter, name in PARAMETER.findall(pattern)))


def unnamed(pattern: str) -> str:
    """What an address without a name is called: Django's admin has one for each kind of row, and one for the rest."""
    return f"row-{pattern.split('/')[2]}" if pattern.count("/") > 2 else "anything-else"


def address(route: Route, world: World, place: Place) -> str:
    """The route's address, about what this place has."""
    if route.name in WHOLE:
        return "/" + WHOLE[route.name]
    filled: list[str] = []
    for part in route.pattern.split("/"):
        before = next((one for one in reversed(filled) if not one.isdigit()), "")
        for converter, parameter in PARAMETER.findall(part):
            wanted = f"<{converter}:{parameter}>" if converter else f"<{parameter}>"
            part = part.replace(wanted, str(value(parameter, before, world, place)))  # noqa: PLW2901 - bit by bit
        filled.append(part)
    return "/" + "/".join(filled)


def value(parameter: str, before: str, world: World, place: Place) -> Any:
    """What stands for a parameter, seen from the word before it in the address."""
    words = {
        **WORDS,
        **place.words,
        "slug": place.competition.slug,
        "round": place.rows["fourth"].round if "fourth" in place.rows else 1,
        "token": world.link if before == "t" else world.invitation,
    }
    if parameter in words and (parameter, before) != ("id", "user"):
        return words[parameter]
    row = place.rows[OF_WORD.get(parameter) or OF_WORD.get(before) or before.replace("-", "")]
    if parameter == "revision":
        return row.revision
    return key_of(row, before) if parameter == "key" else row.pk


def key_of(row: Any, before: str) -> Any:
    """What a page calls a row by: its number, its own key, or its player's."""
    if before in ("tables", "hanchan"):
        return row.pk
    return row.key if hasattr(row, "key") else row.player.key
