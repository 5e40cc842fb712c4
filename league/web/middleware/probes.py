"""Endpoints for machines: liveness and readiness probes, and Prometheus metrics.

These URLs are answered before any other middleware, so that they work over plain HTTP, under any host name, from a
probe on the same machine, and so that `/health/live` needs nothing but the process itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from league.platform.version import version
from league.web.operations import metrics
from league.web.operations.metrics_access import may_read_metrics
from league.web.operations.readiness import checks

NEVER_KEPT = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Probes:
    """Middleware that answers the URLs of this module and passes every other request on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a probe, with or without a trailing slash; only GET and HEAD are allowed."""
        probe = PROBES.get(request.path_info.rstrip("/"))
        if probe is None:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD", **NEVER_KEPT})
        return probe(request)


def live(request: HttpRequest) -> HttpResponse:
    """Return 200: the process answers, whatever the state of its database or broker."""
    return JsonResponse({"status": "live"}, headers=NEVER_KEPT)


def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if the service can do its work, else 503 with the reasons, which help no attacker."""
    try:
        found = checks()
    finally:
        connections.close_all()
    is_ready = all(check.is_well for check in found)
    document = {
        "status": "ready" if is_ready else "not ready",
        "version": version(),
        "checks": {check.name: {"ok": check.is_well, "reason": check.reason} for check in found},
    }
    return HttpResponse(
        json.dumps(document, indent=1),
        status=200 if is_ready else 503,
        content_type="application/json",
        headers=NEVER_KEPT,
    )


def measured(request: HttpRequest) -> HttpResponse:
    """Return the metrics in Prometheus's text format to clients with the token or an allowed address."""
    environment = settings.ENVIRONMENT
    if not environment.has_metrics:
        return HttpResponse(status=404, headers=NEVER_KEPT)
    if not may_read_metrics(request):
        return HttpResponse(status=403, headers=NEVER_KEPT)
    try:
        text = metrics.exposition()
    finally:
        connections.close_all()
    return HttpResponse(text, content_type=metrics.CONTENT_TYPE, headers=NEVER_KEPT)


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/health/live": live,
    "/health/ready": ready,
    "/metrics": measured,
}
