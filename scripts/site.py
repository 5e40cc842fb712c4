"""Find the pages of the service as a visitor does: by following links.

No list of pages is kept. A crawl of a served season finds some pages of each view, and `unseen` compares them with
the URL configuration, so that a new page is either visited or reported as missed.
"""

from __future__ import annotations

import http.cookiejar
import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

OF_EACH = 2
"""Most pages of one view; those of `ALL_OF` have a limit of their own."""
ALL_OF = ("pages:home", "pages:block", "pages:rules")
MOST = 12
MISSING = "/there-is-no-such-page/"
HAND = "hand=234p067p34s678s99s+%2B+2s&riichi=riichi&dora=8s"
ASKED = {
    "hand-answered": f"/rules/cinderella/hand/?{HAND}",
    "hand-refused": "/rules/banchi3/hand/?hand=234p067p34s678s9s+%2B+2s&ippatsu=on",
    "everywhere-answered": f"/rules/hand/?{HAND}",
    "tulip-first": "/rules/superbingo/tulip/",
    "tulip-flips": "/rules/superbingo/tulip/?hand=34567899p12378s+nuki:1b+%2B+9s&riichi=riichi&flips=7p7p8p6s6p",
}
"""Pages whose content depends on the query string."""
LEFT_ALONE = re.compile(r"/(logout|delete|csv|export)/|\.(ics|csv|json|xlsx|zip|log)$")
"""Links that end something or download a file."""
FORM_KEY = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Shot:
    """A page to take a picture of, and its name."""

    name: str
    path: str
    alone: tuple[int, int] | None = None
    """The only viewport the page is made for; None for every one."""


class Links(HTMLParser):
    """Parser that collects the targets of a page's anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an anchor's address."""
        address = dict(attrs).get("href") if tag == "a" else None
        if address:
            self.found.append(address)


class SiteClient:
    """HTTP client with cookies for a running service."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def read(self, path: str, data: dict[str, str] | None = None) -> str:
        """Return the page's HTML; empty if the response is an error or not HTML."""
        body = urlencode(data).encode() if data else None
        asked = urllib.request.Request(self.address + path, body, {"Referer": self.address + path})  # noqa: S310 - our own server
        try:
            with self.opener.open(asked) as answer:
                is_page = answer.headers.get_content_type() == "text/html"
                return answer.read().decode() if is_page else ""
        except urllib.error.HTTPError:
            return ""

    def sign_in(self, path: str, name: str, password: str) -> None:
        """Submit the sign-in form."""
        key = FORM_KEY.search(self.read(path))
        given = {"username": name, "password": password}
        self.read(path, given | {"csrfmiddlewaretoken": key[1] if key else ""})

    def links(self, path: str) -> Iterator[str]:
        """Yield the paths of the service that a page links to, without queries and anchors."""
        parser = Links()
        parser.feed(self.read(path))
        for link in parser.found:
            at = urlsplit(urljoin(self.address + path, link))
            if f"{at.scheme}://{at.netloc}" == self.address:
                yield at.path

    def state(self) -> dict[str, Any]:
        """Return the cookies as Playwright's storage state."""
        host = urlsplit(self.address).hostname
        return {
            "cookies": [
                {"name": one.name, "value": one.value or "", "domain": host, "path": "/", "expires": -1,
                 "httpOnly": True, "secure": False, "sameSite": "Lax"}
                for one in self.cookies
            ],
            "origins": [],
        }  # fmt: skip


def view_of(path: str) -> str:
    """Return the name of the view of this path; empty if there is none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def crawl(visitor: SiteClient, start: Sequence[str], spaces: Collection[str]) -> list[Shot]:
    """Follow links from these pages; return a few pages of each view in these namespaces."""
    waiting, seen, taken = list(start), set(start), Counter[str]()
    found = []
    while waiting:
        path = waiting.pop(0)
        view = view_of(path)
        space, _, name = view.partition(":")
        if space not in spaces or taken[view] >= (MOST if view in ALL_OF else OF_EACH) or LEFT_ALONE.search(path):
            continue
        taken[view] += 1
        found.append(Shot(f"{name}-{taken[view]}", path))
        for link in visitor.links(path):
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    return found


def public_pages(address: str) -> list[Shot]:
    """Return every page open to the public, with those whose content depends on the query string."""
    found = crawl(SiteClient(address), ["/"], ("pages",))
    return [*found, *(Shot(name, path) for name, path in ASKED.items()), Shot("missing-1", MISSING)]


def views_named(space: str) -> set[str]:
    """Return the names of all views of a namespace."""
    return {f"{space}:{name}" for name in _names(get_resolver(), space, inside=False)}


def _names(resolver: URLResolver, space: str, *, inside: bool) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            if inside and pattern.name:
                yield pattern.name
        elif isinstance(pattern, URLResolver):
            yield from _names(pattern, space, inside=inside or pattern.namespace == space)


def unseen(shots: Collection[Shot], space: str) -> set[str]:
    """Return the views of a namespace without a page among these."""
    return views_named(space) - {view_of(shot.path.partition("?")[0]) for shot in shots}
