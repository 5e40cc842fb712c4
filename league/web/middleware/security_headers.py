"""What every answer tells browsers, whatever made it: pages, errors, redirects, files and probes.

The one idea: this stands before everything else and fills in what is missing, so that nothing has to remember it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

SENSORS = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone",
           "midi", "payment", "serial", "usb")  # fmt: skip
MISSING = {
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in SENSORS),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""What an answer gets that says nothing of its own: it is kept by nobody, and nothing in it runs."""

View = Callable[..., HttpResponseBase]


def telling_only_the_site(view: View) -> View:
    """A page whose address is a key, or carries one: what it asks for names the site and not the page.

    A proxy writes both into its log. No referrer at all would take the mark of their origin from forms too.
    """

    @wraps(view)
    def page(*args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(*args, **kwargs)
        response.headers["Referrer-Policy"] = "strict-origin"
        return response

    return page


class SafeHeaders:
    """Fill in what an answer leaves out. Stands before everything else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer as ever, with nothing missing."""
        response = self.get_response(request)
        for name, value in MISSING.items():
            response.headers.setdefault(name, value)
        return response
