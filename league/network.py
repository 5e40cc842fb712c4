"""Where a request came from.

The one idea: a reverse proxy adds the address it saw at the right of X-Forwarded-For; only as many
entries as there are trusted proxies are believed, so a visitor cannot choose an address.
"""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address of the visitor, as the outermost trusted proxy saw it."""
    direct: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.ENVIRONMENT.trusted_proxies
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if not proxies or len(forwarded) < proxies:
        return direct
    return forwarded[-proxies] or direct
