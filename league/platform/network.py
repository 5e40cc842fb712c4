"""Where a request came from.

The one idea: a reverse proxy adds the address it saw at the right of X-Forwarded-For; only as many
entries as there are trusted proxies are believed, so a visitor cannot choose an address. Whoever has one IPv6 address
has a network of them (RFC 6177), so that what is counted or locked is counted for the network.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "0.0.0.0"  # noqa: S104 - nothing listens there: it stands for an address that cannot be read
ONE_VISITORS = 64
"""So many first bits of an IPv6 address say whose it is; the rest a visitor chooses anew for every request."""


def client_address(request: HttpRequest) -> str:
    """The address of the visitor, as the outermost trusted proxy saw it."""
    direct: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.ENVIRONMENT.trusted_proxies
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if not proxies or len(forwarded) < proxies:
        return direct
    return forwarded[-proxies] or direct


def visitor_network(request: HttpRequest) -> str:
    """Whose share is counted: an IPv4 address, or the first address of an IPv6 visitor's network."""
    address = readable(client_address(request))
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, ONE_VISITORS), strict=False).network_address)
    return str(address)


def readable(text: str) -> IPv4Address | IPv6Address:
    """An address as a number, whatever it was written as; what cannot be read is one address for all."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return IPv4Address(NOWHERE)
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
