"""Error pages in the visitor's language, with links back."""

from __future__ import annotations

import sys

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseServerError
from django.template import loader

from league.platform.outages import Outage, outage_of
from league.platform.rendering import render
from league.web.problems import ProblemResponse, problem_of

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
NEVER_REPEATED = ("password", "otp", "token", "code")
"""Parts of the names of form fields whose values an error page must not repeat."""


class ExplainedError(Http404):
    """Raised for a page that a visible competition does not have; its message says why, and is shown."""


class NotYetError(ExplainedError):
    """Raised for a page that opens later; its message says when."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page of status 400 for a malformed request."""
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page of status 403 for a request the visitor has no permission for, with its reason if any."""
    return render(request, "errors/403.html", {"reason": str(exception)}, status=403)


def form_not_ours(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form without a valid CSRF token: too old, or sent by another site; it names no details."""
    return render(request, "errors/csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page of status 404.

    It does not reveal whether a page exists that the visitor may not see; only `ExplainedError` says what is missing.
    """
    context = {
        "explanation": exception if isinstance(exception, ExplainedError) else "",
        "opens_later": isinstance(exception, NotYetError),
    }
    return render(request, "errors/404.html", context, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page of status 500, which needs no database, language or context.

    REST requests and scripts that accept JSON alone get a problem document.

    A temporary outage of the infrastructure is answered with 503 instead.
    """
    fault = sys.exc_info()[1]
    wants_json = request.path.startswith("/api/") or request.headers.get("Accept") == "application/json"
    if isinstance(fault, Exception) and wants_json:
        return ProblemResponse(problem_of(fault), instance=request.path)
    if outage := outage_of(fault):
        return out_of_order(request, outage)
    # Rendered without the request: a context processor may be the cause of the error.
    return HttpResponseServerError(loader.render_to_string("errors/500.html"))


def out_of_order(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Return the page of status 503, which says when to retry and has a button to submit the same form again."""
    context = {"outage": outage.value, "fields": submitted_fields(request), "address": request.get_full_path()}
    page = loader.render_to_string("errors/503.html", context)
    return HttpResponse(page, status=503, headers={"Retry-After": str(outage.retry_after), "Cache-Control": "no-store"})


def submitted_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the form fields of a failed POST; an empty list if it held a secret or files."""
    if request.method != "POST" or request.content_type not in FORMS or request.FILES:
        return []
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    is_secret = any(word in name.lower() for name, _value in fields for word in NEVER_REPEATED if "csrf" not in name)
    return [] if is_secret else fields
