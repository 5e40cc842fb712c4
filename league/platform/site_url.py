"""Absolute URLs of the service for links that leave it: QR codes, mails, calendars, webhooks, REST documents.

BASE_URL decides where an operator has set it. Without it the service cannot know how other devices reach it, so a link
takes the host of the current request: an address that a client has just opened works for others on the same network.
Work without a request (webhooks of the embedded service, mails about an account) uses the address the service listens
on.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

import psutil
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

IPV4_DEFAULT_ROUTE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): routed like any foreign address, never contacted."""


def site_url(request: HttpRequest | None = None) -> str:
    """Return scheme, host and port of the service without a trailing slash.

    Do not pass an anonymous visitor's request for a link sent to another person: the visitor chooses its Host header.
    """
    if settings.BASE_URL:
        return str(settings.BASE_URL).rstrip("/")
    if request is not None:
        return f"{request.scheme}://{request.get_host()}"
    return network_urls()[0]


def absolute_url(name: str, *args: object, request: HttpRequest | None = None) -> str:
    """Return the absolute URL of a route by its name and arguments."""
    return f"{site_url(request)}{reverse(name, args=args)}"


def network_urls() -> tuple[str, ...]:
    """Return the URLs at which the service listens, those of the local network first."""
    environment = settings.ENVIRONMENT
    if not environment.listens_on_all:
        return (environment.listen_url,)
    found = [f"http://{address}:{environment.port}" for address in lan_addresses()]
    return (*found, environment.listen_url)


def is_loopback(url: str) -> bool:
    """Return True if a URL can be opened on this machine only."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def lan_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses that other devices can open, the one of the default route first."""
    found = set(_interface_addresses())
    first = _default_address()
    return tuple(sorted(found, key=lambda address: (address != first, ip_address(address))))


def _interface_addresses() -> Iterator[str]:
    """Yield the IPv4 addresses of all interfaces that are up, without loopback and link-local ones."""
    stats = psutil.net_if_stats()
    for name, addresses in psutil.net_if_addrs().items():
        for each in addresses:
            if each.family != socket.AF_INET or not stats[name].isup:
                continue
            if not (ip_address(each.address).is_loopback or ip_address(each.address).is_link_local):
                yield each.address


def _default_address() -> str:
    """Return the address that the machine uses towards other networks; empty without a default route."""
    # Connecting a datagram socket sends nothing: it only looks up the route.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(IPV4_DEFAULT_ROUTE)
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
        return address
