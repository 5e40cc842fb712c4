"""Default security headers of every response, whatever produced it: pages, errors, redirects, files and probes.

The middleware is the outermost one and fills in missing headers, so that no view can forget them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

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
"""Default headers of a response that does not set its own: it is not cached, and nothing in it is executed."""

P = ParamSpec("P")


def hide_path_from_referrer(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Decorate a view with a secret in its URL: requests from its page send only the site as referrer.

    A proxy logs the URL and the referrer. With no referrer at all, browsers would send forms with `Origin: null`,
    which the CSRF check refuses.
    """

    @wraps(view)
    def page(*args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = view(*args, **kwargs)
        response.headers["Referrer-Policy"] = "strict-origin"
        return response

    return page


class SafeHeaders:
    """Middleware that adds missing security headers; must be the outermost."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response with defaults for missing headers."""
        response = self.get_response(request)
        for name, value in MISSING.items():
            response.headers.setdefault(name, value)
        return response
